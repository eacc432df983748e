"""No page shows a key, however a record or a task spells it."""

import json

import pytest

from ccc.backlog.task import QueuedTask
from ccc.sessions import record_file
from ccc.sessions.known_keys import KnownKeys
from ccc.storage.paths import Paths
from ccc.text.redaction import HIDDEN

KEY = "sk-ab/cd==\"q'XYZ\\9876é"


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> KnownKeys:
    """The keys of a user who has one with every kind of character."""
    monkeypatch.setenv("MY_TOKEN", KEY)
    monkeypatch.setattr(record_file, "_redactors", [])
    known = KnownKeys(Paths({"CLAUDE_CONFIG_DIR": "/nowhere"}))
    known._read_at = (-1,)
    known.look()
    return known


@pytest.mark.parametrize("around", ["", '"', "'", "\"'", "\\"])
def test_tasks(keys: KnownKeys, around: str) -> None:
    """Quotes in the key and around it don't matter."""
    task = QueuedTask(text=f"{around}{KEY}{around}", checks=("make", KEY))
    hidden = keys.hide_in(task)
    assert hidden.text == f"{around}{HIDDEN}{around}"
    assert hidden.checks == ("make", HIDDEN)
    other = QueuedTask(text='it\'s "quoted"')
    assert keys.hide_in(other) == other


def test_escapes_in_records(keys: KnownKeys) -> None:
    """A key is hidden in a record before it is parsed, whatever is escaped in it."""
    assert keys
    spelled = (
        "".join(f"\\u{ord(char):04x}" for char in KEY),
        "".join(f"\\u{ord(char):04X}" for char in KEY),
        json.dumps(KEY)[1:-1],
        json.dumps(KEY, ensure_ascii=False)[1:-1].replace("/", "\\/"),
    )
    for each in spelled:
        line = f'{{"said": "<{each}>", "also": "\\ud83d\\ude00\\n\\\\u0041"}}'
        assert json.loads(line)["said"] == f"<{KEY}>"
        read = json.loads(record_file.without_keys(line.encode()))
        assert read == {"said": f"<{HIDDEN}>", "also": "😀\n\\u0041"}


def test_other_escapes_stay(keys: KnownKeys) -> None:
    """A record without a key is read as it is."""
    assert keys
    line = rb'{"said": "\u0041\/\\u0042 \ud83d"}'
    assert record_file.without_keys(line) == line
