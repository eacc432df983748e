"""Telling the person that a supervised task has ended.

As a program (`python -P -m ccc.supervision.notifications`) it runs the user's command, which may
take longer than the hook may.
"""

import json
import os
import sys
from dataclasses import replace

from ccc.claude.formats import environment
from ccc.providers import layers
from ccc.storage import paths as places
from ccc.storage.journal import Journal
from ccc.supervision import notice
from ccc.system import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.schema import Config
    from ccc.storage.paths import Paths
    from ccc.supervision.notice import Notice

_SECONDS = 60.0
_MODULE = "ccc.supervision.notifications"


def run_command(told: "Notice", config: "Config", where: "Paths") -> None:
    """Start the person's command, and don't wait for it; its failure is in the log."""
    if not told.command:
        return
    job = {
        "command": told.command,
        "project": told.project,
        "session": told.session,
        "state_dir": where.state_dir,
        "seconds": _SECONDS,
    }
    env = environment.for_notice(os.environ, layers.key_variables(config))
    spawn.run_detached(_MODULE, json.dumps(job), {**env, **told.variables})


def ring(told: "Notice", environ: "Mapping[str, str]") -> None:
    """Send the terminal that we were started from its sequence; none is as good."""
    sequence = notice.in_tmux(told.sequence) if environ.get("TMUX") else told.sequence
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


def main() -> None:
    """Run the command of the job on stdin, bounded in time, as nobody's child."""
    job = json.loads(sys.stdin.buffer.read())
    if os.fork():
        os._exit(0)
    where = replace(places.find(os.environ), state_dir=job["state_dir"])
    journal = Journal(where, job["session"])
    nowhere = os.open(os.devnull, os.O_RDWR)
    directory = job["project"] if os.path.isdir(job["project"]) else "/"
    try:
        code = spawn.run_logged(job["command"], directory, os.environ, nowhere, job["seconds"])
    except (OSError, ValueError) as error:
        journal.log("notify failed", cause=getattr(error, "strerror", None) or str(error))
        return
    if code is None:
        journal.log("notify failed", cause=f"> {job['seconds']:g} s")
    elif code:
        journal.log("notify failed", cause=f"exit {code}")


if __name__ == "__main__":
    main()
