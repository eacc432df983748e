"""Render a session as an HTML page: no scripts, nothing external, all text escaped."""

import re
import time
from collections.abc import Callable, Iterator, Sequence

from ccc import words
from ccc.model.evidence import Evidence, Receipt
from ccc.model.outcome import OUTCOMES
from ccc.model.record import SessionRecord, TaskRounds
from ccc.model.round import Round, Step
from ccc.project import checks
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui.page import chart
from ccc.ui.page.chart import Bar
from ccc.ui.page.markup import (
    STYLE,
    Standing,
    escaped,
    facts,
    head,
    heading,
    marked,
    say,
    standing_of,
    tone,
)

_LONGEST_TITLE = 160
_GAP_SECONDS = 1.0
_CODE = re.compile(r"`([^`\n]{1,200})`")
# tells the browser not to load or run anything
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(session: SessionRecord, version: str) -> str:
    """Render the page in the current language."""
    heading = _heading(session.request)
    made = say("report.made", version=version, session=session.overview.session)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    start = head(f"{policy}\n<title>{escaped(heading)}</title>\n<style>\n{STYLE}</style>")
    return f"""{start}
<main>
{body(session)}
<footer>{made}</footer>
</main>
</body>
</html>
"""


def body(
    session: SessionRecord, request: str = "", place: str = "", stands: Standing | None = None
) -> str:
    """Render the session's facts, charts and rounds, for this page or another.

    That may know the request and the end of the task better, and as HTML the place.
    """
    place = place or escaped(display_path(session.overview.directory))
    stands = stands or standing_of(session, session.outcome)
    head = _head(session, request or session.request, place, stands)
    return "\n".join([head, _charts(session), _story(session)])


def _heading(request: str) -> str:
    title = terminal.cut(terminal.plain(request), _LONGEST_TITLE)
    return title or words.say("show.no_request")


def _head(session: SessionRecord, request: str, place: str, stands: Standing) -> str:
    overview = session.overview
    when = time.strftime(
        "%Y-%m-%d %H:%M", time.localtime(overview.decided_at or overview.changed_at)
    )
    full = terminal.plain(request)
    whole = f'<p class="said quiet">{escaped(full)}</p>' if len(full) > _LONGEST_TITLE else ""
    return f"""<div class="top">{stands.pill}
<span class="mono">{place}</span><time>{when}</time></div>
<h1>{escaped(_heading(request))}</h1>
{stands.cause}{facts(_facts(session))}
{whole}"""


def _facts(session: SessionRecord) -> Iterator[tuple[str, str, str]]:
    overview, figures = session.overview, session.figures
    if session.seconds or not overview.is_busy:  # it is known after the first stop
        yield words.say("report.duration"), formatting.clock(session.seconds), ""
    reviews = words.count("reviews", session.reviews)
    yield words.label("look.rounds"), str(figures.rounds), reviews
    total = formatting.cost(figures.cost_usd, figures.cost_source, overview.is_run)
    yield words.label("look.cost_usd"), total, _parts(session)
    if session.cached is not None:
        yield words.say("report.cached"), formatting.share(session.cached), ""
    sizes = [each.diff for each in session.rounds if each.diff]
    if sizes:
        size = sizes[-1]
        files = words.count("files", size.files) if size.files else ""
        lines = f"+{size.added} −{size.removed}" if size.files else formatting.diff(size)
        yield words.say("report.diff"), lines, files
    yield words.label("look.provider"), formatting.provider(overview.provider), overview.model
    ran = any(each.receipts for each in session.rounds)
    if overview.checks or (overview.is_on and not ran):
        detected = [] if overview.checks else checks.detect(overview.directory)
        hint = words.say("mode.detected", command=detected[0]) if detected else ""
        listed = words.say("comma").join(overview.checks) or words.say("mode.no_checks")
        yield words.say("report.checks"), listed, hint


def _parts(session: SessionRecord) -> str:
    figures, more = session.figures, ""
    if figures.agent_usd:
        agent = formatting.money(figures.agent_usd, figures.agent_source)
        more = words.say("report.with_agent", cost=agent)
    return " · ".join(filter(None, (more, formatting.source(figures.cost_source))))


def _charts(session: SessionRecord) -> str:
    costs, shares, sizes = [], [], []
    for label, each in _rounds_with_labels(session):
        facts = terminal.plain(" · ".join([label, *formatting.round_facts(each)]))
        if each.was_reviewed:
            costs.append(Bar(label, each.cost_usd, f"{each.cost_usd:.3f}", facts))
        if (share := each.cached) is not None:
            shares.append(Bar(label, share, f"{share * 100:.0f}", facts))
        if size := each.diff:
            sizes.append(Bar(label, size.added, f"+{size.added}", facts, down=size.removed))
    figures = [
        _figure("report.cost_chart", costs, lambda usd: f"${_plain(usd)}", most=0.0),
        _figure("report.cached_chart", shares, formatting.share, most=1.0),
        _figure(
            "report.diff_chart", sizes, lambda lines: _plain(abs(lines)), most=0.0, kind="diff"
        ),
    ]
    return f'<section class="charts">{"".join(figures)}</section>' if any(figures) else ""


def _plain(number: float) -> str:
    """Return a number of a scale, which has few digits, without an exponent."""
    return f"{number:.7f}".rstrip("0").rstrip(".")


def _figure(
    message: str, bars: Sequence[Bar], form: Callable[[float], str], most: float, kind: str = ""
) -> str:
    if not bars:
        return ""
    svg = chart.render(words.say(message), bars, form, most)
    return f'<figure class="{kind}"><figcaption>{say(message)}</figcaption>{svg}</figure>'


def _rounds_with_labels(session: SessionRecord) -> Iterator[tuple[str, Round]]:
    """Yield each round with its bar label, which includes the task if there are several."""
    tasks = session.tasks
    for number, task in enumerate(tasks, 1):
        prefix = f"{number}." if len(tasks) > 1 else ""
        for each in task.rounds:
            # the last work is checked after the last round
            yield f"{prefix}{each.number}{'' if each.is_judged else '+'}", each


def _story(session: SessionRecord) -> str:
    tasks = session.tasks
    if not tasks:
        return f"<h2>{heading('look.rounds')}</h2><p>{say('report.none')}</p>"
    parts = []
    for task in tasks:
        title = words.label("look.rounds") if len(tasks) == 1 else task.request
        parts.append(f"<h2>{escaped(title or words.say('show.no_request'))}</h2>")
        parts.append(f'<ol class="rounds">{"".join(_rounds(task))}</ol>')
    return "\n".join(parts)


def _rounds(task: TaskRounds) -> Iterator[str]:
    since = task.rounds[0].task_started
    for later, each in task.rounds_with_requests:
        yield from (f'<li class="asked">› {escaped(text)}</li>' for text in later)
        worked = each.stopped_at - since if since and each.stopped_at else 0.0
        if worked >= _GAP_SECONDS:
            text = say("report.worked", time=formatting.clock(worked))
            yield f'<li class="gap">{text}</li>'
        since = each.decided_at
        yield _round(each)


def _round(each: Round) -> str:
    mark = OUTCOMES[each.outcome].mark
    meta = "".join(f"<span>{escaped(fact)}</span>" for fact in formatting.round_facts(each))
    receipts = "".join(map(_check, each.receipts))
    outcome = escaped(formatting.round_outcome(each))
    return f"""<li><span class="dot {tone(mark)}">{mark}</span>
<article class="round {tone(mark)}"><header><h3>{escaped(formatting.round_name(each))}
<span>{outcome}</span></h3><div class="meta">{meta}</div></header>
{_statement(each)}
{f'<div class="checks">{receipts}</div>' if receipts else ""}{_reviewer_steps(each)}</article></li>
"""


def _statement(each: Round) -> str:
    last = each.receipts[-1] if each.receipts else None
    if not each.was_reviewed and isinstance(last, Receipt) and last.is_failure:
        # the feedback is the check's output, which is shown below
        return f'<p class="said quiet">{say("report.by_check")}</p>'
    closing = _paragraph(each.closing, "said quiet") if each.outcome != "not_completed" else ""
    return closing + _paragraph(each.failure or each.feedback, "said")


def _paragraph(text: str, kind: str) -> str:
    marked = _CODE.sub(r"<code>\1</code>", escaped(text))
    return f'<p class="{kind}">{marked}</p>' if text else ""


def _reviewer_steps(each: Round) -> str:
    if not each.steps:
        return ""
    calls = say("show.reviewer", calls=words.count("calls", len(each.steps)))
    steps = "".join(map(_step, each.steps))
    closing = _paragraph(each.closing, "said quiet") if each.outcome == "not_completed" else ""
    return f'<details class="why"><summary>{calls}</summary><ol>{steps}</ol>{closing}</details>'


def _step(step: Step) -> str:
    tone = ' class="bad"' if step.failed else ""
    output = f"<pre>{escaped(step.seen)}</pre>" if step.seen else ""
    call = f'<b>{escaped(step.tool)}</b> <span class="mono">{escaped(step.call)}</span>'
    return f"<li{tone}>{call}{output}</li>"


def _check(evidence: Evidence) -> str:
    kind = "mono" if isinstance(evidence, Receipt) else ""
    line = (
        f"{marked(evidence.mark)}"
        f'<span class="{kind}">{escaped(formatting.evidence_name(evidence))}</span>'
        f'<span class="quiet">{escaped(formatting.evidence_end(evidence))}</span>'
    )
    if not evidence.output:
        return f'<div class="check"><p>{line}</p></div>'
    opened = " open" if evidence.is_failure else ""
    return (
        f'<details class="check"{opened}><summary>{line}</summary>'
        f"<pre>{escaped(evidence.output)}</pre></details>"
    )
