"""`ccc supervisor-mode` and `ccc prompt init` as processes."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from stops import SESSION, Supervised, snapshot

from harness import CccProject, Outcome

RULES = "Checks: none. Reviewer: kimi-k2.7-code. At most 10 rounds.\n"
ON = f"[SUPERVISOR] on\n{RULES}"
OFF = "[SUPERVISOR] off\n"


def mode(supervised: Supervised, *words: str, **env: str | None) -> Outcome:
    """Run the command as the slash command does."""
    return supervised.project.run("supervisor-mode", *words, env=env)


def said(outcome: Outcome) -> tuple[int, str, str]:
    """Return the exit code, stdout and stderr."""
    return outcome.code, outcome.stdout, outcome.stderr


def confirm(supervised: Supervised, name: str, given: str = "", **more: object) -> object:
    """Return the hook's answer to claude when a slash command is typed."""
    event = {"command_name": name, "command_args": given, **more}
    env = {"CLAUDE_CODE_SESSION_ID": SESSION, "CLAUDE_PROJECT_DIR": supervised.project.env["HOME"]}
    outcome = supervised.project.run(
        "supervisor-hook", "--confirm", stdin=json.dumps(event), env=env
    ).succeeded()
    return json.loads(outcome.stdout) if outcome.stdout else None


class TestConfirmation:
    """The hook that answers typed commands, in a session that ccc launched."""

    @pytest.fixture
    def launched(self, supervised: Supervised) -> Supervised:
        """A session with the slash commands installed and supervision off."""
        supervised.project.run("install").succeeded()
        supervised.set_state(enabled=False, provider="kimi")
        return supervised

    def test_alone(self, launched: Supervised) -> None:
        """/supervisor switches on, says what will be checked, and needs no model."""
        told = f"[SUPERVISOR] on. {RULES.strip()} Now type the task."
        assert confirm(launched, "supervisor") == {"continue": False, "stopReason": told}
        assert launched.state["enabled"] is True

    def test_with_a_task(self, launched: Supervised) -> None:
        """With a task, it does the same, the prompt continues, and the task is shown at once."""
        told = f"[SUPERVISOR] on. {RULES.strip()}"
        assert confirm(launched, "supervisor", "do it") == {"systemMessage": told}
        assert launched.state["enabled"] is True
        assert mode(launched, "on").code == 0  # the slash command itself
        assert launched.state["earlier_request"] == "do it"

    def test_off(self, launched: Supervised) -> None:
        """/supervisoroff is executed and confirmed, and continues into the transcript."""
        launched.set_state(enabled=True, provider="kimi")
        assert confirm(launched, "supervisoroff") == {"systemMessage": OFF.strip()}
        assert launched.state["enabled"] is False

    def test_hooks_are_off(self, launched: Supervised) -> None:
        """If hooks are off, it says so; with a task, the command's own error does."""
        launched.project.write(".claude/settings.json", '{"disableAllHooks": true}')
        answer = confirm(launched, "supervisor")
        assert isinstance(answer, dict)
        assert "sets `disableAllHooks`" in answer["stopReason"]
        assert launched.state["enabled"] is False
        assert confirm(launched, "supervisor", "do it") is None

    @pytest.mark.parametrize("name", ["other", "", "../ccc"])
    def test_another_command(self, launched: Supervised, name: str) -> None:
        """Other commands are not answered."""
        assert confirm(launched, name) is None

    def test_a_command_of_the_users(self, launched: Supervised) -> None:
        """The user's own /supervisor is left to them."""
        launched.project.write(".claude/commands/supervisor.md", "mine\n")
        assert confirm(launched, "supervisor") is None
        assert launched.state["enabled"] is False


class TestMode:
    def test_hooks_are_off(self, supervised: Supervised) -> None:
        """If claude runs no hooks, it refuses to switch on and names the file."""
        users = supervised.project.write(".claude/settings.json", '{"disableAllHooks": true}')
        supervised.set_state(enabled=False)
        outcome = mode(supervised, "on")
        assert outcome.code == 1
        assert f"{users} sets `disableAllHooks`" in outcome.stderr
        assert supervised.state["enabled"] is False

    def test_hooks_are_off_by_the_project(self, supervised: Supervised) -> None:
        """ccc's settings override the project's, except in a session that ccc did not start."""
        local = supervised.project.directory / ".claude" / "settings.local.json"
        local.parent.mkdir()
        local.write_text('{"disableAllHooks": true}')
        assert mode(supervised, "on").code == 0
        foreign = {"CCC_SUPERVISOR_ID": None, "CLAUDE_CODE_SESSION_ID": "abc"}
        outcome = supervised.project.run("supervisor-mode", "on", "--this-session", env=foreign)
        assert outcome.code == 1
        assert f"{local} sets `disableAllHooks`" in outcome.stderr

    def test_on(self, supervised: Supervised) -> None:
        """004/启用 Supervisor Mode: on in the state, a line on stderr, nothing on stdout."""
        supervised.set_state(enabled=False, count=3, future=[1])
        assert said(mode(supervised, "on")) == (0, "", ON)
        state = supervised.state
        assert (state["enabled"], state["count"], state["future"]) == (True, 3, [1])

    def test_off(self, supervised: Supervised) -> None:
        """004/禁用 Supervisor Mode: off in the state, and the next stop is not supervised."""
        assert said(mode(supervised, "off")) == (0, "", OFF)
        assert supervised.state["enabled"] is False
        assert supervised.stop().silent

    def test_no_word(self, supervised: Supervised) -> None:
        """004/默认参数为启用: no argument means on."""
        supervised.set_state(enabled=False)
        assert said(mode(supervised)) == (0, "", ON)
        assert supervised.state["enabled"] is True

    def test_extra_words(self, supervised: Supervised) -> None:
        """002/用户使用 /supervisor 命令: words after the first are ignored."""
        supervised.set_state(enabled=False)
        assert said(mode(supervised, "on", "好，开始执行", "off", "--help")) == (0, "", ON)
        assert supervised.state["enabled"] is True

    def test_status(self, supervised: Supervised) -> None:
        """`status` prints on or off on stdout, and changes nothing."""
        before = snapshot(supervised.state_dir)
        assert said(mode(supervised, "status")) == (0, "on\n", "")
        assert snapshot(supervised.state_dir) == before
        mode(supervised, "off")
        assert said(mode(supervised, "status", "please")) == (0, "off\n", "")

    @pytest.mark.parametrize("content", [None, b"{", b"\xff\xfe", b'{"enabled": "yes"}', b"{}"])
    def test_status_without_a_good_state(
        self, supervised: Supervised, content: bytes | None
    ) -> None:
        """A missing, corrupt or old state means off, and is left unchanged."""
        supervised.state_file.unlink()
        if content is not None:
            supervised.state_file.write_bytes(content)
        assert said(mode(supervised, "status")) == (0, "off\n", "")
        assert (supervised.state_file.read_bytes() if content else None) == content

    def test_what_will_be_checked(self, supervised: Supervised) -> None:
        """It lists the project's checks, another reviewer and the limit."""
        checks = {str(supervised.project.directory): {"checks": ["make test", "make lint"]}}
        supervisor = {"max_iterations": 1, "model": "kimi-k3", "checks": ["true"]}
        supervised.project.configure(supervisor=supervisor, projects=checks)
        (supervised.project.directory / "Makefile").write_text("test lint:\n")
        told = "Checks: true, make test, make lint. Reviewer: kimi-k3. At most 1 round.\n"
        assert mode(supervised, "on").stderr.endswith(told)

    def test_a_session_that_nobody_knows(self, supervised: Supervised) -> None:
        """An unknown session is switched and reported as new; a known id's prefix is questioned."""
        new = mode(supervised, "on", CCC_SUPERVISOR_ID=SESSION[:5])
        assert new.code == 0
        assert f"There is no session {SESSION[:5]} yet" in new.stderr
        assert f"Did you mean {SESSION}?" in new.stderr
        again = mode(supervised, "off", CCC_SUPERVISOR_ID=SESSION[:5])
        assert said(again) == (0, "", OFF)

    def test_help(self, supervised: Supervised) -> None:
        """--help prints the usage and changes nothing."""
        before = snapshot(supervised.project.home)
        outcome = mode(supervised, "--help")
        assert (outcome.code, outcome.stderr) == (0, "")
        assert "supervisor-mode [on|off|status]" in outcome.stdout
        assert snapshot(supervised.project.home) == before

    def test_a_session_that_ccc_did_not_start(self, supervised: Supervised) -> None:
        """The slash commands use claude's own id if ccc set none."""
        claude, other = os.getpid(), 77
        env = {"CLAUDE_CODE_SESSION_ID": "theirs", "CLAUDE_PID": str(claude)}
        line = ("supervisor-mode", "on", "--this-session")
        run = supervised.project.run
        for inherited in (None, str(other)):
            mine = SESSION if inherited else None
            more = {"CCC_SUPERVISOR_ID": mine, "CCC_LAUNCHER_PID": inherited}
            before = supervised.state
            assert run(*line, env={**env, **more}).code == 0
            state = supervised.project.json(".claude/ccc/supervisor-theirs.json")
            assert (state["enabled"], state["pid"], state["provider"]) == (True, claude, "")
            assert supervised.state == before

    def test_a_session_that_ccc_started(self, supervised: Supervised) -> None:
        """The slash commands mean the session that the user named, whatever claude's current id."""
        become = "CCC_LAUNCHER_PID=$$ exec sleep 60"
        claude = subprocess.Popen(["/bin/sh", "-c", become], env=supervised.project.env)
        try:
            supervised.set_state(enabled=False, pid=claude.pid)
            env = {"CLAUDE_CODE_SESSION_ID": "theirs", "CLAUDE_PID": str(claude.pid)}
            outcome = mode(supervised, "on", "--this-session", **env)
            assert said(outcome) == (0, "", ON)
            assert (supervised.state["enabled"], supervised.state["provider"]) == (True, "kimi")
            # it means the same in claude's shell
            assert said(mode(supervised, "off", **env)) == (0, "", OFF)
            assert supervised.state["enabled"] is False
            assert mode(supervised, "status", **env).stdout == "off\n"
        finally:
            claude.kill()
            claude.communicate()

    @pytest.mark.parametrize("word", ["", "ON", "true", "1", "--on", "statu", "\x1b[2J"])
    def test_unknown_word(self, supervised: Supervised, word: str) -> None:
        """Any other word is an error, and nothing is changed."""
        before = snapshot(supervised.project.home)
        outcome = mode(supervised, word, "on")
        assert (outcome.code, outcome.stdout) == (1, "")
        assert "supervisor-mode takes on, off or status" in outcome.stderr
        assert "Nothing was changed." in outcome.stderr
        assert "\x1b" not in outcome.stderr
        assert snapshot(supervised.project.home) == before

    @pytest.mark.parametrize("words", [[], ["on"], ["off"], ["status"]])
    @pytest.mark.parametrize("unset", [None, ""])
    def test_no_id(self, supervised: Supervised, words: list[str], unset: str | None) -> None:
        """004/缺少 CCC_SUPERVISOR_ID: an error on stderr with what to do, and exit code 1."""
        before = snapshot(supervised.project.home)
        outcome = mode(supervised, *words, CCC_SUPERVISOR_ID=unset)
        assert (outcome.code, outcome.stdout) == (1, "")
        assert "CCC_SUPERVISOR_ID is not set" in outcome.stderr
        assert "type /supervisor" in outcome.stderr
        assert snapshot(supervised.project.home) == before

    @pytest.mark.parametrize("hostile", ["../../settings", "a/b", "..", "-x", "a b"])
    def test_hostile_id(self, supervised: Supervised, hostile: str) -> None:
        """An id that is no plain name is rejected before it is used in a path."""
        before = snapshot(supervised.project.home)
        outcome = mode(supervised, "on", CCC_SUPERVISOR_ID=hostile)
        assert (outcome.code, outcome.stdout) == (1, "")
        assert snapshot(supervised.project.home) == before

    def test_makes_the_state(self, supervised: Supervised) -> None:
        """002/State 文件结构（更新）: a new state has the fields of the seed."""
        supervised.state_file.unlink()
        supervised.state_dir.joinpath("lock").unlink(missing_ok=True)
        supervised.state_dir.rmdir()
        assert mode(supervised, "on").code == 0
        state = supervised.state
        assert (state["session_id"], state["enabled"], state["count"]) == (SESSION, True, 0)
        assert state["created_at"] == state["updated_at"] != ""
        assert supervised.state_file.stat().st_mode & 0o777 == 0o600

    def test_old_state(self, supervised: Supervised) -> None:
        """002/加载旧 State 文件兼容性: without `enabled` it is off, and the rest is kept."""
        supervised.state_file.write_text('{"session_id": "abc123", "count": 7}')
        assert mode(supervised, "status").stdout == "off\n"
        assert mode(supervised, "on").code == 0
        assert (supervised.state["enabled"], supervised.state["count"]) == (True, 7)

    @pytest.mark.parametrize("corrupt", [b"{", b"\xff\xfe"])
    def test_corrupt_state(self, supervised: Supervised, corrupt: bytes) -> None:
        """A corrupt state is renamed and reported, and then switched as requested."""
        supervised.state_file.write_bytes(corrupt)
        outcome = mode(supervised, "on")
        (aside,) = supervised.state_dir.glob("*.corrupt*")
        assert (outcome.code, aside.read_bytes()) == (0, corrupt)
        assert str(aside) in outcome.stderr
        assert supervised.state["enabled"] is True

    def test_state_directory_is_a_file(self, supervised: Supervised) -> None:
        """A state that can't be saved is an error that names the path."""
        work = supervised.project.root / "work"
        work.mkdir()
        (work / "ccc").write_text("in the way")
        outcome = mode(supervised, "on", CCC_WORK_DIR=str(work))
        assert (outcome.code, outcome.stdout) == (1, "")
        assert str(work / "ccc") in outcome.stderr
        assert "Traceback" not in outcome.stderr

    def test_work_dir(self, supervised: Supervised) -> None:
        """003/自定义 State 目录: the state is in the ccc directory of CCC_WORK_DIR."""
        work = supervised.project.root / "work"
        assert mode(supervised, "on", CCC_WORK_DIR=str(work)).code == 0
        state = json.loads((work / "ccc" / supervised.state_file.name).read_text())
        assert state["enabled"] is True

    @pytest.mark.parametrize(
        ("word", "line"),
        [
            (
                "on",
                "[SUPERVISOR] 监督已开启\n检查：无。审查者：kimi-k2.7-code。最多 10 轮。\n",
            ),
            ("off", "[SUPERVISOR] 监督已关闭\n"),
        ],
    )
    def test_chinese(self, supervised: Supervised, word: str, line: str) -> None:
        """The output is in Chinese with CCC_LANG or by the configuration."""
        assert mode(supervised, word, CCC_LANG="zh").stderr == line
        supervised.project.configure(language="zh")
        assert mode(supervised, word).stderr == line

    @pytest.mark.parametrize("config", [None, "{broken", "{}"])
    def test_without_a_good_configuration(self, supervised: Supervised, config: str | None) -> None:
        """Switching works without a valid ccc.json: off must always be possible."""
        path = supervised.project.write(".claude/ccc.json", config or "")
        if config is None:
            path.unlink()
        assert said(mode(supervised, "off")) == (0, "", OFF)
        assert supervised.state["enabled"] is False

    def test_closed_stderr(self, supervised: Supervised) -> None:
        """With stderr closed, the message doesn't go to stdout instead."""
        project = supervised.project
        script = 'exec "$0" supervisor-mode off 2>&-'
        outcome = project.run("-c", script, project.ccc, program="/bin/sh")
        assert (outcome.code, outcome.stdout) == (0, "")
        assert supervised.state["enabled"] is False


class TestPrompt:
    def test_global(self, stubbed: CccProject) -> None:
        """000/SUPERVISOR.md 不存在: `ccc prompt init` writes the default for all projects."""
        outcome = stubbed.run("prompt", "init")
        path = stubbed.claude_dir / "SUPERVISOR.md"
        assert said(outcome) == (0, "", f"wrote {path}\n")
        text = path.read_text()
        assert "needs_user" in text
        assert len(text) > 500

    def test_project(self, stubbed: CccProject) -> None:
        """With --project, it writes the project's own prompt."""
        assert stubbed.run("prompt", "init", "--project").code == 0
        assert (stubbed.directory / "SUPERVISOR.md").exists()
        assert not (stubbed.claude_dir / "SUPERVISOR.md").exists()

    def test_language(self, stubbed: CccProject) -> None:
        """The prompt is in the user's language."""
        stubbed.run("prompt", "init").succeeded()
        stubbed.run("prompt", "init", "--project", env={"CCC_LANG": "zh"}).succeeded()
        english = (stubbed.claude_dir / "SUPERVISOR.md").read_text()
        chinese = (stubbed.directory / "SUPERVISOR.md").read_text()
        assert not any("\u4e00" <= c <= "\u9fff" for c in english)
        assert sum("\u4e00" <= c <= "\u9fff" for c in chinese) > 200

    @pytest.mark.parametrize("what", ["file", "empty", "directory", "link", "broken link"])
    @pytest.mark.parametrize("options", [[], ["--project"]])
    def test_never_over_an_existing_one(
        self, stubbed: CccProject, what: str, options: list[str], tmp_path: Path
    ) -> None:
        """An existing file is left unchanged, and reported."""
        path = (stubbed.directory if options else stubbed.claude_dir) / "SUPERVISOR.md"
        mine = tmp_path / "mine.md"
        if what == "directory":
            path.mkdir()
        elif "link" in what:
            path.symlink_to(mine)
            if what == "link":
                mine.write_text("mine")
        else:
            path.write_text("mine" if what == "file" else "")
        before = os.lstat(path)
        outcome = stubbed.run("prompt", "init", *options)
        assert (outcome.code, outcome.stdout) == (1, "")
        assert f"{path} already exists" in outcome.stderr
        assert os.lstat(path).st_mtime_ns == before.st_mtime_ns
        if what == "link":
            assert mine.read_text() == "mine"
        assert mine.exists() is (what == "link")

    @pytest.mark.parametrize(
        "words", [[], ["initialise"], ["init", "--global"], ["init", "x", "y"]]
    )
    def test_usage(self, stubbed: CccProject, words: list[str]) -> None:
        """Other words are an error that points to the usage, and nothing is written."""
        outcome = stubbed.run("prompt", *words)
        assert (outcome.code, outcome.stdout) == (1, "")
        assert "See: ccc prompt --help" in outcome.stderr
        assert not (stubbed.claude_dir / "SUPERVISOR.md").exists()
