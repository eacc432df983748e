"""The one place where an exception becomes a message for the user."""

import os
import sys

from ccc import words
from ccc.errors import CccError
from ccc.system import terminal


def report(error: Exception) -> int:
    """Tell the user what went wrong and what to do; return the exit code."""
    if isinstance(error, BrokenPipeError):
        # the reader of our output went away; nothing more can be said to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    if isinstance(error, FileNotFoundError) and _is_nowhere():
        error = CccError("cwd.gone", hint="cwd.hint")
    if isinstance(error, CccError):
        tell(error)
        return error.exit_code
    if os.environ.get("CCC_DEBUG"):
        import traceback

        traceback.print_exception(error)
    terminal.tell(words.say("bug", kind=type(error).__name__))
    return 1


def _is_nowhere() -> bool:
    """Whether the working directory has been deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def tell(error: CccError, prefix: str = "ccc: ") -> None:
    """Print a problem and its remedy on stderr."""
    terminal.tell(prefix + str(error))
    if error.hint:
        terminal.tell(words.say(error.hint, **error.params))
