"""`ccc … -p` of a session that is or becomes supervised: an unattended run instead of a launch."""

import os
import sys
from dataclasses import replace

from ccc import words
from ccc.claude.formats import arguments
from ccc.claude.launch import Launch
from ccc.run.options import Options
from ccc.storage import sessions
from ccc.system import stdin, terminal


def find_run(launch: Launch) -> tuple[Launch, Options] | None:
    """Return the launch and the options of its run, or None if claude itself takes the prompt."""
    launch = _with_last_session(launch)
    given, output = launch.arguments, launch.arguments.last_value("--output-format")
    is_on = launch.supervised or _is_supervised(launch, launch.session)
    if given.last_value("--input-format") == "stream-json" or not (is_on or _is_known(launch)):
        terminal.tell(words.say("warn.exit_code"))
        return None
    # with --supervisor, the run reads its task itself
    piped = b"" if given.task or launch.supervised else _read_stdin()
    prompt = given.task or piped.decode("utf-8", "replace")
    command, *rest = prompt.split(None, 1) or [""]
    asks = command == arguments.SUPERVISOR
    is_switch = command == arguments.SUPERVISOR_OFF or (asks and not rest)
    is_task = bool(prompt) and not is_switch and (asks or is_on)
    if not is_task and not launch.supervised:
        if piped:
            stdin.put_back(piped)
        return None
    options = Options(
        task=" ".join(rest) if asks else prompt,
        output=output,
        # keep stdout clean for a program that reads claude's output
        open=launch.supervised and output not in ("json", "stream-json"),
        verbose=launch.supervised,
    )
    return replace(launch, arguments=replace(given, rest=given.for_agent)), options


def _with_last_session(launch: Launch) -> Launch:
    """Name the session that `--continue` means, if it is supervised."""
    if not arguments.continues_last(launch.arguments.rest):
        return launch
    from ccc.claude import transcript_files  # 5 ms of imports that other launches don't need

    session = transcript_files.find_last(launch.paths.claude_dir, os.getcwd())
    if not _is_supervised(launch, session):
        return launch
    rest = arguments.without_session(launch.arguments.rest)
    reading = replace(launch.arguments, rest=("--resume", session, *rest))
    return replace(launch, session=session, arguments=reading)


def _is_supervised(launch: Launch, session: str) -> bool:
    known = sessions.load(launch.paths, session) if session else None
    return known is not None and known.enabled


def _is_known(launch: Launch) -> bool:
    """Return whether ccc knows which session claude will have."""
    given = launch.arguments
    return bool(
        given.session_id
        or not given.chooses_session
        or {"--fork-session", "--continue", "-c"} & {*given.rest}
    )


def _read_stdin() -> bytes:
    is_piped = sys.stdin is not None and not sys.stdin.isatty() and stdin.has_text()
    return sys.stdin.buffer.read() if is_piped else b""
