"""Claude's arguments, as an unattended run takes them."""

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
        """The prompt is the task; how claude prints is said by the loop."""
        found = arguments.unattended(line)
        assert (found.task, found.rest) == (task, rest)

    def test_session(self) -> None:
        """What chooses a session counts at the first start only."""
        found = arguments.unattended(["--resume", "abc", "--fork-session", "--model", "m"])
        assert found.chooses_session
        assert found.in_known_session == ("--model", "m")

    def test_for_user(self) -> None:
        """What lets the agent do everything unasked is not for a session with a person in it."""
        line = ["--permission-mode", "bypassPermissions", "--dangerously-skip-permissions"]
        kept = ["--model", "m", "--add-dir", "/a", "/b", "--permission-mode", "acceptEdits"]
        assert arguments.unattended([*line, *kept]).for_user == tuple(kept)

    def test_no_secret_is_kept(self) -> None:
        """JSON on the command line is not written down."""
        found = arguments.unattended(["--mcp-config", '{"key": "k"}', "--effort", "high"])
        assert found.storable == ("--effort", "high")
        assert found.effort == "high"
