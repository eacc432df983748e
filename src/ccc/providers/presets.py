"""The presets: providers that ccc knows, what to set for each, and the source of that."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import ccc
from ccc.errors import CccError
from ccc.providers import models
from ccc.storage import files
from ccc.text import jsontext, names

_FILE = os.path.join(os.path.dirname(ccc.__file__), "presets.json")
_WINDOWS = ("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_AUTO_COMPACT_WINDOW")
_UNRANKED = 1_000
_UNSAFE = re.compile(r"""[\s/?#@%\\"'`<>{}()\[\]^|]""")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider as its documentation says; the user gives what is `{…}` in a value of `env`."""

    name: str
    title: Mapping[str, str]
    env: Mapping[str, str]
    source: str
    date: str
    """The day on which the source was read."""
    credential: str = ""
    """The variable for the key; none for a login and for clouds."""
    dummy_key: str = ""
    """A key that is no secret: a local server accepts any."""
    key_page: str = ""
    """The page that issues keys, without https://."""
    rank: int = 0
    """Its place among the few that are listed first; 0 for the others."""
    note: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)


def load() -> dict[str, Preset]:
    """All presets, by name."""
    raw = jsontext.parse(files.read(_FILE) or "")
    assert isinstance(raw, dict)
    return parse(raw)


def parse(raw: Mapping[str, Any]) -> dict[str, Preset]:
    """The presets in the value of presets.json, by name."""
    return {each["name"]: _preset(each, raw["date"]) for each in raw["presets"]}


def _preset(raw: Mapping[str, Any], date: str) -> Preset:
    rest = {key: raw[key] for key in raw if key not in ("base_url", "models", "env")}
    env = {models.BASE_URL: raw["base_url"]} if "base_url" in raw else {}
    env |= models.variables(**raw["models"]) if "models" in raw else {}
    return Preset(env=env | raw.get("env", {}), date=date, **rest)


def require(name: str) -> Preset:
    """The preset with this name."""
    known = load()
    if name in known:
        return known[name]
    near = names.nearest(name, list(known))
    hint = "provider.preset_near" if near else "provider.preset_list"
    raise CccError("provider.preset_unknown", hint=hint, name=name, near=near)


def by_rank(presets: Mapping[str, Preset]) -> dict[str, Preset]:
    """The presets in the order in which they are offered."""
    return dict(sorted(presets.items(), key=lambda item: item[1].rank or _UNRANKED))


def search(presets: Mapping[str, Preset], text: str) -> list[str]:
    """The names of the presets with this text in the name or a title."""
    sought = text.strip().casefold()
    return [
        name
        for name, preset in presets.items()
        if sought in name or any(sought in title.casefold() for title in preset.title.values())
    ]


def name_for_url(presets: Mapping[str, Preset], url: str) -> str:
    """The name of the preset with this base URL, or nothing."""
    urls = {p.env.get(models.BASE_URL, "").rstrip("/"): name for name, p in presets.items()}
    return urls.get(url.rstrip("/"), "") if url else ""


def needs(env: Mapping[str, str]) -> list[str]:
    """The names of the values that the user has to give."""
    return list(
        dict.fromkeys(name for value in env.values() for name in _PLACEHOLDER.findall(value))
    )


def fill(env: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """The variables with the user's values in place of the placeholders."""
    return {
        name: _PLACEHOLDER.sub(lambda match: given[match[1]], value) if "{" in value else value
        for name, value in env.items()
    }


def accepts(need: str, value: str) -> bool:
    """Whether the user's value is safe in an address; a model can have nearly any name."""
    if need == "model":
        return models.is_name(value)
    return bool(value) and value.isprintable() and not _UNSAFE.search(value)


def obsolete_windows(preset: Preset | None, env: Mapping[str, object], model: str) -> list[str]:
    """The context windows of the preset's own model in `env`, which are wrong for another model.

    A value that differs from the preset is the user's own.
    """
    if preset is None or preset.env.get(models.MODEL) == model:
        return []
    return [name for name in _WINDOWS if name in env and env[name] == preset.env.get(name)]
