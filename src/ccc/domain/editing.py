"""Changes of ccc.json as text: what is asked for, and every other byte as it was."""

from ccc.domain import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def with_value(text: str, key: str, value: object) -> str:
    """The text with one of the keys at the top set."""
    return jsontext.replace(text, (key,), value)


def with_provider(text: str, name: str, env: "Mapping[str, object]") -> str:
    """The text with the provider in it, which has nothing but this environment."""
    return jsontext.replace(text, ("providers", name), {"env": dict(env)} if env else {})


def with_env(text: str, name: str, env: "Mapping[str, object]") -> str:
    """The text with the variables of a provider set; None takes one out."""
    for variable, value in env.items():
        path = ("providers", name, "env", variable)
        if value is not None:
            text = jsontext.replace(text, path, value)
        elif variable in env_of(text, name):
            text = jsontext.remove(text, path)
    return text


def without_provider(text: str, name: str) -> str:
    """The text without the provider, and without the choice of it."""
    raw = _top(text)
    text = jsontext.remove(text, ("providers", name))
    if raw.get("current_provider") == name:
        text = jsontext.remove(text, ("current_provider",))
    return text


def env_of(text: str, name: str) -> "dict[str, object]":
    """The variables of a provider as the text has them."""
    providers = _top(text).get("providers")
    provider = providers.get(name) if isinstance(providers, dict) else None
    env = provider.get("env") if isinstance(provider, dict) else None
    return env if isinstance(env, dict) else {}


def _top(text: str) -> "dict[str, object]":
    raw = jsontext.parse(text)
    return raw if isinstance(raw, dict) else {}
