"""JSON objects are parsed without the json module, with the same result."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.text import lenient_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), VALUES))
@pytest.mark.thorough
def test_parsed_as_json_does(value: dict[str, object]) -> None:
    """An object is parsed as json parses it."""
    for text in (json.dumps(value), json.dumps(value, indent=2, ensure_ascii=False) + "\n"):
        data = text.encode("utf-8", "surrogatepass")
        try:
            expected = json.loads(data.decode())
        except UnicodeDecodeError:
            expected = {}
        assert (lenient_json.parse_object(data) or {}) == expected


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b'{"a":', b"{} x", b"[1]", b"1", b"\xff", b'{"a":"\n"}', b"nul"),
        *(b"[" * 100_000, b'{"a":' * 100_000, b'{"a":1' + b"0" * 9_000 + b"}", b"\xef\xbb\xbf{}"),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_no_object(data: bytes) -> None:
    """Anything but an object is None, however long or deep it is."""
    assert not lenient_json.parse_object(data)


def _wants_more(form: object) -> object:
    return form.array_hook  # type: ignore[attr-defined]


def _takes_less() -> None:
    raise AssertionError


@pytest.mark.parametrize("scanner", [_wants_more, _takes_less, lambda form: None])
def test_on_another_python(scanner: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the scanner differs, the json module parses."""
    monkeypatch.setattr("_json.make_scanner", scanner)
    assert lenient_json.parse_object(b'{"a": [1, null]}') == {"a": [1, None]}
    assert lenient_json.parse_object(b'{"a"') is None
