"""Find and read the files of claude's sessions."""

import contextlib
import glob
import os
import re
import time
from collections.abc import Iterator
from typing import BinaryIO

from ccc.claude.formats import transcript
from ccc.claude.formats.event import StopEvent
from ccc.claude.formats.transcript import Conversation
from ccc.text import names

_WAIT_SECONDS = 2.0
_LONGEST_LINE = 16 * 1024 * 1024


def find(claude_dir: str, session: str) -> str:
    """Return the path of a session's file; empty if there is none."""
    if not names.is_session_id(session):
        return ""
    pattern = os.path.join(glob.escape(claude_dir), "projects", "*", f"{session}.jsonl")
    return next(iter(glob.glob(pattern)), "")


def find_last(claude_dir: str, directory: str) -> str:
    """Return the session that was changed last in a directory; empty if there is none."""
    place = os.path.join(claude_dir, "projects", re.sub("[^a-zA-Z0-9]", "-", directory))
    files = glob.glob(os.path.join(glob.escape(place), "*.jsonl"))
    last = max(files, key=os.path.getmtime, default="")
    return os.path.basename(last).removesuffix(".jsonl")


def read(path: str) -> Conversation:
    """Read the conversation from a session's file; empty if it can't be read."""
    return transcript.read(lines(path))


def lines(path: str) -> Iterator[str]:
    """Yield the lines of a session's file, except those longer than any that claude writes."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        yield from _lines(file)


def _lines(file: BinaryIO) -> Iterator[str]:
    while line := file.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line.decode("utf-8", "replace")
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_LONGEST_LINE)


def wait_for(event: StopEvent, since: float) -> Conversation:
    """Read the conversation, waiting briefly until it contains the agent's last message.

    claude writes its file a moment later than it calls the hook. `since` is the time of the last
    stop: what the agent said before that isn't its last message, even with the same words.
    """
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        conversation = read(event.transcript_path)
        message, path = event.last_assistant_message, event.transcript_path
        if not path or conversation.holds(message, since) or time.monotonic() > until:
            return conversation
        time.sleep(0.05)
