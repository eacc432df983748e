"""Provider variables in settings files other than ccc's, which an old claude lets win."""

from ccc.claude.formats import environment, secret_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    Files = Iterable[tuple[str, Mapping[str, object]]]
    """Each settings file with its content."""


def conflicts(env: "Mapping[str, str]", files: "Files") -> dict[str, list[str]]:
    """Return the provider variables whose values differ from the provider's, by file."""
    found: dict[str, list[str]] = {}
    for file, content in files:
        own = content.get("env")
        for name, value in own.items() if isinstance(own, dict) else ():
            if environment.is_providers(name) and str(value) != env.get(name, ""):
                found.setdefault(file, []).append(name)
    return found


def neutralize(
    env: "Mapping[str, str]", plain: "Collection[str]", files: "Files"
) -> "tuple[dict[str, str], dict[str, list[str]]]":
    """Return the variables that override those of the files, and those that nothing can override.

    `env` is the provider's, and `plain` names its variables that aren't secret. The second value
    has the names by file: overriding those would put a secret into a settings file.
    """
    neutral: dict[str, str] = {}
    refused: dict[str, list[str]] = {}
    for file, names in conflicts(env, files).items():
        for name in names:
            if name not in env:
                neutral[name] = ""
            elif name in plain and _is_public(name, env[name]):
                neutral[name] = env[name]
            else:
                refused.setdefault(file, []).append(name)
    return neutral, refused


def _is_public(name: str, value: str) -> bool:
    """Whether the value may go into a file; unlike in other variables, an address may."""
    return not secret_variables.may_be_secret(name, value.replace("://", ":"))
