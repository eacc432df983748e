"""The meter: what requests cost while they are made, and what a turn has cost at its end."""

from dataclasses import dataclass, field, replace

from ccc.providers import prices
from ccc.providers import tokens as counting
from ccc.providers.cost_source import ESTIMATE
from ccc.providers.prices import Cost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ccc.providers.prices import Prices, Rates
    from ccc.providers.tokens import Used


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a model, as far as it has got."""

    model: str
    tokens: "Mapping[str, int]"
    rates: "Rates | None" = None
    source: str = ""

    @property
    def usd(self) -> float:
        """What it costs; nothing where no price is known."""
        return prices.dollars(self.tokens, self.rates) if self.rates else 0.0


@dataclass(slots=True)
class Meter:
    """Counts each request once, however often claude repeats its usage."""

    price_of: "Callable[[str], Prices | None]"
    _asked: str = ""
    """The model that the main conversation asks for."""
    _requests: dict[str, Request] = field(default_factory=dict)
    usd: float = 0.0
    """What the requests since the last bill cost, as far as their prices are known."""
    _under_way: dict[str, str] = field(default_factory=dict)
    """The request whose pieces come now, of the main conversation and of each sub-agent."""

    def see(self, raw: "Mapping[str, Any]") -> None:
        """Count what a line of claude's stream says of a request."""
        kind, parent = raw.get("type"), str(raw.get("parent_tool_use_id") or "")
        if kind == "system" and raw.get("subtype") == "init":
            self._asked = str(raw.get("model") or "")
        event = raw.get("event") if kind == "stream_event" else None
        if isinstance(event, dict):
            if event.get("type") == "message_start":
                self._note(event.get("message"), parent, begins=True)
            elif event.get("type") == "message_delta" and (known := self._under_way.get(parent)):
                self._update(known, counting.of_request(event.get("usage")))
        elif kind == "assistant":
            self._note(raw.get("message"), parent)

    def bill(self, used: "Mapping[str, Used]") -> Cost:
        """What the turn has cost, given what claude says was used; the next turn begins.

        Requests that no line showed (titles, summaries, the output of sub-agents) are in claude's
        count alone. Where claude has not counted, the lines are all there is.
        """
        requests = list(self._requests.values())
        self._requests.clear()
        self._under_way.clear()
        self.usd = 0.0
        parts = [self._of_model(model, each, requests) for model, each in used.items()]
        if not used:
            parts = [Cost(request.usd, request.source) for request in requests]
        return sum(parts, Cost())

    def _of_model(self, model: str, used: "Used", requests: "list[Request]") -> Cost:
        if not any(used.tokens.values()) and not used.claude_usd:
            return Cost()
        price = self.price_of(model) if model else None
        if price is None:
            return Cost(used.claude_usd, ESTIMATE)
        seen = [request for request in requests if request.model == prices.plain(model)]
        rest = counting.less(used.tokens, counting.added(request.tokens for request in seen))
        rates = seen[-1].rates if seen else None
        usd = sum(request.usd for request in seen) + prices.dollars(rest, rates or price.rates)
        return Cost(usd, price.source)

    def _note(self, message: object, parent: str, begins: bool = False) -> None:
        if not isinstance(message, dict) or not isinstance(id_ := message.get("id"), str):
            return
        tokens = counting.of_request(message.get("usage"))
        if id_ not in self._requests:
            if not begins and not any(tokens.values()):
                return  # claude's own words: no model was asked
            answered = str(message.get("model") or "")
            model = answered if parent else self._asked or answered
            self._requests[id_] = Request(prices.plain(model), {})
        self._under_way[parent] = id_
        self._update(id_, tokens)

    def _update(self, id_: str, tokens: "Mapping[str, int]") -> None:
        before = self._requests[id_]
        after = replace(before, tokens=counting.most(before.tokens, tokens))
        if price := self.price_of(before.model):
            rates = price.at(prices.prompt_of(after.tokens))
            after = replace(after, rates=rates, source=price.source)
        self._requests[id_] = after
        self.usd += after.usd - before.usd
