"""Hold the real review of a case: the same request, sandbox and parser as at a stop.

Run as a program (`python -P -m ccc.evaluation.trial JOB`), it reviews one case, as a review handles
signals, and prints the result as JSON.
"""

import json
import os
import re
import sys
import time
import uuid
import zlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ccc import words
from ccc.claude.formats import transcript
from ccc.claude.formats.environment import CREDENTIALS
from ccc.claude.formats.event import StopEvent
from ccc.claude.formats.transcript import Conversation
from ccc.config import ccc_json
from ccc.config.schema import DEFAULTS, Config
from ccc.errors import CccError
from ccc.evaluation import case as cases
from ccc.evaluation import scene
from ccc.evaluation.case import GoldenCase
from ccc.evaluation.score import CaseResult
from ccc.model.cost import Cost
from ccc.model.evidence import Signal, receipt
from ccc.model.state import State, Task
from ccc.project import change
from ccc.project.change import Workplace
from ccc.project.tree import Tree
from ccc.providers import layers, models, prices, selection
from ccc.providers.prices import Prices
from ccc.signals.claims import Work
from ccc.storage import files, installation
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision.recorder import Audience
from ccc.supervision.review_setup import Preparation
from ccc.supervision.reviewer import Reviewer
from ccc.supervision.session_store import SessionStore, SupervisedSession
from ccc.text import lenient_json

TYPICAL_CALLS = 10  # how many tool calls a review makes, for an estimate of its cost
# measured on a shipped case: the first prompt has 17,000 tokens, and each later one repeats it
_FIRST_REQUEST = {"cache_creation": 17_000, "output": 500}
_NEXT_REQUEST = {"cache_read": 20_000, "cache_creation": 500, "output": 300}
_NO_LETTER = re.compile(r"[^a-zA-Z0-9]")


class Judge(Struct, frozen=True):
    """Who reviews: a provider, a model and a prompt, each the user's own if empty."""

    provider: str = ""
    model: str = ""
    prompt: str = ""  # the file with the instructions


def check(who: Judge) -> tuple[str, Prices | None]:
    """Return who that is (provider, model and a checksum of the instructions), and the price.

    Raise CccError if the reviewer can't be asked: no provider, key or instructions.
    """
    config = _configuration(who)
    name, env = _provider(config, who)
    price = prices.tariff(config, name, env).price(models.expected_model(env, who.model))
    instructions = zlib.crc32(_instructions(who).encode())
    return f"{name} {who.model or env.get('ANTHROPIC_MODEL', '-')} {instructions:08x}", price


def typical_cost(price: Prices) -> float:
    """Return what a review costs that makes TYPICAL_CALLS tool calls in as many requests."""
    return prices.dollars(_FIRST_REQUEST, price.rates) + TYPICAL_CALLS * prices.dollars(
        _NEXT_REQUEST, price.rates
    )


def judge(case: GoldenCase, who: Judge, project: str, start: str) -> CaseResult:
    """Review the case in its project, which began at the commit `start`."""
    session, event, talk = _stop(case, who, project, start)
    signals = find_signals(case, talk, project, start)
    calls: list[str] = []

    def count(message: dict[str, Any], _: Cost) -> None:
        blocks = lenient_json.mappings(message, "message", "content")
        calls.extend(str(b.get("name")) for b in blocks if b.get("type") == "tool_use")

    tree = Tree(project, without=(session.where.state_dir,))
    client = session.client(talk.version)
    reviewer = Reviewer(
        Preparation(session, event, talk, Workplace(project), tree=tree, client=client),
        Audience(show=lambda _: None, on_text=lambda _: None, on_message=count),
        lambda _: signals,
        note=lambda _: None,
    )
    passed, dirty = (*case.checks, *case.passed), tree.dirty()
    receipts = [receipt(command, 0, 0.0, start, dirty=dirty) for command in passed]
    review = reviewer.review(Task(started=time.time()), receipts)
    return CaseResult(
        case.name,
        case.kind,
        case.is_done,
        signals=tuple(each.name for each in signals),
        completed=review.verdict.completed if review.verdict else None,
        failure=review.failure,
        cost_usd=review.cost.usd,
        cost_source=review.cost.source,
        seconds=review.seconds,
        tool_calls=len(calls),
    )


def find_signals(
    case: GoldenCase, talk: Conversation, project: str, start: str, passes: bool = True
) -> tuple[Signal, ...]:
    """Return the signals of the case; `passes` says whether its checks pass."""
    passed = (*case.checks, *case.passed) if passes else ()
    work = Work(case.message, case.prompts, actions=talk.actions, passed=passed)
    return change.find_signals(Tree(project), start, work, talk.last_texts)


def _stop(
    case: GoldenCase, who: Judge, project: str, start: str
) -> tuple[SupervisedSession, StopEvent, Conversation]:
    """Return the stop at the end of the case's conversation."""
    config = _configuration(who)
    provider, env = _provider(config, who)
    own = {**os.environ, "CLAUDE_CONFIG_DIR": os.path.join(os.path.dirname(project), "claude")}
    own = {k: v for k, v in own.items() if k not in ("CCC_CONFIG_DIR", "CCC_WORK_DIR")}
    where, session = Paths(own), str(uuid.uuid4())
    model = who.model or env.get("ANTHROPIC_MODEL", "").partition("[")[0]
    lines = list(scene.transcript(case, project, session, model))
    directory = os.path.join(where.claude_dir, "projects", _NO_LETTER.sub("-", project))
    file = os.path.join(directory, f"{session}.jsonl")
    for each in (directory, where.state_dir):
        os.makedirs(each, exist_ok=True)
    for path, text in ((file, "".join(lines)), (where.prompt, _instructions(who))):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    state = State(session, enabled=True, provider=provider, start_head=start, model=model)
    store = SessionStore(where, session, Journal(where, session))
    event = StopEvent(
        session_id=session, transcript_path=file, cwd=project, last_assistant_message=case.message
    )
    supervised = SupervisedSession(store, state, config, project, environ=own)
    return supervised, event, transcript.read(lines)


def _configuration(who: Judge) -> Config:
    """Return the user's configuration for this reviewer, which always is a fork."""
    config = ccc_json.read(Paths(os.environ))
    if not config.providers:
        raise CccError("provider.none")
    if who.provider and who.provider not in config.providers:
        raise selection.unknown_provider(who.provider, config)
    kept = ("sandbox", "structured_output", "timeout_seconds")
    rules = replace(DEFAULTS, **{name: getattr(config.supervisor, name) for name in kept})
    return replace(config, supervisor=rules)


def _provider(config: Config, who: Judge) -> tuple[str, Mapping[str, str]]:
    """Return the provider's name and environment."""
    name = config.choose(who.provider)
    env = layers.for_provider(config, name, os.environ).env
    if not any(map(env.get, CREDENTIALS)):
        raise CccError("eval.login", name=name)
    return name, env


def _instructions(who: Judge) -> str:
    own = files.read(who.prompt or Paths(os.environ).prompt)
    if own is None and who.prompt:
        raise CccError("run.no_file", file=who.prompt)
    return own or installation.default_prompt(words.current_language())


def main(job: str) -> None:
    """Print the result of the review as JSON."""
    ccc_json.set_language()
    raw = json.loads(job)
    (case,) = (each for each in cases.load(raw["directory"]) if each.twin == raw["twin"])
    result = judge(case, Judge(**raw["judge"]), raw["project"], raw["start"])
    print(msgspec.json.encode(result).decode())


if __name__ == "__main__":
    main(sys.argv[1])
