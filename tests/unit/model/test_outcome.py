"""The table of outcomes defines all their consequences, and no other place lists them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ccc
from ccc import words
from ccc.config import schema
from ccc.model import outcome
from ccc.model.outcome import HOOK, LABEL, LIMIT, OUTCOMES, SUMMARY, TERMINAL, Outcome
from ccc.ui import formatting
from harness import catalogue
from harness.source import modules
from harness.words import messages_of

SOURCE = Path(ccc.__file__).parent
LIMITS = {name for name, each in OUTCOMES.items() if each.is_limit}
KNOW_ALL = "config/schema.py"
KNOW_ONE = {
    # the limit of rounds, "round 2/10", and claude's own limit of blocked stops
    "max_iterations": {
        "supervision/policy.py",
        *("claude/launch.py", "doctor/environment.py", "supervision/launch_files.py"),
        *("run/run.py", "run/summary.py", "run/unattended.py"),
        *("supervision/judge_stop.py", "supervision/recorder.py", "supervision/switch.py"),
    },
    # the time left for a turn, and for an agent that waits
    "max_minutes": {"run/run_store.py", "supervision/policy.py"},
    # the budget left for a turn or a review
    "max_cost_usd": {
        *("run/assignment.py", "run/run.py", "run/run_store.py"),
        *("supervision/on_stop.py", "supervision/policy.py"),
        "supervision/reviewer.py",
        # the limit that the page shows beside the cost
        *("model/overview.py", "sessions/known_keys.py"),
        *("backlog/admission.py", "backlog/task_run.py"),
    },
}
"""The modules in which a limit has an effect besides the end of the task."""
PLACES = (LABEL, TERMINAL, HOOK, SUMMARY)


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Yield every module but the table, with its path below the package."""
    for path in modules():
        if (name := path.relative_to(SOURCE).as_posix()) != "model/outcome.py":
            yield name, ast.parse(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *(("completed", 0), ("iterations", 20), ("stuck", 21), ("minutes", 22), ("cost", 22)),
        *(("needs_user", 23), ("plan", 23), ("not_judged", 24), ("agent_failed", 25)),
        ("interrupted", 130),
    ],
)
def test_exit_codes(name: str, code: int) -> None:
    """The exit code says how the run ended."""
    assert outcome.exit_code(name) == code


def test_no_other_outcome_has_a_code() -> None:
    """A run can't end with an outcome that only a stop can have."""
    assert {name for name in OUTCOMES if OUTCOMES[name].exit_code is None} == {
        *("not_completed", "still_completed", "background", "cut_off")
    }


def test_which_stops_are_checked_without_a_review() -> None:
    """Checks cost time but neither a round nor money, so they run when one of those is used up."""
    checked = {name for name, each in OUTCOMES.items() if each.runs_checks}
    assert checked - LIMITS == {"background"}
    assert ("iterations" in checked, "cost" in checked, "minutes" in checked) == (True, True, False)


def test_which_outcomes_a_word_of_the_user_changes() -> None:
    """A limit stays reached whatever the user types."""
    answerable = {name for name, each in OUTCOMES.items() if each.answerable}
    assert answerable == {"completed", "needs_user", "stuck", "plan", "not_judged"}


def test_which_outcomes_end_the_task() -> None:
    """A limit, a verdict and a failed review end the task; a plan only pauses it."""
    ending = {name for name, each in OUTCOMES.items() if each.ends_task}
    assert ending == {*LIMITS, "completed", "needs_user", "stuck", "not_judged"}


def test_which_records_are_rounds() -> None:
    """A stop at a limit, an interrupted one and one with an earlier verdict are no rounds."""
    no_rounds = {name for name in OUTCOMES if not OUTCOMES[name].is_round}
    assert no_rounds == {*LIMITS, "interrupted", "still_completed"}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_message_exists(language: str) -> None:
    """The keys of the messages in the table are in the catalogues of both languages."""
    known = catalogue(language)
    assert {k for each in OUTCOMES.values() for k in messages_of(each)} - known.keys() == set()


def test_which_messages_an_outcome_has() -> None:
    """Each has a label; a decision also has messages at a stop, and what ends a run a last one."""
    cost = {"look.cost", "stop.cost", "run.cost"}
    assert messages_of(OUTCOMES["cost"]) == cost
    assert messages_of(OUTCOMES["interrupted"]) == {"look.interrupted", "run.interrupted"}
    assert messages_of(OUTCOMES["cut_off"]) == {"look.cut_off"}
    assert "run.background" not in messages_of(OUTCOMES["background"])


def test_no_other_place_forms_the_keys() -> None:
    """No other module appends a name to a prefix of the messages; the front can't import it."""
    forming = []
    for path, tree in trees():
        for node in ast.walk(tree):
            start = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else None
            start = node.left if isinstance(node, ast.BinOp) else start
            if isinstance(start, ast.Constant) and start.value in PLACES:
                forming.append(path)
    assert forming == ["front/status_line.py"]


def test_an_outcome_of_a_later_version() -> None:
    """An unknown outcome is shown by its name, as something to look at."""
    assert (OUTCOMES["tokens"].mark, formatting.outcome("tokens")) == ("!", "tokens")
    assert OUTCOMES[""].mark == ""


def test_a_new_limit_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new limit in the table reaches every user of outcomes."""
    added = Outcome("tokens", "!", 22, LIMIT, runs_checks=True)
    monkeypatch.setitem(OUTCOMES, "tokens", added)
    assert (outcome.exit_code("tokens"), OUTCOMES["tokens"].is_round) == (22, False)


def sets_of_names(tree: ast.AST) -> list[set[str]]:
    """Return the outcomes that are named together in one tuple, list, set or dict."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            values = node.elts
        elif isinstance(node, ast.Dict):
            values = [key for key in node.keys if key]
        else:
            continue
        found.append({each.value for each in values if isinstance(each, ast.Constant)})
    return found


def test_no_other_place_lists_limits() -> None:
    """A list of outcomes elsewhere would be forgotten when a limit is added."""
    listed = [
        path for path, tree in trees() for each in sets_of_names(tree) if len(each & LIMITS) > 1
    ]
    assert listed == []


def keys_named(tree: ast.AST) -> set[str]:
    """Return the limits that code names: as an attribute, a parameter, a string or an option."""
    named = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=str(name)) | ast.keyword(arg=str(name)) | ast.Name(id=name):
                named.add(name)
            case ast.Constant(value=str(text)):
                named.add(text.lstrip("-").replace("-", "_"))
    return named & schema.LIMITS.keys()


def test_no_other_place_knows_a_limit() -> None:
    """A new limit is a key of the configuration; only its other effects need more modules."""
    named: dict[str, set[str]] = {name: set() for name in schema.LIMITS}
    for path, tree in trees():
        for name in keys_named(tree):
            named[name].add(path)
    assert named == {name: {KNOW_ALL, *KNOW_ONE.get(name, ())} for name in schema.LIMITS}


def test_every_decision_names_an_outcome() -> None:
    """Every outcome that a decision in the source names is in the table."""
    named = set()
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Decision":
                named |= {a.value for a in node.args[1:2] if isinstance(a, ast.Constant)}
    assert named
    assert named <= OUTCOMES.keys()
