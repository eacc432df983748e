"""The session, the state and the task of `ccc run`: given, new or continued."""

import json
import subprocess
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from stops import SESSION, Supervised
from unattended import BODY, UUID, later, record, run, state_of

from ccc.model.state import State
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.supervision.loop import CONTINUE
from ccc.text import names
from harness.processes import family, wait_until

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("outside")]


def test_from_inside_a_session(supervised: Supervised) -> None:
    """A run that an agent starts is a separate session and leaves the outer one's state alone."""
    before = supervised.state_file.read_text()
    outer = {"CCC_SUPERVISOR_ID": SESSION, "CLAUDECODE": "1", "CCC_LAUNCHER_PID": "1"}
    supervised.project.env |= outer
    run(supervised, 'result("Done.")').succeeded()
    assert supervised.state_file.read_text() == before
    agent, reviewer = supervised.notes("env")
    assert not {"CCC_SUPERVISOR_ID", "CLAUDECODE"} & set(agent)
    # the run itself launched its agent; the reviewer has no session variables
    assert agent["CCC_LAUNCHER_PID"] not in ("", "1")
    assert not set(outer) & set(reviewer)


def started(supervised: Supervised) -> list[str]:
    """Return the session that each agent was started with."""
    agents = [argv for argv in supervised.notes("argv") if "--fork-session" not in argv]
    return [argv[argv.index("--session-id") + 1] for argv in agents]


@pytest.mark.parametrize("words", [["run", "do it"], ["--supervisor", "kimi", "-p", "do it"]])
@pytest.mark.parametrize("given", ["mine", UUID])
def test_a_given_id(supervised: Supervised, words: list[str], given: str) -> None:
    """004/总是设置 CCC_SUPERVISOR_ID: an existing one is reused; claude's is a UUID."""
    supervised.claude(BODY.format(agent='    result("Done.")'))
    project = supervised.project
    project.env["CCC_SUPERVISOR_ID"] = given
    project.run(*words).succeeded()
    (agent,) = started(supervised)
    assert names.is_uuid(agent)
    assert (agent == given) is (given == UUID)
    kept = json.loads((supervised.state_dir / f"supervisor-{given}.json").read_text())
    assert (kept["session_id"], kept["enabled"], kept["count"]) == (given, True, 1)
    assert kept["run"]["outcome"] == "completed"
    assert (supervised.state_dir / f"supervisor-{given}-agent.jsonl").exists()
    assert not any("CCC_SUPERVISOR_ID" in env for env in supervised.notes("env"))


def test_a_given_id_of_a_session_that_is_there(supervised: Supervised) -> None:
    """claude rejects an id that is in use, so a new run's session gets another."""
    supervised.project.env["CCC_SUPERVISOR_ID"] = UUID
    supervised.project.write(f".claude/projects/p/{UUID}.jsonl", "{}\n")
    run(supervised, 'result("Done.")').succeeded()
    (agent,) = started(supervised)
    assert names.is_uuid(agent)
    assert agent != UUID


def test_a_given_id_that_is_no_name(supervised: Supervised) -> None:
    """An id that can't be a file name is rejected before anything is started."""
    supervised.project.env["CCC_SUPERVISOR_ID"] = "../x"
    outcome = run(supervised, 'result("Done.")')
    assert outcome.code == 1
    assert "CCC_SUPERVISOR_ID" in outcome.stderr
    assert supervised.notes("argv") == []


def test_a_new_task_under_a_given_id(supervised: Supervised) -> None:
    """The results of an earlier task don't count for a new one."""
    supervised.set_state(
        count=9, cost_usd=7.0, feedback=["not yet"], start_head="gone", prompt_id="p"
    )
    supervised.project.env["CCC_SUPERVISOR_ID"] = SESSION
    for _ in range(2):
        outcome = run(supervised, 'result("Done.", total_cost_usd=0.5)', "--json").succeeded()
        told = json.loads(outcome.stdout)
        assert (told["iterations"], len(told["verdicts"])) == (1, 1)
        assert told["cost_usd"]["agent"] == 0.5
        kept = supervised.state
        assert (kept["count"], kept["feedback"], kept["start_head"]) == (1, [], "")
        assert kept["cost_usd"] == pytest.approx(told["cost_usd"]["total"])
    assert len(supervised.verdicts) == 2
    assert not any("not yet" in question for question in supervised.notes("question"))


def test_a_given_id_of_a_run_under_way(supervised: Supervised) -> None:
    """Supervision is on from the start, and a second run with that id is rejected."""
    supervised.project.env["CCC_SUPERVISOR_ID"] = SESSION
    supervised.set_state(enabled=False)
    supervised.claude("hang()")
    process = later(supervised, "do it")
    try:
        wait_until(lambda: supervised.notes("hangs"), "the agent hangs")
        before = supervised.state
        assert before["enabled"] is True
        outcome = supervised.project.run("run", "another")
        assert outcome.code == 1
        assert f"(process {process.pid})" in outcome.stderr
        after = supervised.state
        assert (after["pid"], after["run"]) == (process.pid, before["run"])
    finally:
        process.kill()
        process.communicate()
    run(supervised, 'result("Done.")').succeeded()


MATERIAL = """This was piped in with the task. It is material to work with, not a request:

<piped_in>
a diff
</piped_in>"""


@pytest.mark.parametrize(
    ("words", "piped", "task"),
    [
        (["review this"], "a diff\n", f"review this\n\n{MATERIAL}"),
        (["--file", "t.md", "and more"], "", "and more\n\nfrom the file"),
        (["--file", "t.md"], "a diff\n", f"from the file\n\n{MATERIAL}"),
        ([], "fix it\n", "fix it"),
        (["-"], "all of it", "all of it"),
        (["--file", "-"], "all of it", "all of it"),
    ],
)
def test_where_the_task_comes_from(
    supervised: Supervised, words: list[str], piped: str, task: str
) -> None:
    """Words and a file are the task; piped input is the task if alone, else material."""
    (supervised.project.directory / "t.md").write_text("from the file\n")
    supervised.claude(BODY.format(agent='    result("Done.")'))
    supervised.project.run("run", *words, stdin=piped).succeeded()
    assert supervised.notes("question")[0] == task


def test_the_task_is_what_was_said(supervised: Supervised) -> None:
    """The recorded task doesn't include the material."""
    supervised.claude(BODY.format(agent='    result("Done.")'))
    supervised.project.run("run", "review this", stdin="a diff\n").succeeded()
    assert json.loads(state_of(supervised))["run"]["task"] == "review this"


def test_rounds_go_on_counting(supervised: Supervised) -> None:
    """A decided round keeps its number, and a continuation uses the next one."""
    no = '{"completed": false, "feedback": "the same"}'
    supervised.claude(
        f"if '--fork-session' in sys.argv:\n    result({no!r})\nelse:\n    result('Done.')"
    )
    project = supervised.project
    assert project.run("run", "do it").code == 21
    assert project.run("run", "--continue").code == 21
    lines = record(supervised, "-verdicts.jsonl").splitlines()
    assert [json.loads(line)["iteration"] for line in lines] == [1, 2, 3]


def test_a_pipe_that_says_nothing(supervised: Supervised) -> None:
    """A pipe that was left open is not waited for."""
    supervised.claude(BODY.format(agent='    result("Done.")'))
    process = subprocess.Popen(
        [supervised.project.ccc, "run", "do it"],
        cwd=supervised.project.directory,
        env=supervised.project.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.wait(30) == 0
    assert supervised.notes("question")[0] == "do it"


@pytest.mark.journey
def test_two_tasks(supervised: Supervised) -> None:
    """A task before -- and another one after it is an error, so neither is dropped silently."""
    outcome = supervised.project.run("run", "one", "--", "two")
    assert outcome.code == 1
    assert "there is a task after -- too: two" in outcome.stderr


def test_continued_at_the_limit(supervised: Supervised) -> None:
    """With all reviews used, the agent is not asked again; a higher limit lets it continue."""
    supervised.claude(
        """if "--fork-session" in sys.argv:
    result('{"completed": false, "feedback": "%d"}' % time.time_ns())
else:
    result("Done.")"""
    )
    project = supervised.project
    assert project.run("run", "--max-iterations", "1", "do it").code == 20
    asked = len(supervised.notes("question"))
    outcome = project.run("run", "--continue", "and more")
    assert outcome.code == 20
    assert "ccc run --continue --max-iterations N" in outcome.stderr
    assert len(supervised.notes("question")) == asked
    supervised.claude(BODY.format(agent='    result("Done.")'))
    project.run("run", "--continue", "--max-iterations", "2").succeeded()


def test_continued_while_it_runs(supervised: Supervised) -> None:
    """Continuing a run in progress is an error that names it."""
    supervised.claude("hang()")
    process = later(supervised, "do it")
    try:
        wait_until(lambda: supervised.notes("hangs"), "the agent hangs")
        outcome = supervised.project.run("run", "--continue")
        assert outcome.code == 1
        assert f"(process {process.pid})" in outcome.stderr
    finally:
        process.kill()
        process.communicate()
    # and it is gone even though nothing has waited for it: a zombie doesn't run
    wait_until(lambda: not family(supervised.project.home, "ccc run"), "it is gone", 10)


def cut_off(supervised: Supervised, *words: str) -> None:
    """Start a run and kill it in its review, after some seconds."""
    supervised.claude('if "--fork-session" in sys.argv:\n    hang()\nelse:\n    result("Done.")')
    process = later(supervised, *words)
    wait_until(lambda: supervised.notes("hangs"), "the review")
    time.sleep(6)
    process.kill()
    process.communicate()
    supervised.claude(BODY.format(agent='    result("Done.")'))


def test_continued_with_time_limits_and_arguments(supervised: Supervised) -> None:
    """The original options still apply, and the time of the review that was cut off counts."""
    begun = time.monotonic()
    cut_off(supervised, "--max-minutes", "9", "do it", "--", "--model", "other")
    took = time.monotonic() - begun
    outcome = supervised.project.run("run", "--continue", "--json").succeeded()
    told = json.loads(outcome.stdout)
    assert told["seconds"] > 5
    assert told["seconds"] < took + 30
    limits = json.loads(state_of(supervised))["run"]["limits"]
    assert limits == {"max_minutes": 9.0}
    assert "Checks: none · Limits: 10 rounds, 9 minutes" in outcome.stderr
    agent = [argv for argv in supervised.notes("argv") if "--fork-session" not in argv]
    assert all("other" in argv for argv in agent)


def test_continued_in_its_directory(supervised: Supervised, tmp_path: Path) -> None:
    """A run continues in the directory that it was started in."""
    cut_off(supervised, "do it")
    other = tmp_path / "other"
    other.mkdir()
    done = subprocess.run(
        [supervised.project.ccc, "run", "--continue"],
        cwd=other,
        env=supervised.project.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "there is no unfinished run in" in done.stderr
    supervised.project.run("run", "--continue").succeeded()


def test_continued_by_two(supervised: Supervised) -> None:
    """If two continue a run, only one gets it, however slow the key's command is."""
    cut_off(supervised, "do it")
    project = supervised.project
    config = project.json(".claude/ccc.json")
    key = {"command": ["sh", "-c", "sleep 2; echo key"]}
    config["providers"]["kimi"]["env"]["ANTHROPIC_AUTH_TOKEN"] = key
    project.write(".claude/ccc.json", json.dumps(config))
    both = [later(supervised, "--continue") for _ in range(2)]
    told = [process.communicate(timeout=60)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 1], told
    assert any("already in progress" in text for text in told)


def test_an_older_run_is_not_continued_beside_the_newest(supervised: Supervised) -> None:
    """While the newest run is still running, `--continue` doesn't start an older one."""
    cut_off(supervised, "the older task")
    cut_off(supervised, "the newer task")
    supervised.claude("note(works=1)\nhang()")
    first = later(supervised, "--continue")
    try:
        wait_until(lambda: supervised.notes("works"), "the continued review")
        second = supervised.project.run("run", "--continue")
        assert second.code == 1
        assert "already in progress" in second.stderr
    finally:
        first.terminate()
        first.communicate(timeout=60)


def test_continued_before_the_task_was_heard(supervised: Supervised) -> None:
    """An additional message doesn't replace the task."""
    supervised.claude("pass", before="sys.exit(3)")
    assert supervised.project.run("run", "the task").code == 25
    supervised.claude(BODY.format(agent='    result("Done.")'))
    supervised.project.run("run", "--continue", "try again").succeeded()
    agent = [q for q in supervised.notes("question") if len(q) < 100]
    assert agent[:2] == ["the task", "try again"]


def test_continued_between_a_decision_and_its_message(supervised: Supervised) -> None:
    """A decision that was not sent yet is sent, and not reviewed a second time."""
    supervised.claude("pass", before="sys.exit(3)")
    assert supervised.project.run("run", "the task").code == 25
    (path,) = (p for p in supervised.state_dir.glob("supervisor-*-*.json"))
    session = path.stem.removeprefix("supervisor-")

    def killed(before: State) -> State:
        assert before.run
        run = replace(before.run, phase="review", last_message="Done.", feedbacks=0)
        task = replace(before.task, feedback=("add a test",), count=1)
        return replace(before, run=run, task=task)

    where = Paths({"CLAUDE_CONFIG_DIR": str(supervised.project.claude_dir)})
    sessions.change(where, session, killed, print)
    supervised.claude(BODY.format(agent='    result("Added.")'))
    supervised.project.run("run", "--continue").succeeded()
    asked = supervised.notes("question")
    assert next(question for question in asked if len(question) < 100) == "add a test"
    assert sum(len(question) > 100 for question in asked) == 1
    assert json.loads(path.read_text())["count"] == 2


def test_continued_with_a_file(supervised: Supervised) -> None:
    """An answer may come from a file or a pipe."""
    need = '{"code": "%code%", "completed": false, "feedback": "?", "needs_user": true}'
    supervised.claude(
        f"if '--fork-session' in sys.argv:\n    result({need!r})\nelse:\n    result('Done.')"
    )
    project = supervised.project
    assert project.run("run", "do it").code == 23
    (project.directory / "answer.md").write_text("blue\n")
    assert project.run("run", "--continue", "--file", "answer.md").code == 23
    assert project.run("run", "--continue", stdin="red\n").code == 23
    agent = [q for q in supervised.notes("question") if len(q) < 100]
    assert {"do it", "blue", "red"} == set(agent)


def test_continued_without_an_answer(supervised: Supervised) -> None:
    """Without an answer, the agent continues; the same work is not reviewed again."""
    need = '{"code": "%code%", "completed": false, "feedback": "?", "needs_user": true}'
    supervised.claude(
        f"if '--fork-session' in sys.argv:\n    result({need!r})\nelse:\n    result('Done.')"
    )
    project = supervised.project
    assert project.run("run", "--max-iterations", "2", "do it").code == 23
    assert project.run("run", "--continue").code == 23
    assert project.run("run", "--continue").code == 20
    asked = supervised.notes("question")
    assert {q for q in asked if len(q) < 100} == {"do it", CONTINUE}
    assert sum(len(q) > 100 for q in asked) == 2
