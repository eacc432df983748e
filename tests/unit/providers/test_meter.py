"""The meter bills each request once at its price, and the rest by claude's count."""

from typing import Any

import pytest

from ccc.claude.formats.usage import Used, by_model
from ccc.model.cost import Cost
from ccc.providers import models, prices
from ccc.providers.prices import Meter, Prices

BIG = Prices(
    prices.rates(1, 10, cache_read=0.1),
    "ccc.json",
    ((100_000, prices.rates(2, 20, cache_read=0.2)),),
)
SMALL = Prices(prices.rates(0.5, 5), "genai-prices 1")
KNOWN = {"big": BIG, "small": SMALL}
INIT = {"type": "system", "subtype": "init", "model": "big[1m]"}


def meter() -> Meter:
    """Return a meter that knows two models, in a conversation with the first."""
    found = Meter(lambda model: KNOWN.get(models.billed_name(model)))
    found.see(INIT)
    return found


def usage(input: int = 0, output: int = 0, read: int = 0, write: int = 0, long: int = 0) -> Any:
    """Return a usage as the API writes it."""
    return {
        "input_tokens": input,
        "output_tokens": output,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": write,
        "cache_creation": {"ephemeral_1h_input_tokens": long},
    }


def start(id: str, given: Any, model: str = "big", parent: str | None = None) -> Any:
    """Return the start of a reply."""
    message = {"id": id, "model": model, "usage": given}
    event = {"type": "message_start", "message": message}
    return {"type": "stream_event", "event": event, "parent_tool_use_id": parent}


def delta(given: Any, parent: str | None = None) -> Any:
    """Return the end of a reply, with its whole usage."""
    event = {"type": "message_delta", "delta": {}, "usage": given}
    return {"type": "stream_event", "event": event, "parent_tool_use_id": parent}


def block(id: str, given: Any, model: str = "big", parent: str | None = None) -> Any:
    """Return a block of a reply, which repeats the usage."""
    message = {"id": id, "model": model, "usage": given, "content": []}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent}


def used(model: str, usd: float = 1.0, **tokens: int) -> dict[str, Used]:
    """Return the usage that claude reports."""
    return {model: Used(tokens, usd)}


def test_a_request_counts_once() -> None:
    """claude repeats the usage with every block, and at the end with the whole output."""
    found = meter()
    found.see(start("a", usage(1_000, 1)))
    assert found.so_far().usd == pytest.approx((1_000 + 10) / 1e6)
    for _ in range(3):
        found.see(block("a", usage(1_000, 1)))
    found.see(delta(usage(1_000, 500)))
    found.see(block("a", usage(1_000, 1)))
    assert found.so_far().usd == pytest.approx((1_000 + 5_000) / 1e6)
    found.see(start("b", usage(0, 1, read=10_000)))
    found.see(delta(usage(0, 100, read=10_000)))
    assert found.so_far().usd == pytest.approx((6_000 + 1_000 + 1_000) / 1e6)


def test_a_usage_that_only_the_end_has() -> None:
    """Some providers start with zeros and count at the end."""
    found = meter()
    found.see(start("a", usage()))
    found.see(delta({"output_tokens": 100, "input_tokens": 2_000}))
    assert found.so_far().usd == pytest.approx((2_000 + 1_000) / 1e6)


def test_claudes_own_words_are_no_request() -> None:
    """A synthetic message by claude has no usage, and invalid lines are skipped."""
    found = meter()
    found.see(block("a", usage(), "<synthetic>"))
    for raw in (
        {},
        {"type": "assistant"},
        {"type": "stream_event", "event": 3},
        delta(usage(5, 5)),
    ):
        found.see(raw)
    found.see({"type": "assistant", "message": {"id": 3, "usage": usage(9, 9)}})
    found.see({"type": "stream_event", "event": {"type": "message_start", "message": []}})
    assert found.so_far().usd == 0
    assert found.bill({}) == Cost()


def test_the_bill_is_what_was_seen() -> None:
    """If the lines showed everything, the bill is their sum; the next turn starts at zero."""
    found = meter()
    found.see(start("a", usage(1_000, 1)))
    found.see(delta(usage(1_000, 500)))
    told = used("big[1m]", 3.0, input=1_000, output=500)
    assert found.bill(told) == Cost(pytest.approx(0.006), "ccc.json")
    assert found.so_far().usd == 0
    assert found.bill({}) == Cost()


def test_what_no_line_showed() -> None:
    """claude's count adds sub-agents and side requests."""
    found = meter()
    found.see(start("a", usage(1_000, 1)))
    found.see(delta(usage(1_000, 500)))
    found.see(block("s", usage(2_000, 1), "small", "tool"))
    assert found.so_far().usd == pytest.approx((1_000 + 5_000) / 1e6 + (1_000 + 5) / 1e6)
    told = used("big[1m]", input=1_500, output=600) | used("small", input=2_000, output=400)
    own, helped = (1_500 + 6_000) / 1e6, (1_000 + 2_000) / 1e6
    assert found.bill(told) == Cost(pytest.approx(own + helped), "ccc.json, genai-prices 1")


def test_a_long_prompt() -> None:
    """A request is billed by its tier, not by the turn's sum; the rest like the last request."""
    found = meter()
    for id in ("a", "b"):
        found.see(start(id, usage(60_000, 1)))
        found.see(delta(usage(60_000, 100)))
    assert found.so_far().usd == pytest.approx(2 * (60_000 + 1_000) / 1e6)
    found.see(block("c", usage(10_000, 1, read=100_000)))
    seen = 2 * (60_000 + 1_000) / 1e6 + (20_000 + 20_000 + 20) / 1e6
    assert found.so_far().usd == pytest.approx(seen)
    told = used("big", input=130_000, output=300, cache_read=100_000)
    assert found.bill(told).usd == pytest.approx(seen + 99 * 20 / 1e6)


def test_a_model_without_a_price() -> None:
    """A model without a price is billed by claude's estimate, at the end."""
    found = meter()
    found.see(block("s", usage(2_000, 1), "strange", "tool"))
    assert found.so_far().usd == 0
    told = used("big", input=1_000) | used("strange", 0.25, input=2_000) | used("unused", 0.0)
    assert found.bill(told) == Cost(pytest.approx(0.251), "ccc.json, claude's estimate")


def test_a_claude_that_names_no_models() -> None:
    """If claude names no models, its total is used."""
    found = meter()
    found.see(start("a", usage(1_000, 1)))
    assert found.bill(by_model(None, 0.5)) == Cost(0.5, "claude's estimate")


def test_a_claude_that_died() -> None:
    """Without claude's count, only the lines are billed, except unpriced models."""
    found = meter()
    found.see(start("a", usage(1_000, 1)))
    found.see(block("s", usage(2_000, 1), "strange", "tool"))
    assert found.bill({}) == Cost(pytest.approx(0.00101), "ccc.json")


def test_an_hour_in_the_cache() -> None:
    """Cache writes that last an hour have a separate price."""
    dear = Prices(prices.rates(1, 1, cache_read=0.1, cache_write=2, cache_write_1h=4), "x")
    found = Meter(lambda model: dear)
    found.see(start("a", usage(write=1_000, long=600)))
    assert found.so_far().usd == pytest.approx((400 * 2 + 600 * 4) / 1e6)
