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
    """The recording matches the demo's messages, and the picture loads nothing."""
    recording = (DOCS / f"demo.{language}.txt").read_text("utf-8")
    messages = catalogue(language)
    for name in ("title_", "about_", "agent_", "supervisor_", "next"):
        texts = [text for key, text in messages.items() if key.startswith(f"demo.{name}")]
        assert texts
        for text in texts:
            assert _without_space(text) in _without_space(recording)
    picture = (DOCS / f"demo.{language}.svg").read_text("utf-8")
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert "@keyframes scroll" in picture
    assert not re.search(r"url\((?!#)|href|@import|@font-face|<script", picture)
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert html.escape(messages["demo.title_review"], quote=False) in _text(picture)


def _without_space(text: str) -> str:
    """Remove all white space, since line breaks depend on the screen."""
    return "".join(text.split())


def _text(picture: str) -> str:
    """Return the text of the picture without tags."""
    return re.sub(r"</?text[^>]*>|\n\s*", "", picture).replace("&#160;", " ")
