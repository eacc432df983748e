"""`ccc run` with the real client: the unattended loop and its exit codes."""

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

from harness import KEY, Bench
from harness.processes import family, nothing_runs
from harness.scripted import (
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

pytestmark = pytest.mark.real


class TestJourney:
    @pytest.mark.journey
    def test_a_false_done_and_then_a_pass(self, bench: Bench) -> None:
        """000/Agent Phase → Supervisor Phase: a stop is reviewed, with session and request.

        000/Supervisor Phase → Agent Phase（未完成）: the feedback is the next user message.
        000/检测 Agent 停止: the turn's result is the stop.
        000/解析 session_id: the fork and the next turn belong to the session in the stream.
        """
        project = bench(*journey())
        outcome = run(project, "--json", "write a.txt and b.txt")
        assert outcome.code == 0, outcome
        result = report(outcome)
        assert result["outcome"] == "completed"
        assert [v["completed"] for v in result["verdicts"]] == [False, True]
        assert (project.directory / "b.txt").read_text() == "b\n"
        reviews, turns = requests(project, ASKED), requests(project, WORKING)
        assert len(reviews) == 2
        assert sessions(project) == {result["session_id"]}
        assert turns[0].user_texts[-1].strip().endswith("write a.txt and b.txt")
        back = next(r for r in turns if FEEDBACK in r.last_text)
        assert reviews[0].number < back.number < reviews[1].number
        assert back.last_text.strip() == FEEDBACK
        assert "write a.txt and b.txt" in reviews[0].last_text
        nothing_runs(project.home)

    @pytest.mark.journey
    def test_the_cache_is_kept(self, bench: Bench) -> None:
        """Each turn and each review repeat the request before them."""
        project = bench(*journey())
        run(project, "write a.txt and b.txt").succeeded()
        turns, reviews = requests(project, WORKING), requests(project, ASKED)
        shares = [shared_prefix(a, b) for a, b in itertools.pairwise(turns)]
        assert shares == [1.0] * len(shares)
        for review in reviews:
            last = [t for t in turns if t.number < review.number][-1]
            assert shared_prefix(last, review) == 1.0

    def test_how_the_agent_is_started(self, bench: Bench) -> None:
        """000/启动 Agent pty: stdout is a pty, the output stream-json, one process for all turns.

        000/supervisor 循环启动: the run says that supervision is on, and where its logs are.
        """
        processes: list[tuple[int, str, str]] = []

        def look(request: Request) -> Reply:
            found = family(project.home, "--print").items()
            # the first is claude; another is a child that doesn't run its own program yet
            pid, line = min(each for each in found if "--fork-session" not in each[1])
            try:
                output = os.readlink(f"/proc/{pid}/fd/1")
            except OSError:  # without /proc this can't be checked
                output = "/dev/pts/"
            processes.append((pid, line, output))
            return answer(DONE)

        project = bench(Rule(REVIEWING, [answer(no(FEEDBACK)), answer(YES)]), Rule(WORKING, look))
        outcome = run(project, "--verbose", "do it").succeeded()
        (first, second) = processes
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
        """Text appears as it arrives, with a line per tool call and without control characters."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(every(WORKING, tool_result()), answer("All\x1b[31m red")),
            Rule(WORKING, answer("I begin.", bash("echo one;\necho two"))),
        )
        outcome = run(project, "do it").succeeded()
        match = re.search(r"agent +I begin\.\n +● Bash (.*\n)", outcome.stderr)
        assert match is not None, outcome
        assert match[1].startswith("echo one; echo two")
        assert re.search(r"^ +All red$", outcome.stderr, re.MULTILINE), outcome
        quiet = run(project, "--quiet", "do it").succeeded()
        completed, opened = quiet.stderr.splitlines()
        assert completed.startswith("[ccc] completed: 1 round, ")
        assert opened.startswith("Open the session: ccc kimi --resume ")

    @pytest.mark.key_in("home/.claude/projects/*")
    def test_a_key_that_the_agent_says(self, bench: Bench) -> None:
        """A key in the agent's words is hidden even in pieces, and the line is shown once."""
        project = bench(
            Rule(REVIEWING, answer(YES)), Rule(WORKING, answer(f"I used {KEY} for it, yes"))
        )
        outcome = run(project, "do it").succeeded()
        assert outcome.stderr.count("for it, yes") == 1
        assert KEY not in outcome.stderr
        record = Record(project).file("agent.jsonl").read_text()
        pieces = re.findall(r'"type": ?"text_delta", ?"text": ?"([^"]*)"', record)
        assert KEY not in "".join(pieces)

    def test_the_session_that_is_named_is_supervised(self, bench: Bench) -> None:
        """The command in the summary opens the session with its provider and its supervision."""
        project = bench(*judged(YES, YES))
        result = report(run(project, "--json", "do it"))
        ccc, *words = result["resume"].split()
        assert ccc == "ccc"
        outcome = project.run(*words, "-p", "and more", *FREELY)
        assert outcome.succeeded().stdout == f"{DONE}\n"
        first, second = requests(project, ASKED)
        assert "and more" not in first.last_text
        assert "and more" in second.last_text

    def test_feedback_is_no_request_of_the_user(self, bench: Bench) -> None:
        """After a finished run is resumed, its feedback isn't a request of the user."""
        project = bench(*journey(), Rule(ASKED, answer(YES)))
        result = report(run(project, "--json", "write a.txt and b.txt"))
        words = result["resume"].split()[1:]
        project.run(*words, *FREELY, "-p", "and now hello").succeeded()
        output = project.run("show").succeeded().stdout
        assert "\n\nand now hello\n\n" in output
        assert f"› {FEEDBACK}" not in output
        assert output.count("write a.txt and b.txt") == 1
        request_section = section(requests(project, ASKED)[-1], "What the user asked for")
        assert ("and now hello" in request_section, FEEDBACK in request_section) == (True, False)

    def test_supervisor_with_print(self, bench: Bench) -> None:
        """`ccc --supervisor kimi -p task` runs the same loop."""
        project = bench(*journey())
        outcome = project.run(
            "--supervisor", "kimi", "-p", "write a.txt and b.txt", *FREELY, env=QUICKLY
        )
        assert outcome.succeeded().stdout == f"{DONE}\n"
        assert len(requests(project, ASKED)) == 2

    def test_the_task_from_stdin_and_from_a_file(self, bench: Bench) -> None:
        """Without arguments, the task comes from stdin or from --file."""
        project = bench(*judged(YES, YES))
        project.run("run", stdin="task of stdin\n", env=QUICKLY).succeeded()
        (project.directory / "task.md").write_text("task of a file\n")
        run(project, "--file", "task.md").succeeded()
        prompts = [r.last_text for r in requests(project, WORKING)]
        assert "task of stdin" in prompts[0]
        assert "task of a file" in prompts[1]

    @pytest.mark.journey
    def test_json(self, bench: Bench) -> None:
        """`--json` prints one object of this shape, and nothing else on stdout."""
        project = bench(*judged(no("a"), YES))
        result = report(run(project, "--json", "--check", "true", "do it").succeeded())
        assert list(result) == [
            *("outcome", "detail", "exit_code", "api_status", "limit_ends", "session_id"),
            *("rounds", "iterations", "resume"),
            *("result", "denied", "verdicts", "receipts", "cost_usd", "cost_source"),
            *("tokens", "seconds", "logs"),
        ]
        assert (result["outcome"], result["exit_code"], result["rounds"]) == ("completed", 0, 2)
        assert result["result"] == DONE
        assert [v["feedback"] for v in result["verdicts"]] == ["a", ""]
        assert [(r["command"], r["exit_code"]) for r in result["receipts"]] == [("true", 0)]
        cost, tokens = result["cost_usd"], result["tokens"]
        assert cost["agent"] > 0
        assert cost["reviews"] > 0
        assert cost["total"] == pytest.approx(cost["agent"] + cost["reviews"])
        for who in ("agent", "reviews"):
            assert set(tokens[who]) == {"input", "cache_read", "cache_creation", "output"}
            assert tokens[who]["cache_read"] > 0
        assert all(os.path.exists(path) for path in result["logs"].values())


class TestExitCodes:
    def test_bad_input(self, bench: Bench) -> None:
        """1: an unknown option, a bad number, no task or an unknown provider starts no claude."""
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
        """20: the limit of rounds is reached."""
        project = bench(*judged(no("one"), no("two")))
        outcome = run(project, "--max-iterations", "2", "do it")
        assert outcome.code == 20, outcome
        assert len(requests(project, ASKED)) == 2

    @pytest.mark.parametrize(("code", "end"), [(0, "your checks pass"), (3, "your checks fail: ")])
    def test_checked_at_the_limit(self, bench: Bench, code: int, end: str) -> None:
        """20: the last work is checked, reported and recorded without another review."""
        project = bench(*judged(no("one")))
        check = f"test ! -f seen || exit {code}; touch seen"
        outcome = run(project, "--max-iterations", "1", "--check", check, "do it")
        assert outcome.code == 20, outcome
        assert f"limit of 1 round reached; {end}" in outcome.stderr
        assert len(requests(project, ASKED)) == 1
        record = json.loads(project.run("show", "--json").succeeded().stdout)
        *_, last = record["rounds"]
        assert (last["outcome"], last["receipts"][0]["exit_code"]) == ("iterations", code)

    def test_stuck(self, bench: Bench) -> None:
        """21: the feedback is the same again and nothing changed."""
        project = bench(*judged(no("the same"), no("the same")))
        outcome = run(project, "do it")
        assert outcome.code == 21, outcome

    def test_a_check_that_fails(self, bench: Bench) -> None:
        """21: a check fails twice, and there is no review."""
        project = bench(*judged())
        outcome = run(project, "--check", "echo broken; false", "do it")
        assert outcome.code == 21, outcome
        assert requests(project, REVIEWING) == []
        assert "broken" in requests(project, WORKING)[1].last_text

    def test_cost(self, bench: Bench) -> None:
        """22: agent and reviews together exceed the budget."""
        project = bench(*judged(no("one")))
        outcome = run(project, "--max-cost-usd", "0.000001", "--json", "do it")
        assert (outcome.code, report(outcome)["outcome"]) == (22, "cost"), outcome
        assert requests(project, REVIEWING) == []

    def test_cost_within_a_turn(self, bench: Bench) -> None:
        """22: a turn that never ends is stopped when the budget is spent."""
        project = bench(Rule(WORKING, answer("More.", bash("echo more")), times=99))
        outcome = run(project, "--max-cost-usd", "0.02", "--json", "do it")
        assert (outcome.code, report(outcome)["outcome"]) == (22, "cost"), outcome
        assert 1 < len(requests(project, WORKING)) < 20
        assert report(outcome)["cost_usd"]["agent"] >= 0.02

    def test_checked_when_the_money_is_spent(self, bench: Bench) -> None:
        """22: the checks run on the agent's last work."""
        project = bench(Rule(WORKING, answer("More.", bash("echo more > more")), times=99))
        check = "test -f more && false"
        outcome = run(project, "--max-cost-usd", "0.06", "--check", check, "do it")
        assert outcome.code == 22, outcome
        assert "; your checks fail: test -f more && false" in outcome.stderr
        assert requests(project, REVIEWING) == []

    def test_cost_of_reviews(self, bench: Bench) -> None:
        """22: the cost of the reviews reduces the agent's budget."""
        more = answer("More.", bash("echo more"))
        project = bench(
            Rule(ASKED, answer(no(FEEDBACK))),
            Rule(every(WORKING, said_last(FEEDBACK)), more, times=99),
            Rule(every(WORKING, tool_result()), more, times=99),
            Rule(WORKING, answer(DONE), times=1),
        )
        outcome = run(project, "--max-cost-usd", "0.03", "--json", "do it")
        assert outcome.code == 22, outcome
        result = report(outcome)
        assert result["cost_usd"]["reviews"] > 0.004
        # after the request that exceeds it
        assert 0.03 <= result["cost_usd"]["total"] < 0.033
        assert sessions(project) == {result["session_id"]}

    def test_minutes(self, bench: Bench) -> None:
        """22: a turn that takes too long is stopped, and no process is left."""
        project = bench(Rule(WORKING, endless("and on ")))
        outcome = run(project, "--max-minutes", "0.05", "--json", "do it")
        assert (outcome.code, report(outcome)["outcome"]) == (22, "minutes"), outcome
        nothing_runs(project.home)

    def test_needs_user(self, bench: Bench) -> None:
        """23: the run needs the user's input; `--continue` with an answer works."""
        project = bench(*judged(NEED, YES))
        outcome = run(project, "do it")
        assert outcome.code == 23, outcome
        assert "which colour?" in outcome.stderr
        run(project, "--continue", "blue").succeeded()
        assert "blue" in requests(project, WORKING)[-1].last_text
        assert "blue" in requests(project, ASKED)[-1].last_text

    def test_plan(self, bench: Bench) -> None:
        """23: in plan mode the plan waits for the user, without a review."""
        project = bench(*judged())
        outcome = project.run("run", "do it", "--", "--permission-mode", "plan", env=QUICKLY)
        assert outcome.code == 23, outcome
        assert requests(project, REVIEWING) == []

    def test_not_judged(self, bench: Bench) -> None:
        """24: the review failed, which says nothing about the work."""
        project = bench(Rule(REVIEWING, unauthorized()), Rule(WORKING, answer(DONE)))
        outcome = run(project, "do it")
        assert outcome.code == 24, outcome

    @pytest.mark.journey
    def test_agent_failed(self, bench: Bench) -> None:
        """25: the agent has an error that waiting can't fix."""
        project = bench(Rule(WORKING, unauthorized()))
        outcome = run(project, "do it")
        assert outcome.code == 25, outcome
        cause, remedy, *_ = outcome.stderr[outcome.stderr.rindex("[ccc] ") :].splitlines()
        assert cause == "[ccc] The provider kimi does not accept the key."
        assert remedy == "Test the key: ccc validate kimi"
        assert "Log:" not in outcome.stderr
        assert len(requests(project, WORKING)) <= 2

    def test_agent_can_not_start(self, bench: Bench) -> None:
        """25: a claude that exits at once is started four times, and its output is shown."""
        project = bench(*judged())
        outcome = project.run("run", "do it", "--", "--no-such-option")
        assert outcome.code == 25, outcome
        assert "no-such-option" in outcome.stderr
