"""Launches of a claude that is older than ccc supports, or that nothing is known about."""

import json

import pytest

from ccc.claude import binary, capabilities
from harness import CccProject
from harness.binary import claude_binary

ON = {"CCC_SELFTEST": None}


def put_version(project: CccProject, version: str) -> None:
    """Install the recording claude the way claude installs a version of itself."""
    link, program = project.bin / "claude", project.root / "claude" / "versions" / version
    program.parent.mkdir(parents=True, exist_ok=True)
    link.rename(program)
    link.symlink_to(program)


@pytest.mark.journey
@pytest.mark.parametrize("line", [("kimi", "--version"), ("doctor",)])
def test_an_old_claude_on_path(stubbed: CccProject, line: tuple[str, ...]) -> None:
    """ccc uses the one that comes with the SDK, and says so with both versions."""
    put_version(stubbed, "2.1.222")
    outcome = stubbed.run(*line)
    said = " ".join((outcome.stdout + outcome.stderr).split())
    assert f"is claude 2.1.222; ccc needs {capabilities.OLDEST} or later" in said
    assert binary.version_of(str(claude_binary())) in said
    assert stubbed.launches == []


def test_the_oldest_claude(stubbed: CccProject) -> None:
    """The oldest supported one runs, without a word."""
    put_version(stubbed, capabilities.OLDEST)
    assert stubbed.run("kimi", "-p", "hi").succeeded().stderr == ""
    assert len(stubbed.launches) == 1


def test_an_old_claude_by_name(stubbed: CccProject) -> None:
    """CCC_CLAUDE with an old one is refused, with the remedy."""
    put_version(stubbed, "2.1.222")
    old = stubbed.root / "claude" / "versions" / "2.1.222"
    (stubbed.bin / "claude").unlink()
    outcome = stubbed.run("kimi", "-p", "hi", env={"CCC_CLAUDE": str(old)})
    assert outcome.code == 1
    said = " ".join(outcome.stderr.split())
    assert "is claude 2.1.222; ccc needs" in said
    assert "claude update" in said


class TestLearning:
    """What a launch does about a claude that it may know."""

    def files(self, project: CccProject) -> list[str]:
        """Return the endings of the files about claudes."""
        return sorted(file.suffix for file in (project.claude_dir / "ccc").glob("client-*"))

    def test_a_known_version(self, stubbed: CccProject) -> None:
        """The answers for a known version are stored, and nothing is started."""
        put_version(stubbed, "2.1.225")
        stubbed.run("kimi", "-p", "hi", env=ON).succeeded()
        assert self.files(stubbed) == [".json"]
        (file,) = (stubbed.claude_dir / "ccc").glob("client-*.json")
        assert "print_cache" in json.loads(file.read_text())["missing"]

    def test_an_unknown_claude(self, stubbed: CccProject) -> None:
        """A test begins beside the launch, once."""
        for _ in range(2):
            stubbed.run("kimi", "-p", "hi", env=ON).succeeded()
        assert self.files(stubbed) in ([".started"], [".json"])

    def test_it_can_be_turned_off(self, stubbed: CccProject) -> None:
        """With CCC_SELFTEST=off."""
        stubbed.run("kimi", "-p", "hi").succeeded()
        assert self.files(stubbed) == []
