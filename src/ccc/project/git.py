"""git, asked about a repository that may be anybody's: what its configuration names won't run."""

import os

from ccc.system import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 10.0
_GIT = (
    *("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat", "-c", "diff.external="),
)
# git would ask the submodule by itself, with the programs that the submodule's configuration names
DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty")
STATUS = ("status", "--ignore-submodules=dirty")
_QUIET = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
# a partial clone fetches what it lacks, with a program of the repository's own choice
_NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
_FILTER = ("clean", "smudge", "process")


def ask(
    directory: str, *arguments: str, filters: "Sequence[str]" = (), seconds: float = SECONDS
) -> bytes | None:
    """What git prints; None where it fails. The filters are those that must not run."""
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    return capture.output_of(
        [*_GIT, *arguments], directory, {**env, **_QUIET, **_NO_FETCH, **_without(filters)}, seconds
    )


def own_filters(directory: str) -> tuple[str, ...]:
    """The filters of the repository's own configuration; the user's (git-lfs) are none of them."""
    asked = ("config", "-z", "--show-scope", "--name-only", "--get-regexp", r"^filter\.")
    listed = os.fsdecode(ask(directory, *asked) or b"").split("\0")
    found = {
        name.removeprefix("filter.").rpartition(".")[0]
        for scope, name in zip(listed[::2], listed[1::2], strict=False)
        if scope in ("local", "worktree")
    }
    return tuple(sorted(found))


def submodules(top: str) -> list[str]:
    """The directories of the submodules that are there, below the top of the work tree."""
    file = os.path.join(top, ".gitmodules")
    if not os.path.isfile(file):
        return []
    asked = ("config", "-z", "-f", file, "--get-regexp", r"^submodule\..*\.path$")
    lines = os.fsdecode(ask(top, *asked) or b"").split("\0")
    root = os.path.join(os.path.realpath(top), "")
    found = (os.path.realpath(os.path.join(root, line.partition("\n")[2])) for line in lines)
    return sorted(
        {p for p in found if p.startswith(root) and os.path.lexists(os.path.join(p, ".git"))}
    )


def _without(filters: "Sequence[str]") -> dict[str, str]:
    """The variables that keep git from running the filters: a name may hold any character."""
    settings = [(f"filter.{name}.{kind}", "") for name in filters for kind in _FILTER]
    settings += [(f"filter.{name}.required", "false") for name in filters]
    env = {"GIT_CONFIG_COUNT": str(len(settings))} if settings else {}
    for number, (key, value) in enumerate(settings):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env
