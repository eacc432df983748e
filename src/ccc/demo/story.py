"""The story: a tiny project, a task, and what the agent and the reviewer say."""

import os
from collections.abc import Callable, Mapping, Sequence

from ccc import words
from ccc.scripted import CODE, Block, Reply, Request, answer, tool

Step = Sequence[str | Block]

CHECK = "python3 -m unittest"
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


def files() -> Mapping[str, str]:
    """Return the project's files at the start."""
    readme = _readme(WRONG, words.say("demo.readme_before"))
    return {"slug.py": _SLUG, "test_slug.py": _TEST, "README.md": readme}


def replies(project: str, delay: float = 0.0) -> Callable[[Request], Reply]:
    """Return the model's replies to a claude in the project, each after a delay."""

    def reply(request: Request) -> Reply:
        if not request.is_agent_turn:
            return answer("slugify")
        role = _reviewer if request.code else _agent
        return answer(*role(request, project), delay=delay)

    return reply


def turns(project: str) -> Mapping[str, Sequence[Step]]:
    """Return the agent's steps by a phrase of the prompt that starts the turn, last turn first."""
    line = 'return re.sub(r"[^a-z0-9]+", "-", plain)'
    before = _readme(WRONG, words.say("demo.readme_before"))
    after = _readme(RIGHT, words.say("demo.readme_after"))
    return {
        words.say("demo.feedback"): (
            (words.say("demo.agent_goes_on"), _read(project, "README.md")),
            (_edit(project, "README.md", before, after),),
            (words.say("demo.agent_done_at_last"),),
        ),
        f"`{CHECK}`": (
            (words.say("demo.agent_fixes"), _edit(project, "slug.py", line, f'{line}.strip("-")')),
            (tool("Bash", command=CHECK, description="Run the tests"),),
            (words.say("demo.agent_done_again"),),
        ),
        words.say("demo.task"): (
            (words.say("demo.agent_looks"), _read(project, "slug.py")),
            (_edit(project, "slug.py", _AT_FIRST, _FIRST_TRY),),
            (words.say("demo.agent_done"),),
        ),
    }


def _agent(request: Request, project: str) -> Step:
    """Return the next step of the current turn."""
    prompt, answers = request.turn
    for part, steps in turns(project).items():
        if part in prompt:
            return steps[min(answers, len(steps) - 1)]
    return (words.say("demo.only_a_script"),)


def _reviewer(request: Request, project: str) -> Step:
    """Return the reviewer's next step: inspect first, then decide by the result."""
    prompt, answers = request.turn
    feedback = words.say("demo.feedback")
    if answers == 0:
        is_second = feedback in prompt
        text = words.say("demo.supervisor_looks_again" if is_second else "demo.supervisor_looks")
        look = tool("Bash", command=_TRY, description="Try it")
        return text, _read(project, "README.md"), look
    shown = request.last_tool_result or ""
    if RIGHT in shown and WRONG not in shown:
        verdict = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
        return (f"{words.say('demo.supervisor_yes')}\n\n{verdict}",)
    verdict = f'{{"code": "{CODE}", "completed": false, "feedback": "{feedback}"}}'
    return (f"{words.say('demo.supervisor_no')}\n\n{verdict}",)


def _read(project: str, name: str) -> Block:
    return tool("Read", file_path=os.path.join(project, name))


def _edit(project: str, name: str, old: str, new: str) -> Block:
    return tool("Edit", file_path=os.path.join(project, name), old_string=old, new_string=new)


def _readme(slug: str, accents: str) -> str:
    about = words.say("demo.readme_about")
    return _README.format(about=about, example=_TRY, slug=slug, accents=accents)
