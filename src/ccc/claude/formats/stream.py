"""The lines of claude's stream-json: framed and read; what has another shape reads as empty."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ccc.claude.formats import permission
from ccc.providers import usage
from ccc.providers.usage import Used
from ccc.text import json_path, names

_LONGEST_LINE = 32 * 1024 * 1024
_KEPT_OF_IT = 4096
_CUT = " … [ccc: the rest of the line is not kept]"
_NOT_PRINTED = (
    *("control_request", "control_response", "control_cancel_request", "keep_alive"),
    "command_lifecycle",
)
_GROWING = ("text", "thinking", "partial_json")

Message = dict[str, Any]


class Framer:
    """Makes lines out of chunks, wherever the chunks end.

    A line that is longer than any message is cut, and so malformed: it can't take all memory.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[str]:
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

    def rest(self) -> Iterator[str]:
        """The incomplete line, unless it is blank."""
        line = b"".join(self._parts).decode(errors="replace").strip()
        if self._size > _LONGEST_LINE:
            line += _CUT
        self._parts.clear()
        self._size = 0
        if line:
            yield line


def message(line: str) -> Message | None:
    """The message in a line; None if the line is malformed."""
    return json_path.parse_object(line)


def is_printed(line: str, partial: bool) -> bool:
    """Whether `claude -p` prints the line; it prints pieces only on request."""
    kind = (message(line) or {}).get("type")
    return kind not in _NOT_PRINTED and (partial or kind != "stream_event")


def session(raw: Message) -> str:
    """The session that the message belongs to, if it says so."""
    ids = () if _is_of_subagent(raw) else (raw.get("session_id"), raw.get("sessionId"))
    return next((id_ for id_ in ids if isinstance(id_, str) and names.is_session_id(id_)), "")


def texts(raw: Message) -> list[str]:
    """What the assistant says in a message, or in a text of its own."""
    if _is_of_subagent(raw):
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
        self._id = ""
        self._texts: list[str] = []

    def see(self, raw: Message) -> None:
        """Add what the line adds to the message, or begin another one."""
        if raw.get("type") != "assistant" or _is_of_subagent(raw):
            return
        id_ = json_path.text(raw, "message", "id")
        if not id_ or id_ != self._id:
            self._id, self._texts = id_, []
        self._texts += texts(raw)

    def whole(self, result: str) -> str:
        """The texts of the message that ends a turn; claude's `result` is the last of them."""
        said = "\n".join(self._texts)
        self._id, self._texts = "", []
        return said if said.strip().endswith(result.strip()) else result


def blocks(raw: Message, role: str) -> list[Message]:
    """The blocks of a message of that role."""
    return json_path.mappings(raw, "message", "content") if raw.get("type") == role else []


def piece(raw: Message) -> str:
    """The text that a partial message adds to what the assistant says."""
    delta = json_path.mapping(_event(raw), "delta")
    is_text = delta.get("type") == "text_delta" and not _is_of_subagent(raw)
    return json_path.text(delta, "text") if is_text else ""


def with_pieces(raw: Message, change: Callable[[str, str], str]) -> Message:
    """The message with what it adds changed, given its kind; the same if it adds nothing."""
    event = _event(raw)
    delta = json_path.mapping(event, "delta")
    new = {k: change(k, delta[k]) for k in _GROWING if isinstance(delta.get(k), str)}
    return {**raw, "event": {**event, "delta": {**delta, **new}}} if new else raw


def begins(raw: Message) -> bool:
    """Whether the assistant begins a message, or begins it again after a lost connection."""
    return _event(raw).get("type") == "message_start" and not _is_of_subagent(raw)


def ends_request(raw: Message) -> bool:
    """Whether a model's answer is complete, to the main conversation or to a sub-agent."""
    if event := _event(raw):
        return event.get("type") == "message_delta"
    # the pieces of a sub-agent's answers don't come
    return raw.get("type") == "assistant" and _is_of_subagent(raw)


def goes_on(raw: Message) -> bool:
    """Whether another request follows the one that the message ends."""
    delta = json_path.mapping(raw, "event", "delta")
    return not delta or delta.get("stop_reason") == "tool_use"


def _is_of_subagent(raw: Message) -> bool:
    return bool(raw.get("parent_tool_use_id"))


def _event(raw: Message) -> Message:
    return json_path.mapping(raw, "event") if raw.get("type") == "stream_event" else {}


@dataclass(frozen=True, slots=True)
class Retry:
    """Claude itself tries again after an error."""

    seconds: float = 0.0
    attempt: int = 0
    most: int = 0
    cause: str = ""


def retry(raw: Message) -> Retry | None:
    """The retry that claude announces in the message."""
    if (raw.get("type"), raw.get("subtype")) != ("system", "api_retry"):
        return None
    delay, attempt, most = (raw.get(k) for k in ("retry_delay_ms", "attempt", "max_retries"))
    return Retry(
        seconds=delay / 1000 if isinstance(delay, int | float) and 0 <= delay < 1e9 else 0.0,
        attempt=attempt if isinstance(attempt, int) else 0,
        most=most if isinstance(most, int) else 0,
        cause=str(raw.get("error_status") or raw.get("error") or ""),
    )


def limit_end(raw: Message) -> float:
    """When the usage limit that was reached ends, if the message says so; else 0."""
    info = json_path.mapping(raw, "rate_limit_info")
    is_reached = raw.get("type") == "rate_limit_event" and info.get("status") == "rejected"
    end = info.get("resetsAt") if is_reached else None
    return float(end) if isinstance(end, int | float) and 0 < end < 1e11 else 0.0


def calls(raw: Message) -> list[tuple[str, Message]]:
    """The tools that the assistant calls in a message, with their arguments."""
    return [
        (str(block.get("name")), json_path.mapping(block, "input"))
        for block in blocks(raw, "assistant")
        if block.get("type") == "tool_use"
    ]


class Tools:
    """The results of tools, each with the name of the tool."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def results(self, raw: Message) -> list[tuple[str, str, bool]]:
        """What tools returned in a message: the tool, the text, and whether it failed."""
        for block in blocks(raw, "assistant"):
            self._names[str(block.get("id"))] = str(block.get("name"))
        return [
            (
                self._names.get(str(block.get("tool_use_id")), ""),
                result_text(block),
                block.get("is_error") is True,
            )
            for block in blocks(raw, "user")
            if block.get("type") == "tool_result"
        ]


def result_text(block: Message) -> str:
    """The text of a tool's result."""
    parts = (json_path.text(part, "text") for part in json_path.mappings(block, "content"))
    return json_path.text(block, "content") or "\n".join(parts)


def named_messages(raw: Message) -> set[str]:
    """The ids of the user's messages that claude takes up or answers with this line."""
    ids = (raw.get("command_uuid"), raw.get("user_message_uuid"))
    return {id_ for id_ in ids if isinstance(id_, str)} | {
        *json_path.texts(raw, "user_message_uuids")
    }


@dataclass(frozen=True, slots=True)
class Result:
    """How a turn ended."""

    text: str = ""
    structured: object = None
    error: str = ""
    tokens: dict[str, int] = field(default_factory=dict)
    used: dict[str, Used] = field(default_factory=dict)
    """What the session has used of each model, by claude's accounting."""
    used_since: dict[str, Used] | None = None
    """The same since the last result; None for a claude that doesn't say."""
    status: int | None = None
    """The HTTP status of an API error."""
    over_budget: bool = False
    denied: tuple[permission.Call, ...] = ()
    is_answer: bool = True
    """Whether the turn answers a message from ccc; else something else began it."""


def result(raw: Message) -> Result | None:
    """The result in the message."""
    if raw.get("type") != "result":
        return None
    text, said, subtype = json_path.text(raw, "result"), raw.get("result"), raw.get("subtype")
    is_error = raw.get("is_error") is True or subtype not in ("success", None)
    since, status = raw.get("model_usage_since_last_result"), raw.get("api_error_status")
    return Result(
        text=text,
        structured=raw.get("structured_output") or (said if isinstance(said, dict) else None),
        error=(text or str(subtype or "error")) if is_error else "",
        tokens=usage.message_tokens(raw.get("usage")),
        used=usage.by_model(raw.get("modelUsage"), raw.get("total_cost_usd")),
        used_since=usage.by_model(since) if isinstance(since, dict) else None,
        status=status if isinstance(status, int) else None,
        over_budget=subtype == "error_max_budget_usd",
        denied=permission.parse_denials(raw.get("permission_denials")),
    )


def usage_of(results: Sequence[Result], before: Mapping[str, Used]) -> dict[str, Used]:
    """What the turns with these results have used, in a session that had used that before."""
    parts = [part for part in (result.used_since for result in results) if part is not None]
    if not results or len(parts) == len(results):
        return usage.total(parts)
    return usage.since(results[-1].used, before)
