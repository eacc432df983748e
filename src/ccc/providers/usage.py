"""The usage of each model and its cost: token counts, their sums and the meter."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ccc.providers import cost_source, models, prices
from ccc.providers.prices import Prices, Rates

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
    """The sum of the counts, name by name."""
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total


def _subtract(tokens: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: max(0, count - other.get(name, 0)) for name, count in tokens.items()}


def cached_share(tokens: Mapping[str, int]) -> float | None:
    """The share of the prompt that came from the cache; None if nothing was sent."""
    sent = [tokens.get(name, 0) for name in ("cache_read", "input", "cache_creation")]
    return sent[0] / sum(sent) if sum(sent) else None


@dataclass(frozen=True, slots=True)
class Used:
    """The usage of a model, and its cost at claude's own prices."""

    tokens: Mapping[str, int] = field(default_factory=dict)
    claude_usd: float = 0.0

    def __add__(self, other: "Used") -> "Used":
        return Used(add([self.tokens, other.tokens]), self.claude_usd + other.claude_usd)

    def __sub__(self, before: "Used") -> "Used":
        # a smaller amount means that claude started counting from zero again
        started_over = self.claude_usd < before.claude_usd
        usd = self.claude_usd - (0 if started_over else before.claude_usd)
        return Used(_subtract(self.tokens, before.tokens), usd)


def message_tokens(usage: object) -> dict[str, int]:
    """The tokens in the `usage` of a message."""
    raw = usage if isinstance(usage, dict) else {}
    return {short: _count(raw.get(name)) for short, name in _MESSAGE_NAMES.items()}


def request_tokens(usage: object) -> dict[str, int]:
    """The same, plus the cache writes that are kept for an hour."""
    written = usage.get("cache_creation") if isinstance(usage, dict) else None
    long = written.get("ephemeral_1h_input_tokens") if isinstance(written, dict) else 0
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
    """The amount, or 0 if it isn't valid: `NaN` would break the sum in the state."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < 1e12 else 0.0


def _count(value: object) -> int:
    """The number of tokens, limited to a plausible range."""
    return min(value, _MAX) if isinstance(value, int) and value >= 0 else 0


def since(used: Mapping[str, Used], before: Mapping[str, Used]) -> dict[str, Used]:
    """The usage since `before`."""
    return {model: each - before.get(model, Used()) for model, each in used.items()}


def total(parts: Iterable[Mapping[str, Used]]) -> dict[str, Used]:
    """The sum of the usage, model by model."""
    totals: dict[str, Used] = {}
    for part in parts:
        for model, each in part.items():
            totals[model] = totals.get(model, Used()) + each
    return totals


def estimate(used: Mapping[str, Used]) -> float:
    """The cost of the usage at claude's own prices."""
    return sum(each.claude_usd for each in used.values())


@dataclass(frozen=True, slots=True)
class Cost:
    """An amount in dollars, and its source."""

    usd: float = 0.0
    source: str = ""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.usd + other.usd, cost_source.join(self.source, other.source))


def cost_on_record(usd: float, source: str) -> Cost:
    """An amount from a state or record, with its source."""
    return Cost(usd, cost_source.on_record(usd, source))


@dataclass(frozen=True, slots=True)
class Request:
    """The known facts about a request to a model."""

    model: str
    tokens: Mapping[str, int]
    rates: Rates | None = None
    source: str = ""

    @property
    def usd(self) -> float:
        """The cost of the request; 0 if no price is known."""
        return prices.dollars(self.tokens, self.rates) if self.rates else 0.0


@dataclass(slots=True)
class Meter:
    """Counts each request once, no matter how often claude repeats its usage."""

    price: Callable[[str], Prices | None]
    _model: str = ""
    """The model that the main conversation requests."""
    _requests: dict[str, Request] = field(default_factory=dict)
    usd: float = 0.0
    """The cost of the requests since the last bill whose prices are known."""
    _open: dict[str, str] = field(default_factory=dict)
    """The current request of the main conversation and of each sub-agent."""

    def see(self, raw: Mapping[str, Any]) -> None:
        """Count the usage of a request that a line of claude's stream reports."""
        kind, parent = raw.get("type"), str(raw.get("parent_tool_use_id") or "")
        if kind == "system" and raw.get("subtype") == "init":
            self._model = str(raw.get("model") or "")
        event = raw.get("event") if kind == "stream_event" else None
        if isinstance(event, dict):
            if event.get("type") == "message_start":
                self._note(event.get("message"), parent, is_start=True)
            elif event.get("type") == "message_delta" and (known := self._open.get(parent)):
                self._update(known, request_tokens(event.get("usage")))
        elif kind == "assistant":
            self._note(raw.get("message"), parent)

    def so_far(self) -> Cost:
        """Return the cost of the requests since the last bill, as far as the stream tells."""
        return sum((Cost(each.usd, each.source) for each in list(self._requests.values())), Cost())

    def bill(self, used: Mapping[str, Used]) -> Cost:
        """Return the cost of the turn, given the usage that claude reports, and start the next.

        Requests that never appear in the stream (titles, summaries, the output of sub-agents) are
        only in claude's count. If claude has no count, only the stream is billed.
        """
        requests, streamed = list(self._requests.values()), self.so_far()
        self._requests.clear()
        self._open.clear()
        self.usd = 0.0
        parts = [self._model_cost(model, each, requests) for model, each in used.items()]
        return sum(parts, Cost()) if used else streamed

    def _model_cost(self, model: str, used: Used, requests: list[Request]) -> Cost:
        if not any(used.tokens.values()) and not used.claude_usd:
            return Cost()
        price = self.price(model) if model else None
        if price is None:
            return Cost(used.claude_usd, cost_source.ESTIMATE)
        seen = [request for request in requests if request.model == models.billed_name(model)]
        rest = _subtract(used.tokens, add(request.tokens for request in seen))
        rates = seen[-1].rates if seen else None
        usd = sum(request.usd for request in seen) + prices.dollars(rest, rates or price.rates)
        return Cost(usd, price.source)

    def _note(self, message: object, parent: str, is_start: bool = False) -> None:
        if not isinstance(message, dict) or not isinstance(id_ := message.get("id"), str):
            return
        tokens = request_tokens(message.get("usage"))
        if id_ not in self._requests:
            if not is_start and not any(tokens.values()):
                return  # a message from claude itself, without a request to a model
            answered = str(message.get("model") or "")
            model = answered if parent else self._model or answered
            self._requests[id_] = Request(models.billed_name(model), {})
        self._open[parent] = id_
        self._update(id_, tokens)

    def _update(self, id_: str, tokens: Mapping[str, int]) -> None:
        """Keep the greater count from two reports of the same request."""
        before = self._requests[id_]
        names = {**before.tokens, **tokens}
        counts = {name: max(before.tokens.get(name, 0), tokens.get(name, 0)) for name in names}
        after = replace(before, tokens=counts)
        if price := self.price(before.model):
            after = replace(after, rates=price.for_prompt(counts), source=price.source)
        self._requests[id_] = after
        self.usd += after.usd - before.usd
