"""Measure the cost of a review by claude's own accounting, at several conversation lengths."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.scene import CCC, MODEL, Scene, claude, provider
from bench.table import Case, Row, Section
from ccc.scripted import CODE, Reply, Request, ScriptedModel, answer, tool

SIZES = {"10k": 10_000, "100k": 100_000, "500k": 500_000}
SMALL = "claude-haiku-5-5"
_WORDS = "Reading on, and thinking about what I read. "
_WORK = ("-p", "--output-format", "json", "--permission-mode", "bypassPermissions")


@dataclass(frozen=True)
class Review:
    """The cost of one review: tokens sent, tokens read from the cache, dollars."""

    sent: int
    cached: int
    dollars: float


@dataclass(frozen=True)
class Way:
    """A method to judge a stop."""

    name: str
    means: str
    command: str
    agent: str = MODEL
    small: str = ""
    schema: bool = False
    floors: tuple[float, float, float] | None = None
    """The minimum cost relative to ccc's fork, for each length."""


def replies(tokens: int) -> Callable[[Request], Reply]:
    """Return the replies of an agent that writes `tokens` tokens, and of reviewers that agree."""
    piece = min(tokens // 5, 10_000)
    long = _WORDS * (4 * piece // len(_WORDS))
    verdict = tool("StructuredOutput", code=CODE, completed=True, feedback="")

    def reply(request: Request) -> Reply:
        if not request.is_agent_turn:
            return answer('{"ok": true, "reason": "it holds"}')  # the evaluator of /goal
        is_structured = "StructuredOutput" in request.tools
        if is_structured and request.last_tool_result is not None:
            return answer("The verdict is given.")
        if "ccc, which supervises this session" in request.last_text:
            return answer(verdict if is_structured else f'{{"code": "{CODE}", "completed": true}}')
        turns = sum(message.get("role") == "assistant" for message in request.messages)
        if turns < tokens // piece:
            return answer(long, tool("Bash", command="echo looked", description="Look"))
        return answer("All of it is done.")

    return reply


def reviews(directory: Path, way: Way, tokens: int) -> list[Review]:
    """Run two tasks in one conversation, each judged once."""
    with ScriptedModel(replies(tokens)) as model:
        scene = Scene(directory, model.url, claude())
        env = provider(model.url, way.agent)
        scene.configure(
            env | ({"ANTHROPIC_DEFAULT_HAIKU_MODEL": way.small} if way.small else {}),
            structured_output=way.schema,
        )
        count = _by_ccc if way.command == "/supervisor" else _by_model(way.small)
        first = json.loads(scene.run((CCC, "kimi", *_WORK, f"{way.command} read all of it")))
        before = count(scene, first)
        again = ("--resume", first["session_id"], f"{way.command} say it again")
        later = count(scene, json.loads(scene.run((CCC, "kimi", *_WORK, *again))))
        spent = (later.sent - before.sent, later.cached - before.cached)
        return [before, Review(*spent, later.dollars - before.dollars)]


def _by_ccc(scene: Scene, result: dict[str, Any]) -> Review:
    """Sum the reviews on record; ccc takes usage and cost from claude's fork."""
    texts = [file.read_text() for file in scene.records.glob("*-verdicts.jsonl")]
    verdicts = [json.loads(line) for text in texts for line in text.splitlines()]
    assert all(verdict["completed"] for verdict in verdicts), verdicts
    sent = sum(v["tokens"][k] for v in verdicts for k in ("input", "cache_read", "cache_creation"))
    cached = sum(verdict["tokens"]["cache_read"] for verdict in verdicts)
    return Review(sent, cached, sum(verdict["cost_usd"] for verdict in verdicts))


def _by_model(model: str) -> Callable[[Scene, dict[str, Any]], Review]:
    """Sum the judgements so far: `model` does nothing else in this session."""

    def count(scene: Scene, result: dict[str, Any]) -> Review:
        used = result["modelUsage"][model]
        cached = used["cacheReadInputTokens"]
        sent = used["inputTokens"] + used["cacheCreationInputTokens"] + cached
        return Review(sent, cached, used["costUSD"])

    return count


def costs(directory: Path, quick: bool) -> list[Row]:
    """Measure each method at each length. The first method is the reference."""
    rows = []
    cases = iter(COSTS.cases)
    for size, tokens in SIZES.items():
        reference = 0.0
        for number, way in enumerate(WAYS):
            first, later = reviews(directory / f"{size}-{number}", way, tokens)
            reference = reference or first.dollars
            cells = (
                f"{first.sent:,}",
                f"{first.cached:,}",
                f"{100 * first.cached / first.sent:.1f} %",
                f"{first.dollars:.4f}",
                f"{later.dollars:.4f}",
            )
            rows.append(Row(next(cases), cells, first.dollars / reference))
        if quick:
            return rows
    return rows


WAYS = (
    Way(
        "ccc's fork",
        "What ccc does: it forks the conversation and asks for the verdict as text.",
        "/supervisor",
    ),
    Way(
        "a fork with --json-schema",
        "The same review with `supervisor.structured_output`: the schema becomes a tool in the "
        "middle of the tools, so everything after it misses the cache. (With a provider that "
        "doesn't cache every block, the tools before it miss it too.)",
        "/supervisor",
        schema=True,
        floors=(4.6, 8.5, 10.5),
    ),
    Way(
        "/goal with the same model",
        "Claude's built-in command with a provider that uses one model for everything (the "
        "default for any custom endpoint). Its evaluator has no tools, reads no files and sees "
        f"the conversation without the agent's system prompt. The agent is {SMALL} here, so that "
        "claude's accounting by model separates the two.",
        "/goal",
        agent=SMALL,
        small=MODEL,
        floors=(2.5, 7.7, 10.0),
    ),
    Way(
        "/goal with a small model",
        f"The same with {SMALL} as the small model, whose window fits the whole conversation. "
        "A model with a smaller window gets only the end of it: claude-haiku-4-5 about 90,000 of "
        "the 500,000 tokens.",
        "/goal",
        small=SMALL,
    ),
)

COSTS = Section(
    "cost",
    "What a review costs",
    "The real claude with the scripted model, which keeps a prompt cache like a provider and "
    "counts one token per four bytes. Tokens and dollars are claude's own count (`usage`, "
    f"`modelUsage`, differences of `total_cost_usd`) at its prices for {MODEL}, where a cached "
    f"token costs a tenth, and {SMALL}. The length is what the agent has said, in turns of at most "
    "10,000 tokens; its system prompt and tools are extra. `$ first` is the first review of a "
    "conversation, and all other columns refer to it. `$ next` is a review that follows before "
    "the cache expires, when every method finds its own first request. The reviewer agrees at "
    "once; one that reads files and runs tests sends more requests. The ratio compares the cost "
    "of the first review with that of ccc's fork.",
    ("sent", "cached", "share", "$ first", "$ next"),
    tuple(
        Case(f"{size}, {way.name}", least=way.floors[number] if way.floors else None)
        for number, size in enumerate(SIZES)
        for way in WAYS
    ),
    costs,
)
