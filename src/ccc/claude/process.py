"""The only place that starts processes, and that ends them with all their children."""

import os

from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from subprocess import Popen
    from typing import NoReturn

    from ccc.claude.plan import Plan

    Child = Popen[bytes]

_SECRET_SECONDS = 120
_HAND_OVER_SECONDS = 10
# claude gives a hook about 1.4 s between asking it to end and killing it
_GRACE_SECONDS = 0.6


def become(plan: "Plan") -> "NoReturn":
    """Replace this process by claude."""
    import signal

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

    Ctrl-C and Ctrl-Z are its own: where it is stopped, so are we, until the shell goes on.
    """
    import signal
    import subprocess
    import sys
    import termios

    screen = termios.tcgetattr(sys.stdin)
    # a handler, since what is ignored stays so through exec
    before = signal.signal(signal.SIGINT, lambda *_: None)
    child = subprocess.Popen(plan.argv, cwd=plan.cwd, env=dict(plan.env))
    _living[child.pid] = child
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


def output_of(
    command: "Sequence[str]", cwd: str, env: "Mapping[str, str]", timeout: float
) -> bytes | None:
    """What a short command prints; None where it fails or is too slow."""
    import subprocess

    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


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


def _started(
    command: "Sequence[str]",
    cwd: str,
    env: "Mapping[str, str]",
    stdin: int,
    stdout: int,
    stderr: int,
) -> "Child":
    """Start a process in a session of its own.

    A signal that comes meanwhile is heard afterwards: an exception in the midst of starting
    would leave a process that nobody knows.
    """
    import signal
    import subprocess

    heard: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: heard.append(number))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    }
    try:
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
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for missed in heard[:1]:
        os.kill(os.getpid(), missed)
    return child


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


def end_session(session: str) -> None:
    """End the claudes that work on a session without a person, agent and reviewers."""
    words = (session, "--print", "stream-json")
    for pid, line in _command_lines():
        if session and all(word in line for word in words):
            for below in (pid, *descendants(pid)):
                _kill(below)


def is_running(pid: int, word: str) -> bool:
    """Whether the process is there and has the word in its command line."""
    return any(found == pid and word in line for found, line in _command_lines())


def is_alive(pid: int, *words: str) -> bool:
    """The same, asked without starting ps: for those who ask often. One of the words is enough.

    Where there is no /proc the process id alone counts.
    """
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            line = os.fsdecode(file.read(8_192))
    except FileNotFoundError:
        return not os.path.isdir("/proc/self")
    except OSError:
        return False
    return any(word in line for word in words)


def sessions_alive() -> "set[int]":
    """The processes that may be at a session of ours: each claude and each ccc there is."""
    return {pid for pid, line in _command_lines() if "claude" in line or "ccc" in line}


def _command_lines() -> "Iterator[tuple[int, str]]":
    """Each other process with its command line, from ps: the words alone, no environment."""
    listed = output_of(["ps", "-axww", "-o", "pid=,args="], "/", os.environ, 5) or b""
    for line in listed.decode(errors="replace").splitlines():
        number, _, command = line.strip().partition(" ")
        if number.isdigit() and int(number) != os.getpid() and "<defunct>" not in command:
            yield int(number), command


def end(child: "Child") -> None:
    """End the process and everything it started: ask, wait a moment, then insist."""
    import signal
    import time

    family = descendants(child.pid)
    if child.poll() is None:
        _signal(child.pid, signal.SIGTERM)
        child.terminate()  # where it is in our own group
        until = time.monotonic() + _GRACE_SECONDS
        while child.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        family |= descendants(child.pid)
    _signal(child.pid, signal.SIGKILL)
    for pid in family | _orphans():
        # a tool of claude's may live in a session of its own
        _kill(pid)
    if child.poll() is None:
        child.kill()
        child.wait()
    for pid in _orphans():
        # those whose parents have only just been killed
        _kill(pid)
    _living.pop(child.pid, None)


def _orphans() -> set[int]:
    """The processes whose parents died before them, with what is below those."""
    if _adopting != [os.getpid()]:
        return set()
    adopted = {pid for pid, parent in _parents().items() if parent == os.getpid()} - set(_living)
    return adopted.union(*map(descendants, adopted))


def _signal(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def _kill(pid: int) -> None:
    import signal

    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def descendants(root: int) -> set[int]:
    """The processes below a process."""
    parents = _parents()
    found: set[int] = set()
    wave = {root}
    while wave:
        wave = {pid for pid, parent in parents.items() if parent in wave} - found
        found |= wave
    return found


def stands_below(pid: int, owner: int) -> bool:
    """Whether the process was started by another of the same program, at or below `owner`.

    A shell script between the two, such as a wrapper named claude, is not another claude.
    """
    parents, program, at = _parents(), _program(pid), pid
    line = []
    while at != owner and (at := parents.get(at, 0)) > 1:
        line.append(at)
    return owner in line and any(_program(other) == program for other in line)


def _program(pid: int) -> str:
    """The program that a process runs, or nothing."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        named = output_of(["ps", "-o", "comm=", "-p", str(pid)], "/", os.environ, 5) or b""
        return named.decode(errors="replace").strip()


def _parents() -> dict[int, int]:
    """Each process with its parent, from /proc, else from ps."""
    if os.path.isdir("/proc/self"):
        found = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:
                        found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
                except (OSError, IndexError, ValueError):
                    continue
        return found
    listed = output_of(["ps", "-axo", "pid=,ppid="], "/", os.environ, 5) or b""
    pairs = [line.split() for line in listed.splitlines()]
    return {int(pair[0]): int(pair[1]) for pair in pairs if len(pair) == 2}


def secret_from(command: "Sequence[str]", env: "Mapping[str, str]", where: str) -> str:
    """The first line that a key's command prints (`pass` keeps notes behind it).

    A terminal stays the person's: the command may ask for a passphrase.
    """
    import subprocess

    # what is piped into ccc is claude's, and a command must not eat it
    stdin = None if os.isatty(0) else subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            env=dict(env),
            timeout=_SECRET_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _failed(where, command, f"> {_SECRET_SECONDS} s") from None
    except (OSError, ValueError) as error:
        raise _failed(where, command, getattr(error, "strerror", None) or str(error)) from None
    if done.returncode != 0:
        raise _failed(where, command, f"exit {done.returncode}")
    try:
        return done.stdout.decode().partition("\n")[0].rstrip("\r")
    except UnicodeDecodeError:
        raise _failed(where, command, "not UTF-8") from None


def _failed(where: str, command: "Sequence[str]", cause: str) -> CccError:
    # the first word alone: what stands behind it may be the key
    program = (command[0].split() or ["?"])[0]
    return CccError(
        "secret.command_failed", hint="secret.hint", path=where, program=program, cause=cause
    )
