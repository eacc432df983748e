"""What the settings of a project would change in supervision itself, kept out or told."""

import os

from ccc.domain import environment, settings
from ccc.errors import CccError
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FILES = ("settings.local.json", "settings.json")


def kept(project: str, child: "Mapping[str, str]", users: "Mapping[str, object]") -> dict[str, str]:
    """What a file of the project sets of supervision's, with the values that it must have.

    Measured: `env` of a project's settings reaches our hook, and `env` of --settings wins over it.
    """
    names = {name for _, env in _of_project(project) for name in env}
    own = users.get("env")
    given = {**child, **({k: str(v) for k, v in own.items()} if isinstance(own, dict) else {})}
    given[environment.BLOCK_CAP] = child.get(environment.BLOCK_CAP, "")
    return {name: given.get(name, "") for name in environment.GUARDED if name in names}


def trouble(project: str) -> "Iterator[CccError]":
    """What the person should know of it."""
    for file, env in _of_project(project):
        ours = [name for name in environment.GUARDED if name in env]
        if ours:
            yield CccError("warn.project_env", file=file, names=", ".join(ours))
        if loading := sorted(name for name in env if name.startswith(environment.LOADING)):
            yield CccError("warn.project_programs", file=file, names=", ".join(loading))


def _of_project(project: str) -> "Iterator[tuple[str, Mapping[str, object]]]":
    """The `env` of each settings file of the project's; claude passes over one that is broken."""
    for name in _FILES:
        path = os.path.join(project, ".claude", name)
        try:
            env = settings.read(files.read(path) or "").get("env")
        except (CccError, ValueError):
            continue
        if isinstance(env, dict):
            yield path, env
