"""Faults of a review with the real client: allowed, reported, recorded, no process left."""

import json
import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from facts import HOOK_SAYS, STREAM
from supervised import (
    ASKED,
    DONE,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    Record,
    Run,
    bash,
    no,
    requests,
    supervise,
)

from harness import Bench, CccProject
from harness.processes import family, nothing_runs, wait_until
from harness.programs import needs
from harness.scripted import (
    Reply,
    Request,
    Rule,
    answer,
    broken,
    cut,
    endless,
    every,
    failure,
    overloaded,
    rate_limited,
    server_error,
    slow,
    tool_result,
    unauthorized,
)

pytestmark = pytest.mark.real

QUICKLY = {"CLAUDE_CODE_MAX_RETRIES": "1"}
FORK = "--fork-session"
AGENT = Rule(WORKING, answer(DONE), name="agent")


def project_with(bench: Bench, *rules: Rule, **supervisor: object) -> CccProject:
    """Return a project with these reviewer rules and an agent that claims to be done."""
    project = bench(*rules, AGENT)
    project.configure(supervisor=supervisor)
    return project


def not_judged(run: Run) -> str:
    """Check everything that a failed review must do, and return the failure on record."""
    assert run.outcome.code == 0, run.outcome
    assert run.result == DONE, run.outcome
    (message,) = run.told
    assert message.startswith("[SUPERVISOR] could not be judged, stop allowed: "), run.outcome
    assert str(run.record.directory / "hook-invocation.log") in message
    assert "/supervisoroff" in message
    assert [hook["exit_code"] for hook in run.hooks] == [0]
    (verdict,) = run.record.verdicts
    assert verdict["failure"]
    assert f"stop allowed: {verdict['failure']}\n" in message
    assert (verdict["completed"], verdict["allowed"]) == (None, True)
    assert verdict["outcome"] == "not_judged"
    assert run.record.state["enabled"] is True
    assert any("outcome=not_judged" in line for line in run.record.log)
    nothing_runs(run.project.home)
    return str(verdict["failure"])


VERDICT = answer(f"I looked. {YES}")


class TestModel:
    @pytest.mark.parametrize(
        ("fault", "cause"),
        [
            (unauthorized(), "Not logged in"),
            (rate_limited(1), "rate limit"),
            (server_error(), "500"),
            (overloaded(), "529"),
            (cut(VERDICT, 2), ""),
            (broken(VERDICT), ""),
        ],
        ids=["401", "429", "500", "529", "cut", "broken"],
    )
    def test_fault(self, bench: Bench, fault: Reply, cause: str) -> None:
        """Each fault of the provider during a review allows the stop and names the cause."""
        project = project_with(bench, Rule(REVIEWING, fault, name="reviewer"))
        failure = not_judged(supervise(project, "do it", **QUICKLY))
        assert cause.casefold() in failure.casefold()
        assert requests(project, REVIEWING)

    def test_a_rate_limit_that_passes(self, bench: Bench) -> None:
        """claude itself waits after a 429 with retry-after, and the review continues."""
        project = project_with(bench, Rule(ASKED, [rate_limited(1), VERDICT], name="reviewer"))
        run = supervise(project, "do it", CLAUDE_CODE_MAX_RETRIES="3")
        assert "completed, stop allowed" in run.told[0], run.outcome
        assert len(requests(project, REVIEWING)) == 2

    def test_slow(self, bench: Bench) -> None:
        """ccc waits for a slow answer."""
        project = project_with(bench, Rule(ASKED, slow(VERDICT, 4), name="reviewer"))
        run = supervise(project, "do it")
        assert "completed, stop allowed" in run.told[0], run.outcome
        assert run.record.verdicts[0]["seconds"] > 3

    def test_endless(self, bench: Bench) -> None:
        """An endless answer is ended after timeout_seconds."""
        rule = Rule(REVIEWING, endless(f"{YES} and on "), name="reviewer")
        project = project_with(bench, rule, timeout_seconds=10)
        start = time.monotonic()
        assert "took longer than 10 s" in not_judged(supervise(project, "do it"))
        assert time.monotonic() - start < 40


class Later:
    """A supervised run in a thread, so that the test can interfere."""

    def __init__(self, project: CccProject) -> None:
        self._project = project
        self._runs: list[Run] = []
        self._thread = threading.Thread(
            target=lambda: self._runs.append(supervise(project, "do it", **QUICKLY)), daemon=True
        )
        self._thread.start()

    def end(self) -> Run:
        """Wait for the end of the run and return it."""
        self._thread.join(60)
        assert self._runs, repr(self._project.model)
        return self._runs[0]


class TestKilled:
    def kill(self, project: CccProject, when: Callable[[], object]) -> Run:
        """Kill the reviewer with SIGKILL once `when()` is true, and return the run."""
        later = Later(project)
        wait_until(lambda: family(project.home, FORK), "the reviewer has started")
        wait_until(when, "the moment has come")
        for pid in family(project.home, FORK):
            os.kill(pid, signal.SIGKILL)
        return later.end()

    def test_at_its_start(self, bench: Bench) -> None:
        """A reviewer that is killed at its start allows the stop."""
        project = project_with(bench, Rule(REVIEWING, slow(VERDICT, 20), name="reviewer"))
        assert "exit -9" in not_judged(self.kill(project, lambda: True))

    def test_while_the_model_speaks(self, bench: Bench) -> None:
        """A reviewer that is killed during its answer allows the stop."""
        project = project_with(bench, Rule(REVIEWING, slow(VERDICT, 20), name="reviewer"))
        run = self.kill(project, lambda: requests(project, REVIEWING))
        assert "exit -9" in not_judged(run)

    @pytest.mark.parametrize("sandbox", ["auto", "off"])
    def test_while_its_tool_runs(self, bench: Bench, sandbox: str) -> None:
        """If a reviewer is killed while its command runs, the command ends too."""
        marker = "time.sleep(47.11)"
        command = bash(f"python3 -c 'import time; {marker}'")
        project = project_with(
            bench, Rule(REVIEWING, answer(command), name="reviewer"), sandbox=sandbox
        )
        run = self.kill(project, lambda: family(project.home, marker))
        assert "exit -9" in not_judged(run)
        nothing_runs(project.home, marker)

    def test_the_hook_itself(self, bench: Bench) -> None:
        """If the hook is killed, the session still ends well."""
        project = project_with(
            bench, Rule(REVIEWING, [slow(VERDICT, 30), answer(no("go on"))], name="reviewer")
        )
        later = Later(project)
        wait_until(lambda: requests(project, REVIEWING), "the review has started")
        hooks = family(project.home, "supervisor-hook")
        for pid in hooks:
            os.kill(pid, signal.SIGKILL)
        run = later.end()
        for pid in family(project.home):
            os.kill(pid, signal.SIGKILL)
        for workspace in leftovers(project):
            shutil.rmtree(workspace.parent)
        assert hooks
        assert run.outcome.code == 0
        assert run.result == DONE
        assert run.record.state["enabled"] is True


class TestSurroundings:
    def test_unwritable_state_directory(self, bench: Bench) -> None:
        """If nothing can be written, the stop is allowed and the user is told."""
        needs("bwrap")
        project = bench(
            Rule(every(WORKING, tool_result()), answer(DONE)),
            Rule(WORKING, answer(bash('chmod 500 "$HOME/.claude/ccc"'))),
        )
        project.configure(supervisor={"sandbox": "off"})
        # root may write everywhere, so run as another user
        somebody = ("--dev-bind", "/", "/", "--unshare-user", "--uid", "1000", "--gid", "1000")
        words = ("kimi", *STREAM, "--input-format", "stream-json", "--include-hook-events")
        message = {"type": "user", "message": {"role": "user", "content": "/supervisor do it"}}
        try:
            line = (*somebody, project.ccc, *words, *FREELY)
            outcome = project.run(*line, program="bwrap", stdin=json.dumps(message))
        finally:
            (project.claude_dir / "ccc").chmod(0o700)
        run = Run(project, outcome)
        (message,) = run.told
        assert "could not be judged, stop allowed: cannot write" in message, outcome
        assert run.result == DONE
        assert requests(project, REVIEWING) == []
        assert Record(project).state["enabled"] is True

    def test_removed_state_directory(self, bench: Bench) -> None:
        """If the agent's program removes ccc's directory, supervision ends without an error."""
        remove = "import os, shutil; shutil.rmtree(os.environ['HOME'] + '/.claude/ccc')"
        project = bench(
            Rule(every(WORKING, tool_result()), answer(DONE)),
            Rule(WORKING, answer(bash(f'{sys.executable} -c "{remove}"'))),
        )
        run = supervise(project, "do it")
        assert (run.result, run.told) == (DONE, [])
        assert [hook["exit_code"] for hook in run.hooks] == [0]


class TestLimits:
    def test_minutes(self, bench: Bench) -> None:
        """max_minutes counts from the user's prompt; after that there is no review."""
        project = project_with(bench, Rule(REVIEWING, VERDICT), max_minutes=0.0001)
        run = supervise(project, "do it")
        assert run.told == [
            "[SUPERVISOR] limit of 0.0001 minutes reached. Stop allowed without a review."
        ]
        assert requests(project, REVIEWING) == []

    def test_cost(self, bench: Bench) -> None:
        """max_cost_usd ends a task after the review that reaches it, by claude's own accounting."""
        rule = Rule(REVIEWING, [answer(no("do one")), answer(no("do two"))], name="reviewer")
        project = project_with(bench, rule, max_cost_usd=0.000001)
        run = supervise(project, "do it")
        assert "not completed (round 1/10)" in run.told[0]
        assert "limit of $1e-06 for reviews reached. Stop allowed" in run.told[1]
        assert len(requests(project, REVIEWING)) == 1
        assert run.record.state["cost_usd"] > 0

    def test_one_review(self, bench: Bench) -> None:
        """001/迭代次数限制: with max_iterations 1 the second stop is allowed without a review."""
        rule = Rule(REVIEWING, [answer(no("do one")), answer(no("do two"))], name="reviewer")
        project = project_with(bench, rule, max_iterations=1)
        run = supervise(project, "do it")
        assert "not completed (round 1/1)" in run.told[0]
        assert "limit of 1 round for this prompt reached. Stop allowed" in run.told[1]
        assert len(requests(project, REVIEWING)) == 1
        assert run.record.state["count"] == 1


@pytest.mark.tmux
class TestEscape:
    @pytest.mark.parametrize("moment", ["starting", "speaking", "tool"])
    def test_during_a_review(self, bench: Bench, tmux: None, moment: str) -> None:
        """Esc ends the review and all its processes, and the session stays usable."""
        marker = "time.sleep(48.12)"
        command = bash(f"python3 -c 'import time; {marker}'")
        reply: Reply = answer(command) if moment == "tool" else endless("hm ")
        project = project_with(bench, Rule(REVIEWING, reply, name="reviewer"))
        moments: dict[str, Callable[[], object]] = {
            "starting": lambda: family(project.home, FORK),
            "speaking": lambda: requests(project, REVIEWING),
            "tool": lambda: family(project.home, marker),
        }
        with project.interactive("kimi") as terminal:
            terminal.wait_for("❯")
            terminal.enter("/supervisor do it")
            wait_until(moments[moment], moment)
            terminal.press("Escape")
            terminal.wait_for("Interrupted")
            # claude gives its hook 1.4 s
            nothing_runs(project.home, FORK)
            nothing_runs(project.home, "supervisor-hook")
            nothing_runs(project.home, marker)
            screen = terminal.screen(history=True)
            assert not re.search(HOOK_SAYS, screen)
            assert "Traceback" not in screen
            record = Record(project)
            assert record.state["enabled"] is True
            assert any("supervisor-hook interrupted" in line for line in record.log)
            (trace,) = record.verdicts
            assert (trace["outcome"], trace["feedback"]) == ("interrupted", "")
            assert leftovers(project) == []
            terminal.enter("/supervisoroff")
            wait_until(lambda: record.state["enabled"] is False, "supervision is off")


def leftovers(project: CccProject) -> list[Path]:
    """Return the workspaces of reviews that were not removed."""
    assert project.model is not None
    texts = [
        text
        for r in requests(project, ASKED)
        for text in r.user_texts
        if "may write below " in text
    ]
    paths = [Path(text.partition("may write below ")[2].partition(",")[0]) for text in texts]
    return [path for path in paths if path.exists()]


def test_the_request_is_the_reviewers(bench: Bench) -> None:
    """The REVIEWING rule matches the reviewer's requests and no others."""
    matches: list[bool] = []

    def reply(request: Request) -> Reply:
        matches.append("may write below " in request.last_text)
        return VERDICT

    run = supervise(project_with(bench, Rule(REVIEWING, reply)), "do it")
    assert "completed, stop allowed" in run.told[0], run.outcome
    assert matches == [True]


def test_an_unknown_model(bench: Bench) -> None:
    """For an unknown model, the message says where its name comes from."""
    unknown = failure(404, "not_found_error", "model: nobody")
    project = project_with(bench, Rule(REVIEWING, unknown, name="unknown"), model="nobody")
    failure_text = not_judged(supervise(project, "do it", **QUICKLY))
    assert f"The model nobody is supervisor.model in {project.claude_dir}/ccc.json" in failure_text
