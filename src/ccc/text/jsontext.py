"""Parse JSON strictly, with line and column, and edit it as text, keeping every other byte."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ccc.errors import CccError

Path = Sequence[str | int]

_SPACE = " \t\r\n"
_DEFAULT_INDENT = "  "
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


_decode = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=Decimal.parse).raw_decode


def dumps(value: object, indent: str | None = None) -> str:
    """Format the value. A lone surrogate stays escaped, since UTF-8 can't encode it."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


class JsonError(ValueError):
    """Text that isn't JSON. `reason` is a catalogue entry; line and column are 1-based."""

    def __init__(self, reason: str, text: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = text.count("\n", 0, position) + 1
        self.column = position - (text.rfind("\n", 0, position) + 1) + 1

    def in_file(self, file: str, hint: str) -> CccError:
        """Return the error for the user, with the file and a hint."""
        line, column, reason = self.line, self.column, self.reason
        return CccError(
            "file.not_json", hint=hint, file=file, line=line, column=column, reason=reason
        )


def parse(text: str) -> object:
    """Parse strict JSON, or raise JsonError."""
    if text.startswith("\ufeff"):
        raise JsonError("json.bom", text, 0)
    start = _skip(text, 0)
    try:
        value, end = _decode(text, start)
    except RecursionError:
        raise JsonError("json.too_deep", text, start) from None
    except json.JSONDecodeError as error:
        if error.msg.startswith("Invalid control character"):
            raise JsonError("json.invalid", text, error.pos) from None
        if error.msg.startswith("Unterminated string"):
            raise JsonError("json.unfinished", text, error.pos) from None
        raise JsonError(_reason(text, error.pos), text, _error_position(text, error.pos)) from None
    except ValueError as error:
        raise JsonError("json.constant", text, text.find(str(error))) from None
    end = _skip(text, end)
    if end != len(text):
        raise JsonError(_reason(text, end), text, end)
    return value


def replace(text: str, path: Path, value: object) -> str:
    """Return the text with the value at the path set, creating missing objects on the way."""
    parse(text)
    start = _skip(text, 0)
    for depth, step in enumerate(path):
        child = _child(text, start, step)
        if child is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value} if isinstance(missing, str) else [value]
            return _insert(text, start, step, value)
        start = child.start
    end = _end(text, start)
    return text[:start] + _render(text, value, _indent_at(text, start)) + text[end:]


def remove(text: str, path: Path) -> str:
    """Return the text without the member or item at the path, which must exist."""
    start = _find(text, path[:-1])
    children = list(_children(text, start))
    *earlier, at = (i for i, child in enumerate(children) if child.step == path[-1])
    if at + 1 < len(children):
        text = text[: children[at].key] + text[children[at + 1].key :]
    elif at > 0:
        text = text[: children[at - 1].end] + text[children[at].end :]
    else:
        text = text[: start + 1] + text[_end(text, start) - 1 :]
    # an earlier member with the same name would take effect
    return remove(text, path) if earlier else text


def _find(text: str, path: Path) -> int:
    """Return the position of the value at the path, which must exist."""
    start = _skip(text, 0)
    for step in path:
        child = _child(text, start, step)
        assert child is not None
        start = child.start
    return start


class _Child(Struct, frozen=True):
    """A member of an object or an item of a list: its name or number, and its positions."""

    step: Any
    key: int
    start: int
    end: int


def _child(text: str, start: int, step: str | int) -> _Child | None:
    """Return the child with that name or number; the last of several with one name counts."""
    return next((c for c in reversed(list(_children(text, start))) if c.step == step), None)


def _children(text: str, start: int) -> Iterator[_Child]:
    """Yield the members or items of the object or list at `start`; none for a plain value."""
    bracket, position, number = text[start], _skip(text, start + 1), 0
    while bracket in "{[" and text[position] not in "}]":
        key, step = position, number
        if bracket == "{":
            step, position = _decode(text, position)
            position = _skip(text, _skip(text, position) + 1)
        end = _end(text, position)
        yield _Child(step, key, position, end)
        number += 1
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)


def _insert(text: str, start: int, step: str | int, value: object) -> str:
    """Return the text with a member or item appended to the object or list at `start`."""
    if text[start] != ("{" if isinstance(step, str) else "["):
        raise JsonError("config.not_object", text, start)
    children = list(_children(text, start))
    close = _end(text, start) - 1
    outer = _indent_at(text, start)
    inner = outer + _indent_of(text)
    head = dumps(step) + ": " if isinstance(step, str) else ""
    if children:
        last = children[-1]
        mark = text.index(",", children[-2].end) if len(children) > 1 else start
        gap = text[mark + 1 : last.key]
        inner = gap.rpartition("\n")[2] if "\n" in gap else outer
        gap = gap or (" " if _newline_of(text) else "")
        piece = "," + gap + head + _render(text, value, inner)
        return text[: last.end] + piece + text[last.end :]
    newline = _newline_of(text)
    if not newline:
        return text[: start + 1] + head + _render(text, value, "") + text[close:]
    body = newline + inner + head + _render(text, value, inner) + newline + outer
    return text[: start + 1] + body + text[close:]


def _render(text: str, value: object, indent: str) -> str:
    newline = _newline_of(text)
    if not newline:
        return dumps(value)
    return (newline + indent).join(dumps(value, _indent_of(text)).split("\n"))


def dump(value: object) -> str:
    """Format a new document: two-space indent, unescaped Unicode, a final newline."""
    return dumps(value, _DEFAULT_INDENT) + "\n"


def _newline_of(text: str) -> str:
    """Return the document's line ending; empty if it is a single line other than `{}` or `[]`."""
    body = text.strip()
    if "\n" in body or "".join(body.split()) in ("{}", "[]"):
        return "\r\n" if "\r\n" in text else "\n"
    return ""


def _indent_of(text: str) -> str:
    """Return the document's indentation unit, taken from its first indented line."""
    for line in text.split("\n")[1:]:
        content = line.lstrip(" \t")
        if content.strip() and len(content) < len(line):
            return line[: len(line) - len(content)]
    return _DEFAULT_INDENT


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position


def _end(text: str, start: int) -> int:
    return _decode(text, start)[1]


def _reason(text: str, position: int) -> str:
    """Return the catalogue entry for text that isn't JSON at the position."""
    position = _error_position(text, position)
    rest = text[position:]
    if not text.strip():
        return "json.empty"
    if rest.startswith(("//", "/*", "#")):
        return "json.comment"
    if rest[:1] == ",":
        return "json.trailing_comma"
    return "json.invalid" if rest.strip() else "json.unfinished"


def _error_position(text: str, position: int) -> int:
    """Return the position of a trailing comma, else of the next non-space character."""
    at = _skip(text, min(position, len(text)))
    before = text[:at].rstrip(_SPACE)
    if at < len(text) and text[at] in "}]" and before.endswith(","):
        return len(before) - 1
    return at
