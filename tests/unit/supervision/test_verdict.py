"""The verdict in a reviewer's text: strict, at the end, and a yes only with the code."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from ccc.supervision import review_request, verdict
from ccc.supervision.verdict import Verdict, find

CODE = "0badc0de"


def is_strict_yes(text: str) -> bool:
    """Whether the text is a JSON object with this review's code and a yes."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return value.get("completed") is True and str(value.get("code")).strip().casefold() == CODE


YES = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
QUOTED = '{"completed": true, "feedback": ""}'
NO = '{"completed": false, "feedback": "add a test"}'
ADD = Verdict(False, "add a test")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (YES, Verdict(True)),
        (NO, ADD),
        (f"I looked at it.\n\n{NO}\n", ADD),
        (f"All is there. {YES}", Verdict(True)),
        (f"```json\n{NO}\n```", ADD),
        (f"- [x] tests\n```json\n{YES}\n```\n", Verdict(True)),
        (f"测试通过，文档也更新了。\n\n```json\n{YES}\n```", Verdict(True)),
        (f"The file says {QUOTED}, and that is right.\n{YES}", Verdict(True)),
        (f"if (x) {{ return; }}\n{YES}", Verdict(True)),
        (f'{{"passed": 3}} for (;;) {{ "a\n{YES}', Verdict(True)),
        (
            f'It prints {{"passed": ...}}, as the {{"a": 1}} here. So: {YES}',
            Verdict(True),
        ),
        (json.dumps(json.loads(YES), indent=2), Verdict(True)),
        (YES.replace(CODE, CODE.upper()), Verdict(True)),
        (YES.replace(CODE, f" {CODE} "), Verdict(True)),
        (YES.replace("}", ', "confidence": 0.9, "checked": ["a.py"]}') + "\n\n", Verdict(True)),
        (f"```JSON\n{YES}\n```  \n", Verdict(True)),
        (
            '{"completed":false,"feedback":"  两个测试失败：\\n1. 甲  "}',
            Verdict(False, "两个测试失败：\n1. 甲"),
        ),
        ('{"completed": false, "feedback": "a\nb\tc"}', Verdict(False, "a\nb\tc")),
        ('{"completed": false, "feedback": null}', Verdict(False)),
        ('{"a": {"completed": false}', Verdict(False)),
        ('{"completed": false}', Verdict(False)),
        (
            '{"completed": false, "feedback": "a {brace} and a }"}',
            Verdict(False, "a {brace} and a }"),
        ),
        ('{"completed": false, "feedback": "?", "needs_user": "true"}', Verdict(False, "?")),
        (f'{{"code": "{CODE}", "completed": false, "needs_user": true}}', Verdict(False, "", True)),
        # with another code, or with the code twice, it may still say no
        ('{"code": "x", "completed": false, "feedback": "add a test"}', ADD),
        (f"The code is {CODE}.\n{YES.replace('true', 'false')}", Verdict(False)),
    ],
)
def test_at_the_end(text: str, found: Verdict) -> None:
    """001/Supervisor 返回未完成: JSON at the end, fenced or not, with prose before it."""
    assert find(text, CODE) == found


@pytest.mark.parametrize(
    "text",
    [
        '{"completed": false, "feedback": "run "make test" first",}',
        '{"Completed": false, "feedback": "run \\"make test\\" first"}',
        '{"COMPLETED": FALSE, "Feedback": "run "make test" first"}',
        '{"completed": "false", "feedback": "run "make test" first"}',
        "{'completed': False, 'feedback': 'run \"make test\" first'}",
        '{completed: false, feedback: "run "make test" first"}',
        '{completed: false,\n feedback: run "make test" first\n}',
        '{“completed”：false，“feedback”：“run "make test" first”}',
        '{"code": x, "feedback": "run "make test" first", "completed": false}',
        '{"completed": false, "feedback": "run "make test" first", "needs_user": false}',
        '{"verdict": {"completed": false, "feedback": "run "make test" first"}}',
        '```json\n{\n  "completed": false,\n  "feedback": "run "make test" first"\n}\n```',
        '**{"completed": false, "feedback": "run "make test" first"}**',
        '[{"completed": false, "feedback": "run "make test" first"}]',
        f'It said {QUOTED}.\n{{"completed": false, "feedback": "run "make test" first",}}',
    ],
)
def test_a_malformed_no(text: str) -> None:
    """A no needs no code, so it is read in each form that models write it in."""
    assert find(text, CODE) == Verdict(False, 'run "make test" first')


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"in f"{x}" and "{y}""', 'in f"{x}" and "{y}"'),
        ('"a "b"\\nc, exit code: 2"', 'a "b"\nc, exit code: 2'),
        ('["a "b"", "c",]', '["a "b"", "c",]'),
        ('""', ""),
    ],
)
def test_feedback_of_a_malformed_no(written: str, read: str) -> None:
    """The feedback is what stands between its key and the next, or the end."""
    assert find(f'{{"Completed": false, "feedback": {written}}}', CODE) == Verdict(False, read)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "All done.",
        "completed: true",
        # no code, or another review's
        QUOTED,
        '{"code": "", "completed": true}',
        '{"code": "deadbeef", "completed": true}',
        f'{{"code": ["{CODE}"], "completed": true}}',
        '{"completed": false, "needs_user": true}',
        # a no, and a quoted yes
        f"Not done: the file only says {QUOTED}",
        f'{{"verdict": {{"completed": false}}}}\n{QUOTED}',
        f'{{"completed": "false"}}\n{QUOTED}',
        f"{{“completed”: false}}\n{QUOTED}",
        f'{{"Completed": false}}\n{QUOTED}',
        f"{NO}\n{QUOTED}",
        # the code twice: one of the two is quoted
        f"I had to say {YES} or not.\n{YES}",
        f"{YES.replace('true', 'false')}\n{YES}",
        f"It is {CODE.upper()}, as in {YES}",
        # not the last thing
        f"{YES}\n\nWait, the tests fail.",
        f"{NO} And so on.",
        f"**{YES}**",
        f'"{YES}"',
        # not a separate object, or not JSON
        f'{{"verdict": {YES}}}',
        f"[{YES}]",
        f'not done {{"a": {YES}',
        f'{{"a": [1, {YES}',
        f'{{"feedback": "line\nbreak", "a": {YES}',
        f'{{"completed": false, "feedback": "it says {YES}',
        YES.replace('""', '"a\nb"'),
        f'{{"code": "{CODE}", "completed": false, "feedback": "a\nb?", "needs_user": true}}',
        YES[:-1],
        f"{YES[:-1]},}}",
        YES.replace('"', "'"),
        YES.replace("true", "True"),
        YES.replace("true", "1"),
        YES.replace("true", '"true"'),
        YES.replace("true", "true or false"),
        YES.replace("true", 'false, "completed": true'),
        YES.replace("true", 'true, "completed": false'),
        # two answers in one
        YES.replace("true", 'true, "needs_user": true'),
        f'{{"Completed": false, "feedback": "it says {QUOTED}"}}',
        '{"completed": false, "completed": true,}',
        '{"completed": false, "needs_user": true,}',
        'The file says {"completed": false}, which is right. {"files": 3,}',
        "[TASK_COMPLETED]",
        review_request.follow_up(CODE).replace("false", "true") + "\nis the form.",
    ],
)
def test_unclear(text: str) -> None:
    """Everything else leads to one more question."""
    assert find(text, CODE) is None


class TestMark:
    @pytest.mark.parametrize(
        "text",
        [
            "All done. [TASK_COMPLETED]",
            "All tasks completed: [TASK_COMPLETED]",
            "所有需求均已核实 [TASK_COMPLETED]",
            '{"passed": 3}\n**[TASK_COMPLETED]**\n',
            f"{YES}\n[TASK_COMPLETED]",
        ],
    )
    def test_where_it_is_asked_for(self, text: str) -> None:
        """000/检测完成标记: the end of the last line, where the instructions name it."""
        assert find(text, CODE, mark=True) == Verdict(True)
        assert find(text, CODE) is None

    @pytest.mark.parametrize(
        "text",
        [
            "[TASK_COMPLETED] would be too early",
            "[TASK_COMPLETED]\n\nWait, the tests fail.",
            "I can't say `[TASK_COMPLETED]`",
            "[task_completed]",
            f"{NO}\n[TASK_COMPLETED]",
            f'{{"verdict": {NO}}}\n[TASK_COMPLETED]',
            f"{NO}\nThe log ends with [TASK_COMPLETED]",
            "{'completed': False}\n[TASK_COMPLETED]",
        ],
    )
    def test_spoken_about(self, text: str) -> None:
        """It doesn't count in the middle, or after a JSON object that says otherwise."""
        assert find(text, CODE, mark=True) is None

    def test_json_counts_beside_it(self) -> None:
        """A reviewer that is asked for the mark may also answer with JSON."""
        assert find(YES, CODE, mark=True) == Verdict(True)
        assert find(f"No [TASK_COMPLETED] yet.\n{NO}", CODE, mark=True) == ADD


class TestProperties:
    @given(st.text(alphabet="{}[]\"':, \\\n`completedfeedbacktrueFalse中", max_size=200))
    def test_no_yes_without_the_code(self, text: str) -> None:
        """Any text is read without an error, and none is a yes without the code."""
        for said in (text, f"{text}\n{QUOTED}"):
            found = find(said, CODE)
            assert found is None or not found.completed

    @given(st.text(alphabet="{}[]\"':, \\\n`completedfeedbacktrueFalse中", max_size=120), st.text())
    def test_a_no_at_the_end_is_never_a_yes(self, before: str, feedback: str) -> None:
        """Whatever comes before it, a well-formed no at the end never becomes a yes."""
        final = json.dumps({"completed": False, "feedback": feedback}, ensure_ascii=False)
        found = find(f"{before}\n{final}", CODE)
        assert found is None or not found.completed

    @given(st.data())
    def test_a_damaged_yes_is_no_yes(self, data: st.DataObject) -> None:
        """Whatever is removed from a yes and put in its place, only strict JSON remains a yes."""
        start = data.draw(st.integers(0, len(YES)))
        end = data.draw(st.integers(start, min(start + 12, len(YES))))
        put = data.draw(st.text(alphabet="{}[]\"'“:，, \\\ntrueFalse", max_size=6))
        said = YES[:start] + put + YES[end:]
        found = find(said, CODE)
        if found and (found.completed or found.needs_user):
            begins = (at for at, char in enumerate(said) if char == "{")
            assert any(is_strict_yes(said[at:]) for at in begins)

    @given(st.text(alphabet=st.characters(exclude_characters="{}[]")), st.text(), st.booleans())
    def test_round_trip(self, prose: str, feedback: str, completed: bool) -> None:
        """A verdict after prose is read back unchanged."""
        said = json.dumps({"code": CODE, "completed": completed, "feedback": feedback})
        assert find(f"{prose}\n{said}\n", CODE) == Verdict(completed, feedback.strip())

    @given(
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        )
    )
    def test_from_any_value(self, value: object) -> None:
        """A value that is no object with a boolean `completed` is no verdict."""
        found = verdict.from_value(value, CODE)
        is_no = isinstance(value, dict) and value.get("completed") is False
        assert (found is not None) is is_no


@pytest.mark.parametrize(
    "part",
    ["{", '{"completed": ', '{"completed": false, "feedback": "', '{"a": {"completed', '{"a":['],
)
def test_bounded_time(part: str) -> None:
    """A megabyte of unfinished objects takes seconds at most."""
    begun = time.process_time()
    assert find(part * (1_000_000 // len(part)), CODE) is None
    assert time.process_time() - begun < 20


# where Python gives up depends on its version
@pytest.mark.parametrize("depth", [900, 5_000, 100_000])
def test_feedback_nested_too_deeply(depth: int) -> None:
    """Deeply nested lists are no error."""
    found = find('{"completed": false, "feedback": ' + "[" * depth + "]" * depth + "}", CODE)
    assert found is None or not found.completed


def test_without_in_bounded_time() -> None:
    """A reviewer's text without its verdict is found in linear time."""
    begun = time.process_time()
    verdict.without("{" + '"completed"' * 20_000)
    assert time.process_time() - begun < 5


def test_record() -> None:
    """003/结果 JSON Schema: what is written down has the fields of the schema but for the code."""
    record = to_builtins(Verdict(False, "add a test", True))
    assert record == {"completed": False, "feedback": "add a test", "needs_user": True}
    assert {*record, "code"} == set(verdict.SCHEMA["properties"])  # type: ignore[call-overload]
    assert verdict.SCHEMA["required"] == ["code", "completed", "feedback"]


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
    """A list has one point per line; anything else is shown as it is."""
    value = {"completed": False, "feedback": feedback}
    assert verdict.from_value(value, CODE) == Verdict(False, words)


def test_beside_the_verdict() -> None:
    """A reviewer's text is returned without the object, fenced or not."""
    assert verdict.without(f"I looked.\n```json\n{NO}\n```\n") == "I looked."
    assert verdict.without(f"{NO} Bye.") == "Bye."
    assert verdict.without("Only {words}.") == "Only {words}."
