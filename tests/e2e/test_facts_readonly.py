"""Facts of claude: what keeps a reviewer from writing, and what doesn't."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from facts import claude, scripted_project

from ccc.claude import sandbox
from harness import Outcome
from harness.programs import needs_sandbox, path_without
from harness.scripted import Block, Reply, Request, Rule, agent_turn, answer, tool

pytestmark = pytest.mark.real

MODES = ["dontAsk", "bypassPermissions"]
ALLOWED = ["Bash", "Edit", "Write"]
SCOPED = {"allow": ALLOWED, "deny": ["Edit(./**)", "Bash(git commit:*)"]}
SANDBOX = {"enabled": True, "allowUnsandboxedCommands": False}
LEFT_BEHIND = {
    ".claude",
    ".claude/.cc-writes",
    ".git/branches",
    ".git/config.worktree",
    ".git/glab-cli",
    ".git/info/.claude-sandbox-noreplace",
    ".git/objects/info/.claude-sandbox-noreplace",
    ".git/objects/info/alternates",
    ".git/objects/info/commit-graphs",
    ".git/objects/info/commit-graphs/.claude-sandbox-noreplace",
    ".git/remotes",
    ".git/worktrees",
}

Calls = Mapping[str, Block]


@dataclass(frozen=True)
class Attempt:
    """The results of the tool calls by name, and the changes in the project and the home."""

    outcome: Outcome
    results: Mapping[str, str]
    there: str
    new: set[str]
    empty: bool
    in_home: bool

    def denied(self, name: str) -> bool:
        """Return whether the permissions denied the call."""
        return "denied" in self.results[name]


def attempt(
    root: Path,
    settings: Mapping[str, object],
    *,
    mode: str = "dontAsk",
    calls: Callable[[Path], Calls] | None = None,
    path: str | None = None,
) -> Attempt:
    """Run an agent that makes the calls, one per turn, in a new repository."""
    blocks = (calls or every_call)(root / "bench" / "project")
    # Use a file: claude stores settings text at one path, which all claudes with that text mount.
    file = root / "settings.json"
    file.write_text(json.dumps(settings))
    with scripted_project(root, in_turn(*blocks.values())) as project:
        directory = project.directory
        repository(directory)
        before = tree(directory)
        flags = ("--permission-mode", mode, "--settings", str(file))
        env = {"PATH": path} if path else {}
        outcome = claude(project, "-p", "try", *flags, env=env).succeeded()
        assert project.model is not None
        results = [request.last_tool_result or "" for request in project.model.requests[1:]]
    new = tree(directory) - before
    return Attempt(
        outcome=outcome,
        results=dict(zip(blocks, results, strict=True)),
        there=(directory / "there.txt").read_text(),
        new=new,
        empty=not any((directory / p).is_file() and (directory / p).stat().st_size for p in new),
        in_home=(project.home / "home.txt").exists(),
    )


def in_turn(*calls: Block) -> Rule:
    """Return a model that makes the calls one after another, then ends."""

    def reply(request: Request) -> Reply:
        done = sum(message.get("role") == "assistant" for message in request.messages)
        return answer(calls[done]) if done < len(calls) else answer("Tried.")

    return Rule(agent_turn(), reply)


def repository(directory: Path) -> None:
    """Create a file and an empty repository, as git would."""
    (directory / "there.txt").write_text("before\n")
    for name in ("objects/info", "objects/pack", "refs/heads", "info"):
        (directory / ".git" / name).mkdir(parents=True)
    (directory / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (directory / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n")


def tree(directory: Path) -> set[str]:
    """Return everything below the directory."""
    return {str(path.relative_to(directory)) for path in directory.rglob("*")}


def bash(command: str) -> Block:
    """Return a call of the Bash tool."""
    return tool("Bash", command=command, description="Try")


def every_call(directory: Path) -> Calls:
    """Return calls that write, and two that read."""
    there, new = str(directory / "there.txt"), str(directory / "write.txt")
    return {
        "Write": tool("Write", file_path=new, content="x"),
        "Read": tool("Read", file_path=there),
        "Edit": tool("Edit", file_path=there, old_string="before", new_string="after"),
        "echo": bash("echo x > echo.txt"),
        "touch": bash("touch touch.txt"),
        "commit": bash("git commit -m x"),
        "cat": bash("cat there.txt"),
        "python": bash("python3 -c \"open('python.txt', 'w')\""),
        "home": bash("python3 -c \"import os; open(os.environ['HOME'] + '/home.txt', 'w')\""),
        "temporary": bash('file="$(mktemp)" && echo kept > "$file" && cat "$file" && rm "$file"'),
    }


def only_python(directory: Path) -> Calls:
    """Return a call of a program that writes."""
    return {"python": every_call(directory)["python"]}


def reading(directory: Path) -> Calls:
    """Return a command that only reads."""
    return {"cat": every_call(directory)["cat"]}


@pytest.fixture(scope="module", params=MODES)
def scoped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Attempt:
    """Run the calls under scoped deny rules, in modes that never ask."""
    root = tmp_path_factory.mktemp("scoped")
    return attempt(root, {"permissions": SCOPED}, mode=request.param)


@pytest.fixture(scope="module", params=MODES)
def sandboxed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Attempt:
    """Run the same calls in claude's sandbox."""
    needs_sandbox()
    root = tmp_path_factory.mktemp("sandboxed")
    return attempt(root, {"permissions": SCOPED, "sandbox": SANDBOX}, mode=request.param)


@pytest.mark.parametrize("call", ["Write", "Edit", "echo", "touch"])
def test_fact_scoped_denies_block(scoped: Attempt, call: str) -> None:
    """A deny rule for the project stops the tools that write, and visible writes in Bash."""
    assert scoped.denied(call), scoped.results
    assert scoped.there == "before\n"
    assert f"{call.lower()}.txt" not in scoped.new


def test_fact_scoped_bash_denies_block(scoped: Attempt) -> None:
    """A deny rule for a command stops it."""
    assert scoped.denied("commit"), scoped.results


def test_fact_scoped_denies_let_the_reviewer_read(scoped: Attempt) -> None:
    """Reading tools and commands that only read are allowed without a question."""
    assert "before" in scoped.results["Read"]
    assert scoped.results["cat"] == "before"


def test_fact_scoped_denies_dont_stop_a_program(scoped: Attempt) -> None:
    """A program that Bash starts can write, in the project and in the home."""
    assert "python.txt" in scoped.new, scoped.results
    assert scoped.in_home


def test_fact_write_rules_match_nothing(tmp_path: Path) -> None:
    """`Write(./**)` blocks nothing, and claude warns of it: `Edit(./**)` is the rule for all."""
    only_write = {"permissions": {"allow": ALLOWED, "deny": ["Write(./**)"]}}
    result = attempt(tmp_path, only_write)
    assert {"write.txt", "echo.txt", "touch.txt"} <= result.new, result.results
    assert result.there == "after\n"
    assert "only Edit(path) rules are" in result.outcome.stderr


@pytest.mark.parametrize("call", ["Write", "Edit", "echo", "touch", "commit"])
def test_fact_sandbox_keeps_the_denies(sandboxed: Attempt, call: str) -> None:
    """The deny rules also apply in the sandbox."""
    assert sandboxed.denied(call), sandboxed.results
    assert sandboxed.there == "before\n"


def test_fact_sandbox_stops_a_program_too(sandboxed: Attempt) -> None:
    """In the sandbox, the project is read-only for every program."""
    assert "python.txt" not in sandboxed.new
    assert "Error" in sandboxed.results["python"]


def test_fact_sandbox_makes_the_home_read_only(sandboxed: Attempt) -> None:
    """In the sandbox, the home is read-only too."""
    assert not sandboxed.in_home, sandboxed.results


def test_fact_sandbox_keeps_a_temporary_directory_writable(sandboxed: Attempt) -> None:
    """In the sandbox, temporary files can be written, as tests need."""
    assert sandboxed.results["temporary"] == "kept"


def test_fact_sandbox_lets_the_reviewer_read(sandboxed: Attempt) -> None:
    """Reading works in the sandbox."""
    assert "before" in sandboxed.results["Read"]
    assert sandboxed.results["cat"] == "before"


@pytest.mark.skipif(sys.platform != "linux", reason="bwrap exists on Linux only")
def test_fact_sandbox_leaves_only_these_behind(sandboxed: Attempt) -> None:
    """The sandbox leaves only empty files and directories of known names."""
    assert ".git/config.worktree" in sandboxed.new
    assert sandboxed.new - LEFT_BEHIND == set()
    assert sandboxed.empty


@pytest.mark.skipif(sys.platform != "linux", reason="bwrap exists on Linux only")
def test_fact_sandbox_has_these_namespaces(tmp_path: Path) -> None:
    """claude requests exactly the namespaces that ccc checks for, also as root."""
    needs_sandbox()
    log, programs = tmp_path / "said", tmp_path / "programs"
    programs.mkdir()
    recorder = programs / "bwrap"
    real = shutil.which("bwrap")
    recorder.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {real} "$@"\n')
    recorder.chmod(0o755)
    settings = {"permissions": SCOPED, "sandbox": SANDBOX}
    path = f"{programs}:{os.environ['PATH']}"
    result = attempt(tmp_path, settings, calls=reading, path=path)
    assert result.results["cat"] == "before"
    namespaces = {word for word in log.read_text().split() if word.startswith("--unshare-")}
    assert namespaces == set(sandbox.NAMESPACES)
    assert "--proc /proc" in log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="bwrap exists on Linux only")
@pytest.mark.parametrize("missing", ["bwrap", "socat"])
def test_fact_without_its_programs_the_sandbox_is_off(tmp_path: Path, missing: str) -> None:
    """Without bwrap or socat, claude warns on stderr and runs without the sandbox."""
    settings = {"permissions": SCOPED, "sandbox": SANDBOX}
    result = attempt(tmp_path, settings, calls=only_python, path=path_without(missing))
    assert "Sandbox disabled" in result.outcome.stderr, result.outcome
    assert "python.txt" in result.new


def test_fact_sandbox_with_an_absolute_deny_has_no_temporary_directory(tmp_path: Path) -> None:
    """`Edit(//**)` makes everything read-only, so that each Bash call fails."""
    needs_sandbox()
    permissions = {"allow": ALLOWED, "deny": ["Edit(//**)"]}
    settings = {"permissions": permissions, "sandbox": SANDBOX}

    result = attempt(tmp_path, settings, calls=reading)
    assert "Exit code 1" in result.results["cat"]
