"""Ready-made conditions of a scenario's rules."""

import re
from collections.abc import Callable

from ccc.scripted.request import Request

Condition = Callable[[Request], bool]


def anything() -> Condition:
    """Every request."""
    return lambda request: True


def said(pattern: str) -> Condition:
    """The user's side said this at any time in the conversation."""
    search = re.compile(pattern).search
    return lambda request: any(search(text) for text in request.said)


def said_last(pattern: str) -> Condition:
    """The last user message says this."""
    search = re.compile(pattern).search
    return lambda request: bool(search(request.last_text))


def tool_result(pattern: str = "") -> Condition:
    """The last user message brings a tool result that holds this."""
    search = re.compile(pattern).search
    return lambda request: (
        request.last_tool_result is not None and bool(search(request.last_tool_result))
    )


def has_tool(name: str) -> Condition:
    """The tool is on offer."""
    return lambda request: name in request.tools


def model_is(name: str) -> Condition:
    """The request is for this model."""
    return lambda request: request.model == name


def agent_turn() -> Condition:
    """A turn of the agent: it has Bash and Read, /compact included.

    What claude asks on the side (a title or a name for the session) has no tools, but quotes the
    user's words, so that `said_last` alone would take it for a turn.
    """
    return every(has_tool("Bash"), has_tool("Read"))


def every(*conditions: Condition) -> Condition:
    """All of the conditions hold."""
    return lambda request: all(holds(request) for holds in conditions)


def either(*conditions: Condition) -> Condition:
    """At least one of the conditions holds."""
    return lambda request: any(holds(request) for holds in conditions)


def isnt(condition: Condition) -> Condition:
    """The condition does not hold."""
    return lambda request: not condition(request)
