"""`ccc watch [SESSION]`: watch this machine's sessions live, in a second terminal."""

import os
import signal
import sys
import time

from ccc.sessions import lookup
from ccc.sessions.screen import TICK_SECONDS, WatchScreen
from ccc.sessions.watcher import Watcher
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Watch until the user quits."""
    where, options = build_parser().begin(line)
    only = lookup.find_id(where, options.SESSION) if options.SESSION else ""
    watcher = Watcher(where, only)
    signal.signal(signal.SIGTERM, _exit)
    signal.signal(signal.SIGHUP, _exit)
    has_screen = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    try:
        if has_screen and not options.plain:
            WatchScreen(watcher).run()
            return 0
        while True:
            for event in watcher.poll():
                print(watcher.line(event), flush=True)
            time.sleep(TICK_SECONDS)
    except KeyboardInterrupt:
        pass
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc watch`."""
    parser = Parser("watch")
    parser.add_flags("--plain")
    parser.add_argument("SESSION", nargs="?", default="")
    return parser


def _exit(number: int, frame: object) -> None:
    sys.exit(128 + number)  # exiting restores the terminal
