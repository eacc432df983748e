"""A session's state as text: what is read, what is kept, what is rejected."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from ccc.model import state as model
from ccc.model.state import Corrupt, Question, RunState, State, Stop, Task

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
BARE = {name: value for name, value in FULL.items() if name != "run"}

NAMES = {field.name for field in (*fields(State), *fields(Task))}
NAMES = NAMES - {"other", "task", "started"} | {"task_started"}
VERSION_1 = Path(__file__).parent / "version1"
"""Files that the first version wrote."""


def test_every_field() -> None:
    """Each field of the file is read into its attribute."""
    found = model.parse(json.dumps(FULL), "other")
    assert found == State(
        session_id="s",
        enabled=True,
        created_at="2026-01-02T03:04:05+08:00",
        updated_at="2026-01-02T03:04:06+08:00",
        provider="kimi",
        claude="/bin/claude",
        arguments=("--bare",),
        start_head="abc",
        task=Task(
            prompt_id="p",
            count=3,
            started=5.5,
            cost_usd=0.25,
            feedback=("one", "two"),
            feedback_key="k",
            tree="t",
        ),
        run=RunState(cwd="/p"),
    )
    written = json.loads(model.dump(found, {}))
    assert written.keys() == NAMES | {"version"}
    assert [*written][:3] == ["session_id", "enabled", "count"]
    assert {name: written[name] for name in FULL if name != "run"} == BARE
    assert written["run"]["cwd"] == "/p"


def test_an_old_file_is_disabled() -> None:
    """002/加载旧 State 文件兼容性: without `enabled` it is off, the rest is kept."""
    old = '{"session_id": "s", "count": 2, "created_at": "x", "former": ["y"]}'
    found = model.parse(old, "s")
    assert found == State("s", created_at="x", task=Task(count=2), other={"former": ["y"]})
    assert json.loads(model.dump(found, {}))["former"] == ["y"]


def test_an_empty_object_is_a_new_session() -> None:
    """Missing fields have their defaults; the id is the one that was asked for."""
    written = json.loads(model.dump(model.parse("{}", "s"), {}))
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
    before = model.parse('{"count": 1, "later": {"x": [1, null, "中"]}, "n": 1.5}', "s")
    after = json.loads(model.dump(replace(before, enabled=True, task=Task(count=2)), {}))
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
        '{"stop": {"pid": "1"}}',
        '{"run": {"cwd": "/p", "requests": "t"}}',
        '{"run": {"cwd": "/p", "count": "1"}}',
        '{"run": {"cwd": "/p", "saved_at": ' + "9" * 400 + "}}",
        "[" * 100_000,
    ],
)
def test_corrupt(text: str) -> None:
    """Garbage and fields of a wrong type are distinguished from a state."""
    with pytest.raises(Corrupt):
        model.parse(text, "s")


def test_the_error_names_the_key() -> None:
    """What is wrong with a value is told with its path."""
    with pytest.raises(Corrupt, match=r"Expected `int`, got `str` - at `\$\.run\.count`"):
        model.parse('{"run": {"count": "1"}}', "s")


def test_a_stop_of_version_1() -> None:
    """A state that the first version wrote at a review is read and written unchanged."""
    text = (VERSION_1 / "state-stop.json").read_text()
    found = model.parse(text, "abc123")
    assert (found.enabled, found.task.count, found.task.started) == (True, 2, 1795093274.1129825)
    assert (found.task.feedback, found.task.cost_usd) == (("需要补充...",), 0.25)
    assert (found.stop.phase, found.stop.pid, len(found.stop.receipts)) == ("reviewing", 21888, 2)
    assert (found.run, found.asks, found.checks) == (
        None,
        Question(),
        {"true\n": "", "echo 12\n": ""},
    )
    written = json.loads(model.dump(found, {}))
    written["stop"]["check"] = ""  # an empty one is left out
    assert written == json.loads(text)


def test_a_run_of_version_1() -> None:
    """A state that the first version wrote at the end of a run is read; two counts have gone."""
    text = (VERSION_1 / "state-run.json").read_text()
    found = model.parse(text, "x")
    assert found.run
    assert (found.run.task, found.run.phase, found.run.count) == ("do it", "review", 1)
    assert (found.run.tokens["cache_read"], found.run.is_finished) == (4, True)
    assert (found.stop, found.task.prompt_id) == (Stop(), "db0ee4a1-06d8-4fad-bc80-d51abde891af")
    raw = json.loads(text)
    del raw["run"]["agent_counted"], raw["run"]["reviews_counted"]
    assert json.loads(model.dump(found, {})) == raw


def test_a_run_of_an_earlier_ccc() -> None:
    """Fields that an earlier ccc did not write have their defaults; an empty run is none."""
    assert model.parse('{"run": {"cwd": "/p"}}', "s").run == RunState(cwd="/p")
    assert model.parse('{"run": {}}', "s").run is None


def test_long_texts() -> None:
    """A long text is in a file of its own; the state has its beginning."""
    texts: dict[str, str] = {}
    written = model.dump(State("s", request="x" * 9_000, requests=("y", "z" * 9_000)), texts)
    assert (len(texts), len(written) < 8_000) == (2, True)
    found = model.parse(written, "s", texts.get)
    assert (found.request, found.requests[1]) == ("x" * 9_000, "z" * 9_000)
    assert model.parse(written, "s").request == "x" * 2_000 + "…"
    with pytest.raises(Corrupt):
        model.parse(written, "s", {}.get)


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
        "count": st.integers(-(2**63), 2**63),
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
    found = model.parse(text, "s")
    written = model.dump(found, {})
    again = json.loads(written)
    assert {name: again[name] for name in known} == known
    assert again.keys() - NAMES - {"version"} == {"future", *unknown}
    assert replace(model.parse(written, "other"), other=found.other) == found
    assert model.dump(model.parse(written, "other"), {}) == written
    for key, value in unknown.items():
        if "Infinity" not in json.dumps(value):
            assert again[key] == value


@given(st.text(max_size=20) | JSON.map(json.dumps))
def test_any_text_is_a_state_or_corrupt(text: str) -> None:
    """No file with this name is an unhandled error."""
    try:
        assert isinstance(model.parse(text, "s"), State)
    except Corrupt:
        pass
