"""Find a provider by name, with errors that suggest the one the user meant."""

from ccc.command_table import COMMANDS, INTERNAL
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import presets
from ccc.text import names, redaction

_INSTEAD = {
    "version": "ccc --version",
    "list": "ccc provider list",
    "resume": "ccc --resume, ccc run --continue",
    "continue": "ccc --continue, ccc run --continue",
    "supervisor": "ccc --supervisor, ccc run",
    "supervise": "ccc --supervisor, ccc run",
}
"""What people type for a feature with a different name in ccc."""


def require(name: str, config: Config | None) -> Config:
    """Return the configuration if it has a provider with this name, or raise an error."""
    if config is None:
        raise CccError("provider.none")
    if name not in config.providers:
        raise unknown_provider(name, config)
    return config


def unknown_provider(name: str, config: Config, hint: str = "") -> CccError:
    """Return the error for a provider that doesn't exist, with the closest match."""
    known = list(config.providers)
    if _is_preset(name):
        return CccError("provider.not_set_up", name=name)
    near = names.nearest(name, known)
    return CccError(
        "provider.unknown",
        hint=hint or ("provider.nearest" if near else "provider.known"),
        name=name,
        near=near,
        known=", ".join(known),
        current=config.choose(),
    )


def unknown_command(word: str, config: Config | None) -> CccError:
    """Return the error for a first word that is neither a command nor a provider."""
    if redaction.looks_like_a_key(word):
        return CccError("provider.key_argument", hint="provider.key_ways")
    if word in _INSTEAD:
        return CccError("command.instead", hint="help.all", word=word, instead=_INSTEAD[word])
    commands = [name for name in COMMANDS if name not in INTERNAL]
    known = list(config.providers) if config else []
    if config and _is_preset(word):
        return unknown_provider(word, config)
    if near := names.nearest(word, commands, 0.7):
        return CccError("command.unknown", hint="help.all", word=word, near=near)
    if config and names.nearest(word, known):
        return unknown_provider(word, config)
    return CccError(
        "command.neither",
        hint="command.lists",
        word=word,
        commands=", ".join(commands),
        known=", ".join(known) or "–",
    )


def _is_preset(name: str) -> bool:
    return name in presets.load()
