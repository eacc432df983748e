"""The notification at the end of a task: a terminal sequence, the user's command or a request.

Run as a program (`python -P -m ccc.supervision.notifications`), it runs that command or sends the
request, which may take longer than the hook is allowed to.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ccc.claude.formats import environment
from ccc.config.schema import Config, split_request
from ccc.providers import layers
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision import webhook
from ccc.system import spawn

QUEUE_TASK = "CCC_QUEUE_TASK"
"""The variable with the number of the queue's task that a run works on."""
_MAX_SECONDS = 60.0
_MODULE = "ccc.supervision.notifications"
_BELL, _OSC9 = "bell", "osc9"
_MAX_MESSAGE, _MAX_SHOWN = 2_000, 200


@dataclass(frozen=True, slots=True)
class Notification:
    """The end of a task: its outcome and the message for the user."""

    wish: str | tuple[str, ...]
    """`supervisor.notify`."""
    outcome: str
    session: str
    message: str
    project: str
    task: str = field(default_factory=lambda: os.environ.get(QUEUE_TASK, ""))
    """The number of the queue's task."""

    @property
    def sequence(self) -> str:
        """The sequence to send to the terminal; empty if the user wants something else."""
        if self.wish == _BELL:
            return "\a"
        if self.wish == _OSC9:
            text = "".join(c if c.isprintable() else " " for c in self.message).strip()
            # claude drops text that begins with a digit
            return f"\x1b]9;ccc: {text[:_MAX_SHOWN]}\a"
        return ""

    @property
    def command(self) -> tuple[str, ...]:
        """The command to run; empty if the user wants something else."""
        if not self.wish or self.sequence or self.request[0]:
            return ()
        return ("/bin/sh", "-c", self.wish) if isinstance(self.wish, str) else self.wish

    @property
    def request(self) -> tuple[str, str]:
        """The kind of request to send and its URL; empty if the user wants something else."""
        return split_request(self.wish) if isinstance(self.wish, str) else ("", "")

    @property
    def variables(self) -> dict[str, str]:
        """The variables for the command's environment."""
        return {
            "CCC_OUTCOME": self.outcome,
            "CCC_SESSION": self.session,
            "CCC_MESSAGE": self.message[:_MAX_MESSAGE].replace("\0", ""),
            "CCC_PROJECT": self.project,
            "CCC_TASK": self.task,
        }

    def send(self, config: Config, where: Paths, environ: Mapping[str, str]) -> None:
        """Notify the user outside of a session of claude, in whatever way is wanted."""
        if self.sequence:
            self.ring(environ)
        self.run_command(config, where)

    def run_command(self, config: Config, where: Paths) -> None:
        """Start the command or the request without waiting for it; a failure is logged."""
        if not self.command and not self.request[0]:
            return
        job = {
            "command": self.command,
            "request": self.request,
            "project": self.project,
            "session": self.session,
            "state_dir": where.state_dir,
            "seconds": _MAX_SECONDS,
        }
        env = environment.for_notification(os.environ, layers.key_variables(config))
        spawn.run_detached(_MODULE, json.dumps(job), {**env, **self.variables})

    def ring(self, environ: Mapping[str, str]) -> None:
        """Send the sequence to ccc's controlling terminal, if it has one."""
        sequence = in_tmux(self.sequence) if environ.get("TMUX") else self.sequence
        try:
            terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return
        try:
            os.write(terminal, sequence.encode("utf-8", "replace"))
        except OSError:
            pass
        finally:
            os.close(terminal)


def in_tmux(sequence: str) -> str:
    """Wrap the sequence so that tmux passes it to the outer terminal."""
    if not sequence.startswith("\x1b"):
        return sequence
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"


def main() -> None:
    """Do the job on stdin with a time limit, detached from the parent process."""
    job = json.loads(sys.stdin.buffer.read())
    if os.fork():
        os._exit(0)
    journal = Journal(Paths(os.environ, job["state_dir"]), job["session"])
    kind, url = job.get("request") or ("", "")
    if kind:
        report = webhook.Report.from_variables(os.environ)
        if cause := webhook.post(webhook.request(kind, url, report), job["seconds"]):
            # the rest of the URL is a secret
            journal.log("notify failed", cause=cause, host=webhook.host(url))
    elif cause := _run(job):
        journal.log("notify failed", cause=cause)


def _run(job: dict[str, Any]) -> str:
    """Run the command; return the cause if it fails."""
    output = os.open(os.devnull, os.O_RDWR)
    directory = job["project"] if os.path.isdir(job["project"]) else "/"
    try:
        code = spawn.run_logged(
            job["command"], directory, os.environ, output, timeout=job["seconds"]
        )
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    if code == 0:
        return ""
    return f"> {job['seconds']:g} s" if code is None else f"exit {code}"


if __name__ == "__main__":
    main()
