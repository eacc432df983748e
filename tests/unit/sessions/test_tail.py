"""Growing files, read from their ends, and JSON without the json module."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.sessions.record_file import Tail, last_lines


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with three lines, the last one unfinished."""
    path = tmp_path / "lines"
    path.write_text("first\nsecond\nunfin")
    return path


def test_only_what_is_new(file: Path) -> None:
    """Earlier lines are skipped, and a line is returned once it is complete."""
    tail = Tail(str(file))
    assert tail.new() == []
    with open(file, "a") as more:
        more.write("ished\nthird\nfou")
    assert tail.new() == ["ished", "third"]
    with open(file, "a") as more:
        more.write("rth\n")
    assert (tail.new(), tail.new()) == (["fourth"], [])


def test_some_of_what_was_there(file: Path) -> None:
    """Only complete earlier lines are returned."""
    assert Tail(str(file), before=14).new() == ["second"]
    assert Tail(str(file), before=1_000).new() == ["first", "second"]


def test_a_file_that_comes_later(tmp_path: Path) -> None:
    """A file is followed from its first line, and again when another replaces it."""
    path = tmp_path / "later"
    tail = Tail(str(path))
    assert tail.new() == []
    path.write_text("one\n")
    assert tail.new() == ["one"]
    path.write_text("")
    assert tail.new() == []
    other = tmp_path / "other"
    other.write_text("another\n")
    os.replace(other, path)
    assert tail.new() == ["another"]


@pytest.mark.parametrize("text", ["six\n", "exactly\n", "another one\n"])
def test_another_file_in_its_place(tmp_path: Path, text: str) -> None:
    """A replacement is read from its beginning, even if it is as long as the old file or longer."""
    path, other = tmp_path / "lines", tmp_path / "other"
    path.write_text("earlier\n")
    tail = Tail(str(path))
    other.write_text(text)
    os.replace(other, path)
    assert tail.new() == [text.strip()]
    assert tail.new() == []


def test_a_line_without_an_end(tmp_path: Path) -> None:
    """An endless line is not kept, and the lines after it are returned."""
    path = tmp_path / "long"
    path.write_bytes(b"x" * 6_000_000)
    tail = Tail(str(path), before=10_000_000)
    for _ in range(8):
        assert tail.new() == []
    with open(path, "ab") as more:
        more.write(b"\nwhole\n")
    assert [line for _ in range(3) for line in tail.new()] == ["whole"]


@given(st.lists(st.text(alphabet="ab\u2028中\x85", max_size=9), max_size=9), st.integers(1, 60))
def test_last_lines(tmp_path_factory: pytest.TempPathFactory, lines: list[str], most: int) -> None:
    """The last lines are complete, whatever they contain."""
    path = tmp_path_factory.mktemp("tail") / "lines"
    path.write_bytes("".join(f"<{line}>\n" for line in lines).encode())
    found = last_lines(str(path), most)
    expected = [f"<{line}>" for line in lines]
    assert found == expected[len(expected) - len(found) :]
    assert len("\n".join(found).encode()) <= most


def test_no_file(tmp_path: Path) -> None:
    """A missing file has no lines."""
    assert last_lines(str(tmp_path / "none"), 100) == []
    assert last_lines(str(tmp_path), 100) == []
