"""Format records in the user's language: outcomes, phases, times, costs, rounds."""

import os
import shlex
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ccc import words
from ccc.model.cost import ESTIMATE, is_estimate
from ccc.model.evidence import Evidence, Receipt, Signal
from ccc.model.outcome import INTERRUPTED, LABEL, OUTCOMES
from ccc.model.overview import Figures, Overview, progress
from ccc.model.record import SessionRecord
from ccc.model.round import Diff, Round
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import table

_SHORT = 12
_QUESTION_WIDTH = 32
_HEADINGS = (
    *("look.session", "look.project", "look.provider", "look.supervisor", "look.phase"),
    *("look.rounds", "look.outcome", "look.cost_usd", "look.changed", "look.task"),
)
_PROJECT, _PROVIDER, _MODE, _PHASE, _ROUNDS, _OUTCOME, _COST, _AGE, _TASK = range(1, 10)
"""The columns after the session, by their position."""
_DROPPED_FIRST = (_PROVIDER, _MODE, _ROUNDS, _COST, _AGE, _PROJECT, _TASK)
_TASK_WIDTH, _LEAST_TASK = 60, 20
WIDEST_CALL = 100
# the most informative argument of a call, by the names that claude's tools use
_TELLING = ("command", "file_path", "path", "pattern", "query", "url", "description", "prompt")
_PHASES = {
    "ended": "look.ended",
    "open": "look.open",
    "working": "look.working",
    "waiting": "look.waiting",
    "checking": "look.checking",
    "reviewing": "look.reviewing",
}
_QUESTIONS = {"permission": "look.asks_permission", "plan": "look.asks_plan"}
PHASE_STYLES = {"working": "yellow", "waiting": "yellow", "ended": "dim"}
PHASE_STYLES |= dict.fromkeys(("checking", "reviewing"), "cyan")
_AGES = ((60, 1, "look.seconds"), (3_600, 60, "look.minutes_ago"), (86_400, 3_600, "look.hours"))


def outcome(name: str, not_run: int = 0) -> str:
    """Return the outcome of a stop in words, or its name if a newer ccc wrote it.

    A completed one says how many checks could not run.
    """
    label = words.say(OUTCOMES[name].message(LABEL)) if name in OUTCOMES else name
    if name != "completed" or not not_run:
        return label
    return words.say("look.without_checks", outcome=label, checks=words.count("checks", not_run))


def phase(name: str) -> str:
    """Return a session's phase in words."""
    return words.say(_PHASES[name])


def question(kind: str, text: str) -> str:
    """Return what claude asks the user: for a permission, for an answer or to approve a plan."""
    name = words.say(_QUESTIONS.get(kind, "look.asks"))
    return words.say("look.asks_for", kind=name, text=terminal.plain(text)) if text else name


def switch(is_on: bool) -> str:
    """Return in words whether a session is supervised."""
    return words.say("look.on") if is_on else words.say("look.off")


def _row(overview: Overview, figures: Figures) -> list[str]:
    at = phase(overview.phase) + (f" {progress(overview)}" if overview.is_stopping else "")
    return [
        overview.session[:8],
        display_path(overview.directory) or "-",
        provider(overview.provider),
        switch(overview.is_on),
        at,
        str(figures.rounds),
        _last_outcome(overview),
        cost(figures.cost_usd, figures.cost_source, overview.is_run),
        age(overview.changed_at),
        table.cut(terminal.plain(overview.request), _TASK_WIDTH) or "-",
    ]


def _last_outcome(overview: Overview) -> str:
    if overview.phase != "waiting":
        return outcome_with_mark(overview.outcome, len(overview.not_run))
    asks = question(overview.waits_for, overview.question)
    return terminal.cut(f"{overview.mark} {asks}", _QUESTION_WIDTH)


def session_table(
    shown: Sequence[tuple[Overview, Figures]], width: int | None
) -> tuple[list[list[str]], dict[int, int], list[dict[int, str]]]:
    """Return headings and rows that fit the width, the columns that may shrink, and row styles."""
    rows = [[words.say(heading) for heading in _HEADINGS], *(_row(*each) for each in shown)]
    order = list(range(len(_HEADINGS)))
    widths = [max(map(terminal.width, column)) for column in zip(*rows, strict=True)]
    widths[_PROJECT], widths[_TASK] = min(widths[_PROJECT], _SHORT), min(widths[_TASK], _LEAST_TASK)
    for column in _DROPPED_FIRST if width is not None else ():
        if sum(widths[n] + 2 for n in order) - 2 <= (width or 0):
            break
        order.remove(column)
    at_phase, at_outcome = order.index(_PHASE), order.index(_OUTCOME)
    shrinking = {_PROJECT: 8, _TASK: _LEAST_TASK}
    least = {order.index(n): cells for n, cells in shrinking.items() if n in order}
    least = least or {at_outcome: 2}
    styles = [
        {
            at_phase: PHASE_STYLES.get(overview.phase, ""),
            at_outcome: table.MARKS.get(overview.mark, ""),
        }
        for overview, _ in shown
    ]
    return [[cells[n] for n in order] for cells in rows], least, styles


def provider(name: str) -> str:
    """Return the provider's name, or a note that the session uses claude's own login."""
    return name or words.say("look.own_account")


def outcome_with_mark(name: str, not_run: int = 0) -> str:
    """Return the outcome of a session with its mark, or a dash if there is none yet."""
    return f"{OUTCOMES[name].mark} {outcome(name, not_run)}" if name else "-"


def session_outcome(session: SessionRecord) -> str:
    """Return the outcome of a session, with the user's mark if the last verdict was wrong."""
    return outcome_with_mark(session.outcome, len(session.overview.not_run)) + wrong_note(session)


def wrong_note(session: SessionRecord) -> str:
    """Return what to add to a session's outcome if the user has marked its verdict as wrong."""
    last = next((each for each in reversed(session.rounds) if each.has_verdict), None)
    return f" · {words.say('show.wrong')}" if last and last.wrong else ""


def age(moment: float) -> str:
    """Return how long ago a moment was."""
    seconds = max(0, int(time.time() - moment))
    for most, unit, message in _AGES:
        if seconds < most:
            return words.say(message, n=seconds // unit)
    return words.say("look.days", n=seconds // 86_400)


def clock(seconds: float) -> str:
    """Return minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def money(usd: float, source: str = "") -> str:
    """Return an amount in dollars; `~` means that claude estimated at least part of it."""
    amount = f"${usd:.4f}" if usd < 10 else f"${usd:.2f}"
    return f"~{amount}" if usd and is_estimate(source) else amount


def cost(usd: float, source: str, is_run: bool, of_task: bool = False) -> str:
    """Return a cost and what it counts: agent and reviews of a run, else reviews alone."""
    counts = "cost.total" if is_run else "cost.of_task" if of_task else "cost.reviews"
    return words.say(counts, cost=money(usd, source))


def resume_command(seen: Overview) -> str:
    """Return the command that opens the session with claude's id, its provider and its name."""
    is_named = not seen.is_run and seen.conversation != seen.session
    named = f"CCC_SUPERVISOR_ID={seen.session}" if is_named else ""
    provider = shlex.quote(seen.provider) if seen.provider else ""
    command = "ccc", provider, "--resume", shlex.quote(seen.conversation)
    return " ".join(filter(None, (named, *command)))


def source(name: str) -> str:
    """Return the source of a cost in words."""
    return name.replace(ESTIMATE, words.say("look.estimate"))


def share(cached: float | None) -> str:
    """Return the cached share as a percentage."""
    return "-" if cached is None else f"{cached:.0%}"


def round_name(each: Round) -> str:
    """Name a round by its number; a stop that was not reviewed comes after the last round."""
    if not each.is_judged and each.outcome != INTERRUPTED:
        after = "show.after_round" if each.number else "show.before_rounds"
        return words.say(after, n=each.number)
    return words.say("show.round", n=progress(each))


def round_title(each: Round) -> str:
    """Return the title of a round: its number and outcome."""
    return f"{round_name(each)} · {round_outcome(each)}"


def round_outcome(each: Round) -> str:
    """Return the outcome of a round, with the user's mark if the verdict was wrong."""
    label = outcome(each.outcome, len([r for r in each.receipts if r.obstacle]))
    return f"{label} · {words.say('show.wrong')}" if each.wrong else label


def round_facts(each: Round) -> list[str]:
    """Return a round's time, duration, cost, cached share and size of changes."""
    facts = [
        time.strftime("%H:%M:%S", time.localtime(each.decided_at)) if each.decided_at else "",
        words.say("time.seconds", n=f"{each.took:.0f}"),
    ]
    if each.was_reviewed:
        cost = money(each.cost_usd, each.cost_source)
        facts += [cost, words.say("show.cached", n=share(each.cached))]
    elif each.outcome != INTERRUPTED:
        facts.append(words.say("show.no_model"))
    if each.diff:
        facts.append(diff(each.diff))
    if each.changed_tree:
        facts.append(words.say("show.changed_tree"))
    return [text for text in facts if text]


def diff(size: Diff) -> str:
    """Return the size of the changes in words."""
    if not size.files:
        return words.say("show.no_changes")
    return f"{words.count('files', size.files)} +{size.added} −{size.removed}"


def checks_at_limit(evidence: Sequence[Evidence]) -> str:
    """Return the result of the checks at a limit, as the end of a sentence."""
    evidence = [each for each in evidence if isinstance(each, Receipt) and not each.obstacle]
    if not evidence:
        return ""
    if evidence[-1].passed:
        return words.say("look.checks_pass")
    return words.say("look.checks_fail", command=evidence[-1].name)


def evidence_line(evidence: Evidence) -> str:
    """Return a check and its result on one line."""
    return f"{evidence.mark} {evidence_name(evidence)}  {evidence_end(evidence)}".rstrip()


def evidence_name(evidence: Evidence) -> str:
    """Return the command of a check, or a signal in the user's language."""
    if not isinstance(evidence, Signal):
        return evidence.name
    try:
        return words.say(f"signal.{evidence.name}")
    except KeyError:  # of a later ccc
        return evidence.name


def evidence_end(evidence: Evidence) -> str:
    """Return how a check ended and how long it took, or where a signal is."""
    if not isinstance(evidence, Receipt):
        return evidence.place if isinstance(evidence, Signal) else evidence.summary
    if evidence.obstacle:
        ended = words.say("check.cannot_run", reason=evidence.obstacle)
    elif evidence.exit_code is None:
        ended = words.say("run.no_end")
    else:
        ended = words.say("run.exit", n=evidence.exit_code)
    seconds = words.say("time.seconds", n=f"{evidence.seconds:.1f}")
    return f"{ended} · {seconds}"


def call_text(
    name: str, given: Mapping[str, Any], most: int = WIDEST_CALL, project: str = ""
) -> str:
    """Return a short form of a tool call, with paths relative to the project."""
    detail = next((str(given[key]) for key in _TELLING if given.get(key)), "")
    detail = detail.replace(project + os.sep, "") if project else detail
    return terminal.cut(terminal.plain(f"{name} {detail}"), most)
