"""What reaches the terminal: no foreign control sequences, and columns that fit."""

import io
import itertools
import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from ccc.system import terminal
from ccc.ui import rich_output
from ccc.ui import table as columns


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
    """Titles, clipboards, colours and other sequences are removed, with all their letters."""
    assert terminal.plain(text) == left


@given(st.text(alphabet="\x1b[]P_0;52m\x07\\\x9b\x9c\x9d中 "))
def test_nothing_steers(text: str) -> None:
    """No combination leaves a control character."""
    assert not set(terminal.plain(text)) & set("\x1b\x07\x9b\x9c\x9d")


def test_long_texts_take_no_time() -> None:
    """A text of unfinished sequences takes linear time."""
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
    """A text is cut by its width in cells."""
    assert terminal.cut(text, cells) == left
    assert terminal.width(left) <= cells


@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=40)), min_size=1),
    st.integers(20, 90),
)
def test_columns_are_columns(rows: list[tuple[str, str]], width: int) -> None:
    """All lines have the same width, and fit if they may be cut."""
    lines = list(columns.align(rows, width, {0: 2, 1: 5}))
    widths = {tuple(map(terminal.width, line)) for line in lines}
    assert len(widths) == 1
    assert sum(next(iter(widths))) + 2 <= width


def test_of_a_directory_the_end_is_kept() -> None:
    """The last part of a path is kept."""
    ((cell,),) = columns.align([["/home/somebody/code/importer"]], 15, {0: 5})
    assert cell == "…/code/importer"
    ((cell,),) = columns.align([["/home/somebody/code/importer"]], 12, {0: 5})
    assert cell == "…/importer  "
    ((cell,),) = columns.align([["/home/somebody/code/importer"]], 8, {0: 5})
    assert cell == "…/impor…"


@pytest.mark.parametrize(
    ("text", "cells", "cut"),
    [
        ("make the tests pass", 19, "make the tests pass"),
        ("make the tests pass", 18, "make the tests…"),
        ("make the tests pass", 12, "make the…"),
        ("unbelievable", 6, "unbel…"),
        ("让所有测试通过", 9, "让所有测…"),
        ("make 测试 pass", 10, "make 测试…"),
        ("", 4, ""),
    ],
)
def test_a_text_is_cut_after_a_word(text: str, cells: int, cut: str) -> None:
    """A word that does not fit is left out, unless it is the first one."""
    assert columns.cut(text, cells) == cut
    assert terminal.width(cut) <= cells


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("short", 10, ["short"]),
        ("one two three", 8, ["one two", "three"]),
        ("toolongforaline x", 6, ["toolon", "gforal", "ine x"]),
        ("中文字符没有空格", 6, ["中文字", "符没有", "空格"]),
        ("看 README，再试", 10, ["看", "README，再", "试"]),
        ("一二三。四", 6, ["一二", "三。四"]),
        ("a\n\nb", 6, ["a", "", "b"]),
        ("  one two three", 9, ["  one two", "  three"]),
        ("  $ one", 9, ["  $ one"]),
        ("✓ one two three", 9, ["✓ one two", "  three"]),
        ("✓ one", 9, ["✓ one"]),
        ("see /a/long/path/to/it", 10, ["see", "/a/long/pa", "th/to/it"]),
    ],
)
def test_wrapped_at_words(text: str, width: int, lines: list[str]) -> None:
    """Lines break at spaces and between Chinese characters, not before a full stop."""
    assert terminal.wrap(text, width, cut=True) == lines


def test_a_coloured_text_is_wrapped_the_same_way() -> None:
    """What rich draws breaks at the same places."""
    text = "看 README，再试 one two three"
    assert [each.plain for each in rich_output.wrap(Text(text), 10)] == terminal.wrap(
        text, 10, True
    )


def test_a_path_stays_in_one_piece() -> None:
    """A word that is longer than the line can still be copied."""
    assert terminal.wrap("see /a/long/path/to/it now", 10) == ["see", "/a/long/path/to/it", "now"]


def test_nothing_is_lost_by_wrapping() -> None:
    """Every width gives the same text, in lines that fit."""
    text = "用户要求了三件事。The code is tested；我来看看 README，并亲自试一下。"
    for width in range(4, 80):
        at = [0, *terminal.breaks(text, width), len(text)]
        lines = [text[a:b] for a, b in itertools.pairwise(at)]
        assert "".join(lines) == text
        assert all(terminal.width(line.rstrip()) <= width for line in lines), width


@given(st.text(alphabet="ab中，。 e\u0301"), st.integers(2, 20))
def test_lines_fit(text: str, width: int) -> None:
    """No line exceeds the width, whatever it contains."""
    assert all(terminal.width(line) <= width for line in terminal.wrap(text, width, cut=True))


class _Screen(io.StringIO):
    """A terminal of a known width."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        import pty
        import termios

        self._pair = pty.openpty()
        termios.tcsetwinsize(self._pair[1], (24, columns))

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._pair[1]

    def close(self) -> None:
        if self._pair:
            for each in self._pair:
                os.close(each)
            self._pair = ()  # type: ignore[assignment]
        super().close()


@pytest.fixture
def narrow() -> Iterator[_Screen]:
    """A terminal with 20 columns."""
    with _Screen(20) as screen:
        yield screen


def test_what_is_told_fits_the_terminal(narrow: _Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is wrapped at words on a terminal, and one line everywhere else."""
    text = "the quick brown fox jumps over it"
    monkeypatch.setattr("sys.stderr", narrow)
    terminal.tell(text)
    assert narrow.getvalue() == "the quick brown fox\njumps over it\n"
    monkeypatch.setattr("sys.stderr", pipe := io.StringIO())
    terminal.tell(text)
    assert pipe.getvalue() == f"{text}\n"


def test_a_command_is_not_wrapped(narrow: _Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command to copy stays on its line, which the terminal itself wraps."""
    monkeypatch.setattr("sys.stderr", narrow)
    terminal.tell("ccc run --continue --allow 'Bash(x y)'", wraps=False)
    assert narrow.getvalue() == "ccc run --continue --allow 'Bash(x y)'\n"
