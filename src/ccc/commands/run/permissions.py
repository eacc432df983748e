"""What an unattended agent may do: asked once, kept in ccc.json, given to claude."""

import os
from dataclasses import replace

from ccc import words
from ccc.claude import sandbox
from ccc.claude.formats import arguments, environment, permission, settings
from ccc.config import ccc_json, schema
from ccc.errors import CccError
from ccc.providers import layers
from ccc.storage import files
from ccc.storage.installation import users_settings
from ccc.system import terminal
from ccc.text import jsontext
from ccc.ui import prompts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccc.claude.formats.permission import Call
    from ccc.commands.launch import Launch
    from ccc.config.schema import Config
    from ccc.storage.paths import Paths

_SHOWN = 120


def ask() -> str:
    """Let the person choose one of the three levels."""
    terminal.tell("\n".join(terminal.wrap(words.say("permit.question"), prompts.width())))
    numbers = dict(enumerate(schema.LEVELS, 1))
    for number, level in numbers.items():
        choice = terminal.wrap(words.say(f"permit.choice_{level}"), prompts.width() - 5)
        terminal.tell(f"  {number}) " + "\n     ".join(choice))
    answers = {str(number): level for number, level in numbers.items()}
    answers |= {level: level for level in schema.LEVELS}
    while True:
        typed = prompts.line(words.say("permit.pick"), "1").casefold()
        if typed in answers:
            return answers[typed]
        terminal.tell(words.say("permit.again"))


def wanted(given: str, may_ask: bool, config: "Config | None") -> str:
    """What an option says, else what the person answers, who is asked once."""
    is_chosen = config is not None and config.run.permissions
    return given or (ask() if may_ask and not is_chosen else "")


def with_choice(text: str, level: str) -> str:
    """The text of ccc.json with the choice in it."""
    return jsontext.replace(text, ("run", "permissions"), level)


def first_choice(config: "Config", paths: "Paths") -> "Config":
    """The configuration with a choice: the person at the terminal is asked once."""
    if config.run.permissions or not prompts.possible() or not terminal.in_foreground(0):
        return config
    level = ask()
    with files.Lock(paths.locks) as lock:
        ccc_json.change(lock, paths, lambda text: with_choice(text, level))
    terminal.tell("✓ " + words.say("permit.kept", file=paths.config))
    return replace(config, run=replace(config.run, permissions=level))


def level_of(found: "Launch", rest: "Sequence[str]") -> str:
    """What the agent may do, by claude's arguments, ccc.json or the user's own settings."""
    level = permission.level_of(
        found.config.run.permissions, _mode(found, rest), users_settings(found.paths)
    )
    if level == permission.SANDBOX and not _has_sandbox(found):
        return permission.EDIT
    if level == permission.ALL and _is_refused(found.environ):
        raise CccError("permit.root", hint="permit.root_hint")
    return level


def permitted(found: "Launch", level: str, allow: "Sequence[str]") -> "Launch":
    """The launch whose settings let the agent work; what the user's own say is stronger."""
    checks = [each.command for each in ccc_json.checks_of(found.config, os.getcwd())]
    rules = [*found.config.run.allow, *allow]
    ours = permission.for_agent(level, level == permission.SANDBOX, checks, rules)
    folded = found.folded
    merged = layers.Layers(
        settings.merge(ours, folded.settings), folded.env, folded.plain, folded.overrides
    )
    return replace(found, folded=merged)


def path(found: "Launch", level: str) -> str:
    """The PATH in which claude looks for the agent's sandbox; nothing where it has none.

    A project's settings may set another one at any time, and its commands would be outside.
    """
    if level != permission.SANDBOX:
        return ""
    own = users_settings(found.paths).get("env")
    users = {**found.environ, **(own if isinstance(own, dict) else {}), **found.folded.env}
    return environment.with_own_path({"PATH": str(users.get("PATH", ""))})["PATH"]


def _mode(found: "Launch", rest: "Sequence[str]") -> str:
    """The permission mode that the user's own arguments or settings name."""
    given = [*found.always.rest, *rest]
    if any(each in arguments.NEVER_ASK for each in given):
        return permission.BYPASS
    if modes := arguments.values_of("--permission-mode", given):
        return modes[-1]
    own = found.folded.settings.get("permissions")
    return str(own.get("defaultMode", "")) if isinstance(own, dict) else ""


def _has_sandbox(found: "Launch") -> bool:
    """Whether claude's sandbox can run, and the user's settings don't switch it off."""
    own = found.folded.settings.get("sandbox")
    is_off = isinstance(own, dict) and own.get("enabled") is False
    return not is_off and sandbox.runs(os.getcwd())


def _is_refused(environ: "Mapping[str, str]") -> bool:
    """Whether claude refuses to work without permissions: it does so for root."""
    is_contained = environ.get("IS_SANDBOX") == "1" or environ.get("CLAUDE_CODE_BUBBLEWRAP")
    return os.geteuid() == 0 and not is_contained


def told(config: "Config", level: str) -> "Iterator[str]":
    """What the agent may do, as the beginning of a run tells it."""
    yield words.say(f"permit.level_{level}")
    if level == permission.EDIT and config.run.permissions != permission.EDIT:
        yield words.say("permit.no_sandbox")


def denied(calls: "Sequence[Call]") -> str:
    """What was denied."""
    named = words.say("comma").join(terminal.cut(str(call), _SHOWN) for call in calls)
    say = "permit.denied_one" if len(calls) == 1 else "permit.denied"
    text = words.say(say, counted=words.count("calls", len(calls)), calls=named)
    nameless = [call for call in calls if not permission.rules_for(call)]
    if not nameless:
        return text
    return words.say("permit.sentences", first=text, second=words.say("permit.no_rule"))


def describe(calls: "Sequence[Call]") -> str:
    """What was denied, and the option that allows it."""
    say = "permit.allow_one" if len(calls) == 1 else "permit.allow"
    allow = words.say(say, options=permission.options_for(calls))
    return words.say("permit.sentences", first=denied(calls), second=allow)


def note_for_agent(calls: "Sequence[Call]", level: str) -> str:
    """What the agent is told of its denied calls: nobody has rejected them."""
    named = "\n".join(f"- {call}" for call in calls)
    return words.say("permit.note", calls=named, may=words.say(f"permit.may_{level}"))
