"""What tokens cost: prices in US dollars, and which of them a request is billed at."""

import re
from dataclasses import dataclass, fields

from ccc.claude.formats import environment
from ccc.providers import cost_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.values import Reader

OURS = "ccc.json"
"""The source of prices that the user has given."""
_MILLION = 1_000_000
_MOST = 100_000
_ANTHROPIC = "https://api.anthropic.com"
_CLOUDS = {
    "CLAUDE_CODE_USE_BEDROCK": "aws",
    "CLAUDE_CODE_USE_VERTEX": "google",
    "CLAUDE_CODE_USE_FOUNDRY": "azure",
}
_TIERS = {
    "haiku": "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "sonnet": "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "opus": "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "fable": "ANTHROPIC_DEFAULT_FABLE_MODEL",
}
# A subscription is not paid by tokens; their addresses say so.
_PLAN = re.compile(r"(?<![a-z])(coding|plan)(?![a-z])|/zen/go(/|$)|//ollama\.com")
# Ollama, LM Studio and llama.cpp call their models as the makers do, and ask nothing for them.
_LOCAL_PORTS = (":11434", ":1234", ":8080")
_LOCAL_HOSTS = ("//localhost", "//127.", "//[::1]", "//0.0.0.0")


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per million tokens, and per thousand searches."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float
    web_search: float = 0.0


def rates(
    input: float,
    output: float,
    cache_read: float | None = None,
    cache_write: float | None = None,
    cache_write_1h: float | None = None,
    web_search: float | None = None,
) -> Rates:
    """The rates; where a provider has no price for its cache, those tokens are plain input."""
    write = input if cache_write is None else cache_write
    return Rates(
        input=input,
        output=output,
        cache_read=input if cache_read is None else cache_read,
        cache_write=write,
        cache_write_1h=write if cache_write_1h is None else cache_write_1h,
        web_search=web_search or 0.0,
    )


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model costs, by whom that is said."""

    rates: Rates
    source: str
    tiers: tuple[tuple[int, Rates], ...] = ()
    """The rates of a whole request whose prompt has more tokens than so many, ascending."""

    def at(self, prompt: int) -> Rates:
        """The rates of a request with so many tokens in its prompt."""
        found = self.rates
        for start, more in self.tiers:
            found = more if prompt > start else found
        return found


@dataclass(frozen=True, slots=True)
class Cost:
    """A figure in dollars, and where it comes from."""

    usd: float = 0.0
    source: str = ""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.usd + other.usd, cost_source.joined(self.source, other.source))


def on_record(usd: float, source: str) -> Cost:
    """A figure that was kept, with its source."""
    return Cost(usd, cost_source.source_of(usd, source))


def dollars(tokens: "Mapping[str, int]", rates: Rates) -> float:
    """What the tokens cost."""

    def count(name: str) -> int:
        return tokens.get(name, 0)

    long = min(count("cache_creation_1h"), count("cache_creation"))
    per_million = (
        count("input") * rates.input
        + count("output") * rates.output
        + count("cache_read") * rates.cache_read
        + (count("cache_creation") - long) * rates.cache_write
        + long * rates.cache_write_1h
    )
    return per_million / _MILLION + count("web_search") * rates.web_search / 1_000


def prompt_of(tokens: "Mapping[str, int]") -> int:
    """All tokens of a request's prompt, whatever they cost."""
    return sum(tokens.get(name, 0) for name in ("input", "cache_read", "cache_creation"))


def plain(model: str) -> str:
    """A model by the name that providers bill: without claude's mark for a long context."""
    return model.partition("[")[0].strip().casefold()


def own(given: "Mapping[str, Rates]", model: str) -> Prices | None:
    """The price in a provider's entry: the model's own, else that of all models."""
    named = {plain(name): found for name, found in given.items()}
    found = named.get(plain(model)) or named.get("")
    return Prices(found, OURS) if found else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where requests go: an address, or a cloud by the name that genai-prices has for it."""

    url: str = ""
    cloud: str = ""


def place(env: "Mapping[str, str]") -> Place | None:
    """Where tokens are paid for; None where they are not: a login, a plan, a local server."""
    for switch, cloud in _CLOUDS.items():
        if environment.on_a_cloud({switch: env.get(switch, "")}):
            return Place(cloud=cloud)
    url = env.get("ANTHROPIC_BASE_URL", "").strip()
    if not url:
        paid = env.get("ANTHROPIC_API_KEY") or env.get("ANTHROPIC_AUTH_TOKEN")
        return Place(_ANTHROPIC) if paid else None
    return Place(url) if _is_metered(url.casefold()) else None


def _is_metered(url: str) -> bool:
    host = "//" + url.partition("//")[2].partition("/")[0]
    local = host.startswith(_LOCAL_HOSTS) and host.endswith(_LOCAL_PORTS)
    return not local and not _PLAN.search(url)


def expected_model(env: "Mapping[str, str]", given: str) -> str:
    """The model that an agent will ask for, where that is known before it starts."""
    model = given or env.get("ANTHROPIC_MODEL", "")
    return env.get(_TIERS.get(plain(model), ""), "") or model


def parse(reader: "Reader", raw: object, path: str) -> "dict[str, Rates]":
    """`prices` of a provider's entry: one price for all models, or one for each."""
    given = reader.mapping(raw, path)
    if given and all(isinstance(value, dict) for value in given.values()):
        return {name: _rates(reader, each, f"{path}.{name}") for name, each in given.items()}
    return {"": _rates(reader, given, path)}


_NAMES = tuple(each.name for each in fields(Rates))


def _rates(reader: "Reader", raw: object, path: str) -> Rates:
    given = reader.mapping(raw, path)
    if not {"input", "output"} <= set(given) or not set(given) <= set(_NAMES):
        raise reader.wrong("config.not_prices", path, names=", ".join(_NAMES))
    return rates(
        **{name: reader.number(each, f"{path}.{name}", 0, _MOST) for name, each in given.items()}
    )
