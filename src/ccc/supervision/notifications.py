"""The notification at the end of a task: a terminal sequence, the user's command or Apprise.

Run as a program (`python -P -m ccc.supervision.notifications`), it runs that command or asks
Apprise, which may take longer than the hook is allowed to.
"""

import html
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct, field

from ccc.claude.formats import environment
from ccc.config.schema import Config, split_request
from ccc.model.outcome import OUTCOMES
from ccc.providers import layers
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.system import spawn

QUEUE_TASK = "CCC_QUEUE_TASK"
"""The variable with the number of the queue's task that a run works on."""
INSTALL = "pip install 'ccc-supervisor[notify]'"
_JOB = "CCC_NOTIFICATION"
_MAX_SECONDS = 60.0
_BELL, _OSC9 = "bell", "osc9"
_MAX_MESSAGE, _MAX_SHOWN = 2_000, 200


class Notification(Struct, frozen=True):
    """The end of a task: its outcome and the message for the user."""

    wish: str | tuple[str, ...]  # `supervisor.notify`
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
            # claude drops text that begins with a digit
            return f"\x1b]9;ccc: {_one_line(self.message).strip()[:_MAX_SHOWN]}\a"
        return ""

    @property
    def request(self) -> tuple[str, str]:
        """The kind of request to send and its URL; empty if the user wants something else."""
        return split_request(self.wish) if isinstance(self.wish, str) else ("", "")

    @property
    def command(self) -> tuple[str, ...]:
        """The command to run; empty if the user wants something else."""
        if not self.wish or self.sequence or self.request[0]:
            return ()
        return ("/bin/sh", "-c", self.wish) if isinstance(self.wish, str) else self.wish

    @property
    def facts(self) -> dict[str, str]:
        """What a command gets as `CCC_…` and a webhook as JSON."""
        return {
            "outcome": self.outcome,
            "session": self.session,
            "message": self.message[:_MAX_MESSAGE].replace("\0", ""),
            "project": self.project,
            "task": self.task,
        }

    def send(self, config: Config, where: Paths, environ: Mapping[str, str]) -> None:
        """Notify the user outside of a session of claude, in whatever way is wanted."""
        if self.sequence:
            sequence = in_tmux(self.sequence) if environ.get("TMUX") else self.sequence
            try:
                terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
                with open(terminal, "wb", buffering=0) as file:
                    file.write(sequence.encode("utf-8", "replace"))
            except OSError:
                pass  # ccc has no terminal
        self.run_command(config, where)

    def run_command(self, config: Config, where: Paths) -> None:
        """Start the command or the request without waiting for it; a failure is logged."""
        if not self.command and not self.request[0]:
            return
        job = {
            "command": self.command,
            "request": self.request,
            "facts": self.facts,
            "state_dir": where.state_dir,
            "seconds": _MAX_SECONDS,
        }
        env = environment.for_notification(os.environ, layers.key_variables(config))
        variables = {f"CCC_{name.upper()}": value for name, value in self.facts.items()}
        # -P: the project must not choose what is imported
        command = (sys.executable, "-P", "-m", "ccc.supervision.notifications")
        spawn.start_detached(
            command, {**env, **variables, _JOB: json.dumps(job)}, low_priority=False
        )


def in_tmux(sequence: str) -> str:
    """Wrap the sequence so that tmux passes it to the outer terminal."""
    if not sequence.startswith("\x1b"):
        return sequence
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"


def service(kind: str, url: str, facts: Mapping[str, str]) -> str | dict[str, Any]:
    """Return what Apprise is asked to use: its own URL, or what `kind:https://…` means."""
    if kind == "apprise":
        return url
    parts = urlsplit(url)
    end = "s" if parts.scheme == "https" else ""
    # a redirect would drop the body, and may lead to another host
    place: dict[str, Any] = {
        "host": parts.hostname,
        "port": parts.port,
        "secure": bool(end),
        "redirect": False,
    }
    if kind == "ntfy":
        place |= {"mode": "private", "targets": parts.path.split("/")[1:], "include_image": False}
        place |= {"xtags": "white_check_mark"} if _is_good(facts) else {"priority": "high"}
        return {"schema": f"ntfy{end}", "secure": bool(end), **place}
    # an empty name removes a field of Apprise's
    fields = dict.fromkeys(("version", "title", "attachments", "type"), "")
    if kind == "slack":
        fields |= {"message": "text"}
    else:
        fields |= {name: value for name, value in facts.items() if name != "message"}
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    place |= {"fullpath": parts.path, "params": query}
    return {"schema": f"json{end}", "secure": bool(end), **place, "payload": fields}


def send_request(kind: str, url: str, facts: Mapping[str, str]) -> str:
    """Ask Apprise to send the facts; return the cause if it fails, without any of the URL."""
    try:
        # 0.3 s, in a process that nobody waits for
        import apprise
    except ImportError:
        return f"Apprise is not installed: {INSTALL}"
    if not {"no_proxy", "NO_PROXY"} & os.environ.keys():
        os.environ["no_proxy"] = "localhost,127.0.0.1,::1"
    about = [os.path.basename(facts["project"]), f"#{facts['task']}" if facts["task"] else ""]
    shown = " ".join(filter(None, about))
    title = _one_line(f"ccc: {facts['outcome']}" + (f" ({shown})" if shown else ""))
    body = facts["message"] or title
    if kind == "slack":
        # an agent may have written it: nothing in it should call people or be a link
        body = html.escape(f"{title}\n{body}", quote=False).replace("@", "@\u200b")
    services = apprise.Apprise()
    with apprise.LogCapture(level=logging.WARNING) as log:  # type: ignore[no-untyped-call]
        if not services.add(service(kind, url, facts)):
            return "Apprise doesn't know this URL"
        level = apprise.NotifyType.SUCCESS if _is_good(facts) else apprise.NotifyType.WARNING
        if services.notify(title=title, body=body, notify_type=level):
            return ""
        status = re.search(r"error=(\d+)", log.getvalue())
    return f"HTTP {status[1]}" if status else "not delivered"


def _is_good(facts: Mapping[str, str]) -> bool:
    return OUTCOMES[facts["outcome"]].exit_code == 0


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def main() -> None:
    """Do the job in the environment, where other users can't read it, with a time limit."""
    job = json.loads(os.environ.pop(_JOB))
    facts, seconds = job["facts"], job["seconds"]
    journal = Journal(Paths(os.environ, job["state_dir"]), facts["session"])
    if not job["request"][0]:
        if cause := _run(job["command"], facts["project"], seconds):
            journal.log("notify failed", cause=cause)
        return
    kind, url = job["request"]
    # the rest of the URL is a secret; what looks like a host in one of Apprise's may be, too
    parts = urlsplit(url)
    about = {"service": parts.scheme} if kind == "apprise" else {"host": parts.hostname}

    def expire(*_: object) -> None:
        journal.log("notify failed", cause=f"> {seconds:g} s", **about)
        os._exit(1)

    signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    cause = send_request(kind, url, facts)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if cause:
        journal.log("notify failed", cause=cause, **about)


def _run(command: list[str], project: str, seconds: float) -> str:
    """Run the command; return the cause if it fails."""
    output = os.open(os.devnull, os.O_RDWR)
    directory = project if os.path.isdir(project) else "/"
    try:
        code = spawn.run_logged(command, directory, os.environ, output, timeout=seconds)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    if code == 0:
        return ""
    return f"> {seconds:g} s" if code is None else f"exit {code}"


if __name__ == "__main__":
    main()
