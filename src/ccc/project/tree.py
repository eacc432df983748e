"""The working tree: what it is like now, and whether it changed."""

import functools
import hashlib
import os

from ccc.project import git, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


class Tree:
    """A project's directory, in a repository or not; `without` are directories that don't count."""

    def __init__(self, directory: str, without: "Sequence[str]" = ()) -> None:
        self.directory = directory
        self._without = without
        self.too_large: set[str] = set()
        """The directories that were not compared as a whole."""

    @functools.cached_property
    def repository(self) -> tuple[str, ...]:
        """The top of the work tree and git's own directories; nothing where there is no git.

        Nor where `core.worktree` makes git look elsewhere: it would see nothing of the directory.
        """
        here = os.path.join(os.path.realpath(self.directory), "")
        top = os.path.join(os.path.realpath((self._asked or ("/",))[0]), "")
        return self._asked if here.startswith(top) else ()

    @functools.cached_property
    def _asked(self) -> tuple[str, ...]:
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
        return bool(changed or self._unwatched()) or any(p.dirty() for p in self._submodules)

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
            missed: list[str] = []
            found = sorted(self._files(missed))
            found += (f"{path}/" for path in missed if not path.endswith("/.git"))
            names = [path.removeprefix(f"{self.directory}/") for path in found]
            why = "git compares another directory (core.worktree)" if self._asked else ""
            why = why or "There is no git repository"
            return f"{why}, so no diff. The files:\n{_some(names)}"
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
        missed: list[str] = []
        ignored = [p for p in self._ignored(_MOST_FILES, missed) if walk.changed_at(p) >= since]
        top = os.path.join(self.repository[0], "")
        parts = {
            "Changed files": self._list(*git.DIFF, "--name-only", begin),
            "New files that git does not track": self._list(
                "ls-files", "--others", "--exclude-standard"
            ),
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
        """The files with --skip-worktree or --assume-unchanged, which git takes for unchanged."""
        listed = self._list("ls-files", "-v")
        marked = [each[2:] for each in listed if each[0] == "S" or each[0].islower()]
        if not any(os.path.exists(f"{own}/info/sparse-checkout") for own in self.repository[1:]):
            return marked
        return [name for name in marked if os.path.lexists(os.path.join(self.repository[0], name))]

    def _list(self, *arguments: str) -> list[str]:
        """The names of the files that count, as git lists them."""
        first, *rest = arguments
        return os.fsdecode(self._look(first, "-z", *rest) or b"").split("\0")[:-1]

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
            added += walk.count_lines(os.path.join(self.repository[0], os.fsdecode(name)))
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
        new = self._list("ls-files", "--others", "--exclude-standard")
        for name in [*self._unwatched(), *sorted(new)[:_MOST_FILES]]:
            most[os.path.join(self.repository[0], name)] = _MOST_BYTES
        for path in sorted(most):
            yield os.fsencode(path)
            yield walk.content(path, most[path])
        for part in self._submodules:
            yield part.fingerprint().encode()

    def _ignored(
        self, most: int = _MOST_IGNORED, missed: "list[str] | None" = None
    ) -> "Iterator[str]":
        """The files that git ignores, without those of caches and of installed packages.

        `missed` gets the directories that were not looked into, or not as a whole.
        """
        listed = self._look(
            *("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"),
            seconds=_SHORT_SECONDS,
        )
        missed, count = [] if missed is None else missed, 0
        if listed is None:
            missed.append(self.repository[0])
        for name in sorted(filter(None, (listed or b"").split(b"\0"))):
            path = os.path.join(self.repository[0], os.fsdecode(name))
            if count >= most:
                missed.append(path.rstrip("/"))
                continue
            inside = name.endswith(b"/")
            for each in self._within(path[:-1], most - count, missed) if inside else [path]:
                count += 1
                yield each

    def _within(self, top: str, most: int, missed: "list[str]") -> "Iterator[str]":
        """The files of a directory that git ignores as a whole."""
        without = {*walk.PASSED_OVER, *walk.CACHES, *self._elsewhere()}
        if os.path.basename(top) in without or top in without:
            missed.append(top)
        else:
            yield from walk.files(top, without, most, missed)

    def _elsewhere(self) -> "Iterator[str]":
        """Our own directories, and claude's other worktrees: no part of this one."""
        yield from (os.path.join(self.repository[0], p) for p in self._ours())
        for root in (self.directory, *self.repository[:1]):
            yield os.path.join(root, ".claude", "worktrees")

    def surroundings(self, added: "Sequence[str]" = ()) -> str:
        """A text that changes when claude's or git's own files here do, or an added directory.

        As the file system sees it: git itself says nothing of what it is told to ignore.
        """
        own, git_dirs = os.path.join(self.directory, ".claude"), self._asked[1:]
        info = [os.path.join(each, "objects", "info") for each in git_dirs]
        without = {os.path.join(own, "worktrees"), *self._without}
        missed: list[str] = []
        found = walk.stamp([own, *info, *added], without, missed)
        found += walk.stamp(git_dirs, {"objects", *without}, missed)
        self.too_large |= {own, *git_dirs, *added} & {*missed}
        return found

    def _of_files(self) -> "Iterator[bytes]":
        for path in self._files():
            try:
                found = os.lstat(path)
            except OSError:
                continue
            if (found.st_dev, found.st_ino) not in walk.own_output():
                yield os.fsencode(f"{path} {found.st_size} {found.st_mtime_ns} {found.st_mode}")

    def _files(self, missed: "list[str] | None" = None) -> "Iterator[str]":
        ours = {os.path.join(self.directory, p) for p in _find_below(self.directory, self._without)}
        missed = [] if missed is None else missed
        yield from walk.files(self.directory, {*walk.PASSED_OVER, *ours}, _MOST_FILES, missed)
        missed[:] = [path for path in missed if path not in ours]
        self.too_large |= {self.directory} & {*missed}

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


def _some(names: "Sequence[str]") -> str:
    """The names, as far as there are not too many, each on a line of its own whatever it is."""
    shown = [os.fsencode(name).decode(errors="replace") for name in names[:_MOST_COUNTED]]
    left = [f"… and {len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return "\n".join([*(name.replace("\n", "?") for name in shown), *left])


def _find_below(top: str, paths: "Sequence[str]") -> list[str]:
    """Those of the paths that lie below the directory, relative to it."""
    root = os.path.join(os.path.realpath(top), "")
    return [p.removeprefix(root) for p in map(os.path.realpath, paths) if p.startswith(root)]
