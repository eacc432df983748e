"""The working tree: what it is like now, and whether it changed."""

import functools
import hashlib
import os
import stat

from ccc.project import git, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_SECONDS = git.SECONDS
# for what is only nice to know
_SHORT_SECONDS = 3.0
_MOST_COUNTED = 500
_MOST_FILES = 20_000
_MOST_SUBMODULES = 50
_MOST_BYTES = 4 * 1024 * 1024
_MOST_IGNORED = 2_000
_MOST_IGNORED_BYTES = 64 * 1024
_SHORTEST_PART = 2_000
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
# What claude's sandbox leaves behind, empty, where it mounts something; outermost first.
_IN_PROJECT = (".claude", ".claude/.cc-writes")
_IN_GIT = (
    *("branches", "config.worktree", "glab-cli", "info/.claude-sandbox-noreplace"),
    *("objects/info/.claude-sandbox-noreplace", "objects/info/alternates"),
    *("objects/info/commit-graphs", "objects/info/commit-graphs/.claude-sandbox-noreplace"),
    *("remotes", "worktrees"),
)


class Tree:
    """A project's directory, in a repository or not; `without` are directories that don't count."""

    def __init__(self, directory: str, without: "Sequence[str]" = ()) -> None:
        self.directory = directory
        self._without = without

    @functools.cached_property
    def repository(self) -> tuple[str, ...]:
        """The top of the work tree and git's own directories; nothing where there is no git."""
        asked = self._git(
            *("rev-parse", "--path-format=absolute", "--show-toplevel"),
            *("--git-dir", "--git-common-dir"),
            inside=self.directory,
        )
        return tuple(dict.fromkeys(os.fsdecode(asked or b"").split("\n")[:-1]))

    def beyond(self) -> list[str]:
        """What belongs to the repository and lies outside of the project's directory."""
        here = os.path.join(os.path.realpath(self.directory), "")
        return [
            p for p in self.repository if not os.path.join(os.path.realpath(p), "").startswith(here)
        ]

    def head(self) -> str:
        """The commit that is checked out, or nothing."""
        return (self._git("rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()

    def dirty(self) -> bool:
        """Whether there are changes that are not committed."""
        changed = self._look(*git.STATUS, "--porcelain", "--untracked-files=normal")
        return bool(changed) or any(part.dirty() for part in self._submodules)

    def is_changed(self) -> bool:
        """Whether a worktree has something that no other branch has, committed or not."""
        branch = (self._git("rev-parse", "--abbrev-ref", "HEAD") or b"").decode().strip()
        others = ("--not", f"--exclude={branch}", "--branches", "--remotes")
        return self.dirty() or bool(self._git("rev-list", "--max-count=1", "HEAD", *others))

    def has(self, commit: str) -> bool:
        """Whether the commit is part of what is checked out."""
        return self._git("merge-base", "--is-ancestor", commit, "HEAD") is not None

    def diff(self, start: str, most: int, since: float = 0.0) -> str:
        """What has changed since the commit `start`: all names, and of each file its own part.

        Files that git ignores count where they were changed `since` then.
        """
        if not self.repository:
            names = sorted(os.path.relpath(path, self.directory) for path in self._files())
            listed = "\n".join(names[:500])
            return f"There is no git repository, so no diff. The files:\n{listed}"
        begin = start or self.head() or _EMPTY_TREE
        # as text, since the repository's own attributes may call anything binary
        text = (self._look(*git.DIFF, "--text", begin) or b"").decode(errors="replace")
        text = self._named(begin, since) + _cut_each(text, most)
        for part in self._submodules:
            name = os.path.relpath(part.directory, os.path.realpath(self.repository[0]))
            linked = self._git("rev-parse", "--verify", "--quiet", f"{begin}:{name}") or b""
            if changed := part.diff(linked.decode().strip(), most, since):
                text += f"\nIn the submodule {name}:\n{changed}"
        return text

    def _named(self, begin: str, since: float) -> str:
        """Every file that has changed, by name: also what git ignores."""
        new = self._list("ls-files", "--others", "--exclude-standard")
        parts = {
            "Changed files": self._list(*git.DIFF, "--name-only", begin),
            "New files that git does not track": new,
            "Files that git ignores, changed since": [
                os.path.relpath(path, self.repository[0])
                for path in self._ignored()
                if _changed_at(path) >= since
            ],
        }
        return "".join(
            f"{title} ({len(names)}):\n" + "\n".join(names[:_MOST_COUNTED]) + "\n\n"
            for title, names in parts.items()
            if names
        )

    def _list(self, *arguments: str) -> list[str]:
        """What git lists of the files that count, each on a line of its own whatever its name."""
        first, *rest = arguments
        listed = (self._look(first, "-z", *rest) or b"").decode(errors="replace")
        return [name.replace("\n", "?") for name in listed.split("\0") if name]

    def size(self, start: str) -> dict[str, int] | None:
        """How much has changed since the commit `start`; None where git can't say it soon."""
        if not self.repository:
            return None
        begin = start or self.head() or _EMPTY_TREE
        listed = self._look(*git.DIFF, "--numstat", "-z", begin, seconds=_SHORT_SECONDS)
        new = self._look(
            *("ls-files", "-z", "--others", "--exclude-standard"), seconds=_SHORT_SECONDS
        )
        if listed is None or new is None:
            return None
        files = added = removed = 0
        for line in listed.split(b"\0"):
            counts = line.split(b"\t")
            if len(counts) < 3:
                continue  # the two names of a file that was moved
            files += 1
            added += int(counts[0]) if counts[0].isdigit() else 0
            removed += int(counts[1]) if counts[1].isdigit() else 0
        untracked = [name for name in new.split(b"\0") if name]
        for name in untracked[:_MOST_COUNTED]:
            added += _lines(os.path.join(self.repository[0], os.fsdecode(name)))
        return {"files": files + len(untracked), "added": added, "removed": removed}

    def fingerprint(self) -> str:
        """A text that changes when the tree does, and what git ignores in it, but for caches."""
        digest = hashlib.sha256()
        for part in self._of_git() if self.repository else self._of_files():
            digest.update(part)
            digest.update(b"\0")
        return digest.hexdigest()

    def _of_git(self) -> "Iterator[bytes]":
        head = self.head()
        yield head.encode()
        yield self._git("for-each-ref", "--format=%(objectname) %(refname)") or b""
        yield self._look(*git.STATUS, "--porcelain=v2", "-z", "--untracked-files=no") or b""
        yield self._look(*git.DIFF, "--binary", head or _EMPTY_TREE) or b""
        # together: claude's own start may add to the user's ignore file
        most = dict.fromkeys(self._ignored(), _MOST_IGNORED_BYTES)
        new = self._look("ls-files", "-z", "--others", "--exclude-standard") or b""
        for name in sorted(filter(None, new.split(b"\0")))[:_MOST_FILES]:
            most[os.path.join(self.repository[0], os.fsdecode(name))] = _MOST_BYTES
        for path in sorted(most):
            yield os.fsencode(path)
            yield self._content(path, most[path])
        for part in self._submodules:
            yield part.fingerprint().encode()

    def _ignored(self) -> "Iterator[str]":
        """The files that git ignores, without those of caches and of installed packages."""
        listed = self._look(
            *("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"),
            seconds=_SHORT_SECONDS,
        )
        count = 0
        for name in sorted(filter(None, (listed or b"").split(b"\0"))):
            path = os.path.join(self.repository[0], os.fsdecode(name))
            for each in self._within(path) if name.endswith(b"/") else [path]:
                count += 1
                if count > _MOST_IGNORED:
                    return
                yield each

    def _within(self, directory: str) -> "Iterator[str]":
        """The files of a directory that git ignores as a whole."""
        top = directory.rstrip("/")
        ours = (os.path.join(self.repository[0], p) for p in self._ours())
        without = {*walk.PASSED_OVER, *walk.CACHES, "worktrees", *ours}
        if os.path.basename(top) not in without and top not in without:
            yield from walk.files(top, without, _MOST_IGNORED)

    def surroundings(self, added: "Sequence[str]" = ()) -> str:
        """A text that changes when claude's or git's own files here do, or an added directory.

        As the file system sees it: git itself says nothing of what it is told to ignore.
        """
        own = [os.path.join(self.directory, ".claude"), *self.repository[1:], *added]
        return walk.stamp(own, {"objects", "worktrees", *self._without})

    def _of_files(self) -> "Iterator[bytes]":
        for path in self._files():
            try:
                found = os.lstat(path)
            except OSError:
                continue
            if (found.st_dev, found.st_ino) not in _own_output():
                yield os.fsencode(f"{path} {found.st_size} {found.st_mtime_ns} {found.st_mode}")

    def _files(self) -> "Iterator[str]":
        ours = {os.path.join(self.directory, p) for p in _find_below(self.directory, self._without)}
        yield from walk.files(self.directory, {*walk.PASSED_OVER, *ours}, _MOST_FILES)

    def _content(self, path: str, most: int = _MOST_BYTES) -> bytes:
        try:
            found = os.lstat(path)
            if (found.st_dev, found.st_ino) in _own_output():
                return b"ours"
            if not stat.S_ISREG(found.st_mode) or found.st_size > most:
                return f"{found.st_size} {found.st_mtime_ns}".encode()
            with open(path, "rb") as file:
                return hashlib.sha256(file.read()).digest()
        except OSError:
            return b"gone"

    def places(self) -> set[str]:
        """What stands where the sandbox would leave something."""
        return {path for path in self._leftovers() if os.path.lexists(path)}

    def remove_leftovers(self, before: "Collection[str]") -> None:
        """Remove the empty files and directories that the sandbox left behind."""
        for path in reversed(list(self._leftovers())):
            if path in before:
                continue
            try:
                found = os.lstat(path)
                if stat.S_ISREG(found.st_mode) and found.st_size == 0:
                    os.unlink(path)
                elif stat.S_ISDIR(found.st_mode):
                    os.rmdir(path)
            except OSError:
                continue

    def _leftovers(self) -> "Iterator[str]":
        # of a worktree the main one too, which stands around the common git directory
        main = [os.path.dirname(own) for own in self.repository[1:]]
        for root in dict.fromkeys((self.directory, *self.repository[:1], *main)):
            yield from (os.path.join(root, name) for name in _IN_PROJECT)
        for own in self.repository[1:]:
            yield from (os.path.join(own, name) for name in _IN_GIT)

    @functools.cached_property
    def _submodules(self) -> "list[Tree]":
        """Each a repository of its own; what is not committed there is a change here too."""
        found = git.submodules(self.repository[0]) if self.repository else []
        return [Tree(directory, self._without) for directory in found[:_MOST_SUBMODULES]]

    @functools.cached_property
    def _filters(self) -> tuple[str, ...]:
        return git.own_filters(self.directory)

    def _ours(self) -> list[str]:
        """Our own directories in the repository, relative to its top."""
        return _find_below(self.repository[0], self._without) if self.repository else []

    def _look(self, *arguments: str, seconds: float = _SECONDS) -> bytes | None:
        """What git says of the files that count."""
        ours = self._ours()
        pathspecs = ["--", *(f":(exclude,literal,top){path}" for path in ours)] if ours else []
        return self._git(*arguments, *pathspecs, seconds=seconds)

    def _git(self, *arguments: str, inside: str = "", seconds: float = _SECONDS) -> bytes | None:
        where = inside or (self.repository or (self.directory,))[0]
        return git.ask(where, *arguments, filters=self._filters, seconds=seconds)


def _cut_each(diff: str, most: int) -> str:
    """The diff with each file's part cut to its share, so that none can push out the others."""
    parts = [f"diff --git {part}" for part in f"\n{diff}".split("\ndiff --git ")[1:]]
    share = max(_SHORTEST_PART, most // max(1, len(parts)))
    cut = (part if len(part) <= share else part[:share] + "\n[cut]" for part in parts)
    text = "\n".join("(binary)" if "\0" in part else part for part in cut)
    return text if len(text) <= 2 * most else text[: 2 * most] + "\n[cut]"


def _changed_at(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _find_below(top: str, paths: "Sequence[str]") -> list[str]:
    """Those of the paths that lie below the directory, relative to it."""
    root = os.path.join(os.path.realpath(top), "")
    return [p.removeprefix(root) for p in map(os.path.realpath, paths) if p.startswith(root)]


@functools.cache
def _own_output() -> frozenset[tuple[int, int]]:
    """The files that our own output goes to: `ccc run … 2> run.log` is no change of the work."""
    found = set()
    for stream in (1, 2):
        try:
            status = os.fstat(stream)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            found.add((status.st_dev, status.st_ino))
    return frozenset(found)


def _lines(path: str) -> int:
    """The lines of a text that is not too long; of anything else none."""
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES // 4:
            return 0
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return 0
    return 0 if b"\0" in text[:8_000] else text.count(b"\n") + (text[-1:] not in (b"", b"\n"))
