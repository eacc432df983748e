"""What reaches the terminal: no sequence of others' steers it, and columns fit."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc import columns, terminal


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\x1b]0;a title\x07b", "ab"),
        ("a\x1b]52;c;ZXZpbA==\x1b\\b", "ab"),
        ("a\x9d52;c;ZXZpbA==\x9cb", "ab"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[31mred\x1b[0m \x1b[2J\x9b1m", "red "),
        ("\x1bPq#0\x1b\\z\x1b_x\x1b\\\x1bc\x1b(B", "z"),
        ("\x1b]0;never ends", "]0;never ends"),
        ("ends in \x1b", "ends in "),
        ("中\x1b[1m文\r\b\x00\u202e", "中文"),
        ("two\nlines\tand 👩‍💻", "two\nlines\tand 👩‍💻"),
    ],
)
def test_plain(text: str, left: str) -> None:
    """Titles, clipboards, colours and the rest go, with all their letters."""
    assert terminal.plain(text) == left


@given(st.text(alphabet="\x1b[]P_0;52m\x07\\\x9b\x9c\x9d中 "))
def test_nothing_steers(text: str) -> None:
    """Whatever is put together, no control character is left."""
    assert not set(terminal.plain(text)) & set("\x1b\x07\x9b\x9c\x9d")


def test_long_texts_take_no_time() -> None:
    """A text made of beginnings is done in one go."""
    begun = time.perf_counter()
    for text in ("\x9d" * 300_000, "\x1b]" * 300_000, "\x1b[0" * 300_000):
        terminal.plain(text)
    assert time.perf_counter() - begun < 20


@pytest.mark.parametrize(
    ("text", "cells", "left"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("中文字", 6, "中文字"),
        ("中文字", 5, "中文…"),
        ("中文字", 4, "中…"),
        (" two\n words ", 20, "two words"),
    ],
)
def test_cut(text: str, cells: int, left: str) -> None:
    """A text is cut by the cells that it takes."""
    assert terminal.cut(text, cells) == left
    assert terminal.width(left) <= cells


@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=40)), min_size=1),
    st.integers(20, 90),
)
def test_columns_are_columns(rows: list[tuple[str, str]], width: int) -> None:
    """All lines are equally wide, and fit as far as they may be cut."""
    lines = columns.aligned(rows, width, {0: 2, 1: 5})
    widths = {tuple(map(terminal.width, line)) for line in lines}
    assert len(widths) == 1
    assert sum(next(iter(widths))) + 2 <= width


def test_of_a_directory_the_end_is_kept() -> None:
    """The last part of a path says most."""
    ((cell,),) = columns.aligned([["/home/somebody/code/importer"]], 12, {0: 5})
    assert cell == "…de/importer"
