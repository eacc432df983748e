"""Ask the user questions at the terminal; the end of input counts as Ctrl-C."""

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TypeVar

from ccc import words
from ccc.errors import CccError
from ccc.system import terminal
from ccc.text import redaction

T = TypeVar("T")
_WIDEST = 100


def is_interactive() -> bool:
    """Return whether there is a user to ask."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def line(
    question: str, default: str = "", is_key: Callable[[str], bool] = redaction.looks_like_a_key
) -> str:
    """Ask for a line; Enter alone chooses the default.

    Keys are rejected. `is_key` depends on the question, since an account id may look like a key.
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
    """Say what is wrong with an answer, capitalizing it unless it starts with the typed text."""
    if not typed or not problem.startswith(typed):
        problem = problem[:1].upper() + problem[1:]
    terminal.tell(words.say("ask.wrong", problem=problem))


def width() -> int:
    """Return the width for longer texts: the terminal's, up to a readable maximum."""
    return min(terminal.columns(sys.stderr) or _WIDEST, _WIDEST)


def choose(question: str, answers: Mapping[str, T], default: str, wrong: str) -> T:
    """Ask until the answer is one of these; `wrong` is told about any other."""
    while (typed := line(question, default).casefold()) not in answers:
        terminal.tell(wrong)
    return answers[typed]


def yes(question: str, default: bool) -> bool:
    """Ask for yes or no, accepting answers in either language."""
    hint = "[Y/n]" if default else "[y/N]"
    answers = dict.fromkeys(("y", "yes", "是", "好"), True)
    answers |= {**dict.fromkeys(("n", "no", "否", "不"), False), "": default}
    return choose(f"{question} {hint}", answers, "", words.say("ask.yes_or_no"))


def confirm(options: argparse.Namespace, command: str, question: str) -> bool:
    """Return whether the user agrees, by `--yes` or an answer; raise if nobody can be asked."""
    if options.yes:
        return True
    if not is_interactive():
        raise CccError("ask.needs_yes", hint="usage.see", command=command)
    return yes(question, False)


def secret(question: str) -> str:
    """Ask for a line without showing what is typed."""
    import getpass

    try:
        return getpass.getpass(terminal.plain(question) + ": ", sys.stderr).strip()
    except EOFError:
        _show("\n")
        raise KeyboardInterrupt from None


def _show(text: str) -> None:
    body = terminal.plain(text)
    wrapped = terminal.fit(body, sys.stderr)
    sys.stderr.write(wrapped + (" " if body.endswith(" ") and not wrapped.endswith(" ") else ""))
    sys.stderr.flush()
