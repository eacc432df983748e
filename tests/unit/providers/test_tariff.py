"""The price of a model where a session runs: the user's own, else from genai-prices."""

from decimal import Decimal

import genai_prices
import pytest
from genai_prices.types import ModelPrice, Tier, TieredPrices

from ccc.config import schema
from ccc.providers import prices
from ccc.providers.prices import Place, Tariff

SOURCE = f"genai-prices {genai_prices.__version__}"


def at(url: str, **own: prices.Rates) -> Tariff:
    """Return the prices at an address."""
    return Tariff(own, prices.place({"ANTHROPIC_BASE_URL": url}))


@pytest.mark.parametrize(
    ("url", "model", "input", "output"),
    [
        ("https://api.moonshot.ai/anthropic", "kimi-k3[1m]", 3, 15),
        ("https://api.moonshot.cn/anthropic", "kimi-k2.7-code", 0.95, 4),
        ("https://api.z.ai/api/anthropic", "GLM-5.3[1m]", 1.4, 4.4),
        ("https://open.bigmodel.cn/api/anthropic", "glm-5.3", 1.103, 3.862),
        ("https://openrouter.ai/api", "anthropic/claude-sonnet-5", 2, 10),
        # an unknown address: by name, at the maker's price
        ("http://127.0.0.1:4567", "kimi-k2.7-code", 0.95, 4),
        ("https://gateway.example", "moonshotai/kimi-k2.6", 0.95, 4),
    ],
)
def test_looked_up(url: str, model: str, input: float, output: float) -> None:
    """The price is found by the address, else by the model's name."""
    found = at(url).price(model)
    assert found is not None
    assert (found.rates.input, found.rates.output, found.source) == (input, output, SOURCE)


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://api.moonshot.ai/anthropic", "claude-sonnet-5"),
        ("https://gateway.example", "nobodys-model"),
        ("https://gateway.example", "kimi-k2.5:cloud"),
        ("https://gateway.example", ""),
        ("https://api.kimi.com/coding/", "kimi-k3"),
        ("http://localhost:11434", "deepseek-r1"),
        ("", "claude-sonnet-5"),
    ],
)
def test_unknown(url: str, model: str) -> None:
    """No price is invented."""
    assert at(url).price(model) is None


def test_the_users_own_price_wins() -> None:
    """The user's price wins even if nothing else is known, but only for its own models."""
    own = prices.rates(0.6, 2.5)
    found = at("https://api.moonshot.ai/anthropic", **{"kimi-k3": own})
    assert found.price("kimi-k3[1m]") == prices.Prices(own, "ccc.json")
    other = found.price("kimi-k2.5")
    assert other is not None
    assert other.source == SOURCE
    assert at("http://localhost:11434", **{"": own}).price("qwen3:8b") is not None


def test_of_a_session() -> None:
    """The provider's own prices and the environment's address are used."""
    text = '{"providers": {"a": {"prices": {"input": 1, "output": 2}}, "b": {}}}'
    known = schema.parse(text, "ccc.json")
    assert prices.tariff(known, "a", {}).price("x") == prices.Prices(prices.rates(1, 2), "ccc.json")
    env = {"ANTHROPIC_API_KEY": "k"}
    for provider in ("b", ""):
        found = prices.tariff(known, provider, env)
        assert (found.own, found.place) == ({}, Place("https://api.anthropic.com"))
    cloud = prices.tariff(known, "b", {"CLAUDE_CODE_USE_BEDROCK": "1"})
    assert cloud.price("global.anthropic.claude-sonnet-5") is not None


def test_tiers() -> None:
    """The tiers of all its prices are rates for a whole request."""

    def tiered(base: str, *more: tuple[int, str]) -> TieredPrices:
        return TieredPrices(Decimal(base), [Tier(start, Decimal(price)) for start, price in more])

    given = ModelPrice(
        input_mtok=tiered("1", (200, "2"), (500, "3")),
        output_mtok=tiered("10", (500, "30")),
        cache_read_mtok=Decimal("0.1"),
    )
    found = prices.convert(given, "x")
    assert found is not None
    assert found.rates == prices.rates(1, 10, cache_read=0.1)
    assert found.tiers == (
        (200, prices.rates(2, 10, cache_read=0.1)),
        (500, prices.rates(3, 30, cache_read=0.1)),
    )


def test_a_model_that_is_not_billed_by_tokens() -> None:
    """Speech and images have no price for text."""
    assert prices.convert(ModelPrice(audio_hours=Decimal(1)), "x") is None


def test_as_genai_prices_computes_it() -> None:
    """ccc and genai-prices compute the same, tier by tier."""
    found = at("https://api.anthropic.com").price("claude-sonnet-4-5")
    assert found is not None
    for read in (10_000, 250_000):
        tokens = {"input": 1_000, "cache_read": read, "cache_creation": 5_000, "output": 2_000}
        theirs = genai_prices.calc_price(
            genai_prices.Usage(
                input_tokens=6_000 + read,
                cache_read_tokens=read,
                cache_write_tokens=5_000,
                output_tokens=2_000,
            ),
            "claude-sonnet-4-5",
            provider_id="anthropic",
        )
        ours = prices.dollars(tokens, found.for_prompt(tokens))
        assert ours == pytest.approx(float(theirs.total_price))
