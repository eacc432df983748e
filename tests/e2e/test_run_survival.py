"""What `ccc run` on the real client survives: faults, deaths, kills and interruptions."""

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
    no,
    requests,
    sessions,
)

from ccc.scripted import (
    Reply,
    Request,
    Rule,
    answer,
    cut,
    endless,
    rate_limited,
    slow,
)
from ccc.supervision.loop import CONTINUE
from harness import Bench
from harness.processes import family, nothing_runs, wait_until

pytestmark = pytest.mark.real


class TestSurvives:
    @pytest.mark.parametrize("fault", [rate_limited(1), cut(answer(DONE), 2)], ids=["429", "cut"])
    def test_faults(self, bench: Bench, fault: Reply) -> None:
        """A 429 with retry-after, a cut connection: waited for, and the same session goes on."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            # more than claude tries by itself
            Rule(WORKING, [*[fault] * 4, answer(DONE)], times=20),
        )
        outcome = run(project, "--json", "do it").succeeded()
        assert "Trying again in" in outcome.stderr
        told = report(outcome)
        assert (told["outcome"], told["iterations"]) == ("completed", 1)
        assert sessions(project) == {told["session_id"]}

    def test_a_long_retry_after(self, bench: Bench) -> None:
        """--wait and a 429 with retry-after of an hour: that is when it is tried again."""
        project = bench(Rule(WORKING, rate_limited(3600), times=20))
        going = later(project, "--wait", "do it")
        log = project.claude_dir / "ccc" / "hook-invocation.log"
        try:
            wait_until(
                lambda: log.exists() and re.search(r"Trying again in (59:|1:00:)", log.read_text()),
                "an hour's wait",
                60,
            )
            tried = len(requests(project, WORKING))
            time.sleep(4)
            assert len(requests(project, WORKING)) == tried
        finally:
            code, _, err = going.end(signal.SIGINT)
        assert code == 130, err
        nothing_runs(project.home)

    def test_claude_dies(self, bench: Bench) -> None:
        """A claude that is killed is resumed in the same session."""

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
        """kill -9 of ccc in each phase: `--continue` finishes, with nothing counted twice."""
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
        # a function that a shell exports: no name that a shell takes from its environment
        project.env["BASH_FUNC_which%%"] = "() { echo; }"
        going = later(project, "do it")
        wanted = ASKED if last == "review" else WORKING
        count = 2 if before else 1
        wait_until(lambda: len(requests(project, wanted)) == count, phase, 60)
        wait_until(lambda: state(project)["phase"] == last, phase)
        # claude asks the model before it writes what it was told
        wait_until(lambda: "do it" in heard(project), phase)
        spent = state(project)["agent_cost_usd"]
        going.end(signal.SIGKILL)
        # what it was doing would take 30 s
        nothing_runs(project.home, timeout=10)
        told = report(run(project, "--continue", "--json").succeeded())
        assert told["outcome"] == "completed"
        assert told["iterations"] == (2 if before else 1)
        assert len(told["verdicts"]) == told["iterations"]
        assert sessions(project) == {told["session_id"]}
        assert told["seconds"] > 1
        verdict_costs = sum(v["cost_usd"] for v in told["verdicts"])
        assert told["cost_usd"]["reviews"] == pytest.approx(verdict_costs)
        if last == "review":
            # nothing was left for the agent to do
            assert told["cost_usd"]["agent"] == pytest.approx(spent)
        else:
            assert told["cost_usd"]["agent"] > spent
        tasks = [r for r in requests(project, WORKING) if r.last_text.strip() == "do it"]
        assert len(tasks) <= 2
        if phase == "agent":
            assert any(CONTINUE in r.last_text for r in requests(project, WORKING))
        nothing_runs(project.home)
        assert run(project, "--continue").code == 1

    @pytest.mark.parametrize("phase", ["agent", "review"])
    def test_interrupted(self, bench: Bench, phase: str) -> None:
        """130: Ctrl-C stops the agent or the review, says what was done, and can be continued."""
        fault = endless("and on ")
        agent: list[Reply] = [fault] if phase == "agent" else []
        review: list[Reply] = [fault] if phase == "review" else []
        project = bench(
            Rule(ASKED, [*review, answer(YES)]),
            Rule(WORKING, [*agent, answer(DONE)], times=50),
        )
        going = later(project, "--json", "do it")
        wanted: Callable[[Request], bool] = ASKED if phase == "review" else WORKING
        wait_until(lambda: requests(project, wanted), phase, 60)
        wait_until(lambda: phase == "review" or Record(project).file("agent.jsonl").exists())
        code, out, err = going.end(signal.SIGINT)
        assert code == 130, err
        assert json.loads(out)["outcome"] == "interrupted"
        if phase == "agent":
            (transcript,) = project.claude_dir.glob("projects/*/*.jsonl")
            assert "[Request interrupted" in transcript.read_text()
        nothing_runs(project.home)
        told = report(run(project, "--continue", "--json").succeeded())
        assert (told["outcome"], told["iterations"]) == ("completed", 1)
        shown = json.loads(project.run("show", "--json").succeeded().stdout)
        traces = ["interrupted"] if phase == "review" else []
        assert [each["outcome"] for each in shown["rounds"]] == [*traces, "completed"]
        assert {each["iteration"] for each in shown["rounds"]} == {1}
