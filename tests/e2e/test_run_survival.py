"""`ccc run` with the real client survives faults, crashes, kills and interruptions."""

import json
import os
import re
import signal
import time
from collections.abc import Callable

import pytest
from runs import heard, later, report, run, state
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    REVIEWING,
    WORKING,
    YES,
    Record,
    bash,
    no,
    requests,
    sessions,
)

from ccc.supervision.loop import CONTINUE
from harness import Bench
from harness.processes import family, nothing_runs, wait_until
from harness.scripted import (
    Reply,
    Request,
    Rule,
    answer,
    cut,
    either,
    endless,
    every,
    rate_limited,
    said_last,
    slow,
    tool,
)

pytestmark = pytest.mark.real


class TestSurvives:
    @pytest.mark.parametrize("fault", [rate_limited(1), cut(answer(DONE), 2)], ids=["429", "cut"])
    def test_faults(self, bench: Bench, fault: Reply) -> None:
        """After a 429 or a cut connection, the run waits and continues the session."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            # more than claude's own retries
            Rule(WORKING, [*[fault] * 4, answer(DONE)], times=20),
        )
        outcome = run(project, "--json", "do it").succeeded()
        assert "Trying again in" in outcome.stderr
        result = report(outcome)
        assert (result["outcome"], result["iterations"]) == ("completed", 1)
        assert sessions(project) == {result["session_id"]}

    @pytest.mark.parametrize("who", ["agent", "sub-agent"])
    def test_a_long_retry_after(self, bench: Bench, who: str) -> None:
        """With --wait and a retry-after of an hour, the run waits that long after the first 429."""
        look = tool("Agent", description="look", prompt="go look", subagent_type="general-purpose")
        limited = Rule(either(said_last("go look"), said_last("do it")), rate_limited(3600))
        first = Rule(every(WORKING, said_last("do it")), answer(look))
        project = bench(*([first] if who == "sub-agent" else []), limited)
        background_run = later(project, "--wait", "do it")
        log = project.claude_dir / "ccc" / "hook-invocation.log"
        try:
            # claude adds up to a quarter to the provider's time
            line = r"Trying again in 1:(0\d|1[0-5]):\d\d \(the provider's time; attempt 1\)"
            wait_until(lambda: log.exists() and re.search(line, log.read_text()), line, 120)
            if who == "agent":
                assert "This request would exceed your rate limit." in log.read_text()
            time.sleep(4)
            assert len(requests(project, limited.when)) == (1 if who == "agent" else 2)
        finally:
            code, _, err = background_run.end(signal.SIGINT)
        assert code == 130, err
        nothing_runs(project.home)

    def test_an_hour_is_too_long(self, bench: Bench) -> None:
        """Without --wait, the run ends after the first 429 and says when the limit ends."""
        project = bench(Rule(WORKING, rate_limited(3600)))
        outcome = run(project, "--json", "do it")
        assert report(outcome)["outcome"] == "agent_failed"
        assert 3500 < report(outcome)["limit_ends"] - time.time() < 1.25 * 3600
        assert len(requests(project, WORKING)) == 1

    def test_claude_dies(self, bench: Bench) -> None:
        """If claude is killed, the run resumes the same session."""

        def kill(request: Request) -> Reply:
            for pid, line in family(project.home, "--print").items():
                if "--fork-session" not in line:
                    os.kill(pid, signal.SIGKILL)
            return answer("never heard")

        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(WORKING, kill, times=1),
            Rule(WORKING, answer(DONE)),
        )
        outcome = run(project, "--json", "do it").succeeded()
        assert "resuming the session" in outcome.stderr
        assert sessions(project) == {report(outcome)["session_id"]}

    @pytest.mark.parametrize(
        "phase",
        [
            "agent",
            pytest.param("review", marks=pytest.mark.journey),
            "second agent",
            "second review",
        ],
    )
    def test_killed_and_continued(self, bench: Bench, phase: str) -> None:
        """After kill -9 of ccc in any phase, `--continue` finishes and nothing counts twice."""
        last = phase.removeprefix("second ")
        before = "second" in phase
        fault = slow(answer(DONE), 30) if last == "agent" else slow(answer(YES), 30)
        verdicts = [answer(no(FEEDBACK))] if before else []
        verdicts += [fault] if last == "review" else []
        turns = [answer(DONE)] if before or last == "review" else []
        turns += [fault] if last == "agent" else []
        project = bench(
            Rule(ASKED, [*verdicts, answer(YES)], name="reviewer"),
            Rule(WORKING, [*turns, answer(DONE)], times=50, name="agent"),
        )
        # a function that a shell exports; its name can't be a shell variable
        project.env["BASH_FUNC_which%%"] = "() { echo; }"
        background_run = later(project, "do it")
        matches = ASKED if last == "review" else WORKING
        count = 2 if before else 1
        wait_until(lambda: len(requests(project, matches)) == count, phase, 60)
        wait_until(lambda: state(project)["phase"] == last, phase)
        # claude sends its request before it writes the prompt to the transcript
        wait_until(lambda: "do it" in heard(project), phase)
        spent = state(project)["agent_cost_usd"]
        background_run.end(signal.SIGKILL)
        # the interrupted request would take 30 s
        nothing_runs(project.home, timeout=10)
        result = report(run(project, "--continue", "--json").succeeded())
        assert result["outcome"] == "completed"
        assert result["iterations"] == (2 if before else 1)
        assert len(result["verdicts"]) == result["iterations"]
        assert sessions(project) == {result["session_id"]}
        assert result["seconds"] > 1
        verdict_costs = sum(v["cost_usd"] for v in result["verdicts"])
        assert result["cost_usd"]["reviews"] == pytest.approx(verdict_costs)
        if last == "review":
            # the agent had nothing left to do
            assert result["cost_usd"]["agent"] == pytest.approx(spent)
        else:
            assert result["cost_usd"]["agent"] > spent
        tasks = [r for r in requests(project, WORKING) if r.last_text.strip() == "do it"]
        assert len(tasks) <= 2
        if phase == "agent":
            assert any(CONTINUE in r.last_text for r in requests(project, WORKING))
        nothing_runs(project.home)
        assert run(project, "--continue").code == 1

    def test_interrupted_in_a_command(self, bench: Bench) -> None:
        """What claude tells the agent about the command that Ctrl-C stopped isn't shown."""
        project = bench(Rule(WORKING, [answer(bash("touch begun; sleep 60")), answer(DONE)]))
        background_run = later(project, "do it")
        wait_until((project.directory / "begun").exists, "the command", 60)
        code, _, err = background_run.end(signal.SIGINT)
        assert code == 130
        assert "● Bash touch begun" in err
        assert "STOP what you are doing" in Record(project).file("agent.jsonl").read_text()
        assert "STOP what you are doing" not in err

    @pytest.mark.parametrize("phase", ["agent", "review"])
    def test_interrupted(self, bench: Bench, phase: str) -> None:
        """130: Ctrl-C stops the agent or the review, and the run can be continued."""
        fault = endless("and on ")
        agent: list[Reply] = [fault] if phase == "agent" else []
        review: list[Reply] = [fault] if phase == "review" else []
        project = bench(
            Rule(ASKED, [*review, answer(YES)]),
            Rule(WORKING, [*agent, answer(DONE)], times=50),
        )
        background_run = later(project, "--json", "do it")
        matches: Callable[[Request], bool] = ASKED if phase == "review" else WORKING
        wait_until(lambda: requests(project, matches), phase, 60)
        wait_until(lambda: phase == "review" or Record(project).file("agent.jsonl").exists())
        code, out, err = background_run.end(signal.SIGINT)
        assert code == 130, err
        assert json.loads(out)["outcome"] == "interrupted"
        if phase == "agent":
            (transcript,) = project.claude_dir.glob("projects/*/*.jsonl")
            assert "[Request interrupted" in transcript.read_text()
        nothing_runs(project.home)
        result = report(run(project, "--continue", "--json").succeeded())
        assert (result["outcome"], result["iterations"]) == ("completed", 1)
        record = json.loads(project.run("show", "--json").succeeded().stdout)
        traces = ["interrupted"] if phase == "review" else []
        assert [each["outcome"] for each in record["rounds"]] == [*traces, "completed"]
        assert {each["iteration"] for each in record["rounds"]} == {1}
