"""`supervisor.notify` tells the user when a supervised task ends, without delaying anything."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stops import SESSION, Supervised

from harness import KEY
from harness.processes import nothing_runs, wait_until

pytestmark = pytest.mark.thorough

SECRET = "sk-secret-0123456789"
DUMP = 'env > "$0.new"; pwd >> "$0.new"; mv "$0.new" "$0"'


class Bell:
    """A session whose notification command records its environment."""

    def __init__(self, supervised: Supervised) -> None:
        self.supervised = supervised
        self.file = supervised.project.root / "told"
        self.wish(["sh", "-c", DUMP, str(self.file)])

    def wish(self, notify: object, **more: object) -> None:
        self.supervised.configure(notify=notify, **more)

    def told(self, seconds: float = 15) -> dict[str, str]:
        """Return what the notification command received."""
        wait_until(self.file.exists, "the notification", seconds)
        *lines, directory = self.file.read_text().splitlines()
        self.file.unlink()
        return {**dict(line.split("=", 1) for line in lines if "=" in line), "pwd": directory}

    def silent(self) -> bool:
        """Return whether no notification arrives."""
        time.sleep(0.5)
        return not self.file.exists()


NEED = '{"code": "%code%", "completed": false, "needs_user": true}'


@pytest.fixture
def bell(supervised: Supervised) -> Bell:
    """A session with a notification."""
    return Bell(supervised)


@pytest.mark.journey
def test_completed(bell: Bell) -> None:
    """The command gets the outcome, the session, the message and the project."""
    stopped = bell.supervised.stop()
    told = bell.told()
    assert told["CCC_OUTCOME"] == "completed"
    assert told["CCC_SESSION"] == SESSION
    assert told["CCC_MESSAGE"] == stopped.message
    assert told["CCC_PROJECT"] == told["pwd"] == str(bell.supervised.project.directory)


@pytest.mark.parametrize(
    ("outcome", "claude", "limits"),
    [
        (
            "needs_user",
            """result('{"code": "%code%", "completed": false, "needs_user": true}')""",
            {},
        ),
        ("not_judged", "sys.exit(3)", {}),
        ("iterations", "result(YES)", {"max_iterations": 1}),
        ("minutes", "result(YES)", {"max_minutes": 0.001}),
    ],
)
def test_each_ending(bell: Bell, outcome: str, claude: str, limits: dict[str, object]) -> None:
    """Every way in which a task ends sends a notification."""
    bell.supervised.claude(claude)
    bell.supervised.set_state(count=1, prompt_id="p1", task_started=1.0)
    bell.wish(["sh", "-c", DUMP, str(bell.file)], **limits)
    bell.supervised.stop()
    assert bell.told()["CCC_OUTCOME"] == outcome


def test_stuck(bell: Bell) -> None:
    """The first feedback sends no notification, but the same one again does."""
    bell.supervised.claude("result(NO)")
    assert bell.supervised.stop().blocked
    assert bell.silent()
    bell.supervised.stop(stop_hook_active=True)
    assert bell.told()["CCC_OUTCOME"] == "stuck"


@pytest.mark.parametrize(
    "event",
    [
        {"permission_mode": "plan"},
        {"background_tasks": [{"id": "1", "type": "subagent", "status": "running"}]},
    ],
    ids=["plan", "background"],
)
def test_what_goes_on_is_no_ending(bell: Bell, event: dict[str, object]) -> None:
    """Plan mode and background work are not the end of a task."""
    assert "terminalSequence" not in bell.supervised.stop(**event).answer
    assert bell.silent()


def test_a_failure_of_ours_is_told(bell: Bell) -> None:
    """A stop that could not be reviewed because the hook failed sends a notification, too."""
    bell.supervised.stop(stdin="no event")
    assert bell.told()["CCC_OUTCOME"] == "not_judged"


def test_it_has_no_keys(bell: Bell) -> None:
    """It gets no variable of the provider or the session, and none that holds a key."""
    project = bell.supervised.project
    env = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": {"env": "MY_KEY"}}
    config = project.json(".claude/ccc.json")
    config["providers"] = {"kimi": project.provider(), "glm": {"env": env}}
    project.write(".claude/ccc.json", json.dumps(config))
    bell.supervised.stop(
        env={
            "MY_KEY": SECRET,
            "ANTHROPIC_API_KEY": SECRET,
            "EXTRA": SECRET,
            "CCC_PROVIDER_ENV": "EXTRA,OTHER",
            "CLAUDE_CODE_MESSAGING_TOKEN": SECRET,
            "MINE": "stays",
        }
    )
    told = bell.told()
    assert SECRET not in json.dumps(told)
    assert KEY not in json.dumps(told)
    assert told["MINE"] == "stays"
    assert "CCC_SUPERVISOR_ID" not in told


def test_a_shell_line(bell: Bell) -> None:
    """A string is a shell command."""
    bell.wish(f'echo "OUT=$CCC_OUTCOME" > {bell.file}.new; mv {bell.file}.new {bell.file}')
    bell.supervised.stop()
    wait_until(bell.file.exists)
    assert bell.file.read_text() == "OUT=completed\n"


def test_it_holds_nothing_up(bell: Bell) -> None:
    """A slow command with output blocks neither the hook nor its pipes."""
    bell.wish("echo loud; echo louder >&2; exec sleep 55")
    stopped = bell.supervised.stop()
    wait_until(
        lambda: any("sleep 55" in line for line in bell.supervised.family().values()), "it goes on"
    )
    (verdict,) = bell.supervised.verdicts
    assert stopped.outcome.seconds - verdict["seconds"] < 8
    assert "loud" not in stopped.outcome.stdout + stopped.outcome.stderr
    assert "completed" in stopped.message
    for pid in bell.supervised.family():
        subprocess.run(["kill", "-9", str(pid)], check=False)


@pytest.mark.parametrize(
    ("command", "cause"), [("exit 3", "exit 3"), (["/nowhere/program"], "No such file")]
)
def test_a_failure_is_in_the_log_alone(bell: Bell, command: object, cause: str) -> None:
    """A notification that fails doesn't affect the stop."""
    bell.wish(command)
    assert "completed" in bell.supervised.stop().message
    wait_until(lambda: "notify failed" in bell.supervised.log)
    assert cause in bell.supervised.log


def test_it_is_bounded_in_time(bell: Bell, tmp_path: Path) -> None:
    """A command that doesn't end is ended with its descendants."""
    job = {
        "command": ["sh", "-c", "sleep 30 & sleep 30"],
        "request": ["", ""],
        "facts": {"project": str(tmp_path), "session": SESSION},
        "state_dir": str(bell.supervised.state_dir),
        "seconds": 0.5,
    }
    subprocess.run(
        [sys.executable, "-P", "-m", "ccc.supervision.notifications"],
        env={**bell.supervised.project.env, "CCC_NOTIFICATION": json.dumps(job)},
        check=True,
        timeout=10,
    )
    wait_until(lambda: "notify failed" in bell.supervised.log)
    nothing_runs(bell.supervised.project.home)


def test_a_project_that_shadows_ours(bell: Bell) -> None:
    """A json.py or ccc in the project is not what the notification runs."""
    for name in ("json.py", "ccc.py", "os.py"):
        (bell.supervised.project.directory / name).write_text("raise SystemExit(9)\n")
    bell.supervised.stop()
    assert bell.told()["CCC_OUTCOME"] == "completed"


@pytest.mark.parametrize(
    ("wish", "expected"), [("bell", "\a"), ("osc9", "\x1b]9;ccc: [SUPERVISOR] completed")]
)
def test_the_terminal(bell: Bell, wish: str, expected: str) -> None:
    """The hook has no terminal, so claude is asked to send the sequence."""
    bell.wish(wish)
    assert bell.supervised.stop().answer["terminalSequence"].startswith(expected)
    bell.supervised.claude("result(NO)")
    assert "terminalSequence" not in bell.supervised.stop(prompt_id="p2").answer


@pytest.mark.parametrize("wish", [3, [], [""], ["a", 1], {"command": "x"}, True, "a\0b"])
def test_a_wrong_wish(bell: Bell, wish: object) -> None:
    """An invalid value is an error with file, key and fix."""
    bell.wish(wish)
    outcome = bell.supervised.project.run("kimi", "--version")
    assert outcome.code == 1
    assert "supervisor.notify" in outcome.stderr
    assert "bell" in outcome.stderr


def test_nothing_is_wished_for(supervised: Supervised) -> None:
    """Without the setting, nothing is sent and nothing is started."""
    assert set(supervised.stop().answer) == {"systemMessage"}
