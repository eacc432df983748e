"""What a doctor finds: a mark, what it is, and what to do about it."""

import os
import shlex
import shutil
import sys
from dataclasses import dataclass, field

from ccc.claude import settings_files
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage.ledger import read_ledger
from ccc.storage.paths import display_path, own_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.claude.settings_files import Source
    from ccc.config.schema import Config
    from ccc.storage.ledger import Ledger
    from ccc.storage.paths import Paths

OK, WARNING, PROBLEM = "ok", "warning", "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `name` is the same in every language."""

    name: str
    mark: str
    what: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What is examined: everything that was read once, as it was found."""

    environ: "Mapping[str, str]"
    paths: "Paths"
    project: str
    config: "Config | None"
    config_problem: CccError | None
    provider: str
    ourselves: str
    """The absolute path of ccc; empty where that can't be told."""
    settings: "list[Source]"
    ledger: "Ledger"
    alive: "set[int]" = field(default_factory=set)

    @property
    def users(self) -> "Source | None":
        """The user's settings.json, where it is there."""
        return next((source for source in self.settings if source.kind == "user"), None)

    def missing_program(self, command: str) -> str:
        """The program of a command line, where it is not there; else nothing."""
        try:
            program = shlex.split(os.path.expandvars(command))[0]
        except (ValueError, IndexError):
            return ""  # running it will tell
        program = os.path.expanduser(program)
        return "" if shutil.which(program, path=self.environ.get("PATH", "")) else program


def case_of(environ: "Mapping[str, str]", paths: "Paths", named: str, alive: "set[int]") -> Case:
    """Read everything; what can't be read is part of the case."""
    config, problem = ccc_json.try_load(paths)
    if problem and "file" in problem.params:
        problem.params["file"] = display_path(str(problem.params["file"]))
    if config and named and named not in config.providers:
        known = ", ".join(config.providers)
        raise CccError("provider.unknown", hint="provider.known", name=named, known=known)
    try:
        ourselves = own_program(sys.argv[0])
    except CccError:
        ourselves = ""
    project = os.getcwd()
    named = named or (ccc_json.binding(config, project)[0] if config else "")
    return Case(
        environ=environ,
        paths=paths,
        project=project,
        config=config,
        config_problem=problem,
        provider=config.choose(named) if config else "",
        ourselves=ourselves,
        settings=settings_files.of_claude(paths, project),
        ledger=read_ledger(paths.ledger),
        alive=alive,
    )
