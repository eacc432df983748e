"""`ccc watch [SESSION]`: the sessions of this machine, live, in a second terminal."""

import os
import signal
import sys
import time

from ccc.sessions import lookup
from ccc.sessions.watcher import Watcher, describe
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.sessions.events import Event

_TICK_SECONDS = 0.25
_KIND_WIDTH = 7


def main(line: list[str]) -> int:
    """Watch until the user ends it."""
    where, options = build_parser().begin(line)
    only = lookup.find_id(where, options.SESSION) if options.SESSION else ""
    watcher = Watcher(where, only)
    signal.signal(signal.SIGTERM, _exit)
    signal.signal(signal.SIGHUP, _exit)
    has_screen = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    try:
        if has_screen and not options.plain:
            from ccc.commands.watch import screen

            screen.Screen(watcher).run(_TICK_SECONDS)
            return 0
        while True:
            for event in watcher.poll():
                print(_line(event, watcher), flush=True)
            time.sleep(_TICK_SECONDS)
    except KeyboardInterrupt:
        pass
    return 0


def build_parser() -> Parser:
    """The options of `ccc watch`."""
    parser = Parser("watch")
    parser.add_flags("--plain")
    parser.add_argument("SESSION", nargs="?", default="")
    return parser


def _exit(number: int, frame: object) -> None:
    sys.exit(128 + number)  # the terminal is restored on the way out


def _line(event: "Event", watcher: Watcher) -> str:
    moment = time.strftime("%H:%M:%S", time.localtime(event.at))
    text = describe(event)
    if event.kind == "session":
        seen = watcher.watched[event.session].seen
        assert seen is not None
        state = (formatting.switch(seen.is_on), formatting.phase(seen.phase))
        parts = filter(None, (display_path(seen.directory), seen.provider, *state))
        text = terminal.plain(" · ".join(parts))
    return f"{moment}  {event.session[:8]}  {event.kind:<{_KIND_WIDTH}}  {text}".rstrip()
