"""The settings files that claude reads besides ours, the strongest in front."""

import glob
import os
import sys
from dataclasses import dataclass, field

from ccc.claude.formats import settings
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccc.storage.paths import Paths

_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "linux": "/etc/claude-code"}


@dataclass(frozen=True, slots=True)
class Source:
    """A settings file: whose it is, and what it says or why it can't be read."""

    kind: str
    """`managed`, `local`, `project`, `user` or `plugin`."""
    file: str
    settings: "Mapping[str, object]" = field(default_factory=dict)
    problem: str = ""

    @property
    def env(self) -> dict[str, str | None]:
        """Its variables."""
        env = self.settings.get("env")
        return {k: str(v) for k, v in env.items()} if isinstance(env, dict) else {}


def of_claude(paths: "Paths", project: str) -> list[Source]:
    """Those that are there, the strongest in front."""
    own = os.path.join(project, ".claude")
    places = [("managed", path) for path in _managed()]
    places += [("local", os.path.join(own, "settings.local.json"))]
    places += [("project", os.path.join(own, "settings.json")), ("user", paths.settings)]
    found: dict[str, Source] = {}
    for kind, path in places:
        if os.path.lexists(path):
            # started in the home, the project's files are the user's
            found[os.path.realpath(path)] = _read(kind, path)
    return list(found.values())


def of_plugins(paths: "Paths", enabled: "Mapping[str, object]") -> "Iterator[Source]":
    """The hooks of the installed plugins that are enabled."""
    index = _loaded(os.path.join(paths.claude_dir, "plugins", "installed_plugins.json"))
    plugins = index.get("plugins")
    for name, places in plugins.items() if isinstance(plugins, dict) else ():
        if enabled.get(name) is not True:
            continue
        for place in places if isinstance(places, list) else [places]:
            root = place.get("installPath") if isinstance(place, dict) else None
            path = os.path.join(root, "hooks", "hooks.json") if isinstance(root, str) else ""
            if os.path.isfile(path):
                yield _read("plugin", path)


def _managed() -> "Iterator[str]":
    directory = _MANAGED.get(sys.platform, _MANAGED["linux"])
    pattern = os.path.join(glob.escape(directory), "managed-settings.d", "*.json")
    yield from sorted(glob.glob(pattern), reverse=True)
    yield os.path.join(directory, "managed-settings.json")


def _read(kind: str, path: str) -> Source:
    file = display_path(path)
    try:
        return Source(kind, path, settings.parse(path, files.read(path) or ""))
    except CccError as error:
        error.params["file"] = file
        return Source(kind, path, problem=str(error))


def _loaded(path: str) -> "dict[str, object]":
    try:
        return jsontext.object_in(files.read(path) or "") or {}
    except CccError:
        return {}
