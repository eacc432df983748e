"""A reviewer's temporary directory, and the project, which the review must not change.

Claude's sandbox leaves empty files in a tree and in its git directories, which ccc removes.
"""

import contextlib
import os
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from ccc.project import git, walk
from ccc.project.tree import Tree
from ccc.system import private_files

_PREFIX = "ccc-review-"
# A socket's path is limited to 107 bytes; claude's sandbox creates
# <this>/ccc-review-12345678/claude-http-0123456789abcdef.sock
_MAX_PLACE = 50

# what claude's sandbox leaves at its mount points, parents first
_LEFT_IN_PROJECT = (".claude", ".claude/.cc-writes")
# what it protects by mounting over it; if claude is killed meanwhile, they stay
_PLACEHOLDERS = (
    *(".bash_profile", ".bashrc", ".gitconfig", ".gitmodules", ".idea", ".mcp.json", ".profile"),
    *(".ripgreprc", ".vscode", ".zprofile", ".zshrc"),
    *(f".claude/{name}" for name in ("agents", "commands", "hooks", "launch.json", "loop.md")),
    *(f".claude/{name}" for name in ("output-styles", "routines", "scheduled_tasks.json")),
    *(f".claude/{name}" for name in ("settings.json", "settings.local.json", "skills")),
    ".claude/workflows",
)
_MODE = 0o444  # that of bwrap: nobody else creates an empty file that can't be written


class Comparison(Struct):
    """Compares the project before and after a review."""

    tree: Tree
    added: Sequence[str]  # directories outside the tree that the agent may write to
    fingerprint: str = ""  # the tree's fingerprint before the review
    surroundings: str = ""
    kept: str = ""
    """A commit with the tracked files as they were, if the reviewer's programs could write."""
    entries: frozenset[str] | None = None

    def begin(self, is_sandboxed: bool) -> None:
        """Take a snapshot of the project."""
        self.kept = "" if is_sandboxed else self.tree.keep()
        self.fingerprint, self.entries = self.tree.fingerprint(), find_leftovers(self.tree)
        self.surroundings = self.tree.surroundings(self.added)

    def remove_leftovers(self) -> None:
        """Remove the files that the sandbox left."""
        if self.entries is not None:
            remove_leftovers(self.tree, self.entries)

    def differs(self) -> bool:
        """Whether the project has changed."""
        if not self.fingerprint:
            return False
        now = (self.tree.fingerprint(), self.tree.surroundings(self.added))
        return now != (self.fingerprint, self.surroundings)


def find_place(read_only: Iterable[str]) -> str:
    """Return the directory for workspaces: the usual temporary directory or another one.

    Its path must be short enough for the sandbox's sockets, and not in a read-only directory.
    """
    named = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    usual = [os.path.realpath(each) for each in (*named, "/tmp", "/var/tmp") if each]
    places = [p for p in usual if os.path.isdir(p) and os.access(p, os.W_OK | os.X_OK)]
    closed = [each for each in read_only if each]
    for place in places:
        is_inside = any(walk.is_below(place, each) for each in closed)
        if len(os.fsencode(place)) <= _MAX_PLACE and not is_inside:
            return place
    return "/tmp" if os.access("/tmp", os.W_OK) else [*places, "/tmp"][0]


@contextlib.contextmanager
def in_new(place: str) -> Iterator[str]:
    """Create a workspace in a TMPDIR of its own, which is removed afterwards."""
    remove_stale(place)
    parent = os.path.join(place, f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}")
    private_files.make_directory(parent)
    try:
        # in the sandbox, claude's own directory in TMPDIR is the only writable one
        workspace = os.path.join(parent, f"claude-{os.getuid()}")
        private_files.make_directory(workspace)
        yield workspace
    finally:
        remove(parent)


def remove(parent: str) -> None:
    """Remove a reviewer's TMPDIR, including unreadable and read-only directories."""
    if os.path.islink(parent):
        return  # not created by ccc
    _make_accessible(parent)
    for directory, names, _ in os.walk(parent):
        for name in names:
            # must happen before the walk enters it
            _make_accessible(os.path.join(directory, name))
    shutil.rmtree(parent, ignore_errors=True)


def _make_accessible(directory: str) -> None:
    with contextlib.suppress(OSError):  # owned by another user
        if not os.path.islink(directory):
            os.chmod(directory, 0o700)


def remove_stale(place: str) -> None:
    """Remove the workspaces of killed reviews."""
    for name in os.listdir(place):
        pid = name.removeprefix(_PREFIX).partition("-")[0]
        if not name.startswith(_PREFIX) or not pid.isdigit() or os.path.exists(f"/proc/{pid}"):
            continue
        path = os.path.join(place, name)
        try:
            status = os.lstat(path)
            if status.st_uid != os.geteuid() or not stat.S_ISDIR(status.st_mode):
                continue  # anyone can create something with that name
            os.kill(int(pid), 0)
        except ProcessLookupError:
            remove(path)
        except (OSError, OverflowError):
            continue


def find_leftovers(tree: Tree) -> frozenset[str]:
    """Return the existing paths at which claude's sandbox may leave files."""
    return frozenset(path for path in _leftover_paths(tree) if os.path.lexists(path))


def remove_leftovers(tree: Tree, before: Collection[str]) -> None:
    """Remove empty files and directories that the sandbox left, except those in `before`."""
    for directory in (tree.directory, *tree.repository[:1]):
        remove_placeholders(directory, *tree.repository[1:])
    for path in [path for path in _leftover_paths(tree) if path not in before][::-1]:
        try:
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode) and status.st_size == 0:
                os.unlink(path)
            elif stat.S_ISDIR(status.st_mode):
                os.rmdir(path)
        except OSError:
            continue


def remove_placeholders(directory: str, *git_dirs: str) -> None:
    """Remove the empty files that a killed sandbox has left in a project and its git directories.

    With the lock, git would change no setting any more.
    """
    locks = (os.path.join(each, "config.lock") for each in git_dirs)
    for path in (*(os.path.join(directory, name) for name in _PLACEHOLDERS), *locks):
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            if status.st_mode == stat.S_IFREG | _MODE and status.st_size == 0:
                os.unlink(path)


def _leftover_paths(tree: Tree) -> Iterator[str]:
    # for a worktree, include the main one, which contains the common git directory
    main = map(os.path.dirname, tree.repository[1:])
    roots = dict.fromkeys((tree.directory, *tree.repository[:1], *main))
    yield from (os.path.join(root, name) for root in roots for name in _LEFT_IN_PROJECT)
    yield from (
        os.path.join(own, name) for own in tree.repository[1:] for name in git.LEFT_BY_SANDBOX
    )
