"""Where claude keeps its sessions."""

import glob
import os

from ccc.domain import names, transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_LONGEST_LINE = 16 * 1024 * 1024


def find(claude_dir: str, session: str) -> str:
    """The file of a session; empty where there is none."""
    if not names.is_session_id(session):
        return ""
    found = glob.glob(os.path.join(glob.escape(claude_dir), "projects", "*", f"{session}.jsonl"))
    return found[0] if found else ""


def _lines(file: "BinaryIO") -> "Iterator[str]":
    """The lines of a file; one that is longer than any that claude writes is passed over."""
    while line := file.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line.decode("utf-8", "replace")
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_LONGEST_LINE)


def read(path: str) -> transcript.Conversation:
    """The conversation in a session's file, as far as it can be read."""
    try:
        with open(path, "rb") as file:
            return transcript.read(_lines(file))
    except OSError:
        return transcript.Conversation()
