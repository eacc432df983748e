"""The story: a tiny project, a task, and the words of the agent and the reviewer."""

import os

from ccc import words
from ccc.scripted import (
    CODE,
    Reply,
    Request,
    Rule,
    Scenario,
    ToolCall,
    agent_turn,
    answer,
    anything,
    every,
    tool,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHECK = "python3 -m unittest"
MODEL = "scripted-model"
WRONG, RIGHT = "cr-me-br-l-e-", "creme-brulee"

_SLUG = '''\
import re
import sys


def slugify(title):
    """Make a title fit for a web address."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower())


if __name__ == "__main__":
    print(slugify(sys.argv[1]))
'''
_AT_FIRST = _SLUG.partition("\n\n\nif")[0]
_FIRST_TRY = '''\
import re
import sys
import unicodedata


def slugify(title):
    """Make a title fit for a web address."""
    plain = unicodedata.normalize("NFKD", title.lower())
    plain = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain)'''
_TEST = """\
import unittest

from slug import slugify


class TestSlugify(unittest.TestCase):
    def test_words(self):
        self.assertEqual(slugify("Hello World"), "hello-world")

    def test_accents(self):
        self.assertEqual(slugify("Crème brûlée!"), "creme-brulee")
"""
_TRY = 'python3 slug.py "Crème brûlée!"'
_README = """\
# slug

{about}

    $ {example}
    {slug}

{accents}
"""
# part of every review request
_REVIEWING = "ccc, which supervises this session"


def files() -> "Mapping[str, str]":
    """Return the files of the project at the start."""
    readme = _readme(WRONG, words.say("demo.readme_before"))
    return {"slug.py": _SLUG, "test_slug.py": _TEST, "README.md": readme}


def scenario(project: str, delay: float = 0.0) -> Scenario:
    """Return the model's answers for a claude in the project, each after a delay."""
    script = _Script(project, delay)
    return Scenario(
        [
            Rule(every(agent_turn(), _is_review), script.supervisor, name="supervisor"),
            Rule(agent_turn(), script.agent, name="agent"),
            Rule(anything(), answer("slugify"), name="aside"),
        ]
    )


class _Script:
    """Both roles; the request says who speaks, and how often in this turn."""

    def __init__(self, project: str, delay: float) -> None:
        self._project = project
        self._delay = delay
        self._turns: list[tuple[str, Sequence[Sequence[str | ToolCall]]]] = [
            (words.say("demo.feedback"), self._correct_the_readme()),
            (f"`{CHECK}`", self._mend()),
            (words.say("demo.task"), self._first_try()),
        ]

    def agent(self, request: Request) -> Reply:
        """Return the next step of the current turn."""
        said, answers = request.turn
        for asked, steps in self._turns:
            if asked in said:
                return self._answer(*steps[min(answers, len(steps) - 1)])
        return self._answer(words.say("demo.only_a_script"))

    def supervisor(self, request: Request) -> Reply:
        """Look first, then decide by the result."""
        asked, answers = request.turn
        if answers == 0:
            again = words.say("demo.feedback") in asked
            said = words.say("demo.supervisor_looks_again" if again else "demo.supervisor_looks")
            look = tool("Bash", command=_TRY, description="Try it")
            return self._answer(said, self._read("README.md"), look)
        seen = request.last_tool_result or ""
        if RIGHT in seen and WRONG not in seen:
            yes = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
            return self._answer(f"{words.say('demo.supervisor_yes')}\n\n{yes}")
        feedback = words.say("demo.feedback")
        no = f'{{"code": "{CODE}", "completed": false, "feedback": "{feedback}"}}'
        return self._answer(f"{words.say('demo.supervisor_no')}\n\n{no}")

    def _first_try(self) -> "Sequence[Sequence[str | ToolCall]]":
        return (
            (words.say("demo.agent_looks"), self._read("slug.py")),
            (self._edit("slug.py", _AT_FIRST, _FIRST_TRY),),
            (words.say("demo.agent_done"),),
        )

    def _mend(self) -> "Sequence[Sequence[str | ToolCall]]":
        line = 'return re.sub(r"[^a-z0-9]+", "-", plain)'
        tests = tool("Bash", command=CHECK, description="Run the tests")
        return (
            (words.say("demo.agent_mends"), self._edit("slug.py", line, f'{line}.strip("-")')),
            (tests,),
            (words.say("demo.agent_done_again"),),
        )

    def _correct_the_readme(self) -> "Sequence[Sequence[str | ToolCall]]":
        before = _readme(WRONG, words.say("demo.readme_before"))
        after = _readme(RIGHT, words.say("demo.readme_after"))
        return (
            (words.say("demo.agent_goes_on"), self._read("README.md")),
            (self._edit("README.md", before, after),),
            (words.say("demo.agent_done_at_last"),),
        )

    def _answer(self, *blocks: str | ToolCall) -> Reply:
        return answer(*blocks, delay=self._delay)

    def _read(self, name: str) -> ToolCall:
        return tool("Read", file_path=os.path.join(self._project, name))

    def _edit(self, name: str, old: str, new: str) -> ToolCall:
        path = os.path.join(self._project, name)
        return tool("Edit", file_path=path, old_string=old, new_string=new)


def _is_review(request: Request) -> bool:
    return any(_REVIEWING in text for text in request.said)


def _readme(slug: str, accents: str) -> str:
    about = words.say("demo.readme_about")
    return _README.format(about=about, example=_TRY, slug=slug, accents=accents)
