"""How sure a measured share is, and whether two reviewers differ."""

import math

_Z = 1.959963984540054
"""95 % of a normal distribution lie within this many deviations."""


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
