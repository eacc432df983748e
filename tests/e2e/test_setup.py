"""From nothing to a working provider: `ccc init`, `ccc validate`, then the real claude."""

import json

import pytest

from harness import Bench
from harness.scripted import Reply, Request, Rule, answer, anything, tool

pytestmark = pytest.mark.real
KEY = "sk-new-user-0123456789"


def _model(request: Request) -> Reply:
    return answer(tool("report", word="ok")) if request.tools == ("report",) else answer("Hello.")


@pytest.mark.journey
def test_a_new_user(bench: Bench) -> None:
    """A new user needs three commands, and every request has the key given once on stdin."""
    project = bench(Rule(anything(), _model))
    (project.claude_dir / "ccc.json").unlink()
    words = ("--base-url", project.model.url, "--name", "mine", "--model", "some-model[1m]")
    project.run("init", *words, "--key-stdin", "--language", "en", stdin=KEY).succeeded()
    result = json.loads(project.run("validate", "--json").succeeded().stdout)
    assert result["ok"] is True
    outcome = project.run("-p", "hi").succeeded()
    assert outcome.stdout == "Hello.\n"
    assert {r.key for r in project.model.requests} == {KEY}
    assert {r.model for r in project.model.requests} == {"some-model"}
    assert KEY not in project.read(".claude/settings-mine.json")
