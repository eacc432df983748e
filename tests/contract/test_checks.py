"""The user's checks, which run before any model is asked and serve as evidence."""

import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from stops import SESSION, Supervised

from ccc.system import spawn
from harness.processes import nothing_runs

pytestmark = pytest.mark.thorough

GIT = "git -c user.name=x -c user.email=x@example.org"


def configure(supervised: Supervised, *checks: object, **projects: list[object]) -> None:
    """Configure checks for every project and for some directories."""
    supervised.project.configure(
        supervisor={"sandbox": "off", "checks": list(checks)},
        projects={directory: {"checks": own} for directory, own in projects.items()},
    )


def in_project(supervised: Supervised, name: str) -> Path:
    """Write a file in the project."""
    return supervised.project.directory / name


class TestOrder:
    @pytest.mark.journey
    def test_all_pass(self, supervised: Supervised) -> None:
        """Checks run in order in the project, and their receipts reach the reviewer."""
        configure(supervised, "pwd > where; echo 1 >> order", {"command": "echo 2 >> order"})
        stopped = supervised.stop()
        assert not stopped.blocked
        assert in_project(supervised, "order").read_text() == "1\n2\n"
        assert in_project(supervised, "where").read_text().strip() == str(
            supervised.project.directory
        )
        (question,) = supervised.notes("question")
        assert re.search(r"- `echo 2 >> order`: exit 0, \d+\.\d s", question)
        (verdict,) = supervised.verdicts
        assert [receipt["exit_code"] for receipt in verdict["receipts"]] == [0, 0]
        assert verdict["receipts"][1]["command"] == "echo 2 >> order"

    @pytest.mark.journey
    def test_the_first_failing_one_answers(self, supervised: Supervised) -> None:
        """The first failing check blocks with command, exit code and output; no model is called."""
        configure(supervised, "true", "echo to stdout; echo to stderr >&2; exit 7", "touch never")
        stopped = supervised.stop()
        reason = stopped.answer["reason"]
        assert "`echo to stdout; echo to stderr >&2; exit 7` fails with exit code 7" in reason
        assert reason.endswith("to stdout\nto stderr")
        assert not in_project(supervised, "never").exists()
        assert supervised.notes("pid") == []
        (verdict,) = supervised.verdicts
        assert (verdict["outcome"], verdict["completed"]) == ("not_completed", None)
        assert [receipt["exit_code"] for receipt in verdict["receipts"]] == [0, 7]
        assert verdict["cost_usd"] == 0

    def test_no_secret_of_a_provider(self, supervised: Supervised) -> None:
        """A check sees the environment without the provider keys of the launch or the shell."""
        project = supervised.project
        project.configure(
            providers={"kimi": {"env": {"ANTHROPIC_AUTH_TOKEN": {"env": "KIMI_KEY"}}}},
            supervisor={"sandbox": "off", "checks": ["env > environment; echo $GATEWAY_TOKEN"]},
        )
        secrets = {
            "ANTHROPIC_API_KEY": "secret-one-0123456789",
            "ANTHROPIC_CUSTOM_HEADERS": "x-api-key: secret-two-0123456789",
            "GATEWAY_TOKEN": "secret-three-0123456789",
            "KIMI_KEY": "secret-four-0123456789",
        }
        others = {"GITHUB_TOKEN": "the-users-own-token", "API_TIMEOUT_MS": "600000"}
        ours = {"CCC_PROVIDER_ENV": "GATEWAY_TOKEN,API_TIMEOUT_MS"}
        supervised.stop(env={**secrets, **others, **ours})
        seen = in_project(supervised, "environment").read_text()
        assert "secret-" not in seen
        assert "GITHUB_TOKEN=the-users-own-token\n" in seen
        assert "API_TIMEOUT_MS=600000\n" in seen

    def test_a_coloured_key(self, supervised: Supervised) -> None:
        """A key that a check prints in colours is neither in the feedback nor in the file."""
        key = "secret-one-0123456789"
        key_in_colours = r"printf 'secret\033[31m-one-\033[0m0'; echo 123456789"
        configure(supervised, f"{key_in_colours}; seq 3000; false")
        stopped = supervised.stop(env={"GITHUB_TOKEN": key})
        (receipt,) = supervised.verdicts[0]["receipts"]
        whole = Path(receipt["output_file"]).read_text()
        assert whole.endswith("3000\n")
        for text in (str(stopped.answer), receipt["output"], whole):
            assert "0123456789" not in text

    def test_one_that_prints_nothing(self, supervised: Supervised) -> None:
        """The feedback says that a check printed nothing, without a lone dash in its place."""
        configure(supervised, "false")
        told = "The check `false` fails with exit code 1 and prints nothing. Make it pass."
        assert supervised.stop().answer["reason"] == told
        shown = supervised.project.run("show").succeeded().stdout
        assert f"\n  {told}\n" in shown
        assert "\n  -\n" not in shown

    def test_not_supervised(self, supervised: Supervised) -> None:
        """No check runs while supervision is off."""
        configure(supervised, "touch ran")
        supervised.set_state(enabled=False)
        assert supervised.stop().silent
        assert not in_project(supervised, "ran").exists()

    def test_not_where_nothing_is_judged(self, supervised: Supervised) -> None:
        """No check runs in plan mode."""
        configure(supervised, "touch ran")
        stopped = supervised.stop(permission_mode="plan")
        assert not stopped.blocked
        assert "without a review" in stopped.message
        assert not in_project(supervised, "ran").exists()

    @pytest.mark.parametrize(
        ("kind", "reviewed"), [("subagent", False), ("shell", True), ("monitor", True), ("", True)]
    )
    def test_while_something_runs(self, supervised: Supervised, kind: str, reviewed: bool) -> None:
        """A stop during a sub-agent's work isn't reviewed, but the checks run and are reported."""
        configure(supervised, "touch ran; exit 1")
        task = {"id": "b", "type": kind, "status": "running", "description": "helper"}
        stopped = supervised.stop(background_tasks=[task])
        assert stopped.blocked is reviewed
        assert ("without a review" in stopped.message) is not reviewed
        assert reviewed or "your checks fail" in stopped.message
        assert in_project(supervised, "ran").exists()


class TestProjects:
    @pytest.mark.parametrize(
        ("directory", "runs"),
        [
            ("{project}", True),
            ("{project}/", True),
            ("{parent}", True),
            ("{link}", True),
            ("~/../project", True),
            ("/", True),
            ("{project}2", False),
            ("{project}/below", False),
            ("{home}", False),
            ("project", False),
            ("", False),
            (".", False),
        ],
    )
    def test_by_directory(self, supervised: Supervised, directory: str, runs: bool) -> None:
        """A project's checks run in it and its subdirectories, and nowhere else."""
        project = supervised.project
        link = project.root / "link"
        link.symlink_to(project.directory)
        places = {
            "project": project.directory,
            "parent": project.directory.parent,
            "link": link,
            "home": project.home,
        }
        configure(supervised, "true", **{directory.format(**places): ["exit 3"]})
        stopped = supervised.stop()
        assert stopped.blocked is runs
        if runs:
            assert "exit code 3" in stopped.answer["reason"]

    def test_after_the_general_ones(self, supervised: Supervised) -> None:
        """The checks for every project run first."""
        here = str(supervised.project.directory)
        configure(supervised, "echo general >> order", **{here: ["echo own >> order; exit 1"]})
        assert supervised.stop().blocked
        assert in_project(supervised, "order").read_text() == "general\nown\n"

    def test_the_sessions_project(self, supervised: Supervised) -> None:
        """Checks run in the session's project, even if the agent changed directories."""
        configure(supervised, "pwd > where; exit 1")
        supervised.stop(cwd="/", env={"CLAUDE_PROJECT_DIR": str(supervised.project.directory)})
        where = in_project(supervised, "where").read_text().strip()
        assert where == str(supervised.project.directory)

    def test_a_project_that_is_gone(self, supervised: Supervised) -> None:
        """No check can run in a deleted directory, and that doesn't block the agent forever."""
        configure(supervised, "true")
        gone = str(supervised.project.root / "gone")
        first = supervised.stop(env={"CLAUDE_PROJECT_DIR": gone})
        again = supervised.stop(env={"CLAUDE_PROJECT_DIR": gone})
        assert not again.blocked, (first.outcome, again.outcome)


class TestOutput:
    @pytest.mark.journey
    def test_kept_whole_and_its_end_shown(self, supervised: Supervised) -> None:
        """The reason has the end of a long output, and names the file with all of it."""
        configure(supervised, "seq 1 100000; exit 1")
        reason = supervised.stop().answer["reason"]
        path = supervised.state_dir / f"supervisor-{SESSION}-check-1.log"
        assert str(path) in reason
        assert reason.endswith("99999\n100000")
        assert "\n1\n2\n" not in reason
        assert len(reason) < 9_000
        assert path.read_text().splitlines()[0] == "1"
        assert path.stat().st_mode & 0o777 == 0o600

    def test_any_bytes(self, supervised: Supervised) -> None:
        """Output that is binary or empty is no error."""
        configure(supervised, "head -c 5000 /dev/urandom; printf '\\nthe end'; exit 1")
        assert supervised.stop().answer["reason"].endswith("the end")
        configure(supervised, "exit 9")
        assert "exit code 9" in supervised.stop().answer["reason"]

    def test_no_terminal_and_no_input(self, supervised: Supervised) -> None:
        """A check has no terminal to ask on and can't read the hook's input."""
        configure(supervised, "cat; test -t 1 && exit 2; exit 1")
        reason = supervised.stop().answer["reason"]
        assert "exit code 1" in reason
        assert SESSION not in reason.partition("\n\n")[2]

    def test_surroundings(self, supervised: Supervised) -> None:
        """A check that runs claude is not supervised, because it doesn't get ccc's session id."""
        configure(supervised, 'test -z "$CCC_SUPERVISOR_ID" && test "$MINE" = 1')
        assert not supervised.stop(env={"MINE": "1"}).blocked

    def test_killed_by_a_signal(self, supervised: Supervised) -> None:
        """A check that is killed has failed."""
        configure(supervised, "kill -9 $$")
        assert supervised.stop().blocked

    def test_head_and_dirt(self, supervised: Supervised) -> None:
        """A receipt says which commit was checked, and whether there were uncommitted changes."""
        configure(supervised, f"{GIT} rev-parse HEAD")
        outcome = supervised.project.run(
            *("-c", f"git init -q && touch a && git add a && {GIT} commit -qm x && touch b"),
            program="/bin/sh",
        )
        outcome.succeeded()
        supervised.stop()
        (verdict,) = supervised.verdicts
        (receipt,) = verdict["receipts"]
        head = Path(receipt["output_file"]).read_text().strip()
        assert (receipt["head"], receipt["dirty"]) == (head, True)
        (question,) = supervised.notes("question")
        assert f"HEAD {head[:12]}, uncommitted changes" in question


class TestTime:
    @pytest.mark.journey
    def test_timeout_ends_the_family(self, supervised: Supervised) -> None:
        """A check that times out has failed, and all its descendants are ended."""
        stubborn = (
            f"{sys.executable} -c 'import signal, time; signal.signal(15, 1); time.sleep(60)'"
        )
        command = f"echo begun; setsid {stubborn} & (setsid setsid {stubborn} &) ; {stubborn}"
        configure(supervised, {"command": command, "timeout_seconds": 1})
        begun = time.monotonic()
        reason = supervised.stop().answer["reason"]
        assert time.monotonic() - begun < 45
        assert "did not finish within" in reason
        assert reason.endswith("begun")
        nothing_runs(supervised.project.home)
        assert supervised.verdicts[0]["receipts"][0]["exit_code"] is None

    def test_what_a_check_leaves_running(self, supervised: Supervised) -> None:
        """A server that a check leaves running is ended with it and doesn't block the hook."""
        configure(supervised, "setsid sleep 60 & (sleep 60 &) ; exit 1")
        begun = time.monotonic()
        assert supervised.stop().blocked
        assert time.monotonic() - begun < 45
        nothing_runs(supervised.project.home)


class TestStuck:
    @pytest.mark.journey
    def test_twice_running_on_an_unchanged_tree(self, supervised: Supervised) -> None:
        """When the same check fails again on an unchanged tree, the stop is allowed as stuck."""
        configure(supervised, "date +%N; exit 1")
        assert supervised.stop().blocked
        stopped = supervised.stop(stop_hook_active=True)
        assert not stopped.blocked
        assert "stuck, stop allowed" in stopped.message
        assert supervised.verdicts[-1]["outcome"] == "stuck"

    @pytest.mark.parametrize("repository", [False, True])
    def test_a_changed_tree(self, supervised: Supervised, repository: bool) -> None:
        """After any change of the tree, the agent gets the feedback again."""
        if repository:
            supervised.project.run("-c", "git init -q", program="/bin/sh").succeeded()
        configure(supervised, "exit 1")
        assert supervised.stop().blocked
        in_project(supervised, "new.txt").write_text("new")
        assert supervised.stop().blocked
        in_project(supervised, "new.txt").write_text("other")
        assert supervised.stop().blocked
        assert not supervised.stop().blocked

    def test_another_exit_code(self, supervised: Supervised) -> None:
        """A different exit code counts as a different finding."""
        configure(supervised, "exit 1")
        assert supervised.stop().blocked
        configure(supervised, "exit 2")
        assert supervised.stop().blocked

    def test_the_same_feedback_of_a_reviewer(self, supervised: Supervised) -> None:
        """On an unchanged tree, feedback that differs only in white space and case is the same."""
        supervised.claude("""result('{"completed": false, "feedback": "Add a test."}')""")
        assert supervised.stop().blocked
        supervised.claude("""result('{"completed": false, "feedback": " add  A\\\\ntest."}')""")
        stopped = supervised.stop()
        assert not stopped.blocked
        assert "stuck, stop allowed" in stopped.message


def test_ended_where_a_signal_left_a_lock() -> None:
    """A process is ended even if a signal during `wait` left its lock held."""
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    child._waitpid_lock.acquire()  # type: ignore[attr-defined]
    ending = threading.Thread(target=spawn.end, args=(child,), daemon=True)
    ending.start()
    ending.join(20)
    assert not ending.is_alive()
    assert child.returncode == -signal.SIGTERM


@pytest.mark.skipif(sys.platform != "linux", reason="nobody adopts orphans elsewhere")
def test_orphans_are_seen_gone() -> None:
    """Processes that a check left in their own session are gone when the check is over."""
    script = """
import os
from ccc.system import processes, spawn
spawn.adopt_orphans()
leave = "setsid sh -c 'trap \\"\\" TERM; sleep 60; :' < /dev/null & sleep 0.3"
nowhere = os.open(os.devnull, os.O_WRONLY)
spawn.run_logged(["/bin/sh", "-c", leave], "/", os.environ, nowhere, 20)
print([p for p in processes.descendants(os.getpid()) if processes.is_alive(p, "sleep")])
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout == "[]\n", ran
