"""The front reads a session's state as the model does, and decides as the full hook would."""

import itertools
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.front import session, status_line
from ccc.model.outcome import OUTCOMES
from ccc.model.state import State, Task
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.supervision import session_store
from ccc.ui import formatting

SESSION, OTHER = "abc123", "theirs"


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """An empty home, and an environment without a session."""
    for name in list(os.environ):
        if name.startswith(("CLAUDE", "CCC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return Paths(os.environ)


@pytest.fixture
def child() -> Iterator[int]:
    """A process that stands for a claude below this one."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process.pid
        process.kill()


def write(where: Paths, name: str = SESSION, **values: object) -> State:
    """Write a state with the model."""

    def edit(before: State) -> State:
        return replace(before, **values)  # type: ignore[arg-type]

    return sessions.change(where, name, edit)


def test_the_same_session(where: Paths, child: int) -> None:
    """In every environment, both find the same session."""
    own = os.getpid()
    write(where)
    write(where, "named", is_named=True, conversation=OTHER)
    choices = {
        session.NAMED: (None, SESSION, "named", "unknown", "../x"),
        session.CURRENT: (None, SESSION, OTHER),
        session.LAUNCHER: (None, str(own), str(child), "1", "x"),
        "CLAUDE_PID": (None, str(own), str(child)),
    }
    for values in itertools.product(*choices.values()):
        env = {name: value for name, value in zip(choices, values, strict=True) if value}
        for given in ("", OTHER):
            full = session_store.session_of(env, where.state_dir, given)
            assert session.find(env, where.state_dir, given)[0] == full, env


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("below", ["", OTHER])
def test_whether_it_is_on(
    where: Paths, monkeypatch: pytest.MonkeyPatch, enabled: bool, below: str
) -> None:
    """The hook has nothing to do if supervision is off, unless the agent switched it off."""
    task = Task(count=3)
    written = write(where, enabled=enabled, off_from_below=below, task=task, request="x" * 100_000)
    read = session.load_state(where.state_dir, SESSION) or {}
    assert read["count"] == written.task.count
    shared = ("session_id", "enabled", "off_from_below", "created_at", "updated_at")
    assert {name: read[name] for name in shared} == {n: getattr(written, n) for n in shared}
    monkeypatch.setenv(session.NAMED, SESSION)
    assert session.is_idle([]) is not (enabled or bool(below))


@pytest.mark.parametrize("line", [[], ["--announce"], ["--asks"], ["--failed"]])
def test_no_state(where: Paths, monkeypatch: pytest.MonkeyPatch, line: list[str]) -> None:
    """Without a state there is nothing to do; an unknown option is for the full hook."""
    monkeypatch.setenv(session.CURRENT, OTHER)
    assert session.is_idle(line)
    assert not session.is_idle([*line, "--state-dir=/x"])


def test_a_new_conversation(where: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The full hook has to move the session, whether it is supervised or not."""
    write(where)
    around = {session.NAMED: SESSION, session.LAUNCHER: str(os.getpid())}
    around |= {"CLAUDE_PID": str(os.getpid()), "CLAUDE_PROJECT_DIR": "/"}
    monkeypatch.setattr(session, "_environ_of", lambda pid: {})
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    for current, is_idle in ((SESSION, True), (OTHER, False)):
        monkeypatch.setenv(session.CURRENT, current)
        assert session.is_idle([]) is is_idle


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"{}{}", b"\xff\xfe", b"\xef\xbb\xbf{}", b'{"enabled": "yes"}'],
)
def test_a_malformed_state(where: Paths, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """The full hook reports a state that can't be read."""
    path = Path(where.state(SESSION))
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    monkeypatch.setenv(session.NAMED, SESSION)
    assert not session.is_idle([])
    path.unlink()
    path.mkdir()
    assert not session.is_idle([])


@pytest.mark.parametrize("text", ['{"a": [1, 2.5, NaN, "é\\ud83d\\ude00", {"b": null}]}', " {} \n"])
def test_the_scanner(text: str) -> None:
    """The interpreter's scanner makes the same values as json."""
    assert repr(session.parse(text.encode())) == repr(json.loads(text))


@pytest.mark.parametrize("outcome", [*OUTCOMES, "of-a-later-ccc"])
def test_the_same_outcome(where: Paths, monkeypatch: pytest.MonkeyPatch, outcome: str) -> None:
    """The status line has the mark and the words of the table."""
    monkeypatch.setenv("NO_COLOR", "1")
    write(where, enabled=True, outcome=outcome, task=Task(feedback=("Fix it.",)))
    line = status_line._render({**os.environ, session.CURRENT: SESSION}, {})
    reason = "Fix it." if outcome == "not_completed" else formatting.outcome(outcome)
    assert f" {OUTCOMES[outcome].mark} {reason}\n" in line
