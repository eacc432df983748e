"""`ccc supervisor-hook` as a process: exit code 0, one JSON object or nothing, no process left."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from stops import NO, SECONDS, SESSION, Stopped, Supervised, snapshot

from harness import KEY
from harness.processes import nothing_runs, wait_until
from harness.programs import needs

pytestmark = pytest.mark.thorough

ENGLISH = {
    "begun": "========== [SUPERVISOR HOOK] 开始执行 (begins) ==========",
    "where": f"session_id: {SESSION}, iteration: 1/10",
    "reviewing": "[SUPERVISOR] 正在审查工作... (reviewing the work)",
    "window": "请在新窗口查看日志文件了解详情 "
    "(open the log file in another window for the details): ",
    "no": [
        "[SUPERVISOR] 任务未完成 (not completed)",
        "需要补充...",
        "Agent 将根据反馈继续工作 (the agent goes on with the feedback)",
    ],
    "yes": ["[SUPERVISOR] 任务已完成 (completed)", "允许停止 (stop allowed)"],
}
CHINESE = {
    "begun": "========== [SUPERVISOR HOOK] 开始执行 ==========",
    "where": f"session_id: {SESSION}, 迭代次数: 1/10",
    "reviewing": "[SUPERVISOR] 正在审查工作...",
    "window": "请在新窗口查看日志文件了解详情: ",
    "no": ["[SUPERVISOR] 任务未完成", "需要补充...", "Agent 将根据反馈继续工作"],
    "yes": ["[SUPERVISOR] 任务已完成", "允许停止"],
}
REFUSES = """
request = json.loads(sys.stdin.readline())["request_id"]
refusal = {"subtype": "error", "request_id": request, "error": "no handshake"}
emit(type="control_response", response=refusal)
hang()
"""
IMPORT_FOR_EVER = "import os, time\nopen(os.environ['IMPORTING'], 'w').close()\ntime.sleep(60)\n"


def told_why(stopped: Stopped, supervised: Supervised) -> str:
    """The cause that the person is told, after it is checked that the stop is allowed, loudly."""
    message = stopped.message
    assert not stopped.blocked, stopped.outcome
    assert message.startswith("[SUPERVISOR] could not be judged, stop allowed: "), stopped.outcome
    assert f"Log: {supervised.state_dir / 'hook-invocation.log'}." in message
    assert "/supervisoroff" in message
    return message


@pytest.mark.journey
class TestNotSupervised:
    def test_without_an_id(self, supervised: Supervised) -> None:
        """A claude in which nobody asked for supervision never notices the hook."""
        before = snapshot(supervised.project.home)
        other = {"CCC_SUPERVISOR_ID": None, "CLAUDE_CODE_SESSION_ID": "other"}
        assert supervised.stop(env=other).silent
        assert supervised.stop(env={"CCC_SUPERVISOR_ID": None}, session_id="other").silent
        assert snapshot(supervised.project.home) == before

    def test_without_a_state_file(self, supervised: Supervised) -> None:
        """002/State 文件不存在时默认跳过: nothing on stdout or stderr, and no file is made."""
        supervised.state_file.unlink()
        before = snapshot(supervised.project.home)
        assert supervised.stop().silent
        assert snapshot(supervised.project.home) == before

    def test_without_a_state_directory(self, supervised: Supervised) -> None:
        """A CCC_WORK_DIR in which nothing was ever written is not supervised."""
        elsewhere = supervised.project.root / "elsewhere"
        assert supervised.stop(env={"CCC_WORK_DIR": str(elsewhere)}).silent
        assert not elsewhere.exists()

    @pytest.mark.parametrize("state", [{"enabled": False}, {}])
    def test_disabled(self, supervised: Supervised, state: dict[str, object]) -> None:
        """002/State 文件 Enabled 为 false 时跳过: also where an old file does not say it."""
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
        """An id that could leave its directory is refused before it touches a path."""
        supervised.project.write(".claude/settings.json", '{"enabled": true}')
        (supervised.state_dir.parent.parent / "supervisor-x.json").write_text("{}")
        before = snapshot(supervised.project.home)
        assert supervised.stop(env={"CCC_SUPERVISOR_ID": hostile}).silent
        assert snapshot(supervised.project.home) == before

    def test_input_is_not_needed(self, supervised: Supervised) -> None:
        """Neither garbage on stdin nor a broken configuration matters where nothing is on."""
        supervised.set_state(enabled=False)
        supervised.project.write(".claude/ccc.json", "{broken")
        assert supervised.stop("--nonsense", stdin="\x00garbage").silent


class TestWhateverHappens:
    @pytest.mark.parametrize(
        "garbage", ["", "  ", "no JSON", "[]", "null", '{"a":', "{}{}", "\ufeff{}", "[" * 100_000]
    )
    @pytest.mark.journey
    def test_garbage_on_stdin(self, supervised: Supervised, garbage: str) -> None:
        """What is no event allows the stop, and the person is told."""
        stopped = supervised.stop(stdin=garbage)
        assert "not a stop event of claude" in told_why(stopped, supervised)
        assert "supervisor-hook failed" in supervised.log
        assert supervised.state["enabled"] is True

    def test_binary_on_stdin(self, supervised: Supervised) -> None:
        """Bytes that are no text are no event either."""
        script = 'head -c 100000 /dev/urandom | "$0" supervisor-hook'
        told_why(shell(supervised, script), supervised)

    def test_huge_stdin_in_bounded_memory(self, supervised: Supervised, tmp_path: Path) -> None:
        """128 MB on stdin are refused without being read into memory."""
        with open(tmp_path / "huge", "wb") as file:
            file.truncate(128 * 1024 * 1024)
        # the hook may have no more memory than this; the input alone would take it
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
        """With any of its streams closed or full the hook ends with 0, and spoils no file."""
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
        """A reader that went away is no reason for another exit code."""
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
        """No option is an error: argparse's exit code 2 would block the stop."""
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
        """Without a good ccc.json the stop is allowed, and the person told where it is wrong."""
        path = supervised.project.write(".claude/ccc.json", config or "")
        if config is None:
            path.unlink()
        assert cause in told_why(supervised.stop(), supervised)

    def test_state_directory_is_a_file(self, supervised: Supervised) -> None:
        """A file in the place of the state directory is no traceback."""
        work = supervised.project.root / "work"
        work.mkdir()
        (work / "ccc").write_text("in the way")
        stopped = supervised.stop(env={"CCC_WORK_DIR": str(work)})
        assert "is not a directory" in stopped.message
        assert (work / "ccc").read_text() == "in the way"

    def test_state_that_cannot_be_read(self, supervised: Supervised) -> None:
        """A state that is there but can't be read allows the stop, loudly."""
        supervised.state_file.unlink()
        supervised.state_file.mkdir()
        assert "cannot read" in told_why(supervised.stop(), supervised)

    @pytest.mark.parametrize("work", ["relative", None])
    def test_working_directory_is_gone(self, supervised: Supervised, work: str | None) -> None:
        """In a directory that was deleted the exit code is 0 too."""
        if work:
            supervised.project.env["CCC_WORK_DIR"] = work
        supervised.configure(checks=["true"])
        shell(supervised, 'mkdir gone; cd gone; rmdir ../gone; "$0" supervisor-hook', "{}")

    @pytest.mark.parametrize("pid", [10**30, -5, 1])
    def test_wild_process_id_in_the_state(self, supervised: Supervised, pid: int) -> None:
        """A number that is no process id is no traceback."""
        supervised.set_state(pid=pid)
        supervised.stop(env={"CLAUDE_PID": "²"})
        supervised.stop(env={"CLAUDE_PID": "123"})

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
        """A provider or claude that is gone is a failed review, and recorded as one."""
        supervised.set_state(**state)
        assert cause in told_why(supervised.stop(), supervised)
        (verdict,) = supervised.verdicts
        assert (verdict["completed"], verdict["outcome"]) == (None, "not_judged")
        assert cause in verdict["failure"]

    @pytest.mark.journey
    def test_no_prompt(self, supervised: Supervised) -> None:
        """000/SUPERVISOR.md 不存在: allowed, and the person is told how to create one."""
        (supervised.project.claude_dir / "SUPERVISOR.md").unlink()
        message = told_why(supervised.stop(), supervised)
        assert "ccc prompt init" in message
        assert supervised.notes("pid") == []

    def test_language_of_a_failure(self, supervised: Supervised) -> None:
        """A failure is told in the person's language too."""
        stopped = supervised.stop(stdin="garbage", env={"CCC_LANG": "zh"})
        assert stopped.message.startswith("[SUPERVISOR] 无法审查，允许停止：")


def shell(supervised: Supervised, script: str, stdin: str = "") -> Stopped:
    """A shell script whose $0 is ccc."""
    project = supervised.project
    return Stopped(
        project.run("-c", script, project.ccc, stdin=stdin, program="/bin/sh", timeout=SECONDS)
    )


class TestState:
    @pytest.mark.parametrize(
        "corrupt",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b'{"enabled": "yes"}',
            b'{"count": "1"}',
            b"\xff\xfe\x00",
            b"\0\0",
        ],
    )
    @pytest.mark.journey
    def test_corrupt(self, supervised: Supervised, corrupt: bytes) -> None:
        """A corrupt state is set aside, reported, and supervision is off, not on."""
        if corrupt == b'{"count": "1"}':
            corrupt = b'{"enabled": true, "count": "1"}'
        supervised.state_file.write_bytes(corrupt)
        stopped = supervised.stop()
        (aside,) = supervised.state_dir.glob("*.corrupt*")
        assert aside.read_bytes() == corrupt
        assert not stopped.blocked
        assert str(aside) in stopped.message
        assert "/supervisor turns it on again" in stopped.message
        assert "state corrupt" in supervised.log
        assert supervised.state["enabled"] is False
        assert supervised.notes("pid") == []
        assert supervised.stop().silent

    @pytest.mark.journey
    def test_made_and_counted(self, supervised: Supervised) -> None:
        """001/创建状态文件: the fields that the seeds name, in ISO 8601 where they are times."""
        supervised.stop()
        state = supervised.state
        assert (state["session_id"], state["enabled"], state["count"]) == (SESSION, True, 1)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", state["updated_at"])
        assert state["cost_usd"] == 0.25

    @pytest.mark.parametrize("prompt", ["p1", ""])
    def test_counted_on(self, supervised: Supervised, prompt: str) -> None:
        """001/更新迭代次数: 3 becomes 4, with a new updated_at; unknown fields survive."""
        old = "2020-01-01T00:00:00+00:00"
        supervised.set_state(count=3, prompt_id=prompt, updated_at=old, future={"x": 1})
        supervised.configure(checks=["false"])
        supervised.stop(prompt_id=prompt)
        state = supervised.state
        assert (state["count"], state["future"]) == (4, {"x": 1})
        assert state["updated_at"] > old

    @pytest.mark.parametrize("prompt", ["p1", ""])
    @pytest.mark.journey
    def test_limit(self, supervised: Supervised, prompt: str) -> None:
        """001/迭代次数限制: with a count of 10 the stop is allowed, and no reviewer is called."""
        supervised.set_state(count=10, prompt_id=prompt)
        supervised.configure(checks=["touch ran"])
        stopped = supervised.stop(prompt_id=prompt)
        told = "limit of 10 rounds for this prompt reached; your checks pass. Stop allowed"
        assert told in stopped.message
        assert not stopped.blocked
        assert supervised.notes("pid") == []
        assert (supervised.project.directory / "ran").exists()
        assert supervised.state["count"] == 10

    def test_next_prompt(self, supervised: Supervised) -> None:
        """The limit is per prompt: the next one starts a new count."""
        supervised.set_state(count=10, prompt_id="p1", feedback=["x"], cost_usd=9)
        supervised.configure(checks=["false"])
        assert supervised.stop(prompt_id="p2").blocked
        assert (supervised.state["count"], supervised.state["prompt_id"]) == (1, "p2")

    def test_state_dir_option(self, supervised: Supervised) -> None:
        """001/解析 hook 参数: --state-dir and --settings are taken, in both spellings."""
        other = supervised.project.root / "other"
        other.mkdir()
        supervised.state_file.rename(other / supervised.state_file.name)
        assert supervised.stop().silent
        given = supervised.project.write("given.json", '{"model": "mine", "hooks": {}}')
        stopped = supervised.stop("--state-dir", str(other), f"--settings={given}")
        assert "completed, stop allowed" in stopped.message
        argv = supervised.notes("argv")[-1]
        used = json.loads(Path(argv[argv.index("--settings") + 1]).read_text())
        assert used["model"] == "mine"
        assert "hooks" not in used
        assert "Edit(./**)" in used["permissions"]["deny"]
        assert (other / "hook-invocation.log").exists()

    def test_many_at_once(self, supervised: Supervised) -> None:
        """Twenty hooks and twenty switches at once: every stop is counted, no file is spoiled."""
        supervised.configure(max_iterations=100, checks=["false"])
        hooks = [supervised.start() for _ in range(20)]
        switches = [
            subprocess.Popen(
                [supervised.project.ccc, "supervisor-mode", word],
                cwd=supervised.project.directory,
                env=supervised.project.env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for word in ["on", "status"] * 10
        ]
        said = [process.communicate(timeout=2 * SECONDS)[0] for process in hooks]
        assert {process.returncode for process in hooks} == {0}
        assert {process.wait(SECONDS) for process in switches} == {0}
        assert sum(json.loads(answer).get("decision") == "block" for answer in said) >= 1
        assert (supervised.state["count"], supervised.state["enabled"]) == (20, True)
        assert len(supervised.verdicts) == 20
        assert len(re.findall("supervisor-hook invoked", supervised.log)) == 20
        assert list(supervised.state_dir.glob("*.tmp")) == []

    def test_killed_at_random_moments(self, supervised: Supervised) -> None:
        """A hook killed with -9 leaves a state that is whole, on, and can be counted on."""
        supervised.configure(max_iterations=100, checks=["false"])
        begun = time.monotonic()
        supervised.start().communicate(timeout=SECONDS)
        usual = time.monotonic() - begun
        chance = random.Random(3)
        killed = 0
        for _ in range(40):
            process = supervised.start()
            time.sleep(chance.uniform(usual * 0.2, usual))
            process.kill()
            process.communicate(timeout=SECONDS)
            killed += process.returncode == -signal.SIGKILL
            assert supervised.state["enabled"] is True
        assert killed > 5
        before = supervised.state["count"]
        assert supervised.stop().outcome.code == 0
        assert supervised.state["count"] == before + 1
        assert list(supervised.state_dir.glob("*.tmp")) == []
        assert list(supervised.state_dir.glob("*.corrupt*")) == []


class TestWhatIsSaid:
    @pytest.mark.parametrize(("language", "lines"), [("zh", CHINESE), ("en", ENGLISH)])
    @pytest.mark.journey
    def test_not_completed(
        self, supervised: Supervised, language: str, lines: dict[str, object]
    ) -> None:
        """003/审查结果输出: the section, "reviewing", the result and the feedback, line by line."""
        supervised.claude("say('I looked.'); result(NO)")
        stopped = supervised.stop(env={"CCC_LANG": language})
        assert stopped.answer["reason"] == "需要补充..."
        window = f"{lines['window']}{supervised.state_dir}/supervisor-{SESSION}-output.jsonl"
        expected = [lines["begun"], lines["where"], lines["reviewing"], window]
        said = stopped.outcome.stderr.splitlines()
        assert said == [*expected, "I looked.", *lines["no"]]  # type: ignore[misc]
        assert noted(supervised) == [*expected, *lines["no"]]  # type: ignore[misc]

    @pytest.mark.parametrize(("language", "lines"), [("zh", CHINESE), ("en", ENGLISH)])
    @pytest.mark.journey
    def test_completed(
        self, supervised: Supervised, language: str, lines: dict[str, object]
    ) -> None:
        """003/任务完成: "completed" and "stop allowed", and no decision on stdout."""
        stopped = supervised.stop(env={"CCC_LANG": language})
        assert list(stopped.answer) == ["systemMessage"]
        assert stopped.outcome.stderr.splitlines()[-2:] == lines["yes"]
        assert noted(supervised)[-2:] == lines["yes"]

    def test_language_of_the_configuration(self, supervised: Supervised) -> None:
        """`language` in ccc.json counts where CCC_LANG does not say otherwise."""
        supervised.project.configure(language="zh", supervisor={"checks": ["false"]})
        stopped = supervised.stop()
        assert "开始执行" in stopped.outcome.stderr
        assert "检查 `false` 失败，退出码 1" in stopped.answer["reason"]

    def test_log_format(self, supervised: Supervised) -> None:
        """003/hook-invocation.log 格式: ISO 8601 time, event, session and iteration; a summary."""
        supervised.stop()
        lines = supervised.log.splitlines()
        time_ = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"
        assert all(re.match(f"{time_} ", line) for line in lines)
        begun = (
            rf"{time_} supervisor-hook invoked session_id={SESSION} iteration=1 max_iterations=10"
        )
        assert any(re.match(begun, line) for line in lines), lines
        (summary,) = (line for line in lines if "supervisor-hook decided" in line)
        assert "iteration=1 allowed=true outcome=completed cost_usd=0.25" in summary

    def test_control_characters(self, supervised: Supervised) -> None:
        """What the model says can't steer a terminal, neither on stderr nor in claude's."""
        evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eabc\r\x00 end"
        verdict = json.dumps(
            {"code": "%code%", "completed": False, "feedback": evil, "needs_user": True}
        )
        supervised.claude(f"say({evil!r}); result({verdict!r})")
        stopped = supervised.stop()
        for text in (stopped.outcome.stderr, stopped.message):
            assert re.findall(r"[^\n\t\x20-\x7e\u4e00-\u9fff]", text) == [], ascii(text)
            assert "abc end" in text

    def test_control_characters_of_a_failure(self, supervised: Supervised) -> None:
        """Neither can the text of an error."""
        supervised.claude("result('\\x1b[2Jboom', is_error=True)")
        assert "\x1b" not in told_why(supervised.stop(), supervised)
        supervised.set_state(claude="/x\x1b[2J/claude")
        assert "\x1b" not in told_why(supervised.stop(), supervised)
        directory = ("--state-dir", str(supervised.state_dir))
        elsewhere = supervised.stop(*directory, env={"CCC_CONFIG_DIR": "/x\x1b[2J"})
        assert "provider kimi is no longer in /x/ccc.json" in told_why(elsewhere, supervised)

    def test_long_feedback(self, supervised: Supervised) -> None:
        """Feedback over 9,000 characters is cut there, with the path of the whole."""
        feedback = "".join(f"{n} 中\n" for n in range(4000)) + "\ud800"
        supervised.claude(f"result({json.dumps({'completed': False, 'feedback': feedback})!r})")
        stopped = supervised.stop(env={"LC_ALL": "POSIX", "PYTHONUTF8": "0", "CCC_LANG": "en"})
        reason = stopped.answer["reason"]
        assert len(reason) < 10_000
        assert reason.startswith(feedback[:9_000])
        named = re.search(r"Read all of it in (\S+)\]", reason)
        assert named
        whole = Path(named[1]).read_text(encoding="utf-8")
        assert whole == feedback[:-1]
        assert supervised.stop(prompt_id="p2").blocked

    def test_empty_feedback(self, supervised: Supervised) -> None:
        """`completed: false` without feedback gets a sensible one."""
        supervised.claude("""result('{"completed": false, "feedback": " "}')""")
        assert "point by point" in supervised.stop().answer["reason"]

    def test_needs_user(self, supervised: Supervised) -> None:
        """What only the person can answer is for the person."""
        supervised.claude(
            """result('{"code": "%code%", "completed": false, "feedback": "Which key?", '
                   '"needs_user": true}')"""
        )
        stopped = supervised.stop()
        assert not stopped.blocked
        assert "Which key?" in stopped.message


def noted(supervised: Supervised) -> list[str]:
    """What the log has of what the person was told."""
    told = [line.partition(" text=")[2] for line in supervised.log.splitlines() if " told " in line]
    return [json.loads(text) if text.startswith('"') else text for text in told]


class TestReviewer:
    @pytest.mark.journey
    def test_how_it_is_started(self, supervised: Supervised) -> None:
        """001/调用 Supervisor: a fork, without our id and without the session's variables."""
        supervised.project.env |= {"CLAUDECODE": "1", "CLAUDE_CODE_MESSAGING_TOKEN": "secret"}
        supervised.stop()
        (argv,) = supervised.notes("argv")
        assert argv[argv.index("--resume") + 1] == SESSION
        assert "--fork-session" in argv
        assert "--no-session-persistence" in argv
        settings = argv[argv.index("--settings") + 1]
        assert settings == str(supervised.project.claude_dir / "settings-kimi-supervisor.json")
        assert json.loads(Path(settings).read_text())["disableAllHooks"] is True
        (env,) = supervised.notes("env")
        assert not {"CCC_SUPERVISOR_ID", "CLAUDECODE", "CLAUDE_CODE_MESSAGING_TOKEN"} & set(env)
        assert env["ANTHROPIC_AUTH_TOKEN"] == KEY
        assert supervised.notes("cwd") == [str(supervised.project.directory)]

    @pytest.mark.journey
    def test_what_it_is_asked(self, supervised: Supervised) -> None:
        """000/fallback 到全局 SUPERVISOR.md: the user's prompt begins the question."""
        supervised.stop()
        (question,) = supervised.notes("question")
        assert question.startswith("Be strict.\n")

    def test_prompt_of_the_project(self, supervised: Supervised) -> None:
        """000/读取项目级 SUPERVISOR.md: the project's own prompt is preferred."""
        (supervised.project.directory / "SUPERVISOR.md").write_text("Be kind.\n")
        supervised.stop()
        (question,) = supervised.notes("question")
        assert question.startswith("Be kind.\n")

    def test_workspace_is_removed(self, supervised: Supervised) -> None:
        """The place for writing exists during the review, and is gone afterwards."""
        supervised.claude(
            "note(temporary=os.environ['TMPDIR'], there=os.path.isdir(os.environ['TMPDIR']))\n"
            "open(os.environ['TMPDIR'] + '/x', 'w').close(); result(YES)"
        )
        supervised.stop()
        assert supervised.notes("there") == [True]
        (temporary,) = supervised.notes("temporary")
        assert not Path(temporary).exists()

    @pytest.mark.journey
    def test_one_more_question(self, supervised: Supervised) -> None:
        """An answer without a verdict is asked for once more, in the same fork."""
        supervised.claude("result('All well.' if turn == 1 else NO)")
        assert supervised.stop().answer["reason"] == "需要补充..."
        _, second = supervised.notes("question")
        assert "could not find a verdict" in second
        assert len(supervised.notes("pid")) == 1
        (verdict,) = supervised.verdicts
        assert verdict["tokens"]["input"] == 2

    @pytest.mark.journey
    def test_no_verdict_at_all(self, supervised: Supervised) -> None:
        """After the second answer without a verdict the stop is allowed."""
        supervised.claude("result('All well.')")
        assert "gave no verdict" in told_why(supervised.stop(), supervised)
        assert len(supervised.notes("question")) == 2

    def test_raw_lines_and_record(self, supervised: Supervised) -> None:
        """001/保存 stream-json 输出: every line as it came, appended; the verdict with its cost."""
        supervised.claude('raw(b\'  {"type": "odd",  "x": 1.50}\\n\'); say(\'hm\'); result(NO)')
        supervised.stop()
        assert '{"type": "odd",  "x": 1.50}' in supervised.output
        supervised.stop(prompt_id="p2")
        assert supervised.output.count('{"type": "odd",  "x": 1.50}') == 2
        first, _ = supervised.verdicts
        assert (first["completed"], first["feedback"]) == (False, "需要补充...")
        assert (first["outcome"], first["allowed"], first["iteration"]) == (
            "not_completed",
            False,
            1,
        )
        assert first["cost_usd"] == 0.25
        assert first["tokens"] == {"input": 1, "cache_read": 2, "cache_creation": 0, "output": 3}
        assert first["seconds"] > 0

    @pytest.mark.parametrize(
        "noise",
        [
            "raw(b'not JSON at all\\n{\"type\": \\n\\n\\xff\\xfe\\x00\\n[1, 2]\\nnull\\n')",
            "emit(type='brand_new', x=1); emit(x=1); emit(type=None); emit(type='system')",
            "emit(type='assistant'); emit(type='assistant', message=7); emit(type='user')",
            "emit(type='result_like', subtype='success'); emit(type='stream_event')",
            "emit(type='control_response', response={'request_id': 'unknown'})",
            "emit(type='control_request', request_id='r', request={'subtype': 'odd'})",
            "emit(type='system', subtype='x', text='a' * 20_000_000)",
            "raw(b'x' * 5_000_000 + b'\\n'); say('中' * 2_000_000)",
            "raw(b''.join(b'{\"type\": \"odd\"}\\n' for _ in range(20_000)))",
        ],
        ids=[
            "malformed",
            "unknown",
            "half",
            "others",
            "response",
            "request",
            "20MB",
            "5MB",
            "many",
        ],
    )
    def test_noise_is_survived(self, supervised: Supervised, noise: str) -> None:
        """000/解析错误处理: whatever else is in the stream, the verdict is found behind it."""
        supervised.claude(f"{noise}; result(NO)")
        assert supervised.stop().answer["reason"] == "需要补充..."

    def test_lines_in_pieces(self, supervised: Supervised) -> None:
        """A line that arrives byte by byte is one line."""
        supervised.claude(
            "line = json.dumps({'type': 'result', 'subtype': 'success', 'is_error': False,"
            " 'result': NO}, ensure_ascii=False).encode()\n"
            "for byte in line: raw(bytes([byte]))\n"
            "raw(b'\\n')"
        )
        assert supervised.stop().blocked

    def test_result_without_a_newline(self, supervised: Supervised) -> None:
        """A last line that is not ended counts when claude ends."""
        supervised.claude(
            "raw(json.dumps({'type': 'result', 'subtype': 'success', 'result': NO}).encode())\n"
            "sys.exit(0)"
        )
        assert supervised.stop().blocked

    def test_structured_output(self, supervised: Supervised) -> None:
        """With `structured_output` the schema is given, and its value is the verdict."""
        supervised.configure(structured_output=True)
        supervised.claude("result('', structured_output={'completed': False, 'feedback': 'x'})")
        assert supervised.stop().answer["reason"] == "x"
        (argv,) = supervised.notes("argv")
        schema = json.loads(argv[argv.index("--json-schema") + 1])
        assert schema["required"] == ["code", "completed", "feedback"]

    @pytest.mark.parametrize(
        ("program", "cause"),
        [
            ({"body": "result(YES, is_error=True)"}, '"completed": true'),
            ({"body": "result(NO, is_error=True)"}, '{"completed": false'),
            ({"body": "result(YES, subtype='error_max_turns')"}, '"completed": true'),
            ({"body": "result('All well.') if turn == 1 else result(YES, is_error=True)"}, "true"),
            ({"body": "result('API Error: 529 Overloaded', is_error=True); sys.exit(1)"}, "529"),
            ({"body": "say('half of'); sys.exit(3)"}, "(exit 3)"),
            ({"body": "os.kill(os.getpid(), 9)"}, "(exit -9)"),
            ({"body": "pass", "before": "sys.exit(4)"}, "(exit 4)"),
            ({"body": "pass", "before": "os.kill(os.getpid(), 9)"}, "(exit -9)"),
            ({"body": "pass", "before": "raw(b'garbage\\n' * 1000); sys.exit(5)"}, "(exit 5)"),
            ({"body": "pass", "between": "sys.exit(6)"}, "(exit 6)"),
            ({"body": "os.close(1); hang()"}, "claude ended"),
            ({"body": "pass", "before": REFUSES}, "no handshake"),
        ],
        ids=[
            *("error with a yes", "error with a no", "subtype with a yes", "error at the second"),
            *("API error", "exit", "killed", "exit before", "killed before", "garbage before"),
            *("exit after the handshake", "stdout closed", "handshake refused"),
        ],
    )
    def test_faults(self, supervised: Supervised, program: dict[str, str], cause: str) -> None:
        """A failed judgement is not a finding: allowed, told, recorded, no process left."""
        supervised.claude(**program)
        begun = time.monotonic()
        stopped = supervised.stop()
        assert cause in told_why(stopped, supervised)
        assert time.monotonic() - begun < 45
        (verdict,) = supervised.verdicts
        assert (verdict["completed"], verdict["allowed"]) == (None, True)
        assert cause in verdict["failure"]
        assert supervised.state["feedback"] == []
        nothing_runs(supervised.project.home)

    def test_orphans_of_a_dead_claude(self, supervised: Supervised) -> None:
        """A grandchild in its own session that holds the pipes is ended, though claude is dead."""
        supervised.claude("orphan(); sys.exit(3)")
        begun = time.monotonic()
        assert "(exit 3)" in told_why(supervised.stop(), supervised)
        assert time.monotonic() - begun < 45
        nothing_runs(supervised.project.home)

    def test_orphans_after_a_verdict(self, supervised: Supervised) -> None:
        """The same where claude gave its verdict: it counts, and nothing is left."""
        supervised.claude("orphan(); result(NO)")
        assert supervised.stop().blocked
        nothing_runs(supervised.project.home)

    def test_hangs_after_its_verdict(self, supervised: Supervised) -> None:
        """A claude that has answered and does not end is ended."""
        supervised.claude("stubborn(); result(NO); hang()")
        assert supervised.stop().blocked
        nothing_runs(supervised.project.home)

    def test_the_project_changed_meanwhile(self, supervised: Supervised) -> None:
        """A change of the tree during the review is reported."""
        supervised.claude("print('x', file=open('new.txt', 'w')); result(YES)")
        assert "changed during the review" in supervised.stop().message
        assert supervised.verdicts[0]["changed_tree"] is True

    @pytest.mark.parametrize(
        ("language", "text"), [("en", "may go unnoticed"), ("zh", "中的变化可能未被发现")]
    )
    def test_too_many_files_to_compare(
        self, supervised: Supervised, language: str, text: str
    ) -> None:
        """Where not everything is compared the user is told, once."""
        supervised.claude("result(NO)")
        for number in range(20_001):
            (supervised.project.directory / f"{number}.txt").touch()
        env = {"CCC_LANG": language}
        told = [supervised.stop(env=env, prompt_id=f"p{n}").message for n in range(2)]
        assert [message.count(text) for message in told] == [1, 0]
        assert str(supervised.project.directory) in told[0]


class TestEnding:
    """Timeout and SIGTERM: exit code 0 within two seconds, and the whole family gone."""

    @pytest.mark.parametrize(
        "program",
        [
            {"body": "say('hm'); stubborn(); orphan(); hang()"},
            {"body": "pass", "before": "stubborn(); hang()"},
        ],
        ids=["in the middle", "before the handshake"],
    )
    def test_timeout(self, supervised: Supervised, program: dict[str, str]) -> None:
        """A reviewer that hangs is ended after timeout_seconds, and that is told."""
        supervised.configure(timeout_seconds=10)
        supervised.claude(**program)
        begun = time.monotonic()
        stopped = supervised.stop()
        assert "took longer than 10 s" in told_why(stopped, supervised)
        assert 10 <= time.monotonic() - begun < 45
        assert "took longer than 10 s" in supervised.verdicts[0]["failure"]
        nothing_runs(supervised.project.home)

    @pytest.mark.parametrize(
        ("program", "number"),
        [
            ({"body": "stubborn(); orphan(); hang()"}, signal.SIGTERM),
            ({"body": "orphan(); hang()"}, signal.SIGTERM),
            ({"body": "orphan(); hang()"}, signal.SIGINT),
            ({"body": "orphan(); hang()"}, signal.SIGHUP),
            ({"body": "pass", "before": "hang()"}, signal.SIGTERM),
            ({"body": "pass", "between": "hang()"}, signal.SIGTERM),
            ({"body": "result('no verdict') if turn == 1 else hang()"}, signal.SIGTERM),
        ],
        ids=[
            *("stubborn", "TERM", "INT", "HUP", "before", "after the handshake"),
            "second question",
        ],
    )
    @pytest.mark.journey
    def test_interrupted_review(
        self, supervised: Supervised, program: dict[str, str], number: int
    ) -> None:
        """Esc during a review: exit code 0, nothing said, and nobody is left."""
        supervised.claude(**program)
        process = supervised.start()
        wait_until(lambda: supervised.notes("hangs"), "the reviewer hangs")
        ended_by(number, process, supervised)
        assert "supervisor-hook interrupted" in supervised.log
        *_, trace = supervised.verdicts
        assert (trace["outcome"], trace["allowed"], trace["iteration"]) == ("interrupted", True, 1)
        assert (supervised.state["outcome"], supervised.state["stop"]) == ("interrupted", {})

    def test_interrupted_import(self, supervised: Supervised, tmp_path: Path) -> None:
        """Esc while the SDK is imported: nobody waits for the import."""
        (tmp_path / "slow").mkdir()
        (tmp_path / "slow" / "claude_agent_sdk.py").write_text(IMPORT_FOR_EVER)
        importing = tmp_path / "importing"
        supervised.project.env |= {
            "PYTHONPATH": str(tmp_path / "slow"),
            "IMPORTING": str(importing),
        }
        supervised.claude("orphan(); hang()")
        process = supervised.start()
        wait_until(importing.exists, "the import begins")
        wait_until(lambda: supervised.notes("hangs"), "the reviewer hangs")
        ended_by(signal.SIGTERM, process, supervised)

    def test_interrupted_check(self, supervised: Supervised) -> None:
        """Esc during a check: the check's whole family is gone too."""
        stubborn = (
            f"{sys.executable} -c 'import signal, time; signal.signal(15, 1); time.sleep(60)'"
        )
        supervised.configure(checks=[f"setsid {stubborn} & {stubborn} & touch running; wait"])
        process = supervised.start()
        wait_until((supervised.project.directory / "running").exists, "the check runs")
        ended_by(signal.SIGTERM, process, supervised)
        assert supervised.notes("pid") == []

    def test_interrupted_by_what_it_starts(self, supervised: Supervised) -> None:
        """A signal in the middle of starting a process: the process is not forgotten."""
        supervised.configure(max_iterations=100, checks=["kill -TERM $PPID; exec sleep 60"])
        for _ in range(15):
            process = supervised.start()
            out, err = process.communicate(timeout=SECONDS)
            assert (process.returncode, out) == (0, b""), err.decode()
            nothing_runs(supervised.project.home)

    def test_interrupted_at_any_moment(self, supervised: Supervised) -> None:
        """Esc at whatever moment of a whole stop: never another exit code, never a process left."""
        supervised.configure(checks=["true"])
        supervised.claude("orphan(); result(YES)")
        begun = time.monotonic()
        supervised.start().communicate(timeout=SECONDS)
        usual = time.monotonic() - begun
        for part in range(12):
            supervised.state_file.unlink()
            supervised.set_state()
            process = supervised.start(prompt_id=f"p{part}")
            # before its first line the hook has started nothing that could be left
            assert process.stderr is not None
            assert os.read(process.stderr.fileno(), 1)
            time.sleep(usual * part / 12)
            ended_by(signal.SIGTERM, process, supervised, answered=True)
            assert supervised.state["enabled"] is True

    def test_signal_at_the_very_end(self, supervised: Supervised, tmp_path: Path) -> None:
        """After the reviewer's end a signal is heard as well: the loop leaves no default behind."""
        supervised.project.env |= {"PYTHONPATH": str(tmp_path)}
        (tmp_path / "sitecustomize.py").write_text(
            "import sys\n"
            "def late(event, details):\n"
            "    if event == 'open' and str(details[0]).endswith('-verdicts.jsonl'):\n"
            "        import os, signal\n"
            "        os.kill(os.getpid(), signal.SIGTERM)\n"
            "sys.addaudithook(late)\n"
        )
        process = supervised.start()
        out, _ = process.communicate(timeout=SECONDS)
        assert (process.returncode, out) == (0, b"")
        assert "supervisor-hook interrupted" in supervised.log


def ended_by(
    number: int,
    process: "subprocess.Popen[bytes]",
    supervised: Supervised,
    answered: bool = False,
) -> None:
    """Send the signal to the hook's group, as claude does, and see that all of it ends in time."""
    begun = time.monotonic()
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        assert answered
    # until nobody holds stdout or stderr any more
    out, err = process.communicate(timeout=SECONDS)
    took = time.monotonic() - begun
    assert process.returncode == 0, err.decode()
    assert took < 2, (took, err.decode())
    assert out == b"" or (answered and json.loads(out)), out
    assert b"Traceback" not in err, err.decode()
    nothing_runs(supervised.project.home)
    assert not any(Path(env["TMPDIR"]).exists() for env in supervised.notes("env"))


class TestFullDisk:
    """A state directory without space, in a mount namespace of its own."""

    def in_a_small_place(self, supervised: Supervised, script: str) -> Stopped:
        """Run the script with a file system of 64 KB mounted over the state directory."""
        needs("bwrap")
        state = supervised.state_file.read_text()
        mount = ["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", str(supervised.state_dir)]
        program = supervised.project.root / "in-the-place"
        program.write_text(
            f"#!/bin/sh\ncat > {supervised.state_file} <<'EOF'\n{state}\nEOF\n{script}\n"
        )
        program.chmod(0o755)
        outcome = supervised.project.run(
            *mount, str(program), stdin=supervised.event(), program="bwrap", timeout=SECONDS
        )
        return Stopped(outcome)

    def test_nothing_can_be_written(self, supervised: Supervised) -> None:
        """Where not even the state can be saved the stop is allowed, and the person told."""
        fill = f"cat /dev/zero > {supervised.state_dir}/big 2>/dev/null"
        ccc = f"{supervised.project.ccc} supervisor-hook"
        stopped = self.in_a_small_place(supervised, f"{fill}\nexec {ccc}")
        assert "No space left on device" in told_why(stopped, supervised)
        assert supervised.notes("pid") == []

    def test_it_fills_during_the_review(self, supervised: Supervised) -> None:
        """A disk that fills up while the reviewer talks: the outcome is told, and exit code 0."""
        supervised.claude("emit(type='odd', x='x' * 200_000); result(NO)")
        stopped = self.in_a_small_place(
            supervised, f"exec {supervised.project.ccc} supervisor-hook"
        )
        assert "No space left on device" in stopped.message
        nothing_runs(supervised.project.home)

    def test_read_only_state_directory(self, supervised: Supervised) -> None:
        """A state directory that can't be written allows the stop, loudly."""
        needs("bwrap")
        place = str(supervised.state_dir)
        outcome = supervised.project.run(
            *("--dev-bind", "/", "/", "--ro-bind", place, place),
            *(supervised.project.ccc, "supervisor-hook"),
            stdin=supervised.event(),
            program="bwrap",
            timeout=SECONDS,
        )
        assert "cannot write" in told_why(Stopped(outcome), supervised)
        assert supervised.notes("pid") == []


def test_no_is_the_answer_of_the_seeds() -> None:
    """001/Supervisor 返回未完成: the words that these tests use are those of the seed."""
    assert json.loads(NO) == {"completed": False, "feedback": "需要补充..."}


class TestMeanwhile:
    def test_nothing_outlives_a_killed_hook(self, supervised: Supervised) -> None:
        """Killed with -9, the hook takes its check along, with all that this has started."""
        supervised.configure(checks=["setsid sleep 60 & sleep 60 & touch running; wait"])
        process = supervised.start()
        wait_until((supervised.project.directory / "running").exists, "the check runs")
        process.kill()
        process.communicate(timeout=SECONDS)
        nothing_runs(supervised.project.home)

    def test_a_killed_hook_is_cleared_up_after(self, supervised: Supervised) -> None:
        """What a hook that was killed with -9 left in the temporary directory goes later."""
        # a short name: the sandbox's sockets must fit into it
        with tempfile.TemporaryDirectory(prefix="c", dir="/tmp") as temporary:
            supervised.project.env["TMPDIR"] = temporary
            supervised.claude("hang()")
            process = supervised.start()
            wait_until(lambda: supervised.notes("hangs"))
            process.kill()
            process.communicate(timeout=SECONDS)
            assert len(os.listdir(temporary)) == 1
            nothing_runs(supervised.project.home)
            supervised.claude("result(YES)")
            assert "completed" in supervised.stop().message
            assert os.listdir(temporary) == []

    def test_a_review_that_was_killed(self, supervised: Supervised) -> None:
        """A hook that somebody killed is told of at the next stop; one that ended in order not."""
        supervised.claude("hang()")
        process = supervised.start()
        wait_until(lambda: supervised.notes("hangs"), "the review")
        process.kill()
        process.communicate(timeout=SECONDS)
        seen = supervised.project.run("show", SESSION).succeeded().stdout
        assert "review was killed" in seen
        supervised.claude("result(YES)")
        assert "was killed from outside (reviewing)" in supervised.stop(prompt_id="p2").message
        assert "from outside" not in supervised.stop(prompt_id="p3").message
        supervised.claude("hang()")
        process = supervised.start(prompt_id="p4")
        wait_until(lambda: len(supervised.notes("hangs")) == 2, "the review")
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=SECONDS)
        supervised.claude("result(YES)")
        assert "from outside" not in supervised.stop(prompt_id="p5").message


class TestRules:
    """Checks, limits and prompt that change during a session."""

    TOLD = "checks, limits or SUPERVISOR.md changed"

    def changes(self, supervised: Supervised) -> Iterator[None]:
        """One thing after the other: a check, a limit, the instructions."""
        supervised.configure(checks=[])
        yield
        supervised.configure(checks=[], max_iterations=99)
        yield
        (supervised.project.directory / "SUPERVISOR.md").write_text("Always agree.")
        yield

    def test_told_once_each(self, supervised: Supervised) -> None:
        """Whoever takes a check out of ccc.json is seen."""
        supervised.configure(checks=["true"])
        assert self.TOLD not in supervised.stop().message
        for number, _ in enumerate(self.changes(supervised)):
            assert self.TOLD in supervised.stop(prompt_id=f"p{number}").message
            assert self.TOLD not in supervised.stop(prompt_id=f"q{number}").message
        assert supervised.log.count("the rules of supervision have changed") == 3

    def test_from_the_launch_on(self, supervised: Supervised) -> None:
        """Before the first stop too."""
        env = {"CCC_SUPERVISOR_ID": "launched"}
        supervised.configure(checks=["true"])
        supervised.project.run("--supervisor", "kimi", env=env).succeeded()
        supervised.configure(checks=[])
        assert self.TOLD in supervised.stop(env=env).message

    def test_what_does_not_matter(self, supervised: Supervised) -> None:
        """Another provider chosen, another project's checks, instructions that are not used."""
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
        """A stop that does not come to its end has told nobody."""
        supervised.stop()
        supervised.configure(max_iterations=99)
        supervised.claude("hang()")
        process = supervised.start(prompt_id="p2")
        wait_until(lambda: supervised.notes("hangs"), "the reviewer hangs")
        process.kill()
        process.communicate(timeout=SECONDS)
        supervised.claude("result(YES)")
        assert self.TOLD in supervised.stop(prompt_id="p3").message
