"""Choose the reply to a request by rules and their conditions."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import shorten

from ccc.scripted.reply import Reply, answer, refusal
from ccc.scripted.request import Request

Condition = Callable[[Request], bool]
Replies = Reply | Sequence[Reply] | Callable[[Request], Reply]


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
            choice = Choice(request, name, Reply(failure=refusal(f"scenario{problem}")), problem)
        with self._lock:
            self._choices.append(choice)
        return choice

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
    """Match a turn of the agent, including /compact: it has Bash and Read.

    claude's side requests (a title or a name for the session) have no tools but quote the user's
    words, so `said_last` alone would mistake them for a turn.
    """
    return every(has_tool("Bash"), has_tool("Read"))


def every(*conditions: Condition) -> Condition:
    """Match if all conditions hold."""
    return lambda request: all(holds(request) for holds in conditions)


def either(*conditions: Condition) -> Condition:
    """Match if at least one condition holds."""
    return lambda request: any(holds(request) for holds in conditions)


def isnt(condition: Condition) -> Condition:
    """Match if the condition does not hold."""
    return lambda request: not condition(request)
