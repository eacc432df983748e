"""A full disk, and one so small that a write fails half-way."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from homes import CHECK, FOREIGN, Home, answer_of
from places import Place, check_outcome

from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from harness import Outcome
from harness.soak import SOAK, Tally

PAGE = 4096
_NOT_WHOLE = (".log", "lock", "recent-sessions")
SIZE = 64 * PAGE
# more than a page, so that a write can fail half-way
PADDING = json.dumps({"padding": ["x" * 70] * 90}, indent=1)[2:-2]


class Disk:
    """A small disk mounted at claude's directory."""

    def __init__(self, home: Home) -> None:
        self.home = home
        home.supervise()
        settings = home.project.read(".claude/settings.json").rstrip().removesuffix("}")
        home.project.write(".claude/settings.json", f"{settings},\n{PADDING}\n}}\n")
        here = home.project.claude_dir
        moved = home.project.root / "before"
        here.rename(moved)
        here.mkdir()
        self.place = Place(home.project, "--size", str(SIZE), "--tmpfs", str(here))
        self.root = self.place.path(here)
        self.place.run("-r", f"{moved}/.", str(here), program="cp").succeeded()
        self._filling = self.root / "filling"

    def fill(self, free: int) -> None:
        """Leave this many pages free."""
        with open(self._filling, "wb") as file:
            left = os.statvfs(self.root).f_bavail - free
            assert left > 0
            file.write(b"x" * (left * PAGE))
        assert os.statvfs(self.root).f_bavail == free

    def empty(self) -> None:
        """Free the space."""
        self._filling.unlink()

    def files(self) -> dict[str, bytes]:
        """Return the files that must be complete at any time."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and path != self._filling and not path.name.endswith(_NOT_WHOLE)
        }

    def run(self, *words: str, **env: str) -> Outcome:
        stdin = self.home.event() if words == ("supervisor-hook",) else ""
        return self.place.run(
            *words, stdin=stdin, env={"CCC_SUPERVISOR_ID": "s-1", "CLAUDECODE": "1", **env}
        )


@pytest.fixture
def disk(home: Home) -> Iterator[Disk]:
    """Yield a home on a small disk, with a supervised session."""
    disk = Disk(home)
    with disk.place:
        yield disk


COMMANDS = {
    "the same launch": ("b",),
    "another provider": ("a",),
    "mode on": ("supervisor-mode", "on"),
    "mode off": ("supervisor-mode", "off"),
    "stop": ("supervisor-hook",),
    "provider": ("provider", "edit", "a", "--env", "EXTRA=" + "x" * 5000),
    "uninstall": ("uninstall", "--yes"),
    "run": ("run", "--quiet", "do it"),
    "launch after an update": ("b",),
}


@pytest.mark.parametrize("what", COMMANDS)
def test_no_space(disk: Disk, what: str, tally: Callable[[str], Tally]) -> None:
    """On a full disk old files stay complete and the error is clear; with space all works again."""
    row = tally(f"full disk: {what}")
    line = COMMANDS[what]
    if what == "launch after an update":
        outdate(disk.root)
    if what == "run":
        disk.home.claude_judges(completed=True)
        config = disk.root / "ccc.json"
        config.write_text(config.read_text().replace(json.dumps(CHECK), '"true"'))

    def trial(free: int) -> None:
        before = disk.files()
        disk.fill(free)
        try:
            outcome = disk.run(*line)
        finally:
            disk.empty()
        check_error(outcome, what)
        check_whole(disk.files())
        if outcome.code == 1 and what not in ("uninstall", "run"):
            check_unchanged(before, disk.files())

    for free in range(0, 12, 1 if SOAK else 6):
        row.survived(lambda free=free: trial(free))
    row.survived(lambda: check_recovery(disk, line, what))


def outdate(directory: Path) -> None:
    """Make the files look as before an update that moved ccc, so that all must be rewritten."""
    settings = directory / "settings.json"
    current, before = "/ccc supervisor-hook", "/old/ccc supervisor-hook"
    settings.write_text(settings.read_text().replace(current, before))
    for path in (directory / "commands").iterdir():
        path.unlink()


def check_error(outcome: Outcome, what: str) -> None:
    """Check that a failure names its cause; a stop always succeeds."""
    codes = {"stop": (0,), "run": (0, 1, 24, 25)}
    check_outcome(outcome, codes=codes.get(what, (0, 1)))
    if outcome.code == 1:
        assert "No space left on device" in outcome.stderr, outcome
    if what == "stop" and outcome.stdout:
        answer_of(outcome.stdout)


def check_whole(files: dict[str, bytes]) -> None:
    """Check that JSON files parse, the user's content is there, and the hook at most once."""
    for name, data in files.items():
        if name.endswith(".json"):
            json.loads(data)
    assert FOREIGN.encode() in files.values()
    settings = json.loads(files["settings.json"])
    assert (settings["n"], len(settings["padding"])) == (1.1, 90)
    assert files["settings.json"].count(b"supervisor-hook") <= 1
    assert [name for name in files if name.endswith(".tmp")] == []


def check_unchanged(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Check that a failed command left the user's files unchanged."""
    for name in ("ccc.json", "settings.json"):
        assert after[name] == before[name]


def check_recovery(disk: Disk, line: tuple[str, ...], what: str) -> None:
    """Check that everything works with free space, and nothing is left over."""
    check_outcome(disk.run(*line), codes=(0,))
    check_whole(disk.files())
    if what == "uninstall":
        return
    check_outcome(disk.run("b"), codes=(0,))
    assert disk.files()["settings.json"].count(b"supervisor-hook") == 1
    assert json.loads(disk.files()["ccc.json"])["current_provider"] == "b"
    check_outcome(disk.run("supervisor-mode", "on"), codes=(0,))
    assert answer_of(disk.run("supervisor-hook").succeeded().stdout)
    for path in (disk.root / "ccc").glob("*-verdicts.jsonl"):
        # a truncated line must not swallow the next one
        *_, last = path.read_text().splitlines()
        assert json.loads(last)
    check_whole(disk.files())


def test_a_line_that_was_cut_off(tmp_path: Path) -> None:
    """A record that a full disk truncated doesn't corrupt the next one."""
    journal = Journal(Paths({"CCC_WORK_DIR": str(tmp_path)}), "s")
    journal.verdict({"iteration": 1})
    whole = Path(journal.verdicts_file).read_text()
    Path(journal.verdicts_file).write_text(whole[: len(whole) // 2])
    journal.verdict({"iteration": 2})
    journal.verdict({"iteration": 3})
    _, *lines = Path(journal.verdicts_file).read_text().splitlines()
    assert [json.loads(line)["iteration"] for line in lines] == [2, 3]
