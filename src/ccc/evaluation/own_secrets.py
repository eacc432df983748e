"""The user's keys and paths, which must not become part of a case."""

import os
from collections.abc import Iterator, Sequence

from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.evaluation import recorded_work, scrub
from ccc.evaluation.scrub import Scrubber
from ccc.project import walk
from ccc.providers import layers
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.text import lenient_json, redaction

_MOST_FILES, _MOST_BYTES = 20_000, 256 * 1024
_SHORTEST = 6


def scrubber_for(where: Paths, projects: Sequence[str]) -> tuple[Scrubber, list[str]]:
    """Return what removes the user's keys, and the providers whose keys could not be read."""
    secrets = {*redaction.keys_of(os.environ), *_of_settings(where), *_of_project(projects[0])}
    unreadable = []
    config = ccc_json.read(where)
    for name in config.providers:
        try:
            env = layers.for_provider(config, name, os.environ).env
            secrets.update(redaction.keys_of(env, _SHORTEST))
        except CccError:
            unreadable.append(name)
    home = os.path.expanduser("~").rstrip("/")
    homes, user = (home, os.path.realpath(home)), os.path.basename(home)
    return Scrubber(secrets, projects, homes, user), unreadable


def _of_settings(where: Paths) -> tuple[str, ...]:
    """Return the keys in claude's own settings."""
    settings = lenient_json.parse_object(files.read_or_none(where.settings) or "")
    env = lenient_json.mapping(settings, "env")
    return redaction.keys_of({name: str(value) for name, value in env.items()})


def _of_project(directory: str) -> Iterator[str]:
    """Yield the values of the project's files such as `.env`, which are never copied."""
    for path in walk.files(directory, walk.SKIPPED, _MOST_FILES, []):
        if ".env" in os.path.basename(path) and recorded_work.may_hold_keys(path):
            values = scrub.assignments((files.read_or_none(path) or "")[:_MOST_BYTES])
            yield from redaction.keys_of(values, _SHORTEST)
            yield from filter(redaction.looks_like_a_key, values.values())
