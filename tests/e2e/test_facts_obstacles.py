"""Facts of claude: which options and variables take away what supervision needs."""

import json

import pytest
from facts import Hook, claude
from supervised import ASKED, DONE, WORKING, YES, Record, hooked, judged, requests

from ccc.claude.formats import obstacles
from ccc.claude.formats.obstacles import COMMAND, HOOKS, RECORD
from harness import Bench, CccProject
from harness.scripted import Rule, answer

pytestmark = pytest.mark.real

SESSION = "11111111-1111-4111-8111-111111111111"
HIDING = (
    ("--setting-sources", "project,local"),
    ("--setting-sources", ""),
    ("--tools", "Read"),
    ("--disallowedTools", "Bash"),
)
"""Options that hide the slash command by their value."""


def having(loses: str) -> list[tuple[str, ...]]:
    """Return the options and variables that lose this; a variable has an equals sign."""
    words = [(word,) for word, each in obstacles.OPTIONS.items() if each == loses]
    return words + [(f"{name}=1",) for name, each in obstacles.VARIABLES.items() if each == loses]


def split(words: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the arguments and the variables."""
    name, equals, value = words[0].partition("=")
    return ((), {name: value}) if equals else (words, {})


def supervised(bench: Bench) -> CccProject:
    """Return a project with a supervised session that hasn't begun."""
    project = bench(*judged(YES))
    on = {"CCC_SUPERVISOR_ID": SESSION}
    project.run("supervisor-mode", "on", env=on).succeeded()
    return project


@pytest.mark.parametrize("words", having(HOOKS), ids=" ".join)
def test_fact_no_hook_runs(bench: Bench, words: tuple[str, ...]) -> None:
    """Neither a hook of settings.json nor one of --settings runs."""
    arguments, env = split(words)
    project = bench(Rule(WORKING, answer(DONE)))
    hook = Hook(project)
    file = project.write("own.json", json.dumps(hook.settings()))
    project.write(".claude/settings.json", file.read_text())
    claude(project, "-p", "hi", "--settings", str(file), *arguments, env=env).succeeded()
    assert hook.calls == []
    claude(project, "-p", "hi", "--settings", str(file)).succeeded()
    assert len(hook.calls) == 1


@pytest.mark.parametrize("words", [*having(COMMAND), *HIDING], ids=" ".join)
def test_fact_no_slash_command_runs(bench: Bench, words: tuple[str, ...]) -> None:
    """The user's command file does nothing, while hooks of --settings still run."""
    arguments, env = split(words)
    project = bench(Rule(lambda request: True, answer(DONE)))
    hook = Hook(project)
    # claude asks before it runs a program that it doesn't know, as ccc is
    program = project.write("mark", "#!/bin/sh\necho marked\n")
    program.chmod(0o755)
    command = f"---\nallowed-tools: Bash({program})\n---\n!`{program}`\n"
    project.write(".claude/commands/mark.md", command)
    line = ("-p", "--settings", json.dumps(hook.settings()))
    claude(project, *line, *arguments, "--", "/mark", env=env)
    assert not has_run(project)
    claude(project, *line, *arguments, "--", "hi", env=env).succeeded()
    assert hook.calls
    claude(project, *line, "--", "/mark").succeeded()
    assert has_run(project)


def has_run(project: CccProject) -> bool:
    """Return whether the output of the slash command is in a request."""
    return any("marked" in str(r.messages) for r in requests(project, lambda request: True))


@pytest.mark.parametrize("words", having(RECORD), ids=" ".join)
def test_fact_no_record_is_kept(bench: Bench, words: tuple[str, ...]) -> None:
    """A fork finds no conversation."""
    arguments, env = split(words)
    project = bench(Rule(WORKING, answer(DONE)))
    claude(project, "-p", "hi", "--session-id", SESSION, *arguments, env=env).succeeded()
    fork = ("--resume", SESSION, "--fork-session")
    assert claude(project, "-p", "and now?", *fork).code != 0


# --- what ccc says


@pytest.mark.parametrize("words", [*having(HOOKS), *having(RECORD)], ids=" ".join)
def test_a_supervised_session(bench: Bench, words: tuple[str, ...]) -> None:
    """A supervised session that is resumed warns, and isn't judged; --supervisor is refused."""
    arguments, env = split(words)
    project = supervised(bench)
    name = words[0].partition("=")[0]
    outcome = hooked(project, "do it", "--session-id", SESSION, *arguments, **env).outcome
    assert f"ccc: {name} is set, so this session is not supervised: " in outcome.stderr
    assert requests(project, ASKED) == []
    refused = project.run("--supervisor", "kimi", *arguments, env=env)
    assert refused.code == 1
    assert f"{name} makes supervision impossible: " in refused.stderr


@pytest.mark.parametrize("words", [*having(COMMAND), *HIDING], ids=" ".join)
def test_a_supervised_session_without_commands(bench: Bench, words: tuple[str, ...]) -> None:
    """Hooks suffice for a session that is already supervised."""
    arguments, env = split(words)
    project = supervised(bench)
    outcome = hooked(project, "do it", "--session-id", SESSION, *arguments, **env).outcome
    assert "not supervised" not in outcome.stderr
    assert Record(project).state["outcome"] != ""


@pytest.mark.parametrize("words", having(RECORD), ids=" ".join)
def test_a_run(bench: Bench, words: tuple[str, ...]) -> None:
    """A run needs the record, and refuses before the agent costs anything."""
    arguments, env = split(words)
    project = bench()
    outcome = project.run("run", "do it", "--", *arguments, env=env)
    assert outcome.code == 1
    assert "keeps no record of the session" in outcome.stderr
    assert requests(project, lambda request: True) == []


@pytest.mark.parametrize("words", having(HOOKS), ids=" ".join)
def test_a_run_without_hooks(bench: Bench, words: tuple[str, ...]) -> None:
    """A run judges its stops itself."""
    arguments, env = split(words)
    project = bench(*judged(YES))
    project.run("run", "do it", "--", *arguments, env=env).succeeded()
    assert len(requests(project, ASKED)) == 1


def test_fact_personal_hooks_off_spares_a_launch(bench: Bench) -> None:
    """The variable drops nothing that supervision needs: ccc's hook is in --settings, too."""
    project = supervised(bench)
    env = {"CLAUDE_CODE_PERSONAL_HOOKS_OFF": "1"}
    project.run("kimi", "-p", "--session-id", SESSION, "do it", env=env).succeeded()
    assert len(requests(project, ASKED)) == 1
