"""claude's arguments in an unattended run."""

import pytest

from ccc.claude.formats import arguments


class TestUnattended:
    @pytest.mark.parametrize(
        ("line", "task", "rest"),
        [
            (["-p", "do it"], "do it", ()),
            (["do it", "--print", "--verbose"], "do it", ()),
            (["-p", "--model", "m", "do it"], "do it", ("--model", "m")),
            (["--output-format", "json", "-p", "x"], "x", ()),
            (["-p", "--", "-x"], "-x", ()),
            (["-p"], "", ()),
        ],
    )
    def test_task_and_rest(self, line: list[str], task: str, rest: tuple[str, ...]) -> None:
        """The prompt is the task; the loop decides how claude prints."""
        found = arguments.read(line)
        assert (found.task, found.for_agent) == (task, rest)

    def test_session(self) -> None:
        """Session options apply to the first start only."""
        line = ["--resume", "abc", "--fork-session", "--model", "m"]
        assert arguments.read(line).chooses_session
        assert arguments.without_session(line) == ("--model", "m")

    def test_for_user(self) -> None:
        """Options that allow everything don't carry over to an interactive session."""
        line = ["--permission-mode", "bypassPermissions", "--dangerously-skip-permissions"]
        kept = ["--model", "m", "--add-dir", "/a", "/b", "--permission-mode", "acceptEdits"]
        assert arguments.read([*line, *kept]).for_user == tuple(kept)

    def test_no_secret_is_kept(self) -> None:
        """JSON on the command line is not saved."""
        found = arguments.read(["--mcp-config", '{"key": "k"}', "--effort", "high"])
        assert found.storable == ("--effort", "high")
        assert found.last_value("--effort") == "high"
