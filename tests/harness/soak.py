"""Repeated trials: a few in `make test-all`, all of them in `make soak`, with a result table."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SOAK = os.environ.get("CCC_SOAK") == "1"


def trials(few: int, all_of_them: int) -> int:
    """Return the number of trials: `few` in `make test-all`, `all_of_them` in `make soak`."""
    return all_of_them if SOAK else few


def rounds(few: int, all_of_them: int, seconds: float) -> Iterator[int]:
    """Yield the numbers of the trials until the time is up.

    Fail if fewer than half of them were tried by then.
    """
    until = time.monotonic() + seconds
    total = trials(few, all_of_them)
    for number in range(total):
        if time.monotonic() > until:
            assert number >= total / 2, f"{number} of {total} trials in {seconds} s"
            break
        yield number


@dataclass
class Tally:
    """A kind of fault, with the number of trials and losses."""

    name: str
    tried: int = 0
    lost: int = 0

    def survived(self, trial: Callable[[], object]) -> None:
        """Count one trial; an exception counts as a loss and fails the test."""
        self.tried += 1
        try:
            trial()
        except BaseException:
            self.lost += 1
            raise


def table(tallies: list[Tally]) -> list[str]:
    """Render the table: tried, survived, lost."""
    width = max(len(tally.name) for tally in tallies)
    heading = f"{'':<{width}} {'tried':>8} {'survived':>9} {'lost':>5}"
    rows = (
        f"{tally.name:<{width}} {tally.tried:>8,} {tally.tried - tally.lost:>9,} {tally.lost:>5,}"
        for tally in sorted(tallies, key=lambda tally: tally.name)
    )
    return [heading, *rows]
