"""Launches that are killed at any moment, or that come all at once, lose nothing of the user's."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from harness import CccProject

SETTINGS = '{\n\t"model": "opus",\n\t"n": 1.10,\n\t"\\u4e2d": "中"\n}'
FOREIGN = '{"mine": "precious"}'
KILLS = 200
ROUNDS = 25
AT_ONCE = 10

# Ends the process at its n-th operation on a file, in place of the operation.
AT_EVENT = """
import os, sys
left = [int(os.environ.get("KILL_AT", "0"))]
EVENTS = ("os.mkdir", "os.rename", "os.remove", "os.truncate", "os.chmod", "os.exec")
def watch(event, details):
    changes = event in EVENTS or (event == "open" and details[2] & (os.O_WRONLY | os.O_RDWR))
    if changes and left[0]:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), 9)
sys.addaudithook(watch)
"""


class Home:
    """A home that every launch has to change, and what may be in it at any moment."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        provider = project.provider()
        project.configure(providers={"a": provider, "b": provider}, current_provider="a")
        self.config = project.read(".claude/ccc.json")
        self.reset()
        project.run("b").succeeded()
        self.complete = {n: t for n, t in self.files().items() if not n.startswith("ccc/")}
        self.reset()

    def reset(self) -> None:
        """As it was before the first launch: the user's files alone."""
        directory = self.project.claude_dir
        for path in sorted(directory.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.project.write(".claude/ccc.json", self.config)
        self.project.write(".claude/settings.json", SETTINGS)
        self.project.write(".claude/settings-b-supervisor.json", FOREIGN)

    def files(self) -> dict[str, str]:
        directory = self.project.claude_dir
        return {
            str(path.relative_to(directory)): path.read_text()
            for path in directory.rglob("*")
            if path.is_file()
        }

    def check(self) -> None:
        """Every file is the old one or the new one, whole."""
        old = {
            "ccc.json": self.config,
            "settings.json": SETTINGS,
            "settings-b-supervisor.json": FOREIGN,
        }
        files = self.files()
        assert {"ccc.json", "settings.json"} <= set(files)
        assert FOREIGN in files.values()
        for name, text in files.items():
            if name.endswith(".tmp") or name == "ccc/lock":
                continue
            if name.startswith("ccc/"):
                json.loads(text)
            else:
                assert text in (old.get(name), self.complete.get(name)), (name, text)
        ours = "settings-b-supervisor.json"
        if files.get(ours) == self.complete[ours]:
            # in the ledger before it is written, or a later launch would take it for the user's
            ledger = json.loads(files["ccc/ledger.json"])["files"]
            assert str(self.project.claude_dir / ours) in ledger

    def check_complete(self) -> None:
        """After a launch that was left alone all is in place, and nothing is left over."""
        files = self.files()
        own = {n: t for n, t in files.items() if not n.startswith("ccc/")}
        assert own == self.complete
        assert files["ccc/lock"] == ""
        assert [n for n in files if n.endswith(".tmp")] == []
        assert len(json.loads(files["ccc/ledger.json"])["files"]) == 7

    def start(self, word: str, **env: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [self.project.ccc, word],
            cwd=self.project.directory,
            env={**self.project.env, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture
def home(stubbed: CccProject) -> Home:
    """A home for many launches, with a claude that does nothing."""
    claude = stubbed.bin / "claude"
    claude.unlink()
    claude.symlink_to("/bin/true")
    return Home(stubbed)


def test_killed_at_every_operation(home: Home, tmp_path: Path) -> None:
    """Killed before each single change of a file, the launch leaves old or new files."""
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(AT_EVENT)
    for operation in range(1, 400):
        killed = home.start("b", PYTHONPATH=str(hook), KILL_AT=str(operation)).wait(30)
        home.check()
        if killed == 0:
            break
        assert killed == -signal.SIGKILL
        home.start("b").wait(30)
        home.check_complete()
        home.reset()
    assert 30 < operation < 399


def test_killed_at_random_moments(home: Home) -> None:
    """Killed after a random time, several hundred times: old or new files, nothing lost."""
    chance = random.Random(20261115)
    begun = time.monotonic()
    home.start("b").wait(30)
    usual = time.monotonic() - begun
    home.reset()
    kills = 0
    for _ in range(4 * KILLS):
        process = home.start("b")
        time.sleep(chance.uniform(0, usual))
        process.kill()
        kills += process.wait(30) == -signal.SIGKILL
        home.check()
        if chance.random() < 0.3:
            home.start("b").wait(30)
            home.check_complete()
            home.reset()
        if kills == KILLS:
            break
    assert kills > KILLS // 2


def test_ten_at_once(home: Home) -> None:
    """Ten launches at once on a new home end well, and each time all is in place."""
    for _ in range(ROUNDS):
        processes = [home.start("b") for _ in range(AT_ONCE)]
        assert [process.wait(60) for process in processes] == [0] * AT_ONCE
        home.check_complete()
        sessions = [n for n in home.files() if n.startswith("ccc/supervisor-")]
        assert len(sessions) == AT_ONCE
        home.reset()


def test_another_program_writes_meanwhile(stubbed: CccProject) -> None:
    """A change by another program between our reading and our writing is not lost."""
    from ccc.storage.files import Lock

    path = stubbed.write(".claude/settings.json", "1")
    seen = []

    def edit(text: str | None) -> str:
        seen.append(text)
        if len(seen) == 1:
            path.write_text("2")
        return f"{text}+ours"

    with Lock([str(stubbed.claude_dir / "ccc")]) as lock:
        lock.update(str(path), edit)
    assert seen == ["1", "2"]
    assert path.read_text() == "2+ours"
    assert (
        os.listdir(path.parent) == ["ccc.json", "settings.json", "ccc"]
        or len(os.listdir(path.parent)) == 3
    )
