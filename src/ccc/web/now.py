"""What happens now: a card for each session, those at work first."""

import os
import time
from collections.abc import Callable

from ccc import words
from ccc.backlog import places
from ccc.backlog.task import RUNNING, Task
from ccc.sessions.events import Event
from ccc.sessions.overview import Figures, Overview, progress
from ccc.sessions.record import Round, Session
from ccc.sessions.watcher import WatchedSession, Watcher, describe
from ccc.supervision.outcome import OUTCOMES
from ccc.ui import formatting
from ccc.ui.page.markup import TONES, escaped, say
from ccc.web.layout import Question, button
from ccc.web.tasks import Tasks, cancel, find, place, title
from ccc.web.waiting import waits_for_person

_ENDED = 2
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
_TOLD = ("verdict", "ended", "on", "off")


def render(watcher: Watcher, tasks: Tasks, limit_usd: float) -> str:
    """Return the cards; `limit_usd` is the cost limit of a session that has none of its own."""
    # an ended session that waits for an answer is among the questions
    shown = [each for each in watcher.shown if each.is_open or not waits_for_person(each)]
    # newest first: an order that doesn't change while somebody reads
    shown.sort(key=lambda seen: (seen.created_at, seen.session), reverse=True)
    shown.sort(key=_rank)
    if not watcher.shown:
        return f'<p class="empty" data-key="empty">{say("web.nothing")}</p>'
    ended = [each for each in shown if _rank(each) == _ENDED][_MOST_ENDED:]
    shown = shown[: len(shown) - len(ended)]

    def card(seen: Overview) -> str:
        return _card(seen, watcher.watched[seen.session], find(tasks, seen), limit_usd)

    more = f'<p class="quiet" data-key="more"><a href="/history">{say("web.in_history")}</a></p>'
    cards = [_safe(card, seen) for seen in shown]
    return "\n".join([*cards, more] if ended or watcher.is_full else cards)


def _safe(card: Callable[[Overview], str], seen: Overview) -> str:
    """Return a card; a record that can't be shown must not hide the other sessions."""
    try:
        return card(seen)
    except Exception:
        text = say("web.not_shown", session=seen.session)
        return f'<article class="card" data-key="{escaped(seen.session)}"><p>{text}</p></article>'


def traces(watcher: Watcher) -> tuple[object, ...]:
    """Return what differs if a card does; much cheaper than the cards."""
    return watcher.is_full, tuple(
        (
            *(seen.session, seen.changed_at, seen.phase, seen.check, seen.since),
            *(len(watched.rounds), watched.events[-1].at if watched.events else 0.0),
        )
        for seen in watcher.shown
        for watched in (watcher.watched[seen.session],)
    )


def _rank(seen: Overview) -> int:
    """Return the group of a session: at work, open, ended."""
    return 0 if seen.is_busy else 1 if seen.is_open else _ENDED


def _card(seen: Overview, watched: WatchedSession, task: Task | None, limit_usd: float) -> str:
    tone = "busy" if seen.is_busy else TONES.get(seen.mark, "") if seen.outcome else ""
    tone = "warn" if waits_for_person(seen) else tone
    state = escaped(formatting.session_state(seen))
    head = (
        f'<div class="top"><span class="pill {tone}">{state}</span>{_doing(seen)}'
        f'<span class="mono">{place(seen, task)}</span>'
        f"<span>{escaped(formatting.provider(seen.provider))}</span></div>"
    )
    name = escaped(title(seen, task)[:_LONGEST_TITLE])
    return f"""<article class="card {tone}" data-key="{escaped(seen.session)}">
{head}
<h2><a href="/session/{escaped(seen.session)}">{name}</a></h2>
<dl class="facts">{_facts(seen, watched, limit_usd)}</dl>
{_rounds(seen, watched)}
{log(watched)}
{actions(seen, "/", task)}
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


def _facts(seen: Overview, watched: WatchedSession, limit_usd: float) -> str:
    facts = [
        (words.say("show.rounds"), progress(seen) if seen.round else "–", ""),
        _cost(seen, watched.figures, limit_usd),
    ]
    # as on the session's page
    if (cached := Session(seen, tuple(watched.rounds)).cached) is not None:
        facts.append((words.say("report.cached"), formatting.share(cached), ""))
    kind = words.say("web.is_run") if seen.is_run else formatting.switch(seen.is_on)
    facts.append((words.say("web.supervision"), kind, ""))
    return "".join(
        f"<div><dt>{escaped(label)}</dt><dd>{escaped(text)}"
        + (f"<small>{escaped(more)}</small>" if more else "")
        + "</dd></div>"
        for label, text, more in facts
    )


def _cost(seen: Overview, figures: Figures, limit_usd: float) -> tuple[str, str, str]:
    """Return the cost of the task with its limit, or that of the session if no limit applies."""
    most = seen.limit_usd or limit_usd
    of_session = formatting.money(figures.cost_usd, figures.cost_source)
    if not most or not (seen.is_run or seen.is_on):
        return words.say("report.cost"), of_session, ""
    # a run has one task
    of_task = of_session if seen.is_run else formatting.money(seen.cost_usd, seen.cost_source)
    return words.say("web.task_cost"), of_task, words.say("web.of_limit", limit=f"${most:g}")


def _rounds(seen: Overview, watched: WatchedSession) -> str:
    if not watched.rounds:
        return ""
    items = "".join(map(_round, watched.rounds[-_MOST_ROUNDS if seen.is_open else -1 :]))
    return f'<ol class="short" aria-label="{say("report.rounds")}">{items}</ol>'


def _round(each: Round) -> str:
    mark = OUTCOMES[each.outcome].mark
    reason = " ".join((each.failure or each.feedback).split())[:_LONGEST_REASON]
    if not each.was_reviewed and each.receipts and each.receipts[-1].is_failure:
        # the feedback is the output of the check
        reason = formatting.evidence_line(each.receipts[-1])
    facts = " · ".join(formatting.round_facts(each)[1:])
    return (
        f'<li><span class="mark {TONES.get(mark, "warn")}" aria-hidden="true">{mark}</span>'
        f"<span>{escaped(formatting.round_title(each))}</span>"
        f'<span class="quiet">{escaped(facts)}</span>'
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
    tone = TONES.get(event.mark, "")
    if event.receipt is not None:
        tone = "good" if event.receipt.passed else "bad"
    text = escaped(describe(event)[:_LONGEST_LINE])
    who = f"<b>{name}</b> " if name else ""
    kind = escaped(event.kind)
    return f'<li class="{kind} {tone}"><time>{moment}</time> <span>{who}{text}</span></li>'


def actions(seen: Overview, back: str, task: Task | None) -> str:
    """Return what a person can do about an open session; that of a task belongs to the queue."""
    if not seen.is_open:
        return ""
    address = f"/session/{seen.session}"
    if task or (seen.is_run and places.is_worktree(os.environ, seen.directory)):
        if not task or task.state != RUNNING:
            return ""
        made = cancel(task, back)
    elif seen.is_run:
        label = words.say("web.stop")
        ask = Question(words.say("web.ask_stop"), label)
        made = button(f"{address}/stop", label, ask, back=back)
    else:
        label = words.say("web.turn_off" if seen.is_on else "web.turn_on")
        word = "off" if seen.is_on else "on"
        made = button(f"{address}/supervise", label, back=back, word=word)
    return f'<div class="actions">{made}</div>'


def news(event: Event) -> str:
    """Return what a screen reader says about an event; empty if it isn't worth saying."""
    return describe(event) if event.kind in _TOLD else ""
