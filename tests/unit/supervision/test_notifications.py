"""The notification at the end of a task: what a terminal gets, what a command gets."""

import pytest

from ccc.supervision.notifications import Notification, in_tmux


def notice(wish: str | tuple[str, ...], message: str = "Done.") -> Notification:
    """Return the notification of a completed task."""
    return Notification(wish, "completed", "s-1", message, "/p")


@pytest.mark.parametrize(
    ("wish", "sequence", "command"),
    [
        ("", "", ()),
        ("bell", "\a", ()),
        ("osc9", "\x1b]9;ccc: Done.\a", ()),
        ("say done", "", ("/bin/sh", "-c", "say done")),
        (("say", "done"), "", ("say", "done")),
    ],
)
def test_wishes(wish: str, sequence: str, command: tuple[str, ...]) -> None:
    """It is a sequence for the terminal or a command, never both."""
    assert (notice(wish).sequence, notice(wish).command) == (sequence, command)


def test_control_characters_do_not_reach_the_terminal() -> None:
    """A message that tries to end the sequence and start another is only text in it."""
    hostile = "\x1b]52;c;eA==\a\r\nDone\x07\x9c " + "x" * 300
    sent = notice("osc9", hostile).sequence
    assert sent.startswith("\x1b]9;ccc: ]52;c;eA==   Done  ")
    assert sent.endswith("x\a")
    assert len(sent) == len("\x1b]9;ccc: ") + 200 + len("\a")
    assert [c for c in sent if not c.isprintable()] == ["\x1b", "\a"]


def test_what_a_command_or_a_service_is_told() -> None:
    """They get outcome, session, project, task, and as much of the message as fits."""
    assert notice("x", "a\0b" + "m" * 3_000).facts == {
        "outcome": "completed",
        "session": "s-1",
        "message": "ab" + "m" * 1_997,
        "project": "/p",
        "task": "",
    }


def test_in_tmux() -> None:
    """A sequence is wrapped, with each escape doubled; a bell is passed on unchanged."""
    assert in_tmux("\x1b]9;x\a") == "\x1bPtmux;\x1b\x1b]9;x\a\x1b\\"
    assert in_tmux("\a") == "\a"
