"""The messages about denied calls and wrong answers."""

from collections.abc import Iterator

import pytest

from ccc import words
from ccc.claude.formats.permission import Call
from ccc.run import permissions
from ccc.ui import prompts

CALLS = (Call("WebFetch", "https://example.com"), Call("Bash", "npm install"))


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    words.use({"CCC_LANG": "en"})
    yield
    words.use({"CCC_LANG": "en"})


def test_sentences_of_each_language() -> None:
    """English sentences are separated by spaces, Chinese ones aren't; lists follow the language."""
    told = permissions.describe(CALLS)
    assert "WebFetch(https://example.com), Bash(npm install). Allow them with " in told
    words.use({"CCC_LANG": "zh"})
    assert "WebFetch(https://example.com)、Bash(npm install)。允许它们：" in permissions.describe(
        CALLS
    )


def test_a_wrong_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """The objection is a sentence, and shows the answer as it was typed."""
    prompts.object_to("this is not a valid key")
    prompts.object_to("run is a ccc command", "run")
    told = capsys.readouterr().err
    assert told == "This is not a valid key.\nrun is a ccc command.\n"
