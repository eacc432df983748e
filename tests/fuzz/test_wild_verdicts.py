"""No wrong "completed": texts whose truth is known by how they are made."""

import json
import re
from collections.abc import Callable

from hypothesis import strategies as st
from wild import NO, NOISE, YES, texts_like, tried

from ccc.claude import judge, stream
from ccc.domain import policy
from ccc.domain.task import Task
from ccc.domain.verdict import find, from_value, without
from harness.soak import Tally

Row = Callable[[str], Tally]

# --- how a model writes ----------------------------------------------------------------

PROSE = st.sampled_from(
    [
        *("", "I looked at it.", "The tests pass.", "测试通过了。", "Two things are missing:"),
        *("- [x] tests\n- [ ] README", "`if (x) { return; }`", "See [the log](log.txt)."),
        *("It says “done”.", 'x = {"a": [1, 2]}', "## Verdict", "\n\n", "The mark is not used."),
    ]
)
FEEDBACK = (
    st.sampled_from(
        ["", "add a test", "甲。\n乙。", 'it prints {"completed": true}', YES, "}", '"']
    )
    | st.sampled_from(["set `completed` to true", "[TASK_COMPLETED]", "see {", "\\", "'x'", "“x”"])
    | st.text(max_size=20)
)


def strict(completed: object, feedback: str) -> str:
    """A verdict in good JSON."""
    return json.dumps({"completed": completed, "feedback": feedback}, ensure_ascii=False)


Make = Callable[[object, str], str]


def loose(form: str) -> Make:
    """A verdict that is almost JSON: `V` is Python's truth, `v` JSON's; `R`, `J`, `F` the words."""

    def make(completed: object, feedback: str) -> str:
        parts = {
            "@V": str(completed),
            "@v": str(completed).lower(),
            "@R": repr(feedback),
            "@J": json.dumps(feedback),
            "@F": feedback,
        }
        return re.sub("@.", lambda found: parts[found[0]], form)

    return make


SINGLE, BARE, COMMA, CURLY, UNESCAPED, BACKWARDS, WIDE = LOOSE = [
    loose("{'completed': @V, 'feedback': @R}"),
    loose('{completed: @v, "feedback": @J}'),
    loose('{"completed": @v, "feedback": @J,}'),
    loose("{“completed”: @v, “feedback”: “@F”}"),
    loose('{"completed": @v, "feedback": "@F"}'),
    loose('{"feedback": @J, "completed": @v,}'),
    loose('{\n  "completed" : @v,\n  "feedback" : @J\n}'),
]
FENCES = st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```", "**{}**", "`{}`", "{}."])

# --- what says no, or nothing ----------------------------------------------------------


@st.composite
def denied(draw: st.DrawFn) -> str:
    """The reviewer's own verdict is no: in good JSON or nearly so."""
    feedback = draw(FEEDBACK)
    made = draw(st.sampled_from([strict, strict, *LOOSE]))(False, feedback)
    return _in(draw(FENCES), made)


def _in(fence: str, text: str) -> str:
    return fence.replace("{}", text, 1)


@st.composite
def undecided(draw: st.DrawFn) -> str:
    """What only looks like a verdict: a yes that is no boolean, is inside, is quoted or cut off."""
    form = draw(st.sampled_from(UNDECIDED))
    return form.replace("@Y", YES).replace("@J", json.dumps(draw(FEEDBACK)))


UNDECIDED = [
    '{"completed": "true", "feedback": @J}',
    '{"completed": 1, "feedback": @J}',
    '{"completed": null, "feedback": @J}',
    '{"completed": [true], "feedback": @J}',
    '{"completed": {"value": true}}',
    '{"completed": true or false, "feedback": @J}',
    '{"completed": true|false}',
    '{"completed": true/false}',
    '{"completed": tru',
    '{"complete": true, "feedback": @J}',
    '{"feedback": "it says {\\"completed\\": true}"}',
    '{"feedback": "it says "completed": true, always"}',
    '{"verdict": @Y}',
    '{"verdict": @Y',
    '{"verdicts": [@Y]}',
    "[@Y]",
    "[@Y",
    "{verdict: @Y",
    '{"completed": false, "completed": true}',
    '{"completed": true, "completed": false}',
    "@Y is what I can't say: the tests fail.",
    "I can't say @Y",
    "> @Y",
    '"@Y"',
    "`print('@Y')`",
    "+@Y",
    "    return '@Y'",
    "@Y\n\nWait, let me check once more.",
    "[TASK_COMPLETED] is not the case.",
    "completed: true",
]


@st.composite
def never_a_yes(draw: st.DrawFn) -> str:
    """An answer that is not a yes: quoted ones at most before its own no, or none of its own."""
    before = draw(st.lists(PROSE | st.sampled_from([YES, f"```\n{YES}\n```", f"The file: {YES}"])))
    end = draw(denied() | undecided())
    return "\n".join([*before, end])


def test_no_wrong_yes(tally: Row) -> None:
    """An answer that is made without a yes of its own at the end is never completed."""

    def trial(text: str) -> None:
        found = find(text, mark=True)
        assert found is None or not found.completed
        if found is not None:
            decision = policy.after_review(Task(), found, "t")
            assert decision.why != "stop.completed"

    tried(tally("verdict: no yes in it"), 500, 15_000, never_a_yes(), trial)


def test_cut_off(tally: Row) -> None:
    """A yes that is cut off anywhere is none; what is cut off might have gone on."""
    made = st.sampled_from([strict, *LOOSE])
    whole = st.tuples(made, FEEDBACK).map(lambda t: str(t[0](True, t[1])))
    cases = st.tuples(PROSE, whole, st.integers(0, 200))

    def trial(case: tuple[str, str, int]) -> None:
        prose, text, at = case
        cut = text[: min(at, len(text) - 1)]
        found = find(f"{prose}\n{cut}")
        assert found is None or not found.completed or _is_whole(cut)

    tried(tally("verdict: cut off"), 300, 8_000, cases, trial)


def _is_whole(text: str) -> bool:
    """Whether what is left is a good verdict all the same, as `{…},` without its comma."""
    try:
        return json.loads(text)["completed"] is True
    except (ValueError, KeyError, TypeError):
        return False


def test_contradictions(tally: Row) -> None:
    """A no and a yes in one answer, in any order, are never a yes."""
    pair = st.permutations([NO, YES])
    between = st.lists(PROSE, max_size=3).map("\n".join)
    cases = st.tuples(pair, between, between, FENCES, FENCES)

    def trial(case: tuple[list[str], str, str, str, str]) -> None:
        (first, last), one, two, outer, inner = case
        found = find(f"{one}\n{_in(outer, first)}\n{two}\n{_in(inner, last)}")
        assert found is None or not found.completed
        if last is NO:
            assert found is not None

    tried(tally("verdict: yes and no"), 200, 4_000, cases, trial)


def test_any_text(tally: Row) -> None:
    """Any text at all is read; without the word or the mark in it, it is no verdict."""
    cases = texts_like(YES, NO, {"completed": False, "feedback": ["a", {"b": 1}]}) | NOISE

    def trial(text: str) -> None:
        found = find(text, mark=True)
        without(text)
        if "completed" not in text and "[TASK_COMPLETED]" not in text:
            assert found is None
        if found is not None and found.completed:
            assert "rue" in text or "[TASK_COMPLETED]" in text
        assert found is None or isinstance(found.feedback, str)

    tried(tally("verdict: any text"), 100, 3_000, cases, trial)


def test_a_spoiled_no(tally: Row) -> None:
    """A no that is damaged in up to three places is a no, or nothing: never a yes by repair."""
    harmless = st.sampled_from(
        ['"', "'", "\\", "{", "}", "[", "]", ",", ":", "\n", "中", "```", " "]
    )

    @st.composite
    def cases(draw: st.DrawFn) -> str:
        made = draw(st.sampled_from([strict, *LOOSE]))
        text = str(made(False, draw(st.sampled_from(["add a test", "", "a “b” c", "x: y"]))))
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(text)))
            gone = draw(st.integers(0, 3))
            text = text[:at] + draw(harmless) + text[at + gone :]
        return draw(PROSE) + "\n" + text

    def trial(text: str) -> None:
        found = find(text)
        assert found is None or not found.completed

    tried(tally("verdict: a damaged no"), 300, 8_000, cases(), trial)


def test_a_yes_is_understood(tally: Row) -> None:
    """The other side: a yes as it was asked for is one, whatever stands before it."""
    made = st.sampled_from([strict, SINGLE, BARE, COMMA, WIDE])
    plain = st.sampled_from(["", "well done", "甲。\n乙。", "it's fine"])
    cases = st.tuples(st.lists(PROSE, max_size=4), made, plain, FENCES)

    def trial(case: tuple[list[str], Make, str, str]) -> None:
        before, make, feedback, fence = case
        text = "\n".join([*before, _in(fence, make(True, feedback))])
        found = find(text)
        assert found is not None
        assert found.completed

    tried(tally("verdict: a yes"), 200, 3_000, cases, trial)


ENDINGS = st.fixed_dictionaries(
    {"type": st.just("result")},
    optional={
        "subtype": st.sampled_from(["success", "error_max_turns", "", None, 7]),
        "is_error": st.sampled_from([True, False, "true", 1, None]),
        "result": never_a_yes() | st.sampled_from([YES, None, 7, [YES], {"completed": True}]),
        "structured_output": st.sampled_from([None, YES, [json.loads(YES)], {"completed": "true"}]),
    },
)


def test_results(tally: Row) -> None:
    """A turn's end is a yes only as a success with one in its text or its structured value."""

    def trial(raws: list[dict[str, object]]) -> None:
        results = [found for raw in raws if (found := stream.result(raw)) is not None]
        found = judge._verdict(results, mark=False)
        last = raws[-1]
        good = last.get("is_error") is not True and last.get("subtype", "success") in (
            "success",
            None,
        )
        if found is not None and found.completed:
            assert good
            assert last.get("result") in (YES, {"completed": True})

    tried(tally("verdict: results"), 200, 4_000, st.lists(ENDINGS, min_size=1, max_size=3), trial)


def test_the_examples_are_good() -> None:
    """What is damaged above is understood where it is not."""
    for make in LOOSE:
        found = find(make(False, "add a test"))
        assert found is not None
        assert (found.completed, found.feedback) == (False, "add a test")
    assert from_value(json.loads(YES)) is not None
