"""What would change supervision itself, from the project's side: kept out, or told."""

import os

from ccc.domain import environment, seal, settings
from ccc.errors import CccError
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ccc.domain.config import Config
    from ccc.storage.paths import Paths

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


def rivals(paths: "Paths", project: str, is_new: "Callable[[str], bool]") -> "Iterator[CccError]":
    """Stop hooks of the project's, told where they are new: their word may count more than ours.

    Measured: one that answers `{"continue": false}` ends the turn, whatever another sends back.
    """
    for file, found in _settings(project):
        hooks = [] if file == paths.settings else list(settings.other_stops(found))
        # not the hooks themselves: what stands in a command may be secret
        if hooks and is_new(f"stop hooks {file} {seal.checksum(repr(hooks).encode())}"):
            yield CccError("warn.project_stops", file=file)


def rules(paths: "Paths", config: "Config", project: str) -> str:
    """A text that changes with what supervision goes by: checks, limits, instructions."""
    said = [repr(config.supervisor), repr(config.project_checks)]
    for path in (os.path.join(project, "SUPERVISOR.md"), paths.prompt):
        try:
            said.append(files.read(path) or "")
        except CccError:
            said.append("?")
    return f"{seal.checksum(repr(said).encode()):x}"


def _of_project(project: str) -> "Iterator[tuple[str, Mapping[str, object]]]":
    """The `env` of each settings file of the project's."""
    for path, found in _settings(project):
        env = found.get("env")
        if isinstance(env, dict):
            yield path, env


def _settings(project: str) -> "Iterator[tuple[str, Mapping[str, object]]]":
    """The settings files of the project's; claude passes over one that is broken."""
    for name in _FILES:
        path = os.path.join(project, ".claude", name)
        try:
            yield path, settings.read(files.read(path) or "")
        except (CccError, ValueError):
            continue
