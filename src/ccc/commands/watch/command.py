"""`ccc watch [SESSION]`: the sessions of this machine as they go, in a second terminal."""

import os
import signal
import sys
import time

from ccc.sessions import following, lookup
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.sessions.following import Event, Following

_TICK_SECONDS = 0.25
_KIND_WIDTH = 7


def main(line: list[str]) -> int:
    """Watch until the person has seen enough."""
    where, said = build_parser().begin(line)
    only = lookup.choose(where, said.SESSION) if said.SESSION else ""
    going = following.Following(where, only)
    signal.signal(signal.SIGTERM, _ended)
    signal.signal(signal.SIGHUP, _ended)
    try:
        if said.plain or not _is_screen():
            _print_on(going)
        else:
            from ccc.commands.watch import screen

            screen.Screen(going).run(_TICK_SECONDS)
    except KeyboardInterrupt:
        pass
    return 0


def build_parser() -> Parser:
    """The options of `ccc watch`."""
    parser = Parser("watch")
    parser.add_flags("--plain")
    parser.add_argument("SESSION", nargs="?", default="")
    return parser


def _ended(number: int, frame: object) -> None:
    """The terminal is put right on the way out."""
    sys.exit(128 + number)


def _is_screen() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _print_on(going: "Following") -> None:
    """One line an event, as they come."""
    while True:
        for event in going.poll():
            print(_line(event, going), flush=True)
        time.sleep(_TICK_SECONDS)


def _line(event: "Event", going: "Following") -> str:
    moment = time.strftime("%H:%M:%S", time.localtime(event.at))
    text = following.told(event)
    if event.what.kind == "session":
        seen = going.followed[event.session].seen
        assert seen is not None
        state = (formatting.switch(seen.is_on), formatting.phase(seen.phase))
        parts = filter(None, (display_path(seen.directory), seen.provider, *state))
        text = terminal.plain(" · ".join(parts))
    return f"{moment}  {event.session[:8]}  {event.what.kind:<{_KIND_WIDTH}}  {text}".rstrip()
