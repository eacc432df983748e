"""The user's checks, run in the project: evidence before any model is asked."""

import os
import time

from ccc.project.tree import Tree
from ccc.supervision.receipt import Receipt
from ccc.system import private_files, spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ccc.config.schema import Check

_SHOWN = 4_000
_PIECE = 1024 * 1024


def run(
    checks: "Sequence[Check]",
    tree: Tree,
    env: "Mapping[str, str]",
    hidden: "Sequence[str]",
    output_file: "Callable[[int], str]",
    begins: "Callable[[str], None]" = lambda command: None,
) -> "Iterator[Receipt]":
    """Each check's receipt, as it comes; a caller that has seen enough just stops asking.

    What is `hidden` is unreadable in what they print, in files that they read, too.
    """
    head, dirty = tree.head(), tree.dirty()
    for number, check in enumerate(checks, 1):
        begins(check.command)
        yield _receipt(check, tree.directory, env, hidden, output_file(number), head, dirty)


def _receipt(
    check: "Check",
    cwd: str,
    env: "Mapping[str, str]",
    hidden: "Sequence[str]",
    file: str,
    head: str,
    dirty: bool,
) -> Receipt:
    begun = time.monotonic()
    output = private_files.open_file(file, os.O_RDWR | os.O_TRUNC)
    try:
        command = ["/bin/sh", "-c", check.command]
        try:
            code = spawn.run_logged(command, cwd, env, output, check.timeout_seconds)
        except OSError as error:
            os.write(output, f"{error.strerror}\n".encode())
            code = None
        seconds = time.monotonic() - begun
        _redact(output, hidden)
        size = os.fstat(output).st_size
        tail = os.pread(output, _SHOWN, max(0, size - _SHOWN)).decode(errors="replace")
    finally:
        os.close(output)
    return Receipt(check.command, code, seconds, tail.strip(), file, head, dirty)


def _redact(output: int, hidden: "Sequence[str]") -> None:
    """Make the user's keys unreadable in what a check printed, in place: a model will see it."""
    keys = [key.encode() for key in hidden]
    overlap = max(map(len, keys), default=0)
    at, size = 0, os.fstat(output).st_size
    while keys and at < size:
        part = os.pread(output, _PIECE + overlap, at)
        for key in keys:
            found = part.find(key)
            while found >= 0:
                os.pwrite(output, b"*" * len(key), at + found)
                found = part.find(key, found + len(key))
        at += _PIECE
