"""`ccc watch [SESSION]`: the sessions of this machine as they go, in a second terminal."""

import os
import signal
import sys
import time

from ccc import telling, terminal, words
from ccc.commands import following, looking, speaking
from ccc.commands.parsing import Parser
from ccc.storage import paths as places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.commands.following import Event, Following

_TICK_SECONDS = 0.25
_KIND_WIDTH = 7


def main(line: list[str]) -> int:
    """Watch until the person has seen enough."""
    where = places.find(os.environ)
    speaking.speak(where)
    parser = Parser("watch")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("SESSION", nargs="?", default="")
    said = parser.said(line)
    if said is None:
        return 0
    only = looking.choose(where, said.SESSION) if said.SESSION else ""
    going = following.Following(where, only)
    signal.signal(signal.SIGTERM, _ended)
    signal.signal(signal.SIGHUP, _ended)
    try:
        if said.plain or not _is_screen():
            _print_on(going)
        else:
            from ccc.commands import watching

            watching.Screen(going).run(_TICK_SECONDS)
    except KeyboardInterrupt:
        pass
    return 0


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
        state = words.say("look.on") if seen.is_on else words.say("look.off")
        parts = [telling.place(seen.directory), seen.provider, state, telling.phase(seen.phase)]
        text = terminal.plain(" · ".join(filter(None, parts)))
    return f"{moment}  {event.session[:8]}  {event.what.kind:<{_KIND_WIDTH}}  {text}".rstrip()
