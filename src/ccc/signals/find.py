"""Find all signals in a change and a conversation."""

from collections.abc import Mapping, Sequence

from ccc.model.evidence import HIGH, Signal
from ccc.signals import claims, left_undone, weakened_tests
from ccc.signals.claims import Work
from ccc.signals.patch import FileChange

_MOST = 20
_MOST_OF_A_KIND = 4


def find(changes: Sequence[FileChange], work: Work, tests: Mapping[str, str]) -> tuple[Signal, ...]:
    """Return the signals, the severe ones first, not too many of a kind."""
    requests = "\n".join(work.requests)
    signals = [
        *weakened_tests.find(changes, requests),
        *left_undone.find(changes, requests, tests, work.passed),
        *claims.find(work),
    ]
    counts: dict[str, int] = {}
    result = []
    for signal in sorted(signals, key=lambda each: each.severity != HIGH):
        counts[signal.name] = counts.get(signal.name, 0) + 1
        if counts[signal.name] <= _MOST_OF_A_KIND:
            result.append(signal)
    return tuple(result[:_MOST])
