"""Questions to the person at the terminal; the end of the input is taken as Ctrl-C."""

import sys

from ccc import words
from ccc.errors import CccError
from ccc.system import terminal
from ccc.text import redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


_WIDEST = 100


def possible() -> bool:
    """Whether there is a person to ask."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def line(
    question: str, default: str = "", is_key: "Callable[[str], bool]" = redaction.looks_like_a_key
) -> str:
    """A line that is typed; Enter alone is the default. A key that is pasted here is refused.

    What a key looks like depends on the question: an account's id may look like one too.
    """
    while True:
        _show(f"{question} [{default}]: " if default else f"{question}: ")
        typed = sys.stdin.readline()
        if not typed:
            _show("\n")
            raise KeyboardInterrupt
        typed = terminal.plain(typed).strip()
        if not is_key(typed):
            return typed or default
        terminal.tell(words.say("ask.key"))


def object_to(problem: str, typed: str = "") -> None:
    """Say what is wrong with an answer, in a sentence; what was typed is not written otherwise."""
    if not typed or not problem.startswith(typed):
        problem = problem[:1].upper() + problem[1:]
    terminal.tell(words.say("ask.wrong", problem=problem))


def width() -> int:
    """How wide a text of several lines is: as the terminal, where that is easy to read."""
    return min(terminal.columns(sys.stderr) or _WIDEST, _WIDEST)


def needed(question: str, is_key: "Callable[[str], bool]") -> str:
    """A line that can't be left out."""
    while not (typed := line(question, is_key=is_key)):
        terminal.tell(words.say("ask.empty"))
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
    body = terminal.plain(text)
    wrapped = terminal.fitted(body, sys.stderr)
    sys.stderr.write(wrapped + (" " if body.endswith(" ") and not wrapped.endswith(" ") else ""))
    sys.stderr.flush()
