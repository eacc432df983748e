"""Run short commands for their output; `spawn` starts all other processes."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from subprocess import CompletedProcess, Popen
from typing import Any

from ccc.claude.formats.environment import with_absolute_path
from ccc.errors import CccError
from ccc.system import processes

_SECRET_SECONDS = 120


def output_of(
    command: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    timeout: float,
    *,
    given: bytes = b"",
    is_alone: bool = False,
) -> bytes | None:
    """Return a short command's output, or None if it fails or times out; `given` is its input.

    With a session of its own (`is_alone`) it has no terminal, and Ctrl-C doesn't reach it.
    """
    try:
        done = _run(command, cwd, env, timeout, given=given, start_new_session=is_alone)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def run(
    command: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    timeout: float,
    **options: Any,
) -> tuple[bool, str]:
    """Run a command; return whether it succeeds, and its output or its error.

    A timeout ends everything that it started. The options are `given`, its input, and `pass_fds`,
    such as a lock that must not end before the command.
    """
    try:
        done = _run(command, cwd, env, timeout, start_new_session=True, **options)
    except subprocess.TimeoutExpired:
        return False, f"> {timeout:g} s"
    except OSError as error:
        return False, error.strerror or str(error)
    output = done.stdout if done.returncode == 0 else done.stderr or done.stdout
    return done.returncode == 0, output.decode(errors="replace").strip()


def _run(
    command: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    timeout: float,
    given: bytes = b"",
    **options: Any,
) -> CompletedProcess[bytes]:
    pipe, own = subprocess.PIPE, with_absolute_path(env)
    options |= {"stdin": pipe if given else subprocess.DEVNULL, "stdout": pipe, "stderr": pipe}
    with subprocess.Popen(command, cwd=cwd, env=own, **options) as process:
        try:
            output, errors = process.communicate(given or None, timeout)
        except BaseException:
            _end(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _end(process: Popen[bytes]) -> None:
    """Kill a command with everything that it started."""
    family = processes.descendants(process.pid)
    processes.signal_group(process.pid, signal.SIGKILL)
    for pid in (process.pid, *family):
        processes.kill(pid)


def beginning_of(
    command: Sequence[str], cwd: str, env: Mapping[str, str], *, timeout: float, most: int
) -> bytes | None:
    """Return at most so many bytes of a command's output, or None if it fails or times out."""
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    own: dict[str, Any] = {**quiet, "cwd": cwd, "env": with_absolute_path(env)}
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, **own)
    except OSError:
        return None
    timer = threading.Timer(timeout, _end, [process])
    timer.start()
    with process:
        assert process.stdout
        output = process.stdout.read(most)
        if is_cut := len(output) == most:
            _end(process)
    timer.cancel()
    return output if is_cut or process.returncode == 0 else None


def secret_from(command: Sequence[str], env: Mapping[str, str], where: str) -> str:
    """Return the first line of a key command's output (`pass` keeps notes after it).

    The command may use the terminal to ask for a passphrase.
    """
    # input piped into ccc is for claude
    stdin = None if os.isatty(0) else subprocess.DEVNULL
    # an error message may contain the key, so it must not end up in a file
    stderr = None if os.isatty(2) else subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=with_absolute_path(env),
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


def _failed(where: str, command: Sequence[str], cause: str) -> CccError:
    # only the first word, because the rest may contain the key
    program = (command[0].split() or ["?"])[0]
    return CccError(
        "secret.command_failed", hint="secret.empty", path=where, program=program, cause=cause
    )
