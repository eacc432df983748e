"""A request and how it was answered."""

from dataclasses import dataclass

from ccc.scripted.request import Request
from ccc.scripted.usage import Usage


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with the status, the scenario's rule and the usage of its answer."""

    request: Request
    status: int
    rule: str | None = None
    usage: Usage | None = None
