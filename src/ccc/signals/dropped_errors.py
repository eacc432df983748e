"""Signals about errors that changed lines catch and drop."""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Set

from ccc.model.evidence import HIGH, LOW, Signal
from ccc.signals.patch import FileChange, Line, contains
from ccc.signals.signal import signal_at

_AT_ONCE = re.compile(
    r"catch\s*(?:\(\s*(?:\w+\s*)?\)\s*)?\{\s*\}|\.catch\(\s*(?:\(\s*(?:\w+\s*)?\)|\w+)\s*=>\s*"
    r"(?:\{\s*\}|null|undefined|\[\]|0)\s*\)|contextlib\.suppress\(\s*(?:Base)?Exception"
    r"|^\s*(?:\w+\s*,\s*)?_\s*=\s*err\b|\bset \+e\b|\|\|\s*(?:true|:)\s*(?:#.*)?$"
    r"|\bon error resume next|ignore_errors\s*[:=]\s*(?:True|true|yes)|rescue\s*(?:nil|=>\s*_\s*$)",
    re.IGNORECASE,
)
"""Constructs that drop an error on one line."""
_WORDS = ("catch", "err", "except", "suppress", "set +e", "||", "resume next", "rescue")
"""Each construct contains one of them."""
_PYTHON = re.compile(r"^\s*except\b([^:#]*):\s*(?:(pass|continue)\b\s*)?(?:#.*)?$")
_BRACES = re.compile(r"catch\s*(?:\(.*\)\s*)?\{\s*$")
_GO = re.compile(r"^\s*(?:\}\s*else\s+)?if .*\berr != nil \{\s*$")
_BROAD = re.compile(r"$|.*\b(?:Base)?Exception\b")
_EXPECTED = re.compile(
    r"\b(?:KeyError|IndexError|StopIteration|FileNotFoundError|AttributeError|ImportError"
    r"|ModuleNotFoundError|ProcessLookupError|BrokenPipeError|LookupError|FileExistsError)\b"
)
"""Exceptions that often mean nothing but "isn't there"."""
_ANSWERS = re.compile(
    r"\b(?:raise|throw|panic|log\w*|warn\w*|print\w*|console|exit|abort|error\w*|err|fail\w*|reject"
    r"|report\w*|problem\w*|append|retry|stderr|Fatal\w*|next)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s(?:#|//).*$")
_LONGEST_BODY, _MOST_LINES = 20, 20
_QUIET = re.compile(r"^\s*(?:self\.)?_?log(?:ger|ging)?\.debug\(|^\s*console\.debug\(")
"""An answer that nobody sees."""
_NOTHING = re.compile(r"^\s*(?:pass|continue|\.\.\.)\s*(?:#.*)?$")


def find(change: FileChange, before: frozenset[str]) -> Iterator[Signal]:
    """Yield a signal if added lines drop errors; lines that were removed elsewhere don't count."""
    if not contains(change.added, _WORDS):
        return
    if lines := list(itertools.islice(_dropping(change, _codes(before)), _MOST_LINES)):
        severity = LOW if all(map(_is_narrow, lines)) else HIGH
        text = "an error is caught and dropped"
        yield signal_at("error_swallowed", severity, text, change, lines=lines)


def _is_narrow(line: Line) -> bool:
    """Whether the line handles only named exceptions."""
    match = _PYTHON.match(line.text)
    return match is not None and not _BROAD.match(match[1].strip())


def _code(text: str) -> str:
    """Return a line without its comment."""
    return _COMMENT.sub("", text.strip()).rstrip()


@functools.lru_cache(maxsize=1)  # the same for each file of a change
def _codes(lines: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_code, lines))


def _dropping(change: FileChange, before: Set[str]) -> Iterator[Line]:
    """Yield the added lines that drop an error, or begin to handle one without an answer."""
    for hunk in change.hunks:
        after = [(sign, line) for sign, line in hunk.lines if sign != "-"]
        for number, (sign, line) in enumerate(after):
            is_new = sign == "+" and _code(line.text) not in before
            following = (line for _, line in after[number + 1 : number + _LONGEST_BODY])
            if is_new and (_AT_ONCE.search(line.text) or _drops(line, following)):
                yield line


def _drops(handler: Line, following: Iterable[Line]) -> bool:
    """Whether the line begins a handler that doesn't answer the error."""
    if match := _PYTHON.match(handler.text):
        body = _indented(handler, following)
        if not body and not match[2]:
            return False
        if _BROAD.match(match[1].strip()) and not _EXPECTED.search(match[1]):
            return not _answers(body)
        is_empty = bool(match[2]) or all(map(_NOTHING.match, body))
        return is_empty and not _EXPECTED.search(match[1])
    if _BRACES.search(handler.text):
        return not _answers(_indented(handler, following))
    if _GO.match(handler.text):
        body = _indented(handler, following)
        return bool(body) and not _answers(body)
    return False


def _answers(body: Iterable[str]) -> bool:
    return any(_ANSWERS.search(text) and not _QUIET.match(text) for text in body)


def _indented(handler: Line, following: Iterable[Line]) -> list[str]:
    """Return the lines that are further to the right than the handler, without blank ones."""
    depth = _indentation(handler.text)
    body = []
    for line in following:
        if line.text.strip():
            if _indentation(line.text) <= depth:
                break
            body.append(line.text.strip())
    return body


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())
