"""Directories that can't be written or are gone, for every command: a clear word, no traceback."""

from collections.abc import Callable, Iterator

import pytest
from homes import SESSION, Home, answer_of
from places import Place, told

from ccc.cli import COMMANDS
from harness import Outcome
from harness.soak import SOAK, Tally

# for each command the lines that it is tried with
LINES = {
    "clean": [["clean", "--yes"]],
    "completion": [["completion", "bash"], ["completion", "--words", "1", "ccc", ""]],
    "demo": [["demo", "--help"]],
    "doctor": [["doctor"], ["doctor", "--fix"]],
    "help": [["help"]],
    "history": [["history"]],
    "init": [["init", "--language", "en"]],
    "install": [["install"]],
    "prompt": [["prompt", "init"], ["prompt", "init", "--project"]],
    "provider": [["provider", "list"], ["provider", "use", "a"], ["provider", "show"]],
    "report": [["report"], ["report", "-o", "-"]],
    "run": [["run", "--quiet", "do it"], ["run", "--continue"]],
    "show": [["show"]],
    "status": [["status"]],
    "statusline": [["statusline"]],
    "supervisor-hook": [["supervisor-hook"]],
    "supervisor-mode": [["supervisor-mode", word] for word in ("on", "off", "status")],
    "uninstall": [["uninstall", "--yes"]],
    "validate": [["validate", "--timeout", "1"]],
    "watch": [["watch", "--plain"]],
    "": [["b"], ["a", "-p", "hi"], ["--supervisor", "b"]],
}
NOT_BELOW_ONE = "watch"
"""Goes on until it is ended."""


def test_every_command_is_tried() -> None:
    """A new command needs a line here."""
    assert set(LINES) == {*COMMANDS, ""}


class Fault:
    """What is wrong with the place; the mounts that make it so."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.mounts: list[str] = []
        self.env: dict[str, str | None] = {"CCC_SUPERVISOR_ID": SESSION, "CLAUDECODE": "1"}
        self.where = ""

    def read_only(self, path: object) -> None:
        self.mounts += ["--ro-bind", str(path), str(path)]


def _claude_dir(fault: Fault) -> None:
    fault.read_only(fault.home.project.claude_dir)


def _state_dir(fault: Fault) -> None:
    fault.read_only(fault.home.project.claude_dir / "ccc")


def _project(fault: Fault) -> None:
    fault.read_only(fault.home.project.directory)


def _home_gone(fault: Fault) -> None:
    parent = fault.home.project.root / "gone"
    parent.mkdir()
    fault.read_only(parent)
    fault.env["HOME"] = str(parent / "home")


def _home_unset(fault: Fault) -> None:
    # somebody whom the system does not know: else it would be the home of whoever runs the tests
    fault.mounts += ["--unshare-user", "--uid", "54321"]
    fault.env["HOME"] = None


def _cwd_gone(fault: Fault) -> None:
    fault.where = "mkdir gone; cd gone; rmdir ../gone; "


FAULTS = {
    "read-only ~/.claude": _claude_dir,
    "read-only ~/.claude/ccc": _state_dir,
    "read-only project": _project,
    "home is gone": _home_gone,
    "no home at all": _home_unset,
    "working directory is gone": _cwd_gone,
}


def lines(fault: str) -> Iterator[list[str]]:
    """Every command, in `make test` each at one fault or another."""
    every = [line for each in LINES.values() for line in each]
    step, first = (1, 0) if SOAK else (len(FAULTS), list(FAULTS).index(fault))
    yield from every[first::step]


@pytest.mark.parametrize("name", FAULTS)
def test_every_command(home: Home, name: str, tally: Callable[[str], Tally]) -> None:
    """A clear word and a documented exit code; a stop ends with 0; nothing is spoiled."""
    row = tally(f"every command, {name}")
    home.supervise()
    home.set_check("true")
    home.claude_judges(completed=True)
    fault = Fault(home)
    FAULTS[name](fault)
    with Place(home.project, *fault.mounts) as place:
        for line in lines(name):
            row.survived(lambda line=line: check(tried(place, fault, line), line))
            row.survived(lambda: check_files(home))
    home.check_alone()


def tried(place: Place, fault: Fault, line: list[str]) -> Outcome:
    """The command in the place that is not right."""
    limit = "timeout -s INT 2 " if line[0] == NOT_BELOW_ONE else ""
    script = f'{fault.where}exec {limit}"$0" "$@"'
    return place.run(
        "-c",
        script,
        fault.home.project.ccc,
        *line,
        stdin=fault.home.event() if line[0] in ("supervisor-hook", "statusline") else "",
        env=fault.env,
        program="/bin/sh",
    )


def check(outcome: Outcome, line: list[str]) -> None:
    """No bug of ours shows; what failed is told, with a code that the command may have."""
    codes = {"supervisor-hook": (0,), "statusline": (0,), "watch": (0, 1, 124, 130)}
    told(outcome, codes=codes.get(line[0], (0, 1)))
    if outcome.code == 1:
        assert (outcome.stderr + outcome.stdout).strip(), outcome
    if line[0] == "supervisor-hook" and outcome.stdout:
        assert answer_of(outcome.stdout)


def check_files(home: Home) -> None:
    """The user's own are what they were, and no directory named `~` was made."""
    files = home.files()
    assert "precious" in "".join(files.values())
    assert '"n": 1.10' in files["settings.json"]
    assert '"a"' in files["ccc.json"]
    assert not (home.project.directory / "~").exists()
    assert [name for name in files if name.endswith(".tmp")] == []
