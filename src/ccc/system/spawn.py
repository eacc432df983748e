"""Processes of ours, started here and ended with all their children."""

import os
import signal

from ccc.errors import CccError
from ccc.system import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from subprocess import Popen
    from typing import NoReturn

    from ccc.claude.launch_plan import Plan

    Child = Popen[bytes]

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""The signals that end a process which does not hear them."""
_HAND_OVER_SECONDS = 10
# claude gives a hook about 1.4 s between asking it to end and killing it
_GRACE_SECONDS = 0.6
_KILLED_SECONDS = 0.3
# A shell waits at a pipe that only we hold open, and reads there which of our children are alive.
# When the pipe ends and some are left it becomes `orphan_killer`.
_WAIT = (
    "while read -r line; do living=$line; done; "
    '[ -z "$living" ] || exec "$0" -P -m ccc.system.orphan_killer $living'
)


def hear(
    handler: "Callable[[int, object], None] | signal.Handlers", also_ignored: bool = True
) -> None:
    """Let the handler have the signals that end us.

    What the shell told us to ignore (nohup, a job in the background) may stay ignored.
    """
    for number in ENDING:
        if also_ignored or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def become(plan: "Plan") -> "NoReturn":
    """Replace this process by claude."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        # Python ignores them, and what is ignored stays so through exec
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(plan.argv[0], plan.argv, plan.env)
    except OSError as error:
        raise CccError(
            "claude.not_started",
            hint="claude.install",
            file=plan.argv[0],
            reason_text=error.strerror or str(error),
        ) from None


def start(plan: "Plan", errors: int, terminal: bool = False) -> "Child":
    """Start claude in a session of its own, with pipes to talk to it; stderr goes to `errors`.

    With `terminal` its stdout is a pty, which takes every line as soon as it is printed. Its
    stdin is a pipe even then: claude reads no stream-json from a pty.
    """
    import subprocess

    if not terminal:
        return _started(plan.argv, plan.cwd, plan.env, subprocess.PIPE, subprocess.PIPE, errors)
    import tty

    ours, theirs = os.openpty()
    try:
        # raw, or each line feed would become two characters
        tty.setraw(theirs)
        child = _started(plan.argv, plan.cwd, plan.env, subprocess.PIPE, theirs, errors)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    child.stdout = os.fdopen(ours, "rb", buffering=0)
    return child


def run_logged(
    command: "Sequence[str]", cwd: str, env: "Mapping[str, str]", output: int, timeout: float
) -> int | None:
    """Run a command with all it prints going to the file `output`; None where it is too slow."""
    import subprocess

    child = _started(command, cwd, env, subprocess.DEVNULL, output, output)
    try:
        return child.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end(child)


def attend(plan: "Plan") -> int:
    """Run a program on the person's terminal until it ends; its exit code.

    Ctrl-C and Ctrl-Z are its own: where it is stopped, so are we, until the shell goes on. It ends
    with us whatever we die of; a session that is the person's own is one that we `become`.
    """
    import subprocess
    import sys
    import termios

    screen = termios.tcgetattr(sys.stdin)
    # a handler, since what is ignored stays so through exec
    before = signal.signal(signal.SIGINT, lambda *_: None)
    _be_guarded()
    child = subprocess.Popen(plan.argv, cwd=plan.cwd, env=dict(plan.env))
    _living[child.pid] = child
    _tell_guard()
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


def hand_over(module: str, text: str, env: "Mapping[str, str]") -> None:
    """Let a module of ours go on where this process ends; it reads the text, then goes its way.

    It has nothing of ours open: claude refuses a decision while a child holds the hook's output.
    """
    import subprocess
    import sys

    try:
        # -P: the project must not choose what is imported
        subprocess.run(
            [sys.executable, "-P", "-m", module],
            input=text.encode("utf-8", "replace"),
            cwd="/",
            env=dict(env),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_HAND_OVER_SECONDS,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        pass


_living: "dict[int, Child]" = {}
_adopting: list[int] = []
_guards: "list[Child]" = []
"""At most one: it ends what we have started where we are killed."""


def _started(
    command: "Sequence[str]",
    cwd: str,
    env: "Mapping[str, str]",
    stdin: int,
    stdout: int,
    stderr: int,
) -> "Child":
    """Start a process in a session of its own, which ends with us whatever we die of.

    A signal that comes meanwhile is heard afterwards: an exception in the middle of starting
    would leave a process that nobody knows.
    """
    import subprocess

    heard: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: heard.append(number)) for number in ENDING
    }
    try:
        _be_guarded()
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        _living[child.pid] = child
        _tell_guard()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for missed in heard[:1]:
        os.kill(os.getpid(), missed)
    return child


def _be_guarded() -> None:
    """Start the guard, with next to no environment: a key must not be where nothing needs it."""
    import subprocess
    import sys

    if _guards:
        return
    guard = subprocess.Popen(
        ["/bin/sh", "-c", _WAIT, sys.executable],
        cwd="/",
        env={"HOME": os.environ.get("HOME", "/")},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        bufsize=0,
    )
    _guards.append(guard)


def _tell_guard() -> None:
    for guard in _guards:
        assert guard.stdin is not None
        try:
            guard.stdin.write(" ".join(map(str, _living)).encode() + b"\n")
        except BrokenPipeError:
            pass  # somebody has killed it


def adopt_orphans() -> None:
    """Become the parent of whatever outlives its own, so that `end` finds it (Linux only)."""
    import sys

    if sys.platform != "linux":
        return
    import ctypes

    pr_set_child_subreaper = 36
    try:
        if ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0) == 0:
            _adopting[:] = [os.getpid()]
    except (OSError, AttributeError):
        pass


def end_all() -> None:
    """End whatever was started and not ended."""
    for child in list(_living.values()):
        end(child)


def end(child: "Child") -> None:
    """End the process and everything it started: ask, wait a moment, then insist."""
    import time

    family = processes.descendants(child.pid)
    if child.poll() is None:
        _signal(child.pid, signal.SIGTERM)
        child.terminate()  # where it is in our own group
        until = time.monotonic() + _GRACE_SECONDS
        while child.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        family |= processes.descendants(child.pid)
    _signal(child.pid, signal.SIGKILL)
    for pid in family | _orphans():
        # a tool of claude's may live in a session of its own
        processes.kill(pid)
    if child.poll() is None:
        child.kill()
        _wait(child)
    _end_orphans()
    _living.pop(child.pid, None)
    _tell_guard()


def _end_orphans() -> None:
    """End those whose parents have only just been killed, and see them gone.

    On a busy machine a process that was killed lives on until it gets its turn.
    """
    import time

    until = time.monotonic() + _KILLED_SECONDS
    while (orphans := _orphans()) and time.monotonic() < until:
        for pid in orphans:
            processes.kill(pid)
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass  # not ours before its parent is gone
        time.sleep(0.005)


def _wait(child: "Child") -> None:
    """Wait for the end without `child.wait`.

    A signal in the middle of that one can leave its lock taken, for ever.
    """
    try:
        _, status = os.waitpid(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    except ChildProcessError:
        pass  # somebody has waited for it


def _orphans() -> set[int]:
    """The processes whose parents died before them, with what is below those."""
    if _adopting != [os.getpid()]:
        return set()
    parents = processes.parents_of_all()
    known = {*_living, *(each.pid for each in _guards)}
    adopted = {pid for pid, parent in parents.items() if parent == os.getpid()} - known
    return adopted | processes.below(adopted, parents)


def _signal(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass
