"""The prices of a provider's models in ccc.json."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccc.config.layer import Reader

_MAX = 100_000


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
    """Build the rates. Without a price for the cache, cached tokens cost as much as input."""
    write = input if cache_write is None else cache_write
    return Rates(
        input=input,
        output=output,
        cache_read=input if cache_read is None else cache_read,
        cache_write=write,
        cache_write_1h=write if cache_write_1h is None else cache_write_1h,
        web_search=web_search or 0.0,
    )


def parse(reader: "Reader", raw: object, path: str) -> dict[str, Rates]:
    """Parse the `prices` of a provider's entry: one for all models, or one per model."""
    given = reader.mapping(raw, path)
    if given and all(isinstance(value, dict) for value in given.values()):
        return {name: _parse_rates(reader, each, f"{path}.{name}") for name, each in given.items()}
    return {"": _parse_rates(reader, given, path)}


def _parse_rates(reader: "Reader", raw: object, path: str) -> Rates:
    given, known = reader.mapping(raw, path), [field.name for field in fields(Rates)]
    if not {"input", "output"} <= set(given) or not set(given) <= set(known):
        raise reader.wrong("config.not_prices", path, names=", ".join(known))
    return rates(
        **{name: reader.number(each, f"{path}.{name}", 0, _MAX) for name, each in given.items()}
    )
