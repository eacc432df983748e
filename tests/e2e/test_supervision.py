"""Supervised sessions with the real client: a false "done" is sent back, corrected work passes."""

import itertools
import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from facts import HOOK_SAYS, MANAGED, SECONDS, claude, provider, scripted_project
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    WORKING,
    YES,
    Record,
    Run,
    journey,
    no,
    requests,
    section,
    sessions,
    supervise,
)

from harness import Bench, CccProject, Terminal, claude_binary
from harness.programs import needs_sandbox
from harness.scripted import CODE, Rule, answer, every, said_last, shared_prefix

pytestmark = pytest.mark.real

TASK = "please write a.txt and b.txt"
ON_THE_SCREEN = {
    "en": ("[SUPERVISOR] not completed (round 1/10)", "completed, stop allowed"),
    "zh": ("[SUPERVISOR] 任务未完成（第 1/10 轮）", "任务已完成，允许停止"),
}


# --- without a terminal


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run `ccc kimi -p "/supervisor …"` in Chinese, from a false "done" to the end."""
    with scripted_project(tmp_path_factory.mktemp("run"), *journey()) as project:
        yield supervise(project, TASK, CCC_LANG="zh")


@pytest.mark.journey
def test_switched_on(run: Run) -> None:
    """002/用户使用 /supervisor 命令: the command enables supervision and starts the task."""
    assert run.record.state["enabled"] is True
    first, *_ = requests(run.project, WORKING)
    assert first.user_texts[-1].rstrip().endswith(TASK)


@pytest.mark.journey
def test_a_false_done_is_sent_back(run: Run) -> None:
    """001/Supervisor 返回未完成: the hook blocks; the agent gets the feedback as a user message."""
    answers = [json.loads(hook["stdout"]) for hook in run.hooks]
    assert (answers[0]["decision"], answers[0]["reason"]) == ("block", FEEDBACK)
    assert run.hooks[0]["exit_code"] == 0
    (back,) = requests(run.project, every(WORKING, said_last(FEEDBACK)))
    assert back.last_text == f"Stop hook feedback:\n{FEEDBACK}"


@pytest.mark.journey
def test_the_corrected_work_passes(run: Run) -> None:
    """001/Supervisor 返回完成: no decision, exit code 0, the session ends with its work done."""
    allowed = json.loads(run.hooks[-1]["stdout"])
    assert set(allowed) == {"systemMessage"}
    assert run.hooks[-1]["exit_code"] == 0
    assert run.result == DONE
    assert {p.name for p in run.project.directory.iterdir()} == {"a.txt", "b.txt"}


def test_enabled_means_reviewed(run: Run) -> None:
    """002/State 文件 Enabled 为 true 时执行 Supervisor: the review of each stop decides."""
    assert len(run.hooks) == len(requests(run.project, ASKED)) == 2
    assert [v["allowed"] for v in run.record.verdicts] == [False, True]


@pytest.mark.journey
def test_the_user_sees_it_all(run: Run) -> None:
    """The user sees the messages of the block and the completion."""
    back, done = run.told
    assert re.fullmatch(
        r"\[SUPERVISOR\] 任务未完成（第 1/10 轮）：Agent 将根据反馈继续工作（\d+ 秒，\$0\.\d{4}）",
        back,
    )
    assert re.fullmatch(
        r"\[SUPERVISOR\] 任务已完成，允许停止（第 2/10 轮，\d+ 秒，\$0\.\d{4}）", done
    )


def test_stderr_begins(run: Run) -> None:
    """003/Hook 调用开始: stderr has the section mark, the session and the iteration."""
    for number, hook in enumerate(run.hooks, 1):
        mark, session, *_ = hook["stderr"].splitlines()
        assert mark == "========== [SUPERVISOR HOOK] 开始执行 =========="
        assert session == f"session_id: {run.record.session}, 迭代次数: {number}/10"


def test_stderr_while_reviewing(run: Run) -> None:
    """003/Supervisor 调用中: stderr says that a review is running, and where its log is."""
    for hook in run.hooks:
        assert "\n[SUPERVISOR] 正在审查工作...\n请在新窗口查看日志文件了解详情" in hook["stderr"]


def test_stderr_not_completed(run: Run) -> None:
    """003/审查结果输出: stderr has "not completed", the feedback, and that the agent continues."""
    ending = f"[SUPERVISOR] 任务未完成\n{FEEDBACK}\nAgent 将根据反馈继续工作\n"
    assert run.hooks[0]["stderr"].endswith(ending)


def test_stderr_completed(run: Run) -> None:
    """003/任务完成: stderr has "completed" and "stop allowed"."""
    assert run.hooks[1]["stderr"].endswith("[SUPERVISOR] 任务已完成\n允许停止\n")


def test_the_reviewers_words_on_stderr(run: Run) -> None:
    """001/原始输出到 stderr: the reviewer's words go to stderr, and stdout is one JSON object."""
    assert "\nI looked." in run.hooks[0]["stderr"]
    assert "I looked" not in run.hooks[0]["stdout"]


def test_stream_json_is_read(run: Run) -> None:
    """003/解析 stream-json: texts are shown, the verdict is extracted, the raw lines are stored."""
    first = run.record.verdicts[0]
    assert (first["completed"], first["feedback"]) == (False, FEEDBACK)
    assert [line["result"] for line in run.record.output if line["type"] == "result"] == [
        f"I looked.\n{no(FEEDBACK)}",
        f"Fine now.\n{YES.replace(CODE, requests(run.project, ASKED)[-1].code)}",
    ]


def test_raw_lines_are_kept(run: Run) -> None:
    """001/保存 stream-json 输出: each line is stored as it arrived, in the order of the reviews."""
    kinds = [line["type"] for line in run.record.output]
    assert kinds.count("result") == 2
    assert kinds.index("assistant") < kinds.index("result")
    inits = [line for line in run.record.output if line.get("subtype") == "init"]
    assert len({line["session_id"] for line in inits}) == 2


def test_raw_lines_and_a_summary(run: Run) -> None:
    """003/supervisor 输出日志格式: the log has a line with the result of each review."""
    decided = [line for line in run.record.log if "supervisor-hook decided" in line]
    assert len(decided) == 2
    assert " iteration=1 allowed=false outcome=not_completed cost_usd=0." in decided[0]
    assert " iteration=2 allowed=true outcome=completed " in decided[1]


def test_the_log(run: Run) -> None:
    """003/hook-invocation.log 格式: a line has an ISO 8601 time, the event and its parameters."""
    for line in run.record.log:
        assert datetime.fromisoformat(line.partition(" ")[0]).tzinfo is not None
    invoked = [line for line in run.record.log if "supervisor-hook invoked" in line]
    assert [re.findall(r" session_id=(\S+) iteration=(\d) ", line) for line in invoked] == [
        [(run.record.session, "1")],
        [(run.record.session, "2")],
    ]


def test_the_state(run: Run) -> None:
    """002/State 文件结构（更新）: the state has the session, the switch, the count, two times."""
    state = run.record.state
    assert state["session_id"] == run.record.session == run.lines[-1]["session_id"]
    assert (state["enabled"], state["count"], state["version"]) == (True, 2, 1)
    created, updated = (datetime.fromisoformat(state[f"{n}_at"]) for n in ("created", "updated"))
    assert created.tzinfo is not None
    assert created < updated


def test_the_count_goes_up(run: Run) -> None:
    """001/更新迭代次数: each review of the task counts."""
    assert [v["iteration"] for v in run.record.verdicts] == [1, 2]


def test_verdicts_have_their_price(run: Run) -> None:
    """Each verdict is recorded with its cost, tokens and seconds."""
    assert run.project.model is not None
    billed = [e.usage for e in run.project.model.exchanges if ASKED(e.request)]
    for verdict, usage in zip(run.record.verdicts, billed, strict=True):
        assert usage is not None
        assert 0 < verdict["cost_usd"] < 0.05
        assert 0.2 < verdict["seconds"] < SECONDS
        assert verdict["tokens"] == {
            "input": usage.input_tokens,
            "cache_read": usage.cache_read_input_tokens,
            "cache_creation": usage.cache_creation_input_tokens,
            "output": usage.output_tokens,
        }
        assert (verdict["failure"], verdict["changed_tree"]) == ("", False)
    assert run.record.state["cost_usd"] == pytest.approx(
        sum(v["cost_usd"] for v in run.record.verdicts)
    )


def test_the_record_is_the_users_alone(run: Run) -> None:
    """Only the user can read the conversation in ccc's files."""
    assert run.record.directory.stat().st_mode & 0o777 == 0o700
    modes = {p.name: p.stat().st_mode & 0o777 for p in run.record.directory.iterdir()}
    assert set(modes.values()) == {0o600}, modes


def test_no_session_is_left_behind(run: Run) -> None:
    """Reviews don't appear among the sessions that the user can resume."""
    assert sessions(run.project) == {run.record.session}


def test_a_fork_of_the_session(run: Run) -> None:
    """002/正常 Hook 调用（使用 Claude Agent SDK）: the reviewer sees the whole conversation."""
    first, second = requests(run.project, ASKED)
    assert "echo a > a.txt" in json.dumps(first.messages)
    assert "echo b > b.txt" in json.dumps(second.messages)
    assert DONE in json.dumps(second.messages[:-1])


@pytest.mark.journey
def test_the_fork_repeats_the_agents_request(run: Run) -> None:
    """001/调用 Supervisor: the review is a fork with the reviewer's settings, fully cached."""
    needs_sandbox()
    settings = run.project.json(".claude/settings-kimi-supervisor.json")
    assert settings["sandbox"]["enabled"] is True
    assert settings["disableAllHooks"] is True
    assert_shared(run.project)


def assert_shared(project: CccProject) -> None:
    """Check that each review repeats the agent's previous request entirely."""
    assert project.model is not None
    agent_and_reviews = [r for r in project.model.requests if WORKING(r) or ASKED(r)]
    pairs = [(a, b) for a, b in itertools.pairwise(agent_and_reviews) if ASKED(b)]
    assert pairs
    assert [shared_prefix(last, review) for last, review in pairs] == [1.0] * len(pairs)


# --- several prompts in one session


# --- in a terminal


@pytest.mark.tmux
def test_the_command_alone(bench: Bench, tmux: None) -> None:
    """/supervisor alone shows the checks without a request; the next prompt is the task."""
    project = bench(*journey())
    directory = {str(project.directory): {"checks": ["true"]}}
    project.configure(projects=directory)
    with project.interactive("kimi", "--allowedTools", "Bash") as terminal:
        terminal.wait_for("❯")
        terminal.enter("/supervisor")
        screen = terminal.wait_for("Now type the task")
        text = "[SUPERVISOR] on. Checks: true. Reviewer: kimi-k2.7-code. At most 10 rounds."
        assert text in " ".join(screen.split())
        assert Record(project).state["enabled"] is True
        assert requests(project, WORKING) == []
        terminal.enter(TASK)
        terminal.wait_for("completed, stop allowed", SECONDS)
    assert Record(project).state["count"] == 2
    request_section = section(requests(project, ASKED)[0], "What the user asked for")
    assert TASK in request_section
    assert "Operation stopped" not in request_section


@pytest.mark.tmux
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.journey
def test_in_a_terminal(bench: Bench, tmux: None, language: str) -> None:
    """The user sees the block, the feedback and the completion, and can disable supervision."""
    back, completed = ON_THE_SCREEN[language]
    project = bench(*journey())
    mode = ("--allowedTools", "Bash")
    with project.interactive("kimi", *mode, env={"CCC_LANG": language}) as terminal:
        terminal.wait_for("❯")
        terminal.enter(f"/supervisor {TASK}")
        screen = terminal.wait_for(completed, SECONDS)
        assert f"Stop says: {back}" in screen
        assert re.search(HOOK_SAYS + FEEDBACK, screen)
        assert {p.name for p in project.directory.iterdir()} == {"a.txt", "b.txt"}
        assert_shared(project)
        before = Record(project).state
        assert (before["enabled"], before["count"]) == (True, 2)

        terminal.enter("/supervisoroff")
        wait_until(lambda: Record(project).state["enabled"] is False, terminal)
        terminal.wait_for("Hello from the agent")
        terminal.enter("and now hello once more")
        wait_until(
            lambda: len(requests(project, every(WORKING, said_last("once more")))) == 1, terminal
        )
        wait_until(
            lambda: len(re.findall("Hello from the agent", terminal.screen())) == 2, terminal
        )
        assert len(requests(project, ASKED)) == 2
        assert len(re.findall("Stop says", terminal.screen(history=True))) == 2
    assert sessions(project) == {Record(project).session}


@pytest.mark.tmux
def test_supervised_from_the_start(bench: Bench, tmux: None) -> None:
    """001/Supervisor Mode 指定提供商: `ccc --supervisor kimi` reviews without a slash command."""
    project = bench(Rule(ASKED, [answer(YES)]), Rule(WORKING, answer(DONE)))
    with project.interactive("--supervisor", "kimi") as terminal:
        terminal.wait_for("❯")
        assert Record(project).state["enabled"] is True
        terminal.enter("do it")
        terminal.wait_for(r"completed, stop allowed \(round 1/10", SECONDS)
    assert_shared(project)


@pytest.mark.tmux
@pytest.mark.journey
def test_a_plain_claude_is_not_affected(bench: Bench, tmux: None) -> None:
    """A plain claude after a supervised session has no review and shows nothing of ccc."""
    project = bench(*journey())
    supervise(project, TASK)
    before = {p.name: p.read_bytes() for p in Record(project).directory.iterdir()}
    reviews = len(requests(project, ASKED))
    env = {**provider(project), **MANAGED}
    assert claude(project, "-p", "hello").succeeded().stdout == "Hello from the agent.\n"
    with project.interactive(env=env, program=str(claude_binary())) as terminal:
        terminal.wait_for("❯")
        terminal.enter("hello there")
        terminal.wait_for("Hello from the agent")
        terminal.enter("and once more")
        wait_until(
            lambda: len(re.findall("Hello from the agent", terminal.screen())) == 2, terminal
        )
        screen = terminal.screen(history=True)
    assert not re.search(r"SUPERVISOR|Stop says|[Ss]top hook|ccc", screen), screen
    assert len(requests(project, ASKED)) == reviews
    assert {p.name: p.read_bytes() for p in Record(project).directory.iterdir()} == before


def wait_until(holds: Callable[[], bool], terminal: Terminal, timeout: float = SECONDS) -> None:
    """Wait until `holds()` is true; fail with the screen at the timeout."""
    until = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < until, terminal
        time.sleep(0.05)
