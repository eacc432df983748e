"""`ccc queue pause|resume|budget|limit|keep`: the settings that all workers share."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import sqlalchemy as sa
from msgspec.structs import replace

from ccc import words
from ccc.backlog import settings, wording
from ccc.backlog.admission import FOREVER, NO_LIMIT, Budget
from ccc.backlog.database import URL
from ccc.backlog.snapshot import Snapshot, open_queue, rule_values, take
from ccc.commands.queue.command import OFF
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.providers import selection
from ccc.storage.paths import Paths
from ccc.system import terminal

_Change = Callable[[sa.Connection], None]


def pause(where: Paths, options: argparse.Namespace) -> int:
    """Start no more tasks, or none on a provider."""
    _check_provider(where, options)
    return _pause(where, options, FOREVER)


def resume(where: Paths, options: argparse.Namespace) -> int:
    """Start tasks again, or those of a provider."""
    return _pause(where, options, 0.0)


def _pause(where: Paths, options: argparse.Namespace, until: float) -> int:
    change: _Change = partial(settings.change, is_paused=until > 0)
    if options.provider:
        change = partial(settings.pause_provider, provider=options.provider, until=until)
    return _run(
        where, options, change, lambda s: [wording.pauses(s) or words.say("queue.not_paused")]
    )


def budget(where: Paths, options: argparse.Namespace) -> int:
    """Change the budget, and print what is used and left of it."""

    def change(connection: sa.Connection) -> None:
        kind, amount = options.amount
        known = settings.load(connection).budget
        new = Budget() if kind == OFF else replace(known, **{kind: amount})
        settings.change(connection, budget=new)

    return _run(where, options, change if options.amount else None, _budget)


def limit(where: Paths, options: argparse.Namespace) -> int:
    """Change the limits of a provider, and print those of all."""
    given = {"jobs": options.jobs, "per_minute": options.per_minute}
    new = {name: value for name, value in given.items() if value is not None}
    if new and not options.provider:
        problem = words.say("usage.missing", what=words.say("usage.name"))
        raise CccError("usage.wrong", hint="usage.see", command="queue", problem=problem)
    _check_provider(where, options)

    def change(connection: sa.Connection) -> None:
        known = settings.load(connection).limits
        own = replace(known.get(options.provider, NO_LIMIT), **new)
        settings.change(connection, limits={**known, options.provider: own})

    return _run(where, options, change if new else None, _limits)


def keep(where: Paths, options: argparse.Namespace) -> int:
    """Change how long the worktree of a completed task is kept."""
    change = None if options.days is None else partial(settings.change, keep_days=options.days)
    return _run(
        where,
        options,
        change,
        lambda s: [words.say("queue.keep", days=f"{s.rules.keep_days:g}")],
    )


def _check_provider(where: Paths, options: argparse.Namespace) -> None:
    """Raise if the provider doesn't exist, unless other machines have it."""
    if options.provider and not os.environ.get(URL):
        selection.require(options.provider, ccc_json.find(where))


def _run(
    where: Paths,
    options: argparse.Namespace,
    change: _Change | None,
    describe: Callable[[Snapshot], Iterable[str]],
) -> int:
    with open_queue(where) as queue:
        if change is not None:
            with queue.change() as connection:
                change(connection)
        snapshot = take(queue, where, lambda _: [])
    if options.json:
        print(terminal.as_json(rule_values(snapshot)))
        return 0
    for line in describe(snapshot):
        print(terminal.fit(line, sys.stdout))
    return 0


def _budget(snapshot: Snapshot) -> Iterator[str]:
    spent = snapshot.spent
    used = words.say("queue.no_budget", used=wording.usd(spent.total - spent.reserved))
    yield wording.budget_line(snapshot) or used
    if snapshot.rules.budget.per_day is not None and snapshot.frees_at:
        yield words.say("queue.frees", time=wording.moment(snapshot.frees_at))


def _limits(snapshot: Snapshot) -> Iterator[str]:
    limits = {name: each for name, each in snapshot.rules.limits.items() if each != NO_LIMIT}
    for name, each in limits.items():
        parts = [words.say("queue.limit_jobs", n=each.jobs)] if each.jobs else []
        if each.per_minute:
            parts.append(words.say("queue.limit_rate", n=each.per_minute))
        joined = words.say("comma").join(parts)
        yield words.say("usage.about", what=terminal.plain(name), value=joined)
    if not limits:
        yield words.say("queue.no_limits")
