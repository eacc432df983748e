"""Read JSON of any shape. A value that is missing or has the wrong type reads as empty."""

import json
from typing import Any


def parse_object(data: str | bytes) -> dict[str, Any] | None:
    """Parse a JSON object leniently; None for anything else."""
    try:
        value = json.loads(data, strict=True)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def mapping(raw: object, *path: str) -> dict[str, Any]:
    """Return the object at the path."""
    value = _value(raw, path)
    return value if isinstance(value, dict) else {}


def text(raw: object, *path: str) -> str:
    """Return the string at the path."""
    value = _value(raw, path)
    return value if isinstance(value, str) else ""


def items(raw: object, *path: str) -> list[Any]:
    """Return the list at the path."""
    value = _value(raw, path)
    return value if isinstance(value, list) else []


def mappings(raw: object, *path: str) -> list[dict[str, Any]]:
    """Return the objects in the list at the path."""
    return [item for item in items(raw, *path) if isinstance(item, dict)]


def texts(raw: object, *path: str) -> list[str]:
    """Return the strings in the list at the path."""
    return [item for item in items(raw, *path) if isinstance(item, str)]


def _value(raw: object, path: tuple[str, ...]) -> object:
    for name in path:
        raw = raw.get(name) if isinstance(raw, dict) else None
    return raw
