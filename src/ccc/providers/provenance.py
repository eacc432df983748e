"""What a provider sets, as it may be shown: secrets hidden, and where each value comes from."""

from dataclasses import dataclass

from ccc.claude.formats import environment
from ccc.config.schema import Secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.config.schema import Config, Value

HIDDEN = "••••••••"


@dataclass(frozen=True, slots=True)
class Shown:
    """A variable that may be shown; `kind` and `detail` say where its value comes from."""

    name: str
    value: str
    kind: str
    """`file`, `command` or `variable`; with `base.` in front where it is the base template's."""
    detail: str = ""


def variables(config: "Config", provider: str) -> list[Shown]:
    """All that claude is given for the provider, in the order of the file."""
    base, own = config.base.env, config.providers[provider].env
    merged: dict[str, Value] = {**base, **own}
    return [
        _shown(name, value, "" if name in own else "base.")
        for name, value in merged.items()
        if value is not None
    ]


def values(config: "Config", provider: str) -> "dict[str, str]":
    """The values that stand in the file as they are; of a secret kept elsewhere, a mark."""
    merged = {**config.base.env, **config.providers[provider].env}
    return {
        name: HIDDEN if isinstance(value, Secret) else value
        for name, value in merged.items()
        if value is not None
    }


def reviewer_model(config: "Config", provider: str) -> str:
    """The model that reviews a session on this provider, as far as the configuration says."""
    name = config.supervisor.provider or provider
    own = values(config, name) if name in config.providers else {}
    return config.supervisor.model or own.get("ANTHROPIC_MODEL", "")


def key(config: "Config", provider: str) -> Shown:
    """Where the provider's key comes from; kind is also `login`, `cloud` or `none`."""
    env = values(config, provider)
    named = (*environment.CREDENTIALS, *(n for n in env if n.endswith(("_API_KEY", "_TOKEN"))))
    found = {shown.name: shown for shown in variables(config, provider)}
    for name in named:
        if env.get(name):
            return found[name]
    if environment.on_a_cloud(env):
        return Shown("", "", "cloud")
    return Shown("", "", "none" if env.get("ANTHROPIC_BASE_URL") else "login")


def shown_value(name: str, value: str) -> str:
    """The value, or what stands for it where it may be a secret."""
    if name.endswith("_URL"):
        return _without_user(value)
    return HIDDEN if environment.is_telling(name, value) and value else value


def _shown(name: str, value: "str | Secret", layer: str) -> Shown:
    if not isinstance(value, Secret):
        return Shown(name, shown_value(name, value), f"{layer}file")
    if value.variable:
        return Shown(name, HIDDEN, f"{layer}variable", value.variable)
    # the first word alone: what stands behind it may be the key
    return Shown(name, HIDDEN, f"{layer}command", (value.command[0].split() or ["?"])[0])


def _without_user(url: str) -> str:
    """A URL without the name, password and query that may be in it."""
    scheme, mark, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    if "@" in place:
        place = HIDDEN + "@" + place.rpartition("@")[2]
    return f"{scheme}{mark}{place}{slash}{path}".partition("?")[0]
