"""Work out what happened in a session between two looks at it."""

import contextlib
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from ccc.model.evidence import Evidence, from_record
from ccc.model.outcome import INTERRUPTED, OUTCOMES, STILL_COMPLETED
from ccc.model.overview import CHECKING, ENDED, REVIEWING, WAITING, Overview, progress
from ccc.model.round import Round

UNREVIEWED = ("plan", "background", INTERRUPTED, STILL_COMPLETED)
"""Outcomes read from the state, because most of them have no record."""


class Event(Struct, frozen=True):
    """One thing that happened; `kind` identifies it for programs."""

    kind: str
    text: str = ""
    mark: str = ""
    count: str = ""
    receipt: Evidence | None = None
    round: Round | None = None
    session: str = ""
    at: float = 0.0


def changes(before: Overview | None, after: Overview) -> Iterator[Event]:
    """Yield the changes between two states, or the current phase if there was no earlier one."""
    if before is None:
        yield Event("session", count=progress(after))
    elif before.is_on is not after.is_on:
        yield Event("on" if after.is_on else "off")
    if after.is_stopping:
        same_stop = before is not None and before.stop.begun == after.stop.begun
        yield from _stop_changes(before if same_stop else None, after)
    if after.phase == WAITING and (before is None or _asked(before) != _asked(after)):
        yield Event("asks", after.question, after.mark, count=after.waits_for)
    if before is None:
        return
    decided = before.decided_at != after.decided_at and after.outcome in UNREVIEWED
    failed = before.outcome != after.outcome and not OUTCOMES[after.outcome].is_decision
    if decided or failed:
        yield _verdict(after)
    if before.phase != ENDED and after.phase == ENDED:
        yield Event("ended")


def _asked(seen: Overview) -> tuple[str, ...]:
    return seen.phase, seen.waits_for, seen.question


def _stop_changes(before: Overview | None, after: Overview) -> Iterator[Event]:
    """Yield the progress of the stop that is being decided."""
    if before is None:
        yield Event("stop", count=progress(after))
    shown = len(before.stop.receipts) if before else 0
    for raw in after.stop.receipts[shown:]:
        with contextlib.suppress(msgspec.ValidationError):  # of a later ccc
            yield Event("checked", receipt=from_record(raw))
    if after.phase == CHECKING and after.check and (not before or before.check != after.check):
        yield Event("check", after.check)
    if after.phase == REVIEWING and (not before or before.phase != REVIEWING):
        yield Event("review", count=progress(after))


def round_events(each: Round, last: Overview | None) -> Iterator[Event]:
    """Yield the events of a decided round: the receipts not shown yet, and the verdict."""
    same_stop = last is not None and last.stop.begun == each.stopped_at
    shown = len(last.stop.receipts) if last and same_stop else 0
    for receipt in each.receipts[shown:]:
        yield Event("checked", receipt=receipt)
    if each.outcome not in UNREVIEWED:
        yield _verdict(each, each)


def _verdict(seen: Overview | Round, each: Round | None = None) -> Event:
    mark = OUTCOMES[seen.outcome].mark
    return Event("verdict", seen.outcome, mark, progress(seen), round=each)
