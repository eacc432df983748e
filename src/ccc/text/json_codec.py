"""Parse and write JSON without the json module, whose import takes a fifth of a launch."""

from ccc.text import json_path

try:
    from _json import encode_basestring as _quote
except ImportError:  # another Python
    from json.encoder import encode_basestring as _quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LARGEST = 1.7976931348623157e308
_CONSTANTS = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


class Decimal(float):
    """A number with a fraction or exponent that keeps its original text."""

    text = ""

    @classmethod
    def parse(cls, text: str) -> "Decimal":
        """Parse the number. 1e999 becomes the largest float, since JSON has no infinity."""
        number = cls(max(-_LARGEST, min(_LARGEST, float(text))))
        number.text = text
        return number


def _refuse_constant(name: str) -> object:
    raise ValueError(name)


class _Options(json_path.Options):
    parse_float = Decimal.parse  # type: ignore[assignment]
    # by default Python accepts NaN and Infinity, which no other JSON parser does
    parse_constant = _refuse_constant  # type: ignore[assignment]


_scan = json_path.scanner(_Options)


def decode(text: str, start: int) -> "tuple[Any, int]":
    """Return the value at the position, and its end; raise ValueError if there is none.

    The json module is imported only to describe an error.
    """
    try:
        if _scan is not None:
            return _scan(text, start)
    except Exception:  # without json.decoder, the scanner raises other exceptions
        pass
    import json

    decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=Decimal.parse)
    return decoder.raw_decode(text, start)


def dumps(value: object, indent: str | None = None) -> str:
    """Format the value. A lone surrogate stays escaped, since UTF-8 can't encode it."""
    text = _write(value, indent, "\n")
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(c if c < "\ud800" or c > "\udfff" else f"\\u{ord(c):04x}" for c in text)
    return text


def _write(value: object, indent: str | None, newline: str) -> str:
    """Format the value as `json.dumps` does. `newline` includes the indentation."""
    if isinstance(value, str):
        return _quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        number = float.__repr__(value)
        return _CONSTANTS.get(number, number)
    inner = newline + (indent or "")
    if isinstance(value, dict):
        pairs = (f"{_quote(key)}: {_write(item, indent, inner)}" for key, item in value.items())
        return _enclose("{}", list(pairs), indent, newline)
    if isinstance(value, list | tuple):
        return _enclose("[]", [_write(item, indent, inner) for item in value], indent, newline)
    raise TypeError(f"{type(value).__name__} can't be written as JSON")


def _enclose(brackets: str, parts: list[str], indent: str | None, newline: str) -> str:
    if not parts or indent is None:
        return brackets[0] + ", ".join(parts) + brackets[1]
    inner = newline + indent
    return brackets[0] + inner + f",{inner}".join(parts) + newline + brackets[1]
