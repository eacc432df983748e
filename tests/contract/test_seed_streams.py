"""The reviewer's stream as in the seeds: the mark, plain text, results, bad lines."""

import json

import pytest
from stops import Supervised

from harness.programs import needs

MARK = "Everything verified: [TASK_COMPLETED]"
NAMES_IT = "Say [TASK_COMPLETED] once all of it is verified.\n"


def test_the_mark(supervised: Supervised) -> None:
    """000/检测完成标记: the mark that SUPERVISOR.md names completes the task."""
    supervised.project.write(".claude/SUPERVISOR.md", NAMES_IT)
    supervised.claude(f"result({MARK!r})")
    assert not supervised.stop().blocked
    assert supervised.verdicts[-1]["completed"] is True
    assert len(supervised.notes("question")) == 1


def test_the_mark_that_nobody_asked_for(supervised: Supervised) -> None:
    """If SUPERVISOR.md does not name the mark, it is ordinary text."""
    supervised.claude(f"result({MARK!r})")
    supervised.stop()
    assert supervised.verdicts[-1]["completed"] is None
    assert len(supervised.notes("question")) == 2


@pytest.mark.thorough
def test_the_mark_of_another_judge(supervised: Supervised) -> None:
    """The same rule applies to a new session on another model, and the project's file counts."""
    supervised.configure(model="another")
    supervised.claude(f"result({MARK!r})")
    supervised.stop()
    assert supervised.verdicts[-1]["completed"] is None
    (supervised.project.directory / "SUPERVISOR.md").write_text(NAMES_IT)
    supervised.stop(prompt_id="p2")
    assert supervised.verdicts[-1]["completed"] is True
    assert all("--fork-session" not in argv for argv in supervised.notes("argv"))


@pytest.mark.parametrize("name", ["text", "content"])
def test_plain_text_is_shown(supervised: Supervised, name: str) -> None:
    """001/原始输出到 stderr: a message of type `text` goes to stderr, not to stdout."""
    supervised.claude(f'emit(type="text", {name}="I look at it.")\nresult(YES)')
    stopped = supervised.stop()
    assert "I look at it.\n" in stopped.outcome.stderr
    assert "I look at it." not in stopped.outcome.stdout


def test_a_result_that_is_an_object(supervised: Supervised) -> None:
    """003/解析 stream-json: the JSON of the result is the verdict."""
    supervised.claude('result({"completed": False, "feedback": "add a test"})')
    stopped = supervised.stop()
    assert stopped.answer["reason"] == "add a test"
    assert len(supervised.notes("question")) == 1
    supervised.claude('result({"code": "%code%", "completed": True, "feedback": ""})')
    assert not supervised.stop(prompt_id="p2").blocked
    assert supervised.verdicts[-1]["completed"] is True


def test_malformed_lines(supervised: Supervised) -> None:
    """000/解析错误处理: a bad line is a warning in the log, and the next one is read."""
    supervised.claude("raw(b'{\"type\": \"assis' + b'x' * 500 + b'\\n')\nresult(NO)")
    assert supervised.stop().blocked
    (line,) = [each for each in supervised.log.splitlines() if "reviewer line malformed" in each]
    assert "assis" + "x" * 100 in line
    assert "x" * 200 not in line


@pytest.mark.parametrize("git", [True, False])
@pytest.mark.thorough
def test_a_state_directory_in_the_project(supervised: Supervised, git: bool) -> None:
    """001/解析 hook 参数: `--state-dir .claude/ccc` doesn't count as a change of the project."""
    project = supervised.project
    if git:
        needs("git")
        project.run("init", program="git").succeeded()
    inside = project.directory / ".claude" / "ccc"
    inside.mkdir(parents=True)
    state = inside / supervised.state_file.name
    state.write_text(supervised.state_file.read_text())
    supervised.claude("result(NO)")
    first = supervised.stop("--state-dir", ".claude/ccc")
    assert first.blocked
    assert "changed during" not in first.outcome.stderr + first.message
    # nothing changed in between, so the same feedback again is stuck
    second = supervised.stop("--state-dir", ".claude/ccc", stop_hook_active=True)
    assert not second.blocked
    assert json.loads(state.read_text())["outcome"] == "stuck"


def test_resume_is_two_words(supervised: Supervised) -> None:
    """001/调用 Supervisor: `--fork-session --resume <session_id>`."""
    supervised.stop(session_id="s-1")
    (argv,) = supervised.notes("argv")
    assert "--fork-session" in argv
    assert argv[argv.index("--resume") + 1] == "s-1"


@pytest.mark.parametrize("wrong", ["--dangerously-skip-permissions", "-p", "../x", ""])
def test_what_is_no_session(supervised: Supervised, wrong: str) -> None:
    """A session id that claude could take for an option starts nothing."""
    stopped = supervised.stop(session_id=wrong)
    assert "claude did not say which session has stopped" in stopped.message
    assert supervised.notes("argv") == []
