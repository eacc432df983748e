"""`ccc show [SESSION]`: everything on record of one session."""

import sys

from ccc import words
from ccc.sessions import lookup, reasons
from ccc.storage.journal import stamp
from ccc.storage.paths import display_path
from ccc.supervision.outcome import INTERRUPTED, OUTCOMES
from ccc.system import terminal
from ccc.ui import formatting, rich_output
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.sessions.record import Job, Round, Session

STYLES = {"✓": "green", "✗": "red", "!": "yellow", "?": "yellow"}
"""Of the marks."""
LOGS = {
    "state": "show.state",
    "hook": "show.hook",
    "agent": "show.agent",
    "reviews": "show.reviews",
    "verdicts": "show.verdicts",
    "errors": "show.errors",
}


def main(arguments: list[str]) -> int:
    """Print one session: what was asked, each round and its reasons, where the logs are."""
    where, said = build_parser().begin(arguments)
    session = lookup.demand(where, said.SESSION)
    if said.json:
        print(terminal.as_json(values(session)))
        return 0
    Page(said.full).show(session)
    return 0


def build_parser() -> Parser:
    """The options of `ccc show`."""
    parser = Parser("show")
    parser.add_flags("--json")
    parser.add_argument("--full", "--all", "--verbose", "-v", action="store_true")
    parser.add_argument("SESSION", nargs="?", default="")
    return parser


class Page:
    """What is printed, wrapped at words where there is a terminal."""

    def __init__(self, is_full: bool) -> None:
        self._is_full = is_full
        self._console = rich_output.console()
        self._width = terminal.columns(sys.stdout)

    def show(self, session: "Session") -> None:
        """Print a session."""
        self._facts(session)
        for job in session.jobs:
            self._job(job, session.glance.session)
        if not session.jobs:
            self._put(words.say("show.no_rounds"), before="\n")
        if self._is_full:
            self._logs(session)

    def _logs(self, session: "Session") -> None:
        self._line()
        for name, path in session.logs.items():
            # a path is there to be copied: it stays on one line
            line = f"{words.say(LOGS[name])}  {path}"
            if self._width and terminal.width(line) > self._width:
                line = f"{words.say(LOGS[name])}\n  {path}"
            self._line(line, "dim")

    def _facts(self, session: "Session") -> None:
        told = facts(session)
        room = max(terminal.width(label) for label, _ in told) + 2
        for label, text in told:
            style = STYLES.get(session.glance.mark, "") if label == _outcome() else ""
            first, *rest = self._wrapped(text, room)
            line = rich_output.text(label + " " * (room - terminal.width(label)), "bold")
            self._console.print(line.append_text(rich_output.text(first, style)), soft_wrap=True)
            for more in rest:
                self._line(" " * room + more, style)

    def _job(self, job: "Job", session: str) -> None:
        self._line()
        self._put(job.request or words.say("show.no_request"), "bold")
        for later, each in job.later:
            for text in later:
                self._put(words.say("show.later", text=text), "bold", before="\n")
            self._round(each, session)

    def _round(self, each: "Round", session: str) -> None:
        mark = OUTCOMES[each.outcome].mark
        self._put(f"{mark} {formatting.round_title(each)}", STYLES.get(mark, ""), before="\n")
        self._put(" · ".join(formatting.round_facts(each)), "dim", 2)
        for receipt in each.receipts:
            self._put(formatting.evidence_line(receipt), "green" if receipt.passed else "red", 2)
            if self._is_full and receipt.output and not reasons.repeats(each, receipt.output):
                self._put(receipt.output, "dim", 6)
        for text, style, indent in reasons.lines(each, session, self._is_full):
            self._put(text, style, indent)

    def _put(self, text: str, style: str = "", indent: int = 0, before: str = "") -> None:
        """Print a text, each line so far to the right."""
        for number, line in enumerate(self._wrapped(text, indent)):
            self._line((before if number == 0 else "") + " " * indent + line, style)

    def _wrapped(self, text: str, indent: int) -> list[str]:
        plain = terminal.plain(text)
        if self._width is None:
            return plain.split("\n")
        return terminal.wrap(plain, max(20, self._width - indent))

    def _line(self, text: str = "", style: str = "") -> None:
        self._console.print(rich_output.text(text.rstrip(" "), style), soft_wrap=True)


def _outcome() -> str:
    return words.say("show.outcome")


def facts(session: "Session") -> list[tuple[str, str]]:
    """What can be said of a session in a line each."""
    seen, figures = session.glance, session.figures
    agent = formatting.money(figures.agent_usd, figures.agent_source)
    found = [
        (words.say("show.session"), seen.session),
        (words.say("show.project"), display_path(seen.directory)),
        (words.say("show.provider"), formatting.provider(seen.provider)),
        (words.say("show.model"), seen.model),
        (
            words.say("show.supervisor"),
            f"{formatting.switch(seen.is_on)} · {formatting.phase(seen.phase)}",
        ),
        (_outcome(), formatting.outcome_with_mark(session.outcome)),
        (words.say("show.rounds"), str(figures.rounds) if session.rounds else ""),
        (words.say("show.reviews_cost"), _reviews(session)),
        (words.say("show.judge"), _judges(session)),
        (words.say("show.agent_cost"), agent if figures.agent_usd else ""),
        (words.say("show.prices"), formatting.source(figures.cost_source)),
        (words.say("show.time"), formatting.clock(session.seconds) if session.seconds else ""),
    ]
    return [each for each in found if each[1]]


def _reviews(session: "Session") -> str:
    """What the reviews took, where there were some."""
    if not session.reviews:
        decided = any(r.receipts and r.outcome != INTERRUPTED for r in session.rounds)
        return words.say("show.no_reviews") if decided else ""
    cost = formatting.money(session.figures.reviews_usd, session.figures.reviews_source)
    parts = [str(session.reviews), cost]
    if session.cached is not None:
        parts.append(words.say("show.cached", n=formatting.share(session.cached)))
    return " · ".join(parts)


def _judges(session: "Session") -> str:
    """Who reviewed, where that was somebody else than the agent's own model."""
    own = session.glance
    found = {
        f"{formatting.provider(each.provider)} {each.model}".strip()
        for each in session.rounds
        if each.was_reviewed and (each.provider, each.model) != (own.provider, own.model)
    }
    return ", ".join(sorted(found))


def values(session: "Session") -> dict[str, object]:
    """What a program is told."""
    seen, figures = session.glance, session.figures
    return {
        **seen.values(),
        "outcome": session.outcome,
        "changed_at": stamp(seen.changed_at),
        "cost_usd": {
            "agent": figures.agent_usd,
            "reviews": figures.reviews_usd,
            "total": figures.cost_usd,
        },
        "cost_source": {
            "agent": figures.agent_source,
            "reviews": figures.reviews_source,
            "total": figures.cost_source,
        },
        "cached": session.cached,
        "seconds": session.seconds,
        "rounds": [_round_values(each) for each in session.rounds],
        "logs": dict(session.logs),
    }


def _round_values(each: "Round") -> dict[str, object]:
    from dataclasses import asdict

    from ccc.supervision.evidence import to_record

    return {
        **asdict(each),
        "receipts": list(map(to_record, each.receipts)),
        "cached": each.cached,
        "decided_at": stamp(each.decided_at),
    }
