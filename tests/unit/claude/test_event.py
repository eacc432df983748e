"""claude's input to its StopEvent hook, parsed leniently."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats.event import Background, StopEvent, parse
from ccc.errors import CccError

# as the real client sends it
REAL = {
    "session_id": "abc123",
    "transcript_path": "/x/abc123.jsonl",
    "cwd": "/x",
    "prompt_id": "p1",
    "permission_mode": "bypassPermissions",
    "effort": {"level": "high"},
    "hook_event_name": "Stop",
    "stop_hook_active": True,
    "last_assistant_message": "Done.",
    "background_tasks": [
        {"id": "b1", "type": "shell", "status": "running", "description": "x", "command": "sleep"},
        {"id": "b2", "type": "shell", "status": "running", "command": "sleep 9"},
        {"id": "b3", "status": "running"},
        {"status": "running"},
        {"id": "b4", "status": "completed"},
    ],
    "session_crons": [
        {"id": "w", "schedule": "20 20 * * *", "recurring": False, "prompt": "look\nat CI"}
    ],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def test_real() -> None:
    """001/读取 hook 输入: session_id, stop_hook_active and what else the rules need."""
    assert parse(json.dumps(REAL)) == StopEvent(
        session_id="abc123",
        transcript_path="/x/abc123.jsonl",
        cwd="/x",
        prompt_id="p1",
        permission_mode="bypassPermissions",
        effort="high",
        stop_hook_active=True,
        last_assistant_message="Done.",
        background_tasks=(
            Background("x", "b1"),
            Background("sleep 9", "b2"),
            Background("b3", "b3"),
            Background("?"),
        ),
        wakeups=(Background("look at CI", "w", schedule="20 20 * * *"),),
    )


def test_nothing_said() -> None:
    """An empty object is a stop without any details."""
    assert parse("{}") == StopEvent()


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("value", [None, 7, True, "x", [], [7, None], {}, {"level": None}])
def test_other_types(name: str, value: object) -> None:
    """A field of another type counts as missing; the others are read."""
    found = parse(json.dumps({"session_id": "s", name: value}))
    if name != "session_id":
        assert found.session_id == "s"
    assert isinstance(found.effort, str)
    assert found.background_tasks == ()
    assert found.stop_hook_active is (name == "stop_hook_active" and value is True)


@pytest.mark.parametrize("name", ["session_id", "transcript_path", "cwd", "effort"])
@pytest.mark.parametrize("value", ["a\\u0000b", "a\\ud83db"])
def test_no_path_that_no_process_can_be_given(name: str, value: str) -> None:
    """A value that can't be a path or an argument counts as missing."""
    given_ = f'{{"level": "{value}"}}' if name == "effort" else f'"{value}"'
    assert parse(f'{{"{name}": {given_}}}') == StopEvent()


@pytest.mark.parametrize(
    "text", ["", " ", "null", "[]", '"x"', "7", "{", "{}{}", "\ufeff{}", "{'a': 1}", "[" * 100_000]
)
def test_no_event(text: str) -> None:
    """Anything but a JSON object is no event."""
    with pytest.raises(CccError):
        parse(text)


def test_effort() -> None:
    """The effort level is read if there is one."""
    levels = [parse(json.dumps({"effort": e})).effort for e in ({"level": "high"}, {}, "high")]
    assert levels == ["high", "", ""]


@given(st.text() | JSON.map(json.dumps))
def test_any_text(text: str) -> None:
    """Any text gives an event or an error, nothing else."""
    try:
        found = parse(text)
    except CccError:
        return
    assert isinstance(found, StopEvent)


@given(st.dictionaries(st.sampled_from(list(REAL)), JSON))
def test_any_fields(fields: dict[str, object]) -> None:
    """Any field values are read, as text where text is expected."""
    try:
        found = parse(json.dumps(fields))
    except CccError:  # NaN is no JSON
        return
    assert isinstance(found.session_id, str)
    assert all(isinstance(task.name, str) for task in found.background_tasks)
