"""The scripted model for tests: rules choose the replies, and replies may be faulty.

scenario = Scenario([
    Rule(every(agent_turn(), said_last("tests")), [answer(tool("Bash", command="make test"))]),
    Rule(every(agent_turn(), tool_result("passed")), [answer("All green.")]),
])
with ScriptedModel(scenario) as model:
    ...  # run claude with ANTHROPIC_BASE_URL=model.url
    assert model.requests[-1].last_tool_result, model
"""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import cycle, islice, repeat
from textwrap import shorten
from typing import Any

from ccc.scripted import CODE as CODE
from ccc.scripted import Block as Block
from ccc.scripted import Reply as Reply
from ccc.scripted import Request as Request
from ccc.scripted import answer as answer
from ccc.scripted import server
from ccc.scripted import shared_prefix as shared_prefix
from ccc.scripted import tool as tool
from ccc.scripted.reply import Bill, Response, error
from ccc.scripted.usage import Usage as Usage

Condition = Callable[[Request], bool]
Replies = Reply | Sequence[Reply] | Callable[[Request], Reply]
_GARBLED = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n'
_DELTA = b"event: content_block_delta\n"
# Slow enough for a client to keep up, fast enough for a test to see progress.
_ENDLESS_PAUSE = 0.05


@dataclass(frozen=True)
class Failure(Reply):
    """An HTTP error in place of a message; nothing is computed, so nothing is billed or cached."""

    status: int = 500
    type: str = "api_error"
    message: str = "Internal server error"
    headers: Mapping[str, str] = field(default_factory=dict)

    def respond(self, request: Request, bill: Bill) -> Response:
        """Return the error."""
        response = error(self.status, self.type, self.message, self.headers)
        return replace(response, delay=self.delay)


@dataclass(frozen=True)
class FaultyReply(Reply):
    """A reply that is late, cut off, broken, endless or billed wrongly."""

    lasts: float = 0.0  # seconds over which the events are spread
    cut_after: int | None = None
    broken: bool = False
    endless: bool = False
    usage: Usage | None = None

    def respond(self, request: Request, bill: Bill) -> Response:
        """Return the response with its faults."""

        def bill_wrongly(content: Sequence[Block]) -> Usage:
            counted = bill(content)
            return self.usage or counted

        response = Reply.respond(self, request, bill_wrongly)
        if isinstance(response.body, bytes):
            whole = self._whole(response.body)
            return replace(response, body=whole, delay=self.delay + self.lasts)
        return replace(response, body=self._parts(response.body))

    def _whole(self, body: bytes) -> bytes | Iterator[bytes]:
        half = body[: len(body) // 2]
        if self.endless:
            return _spread(repeat(b" "), _ENDLESS_PAUSE)
        if self.cut_after is not None:
            return _cut(iter([half]))
        return half if self.broken else body

    def _parts(self, events: Iterator[bytes]) -> Iterator[bytes]:
        if self.endless:
            return _spread(_repeat_deltas(events), _ENDLESS_PAUSE)
        parts = [_GARBLED if self.broken and each.startswith(_DELTA) else each for each in events]
        spread = _spread(iter(parts), self.lasts / len(parts))
        return spread if self.cut_after is None else _cut(islice(spread, self.cut_after))


def _repeat_deltas(events: Iterator[bytes]) -> Iterator[bytes]:
    known = list(events)
    begin = next(n for n, each in enumerate(known) if each.startswith(_DELTA))
    yield from known[:begin]
    yield from cycle([each for each in known if each.startswith(_DELTA)])


def _spread(parts: Iterator[bytes], pause: float) -> Iterator[bytes]:
    for part in parts:
        yield part
        time.sleep(pause)


def _cut(parts: Iterator[bytes]) -> Iterator[bytes]:
    yield from parts
    raise ConnectionAbortedError


def _faulty(reply: Reply, **faults: Any) -> Reply:
    if isinstance(reply, FaultyReply):
        return replace(reply, **faults)
    known = {each.name: getattr(reply, each.name) for each in fields(Reply)}
    return FaultyReply(**known, **faults)


def billed(reply: Reply, usage: Usage) -> Reply:
    """Return the reply with this usage, whatever its length."""
    return _faulty(reply, usage=usage)


def slow(reply: Reply, seconds: float) -> Reply:
    """Return the reply with its events spread over this many seconds."""
    return _faulty(reply, lasts=seconds)


def cut(reply: Reply, after: int) -> Reply:
    """Return the reply cut off after this many events, or in the middle if it isn't streamed."""
    return _faulty(reply, cut_after=after)


def broken(reply: Reply) -> Reply:
    """Return the reply with its first content garbled into invalid JSON."""
    return _faulty(reply, broken=True)


def endless(words: str = "and on ") -> Reply:
    """Return a reply that repeats the words until the client or the server ends."""
    return _faulty(answer(words), endless=True)


def failure(
    status: int, type: str, message: str, headers: Mapping[str, str] | None = None
) -> Failure:
    """Return an HTTP error in Anthropic's format."""
    return Failure(status=status, type=type, message=message, headers=headers or {})


def refusal(message: str) -> Failure:
    """Return a 418: the scenario or its server can't answer.

    No provider sends it, and claude treats it as final. A 400 would be retried five times with
    other beta headers, which would bury the cause in the record.
    """
    return failure(418, "scripted_model_error", message)


def unauthorized() -> Failure:
    """Return a 401: the key is wrong."""
    return failure(401, "authentication_error", "invalid x-api-key")


def rate_limited(retry_after: int = 1) -> Failure:
    """Return a 429: too many requests, retry after this many seconds."""
    headers = {"retry-after": str(retry_after)}
    return failure(429, "rate_limit_error", "This request would exceed your rate limit.", headers)


def server_error() -> Failure:
    """Return a 500: the provider is broken."""
    return Failure()


def overloaded() -> Failure:
    """Return a 529: the provider is overloaded."""
    return failure(529, "overloaded_error", "Overloaded")


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition and the reply to give when it holds, at most `times` times.

    A sequence gives its replies one after another and is then used up, so that an extra request
    is noticed. With a larger `times`, its last reply repeats.
    """

    when: Condition
    reply: Replies
    times: int | None = None
    name: str = ""

    @property
    def limit(self) -> int | None:
        """How often the rule may answer, or None for no limit."""
        if self.times is None and isinstance(self.reply, Sequence):
            return len(self.reply)
        return self.times


@dataclass(frozen=True, slots=True)
class Choice:
    """The rule that answered a request (None if none did), and its reply."""

    request: Request
    rule: str | None
    reply: Reply
    problem: str = ""

    def __str__(self) -> str:
        request = self.request
        text = request.last_text
        if request.last_tool_result is not None:
            text = f"{text} [tool result] {request.last_tool_result}"
        rule = "no rule" if self.rule is None else self.rule
        excerpt = shorten(text, 80, placeholder="…")
        return (
            f"#{request.number} {request.model}, {len(request.tools)} tools,"
            f" {len(request.messages)} messages: {excerpt!r} -> {rule}{self.problem}"
        )


class Scenario:
    """Rules in order: the first that holds and isn't used up answers, else `otherwise` does."""

    def __init__(self, rules: Sequence[Rule] = (), otherwise: Reply | None = None) -> None:
        self._rules = tuple(rules)
        self._otherwise = otherwise or answer("The scenario has no reply to this.")
        self._used = [0] * len(self._rules)
        self._choices: list[Choice] = []
        self._lock = threading.Lock()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The rules that answered the requests so far."""
        with self._lock:
            return tuple(self._choices)

    @property
    def unmatched(self) -> tuple[Request, ...]:
        """The requests that no rule answered."""
        return tuple(choice.request for choice in self.choices if choice.rule is None)

    def choose(self, request: Request) -> Choice:
        """Find the reply and record its rule; a rule that raises gives a 418 that says so."""
        name: str | None = None
        try:
            index, turn = self._next_rule(request)
            if index is None:
                choice = Choice(request, None, self._otherwise)
            else:
                name = self._name(index)
                reply = _pick(self._rules[index].reply, turn, request)
                choice = Choice(request, name, reply)
        except Exception as error:
            problem = f" failed: {error!r}"
            choice = Choice(request, name, refusal(f"scenario{problem}"), problem)
        with self._lock:
            self._choices.append(choice)
        return choice

    def reply(self, request: Request) -> Reply:
        """Find the reply to a request."""
        return self.choose(request).reply

    def rule_of(self, request: Request) -> str | None:
        """Return the rule that answered the request, or None if none did."""
        return next((choice.rule for choice in self.choices if choice.request is request), None)

    def _next_rule(self, request: Request) -> tuple[int | None, int]:
        """Return the rule that answers the request, and how often it has answered before."""
        with self._lock:
            for index, rule in enumerate(self._rules):
                used, limit = self._used[index], rule.limit
                if (limit is None or used < limit) and rule.when(request):
                    self._used[index] += 1
                    return index, used
        return None, 0

    def _name(self, index: int) -> str:
        return self._rules[index].name or f"rule {index}"

    def __repr__(self) -> str:
        left = [
            f"{self._name(index)}: used {used} times of {rule.limit}"
            for index, (rule, used) in enumerate(zip(self._rules, self._used, strict=True))
            if rule.limit is not None and used < rule.limit
        ]
        return "\n".join(["Scenario:", *map(str, self.choices), *left])


def _pick(reply: Replies, turn: int, request: Request) -> Reply:
    if isinstance(reply, Reply):
        return reply
    if isinstance(reply, Sequence):
        return reply[min(turn, len(reply) - 1)]
    return reply(request)


def anything() -> Condition:
    """Match every request."""
    return lambda request: True


def said(pattern: str) -> Condition:
    """Match if the user's side said this anywhere in the conversation."""
    search = re.compile(pattern).search
    return lambda request: any(search(text) for text in request.user_texts)


def said_last(pattern: str) -> Condition:
    """Match if the last user message contains this."""
    search = re.compile(pattern).search
    return lambda request: bool(search(request.last_text))


def tool_result(pattern: str = "") -> Condition:
    """Match if the last user message has a tool result that contains this."""
    search = re.compile(pattern).search
    return lambda request: (
        request.last_tool_result is not None and bool(search(request.last_tool_result))
    )


def has_tool(name: str) -> Condition:
    """Match if the tool is available."""
    return lambda request: name in request.tools


def model_is(name: str) -> Condition:
    """Match if the request is for this model."""
    return lambda request: request.model == name


def agent_turn() -> Condition:
    """Match a turn of the agent, which `said_last` alone can't tell from a side request."""
    return lambda request: request.is_agent_turn


def every(*conditions: Condition) -> Condition:
    """Match if all conditions hold."""
    return lambda request: all(holds(request) for holds in conditions)


def either(*conditions: Condition) -> Condition:
    """Match if at least one condition holds."""
    return lambda request: any(holds(request) for holds in conditions)


def isnt(condition: Condition) -> Condition:
    """Match if the condition does not hold."""
    return lambda request: not condition(request)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with the status, rule and usage of its reply."""

    request: Request
    status: int
    rule: str | None = None
    usage: Usage | None = None


class ScriptedModel(server.ScriptedModel):
    """A model that follows a scenario; requests beyond `max_requests` get a 418."""

    def __init__(
        self, scenario: Scenario, *, max_seconds: float = 600, max_requests: int = 5000
    ) -> None:
        super().__init__(scenario.reply, max_seconds)
        self.scenario = scenario
        self.exchanges: list[Exchange] = []
        """The requests that were answered so far, and how."""
        self._max_requests = max_requests

    def respond(self, request: Request) -> Response:
        """Return the response to a request, and note the exchange."""
        if request.number > self._max_requests:
            return error(418, "scripted_model_error", f"{self._max_requests} requests are enough")
        response = super().respond(request)
        rule = self.scenario.rule_of(request)
        self.exchanges.append(Exchange(request, response.status, rule, response.usage))
        return response

    def wait_for(self, condition: Condition, timeout: float) -> Request:
        """Return the first matching message request; raise TimeoutError if none comes in time."""
        deadline = time.monotonic() + timeout
        checked = 0
        while time.monotonic() < deadline and not self.over.is_set():
            known = self.everything[checked:]
            for request in known:
                if request.is_message and condition(request):
                    return request
            checked += len(known)
            time.sleep(0.01)
        raise TimeoutError(f"no such request in {timeout} s\n{self.scenario!r}")

    def __repr__(self) -> str:
        return "\n".join(["ScriptedModel:", *self.problems, repr(self.scenario)])
