"""The review of a stop: how the reviewer is started, read and ended, leaving no process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from stops import SECONDS, SESSION, Supervised, failure_cause

from harness import KEY
from harness.processes import nothing_runs, wait_until

pytestmark = pytest.mark.thorough

REFUSES = """
request = json.loads(sys.stdin.readline())["request_id"]
refusal = {"subtype": "error", "request_id": request, "error": "no handshake"}
emit(type="control_response", response=refusal)
hang()
"""
IMPORT_FOR_EVER = "import os, time\nopen(os.environ['IMPORTING'], 'w').close()\ntime.sleep(60)\n"


class TestReviewer:
    @pytest.mark.journey
    def test_how_it_is_started(self, supervised: Supervised) -> None:
        """001/调用 Supervisor: a fork, without ccc's id and without the session's variables."""
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
        """000/fallback 到全局 SUPERVISOR.md: the question starts with the user's prompt."""
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
        """The workspace exists during the review and is removed afterwards."""
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
        """After an answer without a verdict, the same fork is asked once more."""
        supervised.claude("result('All well.' if turn == 1 else NO)")
        assert supervised.stop().answer["reason"] == "需要补充..."
        _, second = supervised.notes("question")
        assert "could not find a verdict" in second
        assert len(supervised.notes("pid")) == 1
        (verdict,) = supervised.verdicts
        assert verdict["tokens"]["input"] == 2

    @pytest.mark.journey
    def test_no_verdict_at_all(self, supervised: Supervised) -> None:
        """After the second answer without a verdict, the stop is allowed."""
        supervised.claude("result('All well.')")
        assert "gave no verdict" in failure_cause(supervised.stop(), supervised)
        assert len(supervised.notes("question")) == 2

    def test_raw_lines_and_record(self, supervised: Supervised) -> None:
        """001/保存 stream-json 输出: every raw line is appended, and the verdict with its cost."""
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
        """000/解析错误处理: the verdict is found after anything else in the stream."""
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
        """An unterminated last line counts when claude ends."""
        supervised.claude(
            "raw(json.dumps({'type': 'result', 'subtype': 'success', 'result': NO}).encode())\n"
            "sys.exit(0)"
        )
        assert supervised.stop().blocked

    def test_structured_output(self, supervised: Supervised) -> None:
        """With `structured_output`, the schema is passed and its value is the verdict."""
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
        """A failed review allows the stop, is reported and recorded, and leaves no process."""
        supervised.claude(**program)
        begun = time.monotonic()
        stopped = supervised.stop()
        assert cause in failure_cause(stopped, supervised)
        assert time.monotonic() - begun < 45
        (verdict,) = supervised.verdicts
        assert (verdict["completed"], verdict["allowed"]) == (None, True)
        assert cause in verdict["failure"]
        assert supervised.state["feedback"] == []
        nothing_runs(supervised.project.home)

    def test_orphans_of_a_dead_claude(self, supervised: Supervised) -> None:
        """A grandchild in its own session that holds the pipes is ended even after claude died."""
        supervised.claude("orphan(); sys.exit(3)")
        begun = time.monotonic()
        assert "(exit 3)" in failure_cause(supervised.stop(), supervised)
        assert time.monotonic() - begun < 45
        nothing_runs(supervised.project.home)

    def test_orphans_after_a_verdict(self, supervised: Supervised) -> None:
        """A verdict counts even if claude leaves processes behind, and they are ended."""
        supervised.claude("orphan(); result(NO)")
        assert supervised.stop().blocked
        nothing_runs(supervised.project.home)

    def test_hangs_after_its_verdict(self, supervised: Supervised) -> None:
        """A claude that has answered but doesn't exit is ended."""
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
        """If some files can't be compared, the user is told once."""
        supervised.claude("result(NO)")
        for number in range(20_001):
            (supervised.project.directory / f"{number}.txt").touch()
        env = {"CCC_LANG": language}
        told = [supervised.stop(env=env, prompt_id=f"p{n}").message for n in range(2)]
        assert [message.count(text) for message in told] == [1, 0]
        assert str(supervised.project.directory) in told[0]


class TestEnding:
    """Timeout and SIGTERM: exit code 0 within two seconds, and all descendants gone."""

    @pytest.mark.parametrize(
        "program",
        [
            {"body": "say('hm'); stubborn(); orphan(); hang()"},
            {"body": "pass", "before": "stubborn(); hang()"},
        ],
        ids=["in the middle", "before the handshake"],
    )
    def test_timeout(self, supervised: Supervised, program: dict[str, str]) -> None:
        """A reviewer that hangs is ended after timeout_seconds, and the user is told."""
        supervised.configure(timeout_seconds=10)
        supervised.claude(**program)
        begun = time.monotonic()
        stopped = supervised.stop()
        assert "took longer than 10 s" in failure_cause(stopped, supervised)
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
        """Esc during a review: exit code 0, no output, and no process left."""
        supervised.claude(**program)
        process = supervised.start()
        wait_until(lambda: supervised.notes("hangs"), "the reviewer hangs")
        ended_by(number, process, supervised)
        assert "supervisor-hook interrupted" in supervised.log
        *_, trace = supervised.verdicts
        assert (trace["outcome"], trace["allowed"], trace["iteration"]) == ("interrupted", True, 1)
        assert (supervised.state["outcome"], supervised.state["stop"]) == ("interrupted", {})

    def test_interrupted_import(self, supervised: Supervised, tmp_path: Path) -> None:
        """Esc while the SDK is imported ends the hook without waiting for the import."""
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
        """Esc during a check ends all of the check's descendants, too."""
        stubborn = (
            f"{sys.executable} -c 'import signal, time; signal.signal(15, 1); time.sleep(60)'"
        )
        supervised.configure(checks=[f"setsid {stubborn} & {stubborn} & touch running; wait"])
        process = supervised.start()
        wait_until((supervised.project.directory / "running").exists, "the check runs")
        ended_by(signal.SIGTERM, process, supervised)
        assert supervised.notes("pid") == []

    def test_interrupted_by_what_it_starts(self, supervised: Supervised) -> None:
        """A signal while a process is being started doesn't leave that process behind."""
        supervised.configure(max_iterations=100, checks=["kill -TERM $PPID; exec sleep 60"])
        for _ in range(15):
            process = supervised.start()
            out, err = process.communicate(timeout=SECONDS)
            assert (process.returncode, out) == (0, b""), err.decode()
            nothing_runs(supervised.project.home)

    def test_interrupted_at_any_moment(self, supervised: Supervised) -> None:
        """Esc at any moment of a stop never changes the exit code and never leaves a process."""
        supervised.configure(checks=["true"])
        supervised.claude("orphan(); result(YES)")
        begun = time.monotonic()
        supervised.start().communicate(timeout=SECONDS)
        usual = time.monotonic() - begun
        for part in range(12):
            supervised.state_file.unlink()
            supervised.set_state()
            process = supervised.start(prompt_id=f"p{part}")
            # before its first line, the hook has started nothing that could be left
            assert process.stderr is not None
            assert os.read(process.stderr.fileno(), 1)
            time.sleep(usual * part / 12)
            ended_by(signal.SIGTERM, process, supervised, answered=True)
            assert supervised.state["enabled"] is True

    def test_signal_at_the_very_end(self, supervised: Supervised, tmp_path: Path) -> None:
        """A signal after the reviewer's end is handled: the loop restores no default handler."""
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
    """Signal the hook's group, as claude does, and check that all of it ends in time."""
    begun = time.monotonic()
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        assert answered
    # until no process holds stdout or stderr
    out, err = process.communicate(timeout=SECONDS)
    took = time.monotonic() - begun
    assert process.returncode == 0, err.decode()
    assert took < 2, (took, err.decode())
    assert out == b"" or (answered and json.loads(out)), out
    assert b"Traceback" not in err, err.decode()
    nothing_runs(supervised.project.home)
    assert not any(Path(env["TMPDIR"]).exists() for env in supervised.notes("env"))


class TestMeanwhile:
    def test_nothing_outlives_a_killed_hook(self, supervised: Supervised) -> None:
        """Killing the hook with -9 also ends its check and all that the check started."""
        supervised.configure(checks=["setsid sleep 60 & sleep 60 & touch running; wait"])
        process = supervised.start()
        wait_until((supervised.project.directory / "running").exists, "the check runs")
        process.kill()
        process.communicate(timeout=SECONDS)
        nothing_runs(supervised.project.home)

    def test_a_killed_hook_is_cleared_up_after(self, supervised: Supervised) -> None:
        """Files that a killed hook left in the temporary directory are removed later."""
        # a short name, because the sandbox's sockets must fit into it
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
        """The next stop reports a hook that was killed, but not one that ended normally."""
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
