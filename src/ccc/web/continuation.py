"""Answer the question of a run: continue it in the background, as `ccc run --continue` does."""

import os
import sys
import tempfile
import threading
import time

from ccc.backlog import places
from ccc.errors import CccError
from ccc.storage import sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths, display_path, own_program
from ccc.storage.session_state import State
from ccc.supervision import run_state, saved_run
from ccc.system import background, private_files, terminal

_BEGIN_SECONDS = 4.0
"""Less than the page waits for an action."""
_LONGEST_CAUSE = 600
_HIDDEN = (places.URL, "CCC_SUPERVISOR_ID")
"""Variables that the run doesn't get: the first contains a password."""


def answer(where: Paths, session: str, text: str) -> None:
    """Continue a run with the answer to its question; raise CccError if that doesn't work."""
    state, directory = _find(where, session)
    log = where.run_output(session)
    # a file, because others can read the arguments of a process
    with tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        output = private_files.open_file(log, os.O_WRONLY | os.O_TRUNC)
        try:
            pid = _start(directory, given.fileno(), output)
        except OSError as error:
            cause = error.strerror or str(error)
            raise CccError("web.not_continued", cause=cause) from None
        finally:
            os.close(output)
    Journal(where, session, state.count).log("answered on the page", pid=pid)
    _wait_until_begun(where, session, pid)


def _find(where: Paths, session: str) -> tuple[State, str]:
    """Return the state and the directory of a run that waits for an answer."""
    state = sessions.load(where, session)
    run = run_state.parse(state.run) if state else None
    if state is None or run is None or run.outcome != "needs_user":
        raise CccError("web.not_asked", hint="web.no_run_hint")
    if places.is_worktree(os.environ, run.cwd):
        raise CccError("web.of_queue", hint="web.of_queue_hint")
    if not os.path.isdir(run.cwd):
        raise CccError("queue.no_directory", directory=display_path(run.cwd))
    if saved_run.find_unfinished(where, run.cwd).session != session:
        raise CccError("web.later_run", hint="web.later_run_hint")
    return state, run.cwd


def _start(directory: str, given: int, output: int) -> int:
    command = [own_program(sys.argv[0]), "run", "--continue", "--file", "-"]
    env = {name: value for name, value in os.environ.items() if name not in _HIDDEN}
    return background.start_in(directory, command, env, given=given, output=output)


def _wait_until_begun(where: Paths, session: str, pid: int) -> None:
    """Wait until the run has the session; raise CccError if it ends before."""
    until = time.monotonic() + _BEGIN_SECONDS
    while time.monotonic() < until:
        ended, _ = os.waitpid(pid, os.WNOHANG)
        state = sessions.load(where, session)
        has_begun = state is not None and state.pid == pid
        if ended and not has_begun:
            raise CccError("web.not_continued", cause=_last_words(where.run_output(session)))
        if ended:
            return
        if has_begun:
            break
        time.sleep(0.05)
    threading.Thread(target=os.waitpid, args=(pid, 0), daemon=True).start()


def _last_words(log: str) -> str:
    """Return the end of what the run has printed."""
    try:
        with private_files.open_for_reading(log) as file:
            text = file.read().decode(errors="replace")
    except OSError:
        text = ""
    return terminal.plain(text).strip()[-_LONGEST_CAUSE:] or "-"
