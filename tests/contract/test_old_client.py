"""Launches of a claude that lets settings files override the provider."""

import json
from pathlib import Path

import pytest
from launches import option

from harness import KEY, CccProject

DECOY = "http://127.0.0.1:1"
ON = {"CCC_SELFTEST": None}


@pytest.fixture
def old(stubbed: CccProject) -> CccProject:
    """A project with claude 2.1.81."""
    put_version(stubbed, "2.1.81")
    return stubbed


def put_version(project: CccProject, version: str) -> None:
    """Install the recording claude the way claude installs a version of itself."""
    link, program = project.bin / "claude", project.root / "claude" / "versions" / version
    program.parent.mkdir(parents=True, exist_ok=True)
    link.rename(program)
    link.symlink_to(program)


def put_settings(project: CccProject, name: str, **env: str) -> Path:
    """Write the variables into a settings file of the user or the project."""
    directory = project.claude_dir if name == "user" else project.directory / ".claude"
    directory.mkdir(exist_ok=True)
    file = directory / ("settings.json" if name == "user" else name)
    file.write_text(json.dumps({"env": env}))
    return file


@pytest.mark.journey
@pytest.mark.parametrize("name", ["user", "settings.json", "settings.local.json"])
def test_what_can_be_overridden(old: CccProject, name: str) -> None:
    """An endpoint and a model of the user's are overridden; what the provider lacks is blanked."""
    other = {"ANTHROPIC_BASE_URL": DECOY, "ANTHROPIC_MODEL": "m", "ANTHROPIC_API_KEY": "sk-other"}
    put_settings(old, name, **other, HARMLESS="1")
    old.run("kimi", "-p", "hi").succeeded()
    (launch,) = old.launches
    content = json.loads(Path(option(launch.argv, "--settings")).read_text())
    # an event that this claude doesn't know would make it ignore the whole file
    assert content["hooks"].keys() == {"SessionStart", "Stop"}
    env = content["env"]
    ours = old.provider()["env"]
    assert env["ANTHROPIC_BASE_URL"] == ours["ANTHROPIC_BASE_URL"]
    assert env["ANTHROPIC_MODEL"] == ours["ANTHROPIC_MODEL"]
    assert env["ANTHROPIC_API_KEY"] == ""
    assert "HARMLESS" not in env
    assert KEY not in json.dumps(env)


@pytest.mark.journey
@pytest.mark.parametrize("name", ["user", "settings.json", "settings.local.json"])
def test_what_cannot_be_overridden(old: CccProject, name: str) -> None:
    """Another key would need ccc's key in a file, so there is no launch, and nothing is written."""
    file = put_settings(old, name, ANTHROPIC_AUTH_TOKEN="sk-other", ANTHROPIC_BASE_URL=DECOY)
    outcome = old.run("kimi", "-p", "hi")
    assert outcome.code == 1
    shown = str(file).replace(str(old.home), "~")
    assert "claude 2.1.81 would take" in outcome.stderr
    assert f"{shown}: ANTHROPIC_AUTH_TOKEN" in outcome.stderr.replace("\n", " ")
    assert "Update claude, or remove the variables" in outcome.stderr
    assert old.launches == []
    assert not list(old.claude_dir.glob("settings-*.json"))


def test_the_same_for_a_run(old: CccProject) -> None:
    """`ccc run` is refused in the same way."""
    put_settings(old, "user", ANTHROPIC_AUTH_TOKEN="sk-other")
    outcome = old.run("run", "do it")
    assert outcome.code == 1
    assert "ANTHROPIC_AUTH_TOKEN" in outcome.stderr
    assert old.launches == []


@pytest.mark.parametrize(("version", "code"), [("2.1.81", 1), ("2.1.82", 1), ("2.0.1", 1), ("", 0)])
def test_a_claude_whose_path_tells_nothing(stubbed: CccProject, version: str, code: int) -> None:
    """Then ccc asks claude for its version, because the key is at stake."""
    put_settings(stubbed, "user", ANTHROPIC_AUTH_TOKEN="sk-other")
    program = stubbed.bin / "claude"
    program.write_text(f"#!/bin/sh\n[ $1 != --version ] || echo '{version} (Claude Code)'\n")
    assert stubbed.run("kimi", "-p", "hi").code == code


def test_a_claude_that_protects_the_provider(stubbed: CccProject) -> None:
    """Nothing changes for a newer one."""
    put_version(stubbed, "2.1.83")
    put_settings(stubbed, "user", ANTHROPIC_AUTH_TOKEN="sk-other", ANTHROPIC_BASE_URL=DECOY)
    stubbed.run("kimi", "-p", "hi").succeeded()
    (launch,) = stubbed.launches
    env = json.loads(Path(option(launch.argv, "--settings")).read_text())["env"]
    assert "ANTHROPIC_BASE_URL" not in env


@pytest.mark.key_in("*/settings.json")
def test_the_same_values_are_no_problem(old: CccProject) -> None:
    """A file that sets what the provider sets overrides nothing."""
    env = old.provider()["env"]
    put_settings(old, "user", ANTHROPIC_AUTH_TOKEN=env["ANTHROPIC_AUTH_TOKEN"])
    old.run("kimi", "-p", "hi").succeeded()


class TestLearning:
    """A launch of a claude that nothing is known about."""

    def files(self, project: CccProject) -> list[str]:
        """Return the endings of the files about claudes."""
        return sorted(file.suffix for file in (project.claude_dir / "ccc").glob("client-*"))

    def test_a_known_version(self, old: CccProject) -> None:
        """The answers for a known version are stored, and nothing is started."""
        old.run("kimi", "-p", "hi", env=ON).succeeded()
        assert self.files(old) == [".json"]
        (file,) = (old.claude_dir / "ccc").glob("client-*.json")
        assert "provider_wins" in json.loads(file.read_text())["missing"]

    def test_an_unknown_claude(self, stubbed: CccProject) -> None:
        """A test begins beside the launch, once."""
        for _ in range(2):
            stubbed.run("kimi", "-p", "hi", env=ON).succeeded()
        assert self.files(stubbed) in ([".started"], [".json"])

    def test_it_can_be_turned_off(self, stubbed: CccProject) -> None:
        """With CCC_SELFTEST=off."""
        stubbed.run("kimi", "-p", "hi").succeeded()
        assert self.files(stubbed) == []
