"""No wrong "completed": generated answers whose correct verdict is known."""

import json
from collections.abc import Callable

from hypothesis import strategies as st
from wild import CODE, NO, NOISE, QUOTED, YES, texts_like, tried

from ccc.claude.formats import stream
from ccc.model.state import Task
from ccc.supervision import policy
from ccc.supervision.verdict import Review, find, from_value, without
from harness.soak import Tally

Row = Callable[[str], Tally]

PROSE = st.sampled_from(
    [
        *("", "I looked at it.", "The tests pass.", "测试通过了。", "Two things are missing:"),
        *("- [x] tests\n- [ ] README", "`if (x) { return; }`", "See [the log](log.txt)."),
        *("It says “done”.", 'x = {"a": [1, 2]}', "## Verdict", "\n\n", "The mark is not used."),
        *(QUOTED, f"```\n{QUOTED}\n```", f"The file: {QUOTED}", NO, "[TASK_COMPLETED]"),
    ]
)
FEEDBACK = (
    st.sampled_from(["", "add a test", "甲。\n乙。", QUOTED, "}", '"', "[TASK_COMPLETED]", "see {"])
    | st.sampled_from(["set `completed` to true", "\\", "'x'", "“x”"])
    | st.text(max_size=20)
)
# `@J` is the feedback in JSON, `@Y` a yes with the code, `@Q` a yes without the code.
NO_YES = [
    '{"completed": false, "feedback": @J}',
    '{"code": "0badc0de", "completed": false, "feedback": @J}',
    "{'completed': False, 'feedback': @J}",
    '{"completed": false, "feedback": @J,}',
    "{“completed”: false, “feedback”: @J}",
    '{"Completed": false, "feedback": @J}\n@Q',
    '{"completed": "false", "feedback": @J}\n@Q',
    '{"verdict": {"completed": false}}\n@Q',
    '{"code": "0badc0de", "completed": "true", "feedback": @J}',
    '{"code": "0badc0de", "completed": 1, "feedback": @J}',
    '{"code": "0badc0de", "completed": true or false, "feedback": @J}',
    '{"code": "0badc0de", "completed": true, "completed": false}',
    '{"code": "deadbeef", "completed": true, "feedback": @J}',
    '{"completed": true, "feedback": @J}',
    '{"verdict": @Y}',
    "[@Y]",
    '"@Y"',
    "@Y\n@Y",
    "@Y\n\nWait, let me check once more.",
    "I can't say @Q",
    "> @Q",
    "completed: true",
]
FENCES = st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```"])


@st.composite
def never_a_yes(draw: st.DrawFn) -> str:
    """Generate an answer that isn't a yes; it may quote one before its end."""
    form = draw(st.sampled_from(NO_YES))
    end = form.replace("@Y", YES).replace("@Q", QUOTED).replace("@J", json.dumps(draw(FEEDBACK)))
    return "\n".join([*draw(st.lists(PROSE)), draw(FENCES).replace("{}", end, 1)])


def is_yes(text: str) -> bool:
    """Return whether the text counts as completed."""
    verdict = find(text, CODE)
    return verdict is not None and verdict.completed


def test_no_wrong_yes(tally: Row) -> None:
    """An answer that doesn't end with its own yes is never completed."""

    def trial(text: str) -> None:
        verdict = find(text, CODE)
        assert verdict is None or not verdict.completed
        if verdict is not None:
            review = Review(verdict, tree="t")
            assert policy.after_review(Task(), review).outcome != "completed"

    tried(tally("verdict: no yes in it"), 500, 15_000, never_a_yes(), trial)


def test_cut_off(tally: Row) -> None:
    """A truncated yes doesn't count."""
    cases = st.tuples(PROSE, st.integers(0, len(YES) - 1))

    def trial(case: tuple[str, int]) -> None:
        prose, at = case
        assert not is_yes(f"{prose}\n{YES[:at]}")

    tried(tally("verdict: cut off"), 300, 8_000, cases, trial)


def test_any_text(tally: Row) -> None:
    """Any text can be parsed; without the key or the mark there is no verdict."""
    cases = texts_like(YES, NO, {"completed": False, "feedback": ["a", {"b": 1}]}) | NOISE

    def trial(text: str) -> None:
        verdict = find(text, CODE, mark=True)
        without(text)
        if "completed" not in text and "[TASK_COMPLETED]" not in text:
            assert verdict is None
        if verdict is not None and verdict.completed:
            assert CODE in text or "[TASK_COMPLETED]" in text
        assert verdict is None or isinstance(verdict.feedback, str)

    tried(tally("verdict: any text"), 100, 3_000, cases, trial)


def test_a_yes_is_understood(tally: Row) -> None:
    """A well-formed yes counts, whatever text precedes it."""
    plain = st.sampled_from(["", "well done", "甲。\n乙。", "it's fine"])
    cases = st.tuples(st.lists(PROSE, max_size=4), plain, FENCES, st.sampled_from([None, 2]))

    def trial(case: tuple[list[str], str, str, int | None]) -> None:
        before, feedback, fence, indent = case
        value = {"code": CODE, "completed": True, "feedback": feedback}
        answer = json.dumps(value, ensure_ascii=False, indent=indent)
        assert is_yes("\n".join([*before, fence.replace("{}", answer, 1)]))

    tried(tally("verdict: a yes"), 200, 3_000, cases, trial)


ENDINGS = st.fixed_dictionaries(
    {"type": st.just("result")},
    optional={
        "subtype": st.sampled_from(["success", "error_max_turns", "", None, 7]),
        "is_error": st.sampled_from([True, False, "true", 1, None]),
        "result": never_a_yes() | st.sampled_from([None, 7, [YES], {"completed": True}]),
        "structured_output": st.sampled_from([None, YES, [json.loads(YES)], {"completed": True}]),
    },
)


def test_results(tally: Row) -> None:
    """However a turn ends, it isn't completed without a yes in its text or structured value."""

    def trial(raw: dict[str, object]) -> None:
        result = stream.result(raw)
        assert result is not None
        verdict = from_value(result.structured, CODE)
        assert verdict is None or not verdict.completed
        assert not is_yes(result.text)

    tried(tally("verdict: results"), 200, 4_000, ENDINGS, trial)
