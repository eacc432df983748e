"""The questions of `ccc init`: which language, which preset, which name."""

import shutil

from ccc import failure, terminal, words
from ccc.commands import asking
from ccc.domain import names, presets
from ccc.errors import CccError
from ccc.storage import presets as shelf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ccc.domain.presets import Preset

OTHER = "0"
_LANGUAGES = {"1": "zh", "2": "en", "zh": "zh", "en": "en", "中文": "zh", "english": "en"}


def language() -> str:
    """The language that ccc shall speak."""
    default = "1" if words.chosen() == "zh" else "2"
    while True:
        typed = asking.line(words.say("init.ask_language"), default).casefold()
        if typed in _LANGUAGES:
            return _LANGUAGES[typed]
        terminal.tell(words.say("init.one_or_two"))


def preset(optional: bool) -> str:
    """A preset by number, name or part of a name; `OTHER` for an endpoint of the person's own."""
    known = shelf.load()
    _show_all(known)
    question = words.say("init.pick_optional" if optional else "init.pick")
    default = ""
    while True:
        typed = asking.line(question, default).casefold()
        if typed in (OTHER, default) and (typed or optional):
            return typed
        if typed.isdecimal() and 0 < int(typed) <= len(known):
            return list(known)[int(typed) - 1]
        fitting = presets.matching(known, typed)
        if len(fitting) == 1:
            terminal.tell(f"  {known[fitting[0]].title[words.chosen()]}")
            return fitting[0]
        # a name that is part of others, such as kimi, is one of several to choose from
        default = typed if typed in fitting else ""
        _show(known, fitting)
        if not fitting:
            terminal.tell(words.say("init.no_match", typed=typed))


def _show_all(known: "Mapping[str, Preset]") -> None:
    """All names with their numbers, in as many columns as there is room for."""
    cells = [f"{number:>3}) {name}" for number, name in enumerate(known, 1)]
    width = max(map(len, cells)) + 2
    columns = max(1, shutil.get_terminal_size().columns // width)
    rows = -(-len(cells) // columns)
    for row in range(rows):
        terminal.tell("".join(f"{cell:<{width}}" for cell in cells[row::rows]).rstrip())
    terminal.tell(f"  0) {words.say('init.other')}")


def _show(known: "Mapping[str, Preset]", some: list[str]) -> None:
    """Some of them, with what they are; all, where nothing was said."""
    if len(some) == len(known):
        return _show_all(known)
    for number, name in enumerate(known, 1):
        if name in some:
            terminal.tell(f"{number:>3}) {name:<18}{known[name].title[words.chosen()]}")
    return None


def free(name: str, taken: "Collection[str]") -> str:
    """The name, with a number where it is taken."""
    number = 1
    while (found := f"{name}-{number}" if number > 1 else name) in taken:
        number += 1
    return found


def name(default: str, taken: "Collection[str]") -> str:
    """A name for the provider that no other has."""
    from ccc.cli import COMMANDS

    while True:
        typed = asking.line(words.say("init.ask_name"), default)
        if typed in taken:
            failure.tell(CccError("provider.exists", name=typed), "")
        elif not names.is_provider_name(typed) or typed.endswith("-supervisor"):
            terminal.tell(words.say("provider.name"))
        elif typed in COMMANDS:
            terminal.tell(words.say("provider.reserved", name=typed))
        else:
            return typed
