"""The recording of the demo is up to date."""

import html
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ccc import words
from harness import catalogue

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_recording_is_of_this_story(language: str) -> None:
    """`make recording` was run after the last change; the picture needs nothing from outside."""
    told = (DOCS / f"demo.{language}.txt").read_text("utf-8")
    said = catalogue(language)
    for name in ("title_", "about_", "agent_", "supervisor_", "next"):
        texts = [text for key, text in said.items() if key.startswith(f"demo.{name}")]
        assert texts
        for text in texts:
            assert _squeezed(text) in _squeezed(told)
    picture = (DOCS / f"demo.{language}.svg").read_text("utf-8")
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert not re.search(r"url\((?!#)|href|@import|@font-face|<script", picture)
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert html.escape(said["demo.title_review"], quote=False) in _unspaced(picture)


def _squeezed(text: str) -> str:
    """The text without its spaces and lines, which are those of a screen."""
    return "".join(text.split())


def _unspaced(picture: str) -> str:
    """The words of a picture, in one piece."""
    return re.sub(r"</?text[^>]*>|\n\s*", "", picture).replace("&#160;", " ")
