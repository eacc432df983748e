"""`ccc show [SESSION]`: print everything recorded about one session, or mark a wrong verdict."""

import sys

from ccc import words
from ccc.model.outcome import INTERRUPTED, OUTCOMES
from ccc.model.record import SessionRecord, TaskRounds
from ccc.model.round import RIGHT, WRONG, Round, Step
from ccc.sessions import lookup
from ccc.storage.paths import Paths, display_path
from ccc.system import terminal
from ccc.ui import formatting, table
from ccc.ui.arguments import Parser

_MARKED = {WRONG: "show.marked_wrong", RIGHT: "show.marked_right"}
_STEPS = 4
_STEP_WIDTH = 60
_CLOSING_WIDTH = 240
_RESULT_LINES = 12


def main(arguments: list[str]) -> int:
    """Print one session: the requests, each round and its reasons, and the paths of the logs."""
    parser = build_parser()
    where, options = parser.begin(arguments)
    if options.round is not None and not options.mark:
        parser.error(words.say("show.round_of_mark"))
    session = lookup.find(where, options.SESSION)
    if options.mark:
        _mark(where, session, options.round or 0, options.mark)
    elif options.json:
        print(terminal.as_json(lookup.values(session)))
    else:
        _SessionPrinter(options.full).print(session)
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc show`."""
    parser = Parser("show")
    parser.add_flags("--json")
    parser.add_argument("--full", "--all", "--verbose", "-v", action="store_true")
    for mark in (WRONG, RIGHT):
        parser.add_argument(f"--{mark}", dest="mark", action="store_const", const=mark, default="")
    parser.add_argument("--round", type=int)
    parser.add_argument("SESSION", nargs="?", default="")
    return parser


def _mark(where: Paths, session: SessionRecord, number: int, mark: str) -> None:
    """Mark a verdict and print how to make a case of a wrong one."""
    each = lookup.find_round(session, number)
    lookup.mark(where, session, each, mark)
    name = f"{formatting.round_name(each)} · {formatting.outcome(each.outcome)}"
    told = words.say(_MARKED[mark], session=session.overview.session[: lookup.SHORT_ID], round=name)
    print(terminal.fit(told, sys.stdout))
    if mark == WRONG:
        truth = "not-done" if each.outcome == "completed" else "done"
        command = f"ccc eval add {lookup.unique_id_of(where, session)} --truth {truth} --kind KIND"
        command += f" --round {number}" if number else ""
        print(terminal.fit(words.say("show.make_case"), sys.stdout))
        print(f"  {command}")


class _SessionPrinter:
    """Prints a session, wrapped at words on a terminal."""

    def __init__(self, is_full: bool) -> None:
        self._is_full = is_full
        self._width = terminal.columns(sys.stdout)

    def print(self, session: SessionRecord) -> None:
        """Print a session."""
        self._print_facts(session)
        for task in session.tasks:
            self._print_task(task, session.overview.session)
        if not session.tasks:
            self._print_text(words.say("show.no_rounds"), before="\n")
        if self._is_full:
            self._print_logs(session)

    def _print_logs(self, session: SessionRecord) -> None:
        self._print_line()
        for name, path in session.logs.items():
            title = words.say(f"show.{name}")
            # keep a path on one line, so that it can be copied
            line = terminal.plain(f"{title}  {path}")
            if self._width and terminal.width(line) > self._width:
                line = terminal.plain(f"{title}\n  {path}")
            self._print_line(line, "dim")

    def _print_facts(self, session: SessionRecord) -> None:
        pairs = _facts(session)
        room = max(terminal.width(label) for label, _ in pairs) + 2
        for label, text in pairs:
            is_outcome = label == words.label("look.outcome")
            style = table.MARKS.get(session.overview.mark, "") if is_outcome else ""
            first, *rest = self._wrap(text, room)
            label += " " * (room - terminal.width(label))
            self._print_line(self._paint(label, "bold") + self._paint(first, style))
            for more in rest:
                self._print_line(" " * room + more, style)

    def _print_task(self, task: TaskRounds, session: str) -> None:
        self._print_line()
        self._print_text(task.request or words.say("show.no_request"), "bold")
        for later_requests, each in task.rounds_with_requests:
            for text in later_requests:
                self._print_text(f"› {text}", "bold", before="\n")
            self._print_round(each, session)

    def _print_round(self, each: Round, session: str) -> None:
        mark = OUTCOMES[each.outcome].mark
        title = f"{mark} {formatting.round_title(each)}"
        self._print_text(title, table.MARKS.get(mark, ""), before="\n")
        self._print_text(" · ".join(formatting.round_facts(each)), "dim", 2)
        for receipt in each.receipts:
            style = table.MARKS.get(receipt.mark, "")
            self._print_text(formatting.evidence_line(receipt), style, 2)
            # the feedback may already contain the output
            if self._is_full and receipt.output and receipt.output.strip() not in each.feedback:
                self._print_text(receipt.output, "dim", 6)
        self._print_review(each, session)

    def _print_review(self, each: Round, session: str) -> None:
        shown = each.steps if self._is_full else each.steps[:_STEPS]
        if shown:
            calls = words.count("calls", len(each.steps))
            self._print_text(words.say("show.reviewer", calls=calls), indent=2)
        for step in shown:
            self._print_step(step)
        if more := len(each.steps) - len(shown):
            command = f"ccc show {session[:8]} --full"
            text = words.say("look.more", n=more, command=command)
            self._print_text(f"… {text}", "dim", 4)
        closing = each.closing
        if not self._is_full:
            # the feedback says the same in more detail
            is_repeated = each.outcome == "not_completed"
            closing = "" if is_repeated else table.cut(closing, _CLOSING_WIDTH)
        if closing:
            self._print_text(f"“{closing}”", indent=2)
        if reason := each.failure or each.feedback:
            self._print_text(reason, indent=2)

    def _print_step(self, step: Step) -> None:
        call, style = f"● {step.tool} {step.call}", "red" if step.failed else "cyan"
        if self._is_full:
            self._print_text(call, style, 4)
            if result := "\n".join(step.seen.splitlines()[-_RESULT_LINES:]):
                self._print_text(result, "dim", 8)
            return
        lines = [line.strip() for line in step.seen.splitlines() if line.strip()]
        # the end of a command's output is the most useful part
        is_shown = lines and (step.tool == "Bash" or step.failed)
        result = f" → {table.cut(lines[-1], _STEP_WIDTH)}" if is_shown else ""
        self._print_text(table.cut(call, _STEP_WIDTH) + result, style, 4)

    def _print_text(self, text: str, style: str = "", indent: int = 0, before: str = "") -> None:
        for number, line in enumerate(self._wrap(text, indent)):
            self._print_line((before if number == 0 else "") + " " * indent + line, style)

    def _wrap(self, text: str, indent: int) -> list[str]:
        plain = terminal.plain(text)
        if self._width is None:
            return plain.split("\n")
        return terminal.wrap(plain, max(20, self._width - indent))

    def _print_line(self, text: str = "", style: str = "") -> None:
        print(self._paint(text.rstrip(" "), style))

    def _paint(self, text: str, style: str) -> str:
        return table.paint(text, style) if self._width else text


def _facts(session: SessionRecord) -> list[tuple[str, str]]:
    overview, figures = session.overview, session.figures
    switch = formatting.switch(overview.is_on)
    agent = formatting.money(figures.agent_usd, figures.agent_source)
    pairs = {
        "look.session": overview.session,
        "show.resume": "" if overview.is_open else formatting.resume_command(overview),
        "look.project": display_path(overview.directory),
        "look.provider": formatting.provider(overview.provider),
        "show.model": overview.model,
        "show.supervisor": f"{switch} · {formatting.phase(overview.phase)}",
        "look.outcome": formatting.session_outcome(session),
        "look.rounds": str(figures.rounds) if session.rounds else "",
        "show.reviews_cost": _reviews(session),
        "show.reviewers": _reviewers(session),
        "show.agent_cost": agent if figures.agent_usd else "",
        "show.prices": formatting.source(figures.cost_source),
        "queue.head_time": formatting.clock(session.seconds) if session.seconds else "",
    }
    return [(words.label(label), value) for label, value in pairs.items() if value]


def _reviews(session: SessionRecord) -> str:
    if not session.reviews:
        decided = any(r.receipts and r.outcome != INTERRUPTED for r in session.rounds)
        return words.say("show.no_reviews") if decided else ""
    cost = formatting.money(session.figures.reviews_usd, session.figures.reviews_source)
    parts = [str(session.reviews), cost]
    if session.cached is not None:
        parts.append(words.say("show.cached", n=formatting.share(session.cached)))
    return " · ".join(parts)


def _reviewers(session: SessionRecord) -> str:
    """Return the reviewers' models that differ from the agent's."""
    own = session.overview
    models = {
        f"{formatting.provider(each.provider)} {each.model}".strip()
        for each in session.rounds
        if each.was_reviewed and (each.provider, each.model) != (own.provider, own.model)
    }
    return ", ".join(sorted(models))
