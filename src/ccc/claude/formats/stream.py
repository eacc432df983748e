"""Split claude's stream-json into lines and parse them. Unexpected shapes read as empty."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from ccc.claude.formats import permission, usage
from ccc.claude.formats.usage import Used
from ccc.text import lenient_json, names

Message = dict[str, Any]

_LONGEST_LINE = 32 * 1024 * 1024
_KEPT_OF_IT = 4096
_CUT = " … [ccc: the rest of the line is not kept]"
_NOT_PRINTED = (
    *("control_request", "control_response", "control_cancel_request", "keep_alive"),
    "command_lifecycle",
)
_STOPPED_BY_USER = "User rejected tool use"  # what claude says of a call that an interrupt stopped
_GROWING = ("text", "thinking", "partial_json")


class Framer:
    """Splits chunks into lines, wherever the chunks end.

    To limit memory, a line longer than any message is truncated, which makes it malformed.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[str]:
        """Add a chunk and yield the lines that it completes."""
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
        """Yield the incomplete line, unless it is blank, and start a new one."""
        line = b"".join(self._parts).decode(errors="replace").strip()
        if self._size > _LONGEST_LINE:
            line += _CUT
        self._parts.clear()
        self._size = 0
        if line:
            yield line


def message(line: str) -> Message | None:
    """Parse the message in a line; None if the line is malformed."""
    return lenient_json.parse_object(line)


def is_printed(line: str, partial: bool) -> bool:
    """Return whether `claude -p` prints the line. It prints partial messages only on request."""
    kind = (message(line) or {}).get("type")
    return kind not in _NOT_PRINTED and (partial or kind != "stream_event")


def session(raw: Message) -> str:
    """Return the id of the session that the message belongs to; empty if it doesn't say."""
    ids = () if _is_of_subagent(raw) else (raw.get("session_id"), raw.get("sessionId"))
    return next((id_ for id_ in ids if isinstance(id_, str) and names.is_session_id(id_)), "")


def texts(raw: Message) -> list[str]:
    """Return the assistant's texts in an assistant message or in a separate text message."""
    if _is_of_subagent(raw):
        return []
    values = (
        block.get("text") or block.get("content")
        for block in (raw, *blocks(raw, "assistant"))
        if block.get("type") == "text"
    )
    return [text for text in values if isinstance(text, str)]


class LastMessage:
    """Collects the texts of the assistant's last message, which arrives as one line per block."""

    def __init__(self) -> None:
        self._id = ""
        self._texts: list[str] = []

    def see(self, raw: Message, texts: list[str]) -> None:
        """Add the line's texts to the message, or start a new message."""
        if raw.get("type") != "assistant" or _is_of_subagent(raw):
            return
        id_ = lenient_json.text(raw, "message", "id")
        if not id_ or id_ != self._id:
            self._id, self._texts = id_, []
        self._texts += texts

    def whole(self, result: str) -> str:
        """Return the whole message that ends a turn; claude's `result` is only its last text."""
        text = "\n".join(self._texts)
        self._id, self._texts = "", []
        return text if text.strip().endswith(result.strip()) else result


def blocks(raw: Message, role: str) -> list[Message]:
    """Return the blocks of a message with that role; empty for another role."""
    return lenient_json.mappings(raw, "message", "content") if raw.get("type") == role else []


def piece(raw: Message) -> str:
    """Return the text that a partial message adds to the assistant's answer."""
    delta = lenient_json.mapping(_event(raw), "delta")
    is_text = delta.get("type") == "text_delta" and not _is_of_subagent(raw)
    return lenient_json.text(delta, "text") if is_text else ""


def with_pieces(raw: Message, change: Callable[[str, str], str]) -> Message:
    """Return the message with `change(kind, text)` applied to each text that it adds."""
    event = _event(raw)
    delta = lenient_json.mapping(event, "delta")
    new = {k: change(k, delta[k]) for k in _GROWING if isinstance(delta.get(k), str)}
    return {**raw, "event": {**event, "delta": {**delta, **new}}} if new else raw


def begins(raw: Message) -> bool:
    """Return whether the assistant starts a message, or restarts it after a lost connection."""
    return _event(raw).get("type") == "message_start" and not _is_of_subagent(raw)


def ends_request(raw: Message) -> bool:
    """Return whether a model's answer to the main conversation or to a sub-agent is complete."""
    if event := _event(raw):
        return event.get("type") == "message_delta"
    # claude sends no partial messages for sub-agents
    return raw.get("type") == "assistant" and _is_of_subagent(raw)


def goes_on(raw: Message) -> bool:
    """Return whether another request follows the one that the message ends."""
    delta = lenient_json.mapping(raw, "event", "delta")
    return not delta or delta.get("stop_reason") == "tool_use"


def _is_of_subagent(raw: Message) -> bool:
    return bool(raw.get("parent_tool_use_id"))


def _event(raw: Message) -> Message:
    return lenient_json.mapping(raw, "event") if raw.get("type") == "stream_event" else {}


def calls(raw: Message) -> list[tuple[str, Message]]:
    """Return the tools that the assistant calls in a message, with their arguments."""
    return [
        (str(block.get("name")), lenient_json.mapping(block, "input"))
        for block in blocks(raw, "assistant")
        if block.get("type") == "tool_use"
    ]


class OpenCalls:
    """Matches the results of tools to the names of the tools."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def results(self, raw: Message) -> list[tuple[str, str, bool]]:
        """Return the tool results in a message: the tool, the text, and whether it failed."""
        for block in blocks(raw, "assistant"):
            self._names[str(block.get("id"))] = str(block.get("name"))
        if raw.get("tool_use_result") == _STOPPED_BY_USER:
            return []  # its text is claude's advice to the agent
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
    """Return the text of a tool's result."""
    parts = (lenient_json.text(part, "text") for part in lenient_json.mappings(block, "content"))
    return lenient_json.text(block, "content") or "\n".join(parts)


def is_start(raw: Message) -> bool:
    """Return whether claude begins the turn of a message of the user's."""
    return (raw.get("type"), raw.get("state")) == ("command_lifecycle", "started")


def named_messages(raw: Message) -> set[str]:
    """Return the ids of the user's messages that claude accepts or answers with this line."""
    ids = raw.get("command_uuid"), raw.get("user_message_uuid")
    return {*lenient_json.texts(raw, "user_message_uuids")} | {
        id_ for id_ in ids if isinstance(id_, str)
    }


class Result(Struct, frozen=True):
    """How a turn ended."""

    text: str = ""
    structured: object = None
    error: str = ""
    tokens: dict[str, int] = field(default_factory=dict)
    used: dict[str, Used] = field(default_factory=dict)
    """The session's usage of each model, according to claude."""
    used_since: dict[str, Used] | None = None
    """The same since the last result; None if this version of claude doesn't report it."""
    status: int | None = None  # the HTTP status of an API error
    over_budget: bool = False
    denied: tuple[permission.Call, ...] = ()
    is_answer: bool = True
    """Whether the turn answers a message from ccc; otherwise something else started it."""


def result(raw: Message) -> Result | None:
    """Parse the result in the message; None for any other message."""
    if raw.get("type") != "result":
        return None
    text, result, subtype = lenient_json.text(raw, "result"), raw.get("result"), raw.get("subtype")
    is_error = raw.get("is_error") is True or subtype not in ("success", None)
    since, status = raw.get("model_usage_since_last_result"), raw.get("api_error_status")
    return Result(
        text=text,
        structured=raw.get("structured_output") or (result if isinstance(result, dict) else None),
        error=(text or str(subtype or "error")) if is_error else "",
        tokens=usage.message_tokens(raw.get("usage")),
        used=usage.by_model(raw.get("modelUsage"), raw.get("total_cost_usd")),
        used_since=usage.by_model(since) if isinstance(since, dict) else None,
        status=status if isinstance(status, int) else None,
        over_budget=subtype == "error_max_budget_usd",
        denied=permission.parse_denials(raw.get("permission_denials")),
    )


def usage_of(results: Sequence[Result], before: Mapping[str, Used]) -> dict[str, Used]:
    """Return the usage of the turns with these results; `before` is the session's earlier usage."""
    parts = [part for part in (result.used_since for result in results) if part is not None]
    if not results or len(parts) == len(results):
        return usage.total(parts)
    return usage.since(results[-1].used, before)
