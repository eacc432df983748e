"""The status line of a session."""

import time
from typing import Any

from ccc import words
from ccc.sessions.overview import Overview
from ccc.system import terminal
from ccc.ui import formatting, table

_STATUS_WIDTH = 36


def render(overview: Overview, given: dict[str, Any], is_waiting: bool) -> str:
    """Return the status line; `given` is claude's description of the session."""
    waiting = [table.paint(words.say("statusline.waiting"), "yellow")] if is_waiting else []
    return " · ".join([*waiting, _status(overview), *_origin(overview, given)])


def _status(overview: Overview) -> str:
    if not overview.is_on:
        return table.paint(words.say("statusline.off"), "dim")
    count = f" {overview.round}/{overview.limit}" if overview.round and overview.limit else ""
    if overview.is_stopping:
        message = "statusline.checking" if overview.phase == "checking" else "statusline.reviewing"
        check = (
            f" {terminal.cut(terminal.plain(overview.check), _STATUS_WIDTH)}"
            if overview.check
            else ""
        )
        elapsed = formatting.clock(time.time() - overview.since)
        return table.paint(f"{words.say(message)}{count}{check} {elapsed}", "cyan")
    begin = words.say("statusline.on") + count
    if overview.phase == "waiting":
        asks = terminal.cut(
            formatting.question(overview.waits_for, overview.question), _STATUS_WIDTH
        )
        return table.paint(f"{begin} {overview.mark} {asks}", "yellow")
    if not overview.outcome:
        return begin
    is_sent_back = overview.outcome == "not_completed"
    result = formatting.outcome(overview.outcome, len(overview.not_run))
    reason = overview.feedback if is_sent_back else result
    mark = table.paint(overview.mark, table.MARKS.get(overview.mark, ""))
    return f"{begin} {mark} {table.cut(terminal.plain(reason), _STATUS_WIDTH)}"


def _origin(overview: Overview, given: dict[str, Any]) -> list[str]:
    """Return the provider, the model and the cost of the reviews."""
    model = given.get("model")
    name = model.get("display_name") if isinstance(model, dict) else ""
    shown = name if isinstance(name, str) and name else overview.model
    parts = [
        terminal.cut(terminal.plain(text), _STATUS_WIDTH) for text in (overview.provider, shown)
    ]
    if overview.is_on and overview.cost_usd:
        spent = overview.cost_usd, overview.cost_source
        parts.append(formatting.cost(*spent, overview.is_run, of_task=True))
    return [table.paint(part, "dim") for part in parts if part]
