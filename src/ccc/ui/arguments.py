"""The command lines that people write: one way to read them, and to say what is wrong."""

import argparse
import os
import re

from ccc import words
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.text import names, redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from ccc.storage.paths import Paths

# what argparse says, which is English, and the message that says it
_SAYS = (
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
    # what a check of ours says, which is in the person's language already
    (r"argument (?P<what>.*?): (?P<value>.*)", "usage.about"),
)


class Parser(argparse.ArgumentParser):
    """A command's options; a mistake is an error for people, with where its usage is as its remedy.

    The usage is the message `<command>.usage`. `--help` and `--no-color` are there everywhere.
    """

    def __init__(self, command: str, unknown: str = "usage.unknown") -> None:
        super().__init__(prog=f"ccc {command}", add_help=False, allow_abbrev=False)
        self._command = command
        self._unknown = unknown
        self.add_argument("--help", "-h", action="store_true")
        self.add_argument("--no-color", "--no-colour", action=_NoColor, nargs=0)

    def add_flags(self, *names: str) -> None:
        """Options that are given or not."""
        for name in names:
            self.add_argument(name, action="store_true")

    def error(self, message: str) -> "NoReturn":
        """Say what is wrong."""
        for pattern, meaning in _SAYS:
            if found := re.fullmatch(pattern, message, re.DOTALL):
                message = self._explained(meaning, found.groupdict())
                break
        raise CccError("usage.wrong", hint="usage.see", command=self._command, problem=message)

    def _explained(self, meaning: str, found: dict[str, str]) -> str:
        """The mistake in words, with the option that was probably meant; a key is not shown."""
        found = {k: "…" if redaction.looks_like_a_key(v) else v for k, v in found.items()}
        found["choices"] = found.get("choices", "").replace("'", "")
        if meaning != "usage.unknown":
            return words.say(meaning, **found)
        option = found["what"].split()[0].partition("=")[0]
        near = ""
        if option.startswith("--"):
            near = names.nearest(option, self._option_string_actions, 0.7)
        if near:
            return words.say("usage.nearest", problem=words.say(meaning, what=option), near=near)
        return words.say(self._unknown, **found)

    def said(self, line: list[str]) -> argparse.Namespace | None:
        """What the line says; None where it asked for help, which is printed."""
        if "--help" in line or "-h" in line:
            print(words.say(f"{self._command}.usage"))
            return None
        return self.parse_intermixed_args(line)

    def begin(self, line: list[str]) -> "tuple[Paths, argparse.Namespace]":
        """Speak the configured language and read the line; one that asks for help ends here."""
        where = ccc_json.speak()
        said = self.said(line)
        if said is None:
            # a reader who went away is noticed now, as at the end of any command
            print(end="", flush=True)
            self.exit()
        return where, said


class _NoColor(argparse.Action):
    def __call__(self, *_: object) -> None:
        os.environ["NO_COLOR"] = "1"


def within(text: str, least: float, most: float, kind: "Callable[[str], float]" = float) -> float:
    """The number that an option was given, between two bounds."""
    try:
        number = kind(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(words.say("usage.range", least=least, most=most))
    return number
