"""Facts of claude: when a command file in ~/.claude/commands runs its command."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from facts import MANAGED, claude, provider

from ccc.claude.formats import slash
from harness import Bench, CccProject, claude_binary

pytestmark = pytest.mark.real

SEPARATE = """---
description: Try
allowed-tools: Bash(PROGRAM run:*)
---
!`PROGRAM run on`

$ARGUMENTS
"""
JOINED = "---\ndescription: Try\n---\n$ARGUMENTS!`PROGRAM run on`\n"
_PROGRAM = """#!{python} -I
import sys
with open({record!r}, "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
sys.stdout.write("on stdout\\n")
sys.stdout.flush()
sys.stderr.write("on stderr\\n")
sys.exit({code})
"""


class Program:
    """A program that a slash command may run."""

    def __init__(self, project: CccProject, directory: str = "tools", code: int = 0) -> None:
        self._record = project.root / "program.txt"
        self.path = project.root / directory / "ccc"
        self.path.parent.mkdir()
        text = _PROGRAM.format(python=sys.executable, record=str(self._record), code=code)
        self.path.write_text(text)
        self.path.chmod(0o755)

    @property
    def runs(self) -> Sequence[str]:
        """Return the arguments of each run."""
        return self._record.read_text().splitlines() if self._record.exists() else []


def command_file(project: CccProject, form: str, program: Path | str) -> None:
    """Write the slash command /try."""
    project.write(".claude/commands/try.md", form.replace("PROGRAM", str(program)))


def test_fact_allowed_command_on_its_own_line_runs(bench: Bench) -> None:
    """With allowed-tools, a command on its own line runs once."""
    project = bench()
    program = Program(project)
    command_file(project, SEPARATE, program.path)
    claude(project, "-p", "/try").succeeded()
    assert program.runs == ["run on"]


def test_fact_slash_command_passes_arguments_and_output_to_the_prompt(bench: Bench) -> None:
    """The prompt is the command's output, including stderr, then the arguments."""
    project = bench()
    program = Program(project)
    command_file(project, SEPARATE, program.path)
    claude(project, "-p", "/try write a story").succeeded()
    (request,) = project.model.requests
    assert request.user_texts[-1].split("\n") == ["on stdout", "on stderr", "", "write a story", ""]


def test_fact_silent_slash_command_says_so_in_the_prompt(bench: Bench) -> None:
    """A command without output leaves a note in the prompt."""
    project = bench()
    command_file(project, SEPARATE, "true")
    claude(project, "-p", "/try write a story").succeeded()
    (request,) = project.model.requests
    assert request.user_texts[-1] == "(Bash completed with no output)\n\nwrite a story\n"


@pytest.mark.parametrize("name", slash.NAMES)
def test_fact_the_slash_commands_of_ccc_run(bench: Bench, name: str) -> None:
    """The command files that ccc writes run their commands."""
    project = bench()
    program = Program(project)
    project.write(f".claude/commands/{name}.md", slash.text(name, str(program.path)))
    claude(project, "-p", f"/{name} write a story").succeeded()
    assert program.runs == [f"supervisor-mode {slash.NAMES[name]} --this-session"]
    (request,) = project.model.requests
    assert request.user_texts[-1].endswith("write a story\n")


def test_fact_command_glued_to_the_arguments_is_plain_text(bench: Bench) -> None:
    """`$ARGUMENTS!`…`` with arguments runs nothing; the model gets it literally."""
    project = bench()
    program = Program(project)
    command_file(project, JOINED, program.path)
    claude(project, "-p", "/try write a story").succeeded()
    assert program.runs == []
    (request,) = project.model.requests
    assert request.user_texts[-1].strip() == f"write a story!`{program.path} run on`"


@pytest.mark.parametrize("form", [JOINED, SEPARATE.replace("allowed-tools", "other")])
def test_fact_command_that_is_not_allowed_is_refused(bench: Bench, form: str) -> None:
    """Without allowed-tools, a command requires approval and doesn't run."""
    project = bench()
    program = Program(project)
    command_file(project, form, program.path)
    outcome = claude(project, "-p", "/try")
    assert "This command requires approval" in outcome.stdout, outcome
    assert program.runs == []
    assert project.model.requests == []


def test_fact_failing_command_aborts_the_slash_command(bench: Bench) -> None:
    """After a non-zero exit, the output is shown and no request is sent."""
    project = bench()
    program = Program(project, code=3)
    command_file(project, SEPARATE, program.path)
    outcome = claude(project, "-p", "/try write a story")
    assert "Shell command failed" in outcome.stdout, outcome
    assert "on stdout\non stderr" in outcome.stdout
    assert program.runs == ["run on"]
    assert project.model.requests == []


def test_fact_path_with_a_space_works_quoted_in_both_places(bench: Bench) -> None:
    """A path with a space works with double quotes in both allowed-tools and the command."""
    project = bench()
    program = Program(project, "my tools")
    command_file(project, SEPARATE, f'"{program.path}"')
    claude(project, "-p", "/try").succeeded()
    assert program.runs == ["run on"]


def test_fact_path_with_a_space_fails_quoted_in_one_place(bench: Bench) -> None:
    """Quotes around the command alone don't match an unquoted rule."""
    project = bench()
    program = Program(project, "my tools")
    command_file(project, SEPARATE.replace("`PROGRAM", '`"PROGRAM"'), program.path)
    outcome = claude(project, "-p", "/try")
    assert "This command requires approval" in outcome.stdout, outcome
    assert program.runs == []


@pytest.mark.tmux
def test_fact_slash_command_runs_in_the_terminal(bench: Bench, tmux: None) -> None:
    """In a terminal, the same file runs, and its output and arguments reach the model."""
    project = bench()
    program = Program(project)
    command_file(project, SEPARATE, program.path)
    with project.interactive(
        env={**provider(project), "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": "1"},
        program=str(claude_binary()),
    ) as terminal:
        terminal.wait_for("❯")
        terminal.enter("/try write a story")
        terminal.wait_for("Hello from the script")
    assert program.runs == ["run on"]
    (request,) = (r for r in project.model.requests if r.tools)
    assert "on stdout\non stderr\n\nwrite a story" in request.user_texts[-1]


# --- hooks for a typed command -----------------------------------------------------------

_ANSWER = """#!{python} -I
import sys
with open({record!r}, "a") as file:
    file.write(sys.stdin.read().strip() + "\\n")
print({answer!r})
"""
STOPPED = {"continue": False, "stopReason": "It is on."}
SAYS = {"systemMessage": "It is on."}


def expansion_hook(
    project: CccProject, answer: dict[str, object], event: str = "UserPromptExpansion"
) -> Path:
    """Add a hook for /try with this answer, and return the path of its recorded input."""
    record, hook = project.root / "events.txt", project.root / "hook"
    text = _ANSWER.format(python=sys.executable, record=str(record), answer=json.dumps(answer))
    hook.write_text(text)
    hook.chmod(0o755)
    group = {"matcher": "try", "hooks": [{"type": "command", "command": str(hook)}]}
    project.write(".claude/settings.json", json.dumps({"hooks": {event: [group]}}))
    return record


def test_fact_expansion_hook_gets_name_and_arguments(bench: Bench) -> None:
    """The hook runs only for the command that its matcher names, with name and arguments."""
    project = bench()
    record = expansion_hook(project, SAYS)
    command_file(project, "---\ndescription: x\n---\n$ARGUMENTS\n", "")
    project.write(".claude/commands/tryoff.md", "---\ndescription: x\n---\nhello\n")
    claude(project, "-p", "/tryoff").succeeded()
    assert not record.exists()
    claude(project, "-p", "/try write a story").succeeded()
    (event,) = map(json.loads, record.read_text().splitlines())
    assert (event["command_name"], event["command_args"]) == ("try", "write a story")
    assert event["command_source"] == "userSettings"


def test_fact_expansion_hook_can_end_the_prompt(bench: Bench) -> None:
    """With `continue: false`, neither the command nor the model runs; the reason is shown."""
    project = bench()
    program = Program(project)
    expansion_hook(project, STOPPED)
    command_file(project, SEPARATE, program.path)
    outcome = claude(project, "-p", "/try").succeeded()
    assert outcome.stdout == "Operation stopped by hook: It is on.\n"
    assert program.runs == []
    assert project.model.requests == []


@pytest.mark.tmux
def test_fact_expansion_hook_is_seen_in_the_terminal(bench: Bench, tmux: None) -> None:
    """The hook's systemMessage is shown below the command, and the prompt continues."""
    project = bench()
    expansion_hook(project, SAYS)
    command_file(project, SEPARATE, "true")
    env = {**provider(project), **MANAGED}
    with project.interactive(env=env, program=str(claude_binary())) as terminal:
        terminal.wait_for("❯")
        terminal.enter("/try write a story")
        terminal.wait_for(r"UserPromptExpansion says: It is on\.[\s\S]*Hello from the script")


def test_fact_unknown_hook_event_is_passed_over(bench: Bench) -> None:
    """An unknown event is ignored, and the rest of the file applies."""
    project = bench()
    expansion_hook(project, SAYS, event="NoSuchEvent")
    outcome = claude(project, "-p", "hi").succeeded()
    assert "Hello from the script" in outcome.stdout


def test_fact_command_hidden_from_the_model_runs_when_typed(bench: Bench) -> None:
    """`disable-model-invocation` hides a command from the model; it still runs when typed."""
    project = bench()
    program = Program(project)
    visible = SEPARATE.replace("description: Try", "description: Try-this-marvel")
    command_file(project, visible, program.path)
    claude(project, "-p", "hi").succeeded()
    assert any("Try-this-marvel" in json.dumps(r.body) for r in project.model.requests)
    count = len(project.model.requests)
    hidden = visible.replace("allowed-tools", "disable-model-invocation: true\nallowed-tools")
    command_file(project, hidden, program.path)
    claude(project, "-p", "/try write a story").succeeded()
    assert program.runs == ["run on"]
    later = project.model.requests[count:]
    assert later
    assert not any("Try-this-marvel" in json.dumps(r.body) for r in later)
