"""What a supervised stop stores and prints, even if nothing can be written."""

import json
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from stops import SECONDS, SESSION, Stopped, Supervised, failure_cause, snapshot

from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision.session_store import SessionStore
from harness.processes import nothing_runs
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
        """A corrupt state is renamed and reported, and supervision is off."""
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
        """001/创建状态文件: the fields that the seeds name, with times in ISO 8601."""
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

    def test_signals_at_a_limit(self, supervised: Supervised) -> None:
        """Nobody reviews at a limit, so the user gets the facts that rules find."""
        supervised.set_state(count=10, prompt_id="p1")
        supervised.configure(checks=["true"])
        told = supervised.stop(last_assistant_message="All tests pass.").message
        assert "your checks pass. Stop allowed" in told
        check, signal = supervised.verdicts[-1]["receipts"]
        assert (check["command"], signal["name"]) == ("true", "claim_without_run")

    def test_next_prompt(self, supervised: Supervised) -> None:
        """The limit is per prompt: the next prompt starts a new count."""
        supervised.set_state(count=10, prompt_id="p1", feedback=["x"], cost_usd=9)
        supervised.configure(checks=["false"])
        assert supervised.stop(prompt_id="p2").blocked
        assert (supervised.state["count"], supervised.state["prompt_id"]) == (1, "p2")

    def test_state_dir_option(self, supervised: Supervised) -> None:
        """001/解析 hook 参数: --state-dir and --settings are accepted in both spellings."""
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
        """With twenty hooks and twenty switches at once, every stop counts and no file breaks."""
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
        """A hook killed with -9 leaves a state that is intact, enabled and usable."""
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
        assert log_lines(supervised) == [*expected, *lines["no"]]  # type: ignore[misc]

    @pytest.mark.parametrize(("language", "lines"), [("zh", CHINESE), ("en", ENGLISH)])
    @pytest.mark.journey
    def test_completed(
        self, supervised: Supervised, language: str, lines: dict[str, object]
    ) -> None:
        """003/任务完成: "completed" and "stop allowed", and no decision on stdout."""
        stopped = supervised.stop(env={"CCC_LANG": language})
        assert list(stopped.answer) == ["systemMessage"]
        assert stopped.outcome.stderr.splitlines()[-2:] == lines["yes"]
        assert log_lines(supervised)[-2:] == lines["yes"]

    def test_language_of_the_configuration(self, supervised: Supervised) -> None:
        """`language` in ccc.json applies unless CCC_LANG says otherwise."""
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
        """The model's text can't control a terminal, neither on stderr nor in claude's."""
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
        """The text of an error can't control a terminal either."""
        supervised.claude("result('\\x1b[2Jboom', is_error=True)")
        assert "\x1b" not in failure_cause(supervised.stop(), supervised)
        supervised.set_state(claude="/x\x1b[2J/claude")
        assert "\x1b" not in failure_cause(supervised.stop(), supervised)
        directory = ("--state-dir", str(supervised.state_dir))
        elsewhere = supervised.stop(*directory, env={"CCC_CONFIG_DIR": "/x\x1b[2J"})
        assert "provider kimi is no longer in /x/ccc.json" in failure_cause(elsewhere, supervised)

    def test_long_feedback(self, supervised: Supervised) -> None:
        """Feedback over 9,000 characters is cut there, with the path of the full text."""
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
        """`completed: false` without feedback gets a default one."""
        supervised.claude("""result('{"completed": false, "feedback": " "}')""")
        assert "point by point" in supervised.stop().answer["reason"]

    def test_needs_user(self, supervised: Supervised) -> None:
        """A question that needs the user's input is passed to the user."""
        supervised.claude(
            """result('{"code": "%code%", "completed": false, "feedback": "Which key?", '
                   '"needs_user": true}')"""
        )
        stopped = supervised.stop()
        assert not stopped.blocked
        assert "Which key?" in stopped.message


def log_lines(supervised: Supervised) -> list[str]:
    """Return the messages to the user that are in the log."""
    told = [line.partition(" text=")[2] for line in supervised.log.splitlines() if " told " in line]
    return [json.loads(text) if text.startswith('"') else text for text in told]


class TestFullDisk:
    """A full state directory, in a separate mount namespace."""

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
        """If not even the state can be saved, the stop is allowed and the user is told."""
        fill = f"cat /dev/zero > {supervised.state_dir}/big 2>/dev/null"
        ccc = f"{supervised.project.ccc} supervisor-hook"
        stopped = self.in_a_small_place(supervised, f"{fill}\nexec {ccc}")
        assert "No space left on device" in failure_cause(stopped, supervised)
        assert supervised.notes("pid") == []

    def test_it_fills_during_the_review(self, supervised: Supervised) -> None:
        """If the disk fills up during the review, the outcome is reported with exit code 0."""
        supervised.claude("emit(type='odd', x='x' * 200_000); result(NO)")
        stopped = self.in_a_small_place(
            supervised, f"exec {supervised.project.ccc} supervisor-hook"
        )
        assert "No space left on device" in stopped.message
        nothing_runs(supervised.project.home)

    def test_read_only_state_directory(self, supervised: Supervised) -> None:
        """An unwritable state directory allows the stop, with a message."""
        needs("bwrap")
        place = str(supervised.state_dir)
        outcome = supervised.project.run(
            *("--dev-bind", "/", "/", "--ro-bind", place, place),
            *(supervised.project.ccc, "supervisor-hook"),
            stdin=supervised.event(),
            program="bwrap",
            timeout=SECONDS,
        )
        assert "cannot write" in failure_cause(Stopped(outcome), supervised)
        assert supervised.notes("pid") == []


@pytest.mark.parametrize("content", [b'{"enabled": true, "count": 3}', b"{broken", b"\xff", None])
def test_loading_writes_nothing(tmp_path: Path, content: bytes | None) -> None:
    """Loading a state writes nothing; an invalid one counts as empty and stays in place."""
    where = Paths({"HOME": str(tmp_path)}, str(tmp_path))
    file = Path(where.state("s"))
    if content is not None:
        file.write_bytes(content)
    before = snapshot(tmp_path)
    state = SessionStore(where, "s", Journal(where, "s")).load()
    assert (state.enabled, state.task.count) == (
        (True, 3) if content and b"3" in content else (False, 0)
    )
    assert snapshot(tmp_path) == before
