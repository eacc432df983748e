"""The verdict in what a reviewer said: broken in every way, but never a wrong yes."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.domain import verdict
from ccc.domain.verdict import Verdict, find

YES = '{"completed": true, "feedback": ""}'
NO = '{"completed": false, "feedback": "add a test"}'
ADD = Verdict(False, "add a test")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (YES, Verdict(True)),
        (NO, ADD),
        (f"I looked at it.\n\n{NO}\n", ADD),
        (f"```json\n{NO}\n```", ADD),
        (f"```\n{NO}\n```\nThat is all.", ADD),
        (f"**{NO}**", ADD),
        (f"First {YES}, then I saw more: {NO}", ADD),
        (
            '{"completed":false,"feedback":"  两个测试失败：\\n1. 甲  "}',
            Verdict(False, "两个测试失败：\n1. 甲"),
        ),
        (
            '{"completed": false, "feedback": "line\nbreak\tand tab"}',
            Verdict(False, "line\nbreak\tand tab"),
        ),
        ('{"completed": false, "feedback": null}', Verdict(False)),
        ('{"completed": false}', Verdict(False)),
        ('{"completed": false, "feedback": "?", "needs_user": true}', Verdict(False, "?", True)),
        ('{"completed": false, "feedback": "?", "needs_user": "true"}', Verdict(False, "?")),
        (
            '{"completed": false, "feedback": "a {brace} and a }"}',
            Verdict(False, "a {brace} and a }"),
        ),
        (f'{{"tests": {{"passed": 3}}}} {NO}', ADD),
        (f"if (x) {{ return; }}\n{NO}", ADD),
        (f"func f() {{ g({{}}) }}\n{YES}", Verdict(True)),
        (f"- [x] tests\n```json\n{YES}\n```\n", Verdict(True)),
        (f"All is there.\n\n**{YES}**", Verdict(True)),
        (f"All is there. {YES}", Verdict(True)),
        (f"All is there.\n{YES}\n[TASK_COMPLETED]", Verdict(True)),
        (f"I had said {YES}.\n{YES}", Verdict(True)),
        (f"{{{NO}}}", ADD),
        # what was opened and closed before takes nothing from it
        (f'["a", "b"]\n{YES}', Verdict(True)),
        (f"{{verdict: 1}}\n{YES}", Verdict(True)),
        (f"```json {YES} ```", Verdict(True)),
    ],
)
def test_well_formed(text: str, found: Verdict) -> None:
    """001/Supervisor 返回未完成: the last object with a boolean `completed`, wherever it stands."""
    assert find(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{'completed': False, 'feedback': 'add a test'}", ADD),
        ("{'completed': True, 'feedback': ''}", Verdict(True)),
        ('{"completed": False, "feedback": "add a test"}', ADD),
        ('{"completed": false, "feedback": "add a test",}', ADD),
        ('{"completed": false, "feedback": "add a test"', ADD),
        ('{"completed": false, "feedback": "add a test', ADD),
        ('```json\n{"completed": false, "feedback": "add a test"\n```\nThat is all.', ADD),
        ('{completed: false, feedback: "add a test"}', ADD),
        ("{“completed”: false, “feedback”: “add a test”}", ADD),
        ('{"completed": false, "feedback": "他说"好"了"}', Verdict(False, '他说"好"了')),
        ('{"completed": true, "feedback": "",}', Verdict(True)),
    ],
)
def test_slightly_broken(text: str, found: Verdict) -> None:
    """Single quotes, Python's words, a stray comma, a lost bracket are read all the same."""
    assert find(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "All is well.",
        "{}",
        "completed: true",
        '{"completed": "true", "feedback": ""}',
        '{"completed": 1}',
        '{"completed": null}',
        "{'completed': 'true',}",
        '{"completed": tru',
        '{"completed": ',
        '{"feedback": "completed"}',
        '{"example": {"completed": true}}',
        "{'example': {\"completed\": true}}",
        '{"example": {"completed": true}',
        '{"a": [{"completed": true, "feedback": ""}]}',
        '{"feedback": "answer with {\\"completed\\": true}"}',
        '{"passed": 3} {"example": {"completed": true}}',
        "[task_completed]",
        'You asked for {"completed": true or false, "feedback": "…"}',
        '{"completed": true|false, "feedback": "…"}',
        '{"completed": trueish}',
        # said, but within a sentence, or not as the last word
        f"I can't answer {YES}",
        f"The file says: {YES}",
        f"> All is there. {YES}",
        f"{YES} would be wrong: the tests fail.",
        f"{YES}\n\nWait, let me look again.",
        f"> The file `verdict.json` says\n> {YES}",
        f"+{YES}",
        f'"{YES}"',
        f"[\n{YES}\n]",
        f"{{verdict:\n{YES}",
        f"[\n{YES}",
        # beside a no, or in one breath with it
        f"First {NO}\n{YES}",
        f"First {NO}, now {YES}",
        '{"completed": false, "completed": true, "feedback": ""}',
        '{"completed": true, "feedback": "", "completed": false}',
        "{'completed': False, 'completed': True}",
        # cut off: nobody knows what came
        '{"completed": true',
        '{"completed": true, "feedback": "',
        '{"completed": true, "feedback": "but the tests',
        '{"completed": true, "feedback": "see {}',
        '{"completed": true, "feedback": "it ends with }',
        '{"completed": true, "feedback": "}',
        "{'completed': True, 'feedback': '}",
        '{"completed": true, "feedback": "it prints \\"}',
        # repaired into a yes
        '{"feedback": "the API says "completed": true, "needs_user": false"}',
        '{"completed": true\n or false, "feedback": ""}',
        "{'completed': True, 'completed': True}",
        "{'completed': True, 'feedback': 'see {}'}",
        # behind a bracket that is open
        f"So: {{ {{a: 1}}\n{YES}",
        f"{{'completed': True or False}}\n{YES}",
        f"{{'tests': 3\n{YES}",
    ],
)
def test_no_verdict(text: str) -> None:
    """A string is no boolean, an object in an object no verdict, a yes in passing no yes."""
    assert find(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "{'completed': False, 'feedback': 'the file says {\"completed\": true}'}",
        '{"completed": false, "feedback": "it prints {\\"completed\\": true}"}',
        '{"completed": false, "feedback": "it prints {\\"completed\\": true}",}',
        f"The form is {YES}.\n{{'completed': False, 'feedback': 'no'}}",
        f'The form is {YES}.\n{{"completed": false, "feedback": "no",}}',
        f'The form is {YES}.\n```json\n{{"completed": false, "feedback": "no"\n```',
        f'{{"completed": true, "feedback": ""\n\nWait, there is more:\n{NO}',
        f"[TASK_COMPLETED] is for work that is done.\n{NO}",
        f"{NO}\n[TASK_COMPLETED] would be wrong here.",
    ],
)
def test_a_quoted_yes_before_a_no(text: str) -> None:
    """A yes that the reviewer only quotes never wins over its own no, however broken that is."""
    found = find(text)
    assert found is not None
    assert found.completed is False


class TestMark:
    @pytest.mark.parametrize(
        "text",
        [
            "All done. [TASK_COMPLETED]",
            "Everything verified: [TASK_COMPLETED]",
            "[TASK_COMPLETED]",
            "All tasks completed: [TASK_COMPLETED]",
            "所有需求均已核实 [TASK_COMPLETED]",
            '{"passed": 3}\n**[TASK_COMPLETED]**\n',
            "```\n[TASK_COMPLETED]\n```",
            "`[TASK_COMPLETED]` \t",
        ],
    )
    def test_without_json(self, text: str) -> None:
        """000/检测完成标记: the last thing that is said, where the instructions name it."""
        assert find(text, mark=True) == Verdict(True)
        assert find(text, mark=False) is None

    @pytest.mark.parametrize(
        "text",
        [
            "[TASK_COMPLETED] would be too early",
            "Do I say [TASK_COMPLETED]? The tests fail.",
            "[TASK_COMPLETED]\n\nWait, the tests fail.",
            "[TASK_COMPLETED]?",
            "[task_completed]",
            "All done. [TASK_COMPLETED]\n{'completed': maybe}",
        ],
    )
    def test_spoken_about(self, text: str) -> None:
        """Not the last thing: no verdict."""
        assert find(text, mark=True) is None

    @pytest.mark.parametrize(
        "tried",
        [
            "{completed: no idea}",
            '{"verdict": {"completed": false}}',
            '{"Completed": false}',
            '{"completed": "false"}',
            "{＂completed＂：false}",
        ],
    )
    def test_beside_a_try_of_a_verdict(self, tried: str) -> None:
        """What may be a no in JSON is asked about again, whatever mark follows it."""
        assert find(f"{tried}\n[TASK_COMPLETED]", mark=True) is None

    def test_json_takes_precedence(self) -> None:
        """A verdict in JSON counts, the mark beside it does not."""
        assert find(f"{NO}\n[TASK_COMPLETED]", mark=True) == ADD
        assert find(f"{NO}\n{YES}\n[TASK_COMPLETED]", mark=True) is None


class TestProperties:
    @given(st.text())
    def test_never_raises(self, text: str) -> None:
        """Any text at all is read without an error."""
        find(text)

    @given(st.text(alphabet="{}[]\"':, \\\n`completedfeedbacktrueFalse中", max_size=200))
    def test_never_raises_on_what_looks_like_json(self, text: str) -> None:
        """Neither is any text made of JSON's own characters an error."""
        find(text)

    @given(st.text(alphabet="{}[]\"':, \\\n`completedfeedbacktrueFalse中", max_size=120), st.text())
    def test_a_no_at_the_end_is_never_a_yes(self, before: str, feedback: str) -> None:
        """Whatever stands before it, a well-formed no at the end is not turned into a yes."""
        final = json.dumps({"completed": False, "feedback": feedback}, ensure_ascii=False)
        found = find(f"{before}\n{final}")
        assert found is None or not found.completed

    @given(st.text(alphabet=st.characters(exclude_characters="{}[]")), st.text(), st.booleans())
    def test_round_trip_in_prose(self, prose: str, feedback: str, completed: bool) -> None:
        """A no in prose comes out as it went in; a yes where it is the last word."""
        said = json.dumps({"completed": completed, "feedback": feedback})
        text = f"{prose}\n{said}\n" if completed else f"{prose}{said}{prose}"
        assert find(text) == Verdict(completed, feedback.strip())

    @given(
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        )
    )
    def test_from_any_value(self, value: object) -> None:
        """A value that is no object with a boolean `completed` is no verdict."""
        is_one = isinstance(value, dict) and isinstance(value.get("completed"), bool)
        assert (verdict.from_value(value) is not None) is is_one


@pytest.mark.parametrize(
    "part",
    [
        "{",
        '{"completed": ',
        '{"completed": false, "feedback": "',
        "{'completed': [",
        "{'completed': 'x\\'",
        '{"a": {"completed',
    ],
)
def test_bounded_time(part: str) -> None:
    """A megabyte of beginnings takes seconds at the very most."""
    begun = time.process_time()
    found = find(part * (1_000_000 // len(part)))
    assert time.process_time() - begun < 20
    assert found is None or not found.completed


# where Python gives up depends on its version
@pytest.mark.parametrize("depth", [900, 5_000, 100_000])
def test_feedback_nested_too_deeply(depth: int) -> None:
    """Lists in lists in lists are no reason to fail."""
    found = find('{"completed": false, "feedback": ' + "[" * depth + "]" * depth + "}")
    assert found is None or not found.completed


@pytest.mark.parametrize("deep", ['{"a": ' * 20_000, '{"a": ' + "[" * 150_000], ids=len)
def test_objects_nested_too_deeply(deep: str) -> None:
    """What stands inside of them is quoted by somebody: a no is heard, a yes is not."""
    assert find(f"{deep}\n{YES}") is None
    assert find(f"{deep}\n{NO}") == ADD


def test_without_in_bounded_time() -> None:
    """What a reviewer says beside a verdict is found in linear time."""
    begun = time.process_time()
    verdict.without("{" + '"completed"' * 20_000)
    assert time.process_time() - begun < 5
    assert verdict.without(f"Fine. ```json\n{YES}\n``` {{x}}") == "Fine.  {x}"


def test_record() -> None:
    """003/结果 JSON Schema: what is written down has the fields of the schema, with its types."""
    record = verdict.record(Verdict(False, "add a test", True))
    assert record == {"completed": False, "feedback": "add a test", "needs_user": True}
    assert set(record) == set(verdict.SCHEMA["properties"])  # type: ignore[call-overload]
    assert verdict.SCHEMA["required"] == ["completed", "feedback"]
    assert verdict.from_value(record) == Verdict(False, "add a test", True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # closed, though broken: what comes behind it counts
        ("{'a': 1,}\n{'completed': True,}", Verdict(True)),
        ("{'completed': False, 'feedback': 'use {x}'}\n" + YES, None),
        (f"{{'completed': False,}} and then {NO}", ADD),
        # closed: what stands inside is part of it
        ("{'a': {'completed': False,}} ", None),
        (
            "{'completed': False, 'feedback': 'not {\"completed\": false}'}",
            Verdict(False, 'not {"completed": false}'),
        ),
        # not closed: a no inside is heard, a yes behind it is not
        ("{'a': {'completed': False,}", Verdict(False)),
        ("{completed: true or false} }{'completed': True,}", None),
    ],
)
def test_where_a_broken_object_ends(text: str, found: Verdict | None) -> None:
    """An object that was repaired and closes is over; one that lost its bracket is not."""
    assert find(text) == found


@pytest.mark.parametrize(
    "prose",
    [
        "The loop `for (;;) {` is closed now.",
        "It takes range [0, 10) as it should.",
        "+ if (x && y) {\n+   go();",
        "It prints '{' and `[`.",
    ],
)
def test_brackets_of_prose(prose: str) -> None:
    """A bracket that is open in prose or in quoted code takes nothing from a clean verdict."""
    assert find(f"{prose}\n\n```json\n{YES}\n```") == Verdict(True)
    assert find(f"{prose}\n{YES}") == Verdict(True)
    assert find(f"{prose}\n{NO}") == ADD


@pytest.mark.parametrize(
    ("feedback", "words"),
    [
        ([" one ", "", "two", ["three"]], "one\ntwo\nthree"),
        ({"missing": "ä"}, '{"missing": "ä"}'),
        ({}, ""),
        (7, "7"),
    ],
)
def test_feedback_that_is_no_text(feedback: object, words: str) -> None:
    """A list is one point a line; anything else is told as it is."""
    assert verdict.from_value({"completed": False, "feedback": feedback}) == Verdict(False, words)


def test_nested_beyond_reading() -> None:
    """What no parser gets to the end of is no verdict, and what comes behind it is no yes."""
    assert find("{'completed': [" * 900 + YES) is None


def test_beside_the_verdict() -> None:
    """What a reviewer says goes without the object, fenced or not."""
    assert verdict.without(f"I looked.\n```json\n{NO}\n```\n") == "I looked."
    assert verdict.without(f"{NO} Bye.") == "Bye."
    assert verdict.without("Only {words}.") == "Only {words}."
