"""What a person can do about a session on the page: the same changes that the commands make."""

import os
import signal
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future

from ccc.backlog import places
from ccc.errors import CccError
from ccc.model.state import State
from ccc.run import saved_run
from ccc.sessions import record_file
from ccc.storage import sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths, display_path, own_program
from ccc.supervision import switch
from ccc.system import private_files, processes, spawn, terminal
from ccc.text import names

_LAST_RUN_SECONDS = 1.0
_LAST_LINES = 8
_LONGEST_CAUSE = 600


def act(where: Paths, session: str, verb: str, form: Mapping[str, str]) -> Future[None] | None:
    """Switch a session's supervision on or off, stop its run, or answer the run's question.

    An answer may take longer: the result says when the run has begun.
    """
    if not names.is_session_id(session):
        raise CccError("look.unknown", hint="look.none", beginning=session)
    if verb == "stop":
        _stop(where, session)
    elif verb == "answer":
        if not form["text"]:
            raise CccError("web.no_answer")
        return _answer(where, session, form["text"], form.get("seen", ""))
    else:
        if (word := form.get("word", "")) not in ("on", "off"):
            raise CccError("web.bad")
        switch.turn_other(where, session, word)
    return None


def _stop(where: Paths, session: str) -> None:
    """Interrupt a run as Ctrl-C does."""
    state = sessions.load(where, session)
    run, pid = (state.run, state.pid) if state else (None, 0)
    # the process id may belong to another program by now
    runs = (processes.find_running("ccc", word) for word in ("run", "--supervisor"))
    is_run = pid != os.getpid() and any(pid in found for found in runs)
    if state is None or run is None or run.outcome or not is_run:
        raise CccError("web.no_run")
    if places.is_worktree(os.environ, run.cwd):
        raise CccError("web.of_queue")
    try:
        os.kill(pid, signal.SIGINT)
    except OSError:
        raise CccError("web.no_run") from None
    Journal(where, session, state.task.count).log("interrupted on the page", pid=pid)


def _answer(where: Paths, session: str, text: str, question: str) -> Future[None]:
    """Continue a run in the background with the answer to this question of its.

    The result is there when the run has the session; it is a CccError if the run ends before.
    """
    state, directory = _find_asking_run(where, session)
    asked = saved_run.name_question(session, state.task.count, state.decided_at)
    if question != asked:
        raise CccError("run.other_question")
    try:
        pid = _start(where.run_output(session), directory, text, asked)
    except OSError as error:
        cause = error.strerror or str(error)
        raise CccError("web.not_continued", cause=cause) from None
    Journal(where, session, state.task.count).log("answered on the page", pid=pid)
    begun: Future[None] = Future()
    watch = threading.Thread(target=_watch, args=(where, session, pid, begun), daemon=True)
    watch.start()
    return begun


def _find_asking_run(where: Paths, session: str) -> tuple[State, str]:
    state = sessions.load(where, session)
    run = state.run if state else None
    if state is None or run is None or run.outcome != "needs_user":
        raise CccError("web.not_asked", hint="web.no_run")
    if places.is_worktree(os.environ, run.cwd):
        raise CccError("web.of_queue")
    if not os.path.isdir(run.cwd):
        raise CccError("check.no_directory", directory=display_path(run.cwd))
    if saved_run.find_unfinished(where, run.cwd).session_id != session:
        raise CccError("web.later_run")
    return state, run.cwd


def _start(log: str, directory: str, text: str, question: str) -> int:
    """Start the run and return its process id; it holds the lock of its log until it ends.

    It takes the answer only while it still has this question.
    """
    command = [own_program(), "run", "--continue", "--file", "-"]
    command.append(f"--question={question}")
    output = private_files.open_file(log, os.O_WRONLY | os.O_APPEND)
    try:
        until = time.monotonic() + _LAST_RUN_SECONDS
        # the last run may have asked its question just now
        while not private_files.try_lock(output):
            if time.monotonic() > until:
                raise CccError("web.is_answered", hint="web.is_starting")
            time.sleep(0.05)
        os.ftruncate(output, 0)
        # a file, because others can read the arguments of a process
        with tempfile.TemporaryFile() as given:
            given.write(text.encode())
            given.seek(0)
            env = places.env_of_run(os.environ)
            return spawn.start_in(directory, command, env, given=given.fileno(), output=output)
    finally:
        os.close(output)


def _watch(where: Paths, session: str, pid: int, begun: Future[None]) -> None:
    """Note when the run has the session, or that it ended before; then wait for its end."""
    ended = has_begun = False
    while not ended and not has_begun:
        time.sleep(0.05)
        ended = os.waitpid(pid, os.WNOHANG)[0] == pid
        state = sessions.load(where, session)
        has_begun = state is not None and state.pid == pid
    if has_begun:
        begun.set_result(None)
    else:
        said = terminal.plain(record_file.last_words(where.run_output(session), _LAST_LINES))
        cause = said.strip()[-_LONGEST_CAUSE:] or "-"
        begun.set_exception(CccError("web.not_continued", cause=cause))
    if not ended:
        os.waitpid(pid, 0)
