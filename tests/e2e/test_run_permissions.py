"""The permissions of the agent of `ccc run`, with the real client: default, denied, allowed."""

import json
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from supervised import (
    ASKED,
    DONE,
    REVIEWING,
    WORKING,
    YES,
    bash,
    git,
    no,
    requests,
)

from harness import KEY, MODEL, Bench, CccProject, Outcome
from harness.programs import needs_sandbox, path_without
from harness.scripted import Block, Reply, Request, Rule, answer, shared_prefix, tool

pytestmark = pytest.mark.real

TEST = "test:\n\t@python3 -B -c 'import calc; assert calc.add(1, 2) == 3'\n"
WRONG, RIGHT = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
INSTALL = "./npm install left-pad"
ALLOW = "--allow 'Bash(./npm install *)'"


def steps(calls: Callable[[CccProject], Sequence[Block]], project: list[CccProject]) -> Rule:
    """Return an agent that makes the calls one after another and claims to be done."""

    def reply(request: Request) -> Reply:
        done = sum(
            block.get("type") == "tool_result"
            for message in request.messages
            if isinstance(message.get("content"), list)
            for block in message["content"]
        )
        blocks = calls(project[0])
        return answer(blocks[done]) if done < len(blocks) else answer(DONE)

    return Rule(WORKING, reply, name="agent")


def broken(bench: Bench, calls: Callable[[CccProject], Sequence[Block]]) -> CccProject:
    """Return a new user's project whose test fails, set up by `ccc init` without questions."""
    projects: list[CccProject] = []
    project = bench(Rule(REVIEWING, answer(YES), name="reviewer"), steps(calls, projects))
    projects.append(project)
    (project.claude_dir / "ccc.json").unlink()
    (project.directory / "calc.py").write_text(WRONG)
    (project.directory / "Makefile").write_text(TEST)
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "start")
    assert project.model is not None
    line = ("--base-url", project.model.url, "--name", "kimi", "--model", MODEL, "--key-stdin")
    project.run("init", *line, "--yes", stdin=f"{KEY}\n").succeeded()
    return project


def fix_calls(project: CccProject) -> Sequence[Block]:
    """Return the calls of an agent that corrects the mistake and runs the test."""
    file = str(project.directory / "calc.py")
    return (
        bash("make test"),
        tool("Read", file_path=file),
        tool("Edit", file_path=file, old_string="a - b", new_string="a + b"),
        bash("make test 2>&1 | tail -5"),
    )


def results(project: CccProject) -> list[str]:
    """Return the results of the agent's calls."""
    texts = (request.last_tool_result for request in requests(project, WORKING))
    return [text for text in texts if text is not None]


def without_sandbox(project: CccProject) -> None:
    """Remove bubblewrap and socat from the PATH."""
    project.env["PATH"] = f"{project.bin}:{path_without('bwrap', 'socat')}"


def check_fixed(project: CccProject, outcome: Outcome) -> None:
    """Check that the README's command worked."""
    assert outcome.code == 0, outcome
    assert (project.directory / "calc.py").read_text() == RIGHT
    assert "call was denied" not in outcome.stderr
    # the sandbox leaves none of its own files
    assert git(project, "status", "--short") == " M calc.py\n"
    assert not (project.directory / ".git" / "config.worktree").exists()


@pytest.mark.journey
def test_the_command_of_the_readme(bench: Bench) -> None:
    """After `ccc init`, the README's command edits a file, runs the check and completes."""
    project = broken(bench, fix_calls)
    check_fixed(project, project.run("run", "--check", "make test", "fix the failing test"))
    assert "AssertionError" in results(project)[0]


def test_the_cache_is_kept(bench: Bench) -> None:
    """The agent and its reviewer have the same tools and prompt in the sandbox."""
    project = broken(bench, fix_calls)
    project.run("run", "--check", "make test", "fix the failing test").succeeded()
    last, (review, *_) = requests(project, WORKING)[-1], requests(project, ASKED)
    assert shared_prefix(last, review) == 1.0


def test_without_bubblewrap(bench: Bench) -> None:
    """Without claude's sandbox the run says so, works, and denies other commands."""
    project = broken(bench, lambda p: (*fix_calls(p), bash("python3 -B -c 'print(6 * 7)'")))
    without_sandbox(project)
    outcome = project.run("run", "--check", "make test", "fix the failing test")
    assert outcome.code == 0, outcome
    assert (project.directory / "calc.py").read_text() == RIGHT
    assert "claude's sandbox can't run here" in outcome.stderr
    assert "1 tool call was denied: Bash(python3 -B -c 'print(6 * 7)')." in outcome.stderr


def test_any_command_in_the_sandbox(bench: Bench) -> None:
    """In the sandbox, a loop runs and a write outside the project fails; neither is denied."""
    needs_sandbox()
    outside = Path("/var/tmp") / f"ccc-test-{os.getpid()}"
    calls = (
        bash("for f in *; do echo seen $f; done"),
        bash(f"sh -c 'echo x > {outside}'"),
    )
    project = broken(bench, lambda p: (*calls, *fix_calls(p)))
    check_fixed(project, project.run("run", "--check", "make test", "fix the failing test"))
    assert "seen calc.py" in results(project)[0]
    assert "Read-only file system" in results(project)[1]
    assert not outside.exists()


class TestDenied:
    def project_with(self, bench: Bench, level: str, command: str = INSTALL) -> CccProject:
        """Return a project whose agent needs a command and whose reviewer checks whether it ran."""
        outside = {"dangerouslyDisableSandbox": True} if level == "sandbox" else {}

        def work(request: Request) -> Reply:
            if request.last_tool_result is None:
                return answer(tool("Bash", command=command, description="Install", **outside))
            got = "INSTALLED" in request.last_tool_result
            return answer("It is installed." if got else "It could not be installed.")

        def review(request: Request) -> Reply:
            return answer(YES if "It is installed." in request.last_text else no("install it"))

        project = bench(Rule(ASKED, review, name="reviewer"), Rule(WORKING, work, name="agent"))
        program = project.directory / "npm"
        program.write_text("#!/bin/sh\necho INSTALLED\n")
        program.chmod(0o755)
        project.configure(run={"permissions": level})
        return project

    @pytest.mark.parametrize("level", ["edit", "sandbox"])
    def test_needs_your_input(self, bench: Bench, level: str) -> None:
        """23: the message names the call and the option that allows it, which then works."""
        if level == "sandbox":
            needs_sandbox()
        project = self.project_with(bench, level)
        outcome = project.run("run", "use left-pad")
        assert outcome.code == 23, outcome
        text = f"1 tool call was denied: Bash({INSTALL}). Allow it with {ALLOW}."
        assert text in " ".join(outcome.stderr.split())
        assert f"ccc run --continue {ALLOW}" in outcome.stderr
        # the agent is told the reason once, and that nobody refused it
        notes = [r.last_text for r in requests(project, WORKING) if "Note from ccc" in r.last_text]
        assert len(notes) == 1
        assert notes[0].startswith("install it")
        assert f"- Bash({INSTALL})" in notes[0]
        again = project.run("run", "--continue", "--allow", "Bash(./npm install *)")
        assert again.code == 0, again
        assert "denied" not in again.stderr

    @pytest.mark.tmux
    @pytest.mark.thorough
    def test_the_command_can_be_copied(self, bench: Bench, tmux: None) -> None:
        """On a terminal, the advice is a single line without ccc's own line breaks."""
        long = f"sh -c '{'echo 1; ' * 12}{INSTALL}'"
        project = self.project_with(bench, "edit", long)
        with project.interactive("run", "use left-pad") as terminal:
            screen = terminal.wait_for(r"\[exit 23\]", 60)
        whole = f"Allow and continue: ccc run --continue --allow {shlex.quote(f'Bash({long})')}"
        assert whole in screen.replace("\n", ""), screen

    @pytest.mark.thorough
    @pytest.mark.parametrize("level", ["edit", "sandbox"])
    def test_no_rule(self, bench: Bench, level: str) -> None:
        """claude has no rule for commands in parentheses; the message says what allows them."""
        if level == "sandbox":
            needs_sandbox()
        project = self.project_with(bench, level, f"(cd . && {INSTALL})")
        outcome = project.run("run", "use left-pad")
        assert outcome.code == 23, outcome
        text = " ".join(outcome.stderr.split())
        assert "claude has no rule for such a command, only a mode that allows everything." in text
        assert "ccc run --continue -- --permission-mode bypassPermissions" in text
        again = project.run("run", "--continue", "--", "--permission-mode", "bypassPermissions")
        assert again.code == 0, again

    def test_what_was_allowed_stays_allowed(self, bench: Bench) -> None:
        """`--allow` also applies when the run is continued."""
        project = self.project_with(bench, "edit")
        words = ("--allow", "Bash(./npm install *)", "--max-iterations", "1", "use left-pad")
        project.run("run", *words).succeeded()
        state = next((project.claude_dir / "ccc").glob("supervisor-*.json"))
        raw: dict[str, Any] = json.loads(state.read_text())
        raw["run"]["outcome"] = "interrupted"
        state.write_text(json.dumps(raw))
        again = project.run("run", "--continue", "--max-iterations", "9", "once more")
        assert again.code == 0, again
        assert "denied" not in again.stderr

    def test_one_that_is_worked_around(self, bench: Bench) -> None:
        """0: a denied call alone doesn't end the run."""
        project = broken(bench, lambda p: (bash("sudo make"), *fix_calls(p)))
        config = project.json(".claude/ccc.json")
        project.configure(**{**config, "run": {"permissions": "edit"}})
        outcome = project.run("run", "--check", "make test", "fix the failing test")
        assert outcome.code == 0, outcome
        assert "1 tool call was denied: Bash(sudo make)." in outcome.stderr

    def test_stuck_for_a_permission(self, bench: Bench) -> None:
        """23: an agent that only says which permission it needs is not stuck."""

        def work(request: Request) -> Reply:
            first_turn = (
                request.last_tool_result is None and "Note from ccc" not in request.last_text
            )
            return answer(bash(INSTALL)) if first_turn else answer("I need npm install.")

        project = bench(Rule(ASKED, answer(no("install it"))), Rule(WORKING, work))
        outcome = project.run("run", "use left-pad")
        assert outcome.code == 23, outcome
        assert f"ccc run --continue {ALLOW}" in outcome.stderr


LONG = "\n".join(["python3 - <<'END'", *(f"print({n}, {'x' * 40!r})" for n in range(11)), "END"])


def denied_commands(place: Path) -> tuple[str, ...]:
    """Return commands that are denied, some of which write outside the project."""
    return (
        "python3 -c 'print(1)' $(date +%s)",
        "sh -c 'echo 2' | tail -n 1",
        "cd .. && sh -c 'echo 3' && sh -c 'echo \"(4)\"'",
        f"cd {place} && sh -c 'echo 4' | tail -n 1",
        "X=1 sh -c 'echo 5'; sh -c 'echo 6'",
        "sh -c 'echo 7'\nsh -c 'echo 8' | tail -n 1",
        "for i in 9; do sh -c 'echo 10' | tail -n $i; done",
        "sh -c 'echo *.txt'",
        LONG,
        f"sh -c 'echo 11' > {place}/redirect 2>&1",
        f"echo 12 >> '{place}/a name'",
        f"cat > {place}/here <<'END'\nit's here\nEND",
        f"mkdir {place}/directory",
        f"touch {place}/file && rm -rf {place}/nothing",
        f"cp calc.py {place}/copy",
        f"cat {place}/ther*",
    )


WIDER = (
    "python3 -c 'print(2)'",
    "sh -c 'echo 20'",
    "sh -c 'echo /etc/passwd; echo x.txt'",
    "cd .. && sh -c 'echo 30'",
)
"""Commands that the rules for those must not allow."""


@pytest.mark.thorough
@pytest.mark.parametrize("level", ["edit", "sandbox"])
def test_what_is_advised_allows_the_call(bench: Bench, level: str, tmp_path: Path) -> None:
    """The rules that a run suggests allow the denied calls, and nothing more."""
    if level == "sandbox":
        needs_sandbox()
    place = tmp_path / "elsewhere"
    place.mkdir()
    (place / "there").write_text("there")
    outside = {"dangerouslyDisableSandbox": True} if level == "sandbox" else {}
    rules: list[str] = []

    def work(request: Request) -> Reply:
        if request.last_tool_result is not None:
            return answer(DONE)
        texts = [*denied_commands(place), *(WIDER if rules else ())]
        return answer(*(tool("Bash", command=t, description="x", **outside) for t in texts))

    def review(_: Request) -> Reply:
        return answer(YES if rules else no("do it"))

    project = bench(Rule(ASKED, review, name="reviewer"), Rule(WORKING, work, name="agent"))
    project.configure(run={"permissions": level})
    (project.directory / "calc.py").write_text(RIGHT)
    first = project.run("run", "--json", "do it")
    assert first.code == 23, first
    denied = json.loads(first.stdout)["denied"]
    assert [each["call"] for each in denied] == [f"Bash({text})" for text in denied_commands(place)]
    rules += [rule for each in denied for rule in each["allow"]]
    again = project.run(
        "run", "--continue", "--json", *(word for rule in rules for word in ("--allow", rule))
    )
    assert again.code == 0, again
    still = [each["call"] for each in json.loads(again.stdout)["denied"]]
    assert still == [f"Bash({text})" for text in WIDER]
    assert sorted(path.name for path in place.iterdir()) == sorted(
        ["a name", "copy", "directory", "file", "here", "redirect", "there"]
    )


class TestLevels:
    def test_all(self, bench: Bench) -> None:
        """The level `all` allows everything; claude refuses it as root, with a message."""
        project = broken(bench, lambda p: (bash("python3 -B -c 'print(6 * 7)'"), *fix_calls(p)))
        config = project.json(".claude/ccc.json")
        project.configure(**{**config, "run": {"permissions": "all"}})
        check_fixed(project, project.run("run", "--check", "make test", "fix it"))
        assert results(project)[0] == "42"
        if os.geteuid() == 0:
            refused = project.run("run", "do it", env={"IS_SANDBOX": None})
            assert refused.code == 1
            assert "as root" in refused.stderr
            assert "run.permissions" in refused.stderr

    def test_rules_of_the_users_own(self, bench: Bench) -> None:
        """Deny rules of settings.json still apply, and options after -- are added."""
        project = broken(bench, lambda p: (bash("cat calc.py"), bash("sudo true"), *fix_calls(p)))
        config = project.json(".claude/ccc.json")
        project.configure(**{**config, "run": {"permissions": "edit"}})
        settings = project.json(".claude/settings.json")
        rules = {"deny": ["Bash(cat:*)"]}
        project.write(".claude/settings.json", json.dumps({**settings, "permissions": rules}))
        more = ("--", "--allowedTools", "Bash(sudo true)")
        outcome = project.run("run", "--check", "make test", "fix it", *more)
        assert outcome.code == 0, outcome
        assert "Bash(cat calc.py)" in outcome.stderr
        assert "Bash(sudo true)." not in outcome.stderr


@pytest.mark.tmux
def test_the_first_run_on_a_terminal_asks(bench: Bench, tmux: None) -> None:
    """The first run asks what the agent may do, and saves the answer in ccc.json."""
    project = bench(Rule(REVIEWING, answer(YES)), Rule(WORKING, answer(DONE)))
    project.configure()
    config = project.json(".claude/ccc.json")
    project.configure(**{**config, "run": {}})
    with project.interactive("run", "do it") as terminal:
        terminal.wait_for(r"What may its agent do\?(?s:.*)Choose 1, 2 or 3 \[1\]")
        terminal.enter("2")
        screen = terminal.wait_for(r"\[exit 0\]", 60)
    assert "The agent may edit files here and run your checks." in screen
    assert project.json(".claude/ccc.json")["run"] == {"permissions": "edit"}
    with project.interactive("run", "do it") as terminal:
        assert "What may its agent do" not in terminal.wait_for(r"\[exit 0\]", 60)
