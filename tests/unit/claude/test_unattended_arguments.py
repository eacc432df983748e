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
        found = arguments.unattended(line)
        assert (found.task, found.rest) == (task, rest)

    def test_session(self) -> None:
        """Session options apply to the first start only."""
        found = arguments.unattended(["--resume", "abc", "--fork-session", "--model", "m"])
        assert found.chooses_session
        assert found.in_known_session == ("--model", "m")

    def test_for_user(self) -> None:
        """Options that allow everything don't carry over to an interactive session."""
        line = ["--permission-mode", "bypassPermissions", "--dangerously-skip-permissions"]
        kept = ["--model", "m", "--add-dir", "/a", "/b", "--permission-mode", "acceptEdits"]
        assert arguments.unattended([*line, *kept]).for_user == tuple(kept)

    def test_no_secret_is_kept(self) -> None:
        """JSON on the command line is not saved."""
        found = arguments.unattended(["--mcp-config", '{"key": "k"}', "--effort", "high"])
        assert found.storable == ("--effort", "high")
        assert found.effort == "high"
