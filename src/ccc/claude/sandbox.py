"""Whether claude's sandbox can run here."""

import os
import shutil
import sys

from ccc.claude.formats.environment import with_absolute_path
from ccc.system import capture

NEEDS = ("bwrap", "socat")
# root alone needs no user namespace, but claude makes one anyway: where a container covers a part
# of /proc, /proc can't be mounted in it
NAMESPACES = ("--unshare-net", "--unshare-pid", "--unshare-user")
_LIKE_CLAUDES = (*NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc")
_SECONDS = 5.0


def runs(directory: str) -> bool:
    """Whether it can run in the directory; macOS has its own.

    A bwrap that may not make namespaces (in many containers) would make every Bash call of the
    reviewer fail, so ccc tries it.
    """
    if sys.platform == "darwin":
        return True
    if missing():
        return False
    command = [_which(NEEDS[0]) or "", *_LIKE_CLAUDES, "/bin/sh", "-c", ":"]
    return capture.output_of(command, directory, os.environ, _SECONDS) is not None


def missing() -> list[str]:
    """The programs that it needs and that are not installed."""
    return [program for program in NEEDS if not _which(program)]


def _which(program: str) -> str | None:
    return shutil.which(program, path=with_absolute_path(os.environ).get("PATH", os.defpath))
