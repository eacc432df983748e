"""Merge a provider's settings and environment from their layers, and fetch the secrets."""

import os
from collections.abc import Callable, Mapping

from msgspec import Struct

from ccc.claude.formats import environment, settings
from ccc.config.layer import Layer, Secret, Value, parse_layer
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.system import capture
from ccc.text import lenient_json, redaction


class Layers(Struct, frozen=True):
    """Merged Claude Code settings, and the environment with its secrets."""

    settings: Mapping[str, object]
    env: Mapping[str, str]
    plain: frozenset[str]  # the variables whose literal values are in a file
    overrides: frozenset[str] = frozenset()
    """The variables in the user's --settings, which override every other file."""

    def file_env(self, users: Mapping[str, object] | None) -> dict[str, str]:
        """Return the env, without secrets, for a file that overrides the user's settings."""
        if users is None:
            return environment.for_file(self.env, self.plain, self.overrides)
        theirs = lenient_json.mapping(users, "env")
        return {
            **environment.blanks(self.env, theirs),
            **environment.for_file(self.env, self.plain, {*theirs, *self.overrides}),
        }


def for_provider(config: Config, provider: str, environ: Mapping[str, str]) -> Layers:
    """Merge the provider's entry into the base template, and fetch its secrets."""
    return _merge([config.base, config.providers[provider]], lambda it: _fetch(it, environ))


def without_secrets(config: Config, provider: str) -> Layers:
    """Merge the same layers without fetching secrets. Each secret is `?`."""
    return _merge([config.base, config.providers[provider]], lambda _: "?")


def with_settings(usual: Layers, top: Layer, environ: Mapping[str, str]) -> Layers:
    """Merge the user's --settings into the layers, because claude accepts only one --settings."""
    own = _merge([top], lambda it: _fetch(it, environ))
    rest = {name: v for name, v in usual.env.items() if top.env.get(name, "") is not None}
    return Layers(
        settings.merge(usual.settings, own.settings),
        {**rest, **own.env},
        (usual.plain - set(own.env)) | own.plain,
        frozenset(own.env),
    )


def storable_settings(given: str | None, directory: str) -> str:
    """Return a --settings value to store for the reviewer; empty if it may contain a secret."""
    if not (text := (given or "").strip()):
        return ""
    if not text.startswith("{"):
        return os.path.join(directory, os.path.expanduser(text))
    layer = parse_layer(text, "--settings")
    has_secret = any(map(redaction.may_contain_secret, (layer.env, layer.settings)))
    return "" if has_secret else text


def key_variables(config: Config) -> set[str]:
    """Return the shell variables that hold the user's keys."""
    layers = (config.base, *config.providers.values())
    secrets = (v for layer in layers for v in layer.env.values() if isinstance(v, Secret))
    return {secret.variable for secret in secrets if secret.variable}


def _merge(layers: list[Layer], fetch: Callable[[Secret], str]) -> Layers:
    merged: dict[str, object] = {}
    values: dict[str, Value] = {}
    for layer in layers:
        merged = settings.merge(merged, layer.settings)
        values.update(layer.env)
    plain = frozenset(name for name, value in values.items() if isinstance(value, str))
    present = {name: value for name, value in values.items() if value is not None}
    env = {k: fetch(v) if isinstance(v, Secret) else v for k, v in present.items()}
    return Layers(merged, env, plain)


def _fetch(value: Secret, environ: Mapping[str, str]) -> str:
    """Return a secret. If it can't be fetched, the error names its key."""
    path = value.where
    if variable := value.variable:
        if text := environ.get(variable, ""):
            return text
        raise CccError("secret.variable_missing", path=path, variable=variable)
    text = capture.secret_from(value.command, environ, path)
    if not text or "\0" in text:
        program = (value.command[0].split() or ["?"])[0]
        raise CccError("secret.empty", path=path, program=program)
    return text
