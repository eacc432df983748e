"""The reviewer's stream as the seeds describe it: the mark, plain text, results, bad lines."""

import pytest
from stops import Supervised

MARK = "Everything verified: [TASK_COMPLETED]"
NAMES_IT = "Say [TASK_COMPLETED] once all of it is verified.\n"


def test_the_mark(supervised: Supervised) -> None:
    """Seed 000, 检测完成标记: the mark that SUPERVISOR.md names completes the task."""
    supervised.project.write(".claude/SUPERVISOR.md", NAMES_IT)
    supervised.claude(f"result({MARK!r})")
    assert not supervised.stop().blocked
    assert supervised.verdicts[-1]["completed"] is True
    assert len(supervised.notes("question")) == 1


def test_the_mark_that_nobody_asked_for(supervised: Supervised) -> None:
    """Where SUPERVISOR.md does not name it, it is text like any other."""
    supervised.claude(f"result({MARK!r})")
    supervised.stop()
    assert supervised.verdicts[-1]["completed"] is None
    assert len(supervised.notes("question")) == 2


def test_the_mark_of_another_judge(supervised: Supervised) -> None:
    """The same rule for a fresh session on another model, and the project's file counts."""
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
    """Seed 001, 原始输出到 stderr: a message of type `text` goes to stderr, not to stdout."""
    supervised.claude(f'emit(type="text", {name}="I look at it.")\nresult(YES)')
    stopped = supervised.stop()
    assert "I look at it.\n" in stopped.outcome.stderr
    assert "I look at it." not in stopped.outcome.stdout


def test_a_result_that_is_an_object(supervised: Supervised) -> None:
    """Seed 003, 解析 stream-json: the JSON of the result is the verdict."""
    supervised.claude('result({"completed": False, "feedback": "add a test"})')
    stopped = supervised.stop()
    assert stopped.answer["reason"] == "add a test"
    assert len(supervised.notes("question")) == 1
    supervised.claude('result({"completed": True, "feedback": ""})')
    assert not supervised.stop(prompt_id="p2").blocked
    assert supervised.verdicts[-1]["completed"] is True


def test_malformed_lines(supervised: Supervised) -> None:
    """Seed 000, 解析错误处理: a bad line is a warning in the log, and the next is read."""
    supervised.claude("raw(b'{\"type\": \"assis' + b'x' * 500 + b'\\n')\nresult(NO)")
    assert supervised.stop().blocked
    (line,) = [each for each in supervised.log.splitlines() if "reviewer line malformed" in each]
    assert "assis" + "x" * 100 in line
    assert "x" * 200 not in line
