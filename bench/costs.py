"""What a review costs by claude's own accounting, in conversations of different lengths."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.scene import CCC, MODEL, Scene, claude, provider
from bench.table import Case, Row, Section
from ccc.scripted import (
    CODE,
    Reply,
    Request,
    Rule,
    Scenario,
    ScriptedModel,
    agent_turn,
    answer,
    anything,
    every,
    has_tool,
    said_last,
    tool,
    tool_result,
)

SIZES = {"10k": 10_000, "100k": 100_000, "500k": 500_000}
SMALL = "claude-haiku-5-5"
_WORDS = "Reading on, and thinking about what I read. "
_WORK = ("-p", "--output-format", "json", "--permission-mode", "bypassPermissions")


@dataclass(frozen=True)
class Review:
    """What one review took: tokens that were sent, those that came from the cache, dollars."""

    sent: int
    cached: int
    dollars: float


@dataclass(frozen=True)
class Way:
    """A way to have a stop judged."""

    name: str
    means: str
    command: str
    agent: str = MODEL
    small: str = ""
    schema: bool = False
    floors: tuple[float, float, float] | None = None
    """How many times as much as our fork it costs at least, for each length."""


def rules(tokens: int) -> list[Rule]:
    """An agent that says so many tokens in several turns and is done; judges that agree."""
    piece = min(tokens // 5, 10_000)
    long = _WORDS * (4 * piece // len(_WORDS))

    def work(request: Request) -> Reply:
        said = sum(message.get("role") == "assistant" for message in request.messages)
        if said < tokens // piece:
            return answer(long, tool("Bash", command="echo looked", description="Look"))
        return answer("All of it is done.")

    reviewing = every(agent_turn(), said_last("ccc, which supervises this session"))
    structured = has_tool("StructuredOutput")
    verdict = tool("StructuredOutput", code=CODE, completed=True, feedback="")
    return [
        Rule(every(agent_turn(), structured, tool_result()), answer("The verdict is given.")),
        Rule(every(reviewing, structured), answer(verdict)),
        Rule(reviewing, answer(f'{{"code": "{CODE}", "completed": true}}')),
        Rule(agent_turn(), work),
        Rule(anything(), answer('{"ok": true, "reason": "it holds"}')),  # the judge of /goal
    ]


def reviews(directory: Path, way: Way, tokens: int) -> list[Review]:
    """Two tasks in one conversation, each judged once."""
    with ScriptedModel(Scenario(rules(tokens))) as model:
        scene = Scene(directory, model.url, claude())
        env = provider(model.url, way.agent)
        scene.configure(
            env | ({"ANTHROPIC_DEFAULT_HAIKU_MODEL": way.small} if way.small else {}),
            structured_output=way.schema,
        )
        counted = _by_ccc if way.command == "/supervisor" else _by_model(way.small)
        first = json.loads(scene.run((CCC, "kimi", *_WORK, f"{way.command} read all of it")))
        begun = counted(scene, first)
        again = ("--resume", first["session_id"], f"{way.command} say it again")
        later = counted(scene, json.loads(scene.run((CCC, "kimi", *_WORK, *again))))
        spent = (later.sent - begun.sent, later.cached - begun.cached)
        return [begun, Review(*spent, later.dollars - begun.dollars)]


def _by_ccc(scene: Scene, result: dict[str, Any]) -> Review:
    """All reviews so far as ccc has them on record: usage and cost are those of claude's fork."""
    texts = [file.read_text() for file in scene.records.glob("*-verdicts.jsonl")]
    found = [json.loads(line) for text in texts for line in text.splitlines()]
    assert all(verdict["completed"] for verdict in found), found
    sent = sum(v["tokens"][k] for v in found for k in ("input", "cache_read", "cache_creation"))
    cached = sum(verdict["tokens"]["cache_read"] for verdict in found)
    return Review(sent, cached, sum(verdict["cost_usd"] for verdict in found))


def _by_model(model: str) -> Callable[[Scene, dict[str, Any]], Review]:
    """All judgements so far, by the model that does nothing else in this session."""

    def counted(scene: Scene, result: dict[str, Any]) -> Review:
        used = result["modelUsage"][model]
        cached = used["cacheReadInputTokens"]
        sent = used["inputTokens"] + used["cacheCreationInputTokens"] + cached
        return Review(sent, cached, used["costUSD"])

    return counted


def costs(directory: Path, quick: bool) -> list[Row]:
    """Each way at each length; the first is ours."""
    rows = []
    cases = iter(COSTS.cases)
    for size, tokens in SIZES.items():
        ours = 0.0
        for number, way in enumerate(WAYS):
            first, later = reviews(directory / f"{size}-{number}", way, tokens)
            ours = ours or first.dollars
            cells = (
                f"{first.sent:,}",
                f"{first.cached:,}",
                f"{100 * first.cached / first.sent:.1f} %",
                f"{first.dollars:.4f}",
                f"{later.dollars:.4f}",
            )
            rows.append(Row(next(cases), cells, first.dollars / ours))
        if quick:
            return rows
    return rows


WAYS = (
    Way(
        "our fork",
        "What ccc does: a fork of the conversation, the verdict asked for as text.",
        "/supervisor",
    ),
    Way(
        "a fork with --json-schema",
        "The same review with `supervisor.structured_output`: the schema becomes a tool in the "
        "middle of the tools, and what stands behind it is not found in the cache. (A provider "
        "that remembers less than every block would not find the tools before it either.)",
        "/supervisor",
        schema=True,
        floors=(4.6, 8.5, 10.5),
    ),
    Way(
        "/goal, judged by the same model",
        "Claude's built-in command on a provider that has one model for everything (and, by "
        "default, on any endpoint of one's own). Its judge has no tools, sees the conversation "
        f"without the agent's system prompt and reads no file. The agent is {SMALL} here, so that "
        "claude's accounting, which is by model, keeps the two apart.",
        "/goal",
        agent=SMALL,
        small=MODEL,
        floors=(2.5, 7.7, 10.0),
    ),
    Way(
        "/goal, judged by a small model",
        f"The same with {SMALL} as the small model, whose window holds all of it. One with a "
        "smaller window is given the end of the conversation only: claude-haiku-4-5 about 90,000 "
        "of the 500,000 tokens.",
        "/goal",
        small=SMALL,
    ),
)

COSTS = Section(
    "cost",
    "What a review costs",
    f"The real claude against the scripted model, which keeps a prompt cache as a provider does "
    f"and bills a token for every four bytes. Tokens and dollars are claude's own count "
    f"(`usage`, `modelUsage`, differences of `total_cost_usd`) with the prices it has for {MODEL}, "
    f"where a cached token costs a tenth, and {SMALL}. The length is what the agent has said, in "
    f"turns of at most 10,000 tokens; its system prompt and tools come on top. `first` is the "
    f"first review of a conversation, and what the other figures are about; `next` is one that "
    f"follows before the cache forgets: every way finds its own first request there. The judge "
    f"agrees at once; one that reads files and runs tests sends more requests. The ratio is that "
    f"of the first review's dollars to our fork's.",
    ("sent", "cached", "share", "$ first", "$ next"),
    tuple(
        Case(f"{size}, {way.name}", least=way.floors[number] if way.floors else None)
        for number, size in enumerate(SIZES)
        for way in WAYS
    ),
    costs,
)
