"""What happens now: a card for each session, those at work first."""

import os
import time
from collections.abc import Iterable, Iterator

from ccc import words
from ccc.backlog import places
from ccc.backlog.task import FAILED, RUNNING, QueuedTask
from ccc.model.outcome import OUTCOMES
from ccc.model.overview import Figures, Overview, progress
from ccc.model.record import SessionRecord
from ccc.model.round import Round
from ccc.sessions.events import Event
from ccc.sessions.watcher import WatchedSession, Watcher, describe
from ccc.ui import formatting
from ccc.ui.page.markup import escaped, facts, heading, marked, say, tone
from ccc.web.cards import act, cancel, card, find, index, of_task, place, standing, title
from ccc.web.layout import button

_DAY = 86_400
_MOST_ENDED = 20
_MOST_EVENTS = 14
_MOST_ROUNDS = 5
_LONGEST_TITLE = 300
_LONGEST_LINE = 1_000
_LONGEST_REASON = 400
_SPEAKERS = {
    "agent": "run.who_agent",
    "tool": "run.who_agent",
    "says": "run.who_reviewer",
    "looks": "run.who_reviewer",
}
"""Who speaks in an event of each kind; the others are ccc's own."""
NEWS = ("asks", "verdict", "ended", "on", "off")
"""What a screen reader says; other kinds of events aren't worth it."""


def render(watcher: Watcher, tasks: Iterable[QueuedTask], limit_usd: float) -> str:
    """Return the cards; `limit_usd` is the cost limit of a session that has none of its own."""
    known = index(tasks)
    # an ended session that waits for an answer is among the questions
    shown = [each for each in watcher.shown if each.is_open or not each.waits_for]
    # newest first: an order that doesn't change while somebody reads
    shown.sort(key=lambda seen: (seen.created_at, seen.session), reverse=True)
    shown.sort(key=lambda seen: not seen.is_busy)
    sessions, since = {seen.session for seen in shown}, time.time() - _DAY
    ended_tasks = (task for task in tasks if task.state == FAILED and task.ended_at > since)
    # their setup may have failed, before there was a session
    failed = [_failure(task) for task in ended_tasks if task.session not in sessions]
    if not watcher.shown and not failed:
        text = f"{words.say('status.none')} {words.remedy('look.none')}"
        return f'<p class="empty" data-key="empty">{escaped(text)}</p>'

    def make(seen: Overview) -> str:
        return _card(watcher.watched[seen.session], find(known, seen), limit_usd)

    cards = [make(seen) for seen in shown if seen.is_open] + failed
    ended = [seen for seen in shown if not seen.is_open]
    cards += map(make, ended[:_MOST_ENDED])
    if len(ended) > _MOST_ENDED or watcher.is_full:
        link = f'<a href="/history">{say("web.in_history")}</a>'
        cards.append(f'<p class="quiet" data-key="more">{link}</p>')
    return "\n".join(cards)


def _failure(task: QueuedTask) -> str:
    button = act(task, "retry", words.say("web.retry"))
    content = f'{of_task(task).cause}<div class="actions">{button}</div>'
    return card(task, f"failed-{task.id}", content)


def cards_cache_key(watcher: Watcher) -> tuple[object, ...]:
    """Return what differs if a card does; much cheaper than the cards."""
    return watcher.is_full, tuple(
        (
            *(seen.session, seen.changed_at, seen.phase, seen.check, seen.since),
            *(len(watched.rounds), watched.events[-1].at if watched.events else 0.0),
        )
        for seen in watcher.shown
        for watched in (watcher.watched[seen.session],)
    )


def _card(watched: WatchedSession, task: QueuedTask | None, limit_usd: float) -> str:
    seen = watched.record.overview
    stands = standing(watched.record, seen.outcome, task)
    head = (
        f'<div class="top">{stands.pill}{_doing(seen)}'
        f'<span class="mono">{place(seen, task)}</span>'
        f"<span>{escaped(formatting.provider(seen.provider))}</span></div>"
    )
    name = escaped(title(seen, task)[:_LONGEST_TITLE])
    return f"""<article class="card {stands.tone}" data-key="{escaped(seen.session)}">
{head}
<h2><a href="/session/{escaped(seen.session)}">{name}</a></h2>
{stands.cause}{facts(_facts(watched.record, limit_usd))}
{_rounds(watched.record)}
{log(watched)}
{actions(seen, task)}
</article>"""


def current(seen: Overview) -> str:
    """Return what is being done and since when; the browser counts the seconds."""
    if not seen.is_stopping:
        return ""
    return f'<p class="current">{escaped(formatting.phase(seen.phase))} {_doing(seen)}</p>'


def _doing(seen: Overview) -> str:
    if not seen.is_stopping:
        return ""
    check = f"<code>{escaped(seen.check)}</code>" if seen.check else ""
    since = f' <time data-since="{seen.since:.0f}"></time>' if seen.since else ""
    return f'<span class="doing">{check}{since}</span>'


def _facts(session: SessionRecord, limit_usd: float) -> Iterator[tuple[str, str, str]]:
    seen = session.overview
    yield words.label("look.rounds"), progress(seen) if seen.round else "–", ""
    yield _cost(seen, session.figures, limit_usd)
    # as on the session's page
    if session.cached is not None:
        yield words.say("report.cached"), formatting.share(session.cached), ""
    kind = words.say("web.is_run") if seen.is_run else formatting.switch(seen.is_on)
    yield words.say("show.supervisor"), kind, ""


def _cost(seen: Overview, figures: Figures, limit_usd: float) -> tuple[str, str, str]:
    """Return the cost of the task with its limit, or that of the session if no limit applies."""
    most, label = seen.limit_usd or limit_usd, words.label("look.cost_usd")
    spent, source = figures.cost_usd, figures.cost_source
    if not most or not (seen.is_run or seen.is_on):
        return label, formatting.cost(spent, source, seen.is_run), ""
    if not seen.is_run:  # a run has one task
        spent, source = seen.cost_usd, seen.cost_source
    of_task = formatting.cost(spent, source, seen.is_run, of_task=True)
    return label, of_task, words.say("web.of_limit", limit=f"${most:g}")


def _rounds(session: SessionRecord) -> str:
    if not session.rounds:
        return ""
    most = _MOST_ROUNDS if session.overview.is_open else 1
    items = "".join(map(_round, session.rounds[-most:]))
    return f'<ol class="short" aria-label="{heading("look.rounds")}">{items}</ol>'


def _round(each: Round) -> str:
    reason = " ".join((each.failure or each.feedback).split())[:_LONGEST_REASON]
    if not each.was_reviewed and each.receipts and each.receipts[-1].is_failure:
        # the feedback is the output of the check
        reason = formatting.evidence_line(each.receipts[-1])
    more = " · ".join(formatting.round_facts(each)[1:])
    return (
        f"<li>{marked(OUTCOMES[each.outcome].mark)}"
        f"<span>{escaped(formatting.round_title(each))}</span>"
        f'<span class="quiet">{escaped(more)}</span>'
        f'<span class="reason">{escaped(reason)}</span></li>'
    )


def log(watched: WatchedSession) -> str:
    """Return the last events, newest last."""
    events = [event for event in watched.events if event.kind != "session"][-_MOST_EVENTS:]
    if not events or not (watched.seen and watched.seen.is_open):
        return ""  # the rounds of an ended session tell more
    # what was on record when the page was opened has no time of its own
    before = watched.events[0].at
    lines, speaker = [], ""
    for event in events:
        last, speaker = speaker, _SPEAKERS.get(event.kind, "")
        name = say(speaker) if speaker and speaker != last else ""
        lines.append(_line(event, event.at > before, name))
    return (
        f'<div class="log" role="group" aria-label="{say("web.log")}" tabindex="0">'
        f"<ol>{''.join(lines)}</ol></div>"
    )


def _line(event: Event, has_time: bool, name: str) -> str:
    """Return an event; `name` is its speaker's if another one spoke before."""
    moment = time.strftime("%H:%M:%S", time.localtime(event.at)) if has_time else ""
    mark = event.receipt.mark if event.receipt else event.mark
    text = escaped(describe(event)[:_LONGEST_LINE])
    who = f"<b>{name}</b> " if name else ""
    kind = escaped(event.kind)
    return f'<li class="{kind} {tone(mark)}"><time>{moment}</time> <span>{who}{text}</span></li>'


def actions(seen: Overview, task: QueuedTask | None) -> str:
    """Return what a person can do about an open session; that of a task belongs to the queue."""
    if not seen.is_open:
        return ""
    address = f"/session/{seen.session}"
    if task or (seen.is_run and places.is_worktree(os.environ, seen.directory)):
        if not task or task.state != RUNNING:
            return ""
        made = cancel(task)
    elif seen.is_run:
        ask = words.say("web.ask_stop")
        made = button(f"{address}/stop", words.say("web.stop"), ask)
    else:
        label = words.say("web.turn_off" if seen.is_on else "web.turn_on")
        word = "off" if seen.is_on else "on"
        made = button(f"{address}/supervise", label, word=word)
    return f'<div class="actions">{made}</div>'
