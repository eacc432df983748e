"""Query git in an untrusted repository without running programs that it configures."""

import os

from ccc.system import git_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 10.0
_GIT = (
    *("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat", "-c", "diff.external="),
)
# otherwise git would inspect submodules and run the programs that they configure
DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty")
STATUS = ("status", "--ignore-submodules=dirty")
# a plugin's Stop hook rewrites this file while ccc judges the same stop; it isn't work
PLUGIN_STATE = "ralph-loop.local.md"
NO_PLUGIN_STATE = f":(exclude,glob,top)**/.claude/{PLUGIN_STATE}*"
TASK_MARK = "ccc-prepared"
"""The file in the git directory of a worktree that belongs to a task of the queue."""
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
# git writes these even for read-only commands
VOLATILE = {"index", "index.lock", "FETCH_HEAD"}
# the empty files that claude's sandbox leaves at its mount points, parents first
LEFT_BY_SANDBOX = (
    *("branches", "config.worktree", "glab-cli", "info/.claude-sandbox-noreplace"),
    *("objects/info/.claude-sandbox-noreplace", "objects/info/alternates"),
    *("objects/info/commit-graphs", "objects/info/commit-graphs/.claude-sandbox-noreplace"),
    *("remotes", "worktrees"),
)
_QUIET = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
# a partial clone fetches missing objects with a program that the repository chooses
_NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}


def ask(
    directory: str,
    *arguments: str,
    filters: "Sequence[str]" = (),
    seconds: float = SECONDS,
    given: bytes = b"",
    most: int = 0,
) -> bytes | None:
    """Run git with the filters disabled and return its output, or None if it fails.

    With `most`, git ends as soon as it has written so many bytes.
    """
    from ccc.system import capture  # imported here because a launch only needs `read_head`

    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    env |= {**_QUIET, **_NO_FETCH, **disable(filters)}
    command = [*_GIT, *arguments]
    if most:
        return capture.beginning_of(command, directory, env, timeout=seconds, most=most)
    return capture.output_of(command, directory, env, seconds, given=given)


def own_filters(directory: str) -> tuple[str, ...]:
    """Return the filters in the repository's own configuration; the user's (git-lfs) may run."""
    command = ("config", "-z", "--show-scope", "--name-only", "--get-regexp", r"^filter\.")
    listed = os.fsdecode(ask(directory, *command) or b"").split("\0")
    filters = {
        name.removeprefix("filter.").rpartition(".")[0]
        for scope, name in zip(listed[::2], listed[1::2], strict=False)
        if scope in ("local", "worktree")
    }
    return tuple(sorted(filters))


def submodules(top: str) -> list[str]:
    """Return the directories of the checked-out submodules."""
    file = os.path.join(top, ".gitmodules")
    if not os.path.isfile(file):
        return []
    command = ("config", "-z", "-f", file, "--get-regexp", r"^submodule\..*\.path$")
    lines = os.fsdecode(ask(top, *command) or b"").split("\0")
    root = os.path.join(os.path.realpath(top), "")
    paths = (os.path.realpath(os.path.join(root, line.partition("\n")[2])) for line in lines)
    return sorted(
        {p for p in paths if p.startswith(root) and os.path.lexists(os.path.join(p, ".git"))}
    )


def disable(filters: "Sequence[str]") -> dict[str, str]:
    """Return variables that disable the filters, whatever characters their names contain."""
    kinds = {"clean": "", "smudge": "", "process": "", "required": "false"}
    settings = [(f"filter.{name}.{kind}", kinds[kind]) for name in filters for kind in kinds]
    env = {"GIT_CONFIG_COUNT": str(len(settings))} if settings else {}
    for number, (key, value) in enumerate(settings):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env


def read_head(directory: str) -> str:
    """Return the id of the checked-out commit, or "".

    Reads git's files, because starting git would slow down a launch.
    """
    try:
        git = git_files.find_git_directory(directory)
        if not git:
            return ""
        head = git_files.first_line(os.path.join(git, "HEAD"))
        if head.startswith("ref: "):
            head = _commit(git, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return ""
    # accept nothing but an id, because it becomes an argument to git
    return head if all(c in "0123456789abcdef" for c in head) else ""


def _commit(git: str, ref: str) -> str:
    shared = os.path.join(git, "commondir")
    common = [os.path.join(git, git_files.first_line(shared))] if os.path.exists(shared) else []
    for directory in (git, *common):
        if os.path.exists(os.path.join(directory, ref)):
            return git_files.first_line(os.path.join(directory, ref))
        packed = os.path.join(directory, "packed-refs")
        if os.path.exists(packed):
            with open(packed, encoding="utf-8") as lines:
                for line in lines:
                    if line.rstrip("\n").endswith(f" {ref}"):
                        return line.split()[0]
    return ""
