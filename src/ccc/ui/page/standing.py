"""How a session or a task stands: mark, colour and words, the same on every page."""

from dataclasses import dataclass

from ccc.model.outcome import OUTCOMES, PAUSE
from ccc.model.overview import WAITING
from ccc.model.record import SessionRecord
from ccc.ui import formatting
from ccc.ui.page import markup


@dataclass(frozen=True, slots=True)
class Standing:
    """What something does, or how it ended."""

    mark: str
    text: str
    reason: str = ""
    is_paused: bool = False  # whether it waits for the user, although its mark doesn't say so

    @property
    def tone(self) -> str:
        """The class that gives it its colour."""
        return "warn" if self.is_paused else markup.tone(self.mark)

    @property
    def pill(self) -> str:
        """The words as HTML."""
        return f'<span class="pill {self.tone}">{markup.escaped(self.text)}</span>'

    @property
    def cause(self) -> str:
        """The reason as HTML; empty if there is none."""
        return f'<p class="cause">{markup.escaped(self.reason)}</p>' if self.reason else ""


def of_session(session: SessionRecord, outcome: str) -> Standing:
    """Return what a session does now, else how the stop with this outcome ended."""
    seen = session.overview
    if seen.phase == WAITING:
        return Standing(seen.mark, formatting.phase(WAITING), is_paused=True)
    if seen.is_busy or not outcome:
        return Standing("▸" if seen.is_busy else "", formatting.phase(seen.phase))
    known = OUTCOMES[outcome]
    text = formatting.outcome(outcome, len(seen.not_run)) + formatting.wrong_note(session)
    return Standing(known.mark, text, is_paused=known.kind == PAUSE)
