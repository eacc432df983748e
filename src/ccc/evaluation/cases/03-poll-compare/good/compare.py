"""compare.py: render every poll and compare it with what is expected."""

import pathlib
import re
import subprocess
import sys


def normalise(text):
    """Blank out the time of rendering, the only thing that differs from run to run."""
    return re.sub(r"(?m)^Rendered: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$", "Rendered: (time)", text).splitlines()


def main():
    failed = 0
    for poll in sorted(pathlib.Path("polls").glob("*.txt")):
        got = subprocess.run([sys.executable, "poll.py", str(poll)], capture_output=True, text=True, check=True).stdout
        want = pathlib.Path("expected", poll.name).read_text()
        same = normalise(got) == normalise(want)
        print("ok  " if same else "DIFF", poll.stem)
        failed += not same
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
