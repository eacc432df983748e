"""`ccc completion SHELL`: print a script that lets the shell complete ccc's command line.

The scripts only run `ccc completion --words`, which reads the commands' own parsers. So they pick
up new commands, options and providers immediately. `--described` adds a tab and a description to
words that have one, for shells that show it: of commands and options, from the usages.
"""

import argparse
import importlib
import os
from collections.abc import Sequence

from ccc.backlog import task_numbers
from ccc.command_table import COMMANDS, INTERNAL
from ccc.config import ccc_json
from ccc.providers import presets
from ccc.sessions import overview_reader
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import formatting, table
from ccc.ui.arguments import Parser, usage

_MAX_SESSIONS = 50
_TASK_WIDTH = 50
_FIRST_OPTIONS = ("--supervisor", "--help", "--version")
_BASH = """\
_ccc() {
    local line kind=--words
    # bash only lists the candidates: what is added to them isn't inserted
    [[ $COMP_TYPE != 63 ]] || kind=--described
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line/$'\\t'/  }")
    done < <(command ccc completion $kind "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _ccc ccc
"""
_ZSH = """\
#compdef ccc
_ccc() {
    local -a lines candidates shown
    lines=(${(f)"$(command ccc completion --described "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    candidates=(${lines%%$'\\t'*})
    shown=(${lines/$'\\t'/  -- })
    if [[ "$lines" == *$'\\t'* ]]; then
        compadd -l -V described -d shown -a candidates
    elif (( $#candidates )); then
        compadd -a candidates
    else
        _files
    fi
}
if [ "$funcstack[1]" = "_ccc" ]; then
    _ccc "$@"
else
    compdef _ccc ccc
fi
"""
_FISH = """\
function __ccc_words
    set -l line (commandline -opc)
    set -e line[1]
    command ccc completion --described $line "$(commandline -ct)" 2>/dev/null
end
complete -c ccc -n 'test (count (__ccc_words)) -gt 0' -f -k -a '(__ccc_words)'
"""
SHELLS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def main(line: list[str]) -> int:
    """Print the shell's script, or the candidates for the last word."""
    if line[:1] in (["--words"], ["--described"]):
        try:
            matches = candidates(line[1:])
        except Exception:  # pressing Tab must never show an error
            matches = []
        if line[0] == "--words":
            matches = [word.partition("\t")[0] for word in matches]
        else:
            matches = _with_descriptions(matches, line[1] if len(line) > 2 else "help")
        print("".join(f"{word}\n" for word in matches), end="")
        return 0
    _, options = build_parser().begin(line)
    print(SHELLS[options.shell], end="")
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc completion`."""
    parser = Parser("completion")
    parser.add_argument("shell", choices=list(SHELLS), metavar="|".join(SHELLS))
    return parser


def candidates(line: Sequence[str]) -> list[str]:
    """Return the candidates for the last word; none if it is claude's argument or a file.

    A tab separates a candidate from its description.
    """
    *before, last = line or [""]
    commands = [name for name in COMMANDS if name not in INTERNAL]
    if not before:
        choices = [*commands, *_FIRST_OPTIONS, *_providers()]
    elif before == ["--supervisor"]:
        choices = _providers()
    elif before[0] == "help":
        choices = commands if len(before) == 1 else []
    elif before[0] in commands and "--" not in before:
        choices = arguments(*parser_for(before[0], before[1:]), last)
    else:
        choices = []
    return [word for word in dict.fromkeys(choices) if word.startswith(last)]


def parser_for(command: str, before: Sequence[str]) -> tuple[Parser, Sequence[str]]:
    """Return the parser of the command or its verb, and the words for it."""
    module = importlib.import_module(f"ccc.commands.{COMMANDS[command]}")
    if before and before[0] in getattr(module, "VERBS", ()):
        return module.build_parser(before[0]), before[1:]
    return module.build_parser(), before


def arguments(parser: Parser, before: Sequence[str], last: str) -> list[str]:
    """Return the candidates that can follow these words of a command."""
    actions = parser._actions
    if last.startswith("-"):
        named = [each for each in actions if each.option_strings]
        return [each.option_strings[0] for each in named if each.help != argparse.SUPPRESS]
    takes_value = {
        name: action for action in actions for name in action.option_strings if action.nargs != 0
    }
    if before and before[-1] in takes_value:
        return _values(takes_value[before[-1]], last)
    pairs = zip(["", *before], before, strict=False)
    words = [w for previous, w in pairs if w[:1] != "-" and previous not in takes_value]
    positionals = [action for action in actions if not action.option_strings]
    if len(words) < len(positionals):
        return _values(positionals[len(words)], last)
    is_repeated = bool(positionals) and positionals[-1].nargs in ("*", "+")
    return _values(positionals[-1], last) if is_repeated else []


def _values(action: argparse.Action, last: str) -> list[str]:
    """Return the values of an argument; its name shows if it is a provider, preset or session.

    An argument with `states` is the number of a task in one of them; `offered` are some of the
    values that an argument can have.
    """
    if action.choices is not None:
        return list(action.choices)
    if offered := getattr(action, "offered", ()):
        return list(offered)
    if (states := getattr(action, "states", None)) is not None:
        tasks = task_numbers.find(Paths(os.environ), os.environ, last, states)
        return [f"{number}\t{title}" for number, title in tasks]
    if action.dest.lower().startswith("preset"):
        return list(presets.load())
    if action.dest.lower().startswith("provider"):
        return _providers()
    return _sessions() if action.dest.lower().startswith("session") else []


def _with_descriptions(choices: list[str], command: str) -> list[str]:
    """Add the descriptions that commands and options have in the usage, which is for people."""
    ccc_json.set_language()
    lines = usage(command).splitlines() if command in COMMANDS else ()
    told: dict[str, str] = {}
    for left, _, text in (line.strip().partition("  ") for line in lines):
        told |= {word.rstrip(","): text.strip() for word in left.split()[:2]}
    return [f"{each}\t{told[each]}" if told.get(each) else each for each in choices]


def _providers() -> list[str]:
    config, _ = ccc_json.try_load(Paths(os.environ))
    return list(config.providers) if config else []


def _sessions() -> list[str]:
    where, found = Paths(os.environ), []
    for _, session in sessions.newest(where.state_dir, _MAX_SESSIONS)[0]:
        seen, described = overview_reader.read(where, session), ""
        if seen and seen.request:
            request = table.cut(terminal.plain(seen.request), _TASK_WIDTH)
            described = f"\t{formatting.age(seen.changed_at)}  {request}"
        found.append(session + described)
    return found
