"""Providers and presets by name, and what to say where there is none by that name."""

from ccc.cli import COMMANDS
from ccc.errors import CccError
from ccc.text import names, redaction

TYPE_CHECKING = False
HIDDEN = ("supervisor-hook", "statusline")
"""Commands that only claude runs."""

_INSTEAD = {
    "version": "ccc --version",
    "list": "ccc provider list",
    "resume": "ccc --resume, ccc run --continue",
    "continue": "ccc --continue, ccc run --continue",
    "supervisor": "ccc --supervisor, ccc run",
    "supervise": "ccc --supervisor, ccc run",
}
"""What people type for something that has another name here."""

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.schema import Config
    from ccc.providers.preset import Preset


def no_command(word: str, config: "Config | None") -> CccError:
    """The error for a first word that is nothing that ccc knows."""
    if redaction.looks_like_a_key(word):
        return CccError("provider.key_argument", hint="provider.key_ways")
    if word in _INSTEAD:
        return CccError("command.instead", hint="help.all", word=word, instead=_INSTEAD[word])
    commands = [name for name in COMMANDS if name not in HIDDEN]
    known = list(config.providers) if config else []
    if config and _is_preset(word):
        return unknown(word, config)
    if near := names.nearest(word, commands, 0.7):
        return CccError("command.unknown", hint="help.all", word=word, near=near)
    if config and names.nearest(word, known):
        return unknown(word, config)
    return CccError(
        "command.neither",
        hint="command.lists",
        word=word,
        commands=", ".join(commands),
        known=", ".join(known) or "–",
    )


def unknown(name: str, config: "Config", hint: str = "") -> CccError:
    """The error for a provider that is not there, with the one that was probably meant."""
    known = list(config.providers)
    if _is_preset(name):
        return CccError("provider.not_set_up", hint="provider.set_up", name=name)
    near = names.nearest(name, known)
    return CccError(
        "provider.unknown",
        hint=hint or ("provider.nearest" if near else "provider.known"),
        name=name,
        near=near,
        known=", ".join(known),
        current=config.choose(),
    )


def _is_preset(name: str) -> bool:
    from ccc.providers import presets

    return name in presets.load()


def none() -> CccError:
    """The error where there is no provider yet."""
    return CccError("provider.none", hint="provider.none_hint")


def provider(name: str, config: "Config | None") -> "Config":
    """The configuration, once it has a provider by that name."""
    if config is None:
        raise none()
    if name not in config.providers:
        raise unknown(name, config)
    return config


def preset(name: str, presets: "Mapping[str, Preset]") -> "Preset":
    """The preset by that name."""
    if name in presets:
        return presets[name]
    near = names.nearest(name, list(presets))
    hint = "provider.preset_near" if near else "provider.preset_list"
    raise CccError("provider.preset_unknown", hint=hint, name=name, near=near)
