"""Strict JSON parsing with line and column, and edits that keep every other byte."""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ccc.text import jsontext
from ccc.text.jsontext import Decimal, JsonError

# --- reading ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"),
    [
        ('{"a": 1,}', "json.trailing_comma", 1, 8),
        ('{"é中": 1,}', "json.trailing_comma", 1, 9),
        ('{\n  "a": 1,\n}\n', "json.trailing_comma", 2, 9),
        ('{\r\n  "a": 1,\r\n\r\n}\r\n', "json.trailing_comma", 2, 9),
        ("[1,\n 2,\n]", "json.trailing_comma", 2, 3),
        ("[1,,2]", "json.trailing_comma", 1, 4),
        ("{},", "json.trailing_comma", 1, 3),
        ("// c\n{}", "json.comment", 1, 1),
        ('{"a": 1, // c\n}', "json.comment", 1, 10),
        ('{\n  // c\n  "a": 1}', "json.comment", 2, 3),
        ('{"a": 1 /* c */}', "json.comment", 1, 9),
        ('{"a": /* c */ 1}', "json.comment", 1, 7),
        ('{\n# c\n"a": 1}', "json.comment", 2, 1),
        ("{}\n\n // behind", "json.comment", 3, 2),
        ("\ufeff{}", "json.bom", 1, 1),
        ("\ufeff", "json.bom", 1, 1),
        ('{"a": [1, 2', "json.unfinished", 1, 12),
        ('{"a":', "json.unfinished", 1, 6),
        ("{", "json.unfinished", 1, 2),
        ('{\n  "a": 1,\n', "json.unfinished", 3, 1),
        ('{\n "a": "b', "json.unfinished", 2, 7),
        ('{\n "a', "json.unfinished", 2, 2),
        ('{"a": NaN}', "json.constant", 1, 7),
        ('{"a": 1,\n "b": -Infinity}', "json.constant", 2, 7),
        ("Infinity", "json.constant", 1, 1),
        ("{} x", "json.invalid", 1, 4),
        ("{}{}", "json.invalid", 1, 3),
        ("{}\n]", "json.invalid", 2, 1),
        ("{'a': 1}", "json.invalid", 1, 2),
        ("{a: 1}", "json.invalid", 1, 2),
        ('{"a" 1}', "json.invalid", 1, 6),
        ('{"a": 1\n "b": 2}', "json.invalid", 2, 2),
        ('{"a": }', "json.invalid", 1, 7),
        ("[01]", "json.invalid", 1, 3),
        ("[+1]", "json.invalid", 1, 2),
        ('{"a": True}', "json.invalid", 1, 7),
        ('{"a": "b\tc"}', "json.invalid", 1, 9),
        # the missing quote is the error, not an extra comma or comment
        ('{"a": "b,\n}', "json.invalid", 1, 10),
        ('{"a": "b\n// c\n}', "json.invalid", 1, 9),
        ("", "json.empty", 1, 1),
        (" \n\t", "json.empty", 2, 2),
        ("[" * 100_000, "json.too_deep", 1, 1),
        ('{"a":' * 100_000, "json.too_deep", 1, 1),
    ],
)
def test_names_the_place(text: str, reason: str, line: int, column: int) -> None:
    """Invalid JSON is rejected with its reason, line and column."""
    with pytest.raises(JsonError) as caught:
        jsontext.parse(text)
    assert (caught.value.reason, caught.value.line, caught.value.column) == (reason, line, column)


NOISE = st.text(st.sampled_from('{}[]",:/*#019.eE-+ntrufalseINy \n\t\r\\\ufeffé'), max_size=30)


@given(NOISE | st.text(max_size=30))
def test_reads_what_json_reads_and_nothing_more(text: str) -> None:
    """Any text gives the value that every JSON parser sees, or JsonError with a location in it."""

    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        expected = json.loads(text, parse_constant=refuse)
    except ValueError:
        with pytest.raises(JsonError) as caught:
            jsontext.parse(text)
        lines = text.split("\n")
        assert 1 <= caught.value.line <= len(lines)
        assert 1 <= caught.value.column <= len(lines[caught.value.line - 1]) + 1
    else:
        assert jsontext.parse(text) == expected


@pytest.mark.parametrize("text", ["1.10", "1e5", "3E+6", "-0.0", "0.30000000000000000001"])
def test_a_decimal_remembers_its_writing(text: str) -> None:
    """A number with a fraction or exponent keeps its original text."""
    number = jsontext.parse(text)
    assert isinstance(number, Decimal)
    assert number.text == text
    assert number == float(text)


@pytest.mark.parametrize("text", ["1e999", "-1e999"])
def test_a_number_beyond_a_float_is_written_as_json_again(text: str) -> None:
    """Infinity is not JSON, so a number that large must not become it."""
    number = jsontext.parse(text)
    assert isinstance(number, Decimal)
    assert number.text == text
    assert jsontext.parse(jsontext.dump([number])) == [number]


# --- renderings ------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
)
KEYS = st.text(max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=3),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)


@dataclass(frozen=True)
class Style:
    """A way to write a document."""

    indent: int | str | None
    ascii_only: bool
    newline: str
    final: bool
    tight: bool = False

    def write(self, value: object) -> str:
        text = json.dumps(
            value,
            indent=self.indent,
            ensure_ascii=self.ascii_only,
            separators=(",", ":") if self.tight else None,
        )
        return text.replace("\n", self.newline) + (self.newline if self.final else "")


STYLES = st.builds(
    Style,
    indent=st.sampled_from([1, 2, 4, "\t"]),
    ascii_only=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
    final=st.booleans(),
) | st.builds(
    Style,
    indent=st.none(),
    ascii_only=st.booleans(),
    newline=st.just("\n"),
    final=st.booleans(),
    tight=st.booleans(),
)
NEW_VALUES = st.sampled_from(
    [None, True, 7, "new", [], {}, ["x", {"y": [1, 2]}], {"a": {"b": {}}, "c": ["d"]}]
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of everything in the value, the value itself first."""
    found = [path]
    if isinstance(value, dict):
        for key, inside in value.items():
            found += places(inside, (*path, key))
    elif isinstance(value, list):
        for number, inside in enumerate(value):
            found += places(inside, (*path, number))
    return found


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return the item at the path."""
    for step in path:
        value = value[step]
    return value


def edited(value: object, path: tuple[str | int, ...], edit: Callable[[Any, Any], object]) -> Any:
    """Return a copy of the value, edited in the container of the path."""
    result = copy.deepcopy(value)
    edit(at(result, path[:-1]), path[-1])
    return result


def same(text: str, expected: object) -> bool:
    """Return whether the text is exactly the value, with keys in order and 1 not True."""
    return json.dumps(json.loads(text)) == json.dumps(expected)


MARK = "§here§"


def around(style: Style, value: object, path: tuple[str | int, ...]) -> tuple[str, str]:
    """Return the bytes before and after the value at the path."""
    marked = edited(value, path, lambda inside, step: inside.__setitem__(step, MARK))
    before, behind = style.write(marked).split(json.dumps(MARK, ensure_ascii=style.ascii_only))
    return before, behind


# --- edits -----------------------------------------------------------------------------


@given(DOCUMENTS, STYLES, NEW_VALUES, st.data())
def test_replace_touches_one_value(
    value: object, style: Style, new: object, data: st.DataObject
) -> None:
    """Every byte around a replaced value stays, and the document's style is kept."""
    assume(value)
    path = data.draw(st.sampled_from(places(value)[1:]))
    result = jsontext.replace(style.write(value), path, new)

    expected = edited(value, path, lambda inside, step: inside.__setitem__(step, new))
    before, behind = around(style, value, path)
    assert same(result, expected)
    assert result.startswith(before)
    assert result.endswith(behind)
    if not style.tight:
        assert result == style.write(expected)


def is_insertion(before: str, after: str) -> bool:
    """Return whether `after` is `before` with one piece inserted in one place."""
    front = sum(1 for _ in takewhile(lambda p: p[0] == p[1], zip(before, after, strict=False)))
    pairs = zip(before[::-1], after[::-1], strict=False)
    back = sum(1 for _ in takewhile(lambda p: p[0] == p[1], pairs))
    return len(before) < len(after) and front + back >= len(before)


@given(DOCUMENTS, STYLES, NEW_VALUES, st.data())
def test_insert_adds_one_piece(
    value: object, style: Style, new: object, data: st.DataObject
) -> None:
    """A new member or item comes last, in the document's own style, and nothing else moves."""
    containers = [p for p in places(value) if isinstance(at(value, p), dict | list)]
    container = data.draw(st.sampled_from(containers))
    inside = at(value, container)
    step = len(inside) if isinstance(inside, list) else "a new key"
    path = (*container, step)
    text = style.write(value)
    result = jsontext.replace(text, path, new)

    expected = edited(
        value, path, lambda c, s: c.append(new) if isinstance(c, list) else c.update({s: new})
    )
    assert same(result, expected)
    assert is_insertion(text, result)
    if style.indent and value:
        assert result == style.write(expected)
    if inside:
        assert jsontext.remove(result, path) == text


@given(DOCUMENTS, STYLES, st.lists(st.sampled_from(["x", "y", "z"]), min_size=2, max_size=4))
def test_missing_objects_are_made(value: dict[str, object], style: Style, path: list[str]) -> None:
    """Missing objects on the path are created."""
    value = {key: inside for key, inside in value.items() if key != path[0]}
    result = jsontext.replace(style.write(value), path, 1)
    made: object = 1
    for step in reversed(path[1:]):
        made = {step: made}
    assert same(result, {**value, path[0]: made})


@given(DOCUMENTS, STYLES, st.data())
def test_remove_takes_one_piece(value: object, style: Style, data: st.DataObject) -> None:
    """After a removal, the document reads as if the member or item had never been there."""
    assume(value)
    path = data.draw(st.sampled_from(places(value)[1:]))
    result = jsontext.remove(style.write(value), path)
    expected = edited(value, path, lambda inside, step: inside.pop(step))
    assert same(result, expected)
    if expected:
        assert result == style.write(expected)


@given(DOCUMENTS, STYLES)
def test_the_same_value_again_changes_nothing(value: dict[str, object], style: Style) -> None:
    """Replacing a plain value with itself gives the same text, byte for byte."""
    text = style.write({**value, "current_provider": "kimi"})
    assert jsontext.replace(text, ("current_provider",), "kimi") == text


ODD = (
    '{\n   "z": 1.10,\n   "a": 1e5,   "m": -0.0,\n\n'
    '   "big": 12345678901234567890, "esc": "\\u4e2d\\/",\n   "last": [ 1,2 , 3 ]\n}'
)


@pytest.mark.parametrize("final", ["", "\n", "\n\n", "  \r\n"])
def test_odd_writing_stays(final: str) -> None:
    """Numbers, escapes, gaps, key order and what follows stay as written."""
    text = ODD + final
    inserted = jsontext.replace(text, ("new",), 1)
    assert inserted == text.replace("[ 1,2 , 3 ]", '[ 1,2 , 3 ],\n   "new": 1')
    assert jsontext.replace(text, ("m",), 2) == text.replace("-0.0", "2")
    assert jsontext.remove(text, ("m",)) == text.replace('"m": -0.0,\n\n   ', "")
    assert jsontext.remove(text, ("last",)) == text.replace(',\n   "last": [ 1,2 , 3 ]', "")
    assert jsontext.remove(text, ("last", 1)) == text.replace("1,2 , 3", "1,3")


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("{}", ("a",), 1, '{\n  "a": 1\n}'),
        ("{ }\n", ("a",), 1, '{\n  "a": 1\n}\n'),
        ("{}\r\n", ("a",), 1, '{\r\n  "a": 1\r\n}\r\n'),
        ("[]", (0,), {"a": 1}, '[\n  {\n    "a": 1\n  }\n]'),
        ('{"a":1}', ("b",), [1, 2], '{"a":1,"b": [1, 2]}'),
        ('{"a": 1, "c": 2}', ("b",), 3, '{"a": 1, "c": 2, "b": 3}'),
        ('{ "a": {} }', ("a", "b"), 1, '{ "a": {"b": 1} }'),
        ('{\n\t"a": {}\n}', ("a", "b"), 1, '{\n\t"a": {\n\t\t"b": 1\n\t}\n}'),
        ('{\n  "a": {"x": 1}\n}', ("a", "b"), 2, '{\n  "a": {"x": 1, "b": 2}\n}'),
        ('{\n  "a": [1]\n}', ("a", 1), [2], '{\n  "a": [1, [\n    2\n  ]]\n}'),
        ('{\n"a": 1\n}', ("b",), 2, '{\n"a": 1,\n"b": 2\n}'),
        ('{\n  "a": 1\n  , "b": 2\n}', ("c",), 3, '{\n  "a": 1\n  , "b": 2, "c": 3\n}'),
        # the indentation comes from the first indented line
        ('{\n      \n "a": {}\n}', ("a", "b"), 1, '{\n      \n "a": {\n  "b": 1\n }\n}'),
        (
            '{\n"a": [\n   1\n],\n"b": {}\n}',
            ("b", "c"),
            1,
            '{\n"a": [\n   1\n],\n"b": {\n   "c": 1\n}\n}',
        ),
        ('{"ключ": "值"}', ("b",), "中", '{"ключ": "值","b": "中"}'),
        ('{"\\u0061": 1}', ("a",), 2, '{"\\u0061": 2}'),
        ("1", (), {"a": 1}, '{"a": 1}'),
    ],
)
def test_edit_table(text: str, path: tuple[str | int, ...], value: object, expected: str) -> None:
    """Empty, minified and single-line containers keep their style."""
    assert jsontext.replace(text, path, value) == expected


def test_of_two_members_of_one_name_the_last_counts() -> None:
    """A replaced member is the one that parsers see; a removed one does not come back."""
    text = '{"a": 1, "b": 2, "a": {"c": 3}}'
    assert jsontext.replace(text, ("a", "c"), 4) == '{"a": 1, "b": 2, "a": {"c": 4}}'
    assert jsontext.remove(text, ("a",)) == '{"b": 2}'


@pytest.mark.parametrize(
    ("text", "path"),
    [("[]", ("a",)), ("[1]", ("a",)), ("1", ("a",)), ('{"a": "x"}', ("a", "b")), ("{}", (0,))],
)
def test_a_wrong_container_is_not_written_into(text: str, path: tuple[str | int, ...]) -> None:
    """A member can't be added to a list, nor an item to an object."""
    with pytest.raises(JsonError, match=r"^config\.not_object$"):
        jsontext.replace(text, path, 1)


def test_broken_text_is_not_edited() -> None:
    """An edit of invalid JSON is rejected."""
    with pytest.raises(JsonError):
        jsontext.replace('{"a": 1,}', ("a",), 2)


def test_half_a_surrogate_pair_can_be_written_to_a_file() -> None:
    """JSON can escape what UTF-8 cannot encode; it is written as an escape again."""
    value = jsontext.parse('{"\\ud83d": "\\udc00 中"}')
    text = jsontext.dump(value)
    assert text == '{\n  "\\ud83d": "\\udc00 中"\n}\n'
    assert jsontext.replace("{ }", ("\ud83d",), "\udc00") == '{\n  "\\ud83d": "\\udc00"\n}'


@given(VALUES)
def test_dump_is_read_back(value: object) -> None:
    """A dumped document contains the value, is UTF-8, and ends with a newline."""
    text = jsontext.dump(value)
    assert json.dumps(jsontext.parse(text)) == json.dumps(value)
    assert text.encode().endswith(b"\n")


def test_a_value_at_the_top() -> None:
    """The value is set or replaced, and every other byte is unchanged."""
    assert jsontext.replace('{"a":  1, "b": 2}', ("a",), "x") == '{"a":  "x", "b": 2}'
    assert json.loads(jsontext.replace("{}", ("language",), "zh")) == {"language": "zh"}
