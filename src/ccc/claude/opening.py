"""The first lines to claude, sent before the SDK is imported; the SDK then finds them sent."""

import json
import os
import threading

from ccc.domain import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.claude.process import Child

_REQUEST_ID = "ccc-opening"


class Opening:
    """The handshake and the first question, which the SDK would send half a second later."""

    def __init__(self, child: "Child", question: str) -> None:
        self._child = child
        self._handshake = ""
        initialize = {"subtype": "initialize", "hooks": None}
        lines = [
            {"type": "control_request", "request_id": _REQUEST_ID, "request": initialize},
            {
                "type": "user",
                "message": {"role": "user", "content": question},
                "parent_tool_use_id": None,
                "session_id": "default",
                "client_composed": True,
            },
        ]
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


def send(child: "Child", data: bytes) -> None:
    """Write all of it into claude's stdin."""
    assert child.stdin is not None
    view = memoryview(data)
    while view:
        view = view[os.write(child.stdin.fileno(), view) :]
