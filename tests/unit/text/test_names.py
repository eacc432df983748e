"""Names that become file names."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.text import names

NEARLY = st.text(st.sampled_from("./\\-_~ aZ0中é\0\n"), max_size=6) | st.text(max_size=6)


@given(NEARLY)
def test_a_name_stays_in_its_directory(name: str) -> None:
    """A valid name is one plain path component: no separator, no parent, no option."""
    if names.is_session_id(name) or names.is_provider_name(name):
        assert os.path.normpath(f"/d/{name}") == f"/d/{name}"
        assert os.path.dirname(f"/d/{name}") == "/d"
        assert "\\" not in name
        assert name.isprintable()
        assert not any(c.isspace() for c in name)
        assert name[0] not in ".-"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("0f8fad5b-d9cb-469f-a165-70867728950e", True),
        ("my-session.1_x", True),
        ("_x", True),
        ("X", True),
        ("a..b", True),
        ("x" * 128, True),
        ("x" * 129, False),
        ("", False),
        (".", False),
        ("..", False),
        (".hidden", False),
        ("-x", False),
        ("a/b", False),
        ("../x", False),
        ("a b", False),
        ("a\n", False),
        ("中", False),
        ("é", False),
    ],
)
def test_session_ids(name: str, expected: bool) -> None:
    """A session id is plain ASCII of limited length."""
    assert names.is_session_id(name) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kimi", True),
        ("k", True),
        ("月之暗面", True),
        ("glm-4.6", True),
        ("x" * 64, True),
        ("x" * 65, False),
        ("", False),
        ("_x", False),
        ("--help", False),
        ("a=b", False),
        ("a:b", False),
    ],
)
def test_provider_names(name: str, expected: bool) -> None:
    """A provider's name may be in any script, and starts with a letter or a digit."""
    assert names.is_provider_name(name) is expected


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("kimmi", ["glm", "kimi"], "kimi"),
        ("KIMI", ["glm", "Kimi"], "Kimi"),
        ("kimi2", ["glm", "kimi", "kimi-k2"], "kimi"),
        ("deepsek", ["kimi", "deepseek"], "deepseek"),
        ("月之暗", ["月之暗面", "glm"], "月之暗面"),
        ("zzz", ["glm", "kimi"], ""),
        ("kimi", [], ""),
    ],
)
def test_nearest(name: str, known: list[str], expected: str) -> None:
    """The nearest name is found, in its own spelling; an unrelated one has none."""
    assert names.nearest(name, known) == expected


def test_a_typing_error_is_understood() -> None:
    """Half of the letters are enough, and the nearest of several is returned as written."""
    assert names.nearest("kmi", ["GLM", "Kimi"]) == "Kimi"
    assert names.nearest("abxy", ["abcd"]) == "abcd"
    assert names.nearest("kimi2", ["kimi3", "kimi"]) == "kimi"
    assert names.nearest("zzzz", ["kimi"]) == ""


@pytest.mark.parametrize(
    ("name", "good"),
    [("x" * 64, True), ("x" * 65, False), ("智" * 42, True), ("智" * 43, False), ("é" * 64, True)],
)
def test_the_longest_provider_name(name: str, good: bool) -> None:
    """It is part of a file name, which has at most 255 bytes."""
    assert names.is_provider_name(name) is good
