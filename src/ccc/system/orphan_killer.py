"""End what a killed ccc has left running: `python -P -m ccc.system.orphan_killer <pid>…`."""

import os
import signal
import sys

from ccc.system import processes


def main(roots: list[int]) -> None:
    """End the processes, all below them and all in their groups."""
    for root in roots:
        # a tool of claude's may live in a session of its own
        for pid in processes.descendants(root):
            processes.kill(pid)
        processes.kill(root)  # on the person's terminal it is in the group of the ccc
        try:
            os.killpg(root, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


if __name__ == "__main__":
    main([int(pid) for pid in sys.argv[1:]])
