"""Counting verdicts, intervals and comparisons."""

import pytest

from ccc.evaluation import score
from ccc.evaluation.score import CaseResult


def result(name: str, verdict: bool | None, kind: int = 1) -> CaseResult:
    """Return the result of a case; its name says which twin it is."""
    return CaseResult(name, kind, is_done=name.endswith("good"), completed=verdict)


def test_rows() -> None:
    """A yes to a bad case is a false pass, a no to a good one a false block."""
    one, two, total = score.rows(
        [
            result("a/bad", True),
            result("a/good", True),
            result("b/bad", False, 2),
            result("b/good", False, 2),
            result("c/good", None, 2),
        ]
    )
    assert (one.false_passes, one.false_blocks, one.failures) == ((1, 1), (0, 1), 0)
    assert (two.false_passes, two.false_blocks, two.failures) == ((0, 1), (1, 1), 1)
    assert (total.kind, total.false_passes, total.false_blocks) == (0, (1, 2), (1, 2))


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (1, 42, 0.0042, 0.1232)],
)
def test_interval(count: int, total: int, low: float, high: float) -> None:
    """Wilson's intervals, as tables have them."""
    assert score.interval(count, total) == pytest.approx((low, high), abs=5e-4)


def test_nothing_is_known_without_cases() -> None:
    """An interval of no cases is everything."""
    assert score.interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (6, 0, 0.03125), (10, 2, 0.03857), (5, 5, 1.0)],
)
def test_paired(first: int, second: int, p: float) -> None:
    """McNemar's exact test."""
    assert score.paired_p(first, second) == pytest.approx(p, abs=1e-4)


def test_compare() -> None:
    """Only cases with two verdicts count."""
    first = [result("a/bad", False), result("b/bad", True), result("c/good", True)]
    second = [result("a/bad", True), result("b/bad", True), result("c/good", None)]
    found = score.compare(first, second)
    assert (found.both_right, found.only_first_right) == (0, 1)
    assert (found.only_second_right, found.neither_right) == (0, 1)


def test_the_layers_are_apart() -> None:
    """A failed check isn't the reviewer's merit; failures are counted by their reason."""
    results = [
        CaseResult("a/bad", 1, False, failed_check="make", completed=False),
        CaseResult("b/bad", 1, False, completed=False),
        CaseResult("c/bad", 1, False, failure="401"),
        CaseResult("c/good", 1, True, failure="401"),
        CaseResult("d/good", 1, True, failure="timeout"),
    ]
    total = score.rows(results)[-1]
    assert (total.caught_by_checks(), total.caught_by_reviewer()) == (1, 1)
    assert total.reasons() == [("401", 2), ("timeout", 1)]
