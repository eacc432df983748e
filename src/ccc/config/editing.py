"""Changes of ccc.json as text, which keep every other byte."""

from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def with_provider(text: str, name: str, env: "Mapping[str, object]") -> str:
    """The text with a provider that has only this environment."""
    return jsontext.replace(text, ("providers", name), {"env": dict(env)} if env else {})


def with_env(text: str, name: str, env: "Mapping[str, object]") -> str:
    """The text with the variables of a provider set; None removes one."""
    for variable, value in env.items():
        path = ("providers", name, "env", variable)
        if value is not None:
            text = jsontext.replace(text, path, value)
        elif variable in env_of(text, name):
            text = jsontext.remove(text, path)
    return text


def without_provider(text: str, name: str) -> str:
    """The text without the provider, and without the choices of it."""
    raw = _top(text)
    text = jsontext.remove(text, ("providers", name))
    if raw.get("current_provider") == name:
        text = jsontext.remove(text, ("current_provider",))
    for directory in directories_of(text, name):
        text = without_binding(text, directory)
    return text


def without_binding(text: str, directory: str) -> str:
    """The text without the provider of a directory, and without a project that says nothing."""
    path = ("projects", directory)
    if "provider" not in (project := _projects(text).get(directory, {})):
        return text
    text = jsontext.remove(text, path if len(project) == 1 else (*path, "provider"))
    return text if _projects(text) else jsontext.remove(text, ("projects",))


def directories_of(text: str, name: str) -> list[str]:
    """The directories that have this provider."""
    return [each for each, said in _projects(text).items() if said.get("provider") == name]


def _projects(text: str) -> "dict[str, dict[str, object]]":
    found = _top(text).get("projects")
    projects = found if isinstance(found, dict) else {}
    return {name: said for name, said in projects.items() if isinstance(said, dict)}


def env_of(text: str, name: str) -> "dict[str, object]":
    """The variables of a provider as the text has them."""
    providers = _top(text).get("providers")
    provider = providers.get(name) if isinstance(providers, dict) else None
    env = provider.get("env") if isinstance(provider, dict) else None
    return env if isinstance(env, dict) else {}


def _top(text: str) -> "dict[str, object]":
    raw = jsontext.parse(text)
    return raw if isinstance(raw, dict) else {}
