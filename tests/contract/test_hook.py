"""`ccc supervisor-hook` as a process: exit code 0, and one JSON object or nothing."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest
from stops import NO, SECONDS, SESSION, Stopped, Supervised, failure_cause, snapshot

from harness.processes import wait_until

pytestmark = pytest.mark.thorough

OTHERS = [
    json.dumps(event)
    for event in (
        # Cursor
        {
            "conversation_id": SESSION,
            "generation_id": "g1",
            "hook_event_name": "stop",
            "workspace_roots": ["/project"],
            "status": "completed",
            "loop_count": 0,
        },
        # DeepSeek Harness
        {"session_id": "ses_1", "hook_event_name": "Stop", "stop_hook_active": False, "cwd": "/"},
        # Codex
        {
            "session_id": "019a9c11-7c2d-7d33-9d55-0a2e6c0c7a11",
            "turn_id": "t1",
            "transcript_path": "/home/x/.codex/sessions/rollout-1.jsonl",
            "cwd": "/project",
            "hook_event_name": "Stop",
            "model": "gpt-6",
            "permission_mode": "default",
            "stop_hook_active": True,
            "last_assistant_message": "Done.",
        },
        # Kimi Code
        {"hook_event_name": "Stop", "session_id": "k-1", "cwd": "/x", "stop_hook_active": False},
        # Copilot CLI
        {"sessionId": "s1", "timestamp": 1795000000000, "cwd": "/x", "stopReason": "end_turn"},
        {"session_id": {"not": "text"}},
        [],
    )
]
"""What other clients write to a Stop hook, and garbage."""
OTHERS += ["", "no JSON", '{"session_id":', "\0\0", "{}{}", "\n{}\n"]


@pytest.mark.journey
class TestNotSupervised:
    def test_without_an_id(self, supervised: Supervised) -> None:
        """In a claude without supervision, the hook prints and changes nothing."""
        before = snapshot(supervised.project.home)
        other = {"CCC_SUPERVISOR_ID": None, "CLAUDE_CODE_SESSION_ID": "other"}
        assert supervised.stop(env=other).silent
        assert supervised.stop(env={"CCC_SUPERVISOR_ID": None}, session_id="other").silent
        assert snapshot(supervised.project.home) == before

    def test_without_a_state_file(self, supervised: Supervised) -> None:
        """002/State 文件不存在时默认跳过: nothing on stdout or stderr, and no file is created."""
        supervised.state_file.unlink()
        before = snapshot(supervised.project.home)
        assert supervised.stop().silent
        assert snapshot(supervised.project.home) == before

    def test_without_a_state_directory(self, supervised: Supervised) -> None:
        """A CCC_WORK_DIR that nothing was ever written to is not supervised."""
        elsewhere = supervised.project.root / "elsewhere"
        assert supervised.stop(env={"CCC_WORK_DIR": str(elsewhere)}).silent
        assert not elsewhere.exists()

    @pytest.mark.parametrize("state", [{"enabled": False}, {}])
    def test_disabled(self, supervised: Supervised, state: dict[str, object]) -> None:
        """002/State 文件 Enabled 为 false 时跳过: even if an old file doesn't say it."""
        content = {"session_id": SESSION, "count": 3, **state}
        supervised.state_file.write_text(json.dumps(content))
        before = snapshot(supervised.project.home)
        assert supervised.stop().silent
        assert snapshot(supervised.project.home) == before
        assert supervised.notes("pid") == []

    @pytest.mark.parametrize(
        "hostile", ["../../settings", "../ccc", "a/b", "..", ".", "-x", "a b", "é", "x" * 500]
    )
    def test_hostile_ids(self, supervised: Supervised, hostile: str) -> None:
        """An id that could leave its directory is rejected before it is used in a path."""
        supervised.project.write(".claude/settings.json", '{"enabled": true}')
        (supervised.state_dir.parent.parent / "supervisor-x.json").write_text("{}")
        before = snapshot(supervised.project.home)
        assert supervised.stop(env={"CCC_SUPERVISOR_ID": hostile}).silent
        assert snapshot(supervised.project.home) == before

    @pytest.mark.parametrize("event", OTHERS, ids=lambda event: event[:40])
    def test_another_client(self, supervised: Supervised, event: str) -> None:
        """Clients that run the entry in claude's settings.json notice nothing of it."""
        before = snapshot(supervised.project.home)
        env = {"CCC_SUPERVISOR_ID": None, "CLAUDECODE": None}
        assert supervised.stop(stdin=event, env=env).silent
        assert snapshot(supervised.project.home) == before

    @pytest.mark.parametrize("event", [*OTHERS[:3], ""])
    def test_another_client_that_leaves_stdin_open(
        self, supervised: Supervised, event: str
    ) -> None:
        """The hook doesn't wait for the end of its input."""
        project = supervised.project
        env = {k: v for k, v in project.env.items() if k not in ("CCC_SUPERVISOR_ID", "CLAUDECODE")}
        line = [project.ccc, "supervisor-hook"]
        with subprocess.Popen(line, env=env, stdin=PIPE, stdout=PIPE, stderr=PIPE) as hook:
            assert hook.stdin
            hook.stdin.write(event.encode())
            hook.stdin.flush()
            assert hook.wait(SECONDS) == 0
            assert hook.stdout
            assert hook.stderr
            assert hook.stdout.read() + hook.stderr.read() == b""

    def test_input_is_not_needed(self, supervised: Supervised) -> None:
        """Without supervision, neither garbage on stdin nor a broken configuration matters."""
        supervised.set_state(enabled=False)
        supervised.project.write(".claude/ccc.json", "{broken")
        assert supervised.stop("--nonsense", stdin="\x00garbage").silent


class TestWhateverHappens:
    def test_stdin_stays_open(self, supervised: Supervised) -> None:
        """The hook reads the one object of its input, also in parts, and goes on."""
        project = supervised.project
        line = [project.ccc, "supervisor-hook"]
        event = supervised.event(last_assistant_message="x" * 200_000).encode()
        with subprocess.Popen(line, env=project.env, stdin=PIPE, stdout=PIPE) as hook:
            assert hook.stdin
            for part in (event[:100], event[100:100_000], event[100_000:]):
                hook.stdin.write(part)
                hook.stdin.flush()
            assert hook.wait(SECONDS) == 0
            assert hook.stdout
            assert json.loads(hook.stdout.read())["systemMessage"]
        assert supervised.state["outcome"] == "completed"

    @pytest.mark.parametrize(
        "garbage", ["", "  ", "no JSON", "[]", "null", '{"a":', "{}{}", "\ufeff{}", "[" * 100_000]
    )
    @pytest.mark.journey
    def test_garbage_on_stdin(self, supervised: Supervised, garbage: str) -> None:
        """Invalid input allows the stop, and the user is told."""
        stopped = supervised.stop(stdin=garbage)
        assert "not a stop event of claude" in failure_cause(stopped, supervised)
        assert "supervisor-hook failed" in supervised.log
        assert supervised.state["enabled"] is True

    def test_binary_on_stdin(self, supervised: Supervised) -> None:
        """Binary input allows the stop, too."""
        script = 'head -c 100000 /dev/urandom | "$0" supervisor-hook'
        failure_cause(shell(supervised, script), supervised)

    def test_huge_stdin_in_bounded_memory(self, supervised: Supervised, tmp_path: Path) -> None:
        """128 MB on stdin are rejected without being read into memory."""
        with open(tmp_path / "huge", "wb") as file:
            file.truncate(128 * 1024 * 1024)
        # the hook's memory limit, which the input alone would exceed
        limited = f"ulimit -v 131072; exec {supervised.project.ccc} supervisor-hook"
        with open(tmp_path / "huge", "rb") as huge:
            done = subprocess.run(
                ["/bin/sh", "-c", limited],
                cwd=supervised.project.directory,
                env=supervised.project.env,
                stdin=huge,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=SECONDS,
                check=True,
            )
        assert "not a stop event of claude" in json.loads(done.stdout)["systemMessage"]

    @pytest.mark.parametrize(
        "streams",
        [
            "<&-",
            ">&-",
            "2>&-",
            ">&- 2>&-",
            "<&- >&-",
            "<&- >&- 2>&-",
            "> /dev/full",
            "2> /dev/full",
        ],
    )
    @pytest.mark.journey
    def test_closed_streams(self, supervised: Supervised, streams: str) -> None:
        """With any of its streams closed or full, the hook exits with 0 and damages no file."""
        supervised.configure(checks=["false"])
        stopped = shell(supervised, f'exec "$0" supervisor-hook {streams}', supervised.event())
        assert "Traceback" not in stopped.outcome.stderr
        if ">" in streams.replace("2>", "").replace("<&-", ""):
            assert stopped.outcome.stdout == ""
        else:
            assert stopped.blocked is ("<&-" not in streams)
        assert supervised.state["enabled"] is True
        assert supervised.state.get("count", 0) == (0 if "<&-" in streams else 1)

    @pytest.mark.parametrize("which", ["stdout", "stderr"])
    def test_nobody_reads(self, supervised: Supervised, which: str) -> None:
        """A closed pipe doesn't change the exit code."""
        supervised.configure(checks=["false"])
        process = supervised.start()
        getattr(process, which).close()
        setattr(process, which, None)
        process.communicate(timeout=SECONDS)
        assert process.returncode == 0
        assert supervised.state["count"] == 1

    @pytest.mark.parametrize(
        "options",
        [
            ["--nonsense"],
            ["-h"],
            ["--help"],
            ["--version"],
            ["--settings"],
            ["--state-dir"],
            ["--settings="],
            ["--state-dir="],
            ["two", "words"],
            ["--", "--settings"],
            [""],
        ],
    )
    @pytest.mark.journey
    def test_bad_options(self, supervised: Supervised, options: list[str]) -> None:
        """No option is an error, because argparse's exit code 2 would block the stop."""
        supervised.configure(checks=["false"])
        stopped = supervised.stop(*options)
        assert "usage" not in stopped.outcome.stderr.casefold()
        assert stopped.outcome.stdout == "" or stopped.blocked

    @pytest.mark.parametrize(
        ("config", "cause"),
        [
            (None, "the provider kimi is no longer in"),
            ("{broken", "ccc.json, line 1, column 2"),
            ("{}", "the provider kimi is no longer in"),
            ('{"providers": {"kimi": {}}, "supervisor": {"max_iterations": 0}}', "max_iterations"),
            ("\x00\x01", "ccc.json"),
        ],
    )
    @pytest.mark.journey
    def test_broken_configuration(
        self, supervised: Supervised, config: str | None, cause: str
    ) -> None:
        """Without a valid ccc.json the stop is allowed, and the user is told where the error is."""
        path = supervised.project.write(".claude/ccc.json", config or "")
        if config is None:
            path.unlink()
        assert cause in failure_cause(supervised.stop(), supervised)

    def test_state_directory_is_a_file(self, supervised: Supervised) -> None:
        """A file in place of the state directory causes no traceback."""
        work = supervised.project.root / "work"
        work.mkdir()
        (work / "ccc").write_text("in the way")
        stopped = supervised.stop(env={"CCC_WORK_DIR": str(work)})
        assert "is not a directory" in stopped.message
        assert (work / "ccc").read_text() == "in the way"

    def test_state_that_cannot_be_read(self, supervised: Supervised) -> None:
        """An existing state that can't be read allows the stop, with a message."""
        supervised.state_file.unlink()
        supervised.state_file.mkdir()
        assert "cannot read" in failure_cause(supervised.stop(), supervised)

    @pytest.mark.parametrize("work", ["relative", None])
    def test_working_directory_is_gone(self, supervised: Supervised, work: str | None) -> None:
        """In a deleted directory the exit code is 0, too."""
        if work:
            supervised.project.env["CCC_WORK_DIR"] = work
        supervised.configure(checks=["true"])
        script = 'mkdir gone; cd gone; rmdir ../gone; "$0" supervisor-hook'
        assert "Traceback" not in shell(supervised, script, "{}").outcome.stderr

    @pytest.mark.parametrize("pid", [10**30, -5, 1])
    def test_wild_process_id_in_the_state(self, supervised: Supervised, pid: int) -> None:
        """An invalid process id causes no traceback."""
        supervised.set_state(pid=pid)
        for around in ("²", "123"):
            stopped = supervised.stop(env={"CLAUDE_PID": around})
            assert "Traceback" not in stopped.outcome.stderr

    @pytest.mark.parametrize(
        ("state", "cause"),
        [
            ({"provider": "gone"}, "the provider gone is no longer in"),
            ({"claude": "/nowhere/claude"}, "/nowhere/claude: No such file"),
            ({"claude": "/etc/passwd"}, "/etc/passwd: Permission denied"),
        ],
    )
    @pytest.mark.journey
    def test_no_reviewer(
        self, supervised: Supervised, state: dict[str, object], cause: str
    ) -> None:
        """A missing provider or claude is a failed review, and recorded as one."""
        supervised.set_state(**state)
        assert cause in failure_cause(supervised.stop(), supervised)
        (verdict,) = supervised.verdicts
        assert (verdict["completed"], verdict["outcome"]) == (None, "not_judged")
        assert cause in verdict["failure"]

    @pytest.mark.journey
    def test_no_prompt(self, supervised: Supervised) -> None:
        """000/SUPERVISOR.md 不存在: allowed, and the user is told how to create one."""
        (supervised.project.claude_dir / "SUPERVISOR.md").unlink()
        message = failure_cause(supervised.stop(), supervised)
        assert "ccc prompt init" in message
        assert supervised.notes("pid") == []

    def test_language_of_a_failure(self, supervised: Supervised) -> None:
        """Failures are reported in the user's language, too."""
        stopped = supervised.stop(stdin="garbage", env={"CCC_LANG": "zh"})
        assert stopped.message.startswith("[SUPERVISOR] 无法审查，允许停止：")


def shell(supervised: Supervised, script: str, stdin: str = "") -> Stopped:
    """Run a shell script whose $0 is ccc."""
    project = supervised.project
    return Stopped(
        project.run("-c", script, project.ccc, stdin=stdin, program="/bin/sh", timeout=SECONDS)
    )


def test_no_is_the_answer_of_the_seeds() -> None:
    """001/Supervisor 返回未完成: these tests use the words of the seed."""
    assert json.loads(NO) == {"completed": False, "feedback": "需要补充..."}


class TestRules:
    """Checks, limits and prompts that change during a session."""

    TOLD = "checks, limits or SUPERVISOR.md changed"

    def changes(self, supervised: Supervised) -> Iterator[None]:
        """Make one change after another: a check, a limit, the instructions."""
        supervised.configure(checks=[])
        yield
        supervised.configure(checks=[], max_iterations=99)
        yield
        (supervised.project.directory / "SUPERVISOR.md").write_text("Always agree.")
        yield

    def test_told_once_each(self, supervised: Supervised) -> None:
        """Removing a check from ccc.json is reported once."""
        supervised.configure(checks=["true"])
        assert self.TOLD not in supervised.stop().message
        for number, _ in enumerate(self.changes(supervised)):
            assert self.TOLD in supervised.stop(prompt_id=f"p{number}").message
            assert self.TOLD not in supervised.stop(prompt_id=f"q{number}").message
        assert supervised.log.count("the rules of supervision have changed") == 3

    def test_from_the_launch_on(self, supervised: Supervised) -> None:
        """A change before the first stop is reported, too."""
        env = {"CCC_SUPERVISOR_ID": "launched"}
        supervised.configure(checks=["true"])
        supervised.project.run("--supervisor", "kimi", env=env).succeeded()
        supervised.configure(checks=[])
        assert self.TOLD in supervised.stop(env=env).message

    def test_what_does_not_matter(self, supervised: Supervised) -> None:
        """Another provider, another project's checks and unused instructions are not reported."""
        (supervised.project.directory / "SUPERVISOR.md").write_text("Be strict here.")
        supervised.stop()
        config = supervised.project.json(".claude/ccc.json")
        config["providers"]["other"] = config["providers"]["kimi"]
        config |= {"current_provider": "other", "projects": {"/elsewhere": {"checks": ["false"]}}}
        config["supervisor"]["notify"] = "bell"
        supervised.project.write(".claude/ccc.json", json.dumps(config))
        supervised.project.write(".claude/SUPERVISOR.md", "Be kind.")
        assert self.TOLD not in supervised.stop(prompt_id="p2").message
        config["projects"][str(supervised.project.directory)] = {"checks": ["true"]}
        supervised.project.write(".claude/ccc.json", json.dumps(config))
        assert self.TOLD in supervised.stop(prompt_id="p3").message

    def test_told_by_the_next_one_where_this_one_is_killed(self, supervised: Supervised) -> None:
        """If a stop is killed, the next one reports the change."""
        supervised.stop()
        supervised.configure(max_iterations=99)
        supervised.claude("hang()")
        process = supervised.start(prompt_id="p2")
        wait_until(lambda: supervised.notes("hangs"), "the reviewer hangs")
        process.kill()
        process.communicate(timeout=SECONDS)
        supervised.claude("result(YES)")
        assert self.TOLD in supervised.stop(prompt_id="p3").message
