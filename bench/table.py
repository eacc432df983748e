"""What was measured, in rows with a ratio and a limit, as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """A row that is yet to be measured: what it means, and what its ratio must keep to."""

    name: str
    means: str = ""
    most: float | None = None
    """The ratio may be no larger."""
    least: float | None = None
    """The ratio may be no smaller."""

    @property
    def limit(self) -> str:
        """The limit as the table shows it."""
        if self.most is not None:
            return f"≤ {self.most:.2f}"
        return "" if self.least is None else f"≥ {self.least:.2f}"


@dataclass(frozen=True)
class Row:
    """A case that was measured: figures, and their ratio to the reference of the same run."""

    case: Case
    cells: tuple[str, ...]
    ratio: float

    @property
    def holds(self) -> bool:
        """Whether the ratio keeps to its limit."""
        most, least = self.case.most, self.case.least
        return (most is None or self.ratio <= most) and (least is None or self.ratio >= least)

    @property
    def all_cells(self) -> tuple[str, ...]:
        """The figures with ratio and limit."""
        return (*self.cells, f"{self.ratio:.2f}", self.case.limit)


@dataclass(frozen=True)
class Section:
    """Cases that are measured together, in turns."""

    name: str
    title: str
    about: str
    """For the page: how it is measured, and against what."""
    heads: tuple[str, ...]
    cases: tuple[Case, ...]
    measure: "Callable[[Path, bool], list[Row]]"
    """In a directory of its own; quickly and roughly, or well."""

    @property
    def all_heads(self) -> tuple[str, ...]:
        """The headings of a row's figures, with ratio and limit."""
        return (*self.heads, "ratio", "limit")


Measured = Sequence[tuple[Section, Sequence[Row]]]


def against(case: Case, value: float, reference: float, form: str = "{:,.1f}") -> Row:
    """A row whose figures are a value and its reference: the less, the better."""
    return Row(case, (form.format(value), form.format(reference)), value / reference)


def text(measured: Measured) -> str:
    """All rows for the terminal, the sections one below the other."""
    width = max(len(case.name) for section, _ in measured for case in section.cases)
    lines: list[str] = []
    for section, rows in measured:
        heads = "".join(f"{head:>12}" for head in section.all_heads)
        lines += ["", f"{section.title:<{width}}{heads}"]
        for row in rows:
            cells = "".join(f"{cell:>12}" for cell in row.all_cells)
            mark = "" if row.holds else "  past its limit"
            lines.append(f"{row.case.name:<{width}}{cells}".rstrip() + mark)
    return "\n".join(lines[1:])
