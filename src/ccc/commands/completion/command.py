"""`ccc completion SHELL`: a script that lets the shell complete ccc's command line.

The scripts only ask `ccc completion --words`, so that they know new commands and providers as
soon as ccc does.
"""

import os

from ccc import words
from ccc.cli import COMMANDS, INTERNAL, usage_key
from ccc.commands.completion import grammar
from ccc.storage.paths import Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccc.commands.completion.grammar import Shape

_ASK = "--words"
_MOST = 50

_BASH = """\
_ccc() {
    local IFS=$'\\n'
    COMPREPLY=($(command ccc completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _ccc ccc
"""
_ZSH = """\
#compdef ccc
_ccc() {
    local -a found
    found=(${(f)"$(command ccc completion --words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then
        compadd -a found
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
    command ccc completion --words $line "$(commandline -ct)" 2>/dev/null
end
complete -c ccc -n 'test (count (__ccc_words)) -gt 0' -f -a '(__ccc_words)'
"""
SHELLS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def main(line: list[str]) -> int:
    """Print the shell's script, or what a word can be."""
    if line[:1] == [_ASK]:
        print("".join(f"{word}\n" for word in _words(line[1:])), end="")
        return 0
    from ccc.ui.arguments import Parser

    parser = Parser("completion")
    parser.add_argument("shell", choices=list(SHELLS), metavar="|".join(SHELLS))
    _, said = parser.begin(line)
    print(SHELLS[said.shell], end="")
    return 0


def _words(line: "Sequence[str]") -> list[str]:
    """What the last word can be; a Tab never shows an error."""
    commands = [name for name in COMMANDS if name not in INTERNAL]
    try:
        return grammar.candidates(line, commands, shape_of, _NAMES)
    except Exception:
        return []


def shape_of(command: str) -> "Shape":
    """A command's shape, from its English usage."""
    words.use({"CCC_LANG": "en"})
    try:
        usage = words.text(usage_key(command))
    except KeyError:
        usage = ""
    return grammar.shape(command, usage)


def _providers() -> list[str]:
    """The names in ccc.json, in its order."""
    from ccc.config import ccc_json

    config, _ = ccc_json.try_load(Paths(os.environ))
    return list(config.providers) if config else []


def _sessions() -> list[str]:
    """The latest sessions."""
    from ccc.storage import sessions

    return sessions.ids(Paths(os.environ))[:_MOST]


def _presets() -> list[str]:
    """The providers that ccc knows."""
    from ccc.providers import presets

    return list(presets.load())


_NAMES = {
    grammar.PROVIDER: _providers,
    grammar.SESSION: _sessions,
    grammar.PRESET: _presets,
}
