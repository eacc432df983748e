"""`ccc supervisor-mode [on|off|status]`: switch the supervision of this session."""

import os
import sys
from dataclasses import replace

from ccc import terminal, words
from ccc.claude import processes
from ccc.commands import speaking
from ccc.domain import environment, names
from ccc.errors import CccError
from ccc.project import head
from ccc.storage import files, sources, state
from ccc.storage import paths as places
from ccc.storage.journal import Journal


def main(line: list[str]) -> int:
    """Switch on (also with no word), off, or print the state; further words are ignored."""
    paths = places.find(os.environ)
    speaking.speak(paths)
    word = line[0] if line else "on"
    if word in ("--help", "-h"):
        print(words.say("mode.usage"))
        return 0
    if word not in ("on", "off", "status"):
        raise CccError("mode.unknown", hint="mode.nothing_changed", word=word)
    session = os.environ.get(environment.SESSION, "")
    foreign = not session and "--plugin" in line
    if foreign:
        session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    if not session:
        raise CccError("mode.no_session", hint="mode.no_session_hint")
    if not names.is_session_id(session):
        raise CccError("session.name", hint="session.hint", variable=environment.SESSION)
    path = paths.state(session)
    if word == "status":
        print("on" if _is_on(path, session) else "off")
        return 0
    if word == "on" and (file := _hooks_off(paths, foreign)):
        raise CccError("mode.hooks_off", hint="mode.hooks_off_hint", file=file)
    by = "claude"

    def switched(before: state.State) -> state.State:
        nonlocal by
        known = _known(before) if foreign else before
        by = "terminal" if _at_terminal() and not _is_below(known.pid) else "claude"
        unconfirmed = word == "off" and by == "claude" and known.enabled
        return replace(known, enabled=word == "on", unconfirmed=unconfirmed)

    state.change(
        paths.state_dir,
        path,
        session,
        switched,
        lambda aside: terminal.tell(words.say("state.corrupt", file=aside)),
    )
    Journal(paths, session).log(f"supervisor-mode {word}", by=by)
    terminal.tell(words.say(f"mode.{word}"))
    return 0


def _hooks_off(paths: places.Paths, foreign: bool) -> str:
    """The settings file that keeps claude from running any hook, ours too; or nothing.

    In a session of ccc's own the project's files can't: the settings that we give win over them.
    """
    project = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    read = sources.of_claude(paths, project)
    decisive = [each for each in read if foreign or each.kind not in ("local", "project")]
    off = (each.file for each in decisive if each.settings.get("disableAllHooks") is True)
    return next(off, "")


def _at_terminal() -> bool:
    """Claude's children have none, be they the person's slash command or the agent's tool."""
    return sys.stdin is not None and sys.stdin.isatty()


def _is_below(claude: int) -> bool:
    """Whether the supervised claude started us: then the terminal is one that the agent made."""
    return claude > 0 and processes.descends_from(os.getpid(), claude)


def _known(before: state.State) -> state.State:
    """The state of a session that ccc did not start, with what a review will need."""
    pid = os.environ.get("CLAUDE_PID", "")
    return replace(
        before,
        claude=before.claude or os.environ.get("CLAUDE_CODE_EXECPATH", ""),
        pid=int(pid) if pid.isdigit() else before.pid,
        start_head=before.start_head or head.read(os.getcwd()),
    )


def _is_on(path: str, session: str) -> bool:
    try:
        text = files.read(path)
        return text is not None and state.parse(text, session).enabled
    except state.Corrupt:
        return False
    except CccError as error:
        if error.message != "file.not_utf8":
            raise
        return False
