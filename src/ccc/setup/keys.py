"""Get a provider's key from a hidden prompt, stdin, a command or a variable.

Never from an argument, because arguments end up in the shell's history and the process list.
"""

import argparse
import re
import shlex
import sys

from ccc import words
from ccc.errors import CccError
from ccc.system import terminal
from ccc.text import redaction
from ccc.ui import prompts
from ccc.ui.arguments import Parser

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REFERENCE = re.compile(r"\$(\{)?([A-Za-z_][A-Za-z0-9_]*)(?(1)\})")
_KEY_OPTION = re.compile(r"--?(api-?)?(key|token|secret|auth-token|password)(=.*)?", re.DOTALL)


def add_options(parser: Parser) -> None:
    """Add the options for the key."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--key-stdin", action="store_true")
    group.add_argument("--key-command")
    group.add_argument("--key-env")


def parse(parser: Parser, line: list[str]) -> argparse.Namespace:
    """Parse the options; errors show no values, because they may be keys."""
    options, extra = parser.parse_known_intermixed_args(line)
    refuse(extra)
    if extra:
        unknown = [word.partition("=")[0] for word in extra if word.startswith("-")]
        # argparse's wording, so that the parser can suggest the nearest option
        parser.error(f"unrecognized arguments: {' '.join(unknown) or '…'}")
    return options


def refuse(line: list[str]) -> None:
    """Refuse a key as an argument, without showing it."""
    if any(_KEY_OPTION.fullmatch(word) or redaction.is_no_name(word) for word in line):
        raise _error("provider.key_argument")


def variables(pairs: list[str]) -> dict[str, str]:
    """Parse `--env NAME=VALUE`; refuses a value that may be a secret."""
    values = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not _VARIABLE.fullmatch(name):
            raise CccError("provider.env_form", hint="usage.see", command="provider")
        # a URL isn't a secret unless it contains a password
        if value and redaction.may_be_secret(name, value.replace("://", "")):
            raise CccError("provider.env_secret", hint="provider.key_ways", name=name)
        values[name] = value
    return values


def has_key(options: argparse.Namespace) -> bool:
    """Return whether the options say where the key comes from."""
    return bool(options.key_stdin) or options.key_command is not None or options.key_env is not None


def from_options(options: argparse.Namespace) -> object:
    """Return the key's value for ccc.json, or None if the options don't mention a key."""
    if options.key_stdin:
        if prompts.is_interactive():
            # nothing is piped in, so hide what the user types
            return _check_key(prompts.secret(words.say("provider.ask_stdin")))
        return _check_key(sys.stdin.readline().strip() if sys.stdin else "")
    if options.key_command is not None:
        return _command(options.key_command)
    return _variable(options.key_env) if options.key_env is not None else None


def ask() -> object:
    """Ask for the key with a hidden prompt; if it is left empty, for a command or variable."""
    while True:
        try:
            typed = prompts.secret(words.say("provider.ask_key"))
            if key := _reference(typed) or (_check_key(typed) if typed else _ask_source()):
                if key == typed:  # show its length and last characters as confirmation
                    message = "provider.key_got" if len(typed) >= 20 else "provider.key_short"
                    terminal.tell(words.say(message, count=len(typed), end=typed[-4:]))
                return key
        except CccError as error:
            prompts.object_to(str(error))


def _ask_source() -> object:
    """Ask for a command or variable; return None if the answer is empty."""
    while typed := prompts.line(words.say("provider.ask_source"), is_key=redaction.has_key):
        try:
            if key := _reference(typed):
                return key
            return _variable(typed[1:]) if typed[0] == "$" else _command(typed)
        except CccError as error:
            prompts.object_to(str(error))
    return None


def _reference(typed: str) -> object:
    """Return the variable if the user typed `$NAME` instead of a key."""
    match = _REFERENCE.fullmatch(typed)
    return _variable(match[2]) if match else None


def _command(text: str) -> object:
    """Parse a command that prints the key on its first line."""
    try:
        command = shlex.split(text)
    except ValueError:
        command = []
    if not command:
        raise _error("provider.key_command")
    if any(redaction.has_key(word) for word in command):
        raise _error("provider.key_argument")
    return {"command": command}


def _variable(name: str) -> object:
    if not _VARIABLE.fullmatch(name) or redaction.may_be_secret("", name):
        # don't show it: it may be the key itself
        raise _error("provider.key_variable")
    return {"env": name}


def _check_key(key: str) -> str:
    """Return the key; raise CccError if it can't be sent in an HTTP header."""
    if not key:
        raise _error("provider.key_empty")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise _error("provider.key_odd")
    return key


def _error(message: str) -> CccError:
    return CccError(message, hint="provider.key_ways")
