"""The text of claude's status line about a session."""

import time

from ccc import words
from ccc.system import terminal
from ccc.ui import formatting, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.sessions.overview import Overview

_WIDEST = 36


def render(seen: "Overview", given: "dict[str, Any]", is_waiting: bool) -> str:
    """Return the line: supervision, provider, model and cost; `given` is claude's description."""
    waiting = [table.paint(words.say("statusline.waiting"), "yellow")] if is_waiting else []
    return " · ".join([*waiting, _supervision(seen), *_provider(seen, given)])


def _supervision(seen: "Overview") -> str:
    if not seen.is_on:
        return table.paint(words.say("statusline.off"), "dim")
    count = f" {seen.round}/{seen.limit}" if seen.round and seen.limit else ""
    if seen.is_stopping:
        message = "statusline.checking" if seen.phase == "checking" else "statusline.reviewing"
        check = f" {terminal.cut(terminal.plain(seen.check), _WIDEST)}" if seen.check else ""
        elapsed = formatting.clock(time.time() - seen.since)
        return table.paint(f"{words.say(message)}{count}{check} {elapsed}", "cyan")
    begin = words.say("statusline.on") + count
    if not seen.outcome:
        return begin
    is_sent_back = seen.outcome == "not_completed"
    reason = seen.feedback if is_sent_back else formatting.outcome(seen.outcome)
    mark = table.paint(seen.mark, table.MARKS.get(seen.mark, ""))
    return f"{begin} {mark} {table.cut(terminal.plain(reason), _WIDEST)}"


def _provider(seen: "Overview", given: "dict[str, Any]") -> list[str]:
    """Return the provider, the model and the cost of the reviews."""
    model = given.get("model")
    name = model.get("display_name") if isinstance(model, dict) else ""
    shown = name if isinstance(name, str) and name else seen.model
    parts = [terminal.cut(terminal.plain(text), _WIDEST) for text in (seen.provider, shown)]
    if seen.is_on and seen.cost_usd:
        parts.append(formatting.money(seen.cost_usd, seen.cost_source))
    return [table.paint(part, "dim") for part in parts if part]
