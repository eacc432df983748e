"""Ends what a killed ccc has left running: `python -P -m ccc.claude.guard <process id>`."""

import os
import signal
import sys

from ccc.claude import processes


def main(root: int) -> None:
    """End the process, all below it and all in its group: us too, so that comes last."""
    for pid in processes.descendants(root) - {os.getpid()}:
        # a tool of claude's may live in a session of its own
        processes.kill(pid)
    os.killpg(root, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
