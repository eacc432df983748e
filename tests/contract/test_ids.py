"""Ids, provider names and paths can't leave their directory, wherever they come from."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stops import Supervised, snapshot

from ccc.claude import transcript_files
from ccc.storage.paths import Paths
from ccc.text import names
from harness import CccProject

HOSTILE = ("../victim", "/etc/passwd", "a\nb", "․․/victim", "[a-z]*", "x" * 300, "\udc80")


@pytest.fixture
def home(supervised: Supervised) -> Supervised:
    """Files of the user that look like ccc's, one directory up."""
    supervised.project.write(".claude/victim.json", '{"enabled": true}')
    supervised.project.write("victim.json", '{"enabled": true}')
    return supervised


@pytest.mark.parametrize("name", HOSTILE)
def test_sessions(home: Supervised, name: str) -> None:
    """A bad id from the environment, command line or hook input reads and changes nothing."""
    before = snapshot(home.project.home)
    project = home.project
    commands = [("show", name), ("report", name, "-o", "-")]
    for line in commands:
        outcome = project.run(*line)
        assert outcome.code != 0, outcome
        assert "Traceback" not in outcome.stderr
    foreign = {"CCC_SUPERVISOR_ID": name}
    assert home.stop(env=foreign).silent
    plain = {"CCC_SUPERVISOR_ID": None, "CLAUDE_CODE_SESSION_ID": name}
    assert home.stop(env=plain).silent
    assert home.stop(env={"CCC_SUPERVISOR_ID": None}, session_id=name).silent
    assert project.run("supervisor-mode", "on", "--this-session", env=plain).code != 0
    for mode in ("on", "off", "status"):
        assert project.run("supervisor-mode", mode, env=foreign).code != 0
    assert project.run("kimi", env=foreign).code != 0
    assert snapshot(project.home) == before


@pytest.mark.parametrize("name", HOSTILE)
def test_providers(stubbed: CccProject, name: str) -> None:
    """A bad name in ccc.json or on the command line is an error that states the rule."""
    kimi = stubbed.provider()
    stubbed.write(".claude/ccc.json", json.dumps({"providers": {"kimi": kimi, name: kimi}}))
    before = snapshot(stubbed.home)
    if names.is_provider_name(name):
        return
    assert stubbed.run("kimi").code != 0
    for line in (("provider", "add", name, "--base-url", "https://h", "--key-env", "K"),):
        outcome = stubbed.run(*line)
        assert outcome.code != 0
        assert "Traceback" not in outcome.stderr
    assert snapshot(stubbed.home) == before


def test_the_hooks_session_is_no_path(supervised: Supervised) -> None:
    """An id and paths in the hook's input don't affect where ccc writes."""
    supervised.project.write("victim.jsonl", "{}\n")
    before = (supervised.project.home / "victim.jsonl").read_text()
    away = "../../victim"
    supervised.stop(session_id=away, prompt_id=away, transcript_path=f"/{away}.jsonl", cwd=away)
    assert (supervised.project.home / "victim.jsonl").read_text() == before
    assert all("victim" not in path.name for path in supervised.state_dir.iterdir())


PATHS = Paths({"CCC_CONFIG_DIR": "/c", "CLAUDE_CONFIG_DIR": "/d"}, "/s")


@given(st.text() | st.text(alphabet="./\\\0\n-_a․。"))
def test_every_name_stays(name: str) -> None:
    """Every accepted id or name produces a file directly in its directory."""
    if names.is_session_id(name):
        made = [PATHS.state(name), PATHS.verdicts(name), PATHS.session_settings(name, 1)]
        made += [PATHS.check_output(name, 1), PATHS.feedback(name, 1), PATHS.agent_output(name)]
        assert {str(Path(path).resolve().parent) for path in made} == {"/s"}
    if names.is_provider_name(name):
        made = [PATHS.agent_settings(name), PATHS.reviewer_settings(name)]
        assert {str(Path(path).parent) for path in made} == {"/c"}
        assert not {"/", "\0", "\n"} & set(name)
    assert len(name) <= 128 or not names.is_session_id(name)


def test_a_session_that_is_a_pattern(tmp_path: Path) -> None:
    """A transcript is found by its id, never by a pattern or a path."""
    (tmp_path / "projects" / "p").mkdir(parents=True)
    (tmp_path / "projects" / "p" / "abc.jsonl").touch()
    (tmp_path / "outside.jsonl").touch()
    assert transcript_files.find(str(tmp_path), "abc").endswith("abc.jsonl")
    for hostile in ("*", "a?c", "../../outside", ""):
        assert transcript_files.find(str(tmp_path), hostile) == ""
