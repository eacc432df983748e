"""A project's checks in its worktrees, subdirectories and tasks, and checks that can't run."""

import json
import re
from pathlib import Path

import pytest
from stops import SESSION, Stopped, Supervised
from unattended import run

from harness import Outcome

WHO = ("-c", "user.name=x", "-c", "user.email=x@example.org")
MAKEFILE = "test:\n\tpwd\n\ttest -e done\n"
NO_TARGET = "The check `make test` could not run: Makefile has no `test`"


def commit(supervised: Supervised, **files: str) -> Path:
    """Commit files in the project, and return it."""
    directory = supervised.project.directory
    for name, text in files.items():
        (directory / name).write_text(text)
    git(supervised, "init", "--quiet")
    git(supervised, "add", ".")
    git(supervised, "commit", "--quiet", "--allow-empty", "-m", "x")
    return directory


def git(supervised: Supervised, *arguments: str) -> Outcome:
    """Run git in the project."""
    return supervised.project.run(*WHO, *arguments, program="git").succeeded()


def set_checks(supervised: Supervised, *checks: str, directory: str = "") -> None:
    """Set the checks of the project."""
    path = directory or str(supervised.project.directory)
    supervised.project.configure(
        supervisor={"sandbox": "off", "max_iterations": 2}, projects={path: {"checks": [*checks]}}
    )


def stop_in(supervised: Supervised, directory: Path) -> Stopped:
    """Run the hook of a session in that directory."""
    return supervised.stop(env={"CLAUDE_PROJECT_DIR": str(directory)}, cwd=str(directory))


def begin(supervised: Supervised) -> str:
    """Type `/supervisor` in the project, and return what it says."""
    supervised.project.run("install").succeeded()
    supervised.set_state(enabled=False)
    event = json.dumps({"command_name": "supervisor", "command_args": "do it"})
    env = {
        "CLAUDE_CODE_SESSION_ID": SESSION,
        "CLAUDE_PROJECT_DIR": str(supervised.project.directory),
    }
    outcome = supervised.project.run("supervisor-hook", "--confirm", stdin=event, env=env)
    return str(json.loads(outcome.succeeded().stdout)["systemMessage"])


class TestWhere:
    @pytest.mark.parametrize("inside", ["", "sub"])
    @pytest.mark.parametrize("is_linked", [False, True], ids=["checkout", "worktree"])
    def test_a_stop(self, supervised: Supervised, is_linked: bool, inside: str) -> None:
        """The check runs at the top of the tree, in a worktree and in a subdirectory too."""
        project = commit(supervised, Makefile=MAKEFILE)
        set_checks(supervised, "make test")
        tree = project
        if is_linked:
            tree = supervised.project.root / "wt"
            git(supervised, "worktree", "add", "--quiet", str(tree))
        here = tree / inside
        here.mkdir(exist_ok=True)
        first = stop_in(supervised, here)
        assert first.blocked
        assert f"\n{tree}\n" in first.answer["reason"]
        assert ("cd " in first.answer["reason"]) is bool(inside)
        (tree / "done").touch()
        assert not stop_in(supervised, here).blocked

    def test_a_worktree_that_denies_it(self, supervised: Supervised) -> None:
        """An agent that changes `.git` of its worktree keeps the checks of its session."""
        commit(supervised, Makefile=MAKEFILE)
        set_checks(supervised, "make test")
        tree = supervised.project.root / "wt"
        git(supervised, "worktree", "add", "--quiet", str(tree))
        supervised.set_state(cwd=str(tree), projects={str(supervised.project.directory): str(tree)})
        (tree / ".git").unlink()
        assert "make test" in stop_in(supervised, tree).answer["reason"]

    @pytest.mark.usefixtures("outside")
    def test_a_run(self, supervised: Supervised) -> None:
        """`ccc run` in a subdirectory says which checks apply, and runs them in the project."""
        project = commit(supervised, Makefile=MAKEFILE)
        set_checks(supervised, "make test")
        (project / "sub").mkdir()
        supervised.project.directory = project / "sub"
        outcome = run(supervised, "open('../done', 'w'); result('Done.')").succeeded()
        assert "Checks: make test" in outcome.stderr

    @pytest.mark.usefixtures("outside")
    def test_a_task_of_the_queue(self, supervised: Supervised) -> None:
        """A task's run has the checks of its repository, whatever the agent does to `.git`."""
        commit(supervised, Makefile=MAKEFILE)
        set_checks(supervised, "make test")
        project = supervised.project
        project.env |= {f"GIT_{who}_NAME": "t" for who in ("AUTHOR", "COMMITTER")}
        project.env |= {f"GIT_{who}_EMAIL": "t@localhost" for who in ("AUTHOR", "COMMITTER")}
        agent = """
    if turn == 1:
        os.rename(".git", ".git-away")
    else:
        os.rename(".git-away", ".git")
        open("done", "w").close()
    result("Done.")"""
        supervised.claude(f"if '--fork-session' in sys.argv:\n    result(YES)\nelse:{agent}")
        added = project.run("queue", "add", "do it").succeeded()
        assert added.stdout.endswith("· Checks: make test\n")
        shown = project.run("queue", "show", "1").succeeded().stdout
        assert re.search("^Checks +make test$", shown, re.MULTILINE)
        done = project.run("queue", "work", "--once", timeout=120).succeeded()
        assert "· Checks: make test" in done.stderr
        task = json.loads(project.run("queue", "show", "1", "--json").succeeded().stdout)
        assert task["state"] == "completed", task
        verdicts = [
            json.loads(line)
            for file in supervised.state_dir.glob("*-verdicts.jsonl")
            for line in file.read_text().splitlines()
        ]
        codes = [(each["outcome"], each["receipts"][0]["exit_code"]) for each in verdicts]
        assert codes == [("not_completed", 2), ("completed", 0)]
        assert f"{task['worktree']}\n" in verdicts[1]["receipts"][0]["output"]

    @pytest.mark.usefixtures("outside")
    def test_a_project_without_checks(self, supervised: Supervised) -> None:
        """Where there is a target but no check, one line says how to set it."""
        commit(supervised, Makefile=MAKEFILE)
        hint = "Checks: none (this project has `make test`: ccc init makes it a check)"
        assert hint in run(supervised, "result('Done.')").succeeded().stderr
        assert hint in supervised.project.run("queue", "add", "do it").succeeded().stdout


class TestThatCannotRun:
    def test_from_the_beginning(self, supervised: Supervised) -> None:
        """The review goes on without it, the reviewer and the user are told, once per task."""
        commit(supervised, Makefile="all:\n")
        set_checks(supervised, "make test", "true")
        assert "make test (can't run: Makefile has no `test`)" in begin(supervised)
        supervised.claude("result(NO)")
        first = supervised.stop()
        assert NO_TARGET in first.message
        (supervised.project.directory / "progress").touch()
        assert NO_TARGET not in supervised.stop(stop_hook_active=True).message
        supervised.claude("result(YES)")
        assert NO_TARGET in supervised.stop(prompt_id="p2").message
        assert "`make test`: Makefile has no `test`" in supervised.notes("question")[-1]
        verdict = supervised.verdicts[-1]
        assert (verdict["outcome"], verdict["receipts"][0]["obstacle"]) == (
            "completed",
            "Makefile has no `test`",
        )
        project = supervised.project
        assert "completed, 1 check could not run" in project.run("status").stdout
        shown = project.run("show", SESSION).stdout
        assert "! make test  could not run: Makefile has no `test`" in shown
        assert "completed, 1 check could not run" in shown

    @pytest.mark.parametrize(
        ("check", "removed"),
        [("make test", "Makefile"), ("./check.sh", "check.sh"), ("sh check.sh", "check.sh")],
    )
    def test_what_the_agent_removes(self, supervised: Supervised, check: str, removed: str) -> None:
        """An agent that removes what a check needs has failed it."""
        project = commit(supervised, Makefile="test:\n", **{"check.sh": "#!/bin/sh\n"})
        (project / "check.sh").chmod(0o755)
        set_checks(supervised, check)
        assert f"Checks: {check}." in begin(supervised)
        (project / removed).unlink()
        assert f"`{check}` fails with exit code" in supervised.stop().answer["reason"]

    def test_what_could_run_meanwhile(self, supervised: Supervised) -> None:
        """A check that has run once can run, whatever it was when the session began."""
        project = commit(supervised, Makefile="all:\n")
        set_checks(supervised, "make test")
        begin(supervised)
        (project / "Makefile").write_text("test:\n")
        assert not supervised.stop().blocked
        (project / "Makefile").write_text("all:\n")
        assert supervised.stop(prompt_id="p2").blocked

    def test_a_session_that_only_its_stop_shows(self, supervised: Supervised) -> None:
        """Without a record of the beginning, the commit at which the session began counts."""
        project = commit(supervised, Makefile="test:\n")
        head = git(supervised, "rev-parse", "HEAD").stdout.strip()
        supervised.set_state(start_head=head, cwd=str(project))
        set_checks(supervised, "make test")
        (project / "Makefile").unlink()
        assert supervised.stop().blocked
        set_checks(supervised, "make other")
        assert "`make other` could not run" in supervised.stop(prompt_id="p2").message

    @pytest.mark.usefixtures("outside")
    def test_a_run(self, supervised: Supervised) -> None:
        """A run asks before any model is paid; it goes on without the check if it is continued."""
        commit(supervised, Makefile="all:\n")
        outcome = run(supervised, "result('Done.')", "--check", "make test")
        assert outcome.code == 23, outcome
        assert f"{NO_TARGET}\nFix that, or go on without the check: ccc run --continue" in (
            outcome.stderr.replace("[ccc] needs your input before it starts. ", "")
        )
        assert supervised.notes("pid") == []
        again = supervised.project.run("run", "--continue").succeeded()
        assert supervised.notes("question")[0] == "do it"
        assert "completed: 1 round" in again.stderr
        assert again.stderr.split("completed: 1 round")[1].split("\n")[1] == NO_TARGET

    @pytest.mark.usefixtures("outside")
    def test_a_run_whose_agent_removes_the_target(self, supervised: Supervised) -> None:
        """In a run, too: the agent is sent back."""
        commit(supervised, Makefile="test:\n")
        agent = "open('Makefile', 'w').write('all:' if turn == 1 else 'test:')\nresult('Done.')"
        run(supervised, agent, "--check", "make test").succeeded()
        feedback = [text for text in supervised.notes("question") if "make test" in text]
        assert feedback[0].startswith("The check `make test` fails with exit code 2.")
