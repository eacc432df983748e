"""Edit ccc.json as text, keeping every other byte."""

from collections.abc import Mapping

from ccc.text import jsontext, lenient_json


def with_provider(text: str, name: str, env: Mapping[str, object]) -> str:
    """Return the text with the provider set to only this environment."""
    return jsontext.replace(text, ("providers", name), {"env": dict(env)} if env else {})


def with_env(text: str, name: str, env: Mapping[str, object]) -> str:
    """Return the text with these variables of a provider set. None removes a variable."""
    for variable, value in env.items():
        path = ("providers", name, "env", variable)
        if value is not None:
            text = jsontext.replace(text, path, value)
        elif variable in env_of(text, name):
            text = jsontext.remove(text, path)
    return text


def without_provider(text: str, name: str) -> str:
    """Return the text without the provider and every setting that chooses it."""
    current = lenient_json.text(jsontext.parse(text), "current_provider")
    text = jsontext.remove(text, ("providers", name))
    if current == name:
        text = jsontext.remove(text, ("current_provider",))
    for directory, project in _projects(text).items():
        if project.get("provider") == name:
            text = with_binding(text, directory, "")
    return text


def with_binding(text: str, directory: str, name: str) -> str:
    """Return the text with the directory bound to a provider.

    Without a name, remove the binding, and the project if nothing else is set.
    """
    path = ("projects", directory)
    if name:
        return jsontext.replace(text, (*path, "provider"), name)
    if "provider" not in (project := _projects(text).get(directory, {})):
        return text
    text = jsontext.remove(text, path if len(project) == 1 else (*path, "provider"))
    return text if _projects(text) else jsontext.remove(text, ("projects",))


def _projects(text: str) -> dict[str, dict[str, object]]:
    projects = lenient_json.mapping(jsontext.parse(text), "projects")
    return {name: each for name, each in projects.items() if isinstance(each, dict)}


def env_of(text: str, name: str) -> dict[str, object]:
    """Return the variables of a provider in the text."""
    return lenient_json.mapping(jsontext.parse(text), "providers", name, "env")
