"""ccc's files are private whatever the umask, and symlinks in their place are not followed."""

import os
import stat
from pathlib import Path

import pytest
from stops import SESSION, Supervised

from ccc.supervision import workspace
from harness import CccProject

LONG = """result(json.dumps({"completed": False, "feedback": "long " * 3_000}))"""
UMASKS = ("000", "777")


def under(project: CccProject, umask: str, *arguments: str, stdin: str = "") -> None:
    """Run ccc under the umask."""
    line = f"umask {umask}; {project.ccc} {' '.join(arguments)}"
    project.run("-c", line, program="/bin/sh", stdin=stdin).succeeded()


def modes(*roots: Path) -> dict[str, str]:
    """Return the modes of everything under the roots, except symlinks."""
    found = [path for root in roots for path in (root, *root.rglob("*")) if not path.is_symlink()]
    return {f"{path}": oct(stat.S_IMODE(path.stat().st_mode)) for path in found}


def are_private(found: dict[str, str]) -> None:
    """Check that directories are 0700 and files 0600."""
    wrong = {
        path: mode
        for path, mode in found.items()
        if mode != ("0o700" if os.path.isdir(path) else "0o600")
    }
    assert wrong == {}


@pytest.mark.parametrize("umask", UMASKS)
def test_modes(supervised: Supervised, umask: str) -> None:
    """Configuration, settings, state, log, raw records, checks, feedback and report are private."""
    project = supervised.project
    own = project.home / "own"
    project.env |= {"CCC_CONFIG_DIR": str(own / "config"), "CCC_WORK_DIR": str(own / "work")}
    under(project, umask, "init", "--preset", "kimi", "--key-stdin", "--yes", stdin="k-0123456789")
    under(project, umask, "provider", "add", "glm", "--key-stdin", stdin="k-0123456789")
    under(project, umask, "kimi", "--settings", '\'{"model": "m"}\'')
    under(project, umask, "doctor", "--fix", "|| :")
    are_private(modes(own))
    assert {path.name for path in own.rglob("*")} >= {"ccc.json", "ledger.json", "lock"}


@pytest.mark.parametrize("umask", UMASKS)
@pytest.mark.thorough
def test_modes_of_a_stop(supervised: Supervised, umask: str) -> None:
    """State, log, raw lines, verdicts, check output and long feedback are private."""
    supervised.configure(checks=["echo checked"])
    supervised.claude(
        f'result(json.dumps({{"completed": False, "feedback": {"long " * 3_000!r}}}))'
    )
    supervised.state_dir.chmod(0o700)
    supervised.state_file.chmod(0o644)
    log = supervised.state_dir / "hook-invocation.log"
    log.touch(0o666)
    line = f"umask {umask}; exec {supervised.project.ccc} supervisor-hook"
    stopped = supervised.project.run("-c", line, program="/bin/sh", stdin=supervised.event())
    assert '"block"' in stopped.stdout, stopped
    under(supervised.project, umask, "supervisor-mode", "off")
    page = supervised.project.root / "page.html"
    under(supervised.project, umask, "report", "-o", str(page))
    found = modes(supervised.state_dir, page)
    are_private(found)
    endings = ("check-1.log", "output.jsonl", "verdicts.jsonl", "feedback-1.md", "stderr.log")
    for ending in endings:
        assert any(path.endswith(ending) for path in found), found


@pytest.mark.parametrize(
    "name",
    [
        "supervisor-{}.json",
        "hook-invocation.log",
        "supervisor-{}-output.jsonl",
        "supervisor-{}-verdicts.jsonl",
        "supervisor-{}-stderr.log",
        "supervisor-{}-check-1.log",
        "supervisor-{}-feedback-1.md",
        "lock",
        "ledger.json",
    ],
)
@pytest.mark.thorough
def test_a_link_in_the_way(supervised: Supervised, name: str) -> None:
    """A symlink to settings.json under one of ccc's names leaves settings.json unchanged."""
    supervised.configure(checks=["echo checked"])
    supervised.claude(
        f'result(json.dumps({{"completed": False, "feedback": {"long " * 3_000!r}}}))'
    )
    users = supervised.project.write(".claude/victim.json", '{"mine": true, "enabled": true}\n')
    link = supervised.state_dir / name.format(SESSION)
    link.unlink(missing_ok=True)
    link.symlink_to(users)
    supervised.stop()
    supervised.project.run("supervisor-mode", "on")
    supervised.project.run("kimi", env={"CCC_SUPERVISOR_ID": None})
    supervised.project.run("clean", "--older-than", "0d", "--yes")
    supervised.project.run("doctor", "--fix")
    assert users.read_text() == '{"mine": true, "enabled": true}\n'


def test_a_state_that_is_a_link_is_told(supervised: Supervised) -> None:
    """If the state is a symlink, supervision ends and the user is told."""
    supervised.state_file.unlink()
    supervised.state_file.symlink_to(
        supervised.project.write(".claude/x.json", '{"enabled": true}')
    )
    told = supervised.stop().message
    assert f"{supervised.state_file}.corrupt" in told
    assert not supervised.state_file.is_symlink()


@pytest.mark.parametrize("kind", ["link", "file", "linked content", "linked directory"])
def test_a_workspace_that_is_none(tmp_path: Path, kind: str) -> None:
    """Another user's file in /tmp with the name of a dead review's workspace is left alone."""
    place, other = tmp_path / "place", tmp_path / "other"
    for directory in (place, other):
        directory.mkdir(0o755)
    (other / "file").touch(0o644)
    (other / "inner").mkdir(0o755)
    before = modes(other)
    planted = place / "ccc-review-999999999-x"
    if kind == "link":
        planted.symlink_to(other)
    elif kind == "file":
        planted.touch()
    else:
        (planted / "closed").mkdir(parents=True)
        target = other / "file" if kind == "linked content" else other
        (planted / "closed" / "link").symlink_to(target)
        (planted / "closed" / "deeper").mkdir(0o000)
        (planted / "closed").chmod(0o500)
    workspace.remove_stale(str(place))
    workspace.remove(str(planted))
    assert modes(other) == before
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert os.path.lexists(planted) is ("linked" not in kind)
