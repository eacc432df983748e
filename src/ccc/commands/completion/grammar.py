"""What can stand at a place of ccc's command line, read from what the commands say of themselves.

A usage begins with its synopsis (`Usage: ccc prompt init [--project]`); behind it options and
verbs stand indented, with what they mean behind two spaces or more.
"""

import re
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")
_VALUE = r"""\"?[A-Z][\w=]*\"?|[a-z]+(?:\|[a-z]+)+"""
_WITH_VALUE = re.compile(rf"(?<![\w-])(--?[a-zA-Z][\w-]*)[ =]({_VALUE})(?![\w])")
_WORDS = re.compile(r"[a-z][a-z-]*(?:\|[a-z][a-z-]*)*")
_GAP = re.compile(r"\s{2,}")
FIRST = ("--supervisor", "--help", "--version")
PROVIDER, SESSION, PRESET = "PROVIDER", "SESSION", "PRESET"
"""What a word in capitals stands for; a NAME is a provider's."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A command: its options with their values, its first words, and what those are followed by."""

    options: "Mapping[str, str]" = field(default_factory=dict)
    """Each option with the name of its value, or nothing."""
    verbs: "Mapping[str, str]" = field(default_factory=dict)
    """Each word that may come first, with the text that stands for what follows it."""
    synopsis: str = ""


def shape(command: str, usage: str) -> Shape:
    """The shape that the usage tells."""
    lines = [line for line in usage.splitlines() if line.strip()]
    synopsis = lines[0].partition(f"ccc {command}")[2] if lines else ""
    columns = [_GAP.split(line.strip())[0] for line in lines[1:] if line.startswith(" ")]
    # an example shows options too, which may be claude's
    tables = [text for text in columns if not text.startswith("ccc ")]
    options: dict[str, str] = {}
    for text in (synopsis, *tables):
        found = dict.fromkeys(_OPTION.findall(text), "")
        found |= dict(_WITH_VALUE.findall(text))
        options |= {name: value for name, value in found.items() if not options.get(name)}
    verbs: dict[str, str] = {}
    first = synopsis.strip().strip("[]()").split(" ")[0].strip("[]()")
    if first != "options" and _WORDS.fullmatch(first):
        verbs = dict.fromkeys(first.split("|"), synopsis)
    elif first.startswith("<"):
        for text in columns:
            verb, _, rest = text.partition(" ")
            if _WORDS.fullmatch(verb):
                verbs[verb] = f"{verbs.get(verb, '')} {rest}"
    return Shape(options, verbs, synopsis)


def candidates(
    line: "Sequence[str]",
    commands: "Sequence[str]",
    shape_of: "Callable[[str], Shape]",
    names: "Mapping[str, Callable[[], Sequence[str]]]",
) -> list[str]:
    """What the last word of the line can be; nothing where it is claude's, or a file."""
    *before, last = line or [""]
    if not before:
        found = [*commands, *FIRST, *names[PROVIDER]()]
    elif before == ["--supervisor"]:
        found = [*names[PROVIDER]()]
    elif before == ["help"]:
        found = [*commands]
    elif before[0] in commands and "--" not in before:
        known = shape_of(before[0])
        found = _within(known, before[1:], last, names)
    else:
        found = []
    return [word for word in dict.fromkeys(found) if word.startswith(last)]


def _within(
    known: Shape,
    before: "Sequence[str]",
    last: str,
    names: "Mapping[str, Callable[[], Sequence[str]]]",
) -> list[str]:
    if last.startswith("-"):
        return [*known.options, "--help"]
    value = known.options.get(before[-1], "") if before else ""
    if "|" in value:
        return value.split("|")
    if value:
        kind = PROVIDER if before[-1] == "--provider" else value
        return [*names[kind]()] if kind in names else []
    said = [word for word in before if not word.startswith("-")]
    if known.verbs and not said:
        return [*known.verbs]
    text = known.verbs.get(said[0], "") if known.verbs and said else known.synopsis
    kinds = _positional(text)
    if "NAME" in kinds and PRESET not in kinds:  # the name of a new one is known to nobody
        kinds.add(PROVIDER)
    return [word for kind, words in names.items() if kind in kinds for word in words()]


def _positional(text: str) -> set[str]:
    """The names of what is not an option's value."""
    return set(re.findall(r"[A-Z]+", _WITH_VALUE.sub("", text)))
