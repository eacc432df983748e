"""The text of a task file as values: JSON, YAML, or plain lines. Errors name the line."""

import json
import re
from collections.abc import Iterable, Iterator

import yaml  # type: ignore[import-untyped, unused-ignore]
from msgspec import Struct

from ccc import words
from ccc.errors import CccError

MOST_TASKS = 10_000
_MOST_PARTS = 40 * MOST_TASKS
_DEEPEST = 12
_LONGEST = 300  # how much of a key or value a message shows
_BULLET = re.compile(r"[-*+](?: +\[(?P<box>[ xX]?)\])?(?: +|$)")
_HEADING = re.compile(r"#+(?: |$)|-{3,}$")
_OPENING = re.compile(r"\s*(?:\{|\[\s*[\[{\"'])")
# libyaml is ten times faster, but some installations of PyYAML don't have it
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Mapped(dict[str, object]):
    """A mapping in YAML, with the lines of its values."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


class _Listed(list[object]):
    """A list in YAML, with the lines of its values."""

    def __init__(self, values: Iterable[object], lines: Iterable[int]) -> None:
        super().__init__(values)
        self.lines = dict(enumerate(lines))


def line_of(values: object, key: str | int) -> int:
    """Return the line of a value in a mapping or a list; 0 if that isn't known."""
    line: int = getattr(values, "lines", {}).get(key, 0)
    return line


class FilePlace(Struct, frozen=True):
    """A place in a file: a line, the number of a task, a key; 0 or empty if it has none."""

    file: str
    line: int = 0
    entry: int = 0
    key: str = ""

    def wrong(self, reason: str, **params: object) -> CccError:
        """Return the error for what is at this place."""
        where = words.say("tasks.line", n=self.line) if self.line else ""
        where += words.say("tasks.entry", n=self.entry) if self.entry else ""
        where += words.say("clause") + self.key[:_LONGEST] if self.key else ""
        error = CccError("tasks.wrong", hint=reason, file=self.file, where=where, reason=reason)
        for name, value in params.items():
            error.params[name] = value[:_LONGEST] if isinstance(value, str) else value
        return error


def parse(text: str, file: str, keys: frozenset[str], *, may_be_lines: bool) -> tuple[object, int]:
    """Parse the text; return its value and the line where that begins, 0 if it isn't known.

    Plain lines are only for a text with none of the keys at a line's start.
    """
    try:
        value = _json(text, file)
    except ValueError:
        value = None  # most files are YAML
    if isinstance(value, list | dict):
        return value, 0
    has_keys = not may_be_lines or _has_keys(text, keys)
    try:
        value, line = _yaml(text, file)
    except CccError:
        if has_keys:
            raise
        return list(plain_lines(text)), 0
    is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return (value, line) if is_list or has_keys else (list(plain_lines(text)), 0)


def plain_lines(text: str) -> Iterator[str]:
    """Yield one task per line, without bullets, headings and ticked boxes."""
    for line in map(str.strip, text.splitlines()):
        bullet = _BULLET.match(line)
        if bullet and (bullet["box"] or "").casefold() == "x":
            continue
        task = line[bullet.end() :].strip() if bullet else line
        if task and not _HEADING.match(line):
            yield task


def _has_keys(text: str, keys: frozenset[str]) -> bool:
    names = "|".join(map(re.escape, sorted(keys)))
    pattern = rf"^[ \t]*(?:- +)?[\"']?(?:{names})[\"']?[ \t]*:(?:\s|$)"
    return bool(_OPENING.match(text) or re.search(pattern, text, re.MULTILINE))


def _json(text: str, file: str) -> object:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values: dict[str, object] = {}
        for name, value in pairs:
            if name in values:
                raise FilePlace(file, key=name).wrong("tasks.twice")
            values[name] = value
        return values

    try:
        return json.loads(text, object_pairs_hook=unique)
    except RecursionError:
        raise FilePlace(file).wrong("tasks.deep") from None


def _yaml(text: str, file: str) -> tuple[object, int]:
    try:
        _look_through(text, file)
        node = yaml.compose(text, Loader=_Loader)
        return (_value(node, file), _line(node)) if node else (None, 0)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        detail = getattr(error, "problem", None) or getattr(error, "reason", None) or ""
        raise FilePlace(file, line).wrong("tasks.syntax", detail=detail) from None


def _look_through(text: str, file: str) -> None:
    """Raise for what could take a lot of memory or a deep recursion, before anything is built."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=_Loader)):
        mark = event.start_mark
        here = FilePlace(file, mark.line + 1 if mark else 0)
        if getattr(event, "anchor", None):
            raise here.wrong("tasks.alias")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST:
            raise here.wrong("tasks.deep")
        if number > _MOST_PARTS:
            raise FilePlace(file).wrong("tasks.many", n=f"{MOST_TASKS:,}")


def _line(node: yaml.Node) -> int:
    line: int = node.start_mark.line + 1
    return line


def _value(node: yaml.Node, file: str) -> object:
    """Build a plain value from a node."""
    if isinstance(node, yaml.SequenceNode):
        return _Listed([_value(each, file) for each in node.value], map(_line, node.value))
    if isinstance(node, yaml.MappingNode):
        values = _Mapped()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise FilePlace(file, _line(key)).wrong("tasks.not_key")
            if (name := str(key.value)) in values:
                raise FilePlace(file, _line(key), key=name).wrong("tasks.twice")
            values[name], values.lines[name] = _value(value, file), _line(value)
        return values
    try:
        return yaml.constructor.SafeConstructor().construct_object(node)
    except (ValueError, OverflowError) as error:  # as a date that doesn't exist
        raise FilePlace(file, _line(node)).wrong("tasks.syntax", detail=str(error)) from None
