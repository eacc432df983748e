"""A reviewer's temporary directory, and the project, which the review must not change."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ccc.project import sandbox_files
from ccc.project.tree import Tree
from ccc.system import private_files

_PREFIX = "ccc-review-"
# A socket's path is limited to 107 bytes; claude's sandbox creates
# <this>/ccc-review-12345678/claude-http-0123456789abcdef.sock
_MAX_PLACE = 50


@dataclass(slots=True)
class Comparison:
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
        self.fingerprint, self.entries = self.tree.fingerprint(), sandbox_files.find(self.tree)
        self.surroundings = self.tree.surroundings(self.added)

    def remove_leftovers(self) -> None:
        """Remove the files that the sandbox left."""
        if self.entries is not None:
            sandbox_files.remove(self.tree, self.entries)

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
    usual = os.path.realpath(_usual_place())
    closed = [each for each in read_only if each]
    for place in (usual, *map(os.path.realpath, ("/tmp", "/var/tmp"))):
        is_inside = any(is_below(place, each) for each in closed)
        fits = len(os.fsencode(place)) <= _MAX_PLACE and not is_inside
        if fits and os.access(place, os.W_OK):
            return place
    return "/tmp" if os.access("/tmp", os.W_OK) else usual


def _usual_place() -> str:
    """Return the usual temporary directory, as `tempfile` would, whose import takes longer."""
    named = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    places = (os.path.abspath(place) for place in (*named, "/tmp", "/var/tmp") if place)
    return next((place for place in places if _is_writable(place)), "/tmp")


def _is_writable(place: str) -> bool:
    return os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK)


def is_below(path: str, directory: str) -> bool:
    """Whether the path is the directory or inside it."""
    path, top = os.path.realpath(path), os.path.realpath(directory).rstrip("/")
    return path == top or path.startswith(top + "/")


def create(place: str) -> str:
    """Create the TMPDIR of a new reviewer."""
    remove_stale(place)
    parent = os.path.join(place, f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}")
    private_files.make_directory(parent)
    return parent


def prepare(parent: str) -> str:
    """Create the workspace in a reviewer's TMPDIR."""
    os.chmod(parent, 0o700)
    # in the sandbox, claude's own directory in TMPDIR is the only writable one
    workspace = os.path.join(parent, f"claude-{os.getuid()}")
    private_files.make_directory(workspace)
    return workspace


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
