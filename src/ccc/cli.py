"""The program: the first word selects a command, and only its module is imported."""

# not signal, which imports enum
import _signal  # type: ignore[import-not-found]
import os
import sys

from ccc.command_table import COMMANDS

_OPTIONS = {"--help": "help", "-h": "help", "--supervisor": "launch"}
_VERSION = ("--version", "-V", "-v")


def main() -> int:
    """Run the command and turn every failure into a message and an exit code."""
    # some parents ignore it, and then the exit codes of children are lost
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    try:
        if sys.stdout is not None:
            # don't fail on characters that the terminal's encoding can't represent
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        code = run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from ccc import failure

        return failure.report(error)
    finally:
        _flush_stderr()


def _flush_stderr() -> None:
    """Discard unwritten stderr output if its reader is gone; it would change the exit code."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    except ValueError:
        pass  # closed


def run(words: list[str]) -> int:
    """Run the command named by the first word, or launch claude if it isn't a command."""
    first = words[0] if words else ""
    if first in _VERSION:
        from ccc import __version__

        print("ccc", __version__)
        return 0
    if first == "supervisor-hook":
        from ccc.front import session

        if session.is_idle(words[1:]):
            return 0
    if first == "statusline":
        from ccc.front import status_line

        return status_line.main(words[1:])
    module = COMMANDS.get(first) or _OPTIONS.get(first, "launch")
    name = f"ccc.commands.{module}"
    __import__(name)
    code = sys.modules[name].main(words if module == "launch" else words[1:])
    return int(code)
