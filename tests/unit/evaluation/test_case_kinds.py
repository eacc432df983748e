"""The kinds of cases, by number and by word."""

import pytest

from ccc import words
from ccc.evaluation import case


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("4", 4), ("stub", 4), ("tests-weakened", 1), ("tests_weakened", 1), (" Stub ", 4)),
        *(("0", 0), ("15", 0), ("", 0), ("04", 0), ("stubs", 0)),
    ],
)
def test_parse_kind(text: str, kind: int) -> None:
    """A number or a word names a kind, anything else none."""
    assert case.parse_kind(text) == kind


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_help_lists_them(language: str) -> None:
    """The help names each kind with its number."""
    words.use({"CCC_LANG": language})
    try:
        usage = words.say("eval.usage")
    finally:
        words.use({})
    for kind in case.KINDS:
        assert f"{kind} {case.kind_word(kind)}" in usage
