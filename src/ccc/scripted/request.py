"""A client's request to the scripted model."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_CODE = re.compile(r'^\{"code": "([0-9a-f]+)", "completed": ', re.MULTILINE)
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """An HTTP request; the properties read the parts of a message request."""

    number: int
    received_at: float
    method: str
    path: str
    # Both contain what a failing assertion must not print: keys, and megabytes of prompt.
    headers: Mapping[str, str] = field(repr=False)
    body: Mapping[str, Any] = field(repr=False)

    @property
    def is_message(self) -> bool:
        """Whether the request asks the model for a message."""
        # Only the end of the path counts: a provider's base URL may have its own path before it.
        return self.method == "POST" and self.path.endswith("/v1/messages")

    @property
    def is_agent_turn(self) -> bool:
        """Whether it is a turn of the agent, including /compact: it has Bash and Read.

        claude's side requests (a title or a name for the session) have no tools but quote the
        user's words.
        """
        return {"Bash", "Read"} <= set(self.tools)

    @property
    def model(self) -> str:
        """The requested model."""
        return str(self.body.get("model", ""))

    @property
    def streams(self) -> bool:
        """Whether the client wants server-sent events."""
        return self.body.get("stream") is True

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the available tools."""
        return tuple(str(tool.get("name", "")) for tool in _blocks(self.body.get("tools")))

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        """The conversation as it was sent."""
        return tuple(_blocks(self.body.get("messages")))

    @property
    def user_texts(self) -> tuple[str, ...]:
        """All texts from the user's side, except blocks that are only system reminders."""
        return tuple(text for message in self._user_messages for text in _user_texts(message))

    @property
    def last_text(self) -> str:
        """The text of the last user message, except blocks that are only system reminders."""
        return "\n".join(_user_texts(self._last_user_message))

    @property
    def last_tool_result(self) -> str | None:
        """The text of the tool results in the last user message, or None if it has none."""
        results = _tool_results(self._last_user_message)
        if not results:
            return None
        return "\n".join(text for result in results for text in _texts(result.get("content")))

    @property
    def turn(self) -> tuple[str, int]:
        """The last text from the user's side, and how often the model has replied since."""
        answers = 0
        for message in reversed(self.messages):
            if message.get("role") == "assistant":
                answers += 1
            elif message.get("role") != "user" or _tool_results(message):
                continue
            elif text := "\n".join(_user_texts(message)):
                return text, answers
        return "", answers

    @property
    def code(self) -> str:
        """The code of the last review request, or an empty string if there is none."""
        codes = [code for text in self.user_texts for code in _CODE.findall(text)]
        return codes[-1] if codes else ""

    @property
    def key(self) -> str:
        """The token of the Authorization header, else of x-api-key, else an empty string."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and token:
            return token.strip()
        return self.headers.get("x-api-key", "")

    @property
    def _user_messages(self) -> list[dict[str, Any]]:
        return [message for message in self.messages if message.get("role") == "user"]

    @property
    def _last_user_message(self) -> dict[str, Any]:
        # claude may append a system message to the user's.
        return next(reversed(self._user_messages), {})


def content_blocks(content: object) -> list[Any]:
    """Return the blocks of a message's content, treating a string as one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _blocks(content: object) -> Iterator[dict[str, Any]]:
    return (block for block in content_blocks(content) if isinstance(block, dict))


def _texts(content: object) -> Iterator[str]:
    for block in _blocks(content):
        if block.get("type") == "text":
            yield str(block.get("text", ""))


def _tool_results(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    blocks = _blocks(message.get("content"))
    return [block for block in blocks if block.get("type") == "tool_result"]


def _user_texts(message: Mapping[str, Any]) -> Iterator[str]:
    for text in _texts(message.get("content")):
        if "<system-reminder>" not in text or _REMINDER.sub("", text).strip():
            yield text
