"""A session's state as text: what is read, what is kept, what is rejected."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.storage import session_state
from ccc.storage.session_state import Corrupt, State

FULL = {
    "session_id": "s",
    "enabled": True,
    "count": 3,
    "created_at": "2026-01-02T03:04:05+08:00",
    "updated_at": "2026-01-02T03:04:06+08:00",
    "provider": "kimi",
    "claude": "/bin/claude",
    "arguments": ["--bare"],
    "start_head": "abc",
    "prompt_id": "p",
    "task_started": 5.5,
    "cost_usd": 0.25,
    "feedback": ["one", "two"],
    "feedback_key": "k",
    "tree": "t",
    "run": {"cwd": "/p"},
}

NAMES = {field.name for field in fields(State)} - {"other"}


def test_every_field() -> None:
    """Each field of the file is read into its attribute."""
    found = session_state.parse(json.dumps(FULL), "other")
    assert found == State(
        session_id="s",
        enabled=True,
        count=3,
        created_at="2026-01-02T03:04:05+08:00",
        updated_at="2026-01-02T03:04:06+08:00",
        provider="kimi",
        claude="/bin/claude",
        arguments=("--bare",),
        start_head="abc",
        prompt_id="p",
        task_started=5.5,
        cost_usd=0.25,
        feedback=("one", "two"),
        feedback_key="k",
        tree="t",
        run={"cwd": "/p"},
    )
    written = json.loads(session_state.dump(found, {}))
    assert written.keys() == NAMES | {"version"}
    assert {name: written[name] for name in FULL} == FULL


def test_a_task_goes_in_and_out() -> None:
    """A task that is stored in a state comes back unchanged."""
    full = session_state.parse(json.dumps(FULL), "s")
    assert full.task.count == 3
    assert full.task.feedback == ("one", "two")
    assert full.with_task(State("s").task).with_task(full.task) == full
    assert full.with_task(State("s").task).task == State("s").task


def test_an_old_file_is_disabled() -> None:
    """002/加载旧 State 文件兼容性: without `enabled` it is off, the rest is kept."""
    old = '{"session_id": "s", "count": 2, "created_at": "x", "former": ["y"]}'
    found = session_state.parse(old, "s")
    assert found == State("s", False, 2, "x", other={"former": ["y"]})
    assert json.loads(session_state.dump(found, {}))["former"] == ["y"]


def test_an_empty_object_is_a_new_session() -> None:
    """Missing fields have their defaults; the id is the one that was asked for."""
    written = json.loads(session_state.dump(session_state.parse("{}", "s"), {}))
    expected = {
        "session_id": "s",
        "enabled": False,
        "count": 0,
        "created_at": "",
        "updated_at": "",
        "provider": "",
        "claude": "",
        "arguments": [],
        "start_head": "",
        "prompt_id": "",
        "task_started": 0.0,
        "cost_usd": 0.0,
        "feedback": [],
        "feedback_key": "",
        "tree": "",
        "version": 1,
    }
    assert {name: written[name] for name in expected} == expected


def test_unknown_fields_survive_a_change() -> None:
    """A field of another ccc version survives a write."""
    before = session_state.parse('{"count": 1, "later": {"x": [1, null, "中"]}, "n": 1.5}', "s")
    after = json.loads(session_state.dump(replace(before, enabled=True, count=2), {}))
    assert after["later"] == {"x": [1, None, "中"]}
    assert after["n"] == 1.5
    assert (after["enabled"], after["count"], after["session_id"]) == (True, 2, "s")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nonsense",
        '{"enabled": true,}',
        "\ufeff{}",
        "[]",
        "null",
        '"on"',
        "1",
        '{"enabled": 1}',
        '{"enabled": "true"}',
        '{"enabled": null}',
        '{"count": "1"}',
        '{"count": 1.0}',
        '{"count": true}',
        '{"count": null}',
        '{"session_id": 1}',
        '{"created_at": 0}',
        '{"updated_at": []}',
        '{"provider": {}}',
        '{"claude": false}',
        '{"arguments": "--bare"}',
        '{"arguments": [1]}',
        '{"feedback": null}',
        '{"cost_usd": "1"}',
        '{"cost_usd": true}',
        '{"task_started": ' + "9" * 400 + "}",
        '{"task_started": 1e999}',
        "[" * 100_000,
    ],
)
def test_corrupt(text: str) -> None:
    """Garbage and fields of a wrong type are distinguished from a state."""
    with pytest.raises(Corrupt):
        session_state.parse(text, "s")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside, max_size=3)
    ),
    max_leaves=8,
)
KNOWN = st.fixed_dictionaries(
    {},
    optional={
        "session_id": st.text(max_size=5),
        "enabled": st.booleans(),
        "count": st.integers(),
        "created_at": st.text(max_size=5),
        "updated_at": st.text(max_size=5),
        "provider": st.text(max_size=5),
        "claude": st.text(max_size=5),
        "arguments": st.lists(st.text(max_size=5), max_size=3),
        "start_head": st.text(max_size=5),
        "prompt_id": st.text(max_size=5),
        "task_started": st.floats(0, 1e12) | st.integers(0, 10**12),
        "cost_usd": st.floats(0, 1e6),
        "feedback": st.lists(st.text(max_size=5), max_size=3),
        "feedback_key": st.text(max_size=5),
        "tree": st.text(max_size=5),
    },
)
UNKNOWN = st.dictionaries(
    st.text(max_size=6).filter(lambda k: k not in (*NAMES, "version")), JSON, max_size=4
)


@given(KNOWN, UNKNOWN)
def test_nothing_is_lost(known: dict[str, object], unknown: dict[str, object]) -> None:
    """What was read is written, and reading it again gives the same state."""
    text = json.dumps({"future": 1, **known, **unknown}).replace("Infinity", "1e999")
    found = session_state.parse(text, "s")
    written = session_state.dump(found, {})
    again = json.loads(written)
    assert {name: again[name] for name in known} == known
    assert again.keys() - NAMES - {"version"} == {"future", *unknown}
    assert replace(session_state.parse(written, "other"), other=found.other) == found
    assert session_state.dump(session_state.parse(written, "other"), {}) == written
    for key, value in unknown.items():
        if "Infinity" not in json.dumps(value):
            assert again[key] == value


@given(st.text(max_size=20) | JSON.map(json.dumps))
def test_any_text_is_a_state_or_corrupt(text: str) -> None:
    """No file with this name is an unhandled error."""
    try:
        assert isinstance(session_state.parse(text, "s"), State)
    except Corrupt:
        pass
