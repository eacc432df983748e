"""Cases, rows and sections of the benchmark, and the table on the terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """A row before it is measured: its meaning and the limit of its ratio."""

    name: str
    means: str = ""
    most: float | None = None
    """The maximum ratio."""
    least: float | None = None
    """The minimum ratio."""

    @property
    def limit(self) -> str:
        """Return the limit as the table shows it."""
        if self.most is not None:
            return f"≤ {self.most:.2f}"
        return "" if self.least is None else f"≥ {self.least:.2f}"


@dataclass(frozen=True)
class Row:
    """A measured case: its figures, and their ratio to the reference of the same run."""

    case: Case
    cells: tuple[str, ...]
    ratio: float
    reason: str = ""
    """Why it wasn't measured; empty if it was."""

    @property
    def holds(self) -> bool:
        """Return whether the ratio is within its limit, as far as it was measured."""
        most, least = self.case.most, self.case.least
        if self.reason:
            return True
        return (most is None or self.ratio <= most) and (least is None or self.ratio >= least)

    @property
    def all_cells(self) -> tuple[str, ...]:
        """Return the figures with ratio and limit."""
        ratio = "–" if self.reason else f"{self.ratio:.2f}"
        return (*self.cells, ratio, self.case.limit)


@dataclass(frozen=True)
class Section:
    """Cases that are measured together, in turns."""

    name: str
    title: str
    about: str
    """How it is measured and against what; shown on the page."""
    heads: tuple[str, ...]
    cases: tuple[Case, ...]
    measure: "Callable[[Path, bool], list[Row]]"
    """Measures in a new directory; True means quick and rough."""

    @property
    def all_heads(self) -> tuple[str, ...]:
        """Return the headings of the figures, ratio and limit."""
        return (*self.heads, "ratio", "limit")


Measured = Sequence[tuple[Section, Sequence[Row]]]


def against(case: Case, value: float, reference: float, form: str = "{:,.1f}") -> Row:
    """Return a row of a value and its reference; a smaller value is better."""
    return Row(case, (form.format(value), form.format(reference)), value / reference)


def skipped(case: Case, reason: str) -> Row:
    """Return a row of a value and its reference that can't be measured here."""
    return Row(case, ("–", "–"), 0.0, reason)


def text(measured: Measured) -> str:
    """Render all sections for the terminal."""
    width = max(len(case.name) for section, _ in measured for case in section.cases)
    lines: list[str] = []
    for section, rows in measured:
        heads = "".join(f"{head:>12}" for head in section.all_heads)
        lines += ["", f"{section.title:<{width}}{heads}"]
        for row in rows:
            cells = "".join(f"{cell:>12}" for cell in row.all_cells)
            mark = "" if row.holds else "  past its limit"
            mark = f"  skipped: {row.reason}" if row.reason else mark
            lines.append(f"{row.case.name:<{width}}{cells}".rstrip() + mark)
    return "\n".join(lines[1:])
