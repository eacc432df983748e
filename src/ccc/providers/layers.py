"""A provider's settings and environment, merged from their layers, with the secrets fetched."""

import os
from dataclasses import dataclass

from ccc.claude.formats import environment, settings
from ccc.config.layer import Secret, parse_layer
from ccc.errors import CccError
from ccc.system import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.layer import Layer, Value
    from ccc.config.schema import Config


@dataclass(frozen=True, slots=True)
class Layers:
    """Claude Code's settings, and the environment with its secrets."""

    settings: "Mapping[str, object]"
    env: "Mapping[str, str]"
    plain: frozenset[str]
    """The variables whose values are in a file as they are."""
    overrides: frozenset[str] = frozenset()
    """The variables of the user's --settings, which wins over every other file."""

    def file_env(self, users: "Mapping[str, object] | None") -> dict[str, str]:
        """The env of a settings file, without secrets; it overrides the user's own settings."""
        if users is None:
            return environment.for_file(self.env, self.plain, self.overrides)
        env = users.get("env")
        theirs = env if isinstance(env, dict) else {}
        return {
            **environment.blanks(self.env, theirs),
            **environment.for_file(self.env, self.plain, {*theirs, *self.overrides}),
        }


def for_provider(config: "Config", provider: str, environ: "Mapping[str, str]") -> Layers:
    """The base template, overridden by the provider."""
    return _merge([config.base, config.providers[provider]], environ)


def without_secrets(config: "Config", provider: str) -> Layers:
    """The same with `?` for each secret, which isn't fetched."""
    merged = settings.merge(config.base.settings, config.providers[provider].settings)
    values = {**config.base.env, **config.providers[provider].env}
    plain = {name: value for name, value in values.items() if isinstance(value, str)}
    env = {name: plain.get(name, "?") for name, value in values.items() if value is not None}
    return Layers(merged, env, frozenset(plain))


def with_settings(usual: Layers, top: "Layer", environ: "Mapping[str, str]") -> Layers:
    """The layers, overridden by the user's --settings: claude accepts only one."""
    own = _merge([top], environ)
    rest = {name: v for name, v in usual.env.items() if top.env.get(name, "") is not None}
    return Layers(
        settings.merge(usual.settings, own.settings),
        {**rest, **own.env},
        (usual.plain - set(own.env)) | own.plain,
        frozenset(own.env),
    )


def storable_settings(given: str | None, directory: str) -> str:
    """A --settings as the state can store it for the reviewer; nothing if it may hold a secret."""
    if not (text := (given or "").strip()):
        return ""
    if not text.startswith("{"):
        return os.path.join(directory, os.path.expanduser(text))
    layer = parse_layer(text, "--settings")
    secret = environment.may_contain_secret(layer.env) or environment.may_contain_secret(
        layer.settings
    )
    return "" if secret else text


def key_variables(config: "Config") -> set[str]:
    """The variables of the user's shell that keys are taken from."""
    layers = (config.base, *config.providers.values())
    values = [value for layer in layers for value in layer.env.values()]
    return {value.variable for value in values if isinstance(value, Secret) and value.variable}


def _merge(layers: "list[Layer]", environ: "Mapping[str, str]") -> Layers:
    merged: dict[str, object] = {}
    values: dict[str, Value] = {}
    for layer in layers:
        merged = settings.merge(merged, layer.settings)
        values.update(layer.env)
    plain = frozenset(name for name, value in values.items() if isinstance(value, str))
    env = {name: _fetch(value, environ) for name, value in values.items() if value is not None}
    return Layers(merged, env, plain)


def _fetch(value: "str | Secret", environ: "Mapping[str, str]") -> str:
    """The text of a variable; a secret that can't be fetched is an error that names its key."""
    if not isinstance(value, Secret):
        return value
    path, variable = value.where, value.variable
    if variable:
        if text := environ.get(variable, ""):
            return text
        raise CccError(
            "secret.variable_missing", hint="secret.variable_hint", path=path, variable=variable
        )
    text = capture.secret_from(value.command, environ, path)
    if not text or "\0" in text:
        program = (value.command[0].split() or ["?"])[0]
        raise CccError("secret.empty", hint="secret.hint", path=path, program=program)
    return text
