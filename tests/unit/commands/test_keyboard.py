"""The line that is typed while the agent works."""

import pytest

from ccc.run.keyboard import TypedLine


@pytest.mark.parametrize(
    ("keys", "lines", "rest"),
    [
        (b"hello\r", ["hello"], ""),
        (b"a\nb\nc", ["a", "b"], "c"),
        (b"helpo\x7f\x7flo", [], "hello"),
        (b"\x7f\x08ok", [], "ok"),
        (b"wrong\x15right", [], "right"),
        (b"one two three\x17", [], "one two"),
        (b"one  \x17", [], ""),
        (b"a\x00\x07\x04b\tc", [], "ab\tc"),
        ("写测试\x7f文档\r".encode(), ["写测文档"], ""),
        (b"\xff\xfe ok", [], "\ufffd\ufffd ok"),
        ("\x1b修复第3个\rok".encode(), ["修复第3个"], "ok"),
        (b"\x1babc\x1b", [], "abc"),
    ],
)
def test_keys(keys: bytes, lines: list[str], rest: str) -> None:
    """Input in one piece and key by key gives the same line."""
    line = TypedLine()
    assert line.feed(keys) == lines
    assert line.text == rest
    single = TypedLine()
    assert [text for at in range(len(keys)) for text in single.feed(keys[at : at + 1])] == lines
    assert single.text == rest


@pytest.mark.parametrize(
    "keys",
    [
        [b"a\x1b[Ab\x1bOPc\x1b[1;5Cd\x1b[3~e"],
        [b"a", b"\x1b[A", b"b", b"\x1bOP", b"c\x1b[1;5", b"Cd\x1b[", b"3~e"],
    ],
)
def test_arrow_keys(keys: list[bytes]) -> None:
    """Arrow keys are ignored, even if they arrive in two pieces."""
    line = TypedLine()
    for piece in keys:
        assert line.feed(piece) == []
    assert line.text == "abcde"
