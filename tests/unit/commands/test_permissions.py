"""What is said of denied calls and of wrong answers."""

from collections.abc import Iterator

import pytest

from ccc import words
from ccc.claude.formats.permission import Call
from ccc.commands.run import permissions
from ccc.ui import prompts

CALLS = (Call("WebFetch", "https://example.com"), Call("Bash", "npm install"))


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    words.use({"CCC_LANG": "en"})
    yield
    words.use({"CCC_LANG": "en"})


def test_sentences_of_each_language() -> None:
    """A space between English ones, none between Chinese ones; lists as each language has them."""
    told = permissions.describe(CALLS)
    assert "WebFetch(https://example.com), Bash(npm install). Allow them with " in told
    words.use({"CCC_LANG": "zh"})
    assert "WebFetch(https://example.com)、Bash(npm install)。允许它们：" in permissions.describe(
        CALLS
    )


def test_a_wrong_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """It is objected to in a sentence; what was typed is shown as it was typed."""
    prompts.object_to("this is not a valid key")
    prompts.object_to("run is a ccc command", "run")
    told = capsys.readouterr().err
    assert told == "This is not a valid key.\nrun is a ccc command.\n"
