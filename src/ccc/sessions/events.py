"""What happened in a session between two looks at it."""

from dataclasses import dataclass

from ccc.sessions.glance import CHECKING, ENDED, REVIEWING, counted
from ccc.sessions.record import receipts_in
from ccc.supervision.outcome import CUT_OFF, INTERRUPTED, OUTCOMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.sessions.glance import Glance
    from ccc.sessions.record import Round
    from ccc.supervision.evidence import Evidence

UNREVIEWED = ("plan", "background", INTERRUPTED)
"""Outcomes that are told from the state: most of them have no record of their own."""
FAILED = ("agent_failed", INTERRUPTED, CUT_OFF)
"""Outcomes that no stop has decided."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened; `kind` is what a program can look for."""

    kind: str
    text: str = ""
    mark: str = ""
    count: str = ""
    receipt: "Evidence | None" = None
    round: "Round | None" = None


def between(before: "Glance | None", after: "Glance") -> "Iterator[Happening]":
    """What the two states differ in; without one before, what the session is at."""
    if before is None:
        yield Happening("session", count=counted(after))
    elif before.is_on is not after.is_on:
        yield Happening("on" if after.is_on else "off")
    same_stop = before is not None and before.begun == after.begun
    if after.is_stopping:
        yield from _of_stop(before if same_stop else None, after)
    decided = before is not None and before.decided_at != after.decided_at
    failed = before is not None and before.outcome != after.outcome and after.outcome in FAILED
    if failed or (decided and after.outcome in UNREVIEWED):
        yield Happening("verdict", after.outcome, OUTCOMES[after.outcome].mark, counted(after))
    if before is not None and before.phase != ENDED and after.phase == ENDED:
        yield Happening("ended")


def _of_stop(before: "Glance | None", after: "Glance") -> "Iterator[Happening]":
    """What has come of a stop that is under way."""
    if before is None:
        yield Happening("stop", count=counted(after))
    shown = len(receipts_in(before.receipts)) if before else 0
    for receipt in receipts_in(after.receipts)[shown:]:
        yield Happening("checked", receipt=receipt)
    if after.phase == CHECKING and after.check and (not before or before.check != after.check):
        yield Happening("check", after.check)
    if after.phase == REVIEWING and (not before or before.phase != REVIEWING):
        yield Happening("review", count=counted(after))


def of_round(each: "Round", last: "Glance | None") -> "Iterator[Happening]":
    """A round that was decided: the receipts that nobody has seen yet, and the verdict."""
    seen = last is not None and last.begun == each.stopped_at
    shown = len(receipts_in(last.receipts)) if last and seen else 0
    for receipt in each.receipts[shown:]:
        yield Happening("checked", receipt=receipt)
    if each.outcome not in UNREVIEWED:
        yield Happening(
            "verdict", each.outcome, OUTCOMES[each.outcome].mark, counted(each), round=each
        )
