"""Start processes, and end them with all their descendants."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from subprocess import Popen
from typing import Any, NoReturn

from ccc.claude.formats.command_line import Plan
from ccc.errors import CccError
from ccc.system import processes

Child = Popen[bytes]

END_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""The signals that end a process unless it handles them."""
# claude kills a hook about 1.4 s after asking it to end
_GRACE_SECONDS = 0.6
# The shell ends at once, and the program has no parent that would have to wait for it: claude,
# which this process may become, leaves unknown children as zombies.
_DETACHED = 'cd / && "$@" &'
_IN_DIRECTORY = 'cd -- "$0" && exec "$@"'
_KILL_SECONDS = 0.3
_LOW_PRIORITY = ("nice", "-n", "19")
_changes = threading.RLock()
"""Held while the children change, so that the guard hears of all of them."""
_living: dict[int, Child] = {}
_subreapers: list[int] = []  # this process, once it has called `adopt_orphans`


def become(plan: Plan) -> NoReturn:
    """Replace this process with claude."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        # Python ignores them, and exec would preserve that
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(plan.argv[0], plan.argv, plan.env)
    except OSError as error:
        raise not_started(plan, error) from None


def not_started(plan: Plan, error: OSError) -> CccError:
    """Return the error for a claude that can't be started."""
    reason = error.strerror or str(error)
    hint = "claude.missing"
    return CccError("claude.not_started", hint=hint, file=plan.argv[0], reason_text=reason)


def start(plan: Plan, errors: int, terminal: bool = False) -> Child:
    """Start claude in its own session, connected by pipes; stderr goes to `errors`.

    With `terminal`, its stdout is a pty, which passes on every line as soon as it is printed.
    Its stdin is still a pipe, because claude reads no stream-json from a pty.
    """
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors}
    if not terminal:
        return _start(plan.argv, plan.cwd, plan.env, **pipes)
    with _new_terminal() as (own, childs):
        # raw mode, because otherwise each line feed would become two characters
        tty.setraw(childs)
        child = _start(plan.argv, plan.cwd, plan.env, **{**pipes, "stdout": childs})
    child.stdout = os.fdopen(own, "rb", buffering=0)
    return child


@contextlib.contextmanager
def _new_terminal() -> Iterator[tuple[int, int]]:
    """Open a pty; the caller keeps the first end unless it fails."""
    own, childs = os.openpty()
    try:
        yield own, childs
    except BaseException:
        os.close(own)
        raise
    finally:
        os.close(childs)


def run_logged(
    command: Sequence[str], cwd: str, env: Mapping[str, str], output: int, timeout: float
) -> int | None:
    """Run a command with its output sent to `output`; return its exit code, or None on timeout."""
    child = start_logged(command, cwd, env, output, errors=output)
    try:
        return child.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end(child)


def start_logged(
    command: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    output: int,
    errors: int,
    keeps: Sequence[int] = (),
) -> Child:
    """Start a command without input, with its output sent to files; it `keeps` open files."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": errors}
    return _start(command, cwd, env, **streams, pass_fds=keeps)


def start_on_pty(plan: Plan, columns: int, rows: int) -> tuple[Child, int]:
    """Start a program on a new terminal of that size; return it with the terminal's other end."""
    with _new_terminal() as (own, childs):
        termios.tcsetwinsize(childs, (rows, columns))
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), childs)
        return _start(plan.argv, plan.cwd, plan.env, **streams), own


def run_on_terminal(plan: Plan) -> int:
    """Run a program on the user's terminal until it ends and return its exit code.

    Ctrl-C and Ctrl-Z are for the program: when it is stopped, ccc stops, too.
    """
    screen = termios.tcgetattr(sys.stdin)
    # a handler, because exec would keep an ignored signal ignored
    before = signal.signal(signal.SIGINT, lambda *_: None)
    child = _start(plan.argv, plan.cwd, plan.env, start_new_session=False)
    try:
        while True:
            _, status = os.waitpid(child.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            os.kill(os.getpid(), signal.SIGSTOP)
            os.kill(child.pid, signal.SIGCONT)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode
    finally:
        end(child)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, screen)
        signal.signal(signal.SIGINT, before)


def start_detached(
    command: Sequence[str], env: Mapping[str, str], low_priority: bool = True
) -> None:
    """Start a program that outlives this process, with nothing open, and by default low priority.

    Claude refuses a decision while a child holds the hook's output.
    """
    line = ["/bin/sh", "-c", _DETACHED, "sh", *(_LOW_PRIORITY if low_priority else ()), *command]
    null = subprocess.DEVNULL
    with contextlib.suppress(OSError):  # whatever it would have done, it can do later
        subprocess.run(
            line, env=env, stdin=null, stdout=null, stderr=null, start_new_session=True, check=False
        )


def start_in(
    directory: str, command: Sequence[str], env: Mapping[str, str], given: int, output: int
) -> int:
    """Start a program that outlives this process, and return its process id.

    It reads the file `given` and writes to the file `output`. It can be interrupted even if this
    process ignores that. As long as this process lives, it has to wait for the program's end.
    """
    line = ["sh", "-c", _IN_DIRECTORY, directory, *command]
    streams = ((given, 0), (output, 1), (output, 2))
    actions: list[tuple[int, ...]] = [(os.POSIX_SPAWN_DUP2, *each) for each in streams]
    # whoever waits for the end of another file would wait for the program
    actions += [(os.POSIX_SPAWN_CLOSE, each) for each in _inheritable()]
    default = (*END_SIGNALS, signal.SIGPIPE)
    return os.posix_spawn(
        "/bin/sh", line, env, file_actions=actions, setsid=True, setsigdef=default
    )


def _inheritable() -> Iterator[int]:
    """Yield the files, other than the first three, that a child gets."""
    for name in os.listdir("/dev/fd"):
        with contextlib.suppress(OSError):  # the one that was open for the list
            if int(name) > 2 and os.get_inheritable(int(name)):
                yield int(name)


def _start(command: Sequence[str], cwd: str, env: Mapping[str, str], **options: Any) -> Child:
    """Start a process, by default in its own session, that ends even if ccc is killed.

    Signals that arrive meanwhile are handled afterwards, because an exception during the start
    would leave an untracked process.
    """
    pending: list[int] = []
    # only the main thread gets signals
    is_main = threading.current_thread() is threading.main_thread()
    before = {
        number: signal.signal(number, lambda number, _: pending.append(number))
        for number in (END_SIGNALS if is_main else ())
    }
    try:
        with _changes:
            processes.start_guard()
            options = {"start_new_session": True, **options}
            child = subprocess.Popen(command, cwd=cwd, env=dict(env), **options)
            _living[child.pid] = child
            processes.watch(_living)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for missed in pending[:1]:
        os.kill(os.getpid(), missed)
    return child


def handle_end_signals(
    handler: Callable[[int, Any], object] | signal.Handlers, also_ignored: bool = True
) -> None:
    """Set the handler for the signals that end ccc.

    Signals that the shell made ccc ignore (nohup, a background job) may stay ignored.
    """
    for number in END_SIGNALS:
        if also_ignored or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def clean_up_after(error: type[BaseException]) -> None:
    """Raise the error at the first signal, so that ccc can end all its descendants."""

    def interrupt(number: int, frame: object) -> None:
        # don't let a signal interrupt the cleanup
        handle_end_signals(signal.SIG_IGN)
        raise error

    handle_end_signals(interrupt)
    adopt_orphans()


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that `end` finds them (Linux)."""
    if sys.platform != "linux":
        return
    pr_set_child_subreaper = 36
    if ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0) == 0:
        _subreapers[:] = [os.getpid()]


def end_all() -> None:
    """End all children."""
    for child in list(_living.values()):
        end(child)


def end(child: Child) -> None:
    """End the process and everything it started: SIGTERM, then SIGKILL shortly afterwards."""
    family = processes.descendants(child.pid)
    if child.poll() is None:
        processes.signal_group(child.pid, signal.SIGTERM)
        child.terminate()  # if it is in ccc's own group
        until = time.monotonic() + _GRACE_SECONDS
        while child.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        family |= processes.descendants(child.pid)
    processes.signal_group(child.pid, signal.SIGKILL)
    if child.poll() is None:
        family.add(child.pid)
    # a tool that claude started may have its own session
    processes.kill_all(family)
    if child.poll() is None:
        # a signal during `child.wait` can leave its lock held forever
        with contextlib.suppress(ChildProcessError):  # it has already been waited for
            _, status = os.waitpid(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
    _end_orphans()
    with _changes:
        _living.pop(child.pid, None)
        processes.watch(_living)


def _end_orphans() -> None:
    """Kill orphaned descendants and wait for them to end, which takes time on a busy machine."""
    if _subreapers != [os.getpid()]:
        return
    others = {*_living, *processes.guard_pids()}
    until = time.monotonic() + _KILL_SECONDS
    while orphans := processes.descendants(os.getpid(), others):
        for pid in orphans:
            processes.kill(pid)
            with contextlib.suppress(ChildProcessError):  # its parent is alive
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > until:
            return
        time.sleep(0.005)
