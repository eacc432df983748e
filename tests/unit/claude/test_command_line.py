"""The command line to execute, as a value."""

import pytest

from ccc.claude.formats import command_line
from ccc.claude.formats.arguments import read

OURS = ("--settings", "/s.json")
NEW = ("--session-id", "id")


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
    assert command_line.launch("/s.json", read([]), read(line), new_session) == argv


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
    assert command_line.launch("/s.json", always, read(line), "id") == argv


BASE = (
    *("--print", "--verbose"),
    *("--input-format", "stream-json", "--output-format", "stream-json"),
    *("--no-session-persistence", "--settings", "/r.json", "--permission-mode", "dontAsk"),
)


def test_a_fork_has_the_sessions_shape() -> None:
    """000/Fork session 调用 Supervisor: `--resume <session_id>`, two words.

    A fork resumes the session under the same prompt, and leaves no session behind.
    """
    found = command_line.review("/r.json", fork_of="id", shaping=("--bare",))
    own = ("--resume", "id", "--fork-session", "--bare")
    assert found == (*BASE, *own)


def test_a_fresh_reviewer_has_no_session() -> None:
    """Another reviewer starts fresh: its model, effort and schema, and nothing of the session."""
    given = {"model": "m", "effort": "low", "schema": "{}"}
    found = command_line.review("/r.json", shaping=("--bare",), **given)
    own = ("--model", "m", "--effort", "low", "--json-schema", "{}")
    assert found == (*BASE, *own)
