"""Presets: the providers that ccc knows, their variables, and the source of those."""

import os
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

import ccc
from ccc.errors import CccError
from ccc.providers import models
from ccc.storage import files
from ccc.text import jsontext, names

_FILE = os.path.join(os.path.dirname(ccc.__file__), "presets.json")
WINDOWS = ("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_AUTO_COMPACT_WINDOW")
_UNRANKED = 1_000
_UNSAFE = re.compile(r"""[\s/?#@%\\"'`<>{}()\[\]^|]""")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Preset(Struct, frozen=True):
    """A provider as documented. The user fills in each `{…}` in the values of `env`."""

    name: str
    title: Mapping[str, str]
    env: Mapping[str, str]
    source: str
    date: str  # the day the source was read
    credential: str = ""  # the variable for the key; empty for a login or a cloud
    dummy_key: str = ""  # A key that isn't secret, for a local server that accepts any key
    key_page: str = ""  # the page that issues keys, without https://
    rank: int = 0  # the position among the few presets that are listed first; 0 for the others
    note: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)


def load() -> dict[str, Preset]:
    """Read all presets, keyed by name."""
    raw = jsontext.parse(files.read(_FILE) or "")
    assert isinstance(raw, dict)
    return parse(raw)


def parse(raw: Mapping[str, Any]) -> dict[str, Preset]:
    """Parse the content of presets.json into presets, keyed by name."""
    table = {}
    for each in raw["presets"]:
        rest = {key: each[key] for key in each if key not in ("base_url", "models", "env")}
        env = {models.BASE_URL: each["base_url"]} if "base_url" in each else {}
        env |= models.variables(**each["models"]) if "models" in each else {}
        table[each["name"]] = Preset(env=env | each.get("env", {}), date=raw["date"], **rest)
    return table


def require(name: str) -> Preset:
    """Return the preset with this name, or raise an error that suggests another."""
    table = load()
    if name in table:
        return table[name]
    near = names.nearest(name, list(table))
    hint = "provider.preset_near" if near else "provider.preset_list"
    raise CccError("provider.preset_unknown", hint=hint, name=name, near=near)


def by_rank(presets: Mapping[str, Preset]) -> dict[str, Preset]:
    """Return the presets in the order they are offered in."""
    return dict(sorted(presets.items(), key=lambda item: item[1].rank or _UNRANKED))


def search(presets: Mapping[str, Preset], text: str) -> list[str]:
    """Return the names of the presets whose name or title contains the text."""
    sought = text.strip().casefold()
    return [
        name
        for name, preset in presets.items()
        if sought in name or any(sought in title.casefold() for title in preset.title.values())
    ]


def name_for_url(presets: Mapping[str, Preset], url: str) -> str:
    """Return the name of the preset with this base URL; empty if there is none."""
    urls = {p.env.get(models.BASE_URL, "").rstrip("/"): name for name, p in presets.items()}
    return urls.get(url.rstrip("/"), "") if url else ""


def needs(env: Mapping[str, str]) -> list[str]:
    """Return the names of the placeholders that the user has to fill in."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(" ".join(env.values()))))


def fill(env: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Replace the placeholders in the variables with the user's values."""
    return {k: _PLACEHOLDER.sub(lambda match: given[match[1]], v) for k, v in env.items()}


def accepts(need: str, value: str) -> bool:
    """Return whether the user's value is safe in a URL. A model can have nearly any name."""
    if need == "model":
        return models.is_name(value)
    return bool(value) and value.isprintable() and not _UNSAFE.search(value)
