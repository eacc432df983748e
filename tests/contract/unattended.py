"""Shared by the tests of `ccc run`: a run whose agent does what a test says."""

import subprocess

from stops import Supervised

from harness import Outcome

UUID = "11111111-2222-4333-8444-555555555555"

# the reviewer says yes; the agent does what the test says
BODY = """
if "--fork-session" in sys.argv:
    result(YES)
else:
{agent}
"""


def run(supervised: Supervised, agent: str, *words: str) -> Outcome:
    """Run ccc with an agent that does this at each message."""
    lines = "\n".join("    " + line for line in agent.splitlines())
    supervised.claude(BODY.format(agent=lines))
    return supervised.project.run("run", *words, "do it")


def record(supervised: Supervised, name: str) -> str:
    """Return the text of a file of the only run."""
    (found,) = supervised.state_dir.glob(f"supervisor-*-*-*{name}")
    return found.read_text()


def later(supervised: Supervised, *words: str) -> "subprocess.Popen[str]":
    """Start `ccc run` without waiting for it."""
    return subprocess.Popen(
        [supervised.project.ccc, "run", *words],
        cwd=supervised.project.directory,
        env=supervised.project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def state_of(supervised: Supervised) -> str:
    """Return the state of the only run."""
    (found,) = set(supervised.state_dir.glob("supervisor-*.json")) - {supervised.state_file}
    return found.read_text()
