"""JSON, read without the json module: importing that takes longer than a status line may."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Form:
    """What the scanner behind `json.loads` wants to know."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def object_in(data: bytes) -> "dict[str, Any]":
    """The JSON object in the data; an empty one where there is none."""
    try:
        value = _scanned(data.decode().strip())
    except Exception:  # without json.decoder the scanner can't even say what is wrong
        return {}
    return value if isinstance(value, dict) else {}


def _scanned(text: str) -> object:
    try:
        from _json import make_scanner

        value, end = make_scanner(_Form)(text, 0)  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError):
        # another Python, whose scanner is not there or wants to know something else
        import json

        return json.loads(text)
    if end != len(text):
        raise ValueError(end)
    found: object = value
    return found
