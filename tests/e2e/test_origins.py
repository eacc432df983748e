"""The origins that `ccc doctor` reports match the variables of the real claude."""

import json

import pytest

from harness import Bench

pytestmark = pytest.mark.real

DUMP = "---\ndescription: Show\nallowed-tools: Bash(env)\n---\n!`env`\n\n$ARGUMENTS\n"
# variables and the places that set them; each place uses its own value
PLACES = {
    "FOO": "provider local project user",
    "BAR": "provider project",
    "BAZ": "user process",
    "QUX": "base local process",
    "API_TIMEOUT_MS": "provider user local",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "base user process",
    "DISABLE_COST_WARNINGS": "process",
    "ENABLE_SOMETHING": "provider user",
    "MINE": "project",
    "ANTHROPIC_SMALL_FAST_MODEL": "provider user local",
    "ANTHROPIC_DEFAULT_SONNET_MODEL": "base process user",
    "ANTHROPIC_DEFAULT_OPUS_MODEL": "process",
}
NAMES = {
    "provider": "ccc.json, the provider",
    "base": "ccc.json, settings",
    "process": "environment",
    "user": "~/.claude/settings.json",
    "project": ".claude/settings.json",
    "local": ".claude/settings.local.json",
}


def test_the_doctor_tells_the_truth(bench: Bench) -> None:
    """Each variable has the value of the place that the doctor names."""
    project = bench()
    numbers = {place: str(number) for number, place in enumerate(NAMES, 1001)}
    env = {
        place: {name: numbers[place] for name, where in PLACES.items() if place in where.split()}
        for place in numbers
    }
    (project.directory / ".claude").mkdir()
    files = {
        "user": project.claude_dir / "settings.json",
        "project": project.directory / ".claude/settings.json",
        "local": project.directory / ".claude/settings.local.json",
    }
    for place, path in files.items():
        path.write_text(json.dumps({"env": env[place]}))
    project.configure(
        settings={"env": env["base"]}, providers={"kimi": project.provider(**env["provider"])}
    )
    project.write(".claude/commands/dump.md", DUMP)
    report = json.loads(project.run("doctor", "--json", env=env["process"]).stdout)
    claimed = {each["name"]: each["from"] for each in report["variables"]}
    project.run("kimi", "-p", "/dump it", env=env["process"]).succeeded()
    (output,) = [
        text for text in project.model.requests[-1].user_texts if "API_TIMEOUT_MS=" in text
    ]
    environment = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    for name, where in PLACES.items():
        value = environment.get(name, "")
        place = next((p for p, number in numbers.items() if number == value), "")
        expected = {NAMES.get(place, "")}
        if place in ("provider", "base"):
            # it may get there through ccc's settings file, with the same value
            expected.add("~/.claude/settings-kimi.json")
        assert claimed[name] in expected, (name, where, value, claimed[name])
