"""`ccc doctor` names the hooks that ask a model although claude hides the key from them."""

import json

import pytest

from harness import CccProject

ASKING = {
    "claude": "#!/bin/sh\ntimeout 30 claude --print \\\n  --json-schema x\n",
    "sdk.py": "from anthropic import Anthropic\n",
    "agent.py": "import asyncio\nfrom claude_agent_sdk import query\n",
    "fetch.js": "fetch(`${base}/v1/messages`, {headers})\n",
    "list.py": 'subprocess.run(["claude", "-p", question])\n',
    "key.sh": 'curl -H "x-api-key: $ANTHROPIC_API_KEY" $URL\n',
}
QUIET = {
    "lint.sh": "#!/bin/sh\n# claude runs this after each edit\nruff check\n",
    "notify.py": "print('claude has stopped')\n",
}


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A project that was launched once."""
    stubbed.run("kimi", "-p", "hi").succeeded()
    return stubbed


def add_plugin(project: CccProject, name: str, text: str) -> None:
    """Enable a plugin whose hook runs a program with this text."""
    root = project.home / ".claude" / "plugins" / "cache" / "thing"
    (root / "hooks").mkdir(parents=True)
    (root / "hooks" / name).write_text(text)
    hook = {"type": "command", "command": f"${{CLAUDE_PLUGIN_ROOT}}/hooks/{name}"}
    content = {"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [hook]}]}}
    (root / "hooks" / "hooks.json").write_text(json.dumps(content))
    index = {"version": 2, "plugins": {"thing@m": [{"installPath": str(root)}]}}
    project.write(".claude/plugins/installed_plugins.json", json.dumps(index))
    settings = project.json(".claude/settings.json") | {"enabledPlugins": {"thing@m": True}}
    project.write(".claude/settings.json", json.dumps(settings))


def findings(project: CccProject) -> list[dict[str, str]]:
    """Return the doctor's findings about the key."""
    report = json.loads(project.run("doctor", "--json").stdout)
    return [each for each in report["findings"] if each["name"] == "hidden_key"]


@pytest.mark.parametrize("name", ASKING)
def test_a_plugin_that_asks_a_model(project: CccProject, name: str) -> None:
    """The plugin is named, with the setting that helps; with the setting there is no finding."""
    add_plugin(project, name, ASKING[name])
    (found,) = findings(project)
    assert "plugins/cache/thing" in found["what"]
    assert "share_key_with_hooks" in found["remedy"]
    project.configure(share_key_with_hooks=True)
    assert findings(project) == []


@pytest.mark.parametrize("name", QUIET)
def test_a_plugin_that_asks_none(project: CccProject, name: str) -> None:
    """Other hooks need no key."""
    add_plugin(project, name, QUIET[name])
    assert findings(project) == []


def test_a_hook_in_settings(project: CccProject) -> None:
    """A hook of the user's own counts too, by its command or by the program that it names."""
    program = project.write("judge.sh", ASKING["claude"])
    for command in (f"bash {program} --fast", "claude -p 'is it done?'"):
        hook = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}
        project.write(".claude/settings.json", json.dumps(hook))
        assert len(findings(project)) == 1


def test_the_setting_is_checked(project: CccProject) -> None:
    """`share_key_with_hooks` is true or false."""
    project.configure(share_key_with_hooks="yes")
    outcome = project.run("validate", "kimi")
    assert outcome.code != 0
    assert "share_key_with_hooks: must be true or false" in outcome.stderr
