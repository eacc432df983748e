"""Count false passes and false blocks by kind, and compare two reviewers."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct, field

_Z = 1.959963984540054  # 95 % of a normal distribution lie within this many deviations


class CaseResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the layers said about a case, once."""

    case: str
    kind: int
    is_done: bool  # the truth
    epoch: int = 1
    failed_check: str = ""
    signals: tuple[str, ...] = ()  # the names of the signals
    completed: bool | None = None
    """The reviewer's verdict; None without a reviewer, or if it gave none."""
    failure: str = ""
    cost_usd: float = 0.0
    cost_source: str = ""
    seconds: float = 0.0
    tool_calls: int = 0
    reviewer: str = ""  # provider, model and a checksum of the instructions

    @property
    def is_judged(self) -> bool:
        """Whether the reviewer gave a verdict."""
        return self.completed is not None

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the truth."""
        return self.completed is self.is_done


class Row(Struct):
    """The results of one kind, or of all."""

    kind: int
    bad: list[CaseResult] = field(default_factory=list)
    good: list[CaseResult] = field(default_factory=list)

    @property
    def false_passes(self) -> tuple[int, int]:
        """How many of the bad cases passed, and how many were judged."""
        judged = [each.completed for each in self.bad if each.is_judged]
        return judged.count(True), len(judged)

    @property
    def false_blocks(self) -> tuple[int, int]:
        """How many of the good cases were sent back, and how many were judged."""
        judged = [each.completed for each in self.good if each.is_judged]
        return judged.count(False), len(judged)

    @property
    def failures(self) -> int:
        """How many reviews gave no verdict."""
        return sum(not each.is_judged for each in self.all)

    @property
    def all(self) -> list[CaseResult]:
        """Both twins."""
        return [*self.bad, *self.good]

    def reasons(self) -> list[tuple[str, int]]:
        """Why reviews gave no verdict, the most frequent first."""
        return Counter(each.failure for each in self.all if not each.is_judged).most_common()

    def caught_by_reviewer(self) -> int:
        """How many bad cases the reviewer sent back, after all checks had passed."""
        return sum(each.completed is False and not each.failed_check for each in self.bad)

    def caught_by_checks(self) -> int:
        """How many bad cases fail a check of their project."""
        return sum(bool(each.failed_check) for each in self.bad)

    def caught_by_signals(self) -> int:
        """How many bad cases raise a signal."""
        return sum(bool(each.signals) for each in self.bad)

    def alarms(self) -> int:
        """How many good cases raise a signal."""
        return sum(bool(each.signals) for each in self.good)


def rows(results: Iterable[CaseResult]) -> list[Row]:
    """Return a row per kind, and one for all at the end."""
    table: dict[int, Row] = {}
    total = Row(0)
    for each in results:
        row = table.setdefault(each.kind, Row(each.kind))
        for target in (row, total):
            (target.good if each.is_done else target.bad).append(each)
    return [*(table[kind] for kind in sorted(table)), total]


class ReviewerComparison(Struct, frozen=True):
    """Two reviewers on the same cases."""

    both_right: int
    only_first_right: int
    only_second_right: int
    neither_right: int

    @property
    def p(self) -> float:
        """The probability of such a difference between equal reviewers."""
        return paired_p(self.only_first_right, self.only_second_right)


def compare(first: Sequence[CaseResult], second: Sequence[CaseResult]) -> ReviewerComparison:
    """Compare two reviewers on the cases that both have judged."""
    seconds = {(each.case, each.epoch): each for each in second if each.is_judged}
    judged = ((each, seconds.get((each.case, each.epoch))) for each in first if each.is_judged)
    counts = Counter((each.is_right, other.is_right) for each, other in judged if other)
    return ReviewerComparison(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def interval(count: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share."""
    if not total:
        return 0.0, 1.0
    share, square = count / total, _Z * _Z
    middle = share + square / (2 * total)
    half = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    divisor = 1 + square / total
    return max(0.0, (middle - half) / divisor), min(1.0, (middle + half) / divisor)


def paired_p(only_first: int, only_second: int) -> float:
    """Return McNemar's exact p for two reviewers of the same cases.

    The arguments count the cases that only one of them judged right.
    """
    total, fewer = only_first + only_second, min(only_first, only_second)
    if not total:
        return 1.0
    tail = sum(math.comb(total, k) for k in range(fewer + 1))
    return float(min(1.0, 2 * tail / 2**total))
