"""Tokens by name: read as claude and providers report them, added up, and how much was cached."""

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_OF_A_MESSAGE = {
    "input": "input_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_creation": "cache_creation_input_tokens",
    "output": "output_tokens",
}
_MOST = 10**12
_OF_A_MODEL = {
    "input": "inputTokens",
    "cache_read": "cacheReadInputTokens",
    "cache_creation": "cacheCreationInputTokens",
    "cache_creation_1h": "cacheCreationEphemeral1hInputTokens",
    "output": "outputTokens",
    "web_search": "webSearchRequests",
}


@dataclass(frozen=True, slots=True)
class Used:
    """What was used of a model, and what that costs by claude's own prices."""

    tokens: "Mapping[str, int]" = field(default_factory=dict)
    claude_usd: float = 0.0


def of_message(usage: object) -> dict[str, int]:
    """The tokens in the `usage` of a message."""
    raw = usage if isinstance(usage, dict) else {}
    return {short: _count(raw.get(name)) for short, name in _OF_A_MESSAGE.items()}


def of_request(usage: object) -> dict[str, int]:
    """The same, with the part of the cache's writes that is kept for an hour."""
    raw = usage if isinstance(usage, dict) else {}
    written = raw.get("cache_creation")
    kept = written.get("ephemeral_1h_input_tokens") if isinstance(written, dict) else 0
    return {**of_message(raw), "cache_creation_1h": _count(kept)}


def of_models(raw: object, total_usd: object = 0.0) -> dict[str, Used]:
    """The value of `modelUsage`, by model; where there is none the total, of no model."""
    if not isinstance(raw, dict) or not raw:
        usd = dollars(total_usd)
        return {"": Used(claude_usd=usd)} if usd else {}
    return {
        name: Used(
            {short: _count(each.get(long)) for short, long in _OF_A_MODEL.items()},
            dollars(each.get("costUSD")),
        )
        for name, each in raw.items()
        if isinstance(each, dict)
    }


def dollars(value: object) -> float:
    """An amount, where it is one: `NaN` would spoil the state that it is added up in."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < 1e12 else 0.0


def _count(value: object) -> int:
    """A number of tokens; one that nobody can have used counts as the most that is believed."""
    return min(value, _MOST) if isinstance(value, int) and value >= 0 else 0


def since(used: "Mapping[str, Used]", before: "Mapping[str, Used]") -> dict[str, Used]:
    """What of the use came after what was used before."""
    nothing = Used()
    found = {}
    for model, each in used.items():
        old = before.get(model, nothing)
        tokens = less(each.tokens, old.tokens)
        # an accounting that begins anew is whole
        usd = each.claude_usd - old.claude_usd if each.claude_usd >= old.claude_usd else None
        found[model] = Used(tokens, each.claude_usd if usd is None else usd)
    return found


def less(tokens: "Mapping[str, int]", taken: "Mapping[str, int]") -> dict[str, int]:
    """What is left of the tokens, name by name; never below nothing."""
    return {name: max(0, count - taken.get(name, 0)) for name, count in tokens.items()}


def most(one: "Mapping[str, int]", other: "Mapping[str, int]") -> dict[str, int]:
    """The greater count of two reports of the same request, name by name."""
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in {**one, **other}}


def added(counts: "Iterable[Mapping[str, int]]") -> dict[str, int]:
    """The sum of all the counts, name by name."""
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total


def all_used(parts: "Iterable[Mapping[str, Used]]") -> dict[str, Used]:
    """The sum of the uses, model by model."""
    total: dict[str, Used] = {}
    for part in parts:
        for model, each in part.items():
            old = total.get(model, Used())
            usd = old.claude_usd + each.claude_usd
            total[model] = Used(added([old.tokens, each.tokens]), usd)
    return total


def estimate(used: "Mapping[str, Used]") -> float:
    """What the use costs by claude's own prices."""
    return sum(each.claude_usd for each in used.values())


def cached_share(tokens: "Mapping[str, int]") -> float | None:
    """The share of what was sent that the prompt cache served; None where nothing was sent."""
    sent = [tokens.get(name, 0) for name in ("cache_read", "input", "cache_creation")]
    return sent[0] / sum(sent) if sum(sent) else None
