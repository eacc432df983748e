"""The settings of a launch or a review, merged: base template, provider, a --settings."""

import os
from dataclasses import dataclass

from ccc.claude.formats import environment, settings
from ccc.config import schema as configs
from ccc.providers import secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.schema import Config, Layer, Value


@dataclass(frozen=True, slots=True)
class Layers:
    """Claude Code's settings, the environment with its secrets, and which values were plain."""

    settings: "Mapping[str, object]"
    env: "Mapping[str, str]"
    plain: frozenset[str]
    insisted: frozenset[str] = frozenset()
    """Names that a --settings of the user's gives, which wins over every other file."""

    def file_env(self, users: "Mapping[str, object] | None") -> dict[str, str]:
        """The env of a settings file: without secrets, and stronger than the user's own.

        Without the user's own settings nothing of theirs is overruled.
        """
        if users is None:
            return environment.for_file(self.env, self.plain, self.insisted)
        env = users.get("env")
        theirs = env if isinstance(env, dict) else {}
        contested = {*theirs, *self.insisted}
        return {
            **environment.silenced(self.env, theirs),
            **environment.for_file(self.env, self.plain, contested),
        }


def of_provider(config: "Config", provider: str, environ: "Mapping[str, str]") -> Layers:
    """The base template with the provider on top."""
    return _merged([config.base, config.providers[provider]], environ)


def unfetched(config: "Config", provider: str) -> Layers:
    """The same without fetching a key: what the value of a secret is stays unknown."""
    merged = settings.merge(config.base.settings, config.providers[provider].settings)
    values = {**config.base.env, **config.providers[provider].env}
    plain = {name: value for name, value in values.items() if isinstance(value, str)}
    env = {name: plain.get(name, "?") for name, value in values.items() if value is not None}
    return Layers(merged, env, frozenset(plain))


def folded(usual: Layers, top: "Layer", environ: "Mapping[str, str]") -> Layers:
    """The same with a --settings of the user's on top: claude honours only one."""
    own = _merged([top], environ)
    kept = {name: v for name, v in usual.env.items() if top.env.get(name, "") is not None}
    return Layers(
        settings.merge(usual.settings, own.settings),
        {**kept, **own.env},
        (usual.plain - set(own.env)) | own.plain,
        frozenset(own.env),
    )


def keepable(given: str | None, directory: str) -> str:
    """A --settings as the state may keep it for the reviewer: not if it may hold a secret."""
    if not (text := (given or "").strip()):
        return ""
    if not text.startswith("{"):
        return os.path.join(directory, os.path.expanduser(text))
    layer = configs.parse_layer(text, "--settings")
    telling = environment.may_tell(layer.env) or environment.may_tell(layer.settings)
    return "" if telling else text


def _merged(layers: "list[Layer]", environ: "Mapping[str, str]") -> Layers:
    merged: dict[str, object] = {}
    values: dict[str, Value] = {}
    for layer in layers:
        merged = settings.merge(merged, layer.settings)
        values.update(layer.env)
    plain = frozenset(name for name, value in values.items() if isinstance(value, str))
    return Layers(merged, secrets.resolve(values, environ), plain)
