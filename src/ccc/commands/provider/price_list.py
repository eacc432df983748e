"""What a provider's models cost, as `ccc provider show` shows it."""

from ccc import words
from ccc.providers import models, prices, provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.schema import Config

_KINDS = ("input", "output", "cache_read", "cache_write")
HEADS = ("model", *_KINDS, "from")
"""Of the table, as the names of their words end."""


def rows(config: "Config", provider: str) -> list[tuple[str, ...]]:
    """Each model that the provider is asked for, with its prices and where they come from."""
    env = provenance.values(config, provider)
    known = prices.tariff(config, provider, env)
    return [_row(model, known) for model in _models(env)]


def _models(env: "Mapping[str, str]") -> list[str]:
    asked = (models.MODEL, *models.TIERS.values(), models.SUBAGENT)
    return list(dict.fromkeys(models.billed_name(env[name]) for name in asked if env.get(name)))


def _row(model: str, known: prices.Tariff) -> tuple[str, ...]:
    found = known.price(model)
    if found is None:
        return (model, *("–" for _ in _KINDS), words.say("provider.no_price"))
    return (model, *(f"${getattr(found.rates, kind):g}" for kind in _KINDS), found.source)
