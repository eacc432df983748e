"""`ccc demo` on the real client: the story, what it leaves behind, and what it must not touch."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import CccProject, Outcome, Terminal, catalogue, check_golden, claude_binary
from harness.processes import everybody, wait_until
from harness.programs import needs, needs_sandbox

pytestmark = pytest.mark.real

LANGUAGES = ("en", "zh")
# what a person's shell may hold, and the demo must not see
FOREIGN = {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/foreign",
    "ANTHROPIC_API_KEY": "foreign-key",
    "ANTHROPIC_MODEL": "foreign-model",
    "CLAUDE_CODE_USE_BEDROCK": "1",
    "CLAUDE_CODE_SUBAGENT_MODEL": "foreign-model",
    "CLAUDECODE": "1",
    "CCC_SUPERVISOR_ID": "foreign-session",
    "CCC_PROVIDER_ENV": "PATH",
    "GIT_DIR": "/nonexistent",
    "PYTHONPATH": "/nonexistent",
}
VARIES = {
    r"\d+\.\d+\.\d+": "<version>",
    r"\d+\.\d(?= (s|秒))": "<seconds>",
    r"\d+\.\d{3}s": "<seconds>",
    r"\$0\.\d{4}": "$<cost>",
    r"\d+%": "<share>",
    r"(?s)(?<=…\n).*?(?= +AssertionError)": "",
}


@pytest.fixture
def place() -> Iterator[Path]:
    """A short temporary directory, in which the demo makes its own."""
    made = Path(tempfile.mkdtemp(prefix="d", dir="/tmp")).resolve()
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def project(tmp_path: Path, place: Path) -> CccProject:
    """A person's machine, with a configuration and a login that the demo has no business with."""
    needs("git")
    project = CccProject(tmp_path)
    directories = {
        "CLAUDE_CONFIG_DIR": str(project.claude_dir),
        "CCC_CONFIG_DIR": str(project.claude_dir),
        "CCC_WORK_DIR": str(project.home / "work"),
    }
    project.env |= {**FOREIGN, **directories, "TMPDIR": str(place)}
    project.write(".claude/settings.json", '{"hooks": {"Stop": 5}}')
    project.write(".claude/ccc.json", "broken")
    (project.bin / "ccc").symlink_to(project.ccc)
    return project


def demo(project: CccProject, *words: str, **env: str) -> Outcome:
    """`ccc demo` without a terminal."""
    return project.run("demo", *words, env=env)


def of(place: Path) -> dict[int, str]:
    """The living processes that know the place, with their command lines."""
    # tmux and its shell are ours, and have the place in their own command lines
    return {
        pid: line
        for pid, line, env in everybody()
        if (str(place) in line or any(bytes(place) in each for each in env))
        and "tmux" not in line
        and "sleep 60" not in line
    }


def nothing_is_left(place: Path) -> None:
    """No file and no process of the demo's."""
    wait_until(lambda: not of(place), f"no process is left: {of(place)}", 10)
    assert list(place.iterdir()) == []


def files(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below, with its content and its time."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def in_order(text: str, *wanted: str) -> None:
    """The text has these pieces, one behind the other."""
    at = 0
    for piece in wanted:
        found = text.find(piece, at)
        assert found >= 0, f"{piece!r} is not behind the others in:\n{text}"
        at = found + len(piece)


class TestStory:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.journey
    def test_told_whole(self, project: CccProject, place: Path, language: str) -> None:
        """The whole story in order, in both languages, and nothing is left or touched."""
        needs_sandbox()
        before = files(project.home)
        outcome = demo(project, "--fast", CCC_LANG=language).succeeded()
        said = catalogue(language)
        in_order(
            outcome.stdout,
            said["demo.task"],
            said["demo.agent_looks"],
            "● Edit slug.py",
            said["demo.agent_done"],
            "✗ python3 -m unittest",
            "AssertionError: 'creme-brulee-' != 'creme-brulee'",
            said["demo.agent_fixes"],
            "● Bash python3 -m unittest",
            "✓ python3 -m unittest",
            said["demo.supervisor_looks"],
            "● Read README.md",
            "creme-brulee\n",
            said["demo.feedback"],
            said["demo.agent_goes_on"],
            "✓ python3 -m unittest",
            said["demo.supervisor_yes"],
            said["demo.sum_logs_gone"],
            said["demo.next"],
        )
        assert "\x1b" not in outcome.stdout
        assert outcome.stderr == ""
        assert files(project.home) == before
        nothing_is_left(place)
        check_golden(f"demo.{language}.txt", outcome.stdout, VARIES)

    def test_kept(self, project: CccProject, place: Path) -> None:
        """With `--keep` the work is there, and the summary says what the records say."""
        outcome = demo(project, "--fast", "--keep", CCC_LANG="en").succeeded()
        (root,) = place.iterdir()
        assert f"Kept: {root}" in outcome.stderr
        work = root / "slug"
        assert "creme-brulee\n\nAccents become" in (work / "README.md").read_text()
        assert '.strip("-")' in (work / "slug.py").read_text()
        log = subprocess.run(
            ["git", "-C", work, "status", "--porcelain"], capture_output=True, text=True, check=True
        )
        assert log.stdout.split() == ["M", "README.md", "M", "slug.py"]
        records = root / "home" / ".claude" / "ccc"
        assert str(records) in outcome.stdout
        (verdicts,) = records.glob("supervisor-*-verdicts.jsonl")
        (state,) = (p for p in records.glob("supervisor-*.json"))
        told = [json.loads(line) for line in verdicts.read_text().splitlines()]
        self.equals(outcome.stdout, told, json.loads(state.read_text()))
        assert b"foreign" not in b"".join(
            p.read_bytes() for p in root.rglob("*") if p.is_file() and not p.is_symlink()
        )
        wait_until(lambda: not of(place), "no process is left", 10)

    def equals(self, printed: str, told: list[dict[str, Any]], state: dict[str, Any]) -> None:
        """The summary's numbers are those on record."""
        checked, sent_back, allowed = told
        assert (checked["completed"], checked["cost_usd"], checked["tokens"]) == (None, 0.0, {})
        assert [r["exit_code"] for r in checked["receipts"]] == [1]
        assert (sent_back["completed"], allowed["completed"]) == (False, True)
        reviews = (sent_back, allowed)
        assert [r["exit_code"] for v in reviews for r in v["receipts"]] == [0, 0]
        assert "3: 1 sent back by the check, 1 by the reviewer, 1 allowed" in printed
        assert f"2, {sum(v['seconds'] for v in reviews):.1f} s together" in printed
        agent = state["run"]["agent_cost_usd"]
        reviewed = sum(v["cost_usd"] for v in reviews)
        assert agent > reviewed > 0
        assert f"agent ${agent:.4f}, reviews ${reviewed:.4f}" in printed
        tokens = [v["tokens"] for v in reviews]
        read = sum(t["cache_read"] for t in tokens)
        whole = sum(t["cache_read"] + t["cache_creation"] + t["input"] for t in tokens)
        assert read / whole > 0.8
        assert f"{read / whole:.0%} of the reviews' prompt tokens" in printed

    def test_without_git_and_sandbox(self, project: CccProject, place: Path) -> None:
        """With nothing but a shell on PATH the story is the same, and what is missing is told."""
        shell = shutil.which("bash")
        assert shell is not None
        for name in ("sh", "bash"):
            (project.bin / name).symlink_to(shell)
        (project.bin / "ccc").unlink()
        outcome = demo(project, "--fast", CCC_LANG="en", PATH=str(project.bin)).succeeded()
        assert f"\n  {project.ccc} init  " in outcome.stdout
        assert catalogue("en")["demo.no_git"] in outcome.stdout
        assert "without a sandbox (that needs bubblewrap and socat" in outcome.stdout
        nothing_is_left(place)


class TestOtherClaudes:
    def test_one_that_does_not_work(self, project: CccProject, place: Path) -> None:
        """A claude that behaves differently: exit 1, and what was different."""
        self.put(
            project, 'case $1 in --version) echo "9.9.9 (Claude Code)";; *) echo no; exit 3;; esac'
        )
        outcome = demo(project, "--fast", CCC_LANG="en")
        assert outcome.code == 1, outcome
        assert "the demo took an unexpected path: ccc run ended with exit code 25" in (
            outcome.stderr
        )
        assert "Claude Code 9.9.9 may behave differently" in outcome.stderr
        assert catalogue("en")["demo.next"] not in outcome.stdout
        nothing_is_left(place)

    def test_another_course(self, project: CccProject, place: Path) -> None:
        """A run that ends well, but not as told: exit 1, and which way it went."""
        mend = "[ ! -f README.md ] || sed -i s/cr-me-br-l-e-/creme-brulee/ README.md"
        self.put(project, f'{mend}; exec "{claude_binary()}" "$@"')
        outcome = demo(project, "--fast", CCC_LANG="en")
        assert outcome.code == 1, outcome
        expected = "expected check ✗, reviewer ✗, reviewer ✓, got check ✗, reviewer ✓"
        assert expected in outcome.stderr
        assert catalogue("en")["demo.next"] not in outcome.stdout
        nothing_is_left(place)

    def test_one_that_needs_the_home(self, project: CccProject, place: Path) -> None:
        """A shim that looks for itself in the home does not run; the bundled one does."""
        self.put(project, "echo no version is set; exit 1")
        demo(project, "--fast").succeeded()
        nothing_is_left(place)

    def test_none(self, project: CccProject, place: Path) -> None:
        """No claude on PATH and a CCC_CLAUDE that is none: the usual error."""
        (project.bin / "claude").unlink()
        outcome = demo(project, CCC_CLAUDE="/nonexistent/claude", CCC_LANG="en")
        assert outcome.code == 1
        assert "CCC_CLAUDE=/nonexistent/claude is not a program" in outcome.stderr
        nothing_is_left(place)

    def put(self, project: CccProject, script: str) -> None:
        """A program named claude on PATH."""
        claude = project.bin / "claude"
        claude.unlink()
        claude.write_text(f"#!/bin/sh\n{script}\n")
        claude.chmod(0o755)


class TestInterrupted:
    @pytest.mark.parametrize(
        ("number", "moment"),
        [(signal.SIGTERM, "--fork-session"), (signal.SIGINT, "--print"), (signal.SIGHUP, " run ")],
    )
    def test_by_a_signal(self, project: CccProject, place: Path, number: int, moment: str) -> None:
        """In the middle of a review, of the agent's work, at the start: nothing is left."""
        running = self.start(project, "--fast")
        wait_until(lambda: [line for line in of(place).values() if moment in line], moment)
        running.send_signal(number)
        _, told = running.communicate(timeout=30)
        assert (running.returncode, told) == (130, b"[ccc] interrupted (nothing is left of it)\n")
        nothing_is_left(place)

    def test_reader_goes_away(self, project: CccProject, place: Path) -> None:
        """`ccc demo | head -1`: nothing is left."""
        running = self.start(project, "--fast")
        assert running.stdout is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(timeout=30) in (1, 141)  # rich ends with 1 itself
        nothing_is_left(place)

    def start(self, project: CccProject, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [project.ccc, "demo", *words],
            cwd=project.directory,
            env={**project.env, "CCC_LANG": "en"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


class TestCommandLine:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_help(self, stubbed: CccProject, language: str) -> None:
        """`--help` says what it is, and does nothing."""
        outcome = stubbed.run("demo", "--help", env={"CCC_LANG": language}).succeeded()
        check_golden(f"demo.help.{language}.txt", outcome.stdout)
        assert stubbed.launches == []

    def test_wrong(self, stubbed: CccProject) -> None:
        """An unknown option, and `--interactive` without a terminal."""
        assert stubbed.run("demo", "--nonsense").code == 1
        outcome = stubbed.run("demo", "--interactive")
        assert outcome.code == 1
        assert "--interactive needs a terminal" in outcome.stderr
        assert stubbed.launches == []


@pytest.mark.tmux
@pytest.mark.usefixtures("tmux")
class TestTerminal:
    def test_the_story(self, project: CccProject, place: Path) -> None:
        """On a terminal: the story to its end."""
        with project.interactive("demo", "--fast", env={"CCC_LANG": "en"}) as terminal:
            terminal.wait_for(r"\[exit 0\]", 60)
            shown = terminal.screen(history=True)
        in_order(shown, "1 · The task", "✗ python3 -m unittest", "✗ not completed", "✓ done")
        assert "preparing" not in shown
        nothing_is_left(place)

    def test_paced_and_interrupted(self, project: CccProject, place: Path) -> None:
        """It leaves time to read; Ctrl-C in the middle leaves nothing else."""
        with project.interactive("demo", env={"CCC_LANG": "zh"}) as terminal:
            terminal.wait_for("2 · Agent 开始工作")
            assert "3 · " not in terminal.screen()
            begun = time.monotonic()
            terminal.wait_for("3 · ", 60)
            assert time.monotonic() - begun > 2
            terminal.press("C-c")
            shown = terminal.wait_for(r"\[exit 130\]")
        assert "[ccc] 已中断 （没有留下任何东西）" in shown
        nothing_is_left(place)

    def test_in_claudes_own_interface(self, project: CccProject, place: Path) -> None:
        """`--interactive`: the same in claude, and the summary after `/exit`."""
        with project.interactive("demo", "--interactive", "--fast", env={"CCC_LANG": "en"}) as (
            terminal
        ):
            terminal.wait_for(r"completed, stop allowed \(round 3/10", 60)
            terminal.wait_for("❯")
            self.say(terminal, "and now?")
            terminal.wait_for("only a script", 30)
            terminal.wait_for(r"completed, stop allowed \(round 1/10", 30)
            self.say(terminal, "/exit")
            shown = terminal.wait_for(r"\[exit 0\]")
        assert "4: 1 sent back by the check, 1 by the reviewer, 2 allowed" in shown
        assert "ccc demo --interactive" not in shown.partition("What to do next")[2]
        assert "this story with every step explained" in shown
        assert "3, " in shown
        assert re.search(r"agent \$0\.[0-9]*[1-9]", shown)
        nothing_is_left(place)

    def test_left_early(self, project: CccProject, place: Path) -> None:
        """`--interactive` waits for Enter; who leaves claude before the end is told so."""
        with project.interactive("demo", "--interactive", env={"CCC_LANG": "en"}) as terminal:
            terminal.wait_for("Press Enter")
            terminal.press("Enter")
            terminal.wait_for("look at the function", 30)
            terminal.press("C-c")
            terminal.wait_for("Interrupted")
            self.say(terminal, "/exit")
            shown = terminal.wait_for(r"\[exit 0\]")
        assert "You left before the end of the story." in shown
        nothing_is_left(place)

    def test_interrupted_before_it_begins(self, project: CccProject, place: Path) -> None:
        """Ctrl-C in place of Enter."""
        with project.interactive("demo", "--interactive", env={"CCC_LANG": "en"}) as terminal:
            terminal.wait_for("Press Enter")
            terminal.press("C-c")
            terminal.wait_for(r"\[exit 130\]")
        nothing_is_left(place)

    def test_ended_from_outside(self, project: CccProject, place: Path) -> None:
        """SIGTERM while claude has the terminal: claude ends, and the terminal is as before."""
        with project.interactive("demo", "--interactive", "--fast", env={"CCC_LANG": "en"}) as (
            terminal
        ):
            terminal.wait_for("accept edits", 30)
            (ours,) = (pid for pid, line in of(place).items() if "demo --interactive" in line)
            os.kill(ours, signal.SIGTERM)
            shown = terminal.wait_for(r"\[exit 130\]")
        assert "Claude Code opens now" in shown  # a claude that was killed leaves its own screen
        nothing_is_left(place)

    def test_claude_dies(self, project: CccProject, place: Path) -> None:
        """A claude that is killed: exit 1, and the terminal takes lines again."""
        with project.interactive("demo", "--interactive", "--fast", env={"CCC_LANG": "en"}) as (
            terminal
        ):
            terminal.wait_for("accept edits", 30)
            # the first of them: what claude starts bears its name for a moment
            claude = min(pid for pid, line in of(place).items() if "--session-id" in line)
            os.kill(claude, signal.SIGKILL)
            shown = terminal.wait_for(r"(?m)^\[exit 1\]")
        assert re.search(r"(?m)^ccc: the demo took an unexpected path: claude ended with -9", shown)
        nothing_is_left(place)

    def say(self, terminal: Terminal, text: str) -> None:
        terminal.enter(text)
