"""The command-line parser of all commands, with errors in the user's language."""

import argparse
import os
import re
from collections.abc import Callable, Collection
from typing import Any, NoReturn

import ccc
from ccc import words
from ccc.claude.formats import permission
from ccc.command_table import COMMANDS
from ccc.config import ccc_json, schema
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.text import names, redaction

# argparse's English errors, and the keys of ccc's messages for them
_MESSAGES = (
    (r"unrecognized arguments: (?P<what>.*)", "usage.unknown"),
    (r"the following arguments are required: (?P<what>.*)", "usage.missing"),
    (r"argument (?P<what>.*?): expected (\w+ )*arguments?", "usage.no_value"),
    (
        r"argument (?P<what>.*?): invalid choice: '?(?P<value>[^']*)'? "
        r"\(choose from (?P<choices>.*)\)",
        "usage.not_choice",
    ),
    (r"argument (?P<what>.*?): invalid .*?: '?(?P<value>[^']*)'?.*", "usage.not_number"),
    (r"argument (?P<what>.*?): not allowed with argument (?P<value>.*)", "usage.not_both"),
    (r"argument (?P<what>.*?): ignored explicit argument .*", "usage.takes_none"),
    # errors from `number` and similar functions, already in the user's language
    (r"argument (?P<what>.*?): (?P<value>.*)", "usage.about"),
)


class Parser(argparse.ArgumentParser):
    """A command's options, with `--help` and `--no-color`; its usage is `<command>.usage`."""

    def __init__(self, command: str, unknown: str = "usage.unknown") -> None:
        super().__init__(prog=f"ccc {command}", add_help=False, allow_abbrev=False)
        self._command = command
        self._unknown = unknown
        self.add_argument("--help", "-h", action="store_true")
        self.add_argument("--no-color", "--no-colour", action=_NoColor, nargs=0)

    def add_flags(self, *names: str) -> None:
        """Add options without a value."""
        for name in names:
            self.add_argument(name, action="store_true")

    def add_bounds(self) -> None:
        """Add what a run may do and cost: the agent's permissions, and the limits of ccc.json."""
        self.add_argument("--allow", action="append", type=_rule, default=[])
        for name, (least, most, _) in schema.LIMITS.items():
            amount = number(least, most, type(getattr(schema.DEFAULTS, name)))
            self.add_argument(f"--{name.replace('_', '-')}", type=amount)

    def error(self, message: str) -> NoReturn:
        """Raise the error in the user's language."""
        for pattern, name in _MESSAGES:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                message = self._explain(name, match.groupdict())
                break
        raise CccError("usage.wrong", hint="usage.see", command=self._command, problem=message)

    def _explain(self, name: str, params: dict[str, str]) -> str:
        """Explain the mistake and suggest the nearest option, without showing keys."""
        params = {k: "…" if redaction.looks_like_a_key(v) else v for k, v in params.items()}
        params["choices"] = params.get("choices", "").replace("'", "")
        if name != "usage.unknown":
            return words.say(name, **params)
        option = params["what"].split()[0].partition("=")[0]
        is_long = option.startswith("--")
        if is_long and (near := names.nearest(option, self._option_string_actions, 0.7)):
            return words.say("usage.nearest", problem=words.say(name, what=option), near=near)
        return words.say(self._unknown, **params)

    def parse(self, line: list[str]) -> argparse.Namespace | None:
        """Parse the line; if it asks for help, print the usage and return None."""
        if "--help" in line or "-h" in line:
            print(usage(self._command))
            return None
        return self.parse_intermixed_args(line)

    def begin(self, line: list[str]) -> tuple[Paths, argparse.Namespace]:
        """Set the configured language and parse the line; exit after printing help."""
        where = ccc_json.set_language()
        parsed = self.parse(line)
        if parsed is None:
            # detect a closed stdout now, as at the end of any command
            print(end="", flush=True)
            self.exit()
        return where, parsed


class _NoColor(argparse.Action):
    def __call__(self, *_: object) -> None:
        os.environ["NO_COLOR"] = "1"


def number(least: float, most: float, kind: Callable[[str], float] = int) -> Callable[[str], Any]:
    """Return what reads an option's value as a number between two bounds."""

    def read(text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            found = least - 1
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(words.say("usage.range", least=least, most=most))
        return found

    return read


def usage(command: str) -> str:
    """Return the usage of a command, with the options for the limits of ccc.json."""
    key = f"{COMMANDS.get(command, command).partition('.')[0]}.usage"
    names = {f"--{name.replace('_', '-')}\xa0N": name for name in schema.LIMITS}
    lines = "\n  ".join(f"{each:21} {words.text(f'option.{names[each]}')}" for each in names)
    text = words.say(key, version=ccc.__version__, limits=lines, options=", ".join(names))
    # an option stays on one line with its value
    return "\n".join(terminal.wrap(text, 80)).replace("\xa0", " ")


def given_limits(options: argparse.Namespace) -> dict[str, Any]:
    """Return the limits of a run that the user has given."""
    return {name: n for name in schema.LIMITS if (n := getattr(options, name)) is not None}


def unknown_verb(command: str, verb: str, known: Collection[str]) -> CccError:
    """Return the error about a verb that the command doesn't have, with the nearest one."""
    near = names.nearest(verb, known)
    return CccError(
        "command.unknown" if near else "usage.wrong",
        hint="usage.see",
        command=command,
        problem=words.say("usage.unknown", what=verb),
        word=f"{command} {verb}",
        near=f"{command} {near}",
    )


def _rule(text: str) -> str:
    if not permission.is_rule(text.strip()):
        raise argparse.ArgumentTypeError(words.say("run.not_rule", rule=text))
    return text.strip()
