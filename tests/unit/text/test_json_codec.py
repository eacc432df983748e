"""JSON is written as the json module writes it, and parsed the same way."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.text.json_codec import decode, dumps

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, "  ", "\t", ""]))
def test_written_like_json(value: object, indent: str | None) -> None:
    """The text is the same, with and without indentation."""
    assert dumps(value, indent) == json.dumps(value, ensure_ascii=False, indent=indent)


@given(VALUES)
def test_read_like_json(value: object) -> None:
    """What is written is read back, with its end."""
    text = json.dumps(value)
    if "NaN" in text or "Infinity" in text:
        return
    assert decode(f"[1,{text}]", 3) == (json.loads(text), 3 + len(text))


def test_what_utf_8_cannot_encode() -> None:
    """A lone half of a surrogate pair stays an escape."""
    assert (
        dumps({"a": "x\ud800y", "b": ("\udfff", "😀")})
        == '{"a": "x\\ud800y", "b": ["\\udfff", "😀"]}'
    )


@pytest.mark.parametrize("value", [{"a": b"x"}, [object()], math])
def test_no_json(value: object) -> None:
    """A value that has no form in JSON is an error."""
    with pytest.raises(TypeError):
        dumps(value)


@pytest.mark.parametrize("text", ["", "{", '{"a" 1}', "[1,]", '"\n"', "NaN", "tru", '"\\u12"'])
def test_an_error(text: str) -> None:
    """Text that isn't JSON is a ValueError, whether or not json was imported before."""
    with pytest.raises(ValueError, match=r"\w"):
        decode(text, 0)
