"""The questions of `ccc init`: which language, which preset, which name."""

import shutil

from ccc import words
from ccc.providers import presets
from ccc.system import terminal
from ccc.text import names, redaction
from ccc.ui import prompts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ccc.providers.presets import Preset

OTHER, _MORE = "0", "m"
_LANGUAGES = {"1": "zh", "2": "en", "zh": "zh", "en": "en", "中文": "zh", "english": "en"}
_WIDEST = 120


def language() -> str:
    """The language that ccc shall speak."""
    default = "1" if words.chosen() == "zh" else "2"
    while True:
        typed = prompts.line(words.say("init.ask_language"), default).casefold()
        if typed in _LANGUAGES:
            return _LANGUAGES[typed]
        terminal.tell(words.say("init.one_or_two"))


def preset(optional: bool) -> str:
    """A preset by number, name or part of a name; `OTHER` for an endpoint of the person's own."""
    known = presets.by_rank(presets.load())
    _show_wanted(known)
    question = words.say("init.pick_optional" if optional else "init.pick")
    default = ""
    while True:
        typed = prompts.line(question, default, redaction.is_no_name).casefold()
        if typed == OTHER or (not typed and optional):
            return typed
        if chosen := _chosen(known, typed, default):
            terminal.tell(f"→ {known[chosen].title[words.chosen()]}")
            return chosen
        fitting = presets.search(known, typed) if typed not in ("", _MORE) else []
        # a name that is part of others, such as kimi, is one of several to choose from
        default = typed if typed in fitting else ""
        if typed == _MORE:
            _show_all(known)
        elif fitting:
            _show(known, fitting)
        else:
            terminal.tell(words.say("init.no_match" if typed else "init.pick_empty", typed=typed))


def _chosen(known: "Mapping[str, Preset]", typed: str, default: str) -> str:
    """The preset that the answer names, or nothing."""
    if typed.isdecimal() and 0 < int(typed) <= len(known):
        return list(known)[int(typed) - 1]
    if typed and typed == default:
        return typed
    fitting = presets.search(known, typed) if typed not in ("", _MORE) else []
    return fitting[0] if len(fitting) == 1 else ""


def _show_wanted(known: "Mapping[str, Preset]") -> None:
    """The presets that most people look for, and how to see the others."""
    wanted = [name for name, each in known.items() if each.rank]
    _show(known, wanted)
    rest = words.say("init.more", count=len(known) - len(wanted))
    terminal.tell(f"  {_MORE}) {rest}\n  {OTHER}) {words.say('init.other')}")


def _show(known: "Mapping[str, Preset]", some: "Collection[str]") -> None:
    """Some of them: number, name, what it is, where its key comes from."""
    wide = min(shutil.get_terminal_size().columns, _WIDEST)
    longest = max(map(len, some), default=0) + 1
    titles = max((terminal.width(known[n].title[words.chosen()]) for n in some), default=0) + 2
    for number, name in enumerate(known, 1):
        if name in some:
            title = known[name].title[words.chosen()]
            gap = " " * (titles - terminal.width(title))
            host = known[name].key_page.partition("/")[0]
            line = f"{number:>3}) {name:<{longest}}{title}{gap}"
            terminal.tell((line + terminal.cut(host, wide - terminal.width(line))).rstrip())


def _show_all(known: "Mapping[str, Preset]") -> None:
    """All of them in two columns, so that they fit a small window."""
    wide = (min(shutil.get_terminal_size().columns, _WIDEST) - 2) // 2
    longest = max(map(len, known)) + 1
    cells = [
        f"{number:>3}) {name:<{longest}}"
        + terminal.cut(each.title[words.chosen()], wide - longest - 5)
        for number, (name, each) in enumerate(known.items(), 1)
    ]
    half = -(-len(cells) // 2)
    for left, right in zip(cells[:half], [*cells[half:], ""], strict=False):
        terminal.tell(left + " " * (wide + 2 - terminal.width(left)) + right)


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
        typed = prompts.line(words.say("init.ask_name"), default, redaction.is_no_name)
        if typed in taken:
            prompts.object_to(words.say("provider.exists", name=typed))
        elif not names.is_provider_name(typed) or typed.endswith("-supervisor"):
            prompts.object_to(words.say("provider.name"))
        elif typed in COMMANDS:
            prompts.object_to(words.say("provider.reserved", name=typed), typed)
        else:
            return typed
