"""Query git in an untrusted repository without running programs that it configures."""

import hashlib
import os
import pathlib
from collections.abc import Mapping, Sequence

from ccc.system import capture

SECONDS = 10.0
# settings that override those of every file: git starts no program that a repository names
_SAFE = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.pager": "cat",
    "core.splitIndex": "false",  # a copied index is complete
    "diff.external": "",
    "protocol.ext.allow": "never",
    "submodule.recurse": "false",
}
# the user's own variables; the others say which repository git uses
_KEPT = (
    *(f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")),
    *("GIT_ASKPASS", "GIT_CONFIG_", "GIT_SSH", "GIT_SSL_"),
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
_OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}


def environment(
    environ: Mapping[str, str], filters: Sequence[str] = (), *, is_online: bool = False
) -> dict[str, str]:
    """Return the environment in which git starts no program that a repository names.

    It also disables the filters, asks nobody, and finds no repository by variables. The user's own
    configuration counts.
    """
    env = {n: v for n, v in environ.items() if not n.startswith("GIT_") or n.startswith(_KEPT)}
    kinds = {"clean": "", "smudge": "", "process": "", "required": "false"}
    settings = {f"filter.{name}.{kind}": kinds[kind] for name in filters for kind in kinds} | _SAFE
    count = env.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdecimal() else 0
    for number, (key, value) in enumerate(settings.items(), first):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    env["GIT_CONFIG_COUNT"] = str(first + len(settings))
    return {**env, **_QUIET, **({} if is_online else _OFFLINE)}


def ask(
    directory: str,
    *arguments: str,
    filters: Sequence[str] = (),
    seconds: float = SECONDS,
    given: bytes = b"",
    most: int = 0,
) -> bytes | None:
    """Run git with the filters disabled and return its output, or None if it fails.

    With `most`, git ends as soon as it has written so many bytes.
    """
    command, env = ["git", *arguments], environment(_own_variables(), filters)
    if most:
        return capture.beginning_of(command, directory, env, timeout=seconds, most=most)
    return capture.output_of(command, directory, env, seconds, given=given, is_alone=True)


def trust_command(directory: str) -> str:
    """Return how to make git read a repository that belongs to another user; empty if it does."""
    line, env = ("git", "rev-parse", "--git-dir"), environment(_own_variables())
    return "".join(
        capture.run(line, directory, env, SECONDS)[1].partition("git config --global")[1:]
    )


def _own_variables() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}


def own_settings(directory: str, *options: str) -> list[str] | None:
    """Return name and value of the repository's own settings, a line for each; None if unknown."""
    listed = ask(directory, *options, "config", "-z", "--show-scope", "--list")
    parts = os.fsdecode(listed or b"").split("\0")
    pairs = zip(parts[::2], parts[1::2], strict=False)
    own = [each for scope, each in pairs if scope in ("local", "worktree")]
    return None if listed is None else own


def own_filters(directory: str) -> tuple[str, ...]:
    """Return the filters in the repository's own configuration; the user's (git-lfs) may run."""
    names = (each.partition("\n")[0] for each in own_settings(directory) or ())
    filters = (each for each in names if each.startswith("filter."))
    return tuple(sorted({each.removeprefix("filter.").rpartition(".")[0] for each in filters}))


def programs(git_dir: str, common: str) -> dict[str, str]:
    """Return a hash of each setting, hook and file of attributes: git runs what they name."""
    found: dict[str, str] = {}
    for setting in own_settings(common, f"--git-dir={git_dir}") or ():
        name = setting.partition("\n")[0]
        if not name.startswith("branch."):  # each task has one
            found[name] = found.get(name, "") + setting
    root = pathlib.Path(common)
    for file in (root / "info/attributes", *root.glob("hooks/*")):
        if file.is_file():
            name = str(file.relative_to(root))
            found[name] = file.read_text("utf-8", "surrogateescape")
    return {name: hashlib.sha256(os.fsencode(text)).hexdigest() for name, text in found.items()}


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


def read_head(directory: str) -> str:
    """Return the id of the checked-out commit, or ""."""
    return (ask(directory, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()
