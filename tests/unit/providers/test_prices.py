"""What tokens cost: rates, tiers, a provider's `prices`, and where tokens are billed."""

import json

import pytest

from ccc.config import schema
from ccc.errors import CccError
from ccc.model.cost import ESTIMATE, Cost, is_estimate, on_record
from ccc.providers import models, prices
from ccc.providers.prices import Place, Prices, Tariff

RATES = prices.rates(1, 10, cache_read=0.1, cache_write=2, cache_write_1h=4, web_search=10)
MILLION = 1_000_000


@pytest.mark.parametrize(
    ("tokens", "usd"),
    [
        ({}, 0.0),
        ({"input": MILLION}, 1.0),
        ({"output": MILLION}, 10.0),
        ({"cache_read": MILLION}, 0.1),
        ({"cache_creation": MILLION}, 2.0),
        ({"cache_creation": MILLION, "cache_creation_1h": MILLION}, 4.0),
        ({"cache_creation": MILLION, "cache_creation_1h": 250_000}, 1.5 + 1.0),
        # a part can't be more than the whole
        ({"cache_creation": 0, "cache_creation_1h": MILLION}, 0.0),
        ({"web_search": 3}, 0.03),
        ({"input": 1, "output": 1}, 0.000011),
    ],
)
def test_dollars(tokens: dict[str, int], usd: float) -> None:
    """Each kind of token has its own rate."""
    assert prices.dollars(tokens, RATES) == pytest.approx(usd)


def test_a_cache_without_a_price_is_input() -> None:
    """A provider without cache prices bills those tokens as input."""
    assert prices.rates(3, 15) == prices.Rates(3, 15, 3, 3, 3)
    assert prices.rates(3, 15, cache_write=4).cache_write_1h == 4
    assert prices.rates(3, 15, cache_read=0).cache_read == 0


def test_tiers() -> None:
    """A prompt past a threshold is billed as a whole at the rates of that tier."""
    long, longer = prices.rates(2, 20), prices.rates(3, 30)
    found = Prices(RATES, "x", ((200, long), (500, longer)))
    sizes = (0, 200, 201, 500, 501)
    assert [found.for_prompt({"input": size}) for size in sizes] == [
        RATES,
        RATES,
        long,
        long,
        longer,
    ]
    parts = {"input": 100, "cache_read": 50, "cache_creation": 50, "output": 8}
    assert found.for_prompt(parts) == RATES
    assert found.for_prompt({**parts, "cache_read": 51}) == long


@pytest.mark.parametrize(
    ("model", "name"),
    [("kimi-k3[1m]", "kimi-k3"), ("MiniMax-M3", "minimax-m3"), ("a", "a"), ("", "")],
)
def test_plain(model: str, name: str) -> None:
    """claude's marker for a long context is not part of the billed name."""
    assert models.billed_name(model) == name


def test_costs_are_added_with_their_sources() -> None:
    """A sum names each of its sources once, and is an estimate if a part is one."""
    priced, guessed = Cost(1.0, "ccc.json"), Cost(0.5, ESTIMATE)
    total = priced + guessed + priced + Cost()
    assert total == Cost(2.5, "ccc.json, claude's estimate")
    assert is_estimate(total.source)
    assert not is_estimate((priced + priced).source)
    assert on_record(0.5, "") == guessed
    assert on_record(0.0, "") == Cost()
    assert on_record(1.0, "ccc.json") == priced


@pytest.mark.parametrize(
    ("env", "place"),
    [
        ({}, None),
        ({"CLAUDE_CODE_OAUTH_TOKEN": "x"}, None),
        ({"ANTHROPIC_API_KEY": "x"}, Place("https://api.anthropic.com")),
        ({"ANTHROPIC_AUTH_TOKEN": "x"}, Place("https://api.anthropic.com")),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, Place(cloud="aws")),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, Place(cloud="google")),
        ({"CLAUDE_CODE_USE_BEDROCK": "0"}, None),
    ],
)
def test_place(env: dict[str, str], place: Place | None) -> None:
    """It returns where tokens are billed; with a login they are not."""
    assert prices.place(env) == place


@pytest.mark.parametrize(
    ("url", "metered"),
    [
        ("https://api.moonshot.ai/anthropic", True),
        ("https://gateway.example/v1", True),
        ("http://127.0.0.1:4567", True),
        ("http://localhost:4000", True),
        ("https://planet.example/encoding", True),
        ("https://api.kimi.com/coding/", False),
        ("https://coding-intl.dashscope.aliyuncs.com/apps/anthropic", False),
        ("https://token-plan.cn-beijing.maas.aliyuncs.com/apps/anthropic", False),
        ("https://ark.cn-beijing.volces.com/api/plan", False),
        ("https://api.stepfun.ai/step_plan", False),
        ("https://opencode.ai/zen/go", False),
        ("https://ollama.com", False),
        ("http://localhost:11434", False),
        ("http://localhost:11434/", False),
        ("http://127.0.0.1:1234", False),
        ("http://[::1]:8080/v1", False),
        ("https://models.example:8080", True),
    ],
)
def test_subscriptions_and_local_servers(url: str, metered: bool) -> None:
    """Tokens are not billed by a subscription, nor by a server on this machine."""
    assert (prices.place({"ANTHROPIC_BASE_URL": url}) is not None) is metered


def test_the_expected_model() -> None:
    """The model is the command line's, else the provider's; tiers use the provider's names."""
    env = {"ANTHROPIC_MODEL": "kimi-k3[1m]", "ANTHROPIC_DEFAULT_OPUS_MODEL": "kimi-k3.1-pro"}
    assert models.expected_model(env, "") == "kimi-k3[1m]"
    assert models.expected_model(env, "kimi-k2.5") == "kimi-k2.5"
    assert models.expected_model(env, "opus[1m]") == "kimi-k3.1-pro"
    assert models.expected_model(env, "haiku") == "haiku"
    assert models.expected_model({}, "") == ""


def parsed(given: object) -> schema.Config:
    """Return a configuration whose only provider has these prices."""
    entry = {"env": {"ANTHROPIC_BASE_URL": "http://x"}, "model": "m", "prices": given}
    return schema.parse(json.dumps({"providers": {"kimi": entry}}), "ccc.json")


def test_prices_of_all_models() -> None:
    """One object is the price of all models, and no setting of claude's."""
    layer = parsed({"input": 0.6, "output": 2.5, "cache_read": 0.1}).providers["kimi"]
    assert layer.settings == {"model": "m"}
    for model in ("kimi-k3[1m]", "any"):
        found = Tariff(layer.prices, None).price(model)
        assert found == Prices(prices.rates(0.6, 2.5, cache_read=0.1), "ccc.json")


def test_prices_by_model() -> None:
    """With an object per model, other models have no user price."""
    given = {"Kimi-K3[1m]": {"input": 3, "output": 15}, "free": {"input": 0, "output": 0}}
    layer = parsed(given).providers["kimi"]
    known = Tariff(layer.prices, None)
    assert known.price("kimi-k3") == Prices(prices.rates(3, 15), "ccc.json")
    assert known.price("free") == Prices(prices.rates(0, 0), "ccc.json")
    assert known.price("other") is None
    assert Tariff({}, None).price("kimi-k3") is None


@pytest.mark.parametrize(
    ("given", "path", "reason"),
    [
        (3, "providers.kimi.prices", "config.not_object"),
        ({}, "providers.kimi.prices", "config.not_prices"),
        ({"input": 3}, "providers.kimi.prices", "config.not_prices"),
        ({"input": 3, "output": 4, "in": 5}, "providers.kimi.prices", "config.not_prices"),
        ({"m": {"input": 3}}, "providers.kimi.prices.m", "config.not_prices"),
        ({"m": {"input": 1, "output": 1}, "n": 3}, "providers.kimi.prices", "config.not_prices"),
        ({"input": "3", "output": 4}, "providers.kimi.prices.input", "config.not_number"),
        ({"input": -1, "output": 4}, "providers.kimi.prices.input", "config.not_number"),
        (
            {"m": {"input": 1, "output": True}},
            "providers.kimi.prices.m.output",
            "config.not_number",
        ),
    ],
)
def test_prices_that_are_none(given: object, path: str, reason: str) -> None:
    """An error names the file, the key and what to write."""
    with pytest.raises(CccError) as caught:
        parsed(given)
    found = caught.value
    assert (found.params["file"], found.params["path"]) == ("ccc.json", path)
    assert (found.params["reason"], found.hint) == (reason, reason)


def test_prices_of_the_base_template() -> None:
    """Prices belong to a provider: in the base template they would reach claude's settings."""
    text = '{"settings": {"prices": {}}, "providers": {"a": {}}}'
    with pytest.raises(CccError) as caught:
        schema.parse(text, "ccc.json")
    assert caught.value.params["path"] == "settings.prices"
