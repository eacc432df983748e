"""The notification at the end of a supervised task."""

from dataclasses import dataclass

BELL, OSC9 = "bell", "osc9"
_LONGEST = 2_000
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Notice:
    """A task has ended: what came of it, and what the person is told."""

    wish: str | tuple[str, ...]
    """`supervisor.notify`."""
    outcome: str
    session: str
    message: str
    project: str

    @property
    def sequence(self) -> str:
        """What a terminal is sent; nothing where a command is wished for."""
        if self.wish == BELL:
            return "\a"
        if self.wish == OSC9:
            # claude lets no text through that begins with a digit
            return f"\x1b]9;ccc: {_printable(self.message)[:_SHOWN]}\a"
        return ""

    @property
    def command(self) -> tuple[str, ...]:
        """The command; none where a terminal is to be sent something."""
        if not self.wish or self.sequence:
            return ()
        return ("/bin/sh", "-c", self.wish) if isinstance(self.wish, str) else self.wish

    @property
    def variables(self) -> dict[str, str]:
        """What the command is told, in its environment."""
        return {
            "CCC_OUTCOME": self.outcome,
            "CCC_SESSION": self.session,
            "CCC_MESSAGE": self.message[:_LONGEST].replace("\0", ""),
            "CCC_PROJECT": self.project,
        }


def in_tmux(sequence: str) -> str:
    """The sequence as tmux passes it on to the terminal around it."""
    if not sequence.startswith("\x1b"):
        return sequence
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).strip()
