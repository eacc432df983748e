"""The screen of `ccc run` with the real client: speakers, widths, languages, waiting."""

import itertools
import re

import pytest
from supervised import DONE, FREELY, REVIEWING, WORKING, YES, bash, no

from ccc.system import terminal as cells
from harness import Bench, CccProject, check_golden
from harness.scripted import Reply, Request, Rule, answer, rate_limited, slow, tool

pytestmark = pytest.mark.real

WORDS = {
    "en": "I'll read the greeting first, since the task says that it has to be friendlier than "
    "it is now, and then I'll change it.",
    "zh": "我先看看 greeting.txt 里的问候语，因为任务说它应该比现在更友好一些，然后再修改它，"
    "最后运行一次检查，确认一切正常。",
}
LOOKS = {"en": "Is the name in it? I'll look.", "zh": "里面有名字吗？我来看看。"}
FEEDBACK = {"en": "The greeting lacks the name.", "zh": "问候语里没有名字。"}
CHECK = "grep -c there greeting.txt"
REPLACED = {
    r"\d+\.\d (s|秒)": r"N \1",
    r"~?\$\d\.\d{4}": "$N",
    r"\d+%": "N%",
    r"session [0-9a-f-]{36}": "session ID",
}


def story(language: str) -> tuple[list[Rule], list[CccProject]]:
    """Return an agent that check and reviewer send back; the caller appends the project."""
    projects: list[CccProject] = []

    def edit(old: str, new: str) -> Reply:
        file = str(projects[0].directory / "greeting.txt")
        return answer(tool("Edit", file_path=file, old_string=old, new_string=new))

    def agent(request: Request) -> Reply:
        prompt, step = request.turn
        read = tool("Read", file_path=str(projects[0].directory / "greeting.txt"))
        if FEEDBACK[language] in prompt:
            return answer(DONE) if step else edit("there", "there, Ada")
        if "grep" in prompt:
            steps = (bash("cat nowhere.txt"), bash("echo there >> greeting.txt"))
            return answer(steps[step]) if step < len(steps) else answer(DONE)
        return (answer(WORDS[language], read), edit("Hi", "Hello"), answer(DONE))[min(step, 2)]

    def reviewer(request: Request) -> Reply:
        _, step = request.turn
        if not step:
            return answer(LOOKS[language], bash("cat greeting.txt"))
        output = request.last_tool_result or ""
        return answer(YES if "Ada" in output else no(FEEDBACK[language]))

    return [Rule(REVIEWING, reviewer), Rule(WORKING, agent)], projects


def body(screen: str) -> str:
    """Return the screen between the announcement and the end."""
    lines = screen.splitlines()
    begin = next(at for at, line in enumerate(lines) if re.match("  [aA]gent   ", line))
    end = next(at for at, line in enumerate(lines) if line.startswith("[ccc]"))
    return "\n".join(lines[begin:end])


@pytest.mark.tmux
@pytest.mark.parametrize(("language", "width"), [*itertools.product(("en", "zh"), (80, 120))])
def test_the_screen(bench: Bench, tmux: None, language: str, width: int) -> None:
    """Agent, check and reviewer are named, edits are diffs, and words aren't split."""
    rules, projects = story(language)
    project = bench(*rules)
    projects.append(project)
    (project.directory / "greeting.txt").write_text("Hi\n")
    project.env["CCC_LANG"] = language
    line = ("run", "--check", CHECK, "a friendlier greeting", "--", *FREELY)
    with project.interactive(*line, width=width) as terminal:
        terminal.wait_for(r"\[exit 0\]", 60)
        screen = terminal.screen(history=True)
    assert all(cells.width(each) <= width for each in screen.splitlines())
    check_golden(f"run-screen.{language}.{width}.txt", body(screen), REPLACED)


@pytest.mark.tmux
def test_words_stay_whole_as_they_come(bench: Bench, tmux: None) -> None:
    """The agent's words appear while it speaks, and no word is split between two lines."""
    text = " ".join(f"word{number}" for number in range(80))
    project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, slow(answer(text), 6)))
    with project.interactive("run", "do it", width=80) as terminal:
        terminal.wait_for("word20")
        assert "word79" not in terminal.screen()
        terminal.wait_for(r"\[exit 0\]", 60)
        lines = body(terminal.screen(history=True)).splitlines()
    words = [word for each in lines for word in each.split() if word.startswith("w")]
    assert words == text.split()
    assert max(map(len, lines)) > 70


@pytest.mark.tmux
def test_what_claude_waits_for(bench: Bench, tmux: None) -> None:
    """While claude retries after a 429, the live line counts down."""
    project = bench(
        Rule(REVIEWING, answer(YES)),
        Rule(WORKING, [rate_limited(6), rate_limited(4), slow(answer(DONE), 4)]),
    )
    with project.interactive("run", "do it", width=80) as terminal:
        for seconds in (5, 4, 3):
            message = rf"^rate limited \(429\): next try in {seconds} s \(attempt 1 of 10\)"
            terminal.wait_for(rf"(?m){message} · round 1/10", 60)
        terminal.wait_for(r"(?m)^rate limited \(429\): next try in \d s \(attempt 2 of 10\)", 60)
        terminal.wait_for(r"(?m)^agent at work · round 1/10", 60)
        terminal.wait_for(r"\[exit 0\]", 60)
        assert "rate limited" not in terminal.screen(history=True)


def test_not_a_terminal(bench: Bench) -> None:
    """In a pipe, the same words are in plain lines of any length."""
    rules, projects = story("en")
    project = bench(*rules)
    projects.append(project)
    (project.directory / "greeting.txt").write_text("Hi\n")
    outcome = project.run("run", "--check", CHECK, "a friendlier greeting", "--", *FREELY)
    stderr = outcome.succeeded().stderr
    assert "\x1b" not in stderr
    assert f"  agent     {WORDS['en']}\n            ● Read greeting.txt\n" in stderr
    assert f"  reviewer  {LOOKS['en']}\n            ● Bash cat greeting.txt\n" in stderr
