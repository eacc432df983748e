"""Parse and write JSON: no constants that only Python knows, and numbers as written."""

import json

_LARGEST = 1.7976931348623157e308


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


_decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=Decimal.parse)
decode = _decoder.raw_decode
"""Return the value at the position, and its end; raise ValueError if there is none."""


def dumps(value: object, indent: str | None = None) -> str:
    """Format the value. A lone surrogate stays escaped, since UTF-8 can't encode it."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(c if c < "\ud800" or c > "\udfff" else f"\\u{ord(c):04x}" for c in text)
    return text
