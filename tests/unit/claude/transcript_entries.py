"""Transcript entries as the real client writes them."""

import json
from collections.abc import Mapping

from ccc.claude.formats import transcript
from ccc.claude.formats.transcript import Conversation

COMMAND = (
    "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>\n"
    "<command-args>{1}</command-args>"
)


def user(content: object, prompt: str = "p1", **more: object) -> dict[str, object]:
    """Return an entry of the user's side."""
    return {
        "isSidechain": False,
        "promptId": prompt,
        "type": "user",
        "message": {"role": "user", "content": content},
        "timestamp": "2026-11-15T08:09:56.748Z",
        **more,
    }


def assistant(text: str, model: str = "kimi", **more: object) -> dict[str, object]:
    """Return an entry of the agent."""
    content = [{"type": "text", "text": text}]
    message = {"type": "message", "role": "assistant", "model": model, "content": content}
    return {"isSidechain": False, "type": "assistant", "message": message, **more}


def read(*entries: Mapping[str, object] | str) -> Conversation:
    """Return the conversation in the entries."""
    lines = (e if isinstance(e, str) else json.dumps(e) for e in entries)
    return transcript.read(lines)
