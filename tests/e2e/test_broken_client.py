"""What ccc does with a real claude that lacks something: a wrapper breaks one thing."""

import json
import sys

import pytest

from ccc.scripted import Rule, Scenario, ScriptedModel, agent_turn, answer
from harness import KEY, Bench, CccProject, claude_binary

pytestmark = [pytest.mark.real]


def wrap(project: CccProject, code: str, version: str = "") -> None:
    """Replace the claude on PATH by one that runs the code first, which may change `argv`."""
    directory = project.root / "wrapped" / (version or "claude")
    directory.mkdir(parents=True)
    program = directory / "claude"
    program.write_text(
        f"#!{sys.executable} -I\nimport json, os, sys\nargv = sys.argv[1:]\n{code}\n"
        f"os.execv({str(claude_binary())!r}, ['claude', *argv])\n"
    )
    program.chmod(0o755)
    (project.bin / "claude").unlink()
    (project.bin / "claude").symlink_to(program)


@pytest.mark.journey
def test_the_key_goes_to_the_provider(bench: Bench) -> None:
    """A claude that ignores who manages the provider doesn't send the key elsewhere."""
    project = bench(Rule(agent_turn(), answer("Hello."), name="agent"))
    wrap(project, 'del os.environ["CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST"]', "2.1.81")
    with ScriptedModel(Scenario([Rule(agent_turn(), answer("Got your key."))])) as decoy:
        other = {"ANTHROPIC_BASE_URL": decoy.url, "ANTHROPIC_MODEL": "other"}
        project.write(".claude/settings.json", json.dumps({"env": other}))
        outcome = project.run("kimi", "-p", "hi").succeeded()
        assert decoy.requests == []
    assert outcome.stdout.strip() == "Hello."
    assert project.model is not None
    assert {each.headers["authorization"] for each in project.model.requests} == {f"Bearer {KEY}"}
