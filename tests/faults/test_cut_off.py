"""`ccc uninstall`, `ccc provider` and `ccc run` killed with SIGKILL: the next call recovers."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from homes import SECONDS, SETTINGS, Home, killed_at_moments, killed_at_operations

from harness.processes import family
from harness.soak import Tally

NewTally = Callable[[str], Tally]


class TestUninstall:
    def installed(self, home: Home) -> Home:
        home.run("b")
        return home

    def again(self, home: Home) -> None:
        """Check that the next uninstall restores the user's files byte for byte."""
        settings = home.project.read(".claude/settings.json")
        assert settings in (SETTINGS, home.complete["settings.json"])
        home.run("uninstall", "--yes")
        home.check_uninstalled()
        home.check_tidy()
        home.reset()
        self.installed(home)

    def test_at_every_operation(self, home: Home, tmp_path: Path, tally: NewTally) -> None:
        """The next uninstall completes one that was killed before a file change."""
        row = tally("uninstall killed at an operation")
        self.installed(home)
        start = lambda **env: home.start("uninstall", "--yes", **env)  # noqa: E731
        for _ in killed_at_operations(start, tmp_path, 8, 100):
            row.survived(lambda: self.again(home))
        assert row.tried >= 2

    def test_at_random_moments(self, home: Home, tally: NewTally) -> None:
        """The next uninstall completes one that was killed at a random moment."""
        row = tally("uninstall killed at a random moment")
        self.installed(home)

        def start() -> "subprocess.Popen[bytes]":
            self.installed(home)  # the previous one may have finished before its kill
            return home.start("uninstall", "--yes")

        for _ in killed_at_moments(start, 3, 200, 100, row):
            row.survived(lambda: self.again(home))


class TestProvider:
    """Edits of ccc.json."""

    def edit(self, home: Home, number: int, **env: str) -> "subprocess.Popen[bytes]":
        return home.start("provider", "edit", "a", "--env", f"EXTRA=v{number}", **env)

    def check(self, home: Home, allowed: set[str], values: list[str]) -> None:
        """Check that the edit is whole or absent, the rest unchanged, and the next edit works."""
        text = home.project.read(".claude/ccc.json")
        env = json.loads(text)["providers"]["a"]["env"]
        value = env.pop("EXTRA", "")
        assert value in allowed | {values[-1]}
        assert env == json.loads(home.config)["providers"]["a"]["env"]
        home.run("provider", "edit", "a", "--env", "EXTRA=last")
        text = home.project.read(".claude/ccc.json")
        assert text.replace(',\n        "EXTRA": "last"', "") == home.config
        assert (home.project.claude_dir / "ccc.json").stat().st_mode & 0o077 == 0
        values.append("last")
        home.check_tidy()

    def test_at_every_operation(self, home: Home, tmp_path: Path, tally: NewTally) -> None:
        """An edit that is killed before a file change is complete or absent."""
        row = tally("provider edit killed at an operation")
        values = [""]
        start = lambda **env: self.edit(home, 1, **env)  # noqa: E731
        for _ in killed_at_operations(start, tmp_path, 6, 60):
            row.survived(lambda: self.check(home, {"v1"}, values))
        assert row.tried >= 1

    def test_at_random_moments(self, home: Home, tally: NewTally) -> None:
        """An edit that is killed at a random moment is complete or absent."""
        row = tally("provider edit killed at a random moment")
        values = [""]
        for _ in killed_at_moments(lambda: self.edit(home, 2), 3, 200, 100, row):
            row.survived(lambda: self.check(home, {"v2"}, values))


class TestRun:
    """An unattended run: agent and reviewer end with it, and it can be continued."""

    RUN = ("run", "--provider", "b", "--quiet")

    def check_continue(self, home: Home) -> None:
        """Check that the run completes when continued; an interrupted review counts once."""
        home.check_alone()
        home.check()
        unfinished = [path for path, run in self.runs(home) if run["outcome"] != "completed"]
        assert len(unfinished) <= 1
        process = home.start(*self.RUN, "--continue")
        output, _ = process.communicate(timeout=SECONDS)
        # nothing to continue: it was killed before the run existed or after it finished
        assert process.returncode == (0 if unfinished else 1), output
        for path in unfinished:
            state = json.loads(path.read_text())
            assert (state["outcome"], state["count"]) == ("completed", 1)
            assert state["run"]["outcome"] == "completed"
        if not unfinished:
            # nothing was written, so nothing was cleaned up
            home.run("b", "--version")
        home.check_tidy()
        for path in self.records(home):
            path.unlink()

    def records(self, home: Home) -> list[Path]:
        return list((home.project.claude_dir / "ccc").glob("supervisor-*"))

    def runs(self, home: Home) -> list[tuple[Path, dict[str, Any]]]:
        states = [
            (path, json.loads(path.read_text()))
            for path in self.records(home)
            if path.suffix == ".json"
        ]
        return [(path, state["run"]) for path, state in states if state.get("run")]

    @pytest.fixture
    def running(self, home: Home) -> Home:
        """Return a home whose agent and reviewer answer at once."""
        home.run("b")
        for path in self.records(home):
            path.unlink()
        home.set_check("true")
        home.claude_judges(completed=True)
        return home

    def test_at_every_operation(self, running: Home, tmp_path: Path, tally: NewTally) -> None:
        """A run that is killed before a file change can be continued."""
        row = tally("run killed at an operation")
        start = lambda **env: running.start(*self.RUN, "do it", **env)  # noqa: E731
        for _ in killed_at_operations(start, tmp_path, 110, 400, 5):
            row.survived(lambda: self.check_continue(running))
        assert row.tried >= 1
        assert not family(running.project.home)

    def test_at_random_moments(self, running: Home, tally: NewTally) -> None:
        """A run that is killed at a random moment can be continued."""
        row = tally("run killed at a random moment")
        start = lambda: running.start(*self.RUN, "do it")  # noqa: E731
        for _ in killed_at_moments(start, 1, 60, 400, row):
            row.survived(lambda: self.check_continue(running))
