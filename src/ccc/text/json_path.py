"""Read JSON of any shape. A value that is missing or has the wrong type reads as empty.

This module doesn't import json, which would make the hook take 1.4 times as long.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Options:
    """The options of the scanner that `json.loads` uses."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def scanner(options: type[Options]) -> "Callable[[str, int], tuple[Any, int]] | None":
    """Return a function that parses the JSON value at a position, or None if there is none.

    It raises any exception if the text isn't JSON.
    """
    try:
        from _json import make_scanner

        return make_scanner(options)  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError):
        return None  # another Python, with no scanner or one with different options


_scan = scanner(Options)


def parse_object(data: str | bytes) -> "dict[str, Any] | None":
    """Parse a JSON object leniently; None for anything else."""
    try:
        value = _parse((data.decode() if isinstance(data, bytes) else data).strip(" \t\r\n"))
    except Exception:  # without json.decoder, the scanner raises other exceptions
        return None
    return value if isinstance(value, dict) else None


def _parse(text: str) -> object:
    if _scan is None:
        import json

        return json.loads(text)
    value, end = _scan(text, 0)
    return value if end == len(text) else None


def mapping(raw: object, *path: str) -> "dict[str, Any]":
    """The object at the path."""
    value = _value(raw, path)
    return value if isinstance(value, dict) else {}


def text(raw: object, *path: str) -> str:
    """The string at the path."""
    value = _value(raw, path)
    return value if isinstance(value, str) else ""


def items(raw: object, *path: str) -> "list[Any]":
    """The list at the path."""
    value = _value(raw, path)
    return value if isinstance(value, list) else []


def mappings(raw: object, *path: str) -> "list[dict[str, Any]]":
    """The objects in the list at the path."""
    return [item for item in items(raw, *path) if isinstance(item, dict)]


def texts(raw: object, *path: str) -> list[str]:
    """The strings in the list at the path."""
    return [item for item in items(raw, *path) if isinstance(item, str)]


def _value(raw: object, path: tuple[str, ...]) -> object:
    for name in path:
        raw = raw.get(name) if isinstance(raw, dict) else None
    return raw
