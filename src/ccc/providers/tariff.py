"""What a model costs where a session runs: the provider's own `prices`, else genai-prices."""

from dataclasses import dataclass
from datetime import UTC, datetime

from ccc.providers import prices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ccc.config.schema import Config
    from ccc.providers.prices import Place, Prices, Rates

_KEYS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "web_search": "web_searches_kcount",
}


@dataclass(frozen=True, slots=True)
class Tariff:
    """The prices of a provider."""

    own: "Mapping[str, Rates]"
    place: "Place | None"

    def of(self, model: str) -> "Prices | None":
        """The price of a model now; None where nobody knows it."""
        found = prices.own(self.own, model)
        if found or self.place is None or not prices.plain(model):
            return found
        try:
            return _looked_up(prices.plain(model), self.place)
        except Exception:  # a library that is broken must break neither a stop nor a run
            return None


def of_session(config: "Config", provider: str, env: "Mapping[str, str]") -> Tariff:
    """The prices for requests in this environment; no provider: one that ccc did not choose."""
    entry = config.providers.get(provider)
    return Tariff(entry.prices if entry else {}, prices.place(env))


def of_provider(config: "Config", provider: str) -> Tariff:
    """The prices of a provider of ccc.json, whose secrets needn't be known for that."""
    entry = config.providers.get(provider)
    env = entry.env if entry else {}
    return of_session(config, provider, {k: v for k, v in env.items() if isinstance(v, str)})


def _looked_up(model: str, place: "Place") -> "Prices | None":
    # 0.2 s, and only where a model is asked anyway
    import genai_prices
    from genai_prices import data_snapshot

    snapshot = data_snapshot.get_snapshot()
    try:
        where = snapshot.find_provider(None, place.cloud or None, place.url or None)
    except LookupError:
        where = None
    found = where.find_model(model, all_providers=snapshot.providers) if where else None
    if where is None:
        found = _by_name(snapshot, model)
    if found is None:
        return None
    source = f"genai-prices {genai_prices.__version__}"
    return converted(found.get_prices(datetime.now(UTC)), source)


def _by_name(snapshot: "Any", model: str) -> "Any":
    """A model at an address that is not known, such as a gateway's: as its maker sells it."""
    if ":" in model:
        return None  # a size or a service of a server's own, as in `qwen3:8b`
    for name in dict.fromkeys((model, model.rpartition("/")[2])):
        try:
            return snapshot.find_provider_model(name, None, None, None)[1]
        except LookupError:
            continue
    return None


def converted(price: "Any", source: str) -> "Prices | None":
    """The prices of genai-prices as ours; None where text has none."""
    found = {name: getattr(price, key, None) for name, key in _KEYS.items()}
    if found["input"] is None or found["output"] is None:
        return None
    starts = sorted({tier.start for each in found.values() for tier in getattr(each, "tiers", ())})
    tiers = tuple((start, _rates(found, start + 1)) for start in starts)
    return prices.Prices(_rates(found, 0), source, tiers)


def _rates(found: "Mapping[str, Any]", prompt: int) -> "Rates":
    """The rates of a request with so many tokens in its prompt."""
    return prices.rates(**{name: _amount(each, prompt) for name, each in found.items()})


def _amount(price: "Any", prompt: int) -> "Any":
    if price is None:
        return None
    amount = getattr(price, "base", price)
    for tier in getattr(price, "tiers", ()):
        amount = tier.price if prompt > tier.start else amount
    return float(amount)
