"""How far settings of claude's let it write beyond the project, and run beyond its sandbox."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_EDITS = re.compile(r"(?:Edit|MultiEdit|NotebookEdit|Write)\((.+)\)", re.DOTALL)
_WILD = re.compile(r"/?[^/]*[*?\[{]")


def directories(settings: "Mapping[str, object]") -> list[str]:
    """The places outside of the project that the settings let claude write to.

    Measured: claude's sandbox lets a command write to what an `Edit` rule allows, too.
    """
    permissions, filesystem = _at(settings, "permissions"), _at(settings, "sandbox", "filesystem")
    rules = (_EDITS.fullmatch(rule.strip()) for rule in _texts(permissions, "allow"))
    patterns = [*_texts(filesystem, "allowWrite"), *(rule[1] for rule in rules if rule)]
    added = [*_texts(permissions, "additionalDirectories"), *map(_place, patterns)]
    return [path for path in added if path]


def leaves_sandbox(settings: "Mapping[str, object]") -> bool:
    """Whether the settings let some commands run outside of the sandbox."""
    return any(_texts(_at(settings, "sandbox"), "excludedCommands"))


def _place(pattern: str) -> str:
    """The directory or file that a pattern begins with; `//` begins an absolute one."""
    wild = _WILD.search(pattern)
    top = pattern[: wild.start()] if wild else pattern
    return f"/{top.lstrip('/')}" if pattern.startswith("//") else top


def _at(settings: "Mapping[str, object]", *path: str) -> "Mapping[str, object]":
    """The object at the path; an empty one where there is none."""
    for name in path:
        value = settings.get(name)
        settings = value if isinstance(value, dict) else {}
    return settings


def _texts(settings: "Mapping[str, object]", name: str) -> "Iterator[str]":
    """The texts of a list in the settings."""
    listed = settings.get(name)
    return (
        (each for each in listed if isinstance(each, str)) if isinstance(listed, list) else iter(())
    )
