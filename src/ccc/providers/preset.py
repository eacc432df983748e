"""Providers that are known beforehand: what to set for each, and where that was read."""

import re
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MODEL = "ANTHROPIC_MODEL"
SUBAGENT = "CLAUDE_CODE_SUBAGENT_MODEL"
TIERS = {
    "haiku": "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "sonnet": "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "opus": "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "fable": "ANTHROPIC_DEFAULT_FABLE_MODEL",
}
BASE_URL = "ANTHROPIC_BASE_URL"
WINDOWS = ("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_AUTO_COMPACT_WINDOW")
"""What a preset says of the context window of its model."""
_LAST = 1_000
_ODD = re.compile(r"""[\s/?#@%\\"'`<>{}()\[\]^|]""")
_OWN = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider as its documents say; `{…}` in a value of `env` is something of the user's."""

    name: str
    title: "Mapping[str, str]"
    env: "Mapping[str, str]"
    source: str
    read: str
    credential: str = ""
    """The variable that the key goes into; none where a login or a cloud's own chain is used."""
    key: str = ""
    """A key that is no secret: a local server takes any."""
    keys: str = ""
    """The page where a key is made, without https://."""
    wanted: int = 0
    """Its place among the few that are shown first; 0 for the others."""
    note: "Mapping[str, str]" = field(default_factory=dict)
    defaults: "Mapping[str, str]" = field(default_factory=dict)


def parse(raw: "Mapping[str, Any]") -> dict[str, Preset]:
    """The presets in the value of presets.json, by name."""
    return {one["name"]: _preset(one, raw["read"]) for one in raw["presets"]}


def _preset(raw: "Mapping[str, Any]", read: str) -> Preset:
    env: dict[str, str] = {}
    if url := raw.get("base_url"):
        env[BASE_URL] = url
    if models := raw.get("models"):
        env |= of_models(**models)
    return Preset(
        name=raw["name"],
        title=raw["title"],
        env={**env, **raw.get("env", {})},
        source=raw["source"],
        read=read,
        credential=raw.get("credential", ""),
        key=raw.get("key", ""),
        keys=raw.get("keys", ""),
        wanted=raw.get("wanted", 0),
        note=raw.get("note", {}),
        defaults=raw.get("defaults", {}),
    )


def wanted_first(presets: "Mapping[str, Preset]") -> dict[str, Preset]:
    """The presets in the order in which they are offered."""
    return dict(sorted(presets.items(), key=lambda item: item[1].wanted or _LAST))


def of_models(main: str, subagent: str = "", **tiers: str) -> dict[str, str]:
    """The variables of the models: a tier that is left out would be asked for by claude's name."""
    env = {MODEL: main, **{variable: tiers.get(tier, main) for tier, variable in TIERS.items()}}
    return {**env, SUBAGENT: subagent} if subagent else env


def needs(env: "Mapping[str, str]") -> list[str]:
    """What of the user's own the values ask for, in their order."""
    return list(dict.fromkeys(name for value in env.values() for name in _OWN.findall(value)))


def filled(env: "Mapping[str, str]", own: "Mapping[str, str]") -> dict[str, str]:
    """The values with what is the user's own put in."""
    return {
        name: _OWN.sub(lambda found: own[found[1]], value) if "{" in value else value
        for name, value in env.items()
    }


def windows_of_another(
    preset: "Preset | None", env: "Mapping[str, object]", model: str
) -> list[str]:
    """The variables in `env` that say how large the context of the preset's own model is.

    For another model they are wrong. What differs from the preset is the user's own.
    """
    if preset is None or preset.env.get(MODEL) == model:
        return []
    return [name for name in WINDOWS if name in env and env[name] == preset.env.get(name)]


def is_model(value: str) -> bool:
    """Whether a model can be called so: nothing that can't be seen."""
    return bool(value) and " " not in value and value.isprintable()


def is_own(need: str, value: str) -> bool:
    """Whether the user's own value can stand in an address, and changes no more of it."""
    if need == "model":
        return is_model(value)
    return bool(value) and value.isprintable() and not _ODD.search(value)


def matching(presets: "Mapping[str, Preset]", typed: str) -> list[str]:
    """The names of the presets that what was typed may mean."""
    sought = typed.strip().casefold()
    return [
        name
        for name, preset in presets.items()
        if sought in name or any(sought in title.casefold() for title in preset.title.values())
    ]


def of_url(presets: "Mapping[str, Preset]", url: str) -> str:
    """The name of the preset with this base URL, or nothing."""
    sought = url.rstrip("/")
    for name, preset in presets.items():
        if sought and preset.env.get(BASE_URL, "").rstrip("/") == sought:
            return name
    return ""
