"""The command line to execute, as a value."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from ccc.claude.formats.arguments import read
from ccc.claude.formats.command_line import Claude, Plan

OURS = ("--settings", "/s.json")
NEW = ("--session-id", "id")


def claude(settings_file: str, env: Mapping[str, str] = MappingProxyType({})) -> Claude:
    """Return a claude to start."""
    return Claude(program="/bin/claude", env=dict(env), cwd="/project", settings_file=settings_file)


@pytest.mark.parametrize(
    ("line", "new_session", "argv"),
    [
        ([], "id", (*OURS, *NEW)),
        (["-p", "hi there"], "id", (*OURS, *NEW, "-p", "hi there")),
        (["/path", "--help"], "id", (*OURS, *NEW, "/path", "--help")),
        # an inherited id may already be in use
        (["hi"], "", (*OURS, "hi")),
        # the user's session is respected
        (["--resume"], "id", (*OURS, "--resume")),
        (["-r", "x"], "id", (*OURS, "-r", "x")),
        (["-pc", "go on"], "id", (*OURS, "-pc", "go on")),
        (["--session-id", "mine"], "id", (*OURS, "--session-id", "mine")),
        # only one --settings counts, and it is ccc's
        (["--settings", "x", "hi"], "id", (*OURS, *NEW, "hi")),
        (["--settings=x", "-c"], "id", (*OURS, "-c")),
        # a prompt that would be a subcommand without -p
        (["-p", "mcp"], "id", (*OURS, *NEW, "-p", "mcp")),
        # a subcommand gets none of ccc's flags
        (["mcp", "list"], "id", ("mcp", "list")),
        (["--verbose", "doctor"], "id", ("--verbose", "doctor")),
        (["--settings", "x", "mcp", "list"], "id", ("--settings", "x", "mcp", "list")),
        # after ccc's flags, `--` still comes before the prompt
        (["--", "-p"], "id", (*OURS, *NEW, "--", "-p")),
    ],
)
def test_launch(line: list[str], new_session: str, argv: tuple[str, ...]) -> None:
    """ccc's flags come first and only where they belong; the user's arguments are unchanged."""
    env = {"A": "1"}
    found = claude("/s.json", env).launch(read([]), read(line), new_session)
    assert found == Plan(("/bin/claude", *argv), env, "/project")


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        (["fix it"], ("--tools", "Bash", *OURS, *NEW, "fix it")),
        (["-c"], ("--tools", "Bash", *OURS, "-c")),
        (["mcp", "list"], ("mcp", "list")),
    ],
)
def test_claude_args(line: list[str], argv: tuple[str, ...]) -> None:
    """`claude_args` end at ccc's flags, so they consume no prompt; a subcommand has none."""
    always = read(["--tools", "Bash"])
    found = claude("/s.json").launch(always, read(line), "id")
    assert found.argv == ("/bin/claude", *argv)


BASE = (
    *("/bin/claude", "--print", "--verbose"),
    *("--input-format", "stream-json", "--output-format", "stream-json"),
    *("--no-session-persistence", "--settings", "/r.json", "--permission-mode", "dontAsk"),
)


def test_a_fork_has_the_sessions_shape() -> None:
    """000/Fork session 调用 Supervisor: `--resume <session_id>`, two words.

    A fork resumes the session under the same prompt, and leaves no session behind.
    """
    found = claude("/r.json").review(fork_of="id", shaping=("--bare",))
    own = ("--resume", "id", "--fork-session", "--bare")
    assert found == Plan((*BASE, *own), {}, "/project")


def test_a_fresh_reviewer_has_no_session() -> None:
    """Another reviewer starts fresh: its model, effort and schema, and nothing of the session."""
    found = claude("/r.json", {"A": "1"}).review(
        shaping=("--bare",), model="m", effort="low", schema="{}"
    )
    own = ("--model", "m", "--effort", "low", "--json-schema", "{}")
    assert found == Plan((*BASE, *own), {"A": "1"}, "/project")
