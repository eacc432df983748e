"""What an agent or a review costs: its requests are counted as the stream reports them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ccc.claude.formats import usage
from ccc.model.cost import ESTIMATE, Cost
from ccc.providers import models, prices
from ccc.providers.prices import Prices


@dataclass(frozen=True, slots=True)
class BilledRequest:
    """The known facts about a request to a model."""

    model: str
    tokens: Mapping[str, int] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)  # nothing if no price is known


@dataclass(slots=True)
class Meter:
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
        usd = sum(request.cost.usd for request in seen) + prices.dollars(rest, rates)
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
            cost = Cost(prices.dollars(counts, price.for_prompt(counts)), price.source)
        self._requests[id_] = BilledRequest(before.model, counts, cost)
