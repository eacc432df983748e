"""The questions of `ccc init`: language, preset and name."""

import shutil
from collections.abc import Collection, Mapping

from ccc import words
from ccc.providers import presets
from ccc.providers.presets import Preset
from ccc.setup import provider_options
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.text import redaction
from ccc.ui import prompts

OTHER, _MORE = "0", "m"
_LANGUAGES = {"1": "zh", "2": "en", "zh": "zh", "en": "en", "中文": "zh", "english": "en"}
_MAX_WIDTH = 120


def language() -> str:
    """Ask for ccc's language."""
    default = "1" if words.current_language() == "zh" else "2"
    question, wrong = words.say("init.ask_language"), words.say("init.one_or_two")
    return prompts.choose(question, _LANGUAGES, default, wrong)


def preset(optional: bool) -> str:
    """Ask for a preset by number, name or part of a name; `OTHER` means the user's endpoint."""
    known = presets.by_rank(presets.load())
    first = [name for name, each in known.items() if each.rank]
    _show(known, first)
    rest = words.say("init.more", count=len(known) - len(first))
    terminal.tell(f"  {_MORE}) {rest}\n  {OTHER}) {words.say('init.other')}")
    question = words.say("init.pick_optional" if optional else "init.pick")
    default = ""
    while True:
        typed = prompts.line(question, default, redaction.is_no_name).casefold()
        if typed == OTHER or (not typed and optional):
            return typed
        matches = _matches(known, typed, default)
        if len(matches) == 1:
            terminal.tell(f"→ {known[matches[0]].title[words.current_language()]}")
            return matches[0]
        # a name that is part of others, such as kimi, becomes the default for the next question
        default = typed if typed in matches else ""
        if typed == _MORE:
            _show_all(known)
        elif matches:
            _show(known, matches)
        else:
            terminal.tell(words.say("init.no_match" if typed else "init.pick_empty", typed=typed))


def _matches(known: Mapping[str, Preset], typed: str, default: str) -> list[str]:
    if typed.isdecimal() and 0 < int(typed) <= len(known):
        return [list(known)[int(typed) - 1]]
    if typed and typed == default:
        return [typed]
    return presets.search(known, typed) if typed not in ("", _MORE) else []


def _show(known: Mapping[str, Preset], some: Collection[str]) -> None:
    """Show each preset's number, name, title and the site that issues its keys."""
    screen = min(shutil.get_terminal_size().columns, _MAX_WIDTH)
    names = max(map(len, some)) + 1
    titles = {name: known[name].title[words.current_language()] for name in some}
    widest = max(map(terminal.width, titles.values())) + 2
    for number, name in enumerate(known, 1):
        if name in some:
            gap = " " * (widest - terminal.width(titles[name]))
            line = f"{number:>3}) {name:<{names}}{titles[name]}{gap}"
            host = known[name].key_page.partition("/")[0]
            terminal.tell((line + terminal.cut(host, screen - terminal.width(line))).rstrip())


def _show_all(known: Mapping[str, Preset]) -> None:
    """Show all presets in two columns, so that they fit in a small window."""
    column = (min(shutil.get_terminal_size().columns, _MAX_WIDTH) - 2) // 2
    names = max(map(len, known)) + 1
    cells = [
        f"{number:>3}) {name:<{names}}"
        + terminal.cut(each.title[words.current_language()], column - names - 5)
        for number, (name, each) in enumerate(known.items(), 1)
    ]
    half = -(-len(cells) // 2)
    for left, right in zip(cells[:half], [*cells[half:], ""], strict=False):
        terminal.tell(left + " " * (column + 2 - terminal.width(left)) + right)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number appended if it is taken."""
    number = 1
    while (free := f"{name}-{number}" if number > 1 else name) in taken:
        number += 1
    return free


def name(paths: Paths, default: str, taken: Collection[str]) -> str:
    """Ask for a valid name for the new provider."""
    while True:
        typed = prompts.line(words.say("init.ask_name"), default, redaction.is_no_name)
        if typed in taken:
            problem = words.say("provider.exists", name=typed)
        else:
            problem = provider_options.name_problem(paths, typed)
        if not problem:
            return typed
        prompts.object_to(problem, typed)
