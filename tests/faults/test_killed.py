"""Killed with SIGKILL at any moment: files are either old or new, and every count is right."""

import itertools
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from homes import SECONDS, Home, answer_of, killed_at_moments, killed_at_operations

from harness.processes import family, wait_until
from harness.soak import Tally, rounds

NewTally = Callable[[str], Tally]


class TestLaunch:
    def test_at_every_operation(self, home: Home, tmp_path: Path, tally: NewTally) -> None:
        """The next launch completes one that was killed before a file change."""
        row = tally("launch killed at an operation")

        def trial() -> None:
            home.check()
            home.run("b")
            home.check_complete()
            home.reset()

        for _ in killed_at_operations(lambda **env: home.start("b", **env), tmp_path, 26, 150):
            row.survived(trial)
        assert row.tried >= 3

    def test_at_random_moments(self, home: Home, tally: NewTally) -> None:
        """The next launch completes one or several that were killed at a random moment."""
        row = tally("launch killed at a random moment")

        def trial(chance: random.Random) -> None:
            home.check()
            if chance.random() < 0.3:
                home.run("b")
                home.check_complete()
            if chance.random() < 0.7:
                home.reset()

        for chance in killed_at_moments(lambda: home.start("b"), 12, 2500, 400, row):
            row.survived(lambda chance=chance: trial(chance))


class TestMode:
    def check(self, home: Home, env: dict[str, str], to: str) -> None:
        """Check that the mode is on or off, the next change works, and the state keeps the rest."""
        state = home.state()
        assert state["enabled"] in (True, False)
        assert (state["provider"], state["count"]) == ("b", 0)
        home.check()
        home.run("supervisor-mode", to, **env)
        assert home.state()["enabled"] is (to == "on")
        home.check_tidy()

    def test_at_every_operation(self, home: Home, tmp_path: Path, tally: NewTally) -> None:
        """A mode change that is killed before a file change is complete or absent."""
        row = tally("mode change killed at an operation")
        env = home.supervise()
        for to in ("off", "on"):
            start = lambda to=to, **more: home.start("supervisor-mode", to, **env, **more)  # noqa: E731
            for operation in killed_at_operations(start, tmp_path, 4, 60):
                back = "on" if operation % 2 else "off"
                row.survived(lambda back=back: self.check(home, env, back))
        assert row.tried >= 1

    def test_at_random_moments(self, home: Home, tally: NewTally) -> None:
        """A mode change that is killed at a random moment is complete or absent."""
        row = tally("mode change killed at a random moment")
        env = home.supervise()
        words = itertools.cycle(["on", "off"])

        def trial(chance: random.Random) -> None:
            home.check()
            if chance.random() < 0.2:
                self.check(home, env, next(words))

        start = lambda: home.start("supervisor-mode", next(words), **env)  # noqa: E731
        for chance in killed_at_moments(start, 8, 2500, 400, row):
            row.survived(lambda chance=chance: trial(chance))


class TestHook:
    """Stops that a check blocks; in TestReview, the reviewer does."""

    NAME = "stop (check)"
    STEPS = (24, 200)
    TRIALS = (8, 2000, 500)
    COST = 0.0

    def begin(self, home: Home) -> dict[str, str]:
        return home.supervise()

    def check(self, home: Home, env: dict[str, str], prompt: str, killed: int) -> None:
        """Check that each killed stop counts at most once, and the next stop works."""
        home.check()
        before, verdicts = home.state(), len(home.verdicts())
        assert before["enabled"] is True
        counted = before["count"] if before["prompt_id"] == prompt else 0
        paid = before["cost_usd"] if before["prompt_id"] == prompt else 0.0
        assert counted <= killed
        assert paid <= counted * self.COST
        assert self.recorded <= verdicts <= self.recorded + counted
        # with an unchanged tree, the same feedback would end the task as stuck
        (home.project.directory / "work").write_text(prompt)
        output = home.run("supervisor-hook", stdin=home.event(prompt=prompt), **env)
        assert answer_of(output)["decision"] == "block"
        after = home.state()
        assert (after["prompt_id"], after["count"], after["stop"]) == (prompt, counted + 1, {})
        assert after["cost_usd"] == pytest.approx(paid + self.COST)
        assert len(home.verdicts()) == verdicts + 1
        home.check_tidy()
        self.recorded = verdicts + 1

    recorded = 0

    def test_at_every_operation(self, home: Home, tmp_path: Path, tally: NewTally) -> None:
        """A stop that is killed before a file change counts at most once."""
        row = tally(f"{self.NAME} killed at an operation")
        env = self.begin(home)
        started = itertools.count()

        def start(**more: str) -> "subprocess.Popen[bytes]":
            event = home.event(prompt=f"p{next(started)}")
            return home.start("supervisor-hook", stdin=event, **env, **more)

        for number, _ in enumerate(killed_at_operations(start, tmp_path, *self.STEPS)):
            row.survived(lambda prompt=f"p{number}": self.check(home, env, prompt, 1))
        assert row.tried >= 1

    def test_at_random_moments(self, home: Home, tally: NewTally) -> None:
        """A stop that is killed at a random moment counts at most once, even several in a row."""
        row = tally(f"{self.NAME} killed at a random moment")
        env = self.begin(home)
        task, stops = 0, 0

        def start() -> "subprocess.Popen[bytes]":
            nonlocal stops
            stops += 1
            return home.start("supervisor-hook", stdin=home.event(prompt=f"p{task}"), **env)

        def trial(chance: random.Random) -> None:
            nonlocal task, stops
            home.check()
            if chance.random() < 0.2 or stops > 90:
                self.check(home, env, f"p{task}", stops)
                task, stops = task + 1, 0

        for chance in killed_at_moments(start, *self.TRIALS, row):
            row.survived(lambda chance=chance: trial(chance))


class TestReview(TestHook):
    """The same stops with a review."""

    COST = 0.25
    NAME = "stop (review)"
    STEPS = (62, 300)
    TRIALS = (2, 300, 300)

    def begin(self, home: Home) -> dict[str, str]:
        env = home.supervise()
        home.claude_judges()
        home.set_check("true")
        return env


@pytest.mark.parametrize("place", ["check", "review", "run"])
def test_children_end_with_ccc(home: Home, tally: NewTally, place: str) -> None:
    """The children of a killed ccc end with it, even if they would run for another minute."""
    row = tally(f"killed over what stays ({place})")
    env = home.supervise()
    home.claude_judges()
    if place != "check":
        home.claude.write_text(home.claude.read_text().replace("sleep(0.03)", "sleep(60)"))
    home.set_check("sleep 60; false" if place == "check" else "true")
    words = ("run", "--provider", "b", "do it") if place == "run" else ("supervisor-hook",)

    def works() -> object:
        checks = place == "check"
        return family(home.project.home, "sleep 60") if checks else home.asked.exists()

    chance = random.Random(place)
    for _ in rounds(2, 100, 200):
        home.asked.unlink(missing_ok=True)
        process = home.start(*words, stdin=home.event(), **env)
        wait_until(works, "the child has started")
        time.sleep(chance.uniform(0, 0.1))
        process.kill()
        process.communicate(timeout=SECONDS)
        assert process.returncode == -signal.SIGKILL
        row.survived(home.check_alone)
