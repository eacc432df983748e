"""What happens in a worker, written in two ways: a sentence for people, or a line of JSON."""

import os
import select
import threading
import time
from collections.abc import Mapping

from ccc import words
from ccc.backlog import wording
from ccc.backlog.task import FAILED, WAITING
from ccc.storage.journal import stamp
from ccc.system import terminal
from ccc.ui import formatting

_TEXTS = ("provider", "title", "checks", "worker", "host", "jobs", "cause", "detail")
"""The facts that a sentence may name as they are."""
_READER_SECONDS = 1.0


def tell(event: str, task: int, facts: Mapping[str, object]) -> None:
    """Print a sentence on stderr."""
    terminal.tell(describe(event, task, facts))


def describe(event: str, task: int, facts: Mapping[str, object]) -> str:
    """Return the time and what happened, in the user's words."""
    values: dict[str, object] = {name: facts.get(name, "") for name in _TEXTS}
    values["id"] = task
    for name in ("needed_usd", "left_usd"):
        values[name] = formatting.money(_number(facts, name))
    values["cost"] = formatting.money(_number(facts, "cost_usd"), str(facts.get("cost_source", "")))
    if event == WAITING and (until := _number(facts, "until")):
        values["until"] = wording.moment(until)
    if event == FAILED:
        outcome = str(facts.get("outcome") or "")
        detail = terminal.plain(wording.detail(outcome, str(facts.get("detail") or "")))
        values["outcome"] = wording.outcome(outcome)
        values["detail"] = f"\n  {detail}" if detail else ""
    sentence = words.say(f"worker.{_sentence(event, facts)}", **values)
    return f"{time.strftime('%H:%M:%S')} {sentence}"


def _sentence(event: str, facts: Mapping[str, object]) -> str:
    """Return the name of the sentence for an event; some have several."""
    if event == "started" and facts.get("continues"):
        return "continues"
    if event == WAITING and facts.get("until"):
        return "limited"
    if event == "database_lost" and facts.get("is_final"):
        return "database_gone"
    if event == "worker_ended":
        return f"ended_{facts['reason']}"
    return event


def _number(facts: Mapping[str, object], name: str) -> float:
    value = facts.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


class JsonLines:
    """Prints events as JSON on stdout, one object per line; several threads may do so."""

    def __init__(self) -> None:
        self._is_closed = False
        self._next_look = 0.0
        self._lock = threading.Lock()

    def tell(self, event: str, task: int, facts: Mapping[str, object]) -> None:
        """Print an event; one that can't be written decides nothing about a task."""
        values = {"time": stamp(), "event": event, "task": task or None, **facts}
        if "until" in facts:
            until = _number(facts, "until")
            values["until"] = stamp(until) if until else None
        with self._lock:
            if self._is_closed:
                return
            try:
                print(terminal.as_json(values), flush=True)
            except OSError as error:
                self._close(error)

    def _close(self, error: OSError) -> None:
        self._is_closed = True
        # the rest of the output must not fail, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            terminal.tell(words.say("worker.events_lost", cause=error.strerror or str(error)))

    def is_closed(self) -> bool:
        """Return whether no event can be written any more: nobody reads, or the disk is full.

        It looks for a reader about once a second.
        """
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _READER_SECONDS
            self._is_closed = self._is_closed or _has_no_reader()
        return self._is_closed


def _has_no_reader() -> bool:
    """Return whether stdout is a pipe or a socket whose other end is closed."""
    poll = select.poll()
    poll.register(1, 0)
    return any(found & (select.POLLERR | select.POLLHUP) for _, found in poll.poll(0))
