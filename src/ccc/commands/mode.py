"""`ccc supervisor-mode [on|off|status]`: switch a session's supervision on or off."""

from ccc import words
from ccc.claude import host
from ccc.claude.formats import slash
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.supervision.switch import Switch
from ccc.system import terminal
from ccc.ui.arguments import Parser

_WORDS = ("on", "off", "status")


def main(line: list[str]) -> int:
    """Switch on (the default) or off, or print the state; ignores further words."""
    is_inside = slash.THIS_SESSION in line
    if is_inside:
        host.restore_launch()
    paths = ccc_json.set_language()
    word = line[0] if line and line[0] != slash.THIS_SESSION else "on"
    if word in ("--help", "-h"):
        print(words.say("mode.usage"))
        return 0
    if word not in _WORDS:
        raise CccError("mode.unknown", hint="ask.unchanged", word=word)
    session = Switch(paths, is_inside)
    if word == "status":
        print(session.mode)
        return 0
    session.turn_by_command(word)
    terminal.tell(words.say(f"mode.{word}"))
    if word == "on":
        terminal.tell(session.rules())
    if session.is_new:
        terminal.tell(session.describe_new())
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc supervisor-mode`, used only for completion."""
    parser = Parser("mode")
    parser.add_argument("word", nargs="?", choices=_WORDS)
    return parser
