"""The settings files that claude reads besides ccc's, strongest first."""

import glob
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ccc.claude.formats import settings
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import Paths, display_path
from ccc.text import lenient_json

MANAGED_DIRECTORIES = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "linux": "/etc/claude-code",
}


@dataclass(frozen=True, slots=True)
class SettingsFile:
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
