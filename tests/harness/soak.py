"""Trials in numbers: few in `make test-all`, all of them in `make soak`, counted in one table."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SOAK = os.environ.get("CCC_SOAK") == "1"


def trials(few: int, all_of_them: int) -> int:
    """How many: a small part in `make test-all`, all of them in `make soak`."""
    return all_of_them if SOAK else few


def rounds(few: int, all_of_them: int, seconds: float) -> Iterator[int]:
    """The numbers of the trials; no further one begins where the time is over.

    Half of them have to be tried by then, or the table would claim what nobody saw.
    """
    until = time.monotonic() + seconds
    wanted = trials(few, all_of_them)
    for number in range(wanted):
        if time.monotonic() > until:
            assert number >= wanted / 2, f"{number} of {wanted} trials in {seconds} s"
            break
        yield number


@dataclass
class Tally:
    """A kind of fault: how often it was tried, and how often something was lost by it."""

    name: str
    tried: int = 0
    lost: int = 0

    def survived(self, trial: Callable[[], object]) -> None:
        """Count one trial; what it raises is the test's failure, and counts as a loss."""
        self.tried += 1
        try:
            trial()
        except BaseException:
            self.lost += 1
            raise


def table(tallies: list[Tally]) -> list[str]:
    """The lines: tried, survived, lost."""
    width = max(len(tally.name) for tally in tallies)
    heading = f"{'':<{width}} {'tried':>8} {'survived':>9} {'lost':>5}"
    rows = (
        f"{tally.name:<{width}} {tally.tried:>8,} {tally.tried - tally.lost:>9,} {tally.lost:>5,}"
        for tally in sorted(tallies, key=lambda tally: tally.name)
    )
    return [heading, *rows]
