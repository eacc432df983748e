"""The tables of `ccc eval`."""

import sys
from collections.abc import Sequence

from ccc import words
from ccc.errors import CccError
from ccc.evaluation.case import KINDS, kind_word, parse_kind
from ccc.evaluation.score import CaseResult, ReviewerComparison, Row, interval, rows
from ccc.system import terminal
from ccc.text import redaction
from ccc.ui import formatting, table

_MOST_REASONS = 5
_IN_JSON = (
    *("case", "kind", "epoch", "failed_check", "signals", "completed", "failure", "cost_usd"),
    "tool_calls",
)
_SHARED = {"cost": "look.cost_usd"}
_WITHOUT_MODEL = ("kind", "bad", "checks", "signals", "good", "alarms")
_WITH_MODEL = ("kind", "false_pass", "false_block", "no_verdict", "calls", "seconds", "cost")


def print_results(found: Sequence[Row], has_reviewer: bool) -> None:
    """Print a row per kind, and the total."""
    headings = _WITH_MODEL if has_reviewer else _WITHOUT_MODEL
    lines = [[words.say(_SHARED.get(name, f"eval.head_{name}")) for name in headings]]
    for row in found:
        name = f"{row.kind:>2} {kind_name(row.kind)}" if row.kind else words.say("eval.all")
        lines.append([name, *(_judged(row) if has_reviewer else _caught(row))])
    table.print_rows(lines, {0: 12}, [{} for _ in found])
    print()
    if not has_reviewer:
        print(terminal.fit(words.say("eval.about"), sys.stdout))
        return
    _print_total(found[-1])


def _print_total(total: Row) -> None:
    for name, (count, judged) in {
        "eval.false_pass": total.false_passes,
        "eval.false_block": total.false_blocks,
    }.items():
        if not judged:
            continue
        low, high = interval(count, judged)
        share = {"low": f"{low:.0%}", "high": f"{high:.0%}"}
        print(terminal.fit(words.say(name, n=count, all=judged, **share), sys.stdout))
    layers = words.say(
        "eval.layers",
        all=len(total.bad),
        checks=total.caught_by_checks(),
        reviewer=total.caught_by_reviewer(),
        signals=total.caught_by_signals(),
    )
    print(terminal.fit(layers, sys.stdout))
    for reason, count in total.reasons()[:_MOST_REASONS]:
        print(terminal.fit(words.say("eval.failed", n=count, cause=reason), sys.stdout))


def kind_name(kind: int) -> str:
    """Return the name of a kind in the user's language."""
    return words.say(f"eval.kind_{KINDS[kind]}") if kind in KINDS else str(kind)


def kinds() -> str:
    """Return the list of kinds: numbers, words for the command line, and names."""
    return "\n".join(f"{n:>4}  {kind_word(n):<16} {kind_name(n)}" for n in KINDS)


def find_kind(text: str) -> int:
    """Return the kind with this number or word; raise CccError if there is none."""
    kind = parse_kind(text)
    if not kind:
        shown = "…" if redaction.looks_like_a_key(text) else text
        raise CccError("eval.no_kind", kind=shown, kinds=kinds())
    return kind


def _caught(row: Row) -> list[str]:
    counts = (len(row.bad), row.caught_by_checks(), row.caught_by_signals())
    return [*map(str, (*counts, len(row.good), row.alarms()))]


def _judged(row: Row) -> list[str]:
    every = [each for each in row.all if each.seconds]
    count = max(1, len(every))
    source = next((each.cost_source for each in every), "")
    return [
        _share(*row.false_passes),
        _share(*row.false_blocks),
        str(row.failures),
        f"{sum(each.tool_calls for each in every) / count:.1f}",
        f"{sum(each.seconds for each in every) / count:.1f}",
        formatting.money(sum(each.cost_usd for each in every), source),
    ]


def _share(count: int, judged: int) -> str:
    """Return a count with the interval of its share."""
    low, high = interval(count, judged)
    return f"{count}/{judged} ({low:.0%}–{high:.0%})" if judged else "0/0"


def print_comparison(found: ReviewerComparison, names: Sequence[str]) -> None:
    """Print how two reviewers differ on the same cases."""
    first, second = names
    lines = [
        words.say("eval.both_right", n=found.both_right),
        words.say("eval.only_right", name=first, n=found.only_first_right),
        words.say("eval.only_right", name=second, n=found.only_second_right),
        words.say("eval.neither_right", n=found.neither_right),
        words.say("eval.p", p=f"{found.p:.3f}"),
    ]
    print("\n".join(terminal.fit(line, sys.stdout) for line in lines))


def values(results: Sequence[CaseResult], has_reviewer: bool) -> dict[str, object]:
    """Return the results for `--json`."""
    return {
        "cases": [
            {
                **{name: getattr(each, name) for name in _IN_JSON},
                "done": each.is_done,
                "seconds": round(each.seconds, 3),
            }
            for each in results
        ],
        "kinds": [
            {
                "kind": row.kind,
                "bad": len(row.bad),
                "caught_by_checks": row.caught_by_checks(),
                "caught_by_signals": row.caught_by_signals(),
                "good": len(row.good),
                "alarms": row.alarms(),
                "false_passes": row.false_passes[0],
                "false_pass_interval": _interval(*row.false_passes),
                "false_blocks": row.false_blocks[0],
                "false_block_interval": _interval(*row.false_blocks),
                "failures": row.failures if has_reviewer else 0,
            }
            for row in rows(results)
        ],
    }


def _interval(count: int, judged: int) -> list[float] | None:
    """Return the interval of a share; None if nothing was judged."""
    return [round(end, 4) for end in interval(count, judged)] if judged else None
