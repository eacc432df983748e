"""The first lines to claude, sent before the SDK is imported; the SDK then finds them sent."""

import json
import os
import threading

from ccc.text import jsontext, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ccc.system.spawn import Child

_REQUEST_ID = "ccc-opening"
_CALLBACK_ID = "ccc-tools"


class Opening:
    """The handshake and the first question, which the SDK would send a moment later.

    Where there is an `on_call`, claude asks it about every call of a tool. The hooks of settings
    files are off in a review; this one is not among them.
    """

    def __init__(
        self,
        child: "Child",
        question: str,
        on_call: "Callable[[str, Any], Mapping[str, object]] | None" = None,
    ) -> None:
        self._child = child
        self._handshake = ""
        self._on_call = on_call
        asking = {"PreToolUse": [{"matcher": None, "hookCallbackIds": [_CALLBACK_ID]}]}
        initialize = {"subtype": "initialize", "hooks": asking if on_call else None}
        shaking = {"type": "control_request", "request_id": _REQUEST_ID, "request": initialize}
        asking_first = message(question)
        self.uuid: str = asking_first["uuid"]
        lines = [shaking, asking_first]
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        # in a thread: a long question does not fit into the pipe before claude reads
        threading.Thread(target=self._send, args=(data,), daemon=True).start()

    def _send(self, data: bytes) -> None:
        try:
            send(self._child, data)
        except (OSError, ValueError):
            pass  # claude is gone already, or its pipe is closed: its silence tells

    def covers(self, line: str) -> bool:
        """Whether what the SDK wants to send was sent already."""
        message = jsontext.object_in(line) or {}
        request = message.get("request")
        if not isinstance(request, dict) or request.get("subtype") != "initialize":
            return False
        self._handshake = str(message.get("request_id"))
        return True

    def reply_to(self, message: "dict[str, Any]") -> bytes:
        """The answer to claude's question about a tool; nothing where it asks something else."""
        request = message.get("request") if message.get("type") == "control_request" else None
        if not self._on_call or not isinstance(request, dict):
            return b""
        if request.get("callback_id") != _CALLBACK_ID:
            return b""
        call = _object(request.get("input"))
        output = self._on_call(str(call.get("tool_name")), _object(call.get("tool_input")))
        response = {"subtype": "success", "request_id": message.get("request_id")}
        answer = {"type": "control_response", "response": {**response, "response": output}}
        return json.dumps(answer).encode() + b"\n"

    @property
    def expected(self) -> bool:
        """Whether the SDK waits for the handshake's answer."""
        return bool(self._handshake)

    def is_answer(self, message: "dict[str, Any]") -> bool:
        """Whether the message answers our handshake."""
        response = message.get("response")
        return isinstance(response, dict) and response.get("request_id") == _REQUEST_ID

    def for_sdk(self, message: "dict[str, Any]") -> "dict[str, Any]":
        """The handshake's answer, under the name that the SDK gave its own."""
        return {**message, "response": {**message["response"], "request_id": self._handshake}}


def message(text: str) -> "dict[str, Any]":
    """What the user says, under a name by which claude's result says that it was answered."""
    return {
        "type": "user",
        "uuid": names.uuid(os.urandom(16)),
        "message": {"role": "user", "content": text},
        "parent_tool_use_id": None,
        "session_id": "default",
        "client_composed": True,
    }


def _object(value: object) -> "dict[str, Any]":
    return value if isinstance(value, dict) else {}


def send(child: "Child", data: bytes) -> None:
    """Write all of it into claude's stdin."""
    assert child.stdin is not None
    view = memoryview(data)
    while view:
        view = view[os.write(child.stdin.fileno(), view) :]
