"""The parts of the pages that change by themselves, made from what is on record."""

import time
from collections.abc import Callable

from ccc import words
from ccc.backlog.task import QueuedTask
from ccc.model.overview import Overview
from ccc.sessions import lookup, overview_reader, record_file
from ccc.sessions.events import Event
from ccc.sessions.known_keys import KnownKeys
from ccc.sessions.watcher import Watcher, describe
from ccc.storage.paths import Paths
from ccc.text import names
from ccc.ui.page import report
from ccc.ui.page.markup import escaped, say
from ccc.web import board, cards, now
from ccc.web.cards import Tasks, find, index, place, standing, title
from ccc.web.layout import BOARD, NOW, SESSION
from ccc.web.threads import LastLook, QueueWatch

_MOST_SESSIONS = 60
_FRESH_SECONDS = 0.5
_LONG_SECONDS = 30.0
_MOST_WATCHED = 120
_MOST_NEWS = 5
_MOST_PARTS = 50


class Views:
    """Looks at sessions, and renders what was seen; used by one thread."""

    def __init__(self, where: Paths, queue: QueueWatch, keys: KnownKeys) -> None:
        self._where, self._queue, self._keys = where, queue, keys
        self._known_keys = 0
        self._watcher = self._watch(set())
        self._looked_at = 0.0
        self._news: list[Event] = []
        self._parts: dict[tuple[str, str], tuple[object, str]] = {}
        """The rendered parts that are expensive, each with what it was made from."""

    def _watch(self, questions: set[str]) -> Watcher:
        return Watcher(self._where, most=_MOST_SESSIONS, keeps_questions=True, questions=questions)

    def look(self, at_once: bool = False) -> None:
        """Look at all sessions, unless that was a moment ago."""
        since = time.monotonic() - self._looked_at
        if since < _FRESH_SECONDS and not at_once:
            return
        if since > _LONG_SECONDS:
            # what has happened meanwhile isn't news, and may be much
            self._watcher = self._watch(self._watcher.questions)
        self._looked_at = time.monotonic()
        self._news = (self._news + self._watcher.poll())[-_MOST_NEWS:]
        if len(self._watcher.watched) > _MOST_WATCHED:
            self._watcher.forget_others()

    def forget_shown_keys(self) -> None:
        """Forget what was read before a key was known."""
        if (known := self._keys.look()) != self._known_keys:
            self._known_keys, self._looked_at = known, 0.0
            self._watcher = self._watch(self._watcher.questions)
            self._parts.clear()

    def news(self) -> str:
        """Return what a screen reader should say."""
        return " ".join(describe(each) for each in self._news if each.kind in now.NEWS)

    def forget_news(self) -> None:
        """Forget the news: all pages have them."""
        self._news = []

    def render(self, view: str) -> str:
        """Return a view in the current language."""
        if view == BOARD:
            return self._board()
        if view.startswith(SESSION):
            return self._session(view.removeprefix(SESSION))
        return self._now()

    def _now(self) -> str:
        snapshot = self._queue.last.snapshot
        tasks = snapshot.tasks if snapshot else []
        limit = self._keys.limit_usd

        def make() -> str:
            asked = cards.questions(self._watcher, snapshot)
            return asked + now.render(self._watcher, tasks, limit)

        totals = snapshot.totals if snapshot else {}
        made_from = (now.cards_cache_key(self._watcher), tasks, totals, limit)
        shown = self._remembered(NOW, made_from, make)
        return (_problem(self._queue.last) if tasks else "") + shown

    def tasks(self) -> Tasks:
        """Return the tasks that the page knows, by their sessions."""
        snapshot = self._queue.last.snapshot
        return index(snapshot.tasks) if snapshot else {}

    def _board(self) -> str:
        problem, snapshot = _problem(self._queue.last), self._queue.last.snapshot
        if snapshot is None:
            none = f'<p class="empty" data-key="empty">{words.remedy("web.no_queue")}</p>'
            return problem or none
        return problem + self._remembered(BOARD, snapshot, lambda: board.render(snapshot))

    def _session(self, session: str) -> str:
        overview = overview_reader.read(self._where, session)
        if overview is None:
            return f'<p class="empty" data-key="gone">{say("web.gone")}</p>'
        watched = self._watcher.watched.get(session)
        task = find(self.tasks(), overview)
        parts = (now.current(overview), now.log(watched) if watched else "")
        live = "".join((*parts, now.actions(overview, task)))
        section = f'<div class="card" data-key="now">{live}</div>'
        report_ = f'<div data-key="report">{self._report(overview, task)}</div>'
        return self._question(overview, task) + (section if live else "") + report_

    def _question(self, overview: Overview, task: QueuedTask | None) -> str:
        """Return what a session asks; empty if it doesn't wait for the user."""
        if not overview.waits_for:
            return ""
        session = lookup.load_rounds(self._where, overview)
        return cards.question(session, self._watcher.shown, task)

    def _report(self, overview: Overview, task: QueuedTask | None) -> str:
        """Return the rounds, which takes a while."""
        request, where = (task.text, place(overview, task)) if task else ("", "")

        def make() -> str:
            session = lookup.load_with_steps(self._where, overview.session)
            if session is None:
                return ""
            stands = standing(session, session.outcome, task)
            return report.body(session, request, where, stands)

        changed = record_file.changed_at(self._where.verdicts(overview.session))
        made_from = (overview.changed_at, overview.phase, changed, task, where)
        return self._remembered(overview.session, made_from, make)

    def _remembered(self, name: str, made_from: object, make: Callable[[], str]) -> str:
        """Return a part in the current language; make it again if its source has changed."""
        key = (words.current_language(), name)
        known, part = self._parts.get(key, (None, ""))
        if known != made_from:
            part = make()
            while len(self._parts) >= _MOST_PARTS:
                del self._parts[next(iter(self._parts))]
            self._parts[key] = (made_from, part)
        return part

    def title(self, session: str) -> str:
        """Return the title of a session's page; empty if there is no such session."""
        if not names.is_session_id(session):
            return ""
        overview = overview_reader.read(self._where, session)
        return title(overview, find(self.tasks(), overview)) if overview else ""


def _problem(last: LastLook) -> str:
    """Return why the queue can't be seen as it is now; empty if it can."""
    if last.problem is None:
        return ""
    text = last.problem.explanation
    if last.snapshot is not None:
        moment = time.strftime("%H:%M:%S", time.localtime(last.snapshot.now))
        text += "\n" + words.say("web.queue_old", time=moment)
    return f'<p class="told" data-key="problem">{escaped(text)}</p>'
