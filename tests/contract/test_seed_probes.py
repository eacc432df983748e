"""The seeds as written: no terminal, no claude around, state files written by hand."""

import json
import re
from typing import Any

import pytest
from stops import NO, SESSION, Supervised

from harness import Outcome

LOCALES: dict[str, dict[str, str | None]] = {
    "unset": {"LANG": None},
    "zh": {"LANG": "zh_CN.UTF-8"},
    "en": {"LANG": "en_US.UTF-8"},
}


@pytest.fixture(params=LOCALES)
def probe(supervised: Supervised, request: pytest.FixtureRequest) -> "Probe":
    """A user's shell, in each locale."""
    return Probe(supervised, LOCALES[request.param])


class Probe:
    """A user who knows the seeds and writes the state with an editor."""

    def __init__(self, supervised: Supervised, env: dict[str, str | None]) -> None:
        self._supervised = supervised
        self.directory = supervised.state_dir
        self.project = supervised.project
        self.env = {**env, "CLAUDECODE": None, "CCC_SUPERVISOR_ID": None}
        supervised.state_file.unlink()

    def state(self, session: str, **fields: object) -> None:
        """Write a state by hand."""
        path = self.directory / f"supervisor-{session}.json"
        path.write_text(json.dumps({"session_id": session, **fields}))

    def kept(self, session: str) -> dict[str, Any]:
        """Read the current state."""
        found: dict[str, Any] = json.loads(
            (self.directory / f"supervisor-{session}.json").read_text()
        )
        return found

    def ccc(self, *words: str, stdin: str = "", **env: str) -> Outcome:
        """Run ccc."""
        return self.project.run(*words, stdin=stdin, env={**self.env, **env}).succeeded()

    def hook(self, event: str, *options: str, **env: str) -> Outcome:
        """Run the hook with this on stdin."""
        return self.ccc("supervisor-hook", *options, stdin=event, **env)

    def reviewer(self, body: str) -> None:
        """Set what the fake claude does when it is asked."""
        self._supervised.claude(body)

    @property
    def reviews(self) -> list[list[str]]:
        """Return the arguments of each reviewer."""
        found: list[list[str]] = self._supervised.notes("argv")
        return found

    @property
    def log(self) -> list[str]:
        """Return the lines of hook-invocation.log."""
        return self._supervised.log.splitlines()


def test_off_is_off(probe: Probe) -> None:
    """004/禁用 Supervisor Mode: off from a script, and the next stop is not reviewed."""
    probe.ccc("supervisor-mode", "on", CCC_SUPERVISOR_ID="m")
    probe.ccc("supervisor-mode", "off", CCC_SUPERVISOR_ID="m")
    outcome = probe.hook('{"session_id":"m"}', CCC_SUPERVISOR_ID="m")
    assert (outcome.stdout, outcome.stderr, probe.reviews) == ("", "", [])
    assert probe.kept("m")["enabled"] is False


@pytest.mark.parametrize("more", [{"enabled": False}, {}])
def test_a_state_written_by_hand(probe: Probe, more: dict[str, object]) -> None:
    """002/加载旧 State 文件兼容性: off, old or hand-written, without any complaint."""
    probe.state("abc123", count=0, **more)
    outcome = probe.hook('{"session_id":"abc123"}', CCC_SUPERVISOR_ID="abc123")
    assert (outcome.stdout, outcome.stderr, probe.reviews) == ("", "", [])


def test_switched_off_with_an_editor(probe: Probe) -> None:
    """002/State 文件 Enabled 为 false 时跳过 Supervisor: regardless of who wrote it."""
    probe.ccc("supervisor-mode", "on", CCC_SUPERVISOR_ID="m")
    probe.state("m", enabled=False)
    assert probe.hook('{"session_id":"m"}', CCC_SUPERVISOR_ID="m").stdout == ""
    assert probe.reviews == []


@pytest.mark.thorough
def test_a_fork(probe: Probe) -> None:
    """001/调用 Supervisor: `--fork-session --resume <id>`, and the count goes up."""
    probe.ccc("supervisor-mode", "on", CCC_SUPERVISOR_ID="m")
    event = '{"session_id":"abc123","stop_hook_active":true}'
    probe.hook(event, CCC_SUPERVISOR_ID="m")
    ((*argv,),) = probe.reviews
    assert "--fork-session" in argv
    assert argv[argv.index("--resume") + 1] == "abc123"
    assert "--system-prompt" not in argv
    assert probe.kept("m")["count"] == 1


@pytest.mark.parametrize("variable", ["CCC_SUPERVISOR_ID", "CLAUDE_CODE_SESSION_ID", ""])
@pytest.mark.thorough
def test_the_key(probe: Probe, variable: str) -> None:
    """001/读取 hook 输入: the key is CCC_SUPERVISOR_ID, else claude's id, else the one on stdin."""
    key = {"CCC_SUPERVISOR_ID": "ours", "CLAUDE_CODE_SESSION_ID": "claudes"}.get(variable, "abc123")
    probe.state(key, enabled=True, count=0)
    env = {variable: key} if variable else {}
    if variable == "CCC_SUPERVISOR_ID":
        env["CLAUDE_CODE_SESSION_ID"] = "other"
    probe.hook('{"session_id":"abc123"}', **env)
    assert len(probe.reviews) == 1
    assert probe.kept(key)["count"] == 1


def test_the_last_key_is_only_the_last(probe: Probe) -> None:
    """002/State 文件不存在时默认跳过: another session's state does not count."""
    probe.state("abc123", enabled=True)
    for name in ("CCC_SUPERVISOR_ID", "CLAUDE_CODE_SESSION_ID"):
        outcome = probe.hook('{"session_id":"abc123"}', **{name: "other"})
        assert (outcome.stdout, outcome.stderr) == ("", "")
    assert probe.reviews == []


def test_in_a_shell_below_a_session_of_ccc(probe: Probe) -> None:
    """004/启用 Supervisor Mode: the id in the shell's own environment counts, even in a session."""
    around = {"CLAUDECODE": "1", "CLAUDE_PID": "1", "CCC_LAUNCHER_PID": "1"}
    probe.state("outer", enabled=True)
    around |= {"CLAUDE_CODE_SESSION_ID": "outer", "CCC_SUPERVISOR_ID": "m"}
    probe.ccc("supervisor-mode", "on", **around)
    probe.ccc("supervisor-mode", "off", **around)
    assert probe.hook('{"session_id":"m"}', **around).stdout == ""
    assert probe.reviews == []


@pytest.mark.parametrize("prompt", ["", "p1"])
@pytest.mark.parametrize("active", [True, False])
@pytest.mark.thorough
def test_a_count_goes_on(probe: Probe, prompt: str, active: bool) -> None:
    """001/更新迭代次数: 3 becomes 4; a prompt id on stdin is adopted without a reset."""
    probe.state("abc123", enabled=True, count=3)
    event = {"session_id": "abc123", "stop_hook_active": active, "prompt_id": prompt}
    probe.hook(json.dumps(event))
    assert (probe.kept("abc123")["count"], probe.kept("abc123")["prompt_id"]) == (4, prompt)


def test_nothing_starts_anew_while_the_agent_is_sent_back(probe: Probe) -> None:
    """001/更新迭代次数: with `stop_hook_active` another prompt id does not reset the count."""
    probe.state("abc123", enabled=True, count=3, prompt_id="p1")
    probe.hook('{"session_id":"abc123","stop_hook_active":true,"prompt_id":"p2"}')
    assert probe.kept("abc123")["count"] == 4


@pytest.mark.parametrize("prompt", ["", "p1"])
def test_the_limit(probe: Probe, prompt: str) -> None:
    """001/迭代次数达到限制: a count of 10 allows the stop, nothing on stdout, no reviewer."""
    probe.state("abc123", enabled=True, count=10)
    outcome = probe.hook(json.dumps({"session_id": "abc123", "prompt_id": prompt}))
    assert (outcome.stdout, probe.reviews) == ("", [])


def test_what_stands_on_stdout(probe: Probe) -> None:
    """001/Supervisor 返回未完成: by hand exactly the JSON of the seed, and nothing for a yes."""
    probe.state("abc123", enabled=True)
    probe.reviewer("result(NO)")
    outcome = probe.hook('{"session_id":"abc123"}')
    feedback = json.loads(NO)["feedback"]
    assert json.loads(outcome.stdout) == {"decision": "block", "reason": feedback}
    probe.reviewer("result(YES)")
    assert probe.hook('{"session_id":"abc123"}').stdout == ""


@pytest.mark.thorough
def test_the_lines_of_a_review(probe: Probe) -> None:
    """003/审查结果输出: the literal lines are on stderr in every locale."""
    probe.state("abc123", enabled=True)
    probe.reviewer("result(NO)")
    stderr = probe.hook('{"session_id":"abc123"}').stderr
    for line in (
        *("[SUPERVISOR HOOK] 开始执行", "session_id: abc123", "[SUPERVISOR] 正在审查工作..."),
        *("请在新窗口查看日志文件了解详情", "[SUPERVISOR] 任务未完成", "需要补充..."),
        "Agent 将根据反馈继续工作",
    ):
        assert line in stderr
    probe.reviewer("result(YES)")
    stderr = probe.hook('{"session_id":"abc123"}').stderr
    assert "[SUPERVISOR] 任务已完成" in stderr
    assert "允许停止" in stderr


def test_the_lines_of_a_launch(probe: Probe) -> None:
    """003/显示 log 路径提示: the literal heading and the paths, in every locale."""
    for words, env in ((("--supervisor", "kimi"), {}), (("kimi",), {"CCC_SUPERVISOR": "1"})):
        stderr = probe.project.run(*words, env={**probe.env, **env}).stderr
        assert "[Supervisor Mode] 日志文件:" in stderr
        assert str(probe.directory) in stderr
        assert str(probe.directory / "hook-invocation.log") in stderr
        assert re.search(r"supervisor-[0-9a-f-]{36}-output\.jsonl", stderr)
    assert "Supervisor mode enabled" in probe.project.run("--supervisor", env=probe.env).stderr


def test_the_log(probe: Probe) -> None:
    """003/hook-invocation.log 格式: every line has time, event, session_id and iteration."""
    probe.ccc("supervisor-mode", "on", CCC_SUPERVISOR_ID="a-long-session-id")
    probe.reviewer("say('I looked.'); result(NO)")
    probe.hook('{"session_id":"x"}', CCC_SUPERVISOR_ID="a-long-session-id")
    probe.hook("no JSON", CCC_SUPERVISOR_ID="a-long-session-id")
    form = (
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d [a-z][a-z -]+ "
        r"session_id=a-long-session-id iteration=\d+( |$)"
    )
    assert [line for line in probe.log if not re.match(form, line)] == []
    assert any(" supervisor-hook invoked " in line for line in probe.log)


@pytest.mark.parametrize("event", ["no JSON", "", "[]"])
def test_a_failure_before_the_review(probe: Probe, event: str) -> None:
    """003/Hook 调用开始: failures before the review are reported on stderr, too."""
    probe.state("abc123", enabled=True)
    outcome = probe.hook(event, CCC_SUPERVISOR_ID="abc123")
    assert outcome.stdout == ""
    assert "[SUPERVISOR]" in outcome.stderr


def test_claude_gets_a_message_too(supervised: Supervised) -> None:
    """A user in claude's terminal sees no stderr and gets a `systemMessage` instead."""
    assert set(supervised.stop().answer) == {"systemMessage"}
    assert supervised.stop(env={"CLAUDECODE": None}, prompt_id="p2").outcome.stdout == ""


@pytest.mark.parametrize("id_", [SESSION, "../x", "-x", ""])
def test_without_an_id(supervised: Supervised, id_: str) -> None:
    """004/缺少 CCC_SUPERVISOR_ID: an error, even in a claude; slash commands use --this-session."""
    env = {"CCC_SUPERVISOR_ID": None, "CLAUDE_CODE_SESSION_ID": id_}
    outcome = supervised.project.run("supervisor-mode", "on", env=env)
    assert (outcome.code, outcome.stdout) == (1, "")
    assert "CCC_SUPERVISOR_ID is not set" in outcome.stderr
    here = supervised.project.run("supervisor-mode", "off", "--this-session", env=env)
    assert here.code == (0 if id_ == SESSION else 1)
