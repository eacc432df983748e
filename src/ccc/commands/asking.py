"""Questions to the person at the terminal; the end of the input is taken as Ctrl-C."""

import sys

from ccc import terminal, words
from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def possible() -> bool:
    """Whether there is a person to ask."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def line(question: str, default: str = "") -> str:
    """A line that is typed; Enter alone is the default."""
    shown = f"{question} [{default}]: " if default else f"{question}: "
    _show(shown)
    typed = sys.stdin.readline()
    if not typed:
        _show("\n")
        raise KeyboardInterrupt
    return terminal.plain(typed).strip() or default


def needed(question: str) -> str:
    """A line that can't be left out."""
    while not (typed := line(question)):
        pass
    return typed


def yes(question: str, default: bool) -> bool:
    """Yes or no, in either language."""
    hint = "[Y/n]" if default else "[y/N]"
    while True:
        typed = line(f"{question} {hint}").casefold()
        if not typed:
            return default
        if typed in ("y", "yes", "是", "好"):
            return True
        if typed in ("n", "no", "否", "不"):
            return False
        terminal.tell(words.say("ask.yes_or_no"))


def agreed(said: "argparse.Namespace", command: str, question: str) -> bool:
    """Whether the person agrees, by --yes or when asked; where nobody can be asked, an error."""
    if said.yes:
        return True
    if not possible():
        raise CccError("ask.needs_yes", hint="usage.see", command=command)
    return yes(question, False)


def hidden(question: str) -> str:
    """A line that is typed and not shown."""
    import getpass

    try:
        return getpass.getpass(terminal.plain(question) + ": ", sys.stderr).strip()
    except EOFError:
        _show("\n")
        raise KeyboardInterrupt from None


def _show(text: str) -> None:
    sys.stderr.write(terminal.plain(text))
    sys.stderr.flush()
