"""The working tree: its state and its changes."""

import functools
import hashlib
import os
from collections.abc import Iterator, Sequence

from ccc.project import git, walk

_SHORT_SECONDS = 3.0  # timeout for optional information
_MAX_NAMES = 500
_MAX_FILES, _MAX_BYTES = 20_000, 4 * 1024 * 1024
_MAX_IGNORED, _MAX_IGNORED_BYTES = 2_000, 64 * 1024
_MAX_SUBMODULES, _MIN_PART = 50, 2_000
_NEW = ("ls-files", "--others", "--exclude-standard")


class Tree:
    """A project's directory, with or without git; excludes the directories in `without`."""

    def __init__(self, directory: str, without: Sequence[str] = ()) -> None:
        self.directory = directory
        self._without = without
        self.too_large: set[str] = set()
        """Directories that were too large to compare completely."""

    @functools.cached_property
    def repository(self) -> tuple[str, ...]:
        """The top of the work tree and git's own directories; empty without git.

        Also empty if `core.worktree` points elsewhere, because git wouldn't see this directory.
        """
        top = (self._git_paths or ("/",))[0]
        return self._git_paths if walk.is_below(self.directory, top) else ()

    @functools.cached_property
    def _git_paths(self) -> tuple[str, ...]:
        command = ("rev-parse", "--path-format=absolute", "--show-toplevel")
        directories = ("--git-dir", "--git-common-dir")
        listed = git.ask(self.directory, *command, *directories, filters=self._filters)
        return tuple(dict.fromkeys(os.fsdecode(listed or b"").split("\n")[:-1]))

    def outside(self) -> list[str]:
        """Return the repository's directories outside the project's directory."""
        return [each for each in self.repository if not walk.is_below(each, self.directory)]

    def head(self) -> str:
        """Return the id of the checked-out commit, or ""."""
        return self._git_line("rev-parse", "--verify", "--quiet", "HEAD")

    def dirty(self) -> bool:
        """Return whether there are uncommitted changes."""
        changed = self.git_output(*git.STATUS, "--porcelain", "--untracked-files=normal")
        return bool(changed or self._unwatched()) or any(p.dirty() for p in self._submodules)

    def keep(self) -> str:
        """Return a commit, on no branch, with the tracked files as they are; "" without git."""
        return self._git_line("stash", "create") or self.head()

    def is_changed(self) -> bool:
        """Return whether it has uncommitted changes, or commits that no other branch has."""
        branch = self._git_line("rev-parse", "--abbrev-ref", "HEAD")
        others = ("--not", f"--exclude={branch}", "--branches", "--remotes")
        return self.dirty() or bool(self._git("rev-list", "--max-count=1", "HEAD", *others))

    def has(self, commit: str) -> bool:
        """Return whether HEAD contains the commit."""
        return self._git("merge-base", "--is-ancestor", commit, "HEAD") is not None

    def diff(self, start: str, most: int, since: float = 0.0) -> str:
        """Return the files changed since the commit `start`, and a shortened diff of each.

        Includes the names of ignored files that changed after `since`.
        """
        if not self.repository:
            missed: list[str] = []
            own = self._excluded_here
            paths = sorted(walk.files(self.directory, {*walk.SKIPPED, *own}, _MAX_FILES, missed))
            paths += (f"{p}/" for p in missed if p not in own and not p.endswith("/.git"))
            names = [path.removeprefix(f"{self.directory}/") for path in paths]
            reason = "git compares another directory (core.worktree)"
            reason = reason if self._git_paths else "There is no git repository"
            return f"{reason}, so no diff. The files:\n{_some(names)}"
        begin = start or self.head() or git.EMPTY_TREE
        # --text, because the repository's attributes can declare any file binary
        text = (self.git_output(*git.DIFF, "--text", begin) or b"").decode(errors="replace")
        text = self._changed_names(begin, since) + _cut_each(text, most)
        for part in self._submodules:
            name = os.path.relpath(part.directory, os.path.realpath(self.repository[0]))
            linked = self._git_line("rev-parse", "--verify", "--quiet", f"{begin}:{name}")
            if changed := part.diff(linked, most, since):
                text += f"\nIn the submodule {name}:\n{changed}"
        return text

    def _changed_names(self, begin: str, since: float) -> str:
        """Return the names of all changed files, including ignored ones."""
        missed: list[str] = []
        ignored = [p for p in self._ignored(_MAX_FILES, missed) if walk.changed_at(p) >= since]
        top = os.path.join(self.repository[0], "")
        parts = {
            "Changed files": self.git_names(*git.DIFF, "--name-only", begin),
            "New files that git does not track": self.git_names(*_NEW),
            "Files that git was told not to compare": self._unwatched(),
            "Files that git ignores, changed since": [p.removeprefix(top) for p in ignored],
            "Ignored directories that are not listed as a whole": [
                f"{p.removeprefix(top)}/" for p in missed if p not in {*self._elsewhere()}
            ],
        }
        return "".join(
            f"{title} ({len(names)}):\n{_some(names)}\n\n"
            for title, names in parts.items()
            if names
        )

    def _unwatched(self) -> list[str]:
        """Return files whose changes git skips (--skip-worktree, --assume-unchanged)."""
        listed = self.git_names("ls-files", "-v")
        marked = [each[2:] for each in listed if each[0] == "S" or each[0].islower()]
        if not any(os.path.exists(f"{own}/info/sparse-checkout") for own in self.repository[1:]):
            return marked
        return [name for name in marked if os.path.lexists(os.path.join(self.repository[0], name))]

    def size(self, start: str) -> dict[str, int] | None:
        """Return the size of the changes since the commit `start`; None if git takes too long."""
        if not self.repository:
            return None
        begin, seconds = start or self.head() or git.EMPTY_TREE, _SHORT_SECONDS
        listed = self.git_output(*git.DIFF, "--numstat", "-z", begin, seconds=seconds)
        new = self.git_output(*_NEW, "-z", seconds=seconds)
        if listed is None or new is None:
            return None
        # a renamed file has two more lines with its names
        counts = [line for each in listed.split(b"\0") if len(line := each.split(b"\t")) > 2]
        added, removed = (sum(int(c[n]) for c in counts if c[n].isdigit()) for n in (0, 1))
        untracked = [os.fsdecode(name) for name in new.split(b"\0") if name]
        for name in untracked[:_MAX_NAMES]:
            added += walk.count_lines(os.path.join(self.repository[0], name))
        return {"files": len(counts) + len(untracked), "added": added, "removed": removed}

    def fingerprint(self) -> str:
        """Return a hash that changes with the tree, including ignored files other than caches."""
        if self.repository:
            return hashlib.sha256(b"".join(part + b"\0" for part in self._git_state())).hexdigest()
        missed: list[str] = []
        stamp = walk.stamp([self.directory], {*walk.SKIPPED, *self._excluded_here}, missed)
        self.too_large |= {self.directory} & {*missed}
        return stamp

    def _git_state(self) -> Iterator[bytes]:
        head = self.head()
        yield head.encode()
        # other tasks of the queue change branches in the same repository
        own = (self._git_line("symbolic-ref", "--quiet", "HEAD"),) if self._is_task else ()
        refs = self._git("for-each-ref", "--format=%(objectname) %(refname)", *own)
        status = self.git_output(*git.STATUS, "--porcelain=v2", "-z", "--untracked-files=no")
        diff = self.git_output(*git.DIFF, "--binary", head or git.EMPTY_TREE)
        self.too_large |= {self.directory} if None in (refs, status, diff) else set()
        yield from (part or b"" for part in (refs, status, diff))
        # sorted together, because claude may add to the user's ignore file when it starts
        most = dict.fromkeys(self._ignored(_MAX_IGNORED, []), _MAX_IGNORED_BYTES)
        for name in [*self._unwatched(), *sorted(self.git_names(*_NEW))[:_MAX_FILES]]:
            most[os.path.join(self.repository[0], name)] = _MAX_BYTES
        for path in sorted(most):
            yield os.fsencode(path)
            yield walk.content(path, most[path])
        for part in self._submodules:
            yield part.fingerprint().encode()

    def _ignored(self, most: int, missed: list[str]) -> Iterator[str]:
        """Yield the files that git ignores, except caches and installed packages.

        Adds the directories that weren't searched completely to `missed`.
        """
        command = (*_NEW, "-z", "--ignored", "--directory")
        listed = self.git_output(*command, seconds=_SHORT_SECONDS)
        if listed is None:
            missed.append(self.repository[0])
        without, count = {*walk.SKIPPED, *walk.CACHES, *self._elsewhere()}, 0
        for name in sorted(filter(None, (listed or b"").split(b"\0"))):
            path = os.path.join(self.repository[0], os.fsdecode(name))
            top = path.rstrip("/")
            if count >= most or (path != top and {top, os.path.basename(top)} & without):
                missed.append(top)
                continue
            inside = walk.files(top, without, most - count, missed)
            for each in [path] if path == top else inside:
                count += 1
                yield each

    def _elsewhere(self) -> Iterator[str]:
        """Yield the directories that belong to ccc and to claude's other worktrees."""
        yield from (os.path.join(self.repository[0], path) for path in self._excluded)
        for root in (self.directory, *self.repository[:1]):
            yield os.path.join(root, ".claude", "worktrees")

    def surroundings(self, added: Sequence[str] = ()) -> str:
        """Return a hash that changes with claude's files, git's own files and added directories.

        Reads the file system, because git doesn't report what it ignores.
        """
        own, git_dirs = os.path.join(self.directory, ".claude"), self._git_paths[1:]
        info = [os.path.join(each, "objects", "info") for each in git_dirs]
        without = {os.path.join(own, "worktrees"), *self._without}
        others: set[str] = set()
        if self._is_task:
            # other tasks work in the same repository, in sandboxes of their own
            info, without = [], {*without, "refs", "logs", "worktrees", "packed-refs"}
            others = {os.path.join(d, name) for d in git_dirs for name in git.LEFT_BY_SANDBOX}
        missed: list[str] = []
        stamps = walk.stamp([own, *info, *added], without, missed, git.VOLATILE)
        without = {"objects", *without}
        stamps += walk.stamp(git_dirs, without, missed, git.VOLATILE, placeholders=others)
        self.too_large |= {own, *git_dirs, *added} & {*missed}
        return stamps

    @functools.cached_property
    def _is_task(self) -> bool:
        """Whether it is the worktree of a task of the queue."""
        marks = (os.path.join(each, git.TASK_MARK) for each in self._git_paths[1:])
        return any(map(os.path.exists, marks))

    @functools.cached_property
    def _submodules(self) -> "list[Tree]":
        """The submodules as trees; an uncommitted change in one counts as a change here."""
        directories = git.submodules(self.repository[0]) if self.repository else []
        return [Tree(directory, self._without) for directory in directories[:_MAX_SUBMODULES]]

    @functools.cached_property
    def _filters(self) -> tuple[str, ...]:
        return git.own_filters(self.directory)

    @functools.cached_property
    def _excluded_here(self) -> set[str]:
        """The excluded directories of a project without git."""
        return {os.path.join(self.directory, p) for p in _below(self.directory, self._without)}

    @functools.cached_property
    def _excluded(self) -> list[str]:
        """The excluded directories, relative to the top of the repository."""
        return _below(self.repository[0], self._without) if self.repository else []

    def git_names(self, command: str, *arguments: str) -> list[str]:
        """Return the files that git lists, without the excluded ones."""
        return os.fsdecode(self.git_output(command, "-z", *arguments) or b"").split("\0")[:-1]

    def git_output(
        self, *arguments: str, seconds: float = git.SECONDS, most: int = 0
    ) -> bytes | None:
        """Run git without the excluded directories and return its output, or `most` bytes of it."""
        paths = (*(f":(exclude,literal,top){p}" for p in self._excluded), git.NO_PLUGIN_STATE)
        return self._git(*arguments, "--", *paths, seconds=seconds, most=most)

    def _git_line(self, *arguments: str) -> str:
        return (self._git(*arguments) or b"").decode().strip()

    def _git(self, *arguments: str, seconds: float = git.SECONDS, most: int = 0) -> bytes | None:
        top = (self.repository or (self.directory,))[0]
        return git.ask(top, *arguments, filters=self._filters, seconds=seconds, most=most)


def _cut_each(diff: str, most: int) -> str:
    """Shorten each file's part of the diff to an equal share, so that none crowds out the rest."""
    parts = [f"diff --git {part}" for part in f"\n{diff}".split("\ndiff --git ")[1:]]
    share = max(_MIN_PART, most // max(1, len(parts)))
    cut = (part if len(part) <= share else part[:share] + "\n[cut]" for part in parts)
    text = "\n".join("(binary)" if "\0" in part else part for part in cut)
    return text if len(text) <= 2 * most else text[: 2 * most] + "\n[cut]"


def _some(names: Sequence[str]) -> str:
    """Return the first names, one per line even if a name contains a line break."""
    shown = [os.fsencode(name).decode(errors="replace") for name in names[:_MAX_NAMES]]
    left = [f"… and {len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return "\n".join([*(name.replace("\n", "?") for name in shown), *left])


def _below(top: str, paths: Sequence[str]) -> list[str]:
    """Return the paths inside the directory, relative to it."""
    root = os.path.join(os.path.realpath(top), "")
    return [p.removeprefix(root) for p in map(os.path.realpath, paths) if p.startswith(root)]
