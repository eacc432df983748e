"""Text on stdin: whether there is any, a task, and text for the program that ccc becomes."""

import os
import select
import stat
import sys

from ccc.errors import CccError

_LONGEST_TASK = 4_000_000
_PIPE_SECONDS = 3.0


def read_task() -> str:
    """Return the text of a task on stdin; raise CccError if it is too long."""
    data = sys.stdin.buffer.read(_LONGEST_TASK + 1)
    check_task_size(len(data))
    return data.decode("utf-8", "replace")


def check_task_size(size: int) -> None:
    """Raise CccError if a task of that many bytes is too long."""
    if size > _LONGEST_TASK:
        raise CccError("run.long_task", most=_LONGEST_TASK // 1_000_000)


def has_text() -> bool:
    """Return whether text is piped in; a pipe that was only left open stays silent."""
    try:
        kind = os.fstat(0).st_mode
        if stat.S_ISREG(kind):
            return True
        return stat.S_ISFIFO(kind) and bool(select.select([0], [], [], _PIPE_SECONDS)[0])
    except (OSError, ValueError):
        return False


def put_back(data: bytes) -> None:
    """Let the program that ccc becomes read again what ccc has read."""
    import tempfile  # 4 ms, and rarely needed

    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        os.dup2(file.fileno(), 0)
