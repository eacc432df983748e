"""The agent's work: in which worktree it is, its whole change, and the signals in it."""

import glob
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ccc.model.evidence import HIGH, Signal
from ccc.project import git, walk
from ccc.project.tree import Tree
from ccc.signals import claims, files, left_undone, patch, weakened_tests
from ccc.signals.claims import Work
from ccc.signals.patch import FileChange

_MAX_WORKTREES = 20
# total time for checking worktrees that existed before the session
_WORKTREE_SECONDS = 2.0
_DIFF_SECONDS = 5.0
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


class Workplace(Struct, frozen=True):
    """The directory to judge, and other directories with work that isn't checked."""

    directory: str
    others: tuple[str, ...] = ()
    moved: tuple[str, str] = ("", "")
    """The top of the project's worktree, and of the other one in which the agent works."""

    def path(self, directory: str) -> str:
        """Return the same directory where the agent works; "" is the judged one itself."""
        home, there = self.moved
        if not directory or not home or not walk.is_below(directory, home):
            return directory or self.directory
        return os.path.normpath(os.path.join(there, os.path.relpath(directory, home)))


def find_place(home: Tree, cwd: str, since: float, start: str = "") -> Workplace:
    """Find the worktree that contains `cwd`, where the agent works now.

    Lists other worktrees if they have changes and either the changes or the worktree are newer
    than `since`. Lists the project if the agent left changes there or commits after `start`. A
    different repository is listed, not judged. `home` is the project.
    """
    project, here = home.directory, home.repository
    there = here if cwd in ("", project) else Tree(cwd).repository
    if not here or not there or here[-1] != there[-1]:
        away = bool(cwd) and not walk.is_below(cwd, project)
        return Workplace(project, (cwd,) if away else ())
    if there[0] == here[0]:
        return Workplace(project, tuple(_changed(here, (here[0],), since)))
    moved = here[0], there[0]
    inside = Workplace("", moved=moved).path(os.path.realpath(project))
    head = home.head()
    is_left = home.dirty() or (start not in ("", head) and not Tree(there[0]).has(head))
    others = (*([project] if is_left else []), *_changed(here, (here[0], there[0]), since))
    return Workplace(inside if os.path.isdir(inside) else there[0], others, moved)


def _changed(here: tuple[str, ...], known: tuple[str, ...], since: float) -> Iterator[str]:
    """Yield the other worktrees that this session may have changed, newest first."""
    worktrees = [each for each in _worktrees(here[-1], since) if each[2] not in known]
    worktrees.sort(reverse=True)
    for path in [path for is_new, _, path in worktrees if is_new][:_MAX_WORKTREES]:
        if Tree(path).is_changed():
            yield path
    until = time.monotonic() + _WORKTREE_SECONDS
    for path in [path for is_new, _, path in worktrees if not is_new][:_MAX_WORKTREES]:
        if time.monotonic() < until and _has_new_files(path, since):
            yield path


def _worktrees(git_dir: str, since: float) -> Iterator[tuple[bool, float, str]]:
    """Yield for each worktree whether it or its last commit is new, its creation time, its path."""
    for file in glob.iglob(os.path.join(glob.escape(git_dir), "worktrees", "*", "gitdir")):
        try:
            with open(file, "rb") as pointer:
                path = os.path.dirname(os.fsdecode(pointer.readline().rstrip(b"\n")))
                made = os.fstat(pointer.fileno()).st_mtime
        except OSError:
            continue
        if os.path.exists(os.path.join(os.path.dirname(file), git.TASK_MARK)):
            continue  # another task of the queue, with an agent of its own
        log = os.path.join(os.path.dirname(file), "logs", "HEAD")
        yield made >= since - 1 or walk.changed_at(log) > since, made, path


def _has_new_files(worktree: str, since: float) -> bool:
    """Return whether an uncommitted file changed since then."""
    command = (*git.STATUS, "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    filters = git.own_filters(worktree)
    listed = git.ask(worktree, *command, filters=filters, seconds=_WORKTREE_SECONDS) or b""
    paths = (os.path.join(worktree, os.fsdecode(each[3:])) for each in listed.split(b"\0")[:-1])
    # if the file was deleted, check its directory
    return any((walk.changed_at(p) or walk.changed_at(os.path.dirname(p))) > since for p in paths)


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
    output = tree.git_output(*_DIFF, start or head, seconds=_DIFF_SECONDS, most=_MOST_DIFF)
    if output is None and start:
        output = tree.git_output(*_DIFF, head, seconds=_DIFF_SECONDS, most=_MOST_DIFF)
    return (output or b"").decode(errors="replace")


def read_tests(tree: Tree) -> dict[str, str]:
    """Return the text of the project's test files, by path, as far as they aren't many or large."""
    if not tree.repository:
        return {}
    names = [name for name in _list(tree) if files.is_test(name)][:_MOST_TESTS]
    return _read_some(tree, names, _LARGEST_TEST, _MOST_BYTES_TESTS)


def _list(tree: Tree, *arguments: str) -> list[str]:
    listed = tree.git_output("ls-files", "-z", *arguments, seconds=_DIFF_SECONDS) or b""
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
