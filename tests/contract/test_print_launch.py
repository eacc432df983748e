"""`ccc … -p` that may be supervised: ccc stays as the parent, and claude notices nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness import CccProject
from harness.processes import wait_until
from harness.programs import needs

CLAUDE = """#!{python} -I
import json, os, signal, sys, time
seen = []
def note(number, frame):
    seen.append(number)
for number in (signal.SIGINT, signal.SIGUSR1):
    signal.signal(number, note)
about = {{"pid": os.getpid(), "launcher": int(os.environ["CCC_LAUNCHER_PID"]),
         "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, ()))}}
with open({file!r} + ".new", "w") as file:
    json.dump(about, file)
os.rename({file!r} + ".new", {file!r})
if "wait" in sys.argv:
    while not seen:
        time.sleep(0.01)
    time.sleep(0.3)
    print(seen, flush=True)
    sys.exit(0 if "calmly" in sys.argv else 7)
if "sleep" in sys.argv:
    time.sleep(60)
print(sys.stdin.read() if not os.isatty(0) else "", flush=True)
sys.exit(3 if "fail" in sys.argv else 0)
"""
ASKED = ("-p", "/supervisor do it")


@pytest.fixture
def about(stubbed: CccProject) -> Callable[[], dict[str, int]]:
    """Put a claude on PATH that describes itself; return what it said."""
    file = stubbed.root / "about.json"
    program = stubbed.bin / "claude"
    program.write_text(CLAUDE.format(python=sys.executable, file=str(file)))
    program.chmod(0o755)

    def read() -> dict[str, int]:
        wait_until(file.exists)
        return dict(json.loads(file.read_text()))

    return read


@pytest.fixture
def start(stubbed: CccProject) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Start ccc in the background; end it with the test."""
    started: list[subprocess.Popen[str]] = []

    def make(*arguments: str, **options: int) -> "subprocess.Popen[str]":
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options}
        process = subprocess.Popen(
            [stubbed.ccc, "kimi", *arguments],
            cwd=stubbed.directory,
            env=stubbed.env,
            text=True,
            start_new_session=True,
            **streams,  # type: ignore[call-overload]
        )
        started.append(process)
        return process

    yield make
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("arguments", "stays"),
    [
        (ASKED, True),
        (("-p",), True),
        (("-p", "--continue", "hi"), True),
        (("-p", "hi"), False),
        (("-p", "/supervisoroff"), False),
        (("-p", "--input-format", "stream-json"), False),
        (("hi",), False),
        (("/supervisor do it",), False),
    ],
)
def test_who_stays(
    stubbed: CccProject, about: Callable[[], dict[str, int]], arguments: list[str], stays: bool
) -> None:
    """Ccc stays only if the session prints, and may be supervised."""
    stubbed.run("kimi", *arguments)
    seen = about()
    assert (seen["pid"] != seen["launcher"]) is stays
    assert seen["blocked"] == 0


def test_a_session_that_was_on(stubbed: CccProject, about: Callable[[], dict[str, int]]) -> None:
    """It also stays for a supervised session that is resumed."""
    session = "11111111-1111-4111-8111-111111111111"
    stubbed.run("supervisor-mode", "on", env={"CCC_SUPERVISOR_ID": session}).succeeded()
    outcome = stubbed.run("kimi", "-p", "--resume", session, "hi")
    assert about()["pid"] != about()["launcher"]
    assert outcome.code == 24
    assert "not judged: claude ended without running ccc's Stop hook" in outcome.stderr


def test_files_and_exit_code(stubbed: CccProject, about: Callable[[], dict[str, int]]) -> None:
    """Stdin and stdout are claude's own, and so is an exit code that isn't 0."""
    outcome = stubbed.run("kimi", *ASKED, "fail", stdin="from a pipe")
    assert (outcome.code, outcome.stdout, outcome.stderr) == (3, "from a pipe\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGUSR1])
def test_a_signal(
    start: Callable[..., "subprocess.Popen[str]"],
    about: Callable[[], dict[str, int]],
    number: signal.Signals,
) -> None:
    """A signal for ccc is a signal for claude, once."""
    process = start(*ASKED, "wait")
    assert about()["launcher"] == process.pid
    process.send_signal(number)
    printed, _ = process.communicate(timeout=20)
    assert (printed, process.returncode) == (f"[{int(number)}]\n", 7)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [(ASKED, 130, "[SUPERVISOR] interrupted. Details: ccc show "), (("-p",), 0, "")],
    ids=["a task", "no task"],
)
def test_an_interrupted_turn(
    start: Callable[..., "subprocess.Popen[str]"],
    about: Callable[[], dict[str, int]],
    arguments: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    """Claude exits with 0 after Ctrl-C, but the task isn't done."""
    process = start(*arguments, "--verbose", "wait", "calmly", stderr=subprocess.PIPE)
    about()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors[: len(says)], bool(errors)) == (code, says, bool(says))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_end_by_a_signal(
    start: Callable[..., "subprocess.Popen[str]"],
    about: Callable[[], dict[str, int]],
    number: signal.Signals,
) -> None:
    """Ccc ends by the signal that ended claude."""
    process = start(*ASKED, "sleep")
    pid = about()["pid"]
    process.send_signal(number)
    assert process.wait(timeout=20) == -number
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


def test_a_killed_claude(
    start: Callable[..., "subprocess.Popen[str]"], about: Callable[[], dict[str, int]]
) -> None:
    """Ccc ends by SIGKILL as well, which has no handler (claude ran out of memory, perhaps)."""
    process = start(*ASKED, "sleep", stderr=subprocess.PIPE)
    os.kill(about()["pid"], signal.SIGKILL)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (-signal.SIGKILL, "")


def test_a_parent_that_ignores_the_end_of_children(
    stubbed: CccProject, about: Callable[[], dict[str, int]]
) -> None:
    """Exec preserves an ignored SIGCHLD, which would hide claude's end and the exit codes."""
    code = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    line = ("-c", f"{code}; os.execv(sys.argv[1], sys.argv[1:])", stubbed.ccc, "kimi", *ASKED)
    outcome = stubbed.run(*line, "fail", program=sys.executable, timeout=20)
    assert outcome.code == 3
    assert about()["pid"] != about()["launcher"]


def test_a_killed_ccc(
    start: Callable[..., "subprocess.Popen[str]"], about: Callable[[], dict[str, int]]
) -> None:
    """Claude doesn't outlive it."""
    process = start(*ASKED, "sleep")
    pid = about()["pid"]
    process.kill()
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


def status(pid: int) -> str:
    """Return the letter for a process' status, such as T for a stopped one."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.tmux
def test_the_keyboard(stubbed: CccProject, about: Callable[[], dict[str, int]], tmux: None) -> None:
    """Ctrl-Z stops both; Ctrl-C reaches claude once, because the terminal sends it to both."""
    needs("bash")
    with stubbed.interactive("--norc", program="bash") as terminal:
        terminal.enter(f"PS1='> '; {stubbed.ccc} kimi -p '/supervisor do it' wait; echo code $?")
        pid = about()["pid"]
        terminal.press("C-z")
        terminal.wait_for("Stopped")
        assert status(pid) == "T"
        terminal.enter("fg; echo code $?")
        wait_until(
            lambda: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
        )
        terminal.press("C-c")
        terminal.wait_for(r"\[2\]\ncode 7")
