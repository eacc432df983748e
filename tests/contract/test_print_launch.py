"""`ccc … -p`: a run if its session is supervised or becomes so, else claude in ccc's place."""

import json
import sys
from collections.abc import Callable

import pytest

from harness import CccProject
from harness.processes import wait_until

CLAUDE = """#!{python} -I
import json, os, signal, sys
about = {{"pid": os.getpid(), "launcher": int(os.environ["CCC_LAUNCHER_PID"])}}
with open({file!r}, "w") as file:
    json.dump(about, file)
if about["pid"] != about["launcher"]:
    os.kill(about["launcher"], signal.SIGTERM)  # it has shown that it is a run
print(sys.stdin.read() if not os.isatty(0) else "", flush=True)
sys.exit(3 if "fail" in sys.argv else 0)
"""
SESSION = "11111111-1111-4111-8111-111111111111"
ON = {"CCC_SUPERVISOR_ID": SESSION}


@pytest.fixture
def is_claude(stubbed: CccProject) -> Callable[[], bool]:
    """Put a claude on PATH; return whether it has taken ccc's place."""
    file = stubbed.root / "about.json"
    program = stubbed.bin / "claude"
    program.write_text(CLAUDE.format(python=sys.executable, file=str(file)))
    program.chmod(0o755)

    def read() -> bool:
        wait_until(file.exists)
        about = json.loads(file.read_text())
        return bool(about["pid"] == about["launcher"])

    return read


@pytest.mark.parametrize(
    ("arguments", "stdin", "is_run"),
    [
        (("-p", "/supervisor do it"), "", True),
        (("-p",), "/supervisor do it", True),
        (("-p",), "\n/supervisor\ndo it\n", True),
        (("-p", "hi"), "/supervisor do it", False),
        (("-p",), "hi", False),
        (("-p",), "", False),
        (("-p",), "/supervisor", False),
        (("-p", "--continue", "hi"), "", False),
        (("-p", "/supervisor"), "", False),
        (("-p", "/supervisoroff"), "", False),
        (("-p", "--input-format", "stream-json"), "/supervisor do it", False),
        (("hi",), "", False),
        (("/supervisor do it",), "", False),
        (("-p", "--resume", SESSION, "hi"), "", True),
        (("-p", "--resume", SESSION), "hi", True),
        (("-p", "--resume", SESSION, "/supervisoroff"), "", False),
        (("-p", "--resume", SESSION, "--fork-session", "hi"), "", False),
    ],
)
def test_who_becomes_claude(
    stubbed: CccProject,
    is_claude: Callable[[], bool],
    arguments: tuple[str, ...],
    stdin: str,
    is_run: bool,
) -> None:
    """Only a task in a session that is or becomes supervised is a run; claude gets all of stdin."""
    stubbed.run("supervisor-mode", "on", env=ON).succeeded()
    outcome = stubbed.run("kimi", *arguments, stdin=stdin)
    assert is_claude() is not is_run
    if not is_run:
        assert (outcome.code, outcome.stdout) == (0, f"{stdin}\n")


def test_files_and_exit_code(stubbed: CccProject, is_claude: Callable[[], bool]) -> None:
    """A file on stdin and the exit code are claude's own."""
    outcome = stubbed.run("kimi", "-p", "hi", "fail", stdin="from a pipe")
    assert (outcome.code, outcome.stdout, outcome.stderr) == (3, "from a pipe\n", "")
    (stubbed.directory / "text").write_text("long " * 100_000)
    line = f"{stubbed.ccc} kimi -p < text"
    assert stubbed.run("-c", line, program="sh").succeeded().stdout == "long " * 100_000 + "\n"


@pytest.mark.parametrize(
    ("arguments", "is_told"),
    [
        (("--input-format", "stream-json"), True),
        (("--resume", "a title", "hi"), True),
        (("--from-pr", "7", "hi"), True),
        (("--continue", "hi"), False),
        (("--resume", SESSION, "--fork-session", "hi"), False),
        (("hi",), False),
    ],
)
def test_what_the_exit_code_tells(
    stubbed: CccProject, is_claude: Callable[[], bool], arguments: tuple[str, ...], is_told: bool
) -> None:
    """If the session may be supervised, ccc says that the exit code tells little about it."""
    told = " ".join(stubbed.run("kimi", "-p", *arguments).succeeded().stderr.split())
    assert ("claude's exit code tells nothing about the outcome" in told) is is_told
    assert is_claude()
