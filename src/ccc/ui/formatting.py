"""Format records in the user's language: outcomes, phases, times, costs, rounds."""

import time

from ccc import words
from ccc.providers import cost_source
from ccc.sessions.overview import progress
from ccc.storage.paths import display_path
from ccc.supervision.outcome import INTERRUPTED, LABEL, OUTCOMES
from ccc.system import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccc.sessions.overview import Figures, Overview
    from ccc.sessions.record import Diff, Round
    from ccc.supervision.evidence import Evidence

_SHORT = 12
_HEADINGS = (
    *("look.session", "look.project", "look.provider", "look.supervisor", "look.phase"),
    *("look.rounds", "look.outcome", "look.cost_usd", "look.changed"),
)
PROJECT, PROVIDER, MODE, PHASE, ROUNDS, OUTCOME, COST, AGE = range(1, 9)
"""The columns after the session, by their position."""
_DROPPED_FIRST = (PROVIDER, MODE, ROUNDS, AGE, COST, PROJECT)
_PHASES = {
    "ended": "look.ended",
    "open": "look.open",
    "working": "look.working",
    "checking": "look.checking",
    "reviewing": "look.reviewing",
}
_AGES = ((60, 1, "look.seconds"), (3_600, 60, "look.minutes_ago"), (86_400, 3_600, "look.hours"))


def outcome(name: str) -> str:
    """Return the outcome of a stop in words, or its name if a newer ccc wrote it."""
    return words.say(OUTCOMES[name].message(LABEL)) if name in OUTCOMES else name


def phase(name: str) -> str:
    """Return a session's phase in words."""
    return words.say(_PHASES[name])


def switch(is_on: bool) -> str:
    """Return in words whether a session is supervised."""
    return words.say("look.on") if is_on else words.say("look.off")


def _row(seen: "Overview", figures: "Figures") -> list[str]:
    at = f"{phase(seen.phase)} {progress(seen)}" if seen.is_stopping else phase(seen.phase)
    return [
        seen.session[:8],
        display_path(seen.directory) or "-",
        provider(seen.provider),
        switch(seen.is_on),
        at,
        str(figures.rounds),
        outcome_with_mark(seen.outcome),
        money(figures.cost_usd, figures.cost_source),
        age(seen.changed_at),
    ]


def session_table(
    shown: "Sequence[tuple[Overview, Figures]]", width: int | None
) -> tuple[list[list[str]], list[int]]:
    """Return headings and rows, and the columns that fit the width with a short project."""
    rows = [[words.say(heading) for heading in _HEADINGS], *(_row(*each) for each in shown)]
    order = list(range(len(_HEADINGS)))
    if width is None:
        return rows, order
    widths = [max(map(terminal.width, column)) for column in zip(*rows, strict=True)]
    widths[PROJECT] = min(widths[PROJECT], _SHORT)
    for column in _DROPPED_FIRST:
        if sum(widths[n] + 2 for n in order) - 2 <= width:
            break
        order.remove(column)
    return [[cells[n] for n in order] for cells in rows], order


def least_widths(order: "Sequence[int]") -> dict[int, int]:
    """Return the column that may shrink and its minimum width: the project, else the outcome."""
    return {order.index(PROJECT): 8} if PROJECT in order else {order.index(OUTCOME): 2}


def provider(name: str) -> str:
    """Return the provider's name, or a note that the session uses claude's own login."""
    return name or words.say("look.own_account")


def outcome_with_mark(name: str) -> str:
    """Return the outcome of a session with its mark, or a dash if there is none yet."""
    return f"{OUTCOMES[name].mark} {outcome(name)}" if name else "-"


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
    return f"~{amount}" if usd and cost_source.is_estimate(source) else amount


def source(name: str) -> str:
    """Return the source of a cost in words."""
    return name.replace(cost_source.ESTIMATE, words.say("look.estimate"))


def share(cached: float | None) -> str:
    """Return the cached share as a percentage."""
    return "-" if cached is None else f"{cached:.0%}"


def round_name(each: "Round") -> str:
    """Name a round by its number; a stop that was not reviewed comes after the last round."""
    if not each.is_judged and each.outcome != INTERRUPTED:
        after = "show.after_round" if each.number else "show.before_rounds"
        return words.say(after, n=each.number)
    return words.say("show.round", n=progress(each))


def round_title(each: "Round") -> str:
    """Return the title of a round: its number and outcome."""
    return f"{round_name(each)} · {outcome(each.outcome)}"


def round_facts(each: "Round") -> list[str]:
    """Return a round's time, duration, cost, cached share and size of changes."""
    facts = [
        time.strftime("%H:%M:%S", time.localtime(each.decided_at)) if each.decided_at else "",
        words.say("show.seconds", n=f"{each.took:.0f}"),
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


def diff(size: "Diff") -> str:
    """Return the size of the changes in words."""
    if not size.files:
        return words.say("show.no_changes")
    return f"{words.count('files', size.files)} +{size.added} −{size.removed}"


def checks_at_limit(evidence: "Sequence[Evidence]") -> str:
    """Return the result of the checks at a limit, as the end of a sentence."""
    if not evidence:
        return ""
    if evidence[-1].passed:
        return words.say("look.checks_pass")
    return words.say("look.checks_fail", command=evidence[-1].name)


def evidence_line(evidence: "Evidence") -> str:
    """Return a check and its result on one line."""
    mark = "✓" if evidence.passed else "✗"
    return f"{mark} {evidence.name}  {evidence_end(evidence)}"


def evidence_end(evidence: "Evidence") -> str:
    """Return how a check ended and how long it took, or the summary of other evidence."""
    from ccc.supervision.evidence import Receipt  # here: a status line has no receipts

    if not isinstance(evidence, Receipt):
        return evidence.summary
    if evidence.exit_code is None:
        ended = words.say("show.no_exit")
    else:
        ended = words.say("show.exit", n=evidence.exit_code)
    seconds = words.say("show.seconds", n=f"{evidence.seconds:.1f}")
    return f"{ended} · {seconds}"
