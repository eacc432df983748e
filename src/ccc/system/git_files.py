"""Read git's own files: which repositories contain a directory. Starting git would take longer."""

import os
from collections.abc import Iterator

from ccc.system import private_files


def find_repositories(directory: str) -> list[tuple[str, str]]:
    """Return the top and the common git directory of each repository that contains the directory.

    The innermost comes first. All worktrees of a repository have the same common directory.
    """
    here = os.path.realpath(directory)
    if os.path.isfile(os.path.join(here, "HEAD")) and os.path.isdir(os.path.join(here, "objects")):
        return [(here, here)]  # without a checkout
    return [(top, _common(top)) for top in _tops(here)]


def _tops(directory: str) -> Iterator[str]:
    while True:
        if os.path.lexists(os.path.join(directory, ".git")):
            yield directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return
        directory = parent


def _common(top: str) -> str:
    """Return the git directory that a worktree shares, if the repository knows the worktree.

    Anyone who can write in a tree can let its `.git` name another repository.
    """
    git = os.path.join(top, ".git")
    try:
        own = os.path.join(top, _first_line(git).removeprefix("gitdir: "))
        back = os.path.join(own, _first_line(os.path.join(own, "gitdir")))
        common = os.path.join(own, _first_line(os.path.join(own, "commondir")))
    except OSError:
        return git
    return os.path.realpath(common) if os.path.realpath(back) == git else git


def _first_line(path: str) -> str:
    """Return the first line of one of git's files."""
    number = private_files.open_regular(path, may_be_link=True)
    with open(number, encoding="utf-8", errors="surrogateescape") as file:
        return file.readline().strip()
