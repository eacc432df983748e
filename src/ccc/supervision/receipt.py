"""Receipts: what a check came to, as evidence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Receipt:
    """A check that ccc ran itself."""

    command: str
    exit_code: int | None
    """None: it did not end in time, or could not be started."""
    seconds: float
    output: str = ""
    """The end of what it printed."""
    output_file: str = ""
    head: str = ""
    dirty: bool = False

    @property
    def passed(self) -> bool:
        """Whether the check is evidence for the work."""
        return self.exit_code == 0

    def line(self) -> str:
        """The receipt in one line."""
        code = "no exit" if self.exit_code is None else f"exit {self.exit_code}"
        tree = f"HEAD {self.head[:12]}{', uncommitted changes' if self.dirty else ''}"
        return f"`{self.command}`: {code}, {self.seconds:.1f} s" + (
            f", {tree}" if self.head else ""
        )
