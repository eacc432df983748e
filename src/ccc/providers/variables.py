"""A provider's variables for display, with secrets hidden and the source of each value."""

from msgspec import Struct

from ccc.claude.formats import environment
from ccc.config.layer import Secret
from ccc.config.schema import Config
from ccc.providers import models
from ccc.text import redaction
from ccc.text.redaction import HIDDEN


class Variable(Struct, frozen=True):
    """A variable for display. `kind` and `detail` name the source of its value."""

    name: str
    value: str
    kind: str  # `file`, `command` or `variable`, prefixed with `base.` if the base template sets it
    detail: str = ""


def merge(config: Config, provider: str) -> dict[str, str | Secret]:
    """Return the provider's variables on top of those of the base template."""
    merged = {**config.base.env, **config.providers[provider].env}
    return {name: value for name, value in merged.items() if value is not None}


def describe(config: Config, provider: str) -> list[Variable]:
    """Return all variables that claude gets for the provider, in the order of the file."""
    own = config.providers[provider].env
    merged = merge(config, provider).items()
    return [_variable(name, value, "" if name in own else "base.") for name, value in merged]


def values(config: Config, provider: str) -> dict[str, str]:
    """Return the values in the file, with a placeholder for each secret stored elsewhere."""
    merged = merge(config, provider).items()
    return {name: HIDDEN if isinstance(value, Secret) else value for name, value in merged}


def reviewer_model(config: Config, provider: str) -> str:
    """Return the configured model for reviews of sessions on this provider, or ""."""
    name = config.supervisor.provider or provider
    own = values(config, name) if name in config.providers else {}
    return config.supervisor.model or own.get(models.MODEL, "")


def key(config: Config, provider: str) -> Variable:
    """Return the source of the provider's key. `kind` can also be `login`, `cloud` or `none`."""
    env = values(config, provider)
    others = (name for name in env if name.endswith(("_API_KEY", "_TOKEN")))
    if name := next(filter(env.get, (*environment.CREDENTIALS, *others)), ""):
        return next(each for each in describe(config, provider) if each.name == name)
    if environment.uses_cloud(env):
        return Variable("", "", "cloud")
    return Variable("", "", "none" if env.get(models.BASE_URL) else "login")


def display_value(name: str, value: str) -> str:
    """Return the value, or a placeholder if it may be a secret."""
    if name.endswith("_URL"):
        return _without_user(value)
    return HIDDEN if redaction.may_be_secret(name, value) and value else value


def _variable(name: str, value: str | Secret, layer: str) -> Variable:
    if not isinstance(value, Secret):
        return Variable(name, display_value(name, value), f"{layer}file")
    if value.variable:
        return Variable(name, HIDDEN, f"{layer}variable", value.variable)
    # only the first word: the others may contain the key
    return Variable(name, HIDDEN, f"{layer}command", (value.command[0].split() or ["?"])[0])


def _without_user(url: str) -> str:
    """Return the URL without any user name, password and query."""
    scheme, mark, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    if "@" in place:
        place = HIDDEN + "@" + place.rpartition("@")[2]
    return f"{scheme}{mark}{place}{slash}{path}".partition("?")[0]
