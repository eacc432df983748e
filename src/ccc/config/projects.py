"""Which entries of `projects` apply in a directory, and where their checks run.

An entry belongs to the repository of its directory: it applies in each worktree, at the same place.
Git's own files tell which repositories contain a directory. Starting git would take longer.
"""

import os
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ccc.config.schema import Config
from ccc.system import private_files

_NONE: Mapping[str, object] = {}


def roots(
    config: Config,
    directory: str,
    repository: str = "",
    known: Mapping[str, object] = _NONE,
) -> dict[str, str]:
    """Return the entries that apply in a directory, outermost first, with their directories there.

    `repository` is the one for which the queue has made this tree, whatever its `.git` says.
    `known` applied when the session began: a change of git's files since then drops none of them.
    """
    expanded = {name: os.path.expanduser(name) for name in config.projects}
    # if the home directory is unknown, `~` would be a different directory for each project
    paths = {name: os.path.realpath(e) for name, e in expanded.items() if os.path.isabs(e)}
    if not paths:
        return {}
    here = os.path.realpath(directory)
    trees = _find_repositories(repository or here)
    if repository:
        trees = [(here, common) for _, common in trees[:1]]
    found = {}
    for name, path in paths.items():
        if root := str(known.get(name) or "") or _root(path, here, trees, [*paths.values()]):
            found[name] = root
    return dict(sorted(found.items(), key=lambda each: (len(each[1]), len(paths[each[0]]))))


def _root(path: str, here: str, trees: Sequence[tuple[str, str]], named: Sequence[str]) -> str:
    """Return where the project of `path` is in the tree around `here`, or "" if it isn't there."""
    top, common = next(iter(_find_repositories(path)), ("", ""))
    if _is_in(here, path):
        # a directory with several repositories, each of which is a project
        parts = [] if top else [each for each, _ in trees if _is_in(each, path)]
        return parts[-1] if parts else path
    for tree, shared in trees:
        if shared == common:
            root = os.path.normpath(os.path.join(tree, os.path.relpath(path, top)))
            # the worktree may have an entry of its own
            return root if _is_in(here, root) and root not in named else ""
        if not top and _is_in(os.path.dirname(shared), path):
            return tree
    return ""


def _is_in(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def apply(
    config: Config,
    directory: str,
    repository: str = "",
    known: Mapping[str, object] = _NONE,
) -> Config:
    """Return the configuration with the checks of the projects that apply in the directory."""
    found = roots(config, directory, repository, known)
    here = os.path.realpath(directory)
    own = {
        (check.command, root): replace(check, directory="" if root == here else root)
        for name, root in found.items()
        for check in config.projects[name].checks
    }
    named = {command for command, _ in own}
    everywhere = {c.command: c for c in config.supervisor.checks if c.command not in named}
    rules = replace(config.supervisor, checks=(*everywhere.values(), *own.values()))
    return replace(config, supervisor=rules, roots=found)


def binding(config: Config, directory: str = "") -> tuple[str, str]:
    """Return the provider of the nearest project that has one, and the path of its key.

    Without a directory, it is the one for which the configuration was applied.
    """
    for name in reversed([*(roots(config, directory) if directory else config.roots)]):
        if provider := config.projects[name].provider:
            return provider, f'projects."{name}".provider'
    return "", ""


def choice(config: Config, directory: str) -> str:
    """Return the provider that `ccc` without arguments uses in this directory."""
    return binding(config, directory)[0] or config.choose()


def key(config: Config | None, directory: str) -> str:
    """Return the key in `projects` for this directory, as written there, or else its path.

    A worktree may soon be gone, so the path is the one in the main checkout.
    """
    here = os.path.realpath(directory)
    known = roots(config, here) if config else {}
    if named := [name for name, root in known.items() if root == here]:
        return named[-1]
    for top, common in _find_repositories(here)[:1]:
        main, name = os.path.split(common)
        same = os.path.normpath(os.path.join(main, os.path.relpath(here, top)))
        return same if name == ".git" and os.path.isdir(same) else here
    return here


def _find_repositories(directory: str) -> list[tuple[str, str]]:
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
