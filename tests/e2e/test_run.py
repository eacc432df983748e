"""`ccc run` on the real client: the loop without a person, its exit codes, and what it survives."""

import itertools
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    Record,
    bash,
    journey,
    judged,
    no,
    requests,
    section,
    sessions,
)

from ccc.claude import transcripts
from ccc.scripted import (
    Reply,
    Request,
    Rule,
    answer,
    cut,
    endless,
    every,
    rate_limited,
    said_last,
    shared_prefix,
    slow,
    tool_result,
    unauthorized,
)
from ccc.supervision.loop import CONTINUE
from harness import KEY, Bench, CccProject, Outcome
from harness.processes import family, nothing_runs, wait_until

pytestmark = pytest.mark.real

NEED = '{"code": "%code%", "completed": false, "feedback": "which colour?", "needs_user": true}'
QUICKLY = {"CLAUDE_CODE_MAX_RETRIES": "1"}


def run(project: CccProject, *words: str, **env: str) -> Outcome:
    """`ccc run` with an agent that may do everything."""
    return project.run("run", *words, "--", *FREELY, env={**QUICKLY, **env})


def report(outcome: Outcome) -> dict[str, Any]:
    """The one object that `--json` prints."""
    (line,) = outcome.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


class TestJourney:
    @pytest.mark.journey
    def test_a_false_done_and_then_a_pass(self, bench: Bench) -> None:
        """000/Agent Phase → Supervisor Phase: a stop is reviewed, with session and request.

        000/Supervisor Phase → Agent Phase（未完成）: the feedback is the next user message.
        000/检测 Agent 停止: the turn's result is the stop.
        000/解析 session_id: the fork and the next turn are of the session that the stream names.
        """
        project = bench(*journey())
        outcome = run(project, "--json", "write a.txt and b.txt")
        assert outcome.code == 0, outcome
        told = report(outcome)
        assert told["outcome"] == "completed"
        assert [v["completed"] for v in told["verdicts"]] == [False, True]
        assert (project.directory / "b.txt").read_text() == "b\n"
        reviews, turns = requests(project, ASKED), requests(project, WORKING)
        assert len(reviews) == 2
        assert sessions(project) == {told["session_id"]}
        assert turns[0].said[-1].strip().endswith("write a.txt and b.txt")
        back = next(r for r in turns if FEEDBACK in r.last_text)
        assert reviews[0].number < back.number < reviews[1].number
        assert back.last_text.strip() == FEEDBACK
        assert "write a.txt and b.txt" in reviews[0].last_text
        nothing_runs(project.home)

    @pytest.mark.journey
    def test_the_cache_is_kept(self, bench: Bench) -> None:
        """Each turn repeats the one before it, and so does each review."""
        project = bench(*journey())
        run(project, "write a.txt and b.txt").succeeded()
        turns, reviews = requests(project, WORKING), requests(project, ASKED)
        shares = [shared_prefix(a, b) for a, b in itertools.pairwise(turns)]
        assert shares == [1.0] * len(shares)
        for review in reviews:
            last = [t for t in turns if t.number < review.number][-1]
            assert shared_prefix(last, review) == 1.0

    def test_how_the_agent_is_started(self, bench: Bench) -> None:
        """000/启动 Agent pty: stdout is a pty, the output stream-json, and one serves all turns.

        000/supervisor 循环启动: the run says that supervision is on, and where its logs are.
        """
        looked: list[tuple[int, str, str]] = []

        def look(request: Request) -> Reply:
            for pid, line in family(project.home, "--print").items():
                if "--fork-session" not in line:
                    output = f"/proc/{pid}/fd/1"
                    # where there is no /proc nobody can say
                    known = os.path.lexists(output)
                    looked.append((pid, line, os.readlink(output) if known else "/dev/pts/"))
            return answer(DONE)

        project = bench(Rule(REVIEWING, [answer(no(FEEDBACK)), answer(YES)]), Rule(WORKING, look))
        outcome = run(project, "--verbose", "do it").succeeded()
        (first, second) = looked
        assert first == second
        assert "--print" in first[1]
        assert "--output-format stream-json" in first[1]
        assert first[2].startswith("/dev/pts/")
        assert "Supervisor mode enabled" in outcome.stderr
        record = Record(project)
        for name in ("agent.jsonl", "output.jsonl"):
            assert str(record.file(name)) in outcome.stderr
            assert record.file(name).exists()
        assert outcome.stdout == f"{DONE}\n"

    def test_what_is_shown(self, bench: Bench) -> None:
        """Text as it comes, a line for each tool call; without control characters."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(every(WORKING, tool_result()), answer("All\x1b[31m red")),
            Rule(WORKING, answer("I begin.", bash("echo one;\necho two"))),
        )
        outcome = run(project, "do it").succeeded()
        shown = re.search(r"agent +I begin\.\n +● Bash (.*\n)", outcome.stderr)
        assert shown is not None, outcome
        assert shown[1].startswith("echo one; echo two")
        assert re.search(r"^ +All red$", outcome.stderr, re.MULTILINE), outcome
        quiet = run(project, "--quiet", "do it").succeeded()
        completed, opened = quiet.stderr.splitlines()
        assert completed.startswith("[ccc] completed: 1 round, ")
        assert opened.startswith("Open the session: ccc kimi --resume ")

    @pytest.mark.key_in("home/.claude/projects/*")
    def test_a_key_that_the_agent_says(self, bench: Bench) -> None:
        """It is made unreadable as it comes, in pieces; and the line is shown once."""
        project = bench(
            Rule(REVIEWING, answer(YES)), Rule(WORKING, answer(f"I used {KEY} for it, yes"))
        )
        outcome = run(project, "do it").succeeded()
        assert outcome.stderr.count("for it, yes") == 1
        assert KEY not in outcome.stderr
        kept = Record(project).file("agent.jsonl").read_text()
        pieces = re.findall(r'"type": ?"text_delta", ?"text": ?"([^"]*)"', kept)
        assert KEY not in "".join(pieces)

    def test_the_session_that_is_named_is_supervised(self, bench: Bench) -> None:
        """The command that the summary names opens it with its provider and its supervision."""
        project = bench(*judged(YES, YES))
        told = report(run(project, "--json", "do it"))
        ccc, *words = told["resume"].split()
        assert ccc == "ccc"
        outcome = project.run(*words, "-p", "and more", *FREELY)
        assert outcome.succeeded().stdout == f"{DONE}\n"
        first, second = requests(project, ASKED)
        assert "and more" not in first.last_text
        assert "and more" in second.last_text

    def test_feedback_is_no_request_of_the_user(self, bench: Bench) -> None:
        """A finished run that is resumed: another task, and the feedback is not the user's."""
        project = bench(*journey(), Rule(ASKED, answer(YES)))
        told = report(run(project, "--json", "write a.txt and b.txt"))
        words = told["resume"].split()[1:]
        project.run(*words, *FREELY, "-p", "and now hello").succeeded()
        shown = project.run("show").succeeded().stdout
        assert "\n\nand now hello\n\n" in shown
        assert f"› {FEEDBACK}" not in shown
        assert shown.count("write a.txt and b.txt") == 1
        asked = section(requests(project, ASKED)[-1], "What the user asked for")
        assert ("and now hello" in asked, FEEDBACK in asked) == (True, False)

    def test_supervisor_with_print(self, bench: Bench) -> None:
        """`ccc --supervisor kimi -p task` is the same loop."""
        project = bench(*journey())
        outcome = project.run(
            "--supervisor", "kimi", "-p", "write a.txt and b.txt", *FREELY, env=QUICKLY
        )
        assert outcome.succeeded().stdout == f"{DONE}\n"
        assert len(requests(project, ASKED)) == 2

    def test_the_task_from_stdin_and_from_a_file(self, bench: Bench) -> None:
        """Without words the task is what comes on stdin, or what the file says."""
        project = bench(*judged(YES, YES))
        project.run("run", stdin="task of stdin\n", env=QUICKLY).succeeded()
        (project.directory / "task.md").write_text("task of a file\n")
        run(project, "--file", "task.md").succeeded()
        asked = [r.last_text for r in requests(project, WORKING)]
        assert "task of stdin" in asked[0]
        assert "task of a file" in asked[1]

    @pytest.mark.journey
    def test_json(self, bench: Bench) -> None:
        """The shape of what `--json` prints, and nothing else on stdout."""
        project = bench(*judged(no("a"), YES))
        told = report(run(project, "--json", "--check", "true", "do it").succeeded())
        assert list(told) == [
            *("outcome", "detail", "exit_code", "session_id", "iterations", "resume", "result"),
            *("denied", "verdicts", "receipts", "cost_usd", "cost_source"),
            *("tokens", "seconds", "logs"),
        ]
        assert (told["outcome"], told["exit_code"], told["iterations"]) == ("completed", 0, 2)
        assert told["result"] == DONE
        assert [v["feedback"] for v in told["verdicts"]] == ["a", ""]
        assert [(r["command"], r["exit_code"]) for r in told["receipts"]] == [("true", 0)]
        cost, tokens = told["cost_usd"], told["tokens"]
        assert cost["agent"] > 0
        assert cost["reviews"] > 0
        assert cost["total"] == pytest.approx(cost["agent"] + cost["reviews"])
        for who in ("agent", "reviews"):
            assert set(tokens[who]) == {"input", "cache_read", "cache_creation", "output"}
            assert tokens[who]["cache_read"] > 0
        assert all(os.path.exists(path) for path in told["logs"].values())


class TestExitCodes:
    def test_bad_input(self, bench: Bench) -> None:
        """1: an unknown option, a bad number, no task, an unknown provider; claude is not asked."""
        project = bench(*judged())
        for words in (["--nonsense", "x"], ["--max-iterations", "0", "x"], [], ["--continue"]):
            outcome = project.run("run", *words)
            assert outcome.code == 1, outcome
            assert "Traceback" not in outcome.stderr
        assert project.run("run", "--provider", "nobody", "x").code == 1
        assert requests(project, WORKING) == []

    def test_no_prompt(self, bench: Bench) -> None:
        """1: without a SUPERVISOR.md the error says how to create one."""
        project = bench(*judged(YES))
        project.run("run", "x", env=QUICKLY).succeeded()
        (project.claude_dir / "SUPERVISOR.md").unlink()
        outcome = project.run("run", "x", env=QUICKLY)
        assert outcome.code == 1
        assert "ccc prompt init" in outcome.stderr
        assert len(requests(project, WORKING)) == 1

    def test_iterations(self, bench: Bench) -> None:
        """20: the limit of reviews."""
        project = bench(*judged(no("one"), no("two")))
        outcome = run(project, "--max-iterations", "2", "do it")
        assert outcome.code == 20, outcome
        assert len(requests(project, ASKED)) == 2

    @pytest.mark.parametrize(("code", "end"), [(0, "your checks pass"), (3, "your checks fail: ")])
    def test_checked_at_the_limit(self, bench: Bench, code: int, end: str) -> None:
        """20: what the agent did last is checked, told and recorded; no model is asked for it."""
        project = bench(*judged(no("one")))
        check = f"test ! -f seen || exit {code}; touch seen"
        outcome = run(project, "--max-iterations", "1", "--check", check, "do it")
        assert outcome.code == 20, outcome
        assert f"limit of 1 round reached; {end}" in outcome.stderr
        assert len(requests(project, ASKED)) == 1
        shown = json.loads(project.run("show", "--json").succeeded().stdout)
        *_, last = shown["rounds"]
        assert (last["outcome"], last["receipts"][0]["exit_code"]) == ("iterations", code)

    def test_stuck(self, bench: Bench) -> None:
        """21: the same feedback again, and nothing was changed."""
        project = bench(*judged(no("the same"), no("the same")))
        outcome = run(project, "do it")
        assert outcome.code == 21, outcome

    def test_a_check_that_fails(self, bench: Bench) -> None:
        """21: a check fails and fails again; no model was asked."""
        project = bench(*judged())
        outcome = run(project, "--check", "echo broken; false", "do it")
        assert outcome.code == 21, outcome
        assert requests(project, REVIEWING) == []
        assert "broken" in requests(project, WORKING)[1].last_text

    def test_cost(self, bench: Bench) -> None:
        """22: agent and reviews together have cost too much."""
        project = bench(*judged(no("one")))
        outcome = run(project, "--max-cost-usd", "0.000001", "--json", "do it")
        assert (outcome.code, report(outcome)["outcome"]) == (22, "cost"), outcome
        assert requests(project, REVIEWING) == []

    def test_cost_within_a_turn(self, bench: Bench) -> None:
        """22: an agent that never comes to an end is ended when the money is spent."""
        project = bench(Rule(WORKING, answer("More.", bash("echo more")), times=99))
        outcome = run(project, "--max-cost-usd", "0.02", "--json", "do it")
        assert (outcome.code, report(outcome)["outcome"]) == (22, "cost"), outcome
        assert 1 < len(requests(project, WORKING)) < 20
        assert report(outcome)["cost_usd"]["agent"] >= 0.02

    def test_checked_when_the_money_is_spent(self, bench: Bench) -> None:
        """22: the checks run on what the agent has left."""
        project = bench(Rule(WORKING, answer("More.", bash("echo more > more")), times=99))
        check = "test -f more && false"
        outcome = run(project, "--max-cost-usd", "0.06", "--check", check, "do it")
        assert outcome.code == 22, outcome
        assert "; your checks fail: test -f more && false" in outcome.stderr
        assert requests(project, REVIEWING) == []

    def test_cost_of_reviews(self, bench: Bench) -> None:
        """22: what the reviews have cost is taken from what the agent may spend."""
        more = answer("More.", bash("echo more"))
        project = bench(
            Rule(ASKED, answer(no(FEEDBACK))),
            Rule(every(WORKING, said_last(FEEDBACK)), more, times=99),
            Rule(every(WORKING, tool_result()), more, times=99),
            Rule(WORKING, answer(DONE), times=1),
        )
        outcome = run(project, "--max-cost-usd", "0.03", "--json", "do it")
        assert outcome.code == 22, outcome
        told = report(outcome)
        assert told["cost_usd"]["reviews"] > 0.004
        # after the request that passed it
        assert 0.03 <= told["cost_usd"]["total"] < 0.033
        assert sessions(project) == {told["session_id"]}

    def test_minutes(self, bench: Bench) -> None:
        """22: a turn that takes too long is ended, and no process is left."""
        project = bench(Rule(WORKING, endless("and on ")))
        outcome = run(project, "--max-minutes", "0.05", "--json", "do it")
        assert (outcome.code, report(outcome)["outcome"]) == (22, "minutes"), outcome
        nothing_runs(project.home)

    def test_needs_user(self, bench: Bench) -> None:
        """23: only the user can go on; `--continue` with an answer does."""
        project = bench(*judged(NEED, YES))
        outcome = run(project, "do it")
        assert outcome.code == 23, outcome
        assert "which colour?" in outcome.stderr
        run(project, "--continue", "blue").succeeded()
        assert "blue" in requests(project, WORKING)[-1].last_text
        assert "blue" in requests(project, ASKED)[-1].last_text

    def test_plan(self, bench: Bench) -> None:
        """23: in plan mode the plan waits for the user, and nothing is reviewed."""
        project = bench(*judged())
        outcome = project.run("run", "do it", "--", "--permission-mode", "plan", env=QUICKLY)
        assert outcome.code == 23, outcome
        assert requests(project, REVIEWING) == []

    def test_not_judged(self, bench: Bench) -> None:
        """24: the reviewer failed, which is no finding."""
        project = bench(Rule(REVIEWING, unauthorized()), Rule(WORKING, answer(DONE)))
        outcome = run(project, "do it")
        assert outcome.code == 24, outcome

    @pytest.mark.journey
    def test_agent_failed(self, bench: Bench) -> None:
        """25: an error that no waiting heals."""
        project = bench(Rule(WORKING, unauthorized()))
        outcome = run(project, "do it")
        assert outcome.code == 25, outcome
        cause, remedy, *_ = outcome.stderr[outcome.stderr.rindex("[ccc] ") :].splitlines()
        assert cause == "[ccc] The provider kimi does not accept the key."
        assert remedy == "Test the key: ccc validate kimi"
        assert "Log:" not in outcome.stderr
        assert len(requests(project, WORKING)) <= 2

    def test_agent_can_not_start(self, bench: Bench) -> None:
        """25: a claude that ends at once is started four times, and what it said is told."""
        project = bench(*judged())
        outcome = project.run("run", "do it", "--", "--no-such-option")
        assert outcome.code == 25, outcome
        assert "no-such-option" in outcome.stderr


@dataclass
class Later:
    """A run in the background, so that the test can get in its way."""

    project: CccProject
    process: "subprocess.Popen[str]"

    def end(self, number: int) -> tuple[int, str, str]:
        """Send a signal; exit code, stdout and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def later(project: CccProject, *words: str) -> Later:
    """Start `ccc run` and don't wait."""
    process = subprocess.Popen(
        [project.ccc, "run", *words, "--", *FREELY],
        cwd=project.directory,
        env={**project.env, **QUICKLY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return Later(project, process)


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


def state(project: CccProject) -> dict[str, Any]:
    """The run in the session's state."""
    found: dict[str, Any] = Record(project).state["run"]
    return found


def heard(project: CccProject) -> list[str]:
    """What the agent was told, by its own transcript."""
    session = Record(project).state["session_id"]
    return transcripts.read(transcripts.find(str(project.claude_dir), session)).requests


@pytest.mark.tmux
class TestTerminal:
    def test_completed_and_resumed(self, bench: Bench, tmux: None) -> None:
        """000/Supervisor Phase → 结束（已完成）: the person goes on in the same session."""
        project = bench(*journey())
        line = ("--supervisor", "kimi", "-p", "write a.txt and b.txt", *FREELY)
        with project.interactive(*line) as terminal:
            terminal.wait_for("❯", 60)
            terminal.wait_for(DONE)
            terminal.enter("hello")
            wait_until(lambda: requests(project, said_last("hello")), "the person is heard")
            (request,) = [r for r in requests(project, said_last("hello")) if WORKING(r)]
            assert any("write a.txt" in text for text in request.said)

    def test_the_prompt_is_yours_again(self, bench: Bench, tmux: None) -> None:
        """At the end the next command of the shell runs, and the summary stays on the screen."""
        project = bench(*judged(YES))
        line = f"{project.ccc} run 'do it' && echo $((6 * 7)) pushed"
        with project.interactive("-c", line, program="bash") as terminal:
            shown = terminal.wait_for("42 pushed", 60)
        (session,) = sessions(project)
        told = "".join(shown.split())
        assert "".join(f"Open the session: ccc kimi --resume {session}".split()) in told

    def test_typed(self, bench: Bench, tmux: None) -> None:
        """000/捕获用户输入: what is typed goes to the agent, and into the review request."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(every(WORKING, said_last("and a pony")), answer("With a pony.")),
            Rule(WORKING, slow(answer(DONE), 6)),
        )
        with project.interactive("run", "do it") as terminal:
            wait_until(lambda: requests(project, WORKING), "the agent works")
            terminal.enter("and a pony")
            terminal.wait_for(r"\[exit 0\]", 60)
            assert "› and a pony" in terminal.screen(history=True)
        assert any("and a pony" in r.last_text for r in requests(project, WORKING))
        assert all("and a pony" in r.last_text for r in requests(project, ASKED))
        shown = project.run("show").succeeded().stdout
        assert shown.index("\ndo it\n") < shown.index("\n› and a pony\n") < shown.index("✓ Round 1")

    @pytest.mark.parametrize("verdict", [YES, NEED], ids=["completed", "needs user"])
    def test_typed_during_a_review(self, bench: Bench, tmux: None, verdict: str) -> None:
        """It is the next message where the run would end now, and is reviewed then."""
        project = bench(
            Rule(ASKED, [slow(answer(verdict), 5), answer(YES)], times=2),
            Rule(every(WORKING, said_last("and a pony")), answer("With a pony.")),
            Rule(WORKING, answer(DONE)),
        )
        with project.interactive("run", "do it") as terminal:
            wait_until(lambda: requests(project, ASKED), "the review")
            terminal.enter("and a pony")
            terminal.wait_for(r"\[exit 0\]", 60)
        assert requests(project, WORKING)[-1].last_text.strip() == "and a pony"
        assert "and a pony" not in requests(project, ASKED)[0].last_text
        assert "and a pony" in requests(project, ASKED)[1].last_text

    def test_the_live_line(self, bench: Bench, tmux: None) -> None:
        """Text as it comes, below it iteration, time and cost, and what is being typed."""
        said = " ".join(f"word{number} 第{number}个词" for number in range(60))
        project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(said), 8)))
        with project.interactive("run", "do it") as terminal:
            terminal.wait_for(r"word20 (?s:.*)agent at work · round 1/10 · 0:\d\d · ~?\$")
            assert "word59" not in terminal.screen()
            terminal.write("half a lime")
            terminal.press("BSpace")
            terminal.press("BSpace")
            terminal.write("ne")
            # three redrawings later it is still there
            time.sleep(3)
            terminal.wait_for(r"round 1/10 · 0:\d\d · ~?\$\S+ › half a line\n*$")
            terminal.wait_for(r"\[exit 0\]", 60)
            shown = terminal.screen(history=True)
        assert "".join(said.split()) in "".join(shown.split())
        assert shown.count("word30") == 1
        assert "agent at work" not in shown

    def test_the_countdown(self, bench: Bench, tmux: None) -> None:
        """A wait is shown second by second."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(WORKING, [*[rate_limited(5)] * 2, answer(DONE)], times=9),
        )
        project.env.update(QUICKLY)
        with project.interactive("run", "do it") as terminal:
            terminal.wait_for(r"Trying again in 0:0[56] \(1\)", 60)
            terminal.wait_for(r"next try in 0:03 · agent at work · round 1/10")
            terminal.wait_for(r"next try in 0:02 · agent at work · round 1/10")
            terminal.wait_for(r"\[exit 0\]", 60)

    def test_asks_for_the_task(self, bench: Bench, tmux: None) -> None:
        """Without a task it asks for one."""
        project = bench(*judged(YES))
        with project.interactive("run") as terminal:
            terminal.wait_for("Task:")
            terminal.enter("write a poem")
            terminal.wait_for(r"\[exit 0\]", 60)
        assert "write a poem" in requests(project, WORKING)[0].last_text

    def test_the_review_is_shown(self, bench: Bench, tmux: None) -> None:
        """Checks with their outcome, the reviewer's words and tools, the verdict without JSON."""
        look = bash("cat a.txt")
        project = bench(
            Rule(every(REVIEWING, tool_result()), answer(f"Not there.\n\n{no('write a.txt')}")),
            Rule(ASKED, [answer("I look.", look), answer(YES)], times=2),
            Rule(WORKING, answer(DONE), times=9),
        )
        with project.interactive("run", "--check", "sleep 2", "do it") as terminal:
            terminal.wait_for("check: sleep 2 · round 1/10", 60)
            terminal.wait_for(r"\[exit 0\]", 60)
            shown = terminal.screen(history=True)
        assert re.search(r"── round 1/10 ─+\n  check     ✓ sleep 2 · exit code 0 · 2\.\d s", shown)
        assert "  reviewer  I look.\n            ● Bash cat a.txt\n" in shown
        assert "            Not there.\n            ✗ not completed: write a.txt\n" in shown
        assert "  ccc       ✗ sent back with this feedback (" in shown
        assert '"completed"' not in shown

    def test_resized(self, bench: Bench, tmux: None) -> None:
        """A window that changes in the middle of a line loses none of it."""
        said = " ".join(f"word{number}" for number in range(120))
        project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(said), 10)))
        with project.interactive("run", "do it") as terminal:
            for at, width in ((15, 60), (40, 100), (60, 45), (80, 120)):
                terminal.wait_for(r"\s*".join(f"word{at}"))
                terminal.resize(width)
            terminal.wait_for(r"\[exit 0\]", 60)
            shown = terminal.screen(history=True)
        assert "".join(said.split()) in "".join(shown.split())

    def test_suspended(self, bench: Bench, tmux: None) -> None:
        """Ctrl-Z gives the terminal back to the shell; `fg` goes on, and is typed into again."""
        said = " ".join(f"word{number}" for number in range(120))
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(every(WORKING, said_last("and a pony")), answer("With a pony.")),
            Rule(WORKING, slow(answer(said), 12)),
        )
        shell = project.directory / "rc"
        shell.write_text("PS1='shell> '\n")
        with project.interactive("--rcfile", str(shell), "-i", program="bash") as terminal:
            terminal.wait_for("shell>")
            terminal.enter(f"{project.ccc} run 'do it'; echo code $?")
            terminal.wait_for("word20", 60)
            terminal.press("C-z")
            terminal.wait_for(r"Stopped(?s:.*)shell>")
            terminal.enter("echo $((40 + 2)) is shown")
            terminal.wait_for("42 is shown")
            terminal.enter("fg")
            terminal.wait_for("word50")
            terminal.enter("and a pony")
            shown = terminal.wait_for(r"completed: 1 round(?s:.*)shell>", 60)
        assert "".join(said.split())[-200:] in "".join(shown.replace("› and a pony", "").split())
        assert any("and a pony" in r.last_text for r in requests(project, WORKING))

    @pytest.mark.parametrize(
        ("env", "codes"),
        [({"TERM": "dumb"}, ()), ({"NO_COLOR": "1"}, ("[J",)), ({}, ("[J", "[2m"))],
    )
    def test_terminals(
        self, bench: Bench, tmux: None, env: dict[str, str], codes: tuple[str, ...]
    ) -> None:
        """A dumb terminal gets lines only, and one without colours none."""
        project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(DONE), 3)))
        words = f"{project.ccc} run 'do it'"
        with project.interactive("-qec", words, "typed.txt", program="script", env=env) as terminal:
            terminal.wait_for(r"\[exit 0\]", 60)
        sent = (project.directory / "typed.txt").read_text()
        assert DONE in sent
        assert {code for code in ("[J", "[2m") if f"\x1b{code}" in sent} == set(codes)

    def test_the_arguments_stay(self, bench: Bench, tmux: None) -> None:
        """The session that is opened at the end has what stood behind --."""
        project = bench(*judged(YES))
        more = ("--add-dir", str(project.home), "--model", "other-model")
        with project.interactive("run", "--open", "do it", "--", *FREELY, *more) as terminal:
            terminal.wait_for("❯", 60)
            wait_until(lambda: len(family(project.home, "--resume")) == 1, "one is left")
            # a child of claude's has its command line for a moment
            (line,) = set(family(project.home, "--resume").values())
        assert "--model other-model" in line
        assert f"--add-dir {project.home}" in line

    def test_the_terminal_is_left_as_it_was(self, bench: Bench, tmux: None) -> None:
        """After the end the shell echoes what is typed."""
        project = bench(*judged(YES))
        line = f"{project.ccc} run 'do it'; stty -a > stty.txt; cat"
        with project.interactive("-c", line, program="bash") as terminal:
            wait_until(lambda: (project.directory / "stty.txt").exists(), "the end", 60)
            terminal.enter("hello there")
        words = (project.directory / "stty.txt").read_text().replace(";", " ").split()
        assert {"echo", "icanon"} <= set(words)
