"""What happens now: a card for each session, and what waits for a person."""

import time

from ccc import words
from ccc.sessions.events import Event
from ccc.sessions.overview import Overview, progress
from ccc.sessions.watcher import WatchedSession, Watcher, describe
from ccc.storage.paths import display_path
from ccc.supervision.outcome import OUTCOMES
from ccc.ui import formatting
from ccc.ui.page.markup import TONES, escaped, say
from ccc.web.layout import button

_MOST_EVENTS = 14
_MOST_ROUNDS = 6
_SHOWN_SECONDS = 86_400.0
_TONES = {"checking": "busy", "reviewing": "busy", "working": "busy", "open": "", "ended": ""}
_ASKS = ("needs_user", "plan")


def render(watcher: Watcher, limit_usd: float, form_token: str) -> str:
    """Return the cards, those at work first."""
    shown = sorted(watcher.shown, key=_rank)
    if not shown:
        return f'<p class="empty" data-key="empty">{say("web.nothing")}</p>'
    cards = [_card(seen, watcher.watched[seen.session], limit_usd, form_token) for seen in shown]
    return "\n".join(cards)


def _rank(seen: Overview) -> tuple[int, float]:
    order = ("reviewing", "checking", "working", "open", "ended")
    return order.index(seen.phase), -seen.changed_at


def waits_for_person(seen: Overview) -> bool:
    """Return whether the session's last stop needs the user, who hasn't answered yet."""
    return seen.outcome in _ASKS and not seen.is_stopping and seen.phase != "working"


def _card(seen: Overview, watched: WatchedSession, limit_usd: float, form_token: str) -> str:
    tone = "warn" if waits_for_person(seen) else _TONES[seen.phase]
    title = seen.request or words.say("show.no_request")
    head = (
        f'<div class="top"><span class="pill {tone}">{escaped(_phase(seen))}</span>'
        f'<span class="mono">{escaped(display_path(seen.directory))}</span>'
        f"<span>{escaped(formatting.provider(seen.provider))}</span></div>"
    )
    return f"""<article class="card {tone}" data-key="{escaped(seen.session)}">
{head}
<h2><a href="/session/{escaped(seen.session)}">{escaped(title[:300])}</a></h2>
{_current(seen)}
<dl class="facts">{_facts(seen, watched, limit_usd)}</dl>
{_question(seen)}
{_rounds(watched)}
{_log(watched)}
<div class="actions">{_actions(seen, form_token)}</div>
</article>"""


def _phase(seen: Overview) -> str:
    if waits_for_person(seen):
        return formatting.outcome(seen.outcome)
    return formatting.phase(seen.phase)


def _current(seen: Overview) -> str:
    """Return what is being done and since when; the browser counts the seconds."""
    if not seen.is_stopping:
        return ""
    what = f'<code class="mono">{escaped(seen.check)}</code>' if seen.check else ""
    since = f'<time class="since" data-since="{seen.since:.0f}"></time>' if seen.since else ""
    return f'<p class="current">{escaped(formatting.phase(seen.phase))} {what} {since}</p>'


def _facts(seen: Overview, watched: WatchedSession, limit_usd: float) -> str:
    figures = watched.figures
    cost = formatting.money(figures.cost_usd, figures.cost_source)
    limit = words.say("web.of_limit", limit=f"${limit_usd:g}") if limit_usd else ""
    facts = [
        (words.say("show.rounds"), progress(seen) if seen.round else "–", ""),
        (words.say("report.cost"), cost, limit),
    ]
    cached = [each.cached for each in watched.rounds if each.cached is not None]
    if cached:
        facts.append((words.say("report.cached"), formatting.share(cached[-1]), ""))
    state = words.say("web.is_on" if seen.is_on else "web.is_off")
    facts.append((words.say("web.supervision"), state, ""))
    return "".join(
        f"<div><dt>{escaped(label)}</dt><dd>{escaped(text)}"
        + (f"<small>{escaped(more)}</small>" if more else "")
        + "</dd></div>"
        for label, text, more in facts
    )


def _question(seen: Overview) -> str:
    if not waits_for_person(seen) or not seen.feedback:
        return ""
    return f'<p class="said question">{escaped(seen.feedback)}</p>'


def _rounds(watched: WatchedSession) -> str:
    if not watched.rounds:
        return ""
    items = []
    for each in watched.rounds[-_MOST_ROUNDS:]:
        mark = OUTCOMES[each.outcome].mark
        reason = " ".join((each.failure or each.feedback).split())
        facts = " · ".join(formatting.round_facts(each)[1:])
        items.append(
            f'<li><span class="mark {TONES.get(mark, "warn")}">{mark}</span>'
            f"<span>{escaped(formatting.round_title(each))}</span>"
            f'<span class="quiet">{escaped(facts)}</span>'
            f'<span class="reason">{escaped(reason[:400])}</span></li>'
        )
    return f'<ol class="short" aria-label="{say("report.rounds")}">{"".join(items)}</ol>'


def _log(watched: WatchedSession) -> str:
    events = [event for event in watched.events if event.kind != "session"][-_MOST_EVENTS:]
    if not events:
        return ""
    lines = "".join(map(_line, events))
    return f'<ol class="log" aria-label="{say("web.log")}" tabindex="0">{lines}</ol>'


def _line(event: Event) -> str:
    moment = time.strftime("%H:%M:%S", time.localtime(event.at))
    tone = TONES.get(event.mark, "")
    if event.receipt is not None:
        tone = "good" if event.receipt.passed else "bad"
    text = escaped(describe(event)[:1_000])
    return f'<li class="{escaped(event.kind)} {tone}"><time>{moment}</time> <span>{text}</span></li>'


def _actions(seen: Overview, form_token: str) -> str:
    address = f"/session/{escaped(seen.session)}"
    label = words.say("web.turn_off" if seen.is_on else "web.turn_on")
    word = "off" if seen.is_on else "on"
    parts = []
    if not seen.is_run and seen.is_open:
        parts.append(button(f"{address}/supervise", form_token, label, word=word))
    if seen.is_run and seen.is_open:
        ask = words.say("web.ask_stop")
        parts.append(button(f"{address}/stop", form_token, words.say("web.stop"), ask))
    return "".join(parts)


def news(event: Event) -> str:
    """Return what a screen reader says about an event; empty if it isn't worth saying."""
    return describe(event) if event.kind in ("verdict", "ended", "on", "off") else ""
