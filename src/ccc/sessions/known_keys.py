"""What pages need of the user's settings: the keys, which no page shows, and the cost limit."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ccc.config import ccc_json
from ccc.config.layer import Secret
from ccc.sessions import record_file
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.text import lenient_json, redaction
from ccc.text.redaction import Redactor

_Fields = TypeVar("_Fields", bound=Struct)


class KnownKeys:
    """The keys in ccc.json, claude's settings and the environment; one that was there stays known.

    The output of a key command isn't among them: a page runs no command. Used by several threads.
    """

    def __init__(self, where: Paths) -> None:
        self._where = where
        self._files = (where.config, where.settings)
        self._read_at: tuple[int, ...] = ()
        self._keys = {*redaction.keys_of(os.environ)}
        self._redactor = Redactor(self._keys)
        self.limit_usd = 0.0
        """The cost limit in ccc.json; 0 for none."""

    def look(self) -> int:
        """Read the files again if they have changed; return how many keys are known."""
        changed_at = tuple(map(record_file.changed_at, self._files))
        if changed_at != self._read_at:
            self._keys = {*self._keys, *self._in_config(), *self._in_settings()}
            self._redactor = Redactor(self._keys)
            record_file.hide(self._redactor)
            self._read_at = changed_at
        return len(self._keys)

    def _in_config(self) -> Iterator[str]:
        config, _ = ccc_json.try_load(self._where)
        self.limit_usd = config.supervisor.max_cost_usd if config else 0.0
        for layer in (config.base, *config.providers.values()) if config else ():
            yield from redaction.keys_of(_texts(layer.env))
            named = (each.variable for each in layer.env.values() if isinstance(each, Secret))
            yield from filter(None, (os.environ.get(name, "") for name in named if name))

    def _in_settings(self) -> tuple[str, ...]:
        settings = lenient_json.parse_object(files.read_or_none(self._where.settings) or "")
        return redaction.keys_of(_texts(lenient_json.mapping(settings, "env")))

    def hide(self, text: str) -> str:
        """Return a text without keys."""
        return self._redactor.redact(text)

    def hide_in(self, value: _Fields) -> _Fields:
        """Return a value with fields, such as a task of the queue, without keys."""
        hidden = {name: self._hide_any(getattr(value, name)) for name in value.__struct_fields__}
        return replace(value, **hidden)

    def _hide_any(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self._hide_any, value))
        return self.hide(value) if isinstance(value, str) else value


def _texts(env: Mapping[str, object]) -> dict[str, str]:
    return {name: value for name, value in env.items() if isinstance(value, str)}
