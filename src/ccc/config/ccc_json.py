"""ccc.json, read from its place and changed there, and the reviewer's instructions."""

import os

from ccc.config import schema
from ccc.errors import CccError
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from ccc.storage.files import Lock
    from ccc.storage.paths import Paths

_NEW = "{}\n"


def load(paths: "Paths", reserved: "Collection[str]") -> schema.Config | None:
    """The configuration, or None where there is no file yet."""
    text = files.read(paths.config)
    return None if text is None else schema.parse(text, paths.config, reserved)


def tried(
    paths: "Paths", reserved: "Collection[str]"
) -> tuple[schema.Config | None, CccError | None]:
    """The same where one that can't be used is no reason to end: it, or what is wrong with it."""
    try:
        return load(paths, reserved), None
    except CccError as error:
        return None, error


def for_stops(paths: "Paths", reserved: "Collection[str]") -> schema.Config:
    """The configuration of a supervised stop, which needs neither a provider nor a file."""
    text = files.read(paths.config)
    return schema.parse(_text(text), paths.config, reserved, needs_provider=False)


def checks_of(found: schema.Config, directory: str) -> "Iterator[schema.Check]":
    """The checks for a project in the directory: those for all, then its own; each once."""
    own = (check for _, _, project in _around(found, directory) for check in project.checks)
    commands = set()
    for check in (*found.supervisor.checks, *own):
        if check.command not in commands:
            commands.add(check.command)
            yield check


def binding(found: schema.Config, directory: str) -> tuple[str, str]:
    """The provider of the nearest directory around this one that names one, and its key's path."""
    bound = [each for each in _around(found, directory) if each[2].provider]
    _, name, project = max(bound, default=("", "", schema.Project()), key=lambda each: len(each[0]))
    return project.provider, f'projects."{name}".provider' if name else ""


def choice(found: schema.Config, directory: str) -> str:
    """The provider that `ccc` alone takes in this directory."""
    return binding(found, directory)[0] or found.choose()


def project_key(found: schema.Config | None, directory: str) -> str:
    """The key of exactly this directory in `projects`: as it is there, else its path."""
    here = os.path.realpath(directory)
    around = _around(found, directory) if found else ()
    return next((name for root, name, _ in around if root == here), here)


def _around(found: schema.Config, directory: str) -> "Iterator[tuple[str, str, schema.Project]]":
    """The projects that the directory is in: where each is, its key, what holds there."""
    here = os.path.realpath(directory)
    for name, project in found.projects.items():
        named = os.path.expanduser(name)
        root = os.path.realpath(named)
        if not os.path.isabs(named):
            continue  # it would be another directory for each project
        if here == root or here.startswith(root.rstrip("/") + "/"):
            yield root, name, project


def instructions(paths: "Paths", directory: str) -> str:
    """SUPERVISOR.md: the project's own, else the user's; empty where there is none."""
    for path in (os.path.join(directory, "SUPERVISOR.md"), paths.prompt):
        text = files.read(path)
        if text is not None and text.strip():
            return text
    return ""


def begun(paths: "Paths", reserved: "Collection[str]") -> schema.Config | None:
    """The configuration, or None where it has no provider yet."""
    return checked(_text(files.read(paths.config)), paths, reserved)


def change(
    lock: "Lock", paths: "Paths", reserved: "Collection[str]", edit: "Callable[[str], str]"
) -> bool:
    """Edit the text of ccc.json; say whether it changed. A result that is not good is not written.

    A file that is not there yet, or empty, is begun.
    """

    def edited(before: str | None) -> str | None:
        text = _text(before)
        checked(text, paths, reserved)
        after = edit(text)
        checked(after, paths, reserved)
        return None if after == text else after

    changed = lock.update(paths.config, edited)
    if changed:
        # keys may stand in it now, whoever could read it before
        files.make_private(paths.config)
    return changed


def _text(text: str | None) -> str:
    return text if text and text.strip() else _NEW


def checked(text: str, paths: "Paths", reserved: "Collection[str]") -> schema.Config | None:
    """The configuration in a text that is or will be ccc.json; None where it has no provider."""
    try:
        return schema.parse(text, paths.config, reserved)
    except CccError as error:
        if error.message != "config.no_providers":
            raise
        return None
