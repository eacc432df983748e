"""Which claude a stop belongs to: launched, in a wrapper, foreign, or a run's agent."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from stops import SESSION, Stopped, Supervised

from ccc.claude import known_claudes
from ccc.claude.capabilities import Answers
from ccc.storage.paths import Paths
from harness.processes import wait_until

pytestmark = pytest.mark.thorough

THEIRS = "theirs"
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(supervised: Supervised) -> Iterator[Start]:
    """Start a process that stands for a claude, with the session's environment."""
    started: list[subprocess.Popen[bytes]] = []

    def make(*argv: str, **env: str) -> "subprocess.Popen[bytes]":
        given = {**supervised.project.env, **env}
        started.append(subprocess.Popen(argv or ("sleep", "60"), env=given))
        return started[-1]

    yield make
    for process in started:
        process.kill()
        process.communicate()


def hook(supervised: Supervised, claude: int, **env: str) -> Stopped:
    """Run the hook as that claude does, in a session with its own id."""
    around = {
        "CLAUDE_PROJECT_DIR": str(supervised.project.directory),
        "CLAUDE_PID": str(claude),
        "CLAUDE_CODE_SESSION_ID": THEIRS,
    }
    return supervised.stop(env={**around, **env}, session_id=THEIRS)


def launched(supervised: Supervised, pid: int) -> None:
    """Record that process as the one that ccc became."""
    supervised.set_state(pid=pid)
    supervised.project.env["CCC_LAUNCHER_PID"] = str(pid)


class TestInherited:
    """CCC_SUPERVISOR_ID is for the claude that ccc became."""

    def test_the_program_of_a_wrapper(self, supervised: Supervised, start: Start) -> None:
        """A wrapper that starts claude as a child instead of exec is the session, too."""
        launched(supervised, os.getpid())
        assert "completed" in hook(supervised, start().pid).message
        assert supervised.state["provider"] == "kimi"

    def test_another_of_the_same_program(self, supervised: Supervised, start: Start) -> None:
        """A claude that the supervised one started is one of its tools, and left alone."""
        launched(supervised, os.getpid())
        inner = start(sys.executable, "-c", "import time; time.sleep(60)")
        assert hook(supervised, inner.pid).silent

    def test_another_version_of_it(self, supervised: Supervised, start: Start) -> None:
        """After an update the program differs, but its inherited environment identifies it."""
        launched(supervised, os.getpid())
        inner = start(CLAUDE_PID=str(os.getpid()))
        assert hook(supervised, inner.pid).silent
        assert list(supervised.state_dir.glob(f"supervisor-{THEIRS}*")) == []

    @pytest.mark.parametrize("alive", [True, False])
    def test_a_background_service(self, supervised: Supervised, start: Start, alive: bool) -> None:
        """claude's service keeps the id, whether or not the session that started it still runs."""
        first = subprocess.Popen(["sleep", "60"])
        launched(supervised, first.pid)
        try:
            if not alive:
                first.kill()
                first.communicate()
            assert hook(supervised, start().pid).silent
        finally:
            first.kill()
            first.communicate()

    @pytest.mark.journey
    def test_below_a_claude(self, supervised: Supervised, start: Start, tmp_path: Path) -> None:
        """If claude itself was launched there is no wrapper, whatever its servers start."""
        claude, inner = tmp_path / "claude", tmp_path / "inner"
        claude.write_bytes(Path("/bin/dash").resolve().read_bytes())
        claude.chmod(0o755)
        become = f"sleep 60 & echo $! > {inner}.new; mv {inner}.new {inner}; wait"
        outer = start(str(claude), "-c", f"export CCC_LAUNCHER_PID=$$; {become}")
        launched(supervised, outer.pid)
        wait_until(inner.exists)
        try:
            assert hook(supervised, int(inner.read_text())).silent
        finally:
            os.kill(int(inner.read_text()), signal.SIGKILL)

    def test_the_same_number_elsewhere(self, supervised: Supervised, start: Start) -> None:
        """A plain claude in another container with the same process id is not the launched one."""
        plain = {"CCC_SUPERVISOR_ID": "", "CCC_LAUNCHER_PID": "", "CLAUDE_CODE_SESSION_ID": SESSION}
        other = start(**plain)
        supervised.set_state(pid=other.pid)
        hook(supervised, other.pid, **plain)
        assert "ANTHROPIC_AUTH_TOKEN" not in supervised.notes("env")[-1]

    def test_by_hand(self, supervised: Supervised, start: Start) -> None:
        """In the shell of such a claude, the named id counts."""
        launched(supervised, os.getpid())
        inner = start(CLAUDE_PID=str(os.getpid()))
        around = {"CLAUDE_PID": str(inner.pid), "CLAUDE_CODE_SESSION_ID": THEIRS}
        assert "completed" in supervised.stop(env=around).message


class TestTheProjectsSettings:
    """`env` in a project's settings reaches hooks and slash commands."""

    ENV = (
        {"CCC_SUPERVISOR_ID": "elsewhere"},
        {"CCC_WORK_DIR": "/nowhere"},
        {"CCC_LAUNCHER_PID": "1"},
    )

    @pytest.mark.parametrize("env", ENV)
    def test_a_stop(self, supervised: Supervised, start: Start, env: dict[str, str]) -> None:
        """The hook uses the environment that its claude was started with."""
        launched(supervised, os.getpid())
        assert "completed" in hook(supervised, start().pid, **env).message

    def test_what_claude_lacks(self, supervised: Supervised, start: Start) -> None:
        """The project can't make ccc disregard it, as a self-test has to."""
        launched(supervised, os.getpid())
        paths = Paths({"CLAUDE_CONFIG_DIR": str(supervised.project.claude_dir)})
        program = str(supervised.project.bin / "claude")
        known_claudes.save(paths, program, Answers("2.1.50", {"read_only"}))
        message = hook(supervised, start().pid, CCC_SELFTEST="running").message
        assert "could write to the project: no stop can be judged" in message
        assert supervised.notes("argv") == []

    @pytest.mark.parametrize("env", ENV)
    def test_a_switch(self, supervised: Supervised, start: Start, env: dict[str, str]) -> None:
        """So do /supervisor and /supervisoroff."""
        supervised.project.env.pop("CCC_SUPERVISOR_ID")
        plain = {"CLAUDE_PID": str(start().pid), "CLAUDE_CODE_SESSION_ID": THEIRS}
        line = ("supervisor-mode", "on", "--this-session")
        supervised.project.run(*line, env={**plain, **env}).succeeded()
        state = supervised.state_dir / f"supervisor-{THEIRS}.json"
        assert json.loads(state.read_text())["enabled"] is True


class TestTwoClaudes:
    def test_one_session_in_both(self, supervised: Supervised, start: Start) -> None:
        """A plain `claude --resume` beside ccc's doesn't take the session over."""
        first = start("/bin/sh", "-c", "sleep 60", "claude")
        supervised.set_state(pid=first.pid)
        plain = {"CCC_SUPERVISOR_ID": "", "CLAUDE_CODE_SESSION_ID": SESSION}
        second = start(**plain)
        assert "completed" in hook(supervised, second.pid, **plain).message
        assert (supervised.state["provider"], supervised.state["pid"]) == ("kimi", first.pid)
        assert "--fork-session" in supervised.notes("argv")[-1]
        assert "ANTHROPIC_AUTH_TOKEN" not in supervised.notes("env")[-1]

    def test_one_after_the_other(self, supervised: Supervised, start: Start) -> None:
        """Once the first has ended, the session belongs to the plain one, reported once."""
        gone = subprocess.Popen(["true"])
        gone.wait()
        supervised.set_state(pid=gone.pid)
        plain = {"CCC_SUPERVISOR_ID": "", "CLAUDE_CODE_SESSION_ID": SESSION}
        second = start(**plain)
        assert "this session is supervised" in hook(supervised, second.pid, **plain).message
        assert (supervised.state["provider"], supervised.state["pid"]) == ("", second.pid)
        assert "this session is supervised" not in hook(supervised, second.pid, **plain).message


class TestConversations:
    """A session is a conversation of claude: after /clear there is another one."""

    @pytest.fixture
    def left(self, supervised: Supervised, start: Start) -> int:
        """A claude that ccc launched, now in another conversation than the launch's."""
        launched(supervised, os.getpid())
        supervised.set_state(pid=os.getpid(), is_named=False, count=1, outcome="completed")
        return start().pid

    def theirs(self, supervised: Supervised) -> dict[str, Any]:
        """Return the state of the other conversation."""
        file = supervised.state_dir / f"supervisor-{THEIRS}.json"
        state: dict[str, Any] = json.loads(file.read_text())
        return state

    @pytest.mark.journey
    def test_each_is_a_session(self, supervised: Supervised, left: int) -> None:
        """Its stops are its own, and the one that claude left has ended, but stays supervised."""
        assert "completed" in hook(supervised, left).message
        state = self.theirs(supervised)
        assert (state["enabled"], state["pid"], state["provider"]) == (True, os.getpid(), "kimi")
        assert (supervised.state["enabled"], supervised.state["pid"]) == (True, 0)
        shown = json.loads(supervised.project.run("status", "--json").stdout)
        assert {each["session_id"] for each in shown["sessions"]} == {SESSION, THEIRS}

    @pytest.mark.parametrize("on", [True, False])
    def test_it_goes_on_as_the_last_one(self, supervised: Supervised, left: int, on: bool) -> None:
        """A conversation is supervised if the one before it was; off is off."""
        supervised.set_state(pid=os.getpid(), is_named=False, enabled=on)
        assert hook(supervised, left).silent is not on
        assert self.theirs(supervised)["enabled"] is on

    def test_switched_off_in_the_second(self, supervised: Supervised, left: int) -> None:
        """/supervisoroff counts for the third, not for the first, which may be resumed."""
        own = {"CLAUDE_PID": str(left), "CLAUDE_CODE_SESSION_ID": THEIRS}
        line = ("supervisor-mode", "off", "--this-session")
        supervised.project.run(*line, env=own).succeeded()
        assert hook(supervised, left, CLAUDE_CODE_SESSION_ID="third").silent
        assert (supervised.state["enabled"], self.theirs(supervised)["enabled"]) == (True, False)

    def test_it_can_not_be_stored(self, supervised: Supervised, left: int) -> None:
        """Then the stop is judged in the session that the claude was in."""
        (supervised.state_dir / f"supervisor-{THEIRS}.json").mkdir()
        assert "completed" in hook(supervised, left).message
        assert supervised.state["count"] == 2

    def test_a_name_of_the_users(self, supervised: Supervised, left: int) -> None:
        """CCC_SUPERVISOR_ID names one session, with the conversation that it is in."""
        supervised.set_state(pid=os.getpid())
        hook(supervised, left)
        assert (supervised.state["conversation"], supervised.state["count"]) == (THEIRS, 1)


class TestRuns:
    """The agent of a `ccc run` has the user's hook, but the run itself decides its stops."""

    def test_its_agent(self, supervised: Supervised, start: Start) -> None:
        """The hook is silent there, even if the session itself is supervised."""
        supervised.project.env.pop("CCC_SUPERVISOR_ID")
        agent = start(CCC_LAUNCHER_PID=str(os.getpid()))
        around = {"CLAUDE_CODE_SESSION_ID": SESSION}
        assert hook(supervised, agent.pid, **around).silent
        # a claude that the agent starts is a separate session
        inner = start(CCC_LAUNCHER_PID=str(os.getpid()), CLAUDE_PID=str(os.getpid()))
        assert "completed" in hook(supervised, inner.pid, **around).message


def test_no_session_on_stdin(supervised: Supervised) -> None:
    """Input without a session id is ignored."""
    (supervised.state_dir / "supervisor-None.json").write_text('{"enabled": true}')
    assert supervised.stop(stdin="{}", env={"CCC_SUPERVISOR_ID": None}).silent


def test_the_native_installer(supervised: Supervised, start: Start, tmp_path: Path) -> None:
    """A claude named by its version is recognized as the one for the reviewer."""
    program = tmp_path / "claude" / "versions" / "2.1.325"
    program.parent.mkdir(parents=True)
    program.write_bytes(Path("/bin/sleep").read_bytes())
    program.chmod(0o755)
    plain = {"CCC_SUPERVISOR_ID": "", "CLAUDE_CODE_SESSION_ID": SESSION}
    supervised.set_state(provider="")
    hook(supervised, start(str(program), "60", **plain).pid, **plain)
    assert supervised.state["claude"] == str(program)
