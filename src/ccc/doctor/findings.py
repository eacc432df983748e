"""A finding of the doctor: its mark, what it is, and how to fix it."""

import functools
import os
import shlex
import shutil
from collections.abc import Mapping

from msgspec import Struct, field

from ccc import words
from ccc.claude import settings_files
from ccc.claude.settings_files import SettingsFile
from ccc.config import ccc_json, projects
from ccc.config.layer import Layer
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import selection
from ccc.storage.paths import Paths, display_path, own_program

OK, WARNING, PROBLEM = "ok", "warning", "problem"


class Finding(Struct, frozen=True):
    """One line of the report; `name` is the same in every language."""

    name: str
    mark: str
    what: str
    remedy: str = ""


def _find(mark: str, name: str, message: str, remedy: str = "", /, **params: object) -> Finding:
    """Create a finding. Without another remedy, a problem or a warning has that of its message."""
    action = words.advice(remedy, **params) if remedy else ""
    if not remedy and mark != OK:
        action = words.remedy(message, **params)
    return Finding(name, mark, words.say(message, **params), action)


ok, warn, bad = (functools.partial(_find, mark) for mark in (OK, WARNING, PROBLEM))


def from_error(name: str, mark: str, error: CccError) -> Finding:
    """Convert an error to a finding."""
    return Finding(name, mark, str(error), error.remedy)


class UserSetup(Struct, frozen=True):
    """What the doctor examines, read once."""

    environ: Mapping[str, str]
    paths: Paths
    project: str
    config: Config  # empty if there is none, or none that can be read
    has_config: bool
    config_problem: CccError | None
    provider: str
    ccc_path: str  # the absolute path of ccc; empty if it is unknown
    settings: list[SettingsFile]
    alive: set[int] = field(default_factory=set)

    @property
    def users(self) -> Mapping[str, object]:
        """The content of the user's settings.json."""
        return next((source.settings for source in self.settings if source.kind == "user"), {})

    @property
    def all_settings(self) -> list[SettingsFile]:
        """The settings files, then the settings in ccc.json."""
        layers = {"base": self.config.base, "provider": self.config.providers[self.provider]}
        own = [
            settings_files.SettingsFile(kind, self.paths.config, layer.settings)
            for kind, layer in layers.items()
        ]
        return [*self.settings, *own]

    def missing_program(self, command: str) -> str:
        """Return the program of a command line if it doesn't exist, else ""."""
        try:
            program = shlex.split(os.path.expandvars(command))[0]
        except (ValueError, IndexError):
            return ""  # running the command shows the error
        program = os.path.expanduser(program)
        return "" if shutil.which(program, path=self.environ.get("PATH", "")) else program


def read_setup(environ: Mapping[str, str], paths: Paths, named: str, alive: set[int]) -> UserSetup:
    """Read everything; a read error becomes part of the setup."""
    config, problem = ccc_json.try_load(paths)
    if problem and "file" in problem.params:
        problem.params["file"] = display_path(str(problem.params["file"]))
    if config and named:
        selection.require(named, config)
    try:
        ccc_path = own_program()
    except CccError:
        ccc_path = ""
    project = os.getcwd()
    named = named or (projects.binding(config, project)[0] if config else "")
    return UserSetup(
        environ=environ,
        paths=paths,
        project=project,
        config=config or Config(Layer(), {"": Layer()}),
        has_config=config is not None,
        config_problem=problem,
        provider=config.choose(named) if config else "",
        ccc_path=ccc_path,
        settings=settings_files.of_claude(paths, project),
        alive=alive,
    )
