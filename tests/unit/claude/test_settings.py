"""ccc's Stop hook in the user's settings, and the settings files that belong to ccc."""

import copy
import json
import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import settings
from ccc.claude.formats.settings import WrongShape, with_hook
from ccc.text import jsontext

COMMAND = settings.hook_command("/opt/ccc/bin/ccc")
STATUS = "Supervisor: reviewing the work"
ENTRY = settings.hook_entry(COMMAND, STATUS)
HOOK = ENTRY["hooks"][0]  # type: ignore[index]


def stop_hooks(value: Any) -> list[Any]:
    """Return all Stop hooks in order."""
    return [hook for group in value["hooks"]["Stop"] for hook in group.get("hooks", [])]


# --- whose hook it is ------------------------------------------------------------------

OURS = [
    "ccc supervisor-hook",
    "/usr/local/bin/ccc supervisor-hook",
    "'/opt/with space/ccc' supervisor-hook",
    '"/opt/with space/ccc" supervisor-hook',
    "/opt/ccc/bin/ccc  supervisor-hook",
    "'ccc' supervisor-hook",
    "~/.local/bin/ccc supervisor-hook",
    "ccc supervisor-hook --settings x --state-dir y",
    "/a/ccc supervisor-hook --settings '/a b/settings.json' --state-dir /c",
]
NOT_OURS = [
    "/x/myccc supervisor-hook",
    "myccc supervisor-hook",
    "/x/ccc2 supervisor-hook",
    "ccc-supervisor-hook",
    "/x/ccc-supervisor-hook",
    "echo ccc supervisor-hooks",
    "/x/ccc supervisor-hooks",
    "/x/ccc supervisor-mode on",
    "/x/ccc/run supervisor-hook",
    "echo supervisor-hook",
    "ccc",
    "",
]


@pytest.mark.parametrize("command", OURS)
def test_ours(command: str) -> None:
    """A Stop hook of any ccc is recognized, quoted or not, with or without arguments."""
    assert settings.is_ours({"type": "command", "command": command})


@pytest.mark.parametrize("command", NOT_OURS)
def test_only_looks_like_ours(command: str) -> None:
    """A program with a similar name is not ccc."""
    assert not settings.is_ours({"type": "command", "command": command})


@pytest.mark.parametrize("hook", [None, [], "ccc supervisor-hook", {}, {"command": 1}])
def test_something_else_is_not_ours(hook: object) -> None:
    """A value without a command is not ccc's hook, and no error either."""
    assert not settings.is_ours(hook)


@given(st.text(st.sampled_from("ab /'\"$\\中-"), max_size=8))
def test_our_command_is_known_again(directory: str) -> None:
    """The command runs exactly this ccc in any directory, and is recognized as ccc's."""
    command = settings.hook_command(f"/{directory}/ccc")
    assert shlex.split(command) == [f"/{directory}/ccc", "supervisor-hook"]
    assert settings.is_ours({"command": command})


def test_the_entry_is_as_claude_reads_it() -> None:
    """The entry has a timeout longer than any review, and the given text for the spinner."""
    assert ENTRY == {
        "hooks": [
            {
                "type": "command",
                "command": "/opt/ccc/bin/ccc supervisor-hook",
                "timeout": 14_400,
                "statusMessage": "Supervisor: reviewing the work",
            }
        ]
    }


# --- adding it -------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_file_gets_the_hook_alone(text: str) -> None:
    """An empty file gets only ccc's hook."""
    assert with_hook(text, COMMAND, STATUS) == jsontext.dump({"hooks": {"Stop": [ENTRY]}})


@pytest.mark.parametrize("body", ["", "\r\n", "{}", '{\n  "model": "opus"\n}\n'])
def test_a_byte_order_mark_stays(body: str) -> None:
    """A BOM, which claude accepts, is kept, and the rest is as without it."""
    assert with_hook("\ufeff" + body, COMMAND, STATUS) == "\ufeff" + with_hook(
        body, COMMAND, STATUS
    )


USERS = """{
    "disableAllHooks": true,
    "model":   "opus",
    "cost": 1.10,
    "名": "\\u4e2d/文",
    "hooks": {
        "PreToolUse": [ {"matcher":"Bash","hooks":[{"type":"command","command":"lint"}]} ],
        "Stop": [
            {
                "hooks": [
                    {"type": "command", "command": "say done", "timeout": 5e0}
                ]
            }
        ]
    }, "env": {"A":"1"}
}"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("final", ["", "\n"])
def test_everything_of_the_users_stays(newline: str, final: str) -> None:
    """ccc's entry comes after the user's last one, and every other byte is unchanged."""
    text = (USERS + final).replace("\n", newline)
    step = " " * 4
    piece = json.dumps(ENTRY, indent=4, ensure_ascii=False).replace("\n", newline + step * 3)
    users_last = f"{newline}{step * 3}}}"
    front, back = text.split(users_last)
    expected = f"{front}{users_last},{newline}{step * 3}{piece}{back}"
    assert with_hook(text, COMMAND, STATUS) == expected


@pytest.mark.parametrize("command", OURS)
@pytest.mark.parametrize("shared", [False, True])
def test_an_older_entry_of_ours_is_replaced(command: str, shared: bool) -> None:
    """An entry with another path or arguments is replaced in place, never duplicated."""
    old: dict[str, object] = {"type": "command", "command": command, "timeout": 60}
    mine = {"type": "command", "command": "mine"}
    before = {"hooks": {"Stop": [{"hooks": [mine]}, {"hooks": [mine, old] if shared else [old]}]}}
    after = {"hooks": {"Stop": [{"hooks": [mine]}, {"hooks": [mine, HOOK] if shared else [HOOK]}]}}
    assert json.loads(with_hook(json.dumps(before, indent=2), COMMAND, STATUS)) == after


def test_an_entry_that_is_right_is_not_rewritten() -> None:
    """ccc's entry in another layout stays byte for byte."""
    text = '{\n  "hooks": {"Stop": [\n' + json.dumps(ENTRY, indent=7) + "]}\n}"
    assert with_hook(text, COMMAND, STATUS) == text


@pytest.mark.parametrize("command", NOT_OURS)
def test_a_hook_that_looks_like_ours_stays(command: str) -> None:
    """A program with a similar name keeps its entry, and ccc's is added."""
    theirs = {"matcher": "x", "hooks": [{"type": "command", "command": command}]}
    result = with_hook(json.dumps({"hooks": {"Stop": [theirs]}}), COMMAND, STATUS)
    assert json.loads(result) == {"hooks": {"Stop": [theirs, ENTRY]}}


def test_doubled_entries_become_one() -> None:
    """One of several ccc entries remains; a group that contained nothing else is removed."""
    mine, old = {"type": "command", "command": "mine"}, {"command": "/old/ccc supervisor-hook"}
    groups = [
        {"hooks": [old, mine, old]},
        {"matcher": "m", "hooks": [old]},
        {"hooks": [mine, old]},
        {"hooks": [old, old]},
        {"hooks": []},
    ]
    result = json.loads(with_hook(json.dumps({"hooks": {"Stop": groups}}), COMMAND, STATUS))
    assert result["hooks"]["Stop"] == [{"hooks": [HOOK, mine]}, {"hooks": [mine]}, {"hooks": []}]


def test_ours_in_other_events_is_not_touched() -> None:
    """Only the Stop event is changed."""
    other = {"SubagentStop": [{"hooks": [{"command": "/old/ccc supervisor-hook"}]}]}
    result = json.loads(with_hook(json.dumps({"hooks": other}), COMMAND, STATUS))
    assert result == {"hooks": {**other, "Stop": [ENTRY]}}


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
USER_HOOK = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["mine", "中", *NOT_OURS])},
    optional={"timeout": st.integers(1, 9)},
)
OUR_OLD_HOOK = st.fixed_dictionaries(
    {"command": st.sampled_from(OURS)}, optional={"timeout": st.integers(1, 9)}
)
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(USER_HOOK | OUR_OLD_HOOK | st.just(HOOK), max_size=3)},
    optional={"matcher": st.text(max_size=3)},
)
HOOKS = st.fixed_dictionaries(
    {},
    optional={"Stop": st.lists(GROUP, max_size=3), "PreToolUse": st.lists(GROUP, max_size=2)},
)
SETTINGS = st.builds(
    lambda rest, hooks: {**rest, **hooks},
    st.dictionaries(st.text(max_size=5).filter(lambda k: k != "hooks"), PLAIN, max_size=3),
    st.fixed_dictionaries({}, optional={"hooks": HOOKS, "disableAllHooks": st.booleans()}),
)
INDENTS = st.sampled_from([None, 2, 4, "\t"])


def model(value: dict[str, Any]) -> dict[str, Any]:
    """Return the expected settings: ccc's hook once, in its first place, the rest unchanged."""
    result = copy.deepcopy(value)
    stop = result.setdefault("hooks", {}).setdefault("Stop", [])
    seen = False
    for group in stop:
        had = len(group["hooks"])
        kept = []
        for hook in group["hooks"]:
            if not settings.is_ours(hook):
                kept.append(hook)
            elif not seen:
                seen = True
                kept.append(HOOK)
        group["hooks"] = kept if kept or not had else None
    result["hooks"]["Stop"] = [group for group in stop if group["hooks"] is not None]
    if not seen:
        result["hooks"]["Stop"].append(ENTRY)
    return result


@given(SETTINGS, INDENTS)
def test_any_settings_get_our_hook_exactly_once(
    value: dict[str, Any], indent: str | int | None
) -> None:
    """The result is the original plus one ccc entry, and a second time changes no byte."""
    text = json.dumps(value, indent=indent)
    result = with_hook(text, COMMAND, STATUS)
    assert json.loads(result) == model(value)
    assert sum(settings.is_ours(hook) for hook in stop_hooks(json.loads(result))) == 1
    assert with_hook(result, COMMAND, STATUS) == result
    assert settings.has_hook(json.loads(result))


@given(SETTINGS, INDENTS)
def test_another_ccc_takes_the_entry_over(value: dict[str, Any], indent: str | int | None) -> None:
    """An upgrade to another path and back gives the same bytes."""
    once = with_hook(json.dumps(value, indent=indent, ensure_ascii=False), COMMAND, STATUS)
    moved = with_hook(once, settings.hook_command("/new place/ccc"), STATUS)
    assert moved != once
    assert with_hook(moved, COMMAND, STATUS) == once


@given(SETTINGS, INDENTS)
def test_another_status_text_takes_its_place(
    value: dict[str, Any], indent: str | int | None
) -> None:
    """A text in another language replaces the first, and back gives the same bytes."""
    once = with_hook(json.dumps(value, indent=indent, ensure_ascii=False), COMMAND, STATUS)
    chinese = with_hook(once, COMMAND, "Supervisor: 审查中")
    entry = {**HOOK, "statusMessage": "Supervisor: 审查中"}  # type: ignore[dict-item]
    assert [h for h in stop_hooks(json.loads(chinese)) if settings.is_ours(h)] == [entry]
    assert with_hook(chinese, COMMAND, STATUS) == once


WRONG = [
    ("[]", "."),
    ('"x"', "."),
    ("null", "."),
    ('{"hooks": []}', "hooks"),
    ('{"hooks": {"Stop": {}}}', "hooks.Stop"),
    ('{"hooks": {"Stop": "x"}}', "hooks.Stop"),
    ('{"hooks": {"Stop": ["x"]}}', "hooks.Stop[0]"),
    ('{"hooks": {"Stop": [{}, null]}}', "hooks.Stop[1]"),
    ('{"hooks": {"Stop": [{"hooks": {}}]}}', "hooks.Stop[0].hooks"),
    ('{"hooks": {"Stop": [{"hooks": []}, {"hooks": "x"}]}}', "hooks.Stop[1].hooks"),
]


@pytest.mark.parametrize(("text", "path"), WRONG)
def test_a_wrong_shape_is_named(text: str, path: str) -> None:
    """Settings that claude could not read are rejected with the key's path, even when reading."""
    with pytest.raises(WrongShape) as caught:
        with_hook(text, COMMAND, STATUS)
    assert caught.value.path == path
    with pytest.raises(WrongShape) as caught:
        settings.read(text)
    assert caught.value.path == path


def test_broken_json_is_refused() -> None:
    """Invalid JSON is an error with its location, not a new file."""
    with pytest.raises(jsontext.JsonError) as caught:
        with_hook('{\n  "model": "opus",\n}', COMMAND, STATUS)
    assert (caught.value.line, caught.value.column) == (2, 18)


@pytest.mark.parametrize(
    ("text", "value"),
    [("", {}), ("\ufeff", {}), (" \n", {}), ('\ufeff{"a": 1}', {"a": 1}), ('{"a": 1}', {"a": 1})],
)
def test_read_is_as_lenient_as_claude(text: str, value: object) -> None:
    """An empty file and a byte order mark are no error."""
    assert settings.read(text) == value


EXACT = [
    "{}",
    '{"hooks": {"PreToolUse": []}}',
    '\ufeff{"a": 1}',
    '{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
    '{\r\n\t"a": [ ],\r\n\t"hooks": {"Stop": [{"matcher": ""}]}\r\n}',
]


@pytest.mark.parametrize("text", EXACT)
def test_a_removed_hook_leaves_the_users_text(text: str) -> None:
    """What is the user's keeps its form."""
    after = with_hook(text, COMMAND, STATUS)
    assert after != text
    assert settings.without_hook(after) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("{ }", {}),
        ("{\n}\n", {}),
        ("", {}),
        ("\ufeff\n", {}),
        ('{"hooks": {}}', {}),
        ('{"hooks": null}', {}),
        ('{"hooks": {"Stop": null}, "a": 1}', {"a": 1}),
        ('{"hooks": {"Stop": [\n  ], "B": []}}', {"hooks": {"B": []}}),
    ],
)
def test_empty_containers_go_with_the_hook(text: str, left: object) -> None:
    """A container that had nothing but ccc's hook is removed with it."""
    after = settings.without_hook(with_hook(text, COMMAND, STATUS))
    assert json.loads(after.removeprefix("\ufeff")) == left
    assert after.startswith("\ufeff") == text.startswith("\ufeff")


@given(SETTINGS, INDENTS)
def test_any_settings_come_back(value: dict[str, Any], indent: int | None) -> None:
    """Adding and removing ccc's hook leaves no trace but in empty containers."""
    text = settings.without_hook(json.dumps(value, indent=indent))
    after = settings.without_hook(with_hook(text, COMMAND, STATUS))
    before = json.loads(text)
    hooks = before.pop("hooks", {})
    if not hooks.get("Stop"):
        hooks.pop("Stop", None)
    assert json.loads(after) == {**before, **({"hooks": hooks} if hooks else {})}


def test_a_hook_that_the_user_worked_on_is_taken_out() -> None:
    """What the user added next to ccc's hook stays: in its group, in its list, around it."""
    text = json.dumps(
        {
            "hooks": {
                "Stop": [{"hooks": [HOOK, {"type": "command", "command": "mine"}]}, ENTRY],
                "PreToolUse": [],
            }
        }
    )
    left = json.loads(settings.without_hook(text))
    mine = {"hooks": [{"type": "command", "command": "mine"}]}
    assert left == {"hooks": {"Stop": [mine], "PreToolUse": []}}


def test_nothing_empty_is_left() -> None:
    """Containers that held only ccc's hook are removed with it."""
    assert settings.without_hook(with_hook("{}", COMMAND, STATUS)) == "{}"
    assert settings.without_hook('{"a": 1}') == '{"a": 1}'


# --- files that belong to ccc ----------------------------------------------------------


@pytest.mark.parametrize(
    ("under", "over", "merged"),
    [
        ({}, {}, {}),
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": 1}, {"a": None}, {"a": None}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 3, "z": 4}}, {"a": {"x": 1, "y": 3, "z": 4}}),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"d": 2}}}, {"a": {"b": {"c": 1, "d": 2}}}),
        ({"a": [1, 2]}, {"a": [2, 3]}, {"a": [1, 2, 3]}),
        ({"a": {"x": 1}}, {"a": 2}, {"a": 2}),
        ({"a": 2}, {"a": {"x": 1}}, {"a": {"x": 1}}),
    ],
)
def test_merge(
    under: dict[str, object], over: dict[str, object], merged: dict[str, object]
) -> None:
    """Objects are merged, anything else is replaced, and neither input is changed."""
    before = copy.deepcopy((under, over))
    assert settings.merge(under, over) == merged
    assert (under, over) == before


def test_our_status_line() -> None:
    """It is refreshed while a hook runs, and recognized wherever that ccc was."""
    line = settings.status_line("/opt/my ccc/ccc")
    assert line == {
        "type": "command",
        "command": "'/opt/my ccc/ccc' statusline",
        "refreshInterval": 2,
    }
    assert settings.is_our_status_line(line)
    others = [None, "ccc statusline", {}, {"command": 7}, {"command": "/x/mine statusline"}]
    assert not any(map(settings.is_our_status_line, others))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("text", "value", "after"),
    [
        ("", None, ""),
        (" \n", None, " \n"),
        ("", {"a": 1}, '{\n  "statusLine": {\n    "a": 1\n  }\n}\n'),
        ('{"x": 1}', None, '{"x": 1}'),
        ('{"x": 1, "statusLine": {"a": 1}}', None, '{"x": 1}'),
        ('{"statusLine": 5,  "x": 1}', {}, '{"statusLine": {},  "x": 1}'),
    ],
)
def test_with_status_line(mark: str, text: str, value: object, after: str) -> None:
    """It is set, replaced or removed, and every other byte is unchanged."""
    assert settings.with_status_line(mark + text, value) == mark + after


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_without_env(mark: str) -> None:
    """Only the named variables are removed."""
    text = mark + '{"env": {"A": "1",  "B": "2", "C": "3"}, "x": 1}'
    left = settings.without_env(text, ["A", "C"])
    assert left == mark + '{"env": {"B": "2"}, "x": 1}'
    assert settings.without_env(text, []) == text


@pytest.mark.parametrize(
    ("under", "over", "merged"),
    [([1], 5, 5), (5, [1], [1]), ([1], None, None), ([1, 2], [2, 3], [1, 2, 3]), ({}, [1], [1])],
)
def test_merging_what_does_not_fit(under: object, over: object, merged: object) -> None:
    """Only two lists are joined; anything else is replaced."""
    assert settings.merge({"a": under}, {"a": over}) == {"a": merged}


@pytest.mark.parametrize(
    ("groups", "found"),
    [
        (None, []),
        ([], []),
        ([ENTRY], []),
        ([{"matcher": "x"}], []),
        ([{"hooks": "x"}], []),
        ([{"hooks": ["x", None, HOOK, {"command": "a"}]}, {"hooks": [{"type": "prompt"}]}], None),
    ],
)
def test_stop_hooks_of_others(groups: object, found: list[object] | None) -> None:
    """Stop hooks of others are returned in order."""
    wanted = [{"command": "a"}, {"type": "prompt"}] if found is None else found
    assert list(settings.other_stop_hooks({"hooks": {"Stop": groups}})) == wanted
    assert list(settings.other_stop_hooks({})) == []
