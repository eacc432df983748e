"""`ccc run` on a terminal: the live line, typed lines, and the session that opens."""

import re
import time

import pytest
from runs import NEED, QUICKLY
from supervised import (
    ASKED,
    DONE,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    bash,
    journey,
    judged,
    no,
    requests,
    sessions,
)

from harness import Bench
from harness.processes import family, wait_until
from harness.scripted import (
    Rule,
    answer,
    every,
    rate_limited,
    said_last,
    slow,
    tool_result,
)

pytestmark = pytest.mark.real


@pytest.mark.tmux
class TestTerminal:
    def test_completed_and_resumed(self, bench: Bench, tmux: None) -> None:
        """000/Supervisor Phase → 结束（已完成）: the user continues in the same session."""
        project = bench(*journey())
        line = ("--supervisor", "kimi", "-p", "write a.txt and b.txt", *FREELY)
        with project.interactive(*line) as terminal:
            terminal.wait_for("❯", 60)
            terminal.wait_for(DONE)
            terminal.enter("hello")
            wait_until(lambda: requests(project, said_last("hello")), "the user's prompt")
            (request,) = [r for r in requests(project, said_last("hello")) if WORKING(r)]
            assert any("write a.txt" in text for text in request.user_texts)

    def test_the_prompt_is_yours_again(self, bench: Bench, tmux: None) -> None:
        """At the end the shell runs its next command, and the summary stays on the screen."""
        project = bench(*judged(YES))
        line = f"{project.ccc} run 'do it' && echo $((6 * 7)) pushed"
        with project.interactive("-c", line, program="bash") as terminal:
            screen = terminal.wait_for("42 pushed", 60)
        (session,) = sessions(project)
        text = "".join(screen.split())
        assert "".join(f"Open the session: ccc kimi --resume {session}".split()) in text

    def test_typed(self, bench: Bench, tmux: None) -> None:
        """000/捕获用户输入: typed lines go to the agent and into the review request."""
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
        output = project.run("show").succeeded().stdout
        assert (
            output.index("\ndo it\n") < output.index("\n› and a pony\n") < output.index("✓ Round 1")
        )

    @pytest.mark.parametrize("verdict", [YES, NEED], ids=["completed", "needs user"])
    def test_typed_during_a_review(self, bench: Bench, tmux: None, verdict: str) -> None:
        """A line typed during a review becomes the next message, and is reviewed then."""
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
        """Text appears as it arrives, above a line with round, time, cost and the typed text."""
        text = " ".join(f"word{number} 第{number}个词" for number in range(60))
        project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(text), 8)))
        with project.interactive("run", "do it") as terminal:
            terminal.wait_for(r"word20 (?s:.*)agent at work · round 1/10 · 0:\d\d · ~?\$")
            assert "word59" not in terminal.screen()
            terminal.write("half a lime")
            terminal.press("BSpace")
            terminal.press("BSpace")
            terminal.write("ne")
            # it is still there after three redraws
            time.sleep(3)
            terminal.wait_for(r"round 1/10 · 0:\d\d · ~?\$\S+ › half a line\n*$")
            terminal.wait_for(r"\[exit 0\]", 60)
            screen = terminal.screen(history=True)
        assert "".join(text.split()) in "".join(screen.split())
        assert screen.count("word30") == 1
        assert "agent at work" not in screen

    def test_the_countdown(self, bench: Bench, tmux: None) -> None:
        """A countdown shows each second of a wait."""
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(WORKING, [*[rate_limited(5)] * 2, answer(DONE)], times=9),
        )
        project.env.update(QUICKLY)
        with project.interactive("run", "do it") as terminal:
            terminal.wait_for(r"Trying again in 0:0[5-9] \(the provider's time; attempt 1\)", 60)
            terminal.wait_for(r"next try in 0:03 · agent at work · round 1/10")
            terminal.wait_for(r"next try in 0:02 · agent at work · round 1/10")
            terminal.wait_for(r"\[exit 0\]", 60)

    def test_asks_for_the_task(self, bench: Bench, tmux: None) -> None:
        """Without a task, `ccc run` asks for one."""
        project = bench(*judged(YES))
        with project.interactive("run") as terminal:
            terminal.wait_for("Task:")
            terminal.enter("write a poem")
            terminal.wait_for(r"\[exit 0\]", 60)
        assert "write a poem" in requests(project, WORKING)[0].last_text

    def test_the_review_is_shown(self, bench: Bench, tmux: None) -> None:
        """The screen shows checks, the reviewer's words and tools, and the verdict without JSON."""
        look = bash("cat a.txt")
        project = bench(
            Rule(every(REVIEWING, tool_result()), answer(f"Not there.\n\n{no('write a.txt')}")),
            Rule(ASKED, [answer("I look.", look), answer(YES)], times=2),
            Rule(WORKING, answer(DONE), times=9),
        )
        with project.interactive("run", "--check", "sleep 2", "do it") as terminal:
            terminal.wait_for("check: sleep 2 · round 1/10", 60)
            terminal.wait_for(r"\[exit 0\]", 60)
            screen = terminal.screen(history=True)
        assert re.search(r"── round 1/10 ─+\n  check     ✓ sleep 2 · exit code 0 · 2\.\d s", screen)
        assert "  reviewer  I look.\n            ● Bash cat a.txt\n" in screen
        assert "            Not there.\n            ✗ not completed: write a.txt\n" in screen
        assert "  ccc       ✗ sent back with this feedback (" in screen
        assert '"completed"' not in screen

    def test_resized(self, bench: Bench, tmux: None) -> None:
        """Resizing the window in the middle of a line loses no text."""
        text = " ".join(f"word{number}" for number in range(120))
        project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(text), 10)))
        with project.interactive("run", "do it") as terminal:
            for at, width in ((15, 60), (40, 100), (60, 45), (80, 120)):
                terminal.wait_for(r"\s*".join(f"word{at}"))
                terminal.resize(width)
            terminal.wait_for(r"\[exit 0\]", 60)
            screen = terminal.screen(history=True)
        assert "".join(text.split()) in "".join(screen.split())

    def test_suspended(self, bench: Bench, tmux: None) -> None:
        """Ctrl-Z returns to the shell; after `fg` the run continues and accepts typed lines."""
        text = " ".join(f"word{number}" for number in range(120))
        project = bench(
            Rule(REVIEWING, answer(YES)),
            Rule(every(WORKING, said_last("and a pony")), answer("With a pony.")),
            Rule(WORKING, slow(answer(text), 12)),
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
            screen = terminal.wait_for(r"completed: 1 round(?s:.*)shell>", 60)
        assert "".join(text.split())[-200:] in "".join(screen.replace("› and a pony", "").split())
        assert any("and a pony" in r.last_text for r in requests(project, WORKING))

    @pytest.mark.parametrize(
        ("env", "codes"),
        [({"TERM": "dumb"}, ()), ({"NO_COLOR": "1"}, ("[J",)), ({}, ("[J", "[2m"))],
    )
    def test_terminals(
        self, bench: Bench, tmux: None, env: dict[str, str], codes: tuple[str, ...]
    ) -> None:
        """A dumb terminal gets plain lines, and NO_COLOR removes colours."""
        project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(DONE), 3)))
        words = f"{project.ccc} run 'do it'"
        with project.interactive("-qec", words, "typed.txt", program="script", env=env) as terminal:
            terminal.wait_for(r"\[exit 0\]", 60)
        sent = (project.directory / "typed.txt").read_text()
        assert DONE in sent
        assert {code for code in ("[J", "[2m") if f"\x1b{code}" in sent} == set(codes)

    def test_the_arguments_stay(self, bench: Bench, tmux: None) -> None:
        """The session that opens at the end has the arguments after --."""
        project = bench(*judged(YES))
        more = ("--add-dir", str(project.home), "--model", "other-model")
        with project.interactive("run", "--open", "do it", "--", *FREELY, *more) as terminal:
            terminal.wait_for("❯", 60)
            wait_until(lambda: len(family(project.home, "--resume")) == 1, "one is left")
            # a child of claude has claude's command line for a moment
            (line,) = set(family(project.home, "--resume").values())
        assert "--model other-model" in line
        assert f"--add-dir {project.home}" in line

    def test_the_terminal_is_left_as_it_was(self, bench: Bench, tmux: None) -> None:
        """After the run, the shell echoes typed text."""
        project = bench(*judged(YES))
        line = f"{project.ccc} run 'do it'; stty -a > stty.txt; cat"
        with project.interactive("-c", line, program="bash") as terminal:
            wait_until(lambda: (project.directory / "stty.txt").exists(), "the end", 60)
            terminal.enter("hello there")
        words = (project.directory / "stty.txt").read_text().replace(";", " ").split()
        assert {"echo", "icanon"} <= set(words)
