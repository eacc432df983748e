"""The user's checks, run in the project: evidence before any model is asked."""

import os
import time

from ccc.claude import process
from ccc.domain.receipt import Receipt
from ccc.project.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ccc.domain.config import Check

_SHOWN = 4_000


def run(
    checks: "Sequence[Check]",
    tree: Tree,
    env: "Mapping[str, str]",
    output_file: "Callable[[int], str]",
    begins: "Callable[[str], None]" = lambda command: None,
) -> "Iterator[Receipt]":
    """Each check's receipt, as it comes; a caller that has seen enough just stops asking."""
    head, dirty = tree.head(), tree.dirty()
    for number, check in enumerate(checks, 1):
        begins(check.command)
        yield _receipt(check, tree.directory, env, output_file(number), head, dirty)


def _receipt(
    check: "Check", cwd: str, env: "Mapping[str, str]", file: str, head: str, dirty: bool
) -> Receipt:
    begun = time.monotonic()
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    output = os.open(file, flags, 0o600)
    try:
        command = ["/bin/sh", "-c", check.command]
        try:
            code = process.run_logged(command, cwd, env, output, check.timeout_seconds)
        except OSError as error:
            os.write(output, f"{error.strerror}\n".encode())
            code = None
        seconds = time.monotonic() - begun
        size = os.fstat(output).st_size
        tail = os.pread(output, _SHOWN, max(0, size - _SHOWN)).decode(errors="replace")
    finally:
        os.close(output)
    return Receipt(check.command, code, seconds, tail.strip(), file, head, dirty)
