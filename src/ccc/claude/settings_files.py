"""The settings files that claude reads besides ccc's, strongest first.

Those of a project can change what ccc needs for supervision: variables, PATH and Stop hooks.
"""

import glob
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from ccc.claude import host
from ccc.claude.formats import environment, settings
from ccc.errors import CccError
from ccc.model.state import State
from ccc.storage import files
from ccc.storage.paths import Paths, display_path
from ccc.text import lenient_json
from ccc.text.names import checksum

MANAGED_DIRECTORIES = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "linux": "/etc/claude-code",
}


class SettingsFile(Struct, frozen=True):
    """A settings file: its kind, and its content or why it can't be read."""

    kind: str  # `managed`, `local`, `project`, `user` or `plugin`
    file: str
    settings: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""

    @property
    def env(self) -> dict[str, str | None]:
        """Return the variables that the file sets."""
        return {k: str(v) for k, v in lenient_json.mapping(self.settings, "env").items()}


def of_claude(paths: Paths, project: str) -> list[SettingsFile]:
    """Read the settings files that exist."""
    own = os.path.join(project, ".claude")
    places = [("managed", path) for path in _managed()]
    places += [("local", os.path.join(own, "settings.local.json"))]
    places += [("project", os.path.join(own, "settings.json")), ("user", paths.settings)]
    # in the home directory, the project's files are also the user's, and the last kind counts
    sources = {
        os.path.realpath(path): _read(kind, path) for kind, path in places if os.path.lexists(path)
    }
    return list(sources.values())


def restore_path(where: Paths, state: State) -> None:
    """Restore the user's PATH, which a project's settings may have changed.

    On Linux the hook already has the launch's PATH; elsewhere it is in the state. The user's own
    settings take precedence, as in claude.
    """
    pid = host.pid_in(os.environ)
    if not host.environ_of(pid) and state.path and host.is_same(pid, state.pid):
        os.environ["PATH"] = state.path
    for source in reversed(of_claude(where, os.getcwd())):
        if source.kind in ("user", "managed") and (path := source.env.get("PATH")):
            os.environ["PATH"] = path


def project_settings(where: Paths, project: str) -> list[SettingsFile]:
    """Read a project's settings files."""
    found = of_claude(where, project)
    return [each for each in found if each.kind in ("local", "project")]


def guarded_env(
    project: Sequence[SettingsFile], child: Mapping[str, str], users: Mapping[str, object]
) -> dict[str, str]:
    """Return the correct values of the supervision variables that the project sets.

    Measured: `env` in a project's settings reaches the hook, and `env` in --settings overrides it.
    """
    names = {name for each in project for name in each.env}
    given = {**child, **{k: str(v) for k, v in lenient_json.mapping(users, "env").items()}}
    given[environment.BLOCK_CAP] = child.get(environment.BLOCK_CAP, "")
    return {name: given.get(name, "") for name in environment.GUARDED if name in names}


def env_warnings(project: Sequence[SettingsFile]) -> Iterator[CccError]:
    """Yield warnings about `env` in a project's settings."""
    for each in project:
        if guarded := [name for name in environment.GUARDED if name in each.env]:
            yield CccError("warn.project_env", file=each.file, names=", ".join(guarded))
        if loading := sorted(name for name in each.env if name.startswith(environment.LOADING)):
            yield CccError("warn.project_programs", file=each.file, names=", ".join(loading))


def stop_hook_warnings(
    project: Sequence[SettingsFile], is_new: Callable[[str], bool]
) -> Iterator[CccError]:
    """Yield warnings about new Stop hooks in the project, which may overrule ccc's.

    Measured: a hook that answers `{"continue": false}` ends the turn, whatever others answer.
    """
    for each in project:
        hooks = list(settings.other_stop_hooks(each.settings))
        # a checksum, because the hooks' commands may contain secrets
        if hooks and is_new(f"stop hooks {each.file} {checksum(repr(hooks))}"):
            yield CccError("warn.project_stops", file=each.file)


def of_plugins(paths: Paths, enabled: Mapping[str, object]) -> Iterator[SettingsFile]:
    """Read the hooks of the enabled plugins."""
    file = os.path.join(paths.claude_dir, "plugins", "installed_plugins.json")
    index = lenient_json.parse_object(files.read_or_none(file) or "")
    for name, places in lenient_json.mapping(index, "plugins").items():
        for place in places if isinstance(places, list) else [places]:
            path = os.path.join(lenient_json.text(place, "installPath"), "hooks", "hooks.json")
            if enabled.get(name) is True and os.path.isabs(path) and os.path.isfile(path):
                yield _read("plugin", path)


def _managed() -> Iterator[str]:
    directory = MANAGED_DIRECTORIES.get(sys.platform, MANAGED_DIRECTORIES["linux"])
    pattern = os.path.join(glob.escape(directory), "managed-settings.d", "*.json")
    yield from sorted(glob.glob(pattern), reverse=True)
    yield os.path.join(directory, "managed-settings.json")


def _read(kind: str, path: str) -> SettingsFile:
    try:
        return SettingsFile(kind, path, settings.parse(path, files.read(path) or ""))
    except CccError as error:
        error.params["file"] = display_path(path)
        return SettingsFile(kind, path, problem=str(error))
