"""The text of a task or an answer: words, a file or stdin."""

import os
import sys

from ccc.errors import CccError
from ccc.storage import files
from ccc.system import stdin
from ccc.text import names


def read(given: list[str], file: str = "") -> str:
    """Return the words and the text of the file; without both, what is piped in; may be empty."""
    reads_pipe = given == ["-"] or file == "-"
    parts = [" ".join(given)] if given and given != ["-"] else []
    if file and file != "-":
        text = files.read(os.path.abspath(os.path.expanduser(file)))
        if text is None:
            raise CccError("run.no_file", file=file)
        parts.append(text)
    if reads_pipe or not parts:
        has_pipe = sys.stdin is not None and not sys.stdin.isatty()
        parts.append(stdin.read_task() if has_pipe else "")
    whole = names.storable("\n\n".join(part.strip() for part in parts if part.strip()))
    stdin.check_task_size(len(whole.encode()))
    return whole
