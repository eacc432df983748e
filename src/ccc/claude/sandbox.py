"""Find out whether claude's sandbox can run here."""

import os
import shutil
import sys

from ccc.claude.formats.environment import with_absolute_path
from ccc.system import capture

NEEDS = ("bwrap", "socat")
# root doesn't need a user namespace, but claude creates one anyway, and /proc can't be mounted in
# it if a container masks parts of /proc
NAMESPACES = ("--unshare-net", "--unshare-pid", "--unshare-user")
_LIKE_CLAUDES = (*NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc")
_SECONDS = 5.0


def runs(directory: str) -> bool:
    """Return whether the sandbox can run in the directory. macOS has a built-in one.

    In many containers bwrap may not create namespaces, and then every Bash call of the reviewer
    would fail. So ccc tries it.
    """
    if sys.platform == "darwin":
        return True
    if missing():
        return False
    command = [_which(NEEDS[0]) or "", *_LIKE_CLAUDES, "/bin/sh", "-c", ":"]
    return capture.output_of(command, directory, os.environ, _SECONDS) is not None


def missing() -> list[str]:
    """Return the required programs that are not installed."""
    return [program for program in NEEDS if not _which(program)]


def _which(program: str) -> str | None:
    # a relative entry would let the project choose the program
    return shutil.which(program, path=with_absolute_path(os.environ).get("PATH", os.defpath))
