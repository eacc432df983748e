"""The repository and the branch of a new task: found and checked before it is stored."""

import os
import re

from ccc.backlog.repository import storable_address
from ccc.backlog.task import is_url
from ccc.errors import CccError
from ccc.project import git
from ccc.storage.paths import display_path


def resolve(repo: str) -> str:
    """Return the top directory of the repository, by default of the current one, or its URL."""
    if is_url(repo):
        if re.match(r"[^/]+://[^/@]*:[^/@]*@", repo):
            raise CccError("queue.url_password")
        return repo
    path = os.path.abspath(os.path.expanduser(repo or os.curdir))
    shown = display_path(path)
    if not os.path.isdir(path):
        raise CccError("check.no_directory", hint="queue.no_repo", directory=shown)
    top = _ask(path, "rev-parse", "--path-format=absolute", "--show-toplevel")
    if not top and _ask(path, "rev-parse", "--is-bare-repository") == "true":
        top = _ask(path, "rev-parse", "--absolute-git-dir")
    if not top and (command := git.trust_command(path)):
        raise CccError("git.not_trusted", directory=shown, command=command)
    if not top:
        raise _no_git() or CccError("queue.no_repo", directory=shown)
    if not commit(top, "HEAD"):
        raise CccError("queue.no_commit", directory=shown)
    return top


def commit(repo: str, name: str) -> str:
    """Return the id of the commit with this name, or ""."""
    options = ("--verify", "--quiet", "--end-of-options")
    return _ask(repo, "rev-parse", *options, f"{name}^{{commit}}")


def check(repo: str, branch: str, base: str) -> None:
    """Raise if the branch can't have this name, or the commit to start from doesn't exist."""
    is_ref = branch and git.ask(os.sep, "check-ref-format", f"refs/heads/{branch}") is not None
    if branch and (branch[0] == "-" or branch == "HEAD" or not is_ref):
        raise _no_git() or CccError("queue.branch", branch=branch)
    if branch and not is_url(repo) and _ask(repo, "show-ref", f"refs/heads/{branch}"):
        raise CccError("queue.branch_exists", branch=branch)
    if base and not is_url(repo) and not commit(repo, base):
        shown = display_path(repo)
        raise CccError("queue.no_base", base=base, repo=shown)


def push_url(repo: str) -> str:
    """Return where a directory's origin is, as a task keeps it; raise if there is none."""
    if is_url(repo):
        return ""
    address = _ask(repo, "remote", "get-url", "--push", "origin")
    if not address:
        shown = display_path(repo)
        raise CccError("queue.no_origin", directory=shown)
    return storable_address(address, repo)


def _ask(directory: str, *arguments: str) -> str:
    return os.fsdecode(git.ask(directory, *arguments) or b"").removesuffix("\n")


def _no_git() -> CccError | None:
    """Return an error if git itself is missing."""
    if git.ask(os.sep, "--version") is None:
        return CccError("queue.no_git")
    return None
