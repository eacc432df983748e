"""`ccc show SESSION`: everything on record of one session."""

from ccc import display, telling, terminal, words
from ccc.commands import history, looking
from ccc.commands.parsing import Parser
from ccc.domain.glance import mark_of
from ccc.storage import moments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import Console

    from ccc.domain.record import Job, Round, Session

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
    """Print one session: what was asked, each round, what it took, where the logs are."""
    parser = Parser("show")
    parser.add_flags("--json")
    parser.add_argument("SESSION", nargs="?", default="")
    where, said = parser.begin(arguments)
    session = looking.demand(where, said.SESSION)
    if said.json:
        print(terminal.as_json(values(session)))
        return 0
    console = display.console()
    told = facts(session)
    widest = max(terminal.width(label) for label, _ in told)
    for label, text in told:
        pad = " " * (widest - terminal.width(label) + 2)
        line = display.text(label + pad, "bold")
        style = "" if text is not None else STYLES.get(session.glance.mark, "")
        line.append_text(display.text(history.outcome(session) if text is None else text, style))
        console.print(line)
    for job in session.jobs:
        _print_job(console, job)
    console.print()
    for name, path in session.logs.items():
        console.print(display.text(f"{words.say(LOGS[name])}  {path}", "dim"), soft_wrap=True)
    return 0


def facts(session: "Session") -> list[tuple[str, str | None]]:
    """What can be said of a session in a line each; None stands for the outcome."""
    seen, agent = session.glance, session.glance.agent_cost_usd
    judges = {f"{r.provider} {r.model}".strip() for r in session.rounds if r.was_reviewed}
    reviews = words.say(
        "show.reviewed",
        rounds=len(session.rounds),
        reviews=session.reviews,
        cost=telling.money(session.reviews_usd, session.reviews_source),
        cached=telling.share(session.cached),
    )
    state = telling.switch(seen.is_on)
    found: list[tuple[str, str | None]] = [
        (words.say("show.session"), seen.session),
        (words.say("show.project"), telling.place(seen.directory)),
        (words.say("show.provider"), " ".join(filter(None, (seen.provider, seen.model)))),
        (words.say("show.supervisor"), f"{state} · {telling.phase(seen.phase)}"),
        (words.say("show.outcome"), None),
        (words.say("show.rounds"), reviews if session.rounds else ""),
        (words.say("show.judge"), ", ".join(sorted(filter(None, judges)))),
        (
            words.say("show.agent_cost"),
            telling.money(agent, seen.agent_cost_source) if agent else "",
        ),
        (words.say("show.prices"), telling.source(session.cost_source)),
        (words.say("show.time"), telling.clock(session.seconds) if session.seconds else ""),
    ]
    return [(label, text) for label, text in found if text or text is None]


def _print_job(console: "Console", job: "Job") -> None:
    console.print()
    console.print(display.text(job.request or words.say("show.no_request"), "bold"))
    for each in job.rounds:
        mark = mark_of(each.outcome)
        head = display.text(f"\n{mark} ", STYLES.get(mark, ""))
        head.append_text(display.text(telling.round_title(each)))
        head.append_text(display.text("  " + " · ".join(telling.round_facts(each)), "dim"))
        console.print(head)
        for receipt in each.receipts:
            style = "green" if receipt.passed else "red"
            console.print(display.text(f"  {telling.receipt_line(receipt)}", style))
        for line in (each.failure or each.feedback).splitlines():
            console.print(display.text(f"  {line}"))


def values(session: "Session") -> dict[str, object]:
    """What a program is told."""
    seen = session.glance
    return {
        **seen.values(),
        "outcome": session.outcome,
        "changed_at": moments.stamp(seen.changed_at),
        "cost_usd": {
            "agent": session.glance.agent_cost_usd,
            "reviews": session.reviews_usd,
            "total": session.cost_usd,
        },
        "cost_source": {
            "agent": session.glance.agent_cost_source,
            "reviews": session.reviews_source,
            "total": session.cost_source,
        },
        "cached": session.cached,
        "seconds": session.seconds,
        "rounds": [_round_values(each) for each in session.rounds],
        "logs": dict(session.logs),
    }


def _round_values(each: "Round") -> dict[str, object]:
    from dataclasses import asdict

    return {**asdict(each), "cached": each.cached, "decided_at": moments.stamp(each.decided_at)}
