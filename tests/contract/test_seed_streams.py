"""The reviewer's stream as the seeds describe it: the mark, plain text, results, bad lines."""


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
