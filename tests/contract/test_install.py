"""`ccc install`: supervision without a provider configured in ccc."""

import json
from pathlib import Path

import pytest
from stops import Supervised, snapshot

from harness import CccProject
from harness.programs import path_without


@pytest.fixture
def bare(stubbed: CccProject) -> CccProject:
    """A machine on which ccc was never configured."""
    (stubbed.claude_dir / "ccc.json").unlink()
    return stubbed


def names(project: CccProject) -> set[str]:
    """Return the names of the files in claude's directory."""
    files = (path for path in project.claude_dir.rglob("*") if path.is_file())
    return {str(path.relative_to(project.claude_dir)) for path in files}


def test_what_it_adds(bare: CccProject) -> None:
    """It adds the hook, the commands and the prompt, but no configuration."""
    outcome = bare.run("install").succeeded()
    assert outcome.stdout == ""
    assert "~/.claude now has the Stop hook" in outcome.stderr
    assert "/supervisor <task>" in outcome.stderr
    commands = {"commands/supervisor.md", "commands/supervisoroff.md"}
    ours = {"ccc/ledger.json", "ccc/lock"}
    assert names(bare) == {"settings.json", "SUPERVISOR.md", *commands, *ours}
    assert f"{bare.ccc} supervisor-hook" in bare.read(".claude/settings.json")
    assert "supervisor-mode on --this-session" in bare.read(".claude/commands/supervisor.md")


def test_again(bare: CccProject) -> None:
    """A second run changes nothing, and says so with the next step."""
    assert "Nothing to do" not in bare.run("install").succeeded().stderr
    before = {name: bare.read(f".claude/{name}") for name in names(bare)}
    told = bare.run("install").succeeded().stderr
    assert "Nothing to do: ~/.claude already has the Stop hook" in told
    assert "Start claude and type: /supervisor <task>" in told
    assert {name: bare.read(f".claude/{name}") for name in names(bare)} == before


def test_without_claude_on_path(stubbed: CccProject) -> None:
    """It says what to start: ccc if a provider is configured, else what is missing."""
    (stubbed.bin / "claude").unlink()
    env = {"PATH": f"{stubbed.bin}:{path_without()}"}
    told = stubbed.run("install", env=env).succeeded().stderr
    assert "Start ccc and type: /supervisor <task>" in told
    (stubbed.claude_dir / "ccc.json").unlink()
    told = stubbed.run("install", env=env).succeeded().stderr
    assert "There is no claude on your PATH." in told
    assert "Start claude" not in told


def test_what_is_there_stays(bare: CccProject) -> None:
    """Every other byte of settings.json stays, and uninstall restores the file."""
    users = '{\n\t"model": "opus",  "hooks": {"Stop": [ {} ]}\n}\n'
    bare.write(".claude/settings.json", users)
    bare.run("install").succeeded()
    assert '"model": "opus",  "hooks"' in bare.read(".claude/settings.json")
    bare.run("uninstall", "--yes").succeeded()
    assert bare.read(".claude/settings.json") == users


@pytest.mark.parametrize("users", ["{broken", '{"hooks": []}'])
def test_settings_that_can_not_be_read(bare: CccProject, users: str) -> None:
    """A broken settings.json is an error that names it, and stays unchanged."""
    bare.write(".claude/settings.json", users)
    outcome = bare.run("install")
    assert outcome.code == 1
    assert "settings.json" in outcome.stderr
    assert bare.read(".claude/settings.json") == users


def test_a_command_of_the_users_own(bare: CccProject) -> None:
    """The user's own /supervisor is kept and reported, with exit code 1."""
    bare.write(".claude/commands/supervisor.md", "mine\n")
    outcome = bare.run("install")
    assert outcome.code == 1
    assert "is not ccc's and was not changed" in outcome.stderr
    assert bare.read(".claude/commands/supervisor.md") == "mine\n"


def test_chinese(bare: CccProject) -> None:
    """In Chinese, the prompt and the status text are Chinese, too."""
    outcome = bare.run("install", env={"LANG": "zh_CN.UTF-8"}).succeeded()
    assert "/supervisor <任务>" in outcome.stderr
    assert "监督者" in bare.read(".claude/SUPERVISOR.md")
    assert "检查中" in bare.read(".claude/settings.json")


def test_doctor_is_content(bare: CccProject) -> None:
    """Without a provider, `ccc doctor` reports a problem before `ccc install` and none after."""
    found = json.loads(bare.run("doctor", "--json").stdout)["findings"]
    assert [f["mark"] for f in found if f["name"] == "config"] == ["problem"]
    bare.run("install").succeeded()
    found = json.loads(bare.run("doctor", "--json").stdout)["findings"]
    assert [f["mark"] for f in found if f["name"] == "config"] == ["ok"]


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help(bare: CccProject, words: list[str]) -> None:
    """--help prints the usage and writes nothing."""
    before = snapshot(bare.home)
    assert "Usage: ccc install" in bare.run("install", *words).succeeded().stdout
    assert bare.run("install", "--nonsense").code == 1
    assert snapshot(bare.home) == before


def test_checks_without_a_provider(supervised: Supervised) -> None:
    """ccc.json may contain only checks, or be missing."""
    supervised.set_state(provider="")
    path = supervised.project.write(".claude/ccc.json", '{"supervisor": {"checks": ["false"]}}')
    assert "`false`" in supervised.stop().answer["reason"]
    path.unlink()
    assert "completed" in supervised.stop(prompt_id="p2").message
    (argv,) = supervised.notes("argv")
    settings = json.loads(Path(argv[argv.index("--settings") + 1]).read_text())
    assert settings["disableAllHooks"] is True
    assert "env" not in settings
