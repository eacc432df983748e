"""stream-json lines: framed, read, and kept apart from what is malformed."""

from dataclasses import dataclass, field

from ccc.claude.formats import permission
from ccc.providers import usage
from ccc.text import jsontext, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from ccc.providers.usage import Used


_LONGEST_LINE = 32 * 1024 * 1024
_KEPT_OF_IT = 4096
_CUT = " … [ccc: the rest of the line is not kept]"


class Framer:
    """Makes lines out of chunks, wherever the chunks end.

    A line that is longer than any message is cut, and malformed by that: it can't take all memory.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> "Iterator[str]":
        """The lines that the chunk completes."""
        *complete, rest = chunk.split(b"\n")
        for line in complete:
            self._add(line)
            yield from self.rest()
        self._add(rest)

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        self._parts.append(part)
        if self._size > _LONGEST_LINE:
            self._parts = [b"".join(self._parts[:2])[:_KEPT_OF_IT]]

    def rest(self) -> "Iterator[str]":
        """The line that has begun, where it is not blank."""
        line = b"".join(self._parts).decode(errors="replace").strip()
        if self._size > _LONGEST_LINE:
            line += _CUT
        self._parts.clear()
        self._size = 0
        if line:
            yield line


def message(line: str) -> "dict[str, Any] | None":
    """The message in a line; None where the line is malformed."""
    return jsontext.object_in(line)


_FOR_US = (
    *("control_request", "control_response", "control_cancel_request", "keep_alive"),
    "command_lifecycle",
)


def is_printed(line: str, partial: bool) -> bool:
    """Whether `claude -p` prints the line: it holds no word to us, and a piece only on request."""
    kind = (message(line) or {}).get("type")
    return kind not in _FOR_US and (partial or kind != "stream_event")


def session(raw: "dict[str, Any]") -> str:
    """The session that the message belongs to, empty where it does not say."""
    if raw.get("parent_tool_use_id"):
        return ""
    found = (raw.get(name) for name in ("session_id", "sessionId"))
    return next((id_ for id_ in found if isinstance(id_, str) and names.is_session_id(id_)), "")


def texts(raw: "dict[str, Any]") -> list[str]:
    """What the assistant says in a message, or in a text of its own."""
    if raw.get("parent_tool_use_id"):
        return []
    said = (
        block.get("text") or block.get("content")
        for block in (raw, *blocks(raw, "assistant"))
        if block.get("type") == "text"
    )
    return [text for text in said if isinstance(text, str)]


class LastMessage:
    """All that the assistant says in its last message, which comes as a line for each block."""

    def __init__(self) -> None:
        self._id: object = None
        self._texts: list[str] = []

    def see(self, raw: "dict[str, Any]") -> None:
        """Note what the line adds to the message, or that another one begins."""
        if raw.get("type") != "assistant" or raw.get("parent_tool_use_id"):
            return
        body = raw.get("message")
        its = body.get("id") if isinstance(body, dict) else None
        if its is None or its != self._id:
            self._id, self._texts = its, []
        self._texts += texts(raw)

    def whole(self, result: str) -> str:
        """The texts of the message that a turn ends with; claude's `result` is the last of them."""
        said = "\n".join(self._texts)
        self._id, self._texts = None, []
        return said if said.strip().endswith(result.strip()) else result


def blocks(raw: "dict[str, Any]", of: str) -> "list[dict[str, Any]]":
    """What a message of the assistant's or the user's consists of; nothing where it is no such."""
    body = raw.get("message") if raw.get("type") == of else None
    content = body.get("content") if isinstance(body, dict) else None
    found = content if isinstance(content, list) else []
    return [block for block in found if isinstance(block, dict)]


def piece(raw: "dict[str, Any]") -> str:
    """The text that a partial message adds to what the assistant says."""
    if raw.get("type") != "stream_event" or raw.get("parent_tool_use_id"):
        return ""
    event = raw.get("event")
    delta = event.get("delta") if isinstance(event, dict) else None
    if not isinstance(delta, dict) or delta.get("type") != "text_delta":
        return ""
    text = delta.get("text")
    return text if isinstance(text, str) else ""


_GROWING = ("text", "thinking", "partial_json")


def with_pieces(raw: "dict[str, Any]", change: "Callable[[str, str], str]") -> "dict[str, Any]":
    """The message with what it adds changed, given its kind; the same where it adds nothing."""
    event = raw.get("event") if raw.get("type") == "stream_event" else None
    delta = event.get("delta") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(delta, dict):
        return raw
    new = {k: change(k, delta[k]) for k in _GROWING if isinstance(delta.get(k), str)}
    return {**raw, "event": {**event, "delta": {**delta, **new}}} if new else raw


def begins(raw: "dict[str, Any]") -> bool:
    """Whether the assistant begins a message, or begins it anew after a broken connection."""
    event = raw.get("event") if raw.get("type") == "stream_event" else None
    is_start = isinstance(event, dict) and event.get("type") == "message_start"
    return is_start and not raw.get("parent_tool_use_id")


def ends_request(raw: "dict[str, Any]") -> bool:
    """Whether a model has said all of an answer, of the main conversation or of a sub-agent."""
    event = raw.get("event") if raw.get("type") == "stream_event" else None
    if isinstance(event, dict):
        return event.get("type") == "message_delta"
    # the pieces of a sub-agent's answers don't come
    return raw.get("type") == "assistant" and bool(raw.get("parent_tool_use_id"))


def goes_on(raw: "dict[str, Any]") -> bool:
    """Whether another request follows the one that the message ends."""
    event = raw.get("event")
    delta = event.get("delta") if isinstance(event, dict) else None
    return not isinstance(delta, dict) or delta.get("stop_reason") == "tool_use"


@dataclass(frozen=True, slots=True)
class Retry:
    """Claude itself tries again after an error."""

    seconds: float = 0.0
    attempt: int = 0
    most: int = 0
    cause: str = ""


def retry(raw: "dict[str, Any]") -> Retry | None:
    """The try that claude announces, where the message does."""
    if (raw.get("type"), raw.get("subtype")) != ("system", "api_retry"):
        return None
    delay, attempt, most = (raw.get(k) for k in ("retry_delay_ms", "attempt", "max_retries"))
    cause = raw.get("error_status") or raw.get("error") or ""
    return Retry(
        seconds=delay / 1000 if isinstance(delay, int | float) and 0 <= delay < 1e9 else 0.0,
        attempt=attempt if isinstance(attempt, int) else 0,
        most=most if isinstance(most, int) else 0,
        cause=str(cause),
    )


def limit_end(raw: "dict[str, Any]") -> float:
    """When a usage limit that was reached ends, where the message says so; else 0."""
    info = raw.get("rate_limit_info") if raw.get("type") == "rate_limit_event" else None
    if not isinstance(info, dict) or info.get("status") != "rejected":
        return 0.0
    end = info.get("resetsAt")
    return float(end) if isinstance(end, int | float) and 0 < end < 1e11 else 0.0


def calls(raw: "dict[str, Any]") -> "list[tuple[str, dict[str, Any]]]":
    """The tools that the assistant calls in a message, with their inputs."""
    return [
        (str(block.get("name")), given if isinstance(given := block.get("input"), dict) else {})
        for block in blocks(raw, "assistant")
        if block.get("type") == "tool_use"
    ]


class Tools:
    """The results of tools, each with the name that its call had."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def results(self, raw: "dict[str, Any]") -> "list[tuple[str, str, bool]]":
        """What tools gave in a message: the tool, the text, and whether it failed."""
        for block in blocks(raw, "assistant"):
            self._names[str(block.get("id"))] = str(block.get("name"))
        return [
            (
                self._names.get(str(block.get("tool_use_id")), ""),
                _text_of(block.get("content")),
                block.get("is_error") is True,
            )
            for block in blocks(raw, "user")
            if block.get("type") == "tool_result"
        ]


def _text_of(content: object) -> str:
    if isinstance(content, list):
        parts = (part.get("text", "") for part in content if isinstance(part, dict))
        return "\n".join(str(part) for part in parts)
    return content if isinstance(content, str) else ""


def named_messages(raw: "dict[str, Any]") -> set[str]:
    """The messages of the user's that a line names: those that claude takes up, or answers."""
    several = raw.get("user_message_uuids")
    listed = several if isinstance(several, list) else []
    found = (raw.get("command_uuid"), raw.get("user_message_uuid"), *listed)
    return {name for name in found if isinstance(name, str)}


@dataclass(frozen=True, slots=True)
class Result:
    """How a turn ended."""

    text: str = ""
    structured: object = None
    error: str = ""
    tokens: "dict[str, int]" = field(default_factory=dict)
    used: "dict[str, Used]" = field(default_factory=dict)
    """What the session has used of each model, by claude's accounting."""
    used_since: "dict[str, Used] | None" = None
    """The same since the result before; None for a claude that does not say."""
    status: int | None = None
    """The HTTP status of an API error."""
    over_budget: bool = False
    denied: tuple[permission.Call, ...] = ()
    """The calls that nobody allowed."""
    is_answer: bool = True
    """Whether the turn answers a message that ccc sent; else something else began it."""


def result(raw: "dict[str, Any]") -> Result | None:
    """The end of a turn, where the message is one."""
    if raw.get("type") != "result":
        return None
    said = raw.get("result")
    text = said if isinstance(said, str) else ""
    failed = raw.get("is_error") is True or raw.get("subtype") not in ("success", None)
    since = raw.get("model_usage_since_last_result")
    return Result(
        text=text,
        structured=raw.get("structured_output") or (said if isinstance(said, dict) else None),
        error=(text or str(raw.get("subtype") or "error")) if failed else "",
        tokens=usage.message_tokens(raw.get("usage")),
        used=usage.by_model(raw.get("modelUsage"), raw.get("total_cost_usd")),
        used_since=usage.by_model(since) if isinstance(since, dict) else None,
        status=status if isinstance(status := raw.get("api_error_status"), int) else None,
        over_budget=raw.get("subtype") == "error_max_budget_usd",
        denied=permission.denied(raw.get("permission_denials")),
    )


def used(results: "Sequence[Result]", before: "Mapping[str, Used]") -> "dict[str, Used]":
    """What the turns with these results have used, in a session that had used so much before."""
    parts = [result.used_since for result in results]
    told = [part for part in parts if part is not None]
    if not results or len(told) == len(parts):
        return usage.total(told)
    return usage.since(results[-1].used, before)
