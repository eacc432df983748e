"""Where a reviewer works: a temporary directory, and a project that must stay as it is."""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ccc.project.tree import Tree
from ccc.system import private_files

_PREFIX = "ccc-review-"
# A socket's path has 107 bytes at most; claude's sandbox makes
# <this>/ccc-review-12345678/claude-http-0123456789abcdef.sock
_MAX_PLACE = 50


@dataclass(slots=True)
class Comparison:
    """The project before and after a review."""

    tree: Tree
    added: Sequence[str]
    """Directories beyond it that the agent may write to."""
    fingerprint: str = ""
    """Of the tree before the review."""
    surroundings: str = ""
    entries: frozenset[str] | None = None

    def begin(self) -> None:
        """Remember the project as it is."""
        self.fingerprint, self.entries = self.tree.fingerprint(), self.tree.sandbox_files()
        self.surroundings = self.tree.surroundings(self.added)

    def remove_leftovers(self) -> None:
        """Remove what the sandbox left."""
        if self.entries is not None:
            self.tree.remove_sandbox_files(self.entries)

    def differs(self) -> bool:
        """Whether the project has changed."""
        if not self.fingerprint:
            return False
        now = (self.tree.fingerprint(), self.tree.surroundings(self.added))
        return now != (self.fingerprint, self.surroundings)


def find_place(read_only: Iterable[str]) -> str:
    """Where workspaces are made: in the usual temporary directory, or in another one.

    The sandbox's sockets must fit into the name, and it must not be in a read-only directory.
    """
    usual = os.path.realpath(tempfile.gettempdir())
    closed = [each for each in read_only if each]
    for place in (usual, *map(os.path.realpath, ("/tmp", "/var/tmp"))):
        is_inside = any(is_below(place, each) for each in closed)
        fits = len(os.fsencode(place)) <= _MAX_PLACE and not is_inside
        if fits and os.access(place, os.W_OK):
            return place
    return "/tmp" if os.access("/tmp", os.W_OK) else usual


def is_below(path: str, directory: str) -> bool:
    """Whether the path is the directory, or in it."""
    path, top = os.path.realpath(path), os.path.realpath(directory).rstrip("/")
    return path == top or path.startswith(top + "/")


def create(place: str) -> str:
    """The TMPDIR of a new reviewer."""
    remove_stale(place)
    return tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place)


def prepare(parent: str) -> str:
    """The workspace in a reviewer's TMPDIR."""
    os.chmod(parent, 0o700)
    # in the sandbox claude's own directory below TMPDIR is the only one that can be written
    workspace = os.path.join(parent, f"claude-{os.getuid()}")
    private_files.make_directory(workspace)
    return workspace


def remove(parent: str) -> None:
    """Remove a reviewer's TMPDIR, with the directories in it that may not be read or written."""
    if os.path.islink(parent):
        return  # not made by ccc
    _make_accessible(parent)
    for directory, names, _ in os.walk(parent):
        for name in names:
            # before the walk enters it
            _make_accessible(os.path.join(directory, name))
    shutil.rmtree(parent, ignore_errors=True)


def _make_accessible(directory: str) -> None:
    with contextlib.suppress(OSError):  # somebody else's
        if not os.path.islink(directory):
            os.chmod(directory, 0o700)


def remove_stale(place: str) -> None:
    """Remove the workspaces of reviews that were killed before they could."""
    for name in os.listdir(place):
        pid = name.removeprefix(_PREFIX).partition("-")[0]
        if not name.startswith(_PREFIX) or not pid.isdigit() or os.path.exists(f"/proc/{pid}"):
            continue
        path = os.path.join(place, name)
        try:
            found = os.lstat(path)
            if found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode):
                continue  # anybody can create something with that name
            os.kill(int(pid), 0)
        except ProcessLookupError:
            remove(path)
        except (OSError, OverflowError):
            continue
