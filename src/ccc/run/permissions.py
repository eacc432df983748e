"""An unattended agent's permissions: asked once, stored in ccc.json, passed to claude."""

import os
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ccc import words
from ccc.claude import sandbox
from ccc.claude.formats import arguments, environment, permission, settings
from ccc.claude.formats.permission import Call
from ccc.claude.launch import Launch
from ccc.config import ccc_json
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.installation import users_settings
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.text import jsontext, lenient_json
from ccc.ui import prompts

_SHOWN = 120


def ask() -> str:
    """Let the user choose one of the three levels."""
    terminal.tell("\n".join(terminal.wrap(words.say("permit.question"), prompts.width())))
    answers = {level: level for level in permission.LEVELS}
    for number, level in enumerate(permission.LEVELS, 1):
        answers[str(number)] = level
        choice = terminal.wrap(words.say(f"permit.choice_{level}"), prompts.width() - 5)
        terminal.tell(f"  {number}) " + "\n     ".join(choice))
    pick = words.say("permit.pick")
    return prompts.choose(pick, answers, "1", pick)


def with_choice(text: str, level: str) -> str:
    """Set the chosen level in the text of ccc.json."""
    return jsontext.replace(text, ("run", "permissions"), level)


def first_choice(config: Config, paths: Paths) -> Config:
    """Return the configuration with a level, asking a user at the terminal once."""
    if config.run.permissions or not prompts.is_interactive() or not terminal.in_foreground(0):
        return config
    level = ask()
    with files.Lock(paths.locks) as lock:
        ccc_json.change(lock, paths, lambda text: with_choice(text, level))
    terminal.tell("✓ " + words.say("permit.kept", file=paths.config))
    return replace(config, run=replace(config.run, permissions=level))


def level_of(launch: Launch) -> str:
    """Return the agent's level from claude's arguments, ccc.json or the user's own settings."""
    users = users_settings(launch.paths)
    level = permission.level_of(launch.config.run.permissions, _mode(launch), users)
    if level == permission.SANDBOX and not _has_sandbox(launch):
        return permission.EDIT
    is_contained = launch.environ.get("IS_SANDBOX") == "1" or launch.environ.get(
        "CLAUDE_CODE_BUBBLEWRAP"
    )
    if level == permission.ALL and os.geteuid() == 0 and not is_contained:
        # claude refuses to bypass permissions as root
        raise CccError("permit.root")
    return level


def with_permissions(launch: Launch, level: str, allow: Sequence[str]) -> Launch:
    """Add the agent's permissions to the launch's settings; the user's own take precedence."""
    checks = [each.command for each in launch.config.supervisor.checks]
    rules = [*launch.config.run.allow, *allow]
    ours = permission.for_agent(level, level == permission.SANDBOX, checks, rules)
    merged = settings.merge(ours, launch.layers.settings)
    return replace(launch, layers=replace(launch.layers, settings=merged))


def path(launch: Launch, level: str) -> str:
    """Return the PATH where claude looks for the sandbox, or "" without a sandbox.

    If the project's settings could change it, commands would run outside the sandbox.
    """
    if level != permission.SANDBOX:
        return ""
    own = lenient_json.mapping(users_settings(launch.paths), "env")
    users = {**launch.environ, **own, **launch.layers.env}
    return environment.with_absolute_path({"PATH": str(users.get("PATH", ""))})["PATH"]


def _mode(launch: Launch) -> str:
    """Return the permission mode in the user's own arguments or settings."""
    given = [*launch.base_arguments.rest, *launch.arguments.for_agent]
    if any(each in arguments.NEVER_ASK for each in given):
        return permission.BYPASS
    if modes := arguments.values_of("--permission-mode", given):
        return modes[-1]
    return lenient_json.text(launch.layers.settings, "permissions", "defaultMode")


def _has_sandbox(launch: Launch) -> bool:
    """Return whether claude's sandbox works here and the user's settings don't disable it."""
    is_off = lenient_json.mapping(launch.layers.settings, "sandbox").get("enabled") is False
    return not is_off and sandbox.runs(os.getcwd())


def describe_level(config: Config, level: str) -> Iterator[str]:
    """Yield the lines that describe the agent's permissions at the start of a run."""
    yield words.say(f"permit.level_{level}")
    if level == permission.EDIT and config.run.permissions != permission.EDIT:
        yield words.say("permit.no_sandbox")


def name_denied(calls: Sequence[Call]) -> str:
    """Name the denied calls."""
    named = words.say("comma").join(terminal.cut(str(call), _SHOWN) for call in calls)
    say = "permit.denied_one" if len(calls) == 1 else "permit.denied"
    text = words.say(say, counted=words.count("calls", len(calls)), calls=named)
    if all(map(permission.rules_for, calls)):
        return text
    return words.say("permit.sentences", first=text, second=words.say("permit.no_rule"))


def describe(calls: Sequence[Call]) -> str:
    """Name the denied calls and the options that allow them."""
    say = "permit.allow_one" if len(calls) == 1 else "permit.allow"
    allow = words.say(say, options=permission.options_for(calls))
    return words.say("permit.sentences", first=name_denied(calls), second=allow)


def note_for_agent(calls: Sequence[Call], level: str) -> str:
    """Write a note for the agent about its denied calls, which no person rejected."""
    named = "\n".join(f"- {call}" for call in calls)
    return words.say("permit.note", calls=named, may=words.say(f"permit.may_{level}"))
