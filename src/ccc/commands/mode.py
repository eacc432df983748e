"""`ccc supervisor-mode [on|off|status]`: switch the supervision of a session."""

import os
from dataclasses import replace

from ccc import terminal, words
from ccc.claude import host
from ccc.commands import speaking, tampering, tasks
from ccc.domain import environment, names, slash
from ccc.errors import CccError
from ccc.storage import sessions, sources, state
from ccc.storage.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths


def main(line: list[str]) -> int:
    """Switch on (also with no word), off, or print the state; further words are ignored."""
    paths = speaking.speak()
    word = line[0] if line and line[0] != slash.THIS_SESSION else "on"
    if word in ("--help", "-h"):
        print(words.say("mode.usage"))
        return 0
    if word not in ("on", "off", "status"):
        raise CccError("mode.unknown", hint="mode.nothing_changed", word=word)
    around = slash.THIS_SESSION in line
    found = _sessions(around)
    supervised = [each for each in found if _is_on(paths, each)]
    if word == "status":
        print("on" if supervised else "off")
        return 0
    if word == "on" and (file := _hooks_off(paths)):
        raise CccError("mode.hooks_off", hint="mode.hooks_off_hint", file=file)
    # a session that was resumed may be supervised under its own name
    for session in supervised if word == "off" and supervised else found[:1]:
        _switch(paths, session, word == "on", around)
    terminal.tell(words.say(f"mode.{word}"))
    return 0


def _sessions(around: bool) -> list[str]:
    """The names of the session that is meant: the one around us, or that of CCC_SUPERVISOR_ID."""
    found = host.sessions(os.environ) if around else [os.environ.get(environment.SESSION, "")]
    if not any(found):
        raise CccError("mode.no_session", hint="mode.no_session_hint")
    if not all(map(names.is_session_id, found)):
        raise CccError("session.name", hint="session.hint", variable=environment.SESSION)
    return found


def _is_on(paths: "Paths", session: str) -> bool:
    known = sessions.load(paths, session)
    return known is not None and known.enabled


def _switch(paths: "Paths", session: str, on: bool, around: bool) -> None:
    def switched(before: state.State) -> state.State:
        known = tasks.describe(before, paths, os.environ) if around else before
        doubtful = (before.enabled or before.off_from_below) and tampering.is_below(known.pid)
        return replace(known, enabled=on, off_from_below=doubtful and not on)

    after = state.change(
        paths,
        session,
        switched,
        lambda aside: terminal.tell(words.say("state.corrupt", file=aside)),
    )
    journal = Journal(paths, session, after.count)
    journal.log(f"supervisor-mode {'on' if on else 'off'}", from_below=after.off_from_below)


def _hooks_off(paths: "Paths") -> str:
    """The settings file that keeps claude from running any hook, ours too; or nothing.

    In a session of ccc's own the project's files can't: the settings that we give win over them.
    """
    project = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    weak = ("local", "project") if host.own_session(os.environ) else ()
    for each in sources.of_claude(paths, project):
        if each.kind not in weak and each.settings.get("disableAllHooks") is True:
            return each.file
    return ""
