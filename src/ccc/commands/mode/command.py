"""`ccc supervisor-mode [on|off|status]`: switch the supervision of a session."""

import os
import sys
import time
from dataclasses import replace

from ccc import words
from ccc.claude import host, settings_files
from ccc.claude.formats import environment, slash
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.providers import provenance
from ccc.storage import sessions, state
from ccc.storage.journal import Journal
from ccc.storage.paths import own_program
from ccc.supervision import session_state, tampering
from ccc.system import terminal
from ccc.text import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths
    from ccc.ui.arguments import Parser

_WORDS = ("on", "off", "status")
_SANDBOXED = "SANDBOX_RUNTIME"
"""Claude's sandbox sets it for the commands that run in it."""


def main(line: list[str]) -> int:
    """Switch on (also with no word), off, or print the state; further words are ignored."""
    if slash.THIS_SESSION in line:
        host.restore_launch()
    paths = ccc_json.speak()
    word = line[0] if line and line[0] != slash.THIS_SESSION else "on"
    if word in ("--help", "-h"):
        print(words.say("mode.usage"))
        return 0
    if word not in _WORDS:
        raise CccError("mode.unknown", hint="mode.nothing_changed", word=word)
    around = slash.THIS_SESSION in line
    found = _sessions(paths, around)
    if word == "status":
        print(_now(paths, found))
        return 0
    is_new = not around and sessions.load(paths, found[0]) is None
    try:
        _switch_all(paths, found, word, around)
    except CccError as error:
        if not _is_done(paths, found, word, around, error):
            raise
    terminal.tell(words.say(f"mode.{word}"))
    if word == "on":
        terminal.tell(rules(paths, found[0]))
    if is_new:
        _tell_new(paths, found[0])
    return 0


def build_parser() -> "Parser":
    """The words of `ccc supervisor-mode`, for completion."""
    from ccc.ui.arguments import Parser

    parser = Parser("mode")
    parser.add_argument("word", nargs="?", choices=_WORDS)
    return parser


def switch_around(paths: "Paths", word: str) -> str:
    """Switch the session around us on or off; its name."""
    found = _sessions(paths, True)
    _switch_all(paths, found, word, True)
    return found[0]


def rules(paths: "Paths", session: str) -> str:
    """What a supervised session is held to: checks, reviewer, limit."""
    known = sessions.load(paths, session)
    try:
        config = ccc_json.read(paths)
    except CccError as error:
        return str(error)
    directory = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    checks = [terminal.cut(each.command, 40) for each in ccc_json.checks_of(config, directory)]
    model = provenance.reviewer_model(config, known.provider if known else "")
    return words.say(
        "mode.rules",
        checks=", ".join(checks) if checks else words.say("mode.no_checks"),
        reviewer=model or words.say("mode.same_model"),
        rounds=words.count("rounds", config.supervisor.max_iterations),
    )


def _tell_new(paths: "Paths", session: str) -> None:
    """Say that no session has this id yet, and which one may be meant."""
    near = [each for each in sessions.ids(paths) if each != session and each.startswith(session)]
    told = words.say("mode.new_session", session=session)
    if len(near) == 1:
        told += " " + words.say("mode.nearest", session=near[0])
    terminal.tell(told)


def _sessions(paths: "Paths", around: bool) -> list[str]:
    """The names of the session that is meant: the one around us, or that of CCC_SUPERVISOR_ID."""
    named = os.environ.get(environment.SESSION, "")
    found = host.sessions(os.environ) if around or _is_launched(paths, named) else [named]
    if not any(found):
        raise CccError("mode.no_session", hint="mode.no_session_hint")
    if not all(map(names.is_session_id, found)):
        raise CccError("session.name", hint="session.hint", variable=environment.SESSION)
    return found


def _is_launched(paths: "Paths", session: str) -> bool:
    """Whether that is the claude around us, which may have another session by now."""
    known = sessions.load(paths, session) if names.is_session_id(session) else None
    return known is not None and known.pid > 0 and host.is_same(host.pid_in(os.environ), known.pid)


def _is_done(paths: "Paths", found: list[str], word: str, around: bool, error: CccError) -> bool:
    """Whether the error does no harm: the hook of a launch has switched already.

    In claude's sandbox the command can't write. Without that hook the error says what helps there.
    """
    if error.message != "file.unwritable":
        return False
    if around and _SANDBOXED in os.environ:
        command = f"{own_program(sys.argv[0])} supervisor-mode *"
        error.hint, error.params["command"] = "mode.sandboxed", command
    return around and _now(paths, found) == word


def _now(paths: "Paths", found: list[str]) -> str:
    """Whether the session is supervised under one of its names: `on` or `off`."""
    return "on" if any(_is_on(paths, each) for each in found) else "off"


def _switch_all(paths: "Paths", found: list[str], word: str, around: bool) -> None:
    """Switch the session on by its first name, or off by each name that it is supervised under."""
    if word == "on":
        _refuse_without_hooks(paths)
    supervised = [each for each in found if _is_on(paths, each)]
    # a session that was resumed may be supervised under its own name
    for session in supervised if word == "off" and supervised else found[:1]:
        _switch(paths, session, word == "on", around)


def _is_on(paths: "Paths", session: str) -> bool:
    known = sessions.load(paths, session)
    return known is not None and sessions.follow_leader(paths, known).enabled


def _switch(paths: "Paths", session: str, on: bool, around: bool) -> None:
    around = around or session == os.environ.get("CLAUDE_CODE_SESSION_ID")

    def switched(before: state.State) -> state.State:
        known = session_state.describe(before, os.environ) if around else before
        if on:
            return session_state.adopt(before, known).switch_on(time.time())
        was_on = before.enabled or before.off_from_below
        asked_in = tampering.switch_off_session(session, before.pid, known.pid) if was_on else ""
        return replace(session_state.adopt(before, known), enabled=False, off_from_below=asked_in)

    after = state.change(
        paths,
        session,
        switched,
        lambda aside: terminal.tell(words.say("state.corrupt", file=aside)),
    )
    journal = Journal(paths, session, after.count)
    word = "on" if on else "off"
    journal.log(f"supervisor-mode {word}", from_below=bool(after.off_from_below))


def _refuse_without_hooks(paths: "Paths") -> None:
    if file := _hooks_off(paths):
        raise CccError("mode.hooks_off", hint="mode.hooks_off_hint", file=file)


def _hooks_off(paths: "Paths") -> str:
    """The settings file that keeps claude from running any hook, ours too; or nothing.

    In a session of ccc's own the project's files can't: the settings that we give win over them.
    """
    project = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    weak = ("local", "project") if host.own_session(os.environ) else ()
    for each in settings_files.of_claude(paths, project):
        if each.kind not in weak and each.settings.get("disableAllHooks") is True:
            return each.file
    return ""
