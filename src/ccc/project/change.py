"""Read the whole change of a tree, and find its signals."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ccc.model.evidence import HIGH, Signal
from ccc.project import git, walk
from ccc.project.tree import Tree
from ccc.signals import claims, files, left_undone, patch, weakened_tests
from ccc.signals.claims import Work
from ccc.signals.patch import FileChange

_SECONDS = 5.0
_DIFF = (
    *git.DIFF,
    *("--text", "--find-renames", "--unified=3", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/"),  # whatever the user's configuration says
)
_MOST_DIFF = 4 * 1024 * 1024
_MOST_NEW, _LARGEST_NEW, _MOST_BYTES_NEW = 300, 256 * 1024, 2 * 1024 * 1024
_MOST_TESTS, _LARGEST_TEST, _MOST_BYTES_TESTS = 100, 128 * 1024, 2 * 1024 * 1024
_MOST_NAMES = 5_000
_LONGEST_TRACE, _LONGEST_TEXT = 1024 * 1024, 20_000
_MOST_SIGNALS, _MOST_OF_A_KIND = 20, 4


def find_signals(tree: Tree, start: str, work: Work, texts: Sequence[str]) -> tuple[Signal, ...]:
    """Return the signals of the work since the commit `start`; `texts` are the agent's messages."""
    changes = read_change(tree, start)
    names = [each.path for each in changes]
    added = "\n".join(line.text for each in changes for line in each.added)
    work = replace(
        work,
        names=names,
        trace="\n".join([added[:_LONGEST_TRACE], *names, *(t[:_LONGEST_TEXT] for t in texts)]),
        has_commit=tree.head() != start if start and tree.repository else None,
    )
    return signals_of(changes, work, read_tests(tree))


def signals_of(
    changes: Sequence[FileChange], work: Work, tests: Mapping[str, str]
) -> tuple[Signal, ...]:
    """Return the signals, the severe ones first, not too many of a kind."""
    requests = "\n".join(work.requests)
    signals = [
        *weakened_tests.find(changes, requests),
        *left_undone.find(changes, requests, tests, work.passed),
        *claims.find(work),
    ]
    counts: Counter[str] = Counter()
    result = []
    for signal in sorted(signals, key=lambda each: each.severity != HIGH):
        counts[signal.name] += 1
        if counts[signal.name] <= _MOST_OF_A_KIND:
            result.append(signal)
    return tuple(result[:_MOST_SIGNALS])


def read_change(tree: Tree, start: str) -> list[FileChange]:
    """Return the changes since the commit `start`, including files that git doesn't track."""
    if not tree.repository:
        return []
    new = _list(tree, "--others", "--exclude-standard")[:_MOST_NAMES]
    texts = dict.fromkeys(map(_printable, new), "")
    texts |= _read_some(tree, new[:_MOST_NEW], _LARGEST_NEW, _MOST_BYTES_NEW)
    return [*patch.parse(_diff(tree, start)), *patch.new_files(texts)]


def _diff(tree: Tree, start: str) -> str:
    """Return the diff; only of uncommitted changes if the commit doesn't exist any more."""
    head = tree.head() or git.EMPTY_TREE
    output = tree.git_output(*_DIFF, start or head, seconds=_SECONDS, most=_MOST_DIFF)
    if output is None and start:
        output = tree.git_output(*_DIFF, head, seconds=_SECONDS, most=_MOST_DIFF)
    return (output or b"").decode(errors="replace")


def read_tests(tree: Tree) -> dict[str, str]:
    """Return the text of the project's test files, by path, as far as they aren't many or large."""
    if not tree.repository:
        return {}
    names = [name for name in _list(tree) if files.is_test(name)][:_MOST_TESTS]
    return _read_some(tree, names, _LARGEST_TEST, _MOST_BYTES_TESTS)


def _list(tree: Tree, *arguments: str) -> list[str]:
    listed = tree.git_output("ls-files", "-z", *arguments, seconds=_SECONDS) or b""
    return sorted(os.fsdecode(listed).split("\0")[:-1])


def _read_some(tree: Tree, names: Sequence[str], largest: int, most: int) -> dict[str, str]:
    """Return the text of files by path, until they are too much together."""
    texts: dict[str, str] = {}
    for name in names:
        if most <= 0:
            break
        path = os.path.join(tree.repository[0], name)
        text = walk.read_text(path, min(largest, most)).decode(errors="replace")
        texts[_printable(name)] = text
        most -= len(text)
    return texts


def _printable(name: str) -> str:
    """Return a file's name without bytes that aren't UTF-8."""
    return os.fsencode(name).decode(errors="replace")
