"""Follow an unattended run by reading its records while ccc writes them."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct

from ccc.claude.formats import stream
from ccc.model import record
from ccc.model.round import Round
from ccc.sessions.record_file import Tail
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.ui.run_lines import AGENT, REVIEWER

Entry = TypeVar("Entry")


class Message(Struct, frozen=True):
    """A message in the agent's or the reviewer's stream."""

    who: str
    content: dict[str, Any]


Event = Message | Round


def follow(where: Paths) -> Iterator[Event | str]:
    """Yield the events of the only session, in order; who works if the next one isn't known yet.

    The agent's messages, the reviewer's messages and the verdicts are in three files. A turn of
    the agent ends with a result, followed by the review, if there is one, and the verdict.
    """
    while not (known := sessions.ids(where)):
        yield AGENT
    agent = _entries(where.agent_output(known[0]), _messages(AGENT))
    reviewer = _entries(where.review_output(known[0]), _messages(REVIEWER))
    verdicts = _entries(where.verdicts(known[0]), record.rounds)
    while True:
        for message in agent:
            yield message or AGENT
            if _is_result(message):
                break
        yield from _follow_judgement(reviewer, verdicts)


def _follow_judgement(
    reviewer: Iterator[Message | None], verdicts: Iterator[Round | None]
) -> Iterator[Event | str]:
    verdict, is_review_over = None, False
    while True:
        # in this order, because a review message without a verdict belongs to this stop
        verdict = verdict or next(verdicts)
        if verdict is not None and (is_review_over or not verdict.tokens):
            yield verdict
            return
        message = next(reviewer)
        # more messages may follow the result before the verdict is on record
        is_review_over = is_review_over or _is_result(message)
        yield message or REVIEWER


def _entries(
    path: str, parse: Callable[[Iterable[str]], Iterable[Entry]]
) -> Iterator[Entry | None]:
    """Yield each entry of a growing file, and None whenever there are no more yet."""
    tail = Tail(path, before=sys.maxsize)
    while True:
        yield from parse(tail.new())
        yield None


def _messages(who: str) -> Callable[[Iterable[str]], Iterable[Message]]:
    return lambda lines: (Message(who, raw) for raw in map(stream.message, lines) if raw)


def _is_result(message: Message | None) -> bool:
    return message is not None and message.content.get("type") == "result"
