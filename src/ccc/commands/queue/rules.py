"""`ccc queue pause|resume|budget|limit|keep`: the settings that all workers share."""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace

import sqlalchemy as sa

from ccc import words
from ccc.backlog import settings, wording
from ccc.backlog.admission import FOREVER, NO_LIMIT, ProviderLimit
from ccc.backlog.budget import Budget
from ccc.backlog.database import URL
from ccc.backlog.snapshot import Snapshot, open_queue, rule_values, take
from ccc.commands.queue.options import OFF
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.providers import selection
from ccc.storage.paths import Paths
from ccc.system import terminal

_Change = Callable[[sa.Connection], None]


def pause(where: Paths, options: argparse.Namespace) -> int:
    """Start no more tasks, or none on a provider."""
    if name := _provider(where, options):
        return _run(where, options, lambda c: settings.pause_provider(c, name, FOREVER), _pauses)
    return _run(where, options, lambda c: settings.change(c, is_paused=True), _pauses)


def resume(where: Paths, options: argparse.Namespace) -> int:
    """Start tasks again, or those of a provider."""
    if name := options.provider:
        return _run(where, options, lambda c: settings.pause_provider(c, name, 0.0), _pauses)
    return _run(where, options, lambda c: settings.change(c, is_paused=False), _pauses)


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
    name = _provider(where, options)

    def change(connection: sa.Connection) -> None:
        known = settings.load(connection).limits.get(name, NO_LIMIT)
        settings.set_limit(connection, name, replace(known, **new))

    return _run(where, options, change if new else None, _limits)


def keep(where: Paths, options: argparse.Namespace) -> int:
    """Change how long the worktree of a completed task is kept."""
    days = options.days

    def change(connection: sa.Connection) -> None:
        settings.change(connection, keep_days=days)

    return _run(where, options, None if days is None else change, _keep)


def _provider(where: Paths, options: argparse.Namespace) -> str:
    """Return the name of the provider, which must exist unless other machines have it."""
    name: str = options.provider
    if name and not os.environ.get(URL):
        selection.require(name, ccc_json.find(where))
    return name


def _run(
    where: Paths,
    options: argparse.Namespace,
    change: _Change | None,
    describe: Callable[[Snapshot], list[str]],
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


def _pauses(snapshot: Snapshot) -> list[str]:
    return [wording.pauses(snapshot) or words.say("queue.not_paused")]


def _budget(snapshot: Snapshot) -> list[str]:
    line = wording.budget_line(snapshot)
    if not line:
        used = wording.usd(snapshot.spent.total - snapshot.spent.reserved)
        return [words.say("queue.no_budget", used=used)]
    if snapshot.rules.budget.per_day is None or not snapshot.frees_at:
        return [line]
    return [line, words.say("queue.frees", time=wording.moment(snapshot.frees_at))]


def _limits(snapshot: Snapshot) -> list[str]:
    limits = snapshot.rules.limits.items()
    known = [_limit(name, each) for name, each in limits if each != NO_LIMIT]
    return known or [words.say("queue.no_limits")]


def _limit(provider: str, each: ProviderLimit) -> str:
    parts = []
    if each.jobs:
        parts.append(words.say("queue.limit_jobs", n=each.jobs))
    if each.per_minute:
        parts.append(words.say("queue.limit_rate", n=each.per_minute))
    name, limits = terminal.plain(provider), words.say("comma").join(parts)
    return words.say("queue.limit", provider=name, limits=limits)


def _keep(snapshot: Snapshot) -> list[str]:
    return [words.say("queue.keep", days=f"{snapshot.rules.keep_days:g}")]
