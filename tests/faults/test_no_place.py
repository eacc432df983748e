"""Missing and read-only directories, with every command: a clear message, no traceback."""

from collections.abc import Callable, Iterator

import pytest
from homes import SESSION, Home, answer_of
from places import Place, check_outcome

from ccc.command_table import COMMANDS
from harness import Outcome
from harness.soak import SOAK, Tally

# the command lines to try for each command
LINES = {
    "clean": [["clean", "--yes"]],
    "completion": [["completion", "bash"], ["completion", "--words", "1", "ccc", ""]],
    "demo": [["demo", "--help"]],
    "doctor": [["doctor"], ["doctor", "--fix"]],
    "eval": [["eval", "--compare", "a", "b"], ["eval", "--only", "04-ttl-cache/bad"]],
    "help": [["help"]],
    "history": [["history"]],
    "init": [["init", "--language", "en"]],
    "install": [["install"]],
    "prompt": [["prompt", "init"], ["prompt", "init", "--project"]],
    "provider": [["provider", "list"], ["provider", "use", "a"], ["provider", "show"]],
    "queue": [["queue", "add", "do it"], ["queue", "list"], ["queue", "budget", "5/day"]],
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
    "web": [["web", "--port", "0"]],
    "": [["b"], ["a", "-p", "hi"], ["--supervisor", "b"]],
}
ENDLESS = ("watch", "web")
"""Runs until it is interrupted."""


def test_every_command_is_tried() -> None:
    """LINES covers every command."""
    assert set(LINES) == {*COMMANDS, ""}


class Fault:
    """A fault of the environment, and the mounts that produce it."""

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
    # an unknown user id: otherwise ccc would find the home of the user who runs the tests
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
    """Yield every command line; in `make test`, only some for each fault."""
    every = [line for each in LINES.values() for line in each]
    step, first = (1, 0) if SOAK else (len(FAULTS), list(FAULTS).index(fault))
    yield from every[first::step]


@pytest.mark.parametrize("name", FAULTS)
def test_every_command(home: Home, name: str, tally: Callable[[str], Tally]) -> None:
    """Every command gives a clear message and a documented exit code, and no file is damaged."""
    row = tally(f"every command, {name}")
    home.supervise()
    home.set_check("true")
    home.claude_judges(completed=True)
    fault = Fault(home)
    FAULTS[name](fault)
    with Place(home.project, *fault.mounts) as place:
        for line in lines(name):
            row.survived(lambda line=line: check(run_with(place, fault, line), line))
            row.survived(lambda: check_files(home))
    home.check_alone()


def run_with(place: Place, fault: Fault, line: list[str]) -> Outcome:
    """Run the command with the fault."""
    limit = "timeout -s INT 2 " if line[0] in ENDLESS else ""
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
    """Check that nothing crashed and a failure has a message and an allowed exit code."""
    codes = {"supervisor-hook": (0,), "statusline": (0,)}
    codes |= dict.fromkeys(ENDLESS, (0, 1, 124, 130))
    check_outcome(outcome, codes=codes.get(line[0], (0, 1)))
    if outcome.code == 1:
        assert (outcome.stderr + outcome.stdout).strip(), outcome
    if line[0] == "supervisor-hook" and outcome.stdout:
        assert answer_of(outcome.stdout)


def check_files(home: Home) -> None:
    """Check that the user's files are unchanged and no directory named `~` exists."""
    directory = home.project.claude_dir
    paths = [path for path in directory.rglob("*") if path.is_file()]
    # the queue's database isn't text
    files = {str(p.relative_to(directory)): p.read_text(errors="replace") for p in paths}
    assert "precious" in "".join(files.values())
    assert '"n": 1.10' in files["settings.json"]
    assert '"a"' in files["ccc.json"]
    assert not (home.project.directory / "~").exists()
    assert [name for name in files if name.endswith(".tmp")] == []
