"""What a person can do on the page: the same changes that the commands make."""

import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING

from ccc.backlog import places
from ccc.errors import CccError
from ccc.storage import sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision import switch
from ccc.system import processes
from ccc.text import names
from ccc.web import continuation
from ccc.web.layout import LONGEST_ANSWER
from ccc.web.queue import Queue

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ccc.backlog.task import QueuedTask


SESSION_VERBS = ("supervise", "stop", "answer")
TASK_VERBS = ("answer", "cancel", "retry", "move")
QUEUE_VERBS = ("pause", "resume")


def act_on_session(
    where: Paths, session: str, verb: str, form: Mapping[str, str]
) -> Future[None] | None:
    """Switch a session's supervision on or off, stop its run, or answer the run's question.

    An answer may take longer: the result says when the run has begun.
    """
    if not names.is_session_id(session):
        raise CccError("look.unknown", hint="look.none_hint", beginning=session)
    if verb == "stop":
        _stop(where, session)
    elif verb == "answer":
        if not (answer := _answer(form)):
            raise CccError("web.no_answer")
        return continuation.answer(where, session, answer, form.get("seen", ""))
    else:
        if (word := form.get("word", "")) not in ("on", "off"):
            raise CccError("web.bad")
        switch.turn_other(where, session, word)
    return None


def _answer(form: Mapping[str, str]) -> str:
    return form.get("text", "").replace("\r\n", "\n").strip()[:LONGEST_ANSWER]


def _stop(where: Paths, session: str) -> None:
    """Interrupt a run as Ctrl-C does."""
    state = sessions.load(where, session)
    pid = state.pid if state else 0
    is_running = state is not None and bool(state.run) and not state.run.get("outcome")
    # the process id may belong to another program by now
    is_run = pid != os.getpid() and processes.runs(pid, "ccc", ("run", "--supervisor"))
    if not is_running or not is_run:
        raise CccError("web.no_run", hint="web.no_run_hint")
    if state and places.is_worktree(os.environ, str(state.run.get("cwd", ""))):
        raise CccError("web.of_queue", hint="web.cancel_hint")
    try:
        os.kill(pid, signal.SIGINT)
    except OSError:
        raise CccError("web.no_run", hint="web.no_run_hint") from None
    Journal(where, session, state.count if state else 0).log("interrupted on the page", pid=pid)


def pause(queue: Queue, verb: str) -> None:
    """Start no more tasks, or start them again."""

    def edit(connection: "sa.Connection") -> None:
        from ccc.backlog import settings

        settings.pause(connection, verb == "pause")

    queue.change(edit)


def act_on_task(queue: Queue, task: int, verb: str, form: Mapping[str, str]) -> None:
    """Answer, cancel, retry or move a task."""
    answer = _answer(form)
    if verb == "answer" and not answer:
        raise CccError("queue.no_answer", hint="queue.answer_hint", id=task)

    def edit(connection: "sa.Connection") -> None:
        from ccc.backlog import cancellation, store

        edits: dict[str, Callable[[sa.Connection, QueuedTask], None]] = {
            "answer": lambda c, found: store.answer(c, found, answer),
            "cancel": lambda c, found: cancellation.cancel(c, found, queue.has_worker),
            "retry": store.retry,
            "move": lambda c, found: store.move(c, found, form.get("to", "")),
        }
        found = store.find(connection, task)
        if form.get("seen") != found.stage:
            reason = f"queue.is_{found.state}"
            hint = "web.task_changed_hint"
            raise CccError("web.task_changed", hint=hint, id=task, reason=reason)
        edits[verb](connection, found)

    queue.change(edit)
