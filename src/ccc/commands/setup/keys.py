"""Where a provider's key comes from: a hidden question, stdin, a command, a variable.

Never an argument: those stand in the shell's history and in the list of processes.
"""

import argparse
import re
import shlex
import sys

from ccc import words
from ccc.claude.formats import environment
from ccc.errors import CccError
from ccc.system import terminal
from ccc.text import redaction
from ccc.ui import prompts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.ui.arguments import Parser

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMED = re.compile(r"\$(\{)?([A-Za-z_][A-Za-z0-9_]*)(?(1)\})")
_MEANT_AS_KEY = re.compile(r"--?(api-?)?(key|token|secret|auth-token|password)(=.*)?", re.DOTALL)


def options(parser: "Parser") -> None:
    """The ways to give a key."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--key-stdin", action="store_true")
    group.add_argument("--key-command")
    group.add_argument("--key-env")


def read(parser: "Parser", line: list[str]) -> argparse.Namespace:
    """What the line says; a mistake is told without any value, which may be a key."""
    said, extra = parser.parse_known_intermixed_args(line)
    refuse(extra)
    if extra:
        options = [word.partition("=")[0] for word in extra if word.startswith("-")]
        # in argparse's words, so that the nearest option is named
        parser.error(f"unrecognized arguments: {' '.join(options) or '…'}")
    return said


def refuse(line: "list[str]") -> None:
    """Refuse a key where none can stand, without showing it."""
    if any(_MEANT_AS_KEY.fullmatch(word) or redaction.is_no_name(word) for word in line):
        raise CccError("provider.key_argument", hint="provider.key_ways")


def variables(pairs: "list[str]") -> dict[str, str]:
    """The variables of `--env NAME=VALUE`; one that may be a secret is refused, and not shown."""
    found = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not _VARIABLE.fullmatch(name):
            raise CccError("provider.env_form", hint="usage.see", command="provider")
        # the address of an endpoint is no secret, unless there is a password in it
        if value and environment.is_telling(name, value.replace("://", "")):
            raise CccError("provider.env_secret", hint="provider.key_ways", name=name)
        found[name] = value
    return found


def given(said: argparse.Namespace) -> object:
    """The value for ccc.json that the options say; None where they say nothing of a key."""
    if said.key_stdin:
        if prompts.possible():
            # nothing is piped in: what is typed must not be seen
            return usable(prompts.hidden(words.say("provider.ask_stdin")))
        return usable(sys.stdin.readline().strip() if sys.stdin else "")
    if said.key_command is not None:
        return from_command(said.key_command)
    if said.key_env is not None:
        return from_variable(said.key_env)
    return None


def is_given(said: argparse.Namespace) -> bool:
    """Whether the options say where the key comes from."""
    return bool(said.key_stdin) or said.key_command is not None or said.key_env is not None


def asked() -> object:
    """The value that the person types, unseen; Enter alone leads to a command or a variable."""
    while True:
        try:
            typed = prompts.hidden(words.say("provider.ask_key"))
            if found := _named(typed) or (_received(typed) if typed else _source()):
                return found
        except CccError as error:
            prompts.object_to(str(error))


def _received(typed: str) -> str:
    """The key, once it is one; acknowledged by its length and no more than its last characters."""
    key = usable(typed)
    shown = {"count": len(key), "end": key[-4:]}
    terminal.tell(
        words.say("provider.key_got" if len(key) >= 20 else "provider.key_short", **shown)
    )
    return key


def _source() -> object:
    """The command or the variable that the person types; None where it is neither after all."""
    while typed := prompts.line(words.say("provider.ask_source"), is_key=environment.has_key):
        try:
            if found := _named(typed):
                return found
            return from_variable(typed[1:]) if typed[0] == "$" else from_command(typed)
        except CccError as error:
            prompts.object_to(str(error))
    return None


def _named(typed: str) -> object:
    """The variable, where `$NAME` is typed in place of a key."""
    found = _NAMED.fullmatch(typed)
    return from_variable(found[2]) if found else None


def from_command(text: str) -> object:
    """A command whose first line is the key."""
    try:
        command = shlex.split(text)
    except ValueError:
        command = []
    if not command:
        raise CccError("provider.key_command", hint="provider.key_ways")
    if any(environment.has_key(word) for word in command):
        raise CccError("provider.key_argument", hint="provider.key_ways")
    return {"command": command}


def from_variable(name: str) -> object:
    """A variable of the person's."""
    if not _VARIABLE.fullmatch(name) or environment.is_telling("", name):
        # it may be the key itself, which must not be shown
        raise CccError("provider.key_variable", hint="provider.key_ways")
    return {"env": name}


def usable(key: str) -> str:
    """The key, if an HTTP header can hold it."""
    if not key:
        raise CccError("provider.key_empty", hint="provider.key_ways")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise CccError("provider.key_odd", hint="provider.key_ways")
    return key
