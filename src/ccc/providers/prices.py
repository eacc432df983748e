"""What tokens cost, from the provider's `prices` in ccc.json or else from genai-prices.

A meter counts the requests of an agent or a review as the stream reports them.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field

from ccc.claude.formats import environment, usage
from ccc.config.layer import Rates, rates
from ccc.config.schema import Config
from ccc.model.cost import ESTIMATE, Cost
from ccc.providers import models

_OWN = "ccc.json"
_ANTHROPIC = "https://api.anthropic.com"
# the names of the clouds in genai-prices
_CLOUDS = {
    "CLAUDE_CODE_USE_BEDROCK": "aws",
    "CLAUDE_CODE_USE_VERTEX": "google",
    "CLAUDE_CODE_USE_FOUNDRY": "azure",
}
# A subscription isn't billed by tokens. Its URL identifies it.
_PLAN = re.compile(r"(?<![a-z])(coding|plan)(?![a-z])|/zen/go(/|$)|//ollama\.com")
# Ollama, LM Studio and llama.cpp are free, but use the vendors' names for their models.
_LOCAL_PORTS = (":11434", ":1234", ":8080")
_LOCAL_HOSTS = ("//localhost", "//127.", "//[::1]", "//0.0.0.0")
_GENAI_NAMES = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "web_search": "web_searches_kcount",
}


class Prices(Struct, frozen=True):
    """The price of a model, and the source of that price."""

    rates: Rates
    source: str
    tiers: tuple[tuple[int, Rates], ...] = ()
    """Rates for whole requests whose prompt has more tokens than this, in ascending order."""

    def for_prompt(self, tokens: Mapping[str, int]) -> Rates:
        """Return the rates of a request, based on the size of its prompt."""
        size = sum(tokens.get(name, 0) for name in ("input", "cache_read", "cache_creation"))
        return next((more for start, more in reversed(self.tiers) if size > start), self.rates)


def dollars(tokens: Mapping[str, int], rates: Rates) -> float:
    """Return the cost of the tokens in dollars."""
    written = tokens.get("cache_creation", 0)
    long = min(tokens.get("cache_creation_1h", 0), written)
    per_million = (
        tokens.get("input", 0) * rates.input
        + tokens.get("output", 0) * rates.output
        + tokens.get("cache_read", 0) * rates.cache_read
        + (written - long) * rates.cache_write
        + long * rates.cache_write_1h
    )
    return per_million / 1_000_000 + tokens.get("web_search", 0) * rates.web_search / 1_000


class Place(Struct, frozen=True):
    """Where requests go: a URL or a cloud."""

    url: str = ""
    cloud: str = ""


def place(env: Mapping[str, str]) -> Place | None:
    """Return where tokens are billed; None for a login, a subscription or a local server."""
    for switch, cloud in _CLOUDS.items():
        if environment.uses_cloud({switch: env.get(switch, "")}):
            return Place(cloud=cloud)
    url = env.get(models.BASE_URL, "").strip()
    if not url:
        paid = env.get("ANTHROPIC_API_KEY") or env.get("ANTHROPIC_AUTH_TOKEN")
        return Place(_ANTHROPIC) if paid else None
    host = "//" + url.casefold().partition("//")[2].partition("/")[0]
    is_local = host.startswith(_LOCAL_HOSTS) and host.endswith(_LOCAL_PORTS)
    return None if is_local or _PLAN.search(url.casefold()) else Place(url)


class Tariff(Struct, frozen=True):
    """The prices of a provider."""

    own: Mapping[str, Rates]
    """The prices in ccc.json by model. An empty name applies to all models."""
    place: Place | None

    def price(self, model: str) -> Prices | None:
        """Return the current price of a model; None if it is unknown."""
        name = models.billed_name(model)
        own = {models.billed_name(key): rates for key, rates in self.own.items()}
        if rates := own.get(name) or own.get(""):
            return Prices(rates, _OWN)
        if self.place is None or not name:
            return None
        try:
            return _look_up(name, self.place)
        except Exception:  # a broken library must not break a stop or a run
            return None


def tariff(config: Config, provider: str, env: Mapping[str, str] | None = None) -> Tariff:
    """Return the prices for requests in this environment, or else in the provider's own."""
    entry = config.providers.get(provider)
    if env is None:
        values = entry.env if entry else {}
        env = {name: value for name, value in values.items() if isinstance(value, str)}
    return Tariff(entry.prices if entry else {}, place(env))


def _look_up(model: str, place: Place) -> Prices | None:
    # takes 0.2 s, but only runs when a model is called anyway
    import genai_prices
    from genai_prices import data_snapshot

    snapshot = data_snapshot.get_snapshot()
    try:
        provider = snapshot.find_provider(None, place.cloud or None, place.url or None)
    except LookupError:
        entry = _find_by_name(snapshot, model)
    else:
        entry = provider.find_model(model, all_providers=snapshot.providers)
    if entry is None:
        return None
    source = f"genai-prices {genai_prices.__version__}"
    return convert(entry.get_prices(datetime.now(UTC)), source)


def _find_by_name(snapshot: Any, model: str) -> Any:
    """Find a model at an unknown URL, such as a gateway, at its vendor's prices."""
    if ":" in model:
        return None  # a server-specific size or service, as in `qwen3:8b`
    for name in dict.fromkeys((model, model.rpartition("/")[2])):
        try:
            return snapshot.find_provider_model(name, None, None, None)[1]
        except LookupError:
            continue
    return None


def convert(price: Any, source: str) -> Prices | None:
    """Convert prices from genai-prices; None if there is none for text."""
    given = {name: getattr(price, key, None) for name, key in _GENAI_NAMES.items()}
    if given["input"] is None or given["output"] is None:
        return None
    starts = {tier.start for each in given.values() for tier in getattr(each, "tiers", ())}

    def at(prompt: int) -> Rates:
        return rates(**{name: _amount(each, prompt) for name, each in given.items()})

    return Prices(at(0), source, tuple((start, at(start + 1)) for start in sorted(starts)))


def _amount(price: Any, prompt: int) -> Any:
    if price is None:
        return None
    amount = getattr(price, "base", price)
    for tier in getattr(price, "tiers", ()):
        amount = tier.price if prompt > tier.start else amount
    return float(amount)


class BilledRequest(Struct, frozen=True):
    """The known facts about a request to a model."""

    model: str
    tokens: Mapping[str, int] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)  # nothing if no price is known


class Meter(Struct):
    """Counts each request once, no matter how often claude repeats its usage."""

    price: Callable[[str], Prices | None]
    _model: str = ""  # the model that the main conversation requests
    _requests: dict[str, BilledRequest] = field(default_factory=dict)
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
                self._update(known, usage.request_tokens(event.get("usage")))
        elif kind == "assistant":
            self._note(raw.get("message"), parent)

    def so_far(self) -> Cost:
        """Return the cost of the requests since the last bill, as far as the stream tells."""
        return sum((each.cost for each in list(self._requests.values())), Cost())

    def bill(self, used: Mapping[str, usage.Used]) -> Cost:
        """Return the cost of the turn, given the usage that claude reports, and start the next.

        Requests that never appear in the stream (titles, summaries, the output of sub-agents) are
        only in claude's count. If claude has no count, only the stream is billed.
        """
        requests, streamed = list(self._requests.values()), self.so_far()
        self._requests.clear()
        self._open.clear()
        parts = [self._model_cost(model, each, requests) for model, each in used.items()]
        return sum(parts, Cost()) if used else streamed

    def _model_cost(self, model: str, used: usage.Used, requests: list[BilledRequest]) -> Cost:
        if not any(used.tokens.values()) and not used.claude_usd:
            return Cost()
        price = self.price(model) if model else None
        if price is None:
            return Cost(used.claude_usd, ESTIMATE)
        seen = [request for request in requests if request.model == models.billed_name(model)]
        rest = usage.subtract(used.tokens, usage.add(request.tokens for request in seen))
        rates = price.for_prompt(seen[-1].tokens if seen else {})
        usd = sum(request.cost.usd for request in seen) + dollars(rest, rates)
        return Cost(usd, price.source)

    def _note(self, message: object, parent: str, is_start: bool = False) -> None:
        if not isinstance(message, dict) or not isinstance(id_ := message.get("id"), str):
            return
        tokens = usage.request_tokens(message.get("usage"))
        if id_ not in self._requests:
            if not is_start and not any(tokens.values()):
                return  # a message from claude itself, without a request to a model
            answered = str(message.get("model") or "")
            model = answered if parent else self._model or answered
            self._requests[id_] = BilledRequest(models.billed_name(model))
        self._open[parent] = id_
        self._update(id_, tokens)

    def _update(self, id_: str, tokens: Mapping[str, int]) -> None:
        """Keep the greater count from two reports of the same request."""
        before = self._requests[id_]
        names = {**before.tokens, **tokens}
        counts = {name: max(before.tokens.get(name, 0), tokens.get(name, 0)) for name in names}
        cost = before.cost
        if price := self.price(before.model):
            cost = Cost(dollars(counts, price.for_prompt(counts)), price.source)
        self._requests[id_] = BilledRequest(before.model, counts, cost)
