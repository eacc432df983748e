"""Read and change ccc.json, and look up its settings for a directory."""

import os

from ccc import words
from ccc.command_table import COMMANDS
from ccc.config import schema
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ccc.config.schema import Check, Config, Project
    from ccc.storage.files import Lock

_NEW = "{}\n"


def load(where: "Paths") -> "Config | None":
    """Read the configuration; None if there is no file yet. A file needs at least one provider."""
    text = files.read(where.config)
    return None if text is None else schema.parse(text, where.config, COMMANDS)


def try_load(where: "Paths") -> "tuple[Config | None, CccError | None]":
    """Read the configuration, or return what is wrong with it."""
    try:
        return load(where), None
    except CccError as error:
        return None, error


def read(where: "Paths") -> "Config":
    """Read the configuration, which may lack a file or a provider."""
    return parse(where, files.read(where.config))


def find(where: "Paths") -> "Config | None":
    """Read the configuration; None if it has no provider yet."""
    config = read(where)
    return config if config.providers else None


def parse(where: "Paths", text: str | None) -> "Config":
    """Parse the current or future text of ccc.json."""
    return schema.parse(_begin(text), where.config, COMMANDS, needs_provider=False)


def _begin(text: str | None) -> str:
    return text if text and text.strip() else _NEW


def change(lock: "Lock", where: "Paths", edit: "Callable[[str], str]") -> bool:
    """Edit the text of ccc.json if the result is valid, and return whether it changed."""

    def rewrite(before: str | None) -> str | None:
        text = _begin(before)
        parse(where, text)
        after = edit(text)
        parse(where, after)
        return None if after == text else after

    changed = lock.update(where.config, rewrite)
    if changed:
        # it may contain keys now, so restrict it even if others could read it before
        files.make_private(where.config)
    return changed


def speak() -> "Paths":
    """Use the configured language unless the configuration is broken, and return ccc's paths."""
    where = Paths(os.environ)
    words.use(os.environ)
    config, _ = try_load(where)
    if config:
        words.use(os.environ, config.language)
    return where


def checks_of(config: "Config", directory: str) -> "list[Check]":
    """The distinct checks for a project in the directory: the global ones, then its own."""
    own = (check for _, _, project in _around(config, directory) for check in project.checks)
    checks: dict[str, Check] = {}
    for check in (*config.supervisor.checks, *own):
        checks.setdefault(check.command, check)
    return list(checks.values())


def binding(config: "Config", directory: str) -> tuple[str, str]:
    """The provider set for this directory or its nearest parent, and the path of its key."""
    bound = [each for each in _around(config, directory) if each[2].provider]
    _, name, project = max(bound, default=("", "", schema.Project()), key=lambda each: len(each[0]))
    return project.provider, f'projects."{name}".provider' if name else ""


def choice(config: "Config", directory: str) -> str:
    """The provider that `ccc` without arguments uses in this directory."""
    return binding(config, directory)[0] or config.choose()


def project_key(config: "Config | None", directory: str) -> str:
    """The key of exactly this directory in `projects`, as written there, or else its path."""
    here = os.path.realpath(directory)
    around = _around(config, directory) if config else ()
    return next((name for root, name, _ in around if root == here), here)


def _around(config: "Config", directory: str) -> "Iterator[tuple[str, str, Project]]":
    """Yield the path, key and settings of each project that contains the directory."""
    here = os.path.realpath(directory)
    for name, project in config.projects.items():
        expanded = os.path.expanduser(name)
        root = os.path.realpath(expanded)
        # if the home directory is unknown, `~` would be a different directory for each project
        is_around = here == root or here.startswith(root.rstrip("/") + "/")
        if is_around and os.path.isabs(expanded):
            yield root, name, project


def instructions(where: "Paths", directory: str) -> str:
    """Read SUPERVISOR.md from the project, or else the user's; empty if there is none."""
    for path in (os.path.join(directory, "SUPERVISOR.md"), where.prompt):
        text = files.read(path)
        if text is not None and text.strip():
            return text
    return ""
