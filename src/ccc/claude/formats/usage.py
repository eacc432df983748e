"""The tokens that claude reports: of a message, of each model, and their sums."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from ccc.text import lenient_json

_MESSAGE_NAMES = {
    "input": "input_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_creation": "cache_creation_input_tokens",
    "output": "output_tokens",
}
_MODEL_NAMES = {
    "input": "inputTokens",
    "cache_read": "cacheReadInputTokens",
    "cache_creation": "cacheCreationInputTokens",
    "cache_creation_1h": "cacheCreationEphemeral1hInputTokens",
    "output": "outputTokens",
    "web_search": "webSearchRequests",
}
_MAX = 10**12


def add(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sum of the counts, name by name."""
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total


def subtract(tokens: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Return the counts without the other ones, name by name."""
    return {name: max(0, count - other.get(name, 0)) for name, count in tokens.items()}


class Used(Struct, frozen=True):
    """The usage of a model, and its cost at claude's own prices."""

    tokens: Mapping[str, int] = field(default_factory=dict)
    claude_usd: float = 0.0

    def __add__(self, other: "Used") -> "Used":
        return Used(add([self.tokens, other.tokens]), self.claude_usd + other.claude_usd)

    def __sub__(self, before: "Used") -> "Used":
        # a smaller amount means that claude started counting from zero again
        started_over = self.claude_usd < before.claude_usd
        usd = self.claude_usd - (0 if started_over else before.claude_usd)
        return Used(subtract(self.tokens, before.tokens), usd)


def message_tokens(usage: object) -> dict[str, int]:
    """Return the tokens in the `usage` of a message."""
    raw = lenient_json.mapping(usage)
    return {short: _count(raw.get(name)) for short, name in _MESSAGE_NAMES.items()}


def request_tokens(usage: object) -> dict[str, int]:
    """Return the same, plus the cache writes that are kept for an hour."""
    long = lenient_json.mapping(usage, "cache_creation").get("ephemeral_1h_input_tokens")
    return {**message_tokens(usage), "cache_creation_1h": _count(long)}


def by_model(raw: object, total_usd: object = 0.0) -> dict[str, Used]:
    """Parse `modelUsage`. Without it, the total is under an empty name."""
    if not isinstance(raw, dict) or not raw:
        usd = _dollars(total_usd)
        return {"": Used(claude_usd=usd)} if usd else {}
    return {
        name: Used(
            {short: _count(each.get(long)) for short, long in _MODEL_NAMES.items()},
            _dollars(each.get("costUSD")),
        )
        for name, each in raw.items()
        if isinstance(each, dict)
    }


def _dollars(value: object) -> float:
    """Return the amount, or 0 if it isn't valid: `NaN` would break the sum in the state."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < 1e12 else 0.0


def _count(value: object) -> int:
    """Return the number of tokens, limited to a plausible range."""
    return min(value, _MAX) if isinstance(value, int) and value >= 0 else 0


def since(used: Mapping[str, Used], before: Mapping[str, Used]) -> dict[str, Used]:
    """Return the usage since `before`."""
    return {model: each - before.get(model, Used()) for model, each in used.items()}


def total(parts: Iterable[Mapping[str, Used]]) -> dict[str, Used]:
    """Return the sum of the usage, model by model."""
    totals: dict[str, Used] = {}
    for part in parts:
        for model, each in part.items():
            totals[model] = totals.get(model, Used()) + each
    return totals


def estimate(used: Mapping[str, Used]) -> float:
    """Return the cost of the usage at claude's own prices."""
    return sum(each.claude_usd for each in used.values())
