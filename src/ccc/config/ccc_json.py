"""Read and change ccc.json."""

import os
from collections.abc import Callable

from ccc import words
from ccc.config import schema
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.files import Lock
from ccc.storage.paths import Paths

_NEW = "{}\n"


def load(where: Paths) -> Config | None:
    """Read the configuration; None if there is no file yet. A file needs at least one provider."""
    text = files.read(where.config)
    if text is None:
        return None
    if not (config := schema.parse(text, where.config)).providers:
        raise CccError("config.no_providers", hint="config.set_up", file=where.config)
    return config


def try_load(where: Paths) -> tuple[Config | None, CccError | None]:
    """Read the configuration, or return what is wrong with it."""
    try:
        return load(where), None
    except CccError as error:
        return None, error


def read(where: Paths) -> Config:
    """Read the configuration, which may lack a file or a provider."""
    return parse(where, files.read(where.config))


def find(where: Paths) -> Config | None:
    """Read the configuration; None if it has no provider yet."""
    config = read(where)
    return config if config.providers else None


def parse(where: Paths, text: str | None) -> Config:
    """Parse the current or future text of ccc.json."""
    return schema.parse(_begin(text), where.config)


def _begin(text: str | None) -> str:
    return text if text and text.strip() else _NEW


def change(lock: Lock, where: Paths, edit: Callable[[str], str]) -> bool:
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


def set_language() -> Paths:
    """Set the configured language unless the configuration is broken; return ccc's paths."""
    where = Paths(os.environ)
    words.use(os.environ)
    config, _ = try_load(where)
    if config:
        words.use(os.environ, config.language)
    return where


def instructions(where: Paths, directory: str) -> str:
    """Read SUPERVISOR.md from the project, or else the user's; empty if there is none."""
    for path in (os.path.join(directory, "SUPERVISOR.md"), where.prompt):
        text = files.read(path)
        if text is not None and text.strip():
            return text
    return ""
