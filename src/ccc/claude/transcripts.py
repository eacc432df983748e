"""Where claude keeps its sessions."""

import glob
import os

from ccc.domain import names, transcript


def find(claude_dir: str, session: str) -> str:
    """The file of a session; empty where there is none."""
    if not names.is_session_id(session):
        return ""
    found = glob.glob(os.path.join(glob.escape(claude_dir), "projects", "*", f"{session}.jsonl"))
    return found[0] if found else ""


def read(path: str) -> transcript.Conversation:
    """The conversation in a session's file, as far as it can be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            return transcript.read(lines)
    except OSError:
        return transcript.Conversation()
