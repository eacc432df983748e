"""`ccc run` on the real client: the loop without a person, and its exit codes."""

import itertools
import json
import os
import re

import pytest
from runs import NEED, QUICKLY, report, run
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

from ccc.scripted import (
    Reply,
    Request,
    Rule,
    answer,
    endless,
    every,
    said_last,
    shared_prefix,
    tool_result,
    unauthorized,
)
from harness import KEY, Bench
from harness.processes import family, nothing_runs

pytestmark = pytest.mark.real


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
