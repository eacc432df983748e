"""The one place where an exception becomes a message for the user."""

import errno
import os
import sys
import traceback

from ccc import words
from ccc.errors import CccError
from ccc.system import terminal

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def report(error: Exception) -> int:
    """Tell the user what went wrong and what to do; return the exit code."""
    is_closed = isinstance(error, BrokenPipeError)
    # about the output, or about a file that is open already
    is_full = isinstance(error, OSError) and error.errno in _FULL and not error.filename
    if isinstance(error, OSError) and (is_closed or is_full):
        # what is left of the output has nowhere to go, and must not fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if is_closed:
            return 141
        error = CccError("file.full", hint="file.hint", reason_text=error.strerror)
    if isinstance(error, FileNotFoundError) and _is_nowhere():
        error = CccError("cwd.gone")
    if isinstance(error, CccError):
        tell(error)
        return error.exit_code
    print_if_debugging()
    terminal.tell(words.say("bug", kind=type(error).__name__))
    return 1


def print_if_debugging() -> None:
    """Print where the current exception comes from, for somebody who looks for the reason."""
    if os.environ.get("CCC_DEBUG"):
        traceback.print_exc()


def _is_nowhere() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def tell(error: CccError, prefix: str = "ccc: ") -> None:
    """Print a problem and its remedy on stderr."""
    terminal.tell(prefix + error.explanation)
