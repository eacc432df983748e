"""Shared by the tests of `ccc provider` and `ccc init`: files, keys, and running the commands."""

from pathlib import Path
from typing import Any

from harness import KEY, CccProject, Outcome

SECRET = "sk-canary-0123456789"
UUID = "0c1b2a39-48d7-4e6f-8a5b-4c3d2e1f0a9b"
MINE = """{
   "note": "mine",
   "providers": {
      "kimi": {"env": {"ANTHROPIC_BASE_URL": "https://k.example/a", "ANTHROPIC_MODEL": "m"}},
      "glm":  {"env": {"ANTHROPIC_AUTH_TOKEN": {"command": ["pass", "show", "glm"]},
                       "ANTHROPIC_BASE_URL": "https://g.example", "API_TIMEOUT_MS": 5}},
      "official": {}
   }, "language": "en", "strange": [ 1 ]
}
"""
OLD = "sk-old-settings-key"
USERS = """{
   "env": {"FOO": "1", "ANTHROPIC_BASE_URL": "https://api.deepseek.com/anthropic",
           "ANTHROPIC_AUTH_TOKEN": "sk-old-settings-key"},
   "model":  "opus"
}
"""


def run(project: CccProject, *words: str, stdin: str = "", **env: str) -> Outcome:
    """Run `ccc provider …` and check that its output contains no key."""
    outcome = project.run("provider", *words, stdin=stdin, env=env)
    assert SECRET not in outcome.stdout + outcome.stderr
    assert KEY not in outcome.stdout + outcome.stderr
    return outcome


def env_of(project: CccProject, name: str) -> dict[str, object]:
    """Return the variables of a provider in ccc.json."""
    found: dict[str, object] = project.json(".claude/ccc.json")["providers"][name]["env"]
    return found


def refused(project: CccProject, *words: str, stdin: str = "") -> str:
    """Return the error of a command that must fail and change nothing."""
    path = project.claude_dir / "ccc.json"
    before = path.read_text() if path.exists() else None
    outcome = run(project, *words, stdin=stdin)
    assert outcome.code == 1, outcome
    assert (path.read_text() if path.exists() else None) == before
    return outcome.stderr


def config(project: CccProject) -> Any:
    """Return the content of ccc.json."""
    return project.json(".claude/ccc.json")


def without_hook(project: CccProject) -> Any:
    """Return settings.json without ccc's Stop hook, which must be in it."""
    content = project.json(".claude/settings.json")
    (group,) = content.pop("hooks")["Stop"]
    assert group["hooks"][0]["command"] == f"{project.ccc} supervisor-hook"
    return content


def everything(root: Path) -> dict[str, bytes]:
    """Return every file and directory under the root, with its content."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b""
        for path in root.rglob("*")
    }
