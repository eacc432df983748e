"""The only place that starts processes."""

import os

from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

    from ccc.claude.plan import Plan

_SECRET_SECONDS = 120


def become(plan: "Plan") -> "NoReturn":
    """Replace this process by claude."""
    try:
        os.execve(plan.argv[0], plan.argv, plan.env)
    except OSError as error:
        raise CccError(
            "claude.not_started",
            hint="claude.install",
            file=plan.argv[0],
            reason_text=error.strerror or str(error),
        ) from None


def output_of(command: "Sequence[str]", env: "Mapping[str, str]", where: str) -> str:
    """The first line that a key's command prints (`pass` keeps notes behind it).

    stdin and stderr stay the person's: the command may ask for a passphrase.
    """
    import subprocess

    try:
        done = subprocess.run(
            list(command),
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
    return CccError(
        "secret.command_failed", hint="secret.hint", path=where, program=command[0], cause=cause
    )
