"""Which reply a request gets."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ccc.scripted.condition import Condition
from ccc.scripted.reply import CODE, Reply, answer, refused
from ccc.scripted.request import Request

Replies = Reply | Sequence[Reply] | Callable[[Request], Reply]


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition and the reply if it holds, at most `times` times.

    A sequence gives its replies one after another and is then used up, so that a request too
    many shows; with a larger `times` its last reply repeats.
    """

    when: Condition
    reply: Replies
    times: int | None = None
    name: str = ""

    @property
    def limit(self) -> int | None:
        """How often the rule may answer, None for always."""
        if self.times is None and isinstance(self.reply, Sequence):
            return len(self.reply)
        return self.times


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rule answered a request (None if none did), and its reply."""

    request: Request
    rule: str | None
    reply: Reply
    problem: str = ""

    def __str__(self) -> str:
        asked = self.request
        turn = asked.last_text
        if asked.last_tool_result is not None:
            turn = f"{turn} [tool result] {asked.last_tool_result}"
        by = "no rule" if self.rule is None else self.rule
        return (
            f"#{asked.number} {asked.model}, {len(asked.tools)} tools,"
            f" {len(asked.messages)} messages: {_short(turn)!r} -> {by}{self.problem}"
        )


class Scenario:
    """Rules in order: the first that holds and is not used up answers, else `otherwise` does."""

    def __init__(self, rules: Sequence[Rule] = (), otherwise: Reply | None = None) -> None:
        self._rules = tuple(rules)
        self._otherwise = otherwise or answer("The scenario has no reply to this.")
        self._used = [0] * len(self._rules)
        self._choices: list[Choice] = []
        self._lock = threading.Lock()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Which rule answered which request so far."""
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
            taken = self._take(request)
            if taken is None:
                choice = Choice(request, None, self._otherwise)
            else:
                index, turn = taken
                name = self._name(index)
                reply = _pick(self._rules[index].reply, turn, request)
                choice = Choice(request, name, _coded(reply, request))
        except Exception as error:
            problem = f" failed: {error!r}"
            reply = Reply(failure=refused(f"scenario{problem}"))
            choice = Choice(request, name, reply, problem)
        with self._lock:
            self._choices.append(choice)
        return choice

    def _take(self, request: Request) -> tuple[int, int] | None:
        with self._lock:
            for index, rule in enumerate(self._rules):
                used, limit = self._used[index], rule.limit
                if (limit is None or used < limit) and rule.when(request):
                    self._used[index] += 1
                    return index, used
        return None

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


def _coded(reply: Reply, request: Request) -> Reply:
    """Return the reply with the code of the review that it answers, if it repeats one."""
    if not isinstance(reply, Reply) or CODE not in repr(reply.blocks):
        return reply
    return replace(reply, blocks=tuple(block.filled(CODE, request.code) for block in reply.blocks))


def _short(words: str, most: int = 80) -> str:
    line = " ".join(words.split())
    return line if len(line) <= most else line[: most - 1] + "…"
