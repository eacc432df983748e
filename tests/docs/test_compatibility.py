"""The page of `make compat` has every capability and journey, and none that fails silently."""

import json
import re
from pathlib import Path

import pytest
from compat import facts, journeys, page
from compat.journeys import JOURNEYS, REFUSED, SILENT, TOLD, WORKS, Result, Trial

from ccc import words
from ccc.claude.capabilities import CAPABILITIES
from ccc.claude.known_claudes import KNOWN_VERSIONS
from ccc.scripted import ScriptedModel
from ccc.scripted.scratch import Scratch
from ccc.selftest import script
from ccc.selftest.selftest import Report

ENGLISH = page.FILE.read_text("utf-8")
CHINESE = page.FILE.with_name("compatibility.zh-CN.md").read_text("utf-8")


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_the_page_is_complete(text: str) -> None:
    """Both pages have a row per capability and a column per journey."""
    for name in CAPABILITIES:
        assert f"| `{name}`: " in text
    assert f" | {' | '.join(JOURNEYS)} |" in text


def test_nothing_fails_silently() -> None:
    """No journey fails without a word on any version."""
    assert "fails silently" not in ENGLISH
    assert "悄无声息" not in CHINESE


def test_ccc_ships_the_answers_of_the_page() -> None:
    """A version on the page has the same answers in known_versions.json."""
    known = {
        each["version"]: {*each["missing"], *each.get("as_root", ())}
        for each in json.loads(Path(KNOWN_VERSIONS).read_text("utf-8"))["versions"]
    }
    heads = re.search(r"^\|  \| (.*) \|$", ENGLISH, re.MULTILINE)
    assert heads
    for number, version in enumerate(heads[1].split(" | ")):
        for name in CAPABILITIES:
            row = re.search(rf"^\| `{name}`: .*? \| (.*) \|$", ENGLISH, re.MULTILINE)
            assert row
            if row[1].split(" | ")[number] == "✗":
                assert name in known[version], (version, name)


def test_a_version_between_two_that_fail_as_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was measured by another user, so root has the answers that both neighbours have."""
    file = tmp_path / "known.json"
    monkeypatch.setattr(page, "KNOWN_VERSIONS", str(file))
    lower = {"version": "2.1.247", "missing": [], "as_root": ["reviewer_bash"]}
    upper = {"version": "2.1.280", "missing": [], "as_root": ["reviewer_bash"]}
    file.write_text(json.dumps({"versions": [lower, upper]}))
    page.ship({name: (Report(name, {}), {}) for name in ("2.1.250", "2.1.290")})
    rows = {row["version"]: row for row in json.loads(file.read_text())["versions"]}
    assert rows["2.1.250"]["as_root"] == ["reviewer_bash"]
    assert "as_root" not in rows["2.1.290"]


@pytest.mark.parametrize(
    ("code", "output", "effects", "expected"),
    [
        (0, "", [], Result(WORKS)),
        (0, "", ["reviewer_bash"], Result(SILENT, (), "not told: reviewer_bash")),
        (3, "", [], Result(SILENT, (), "no result")),
        (3, "ccc: no reviews here", [], Result(REFUSED, (), "no reviews here (exit code 3)")),
    ],
)
def test_how_a_journey_ends(code: int, output: str, effects: list[str], expected: Result) -> None:
    """A failure that nobody was told about is silent; one with a reason is a refusal."""
    place = Scratch({}, "project")
    try:
        model = ScriptedModel(script.supervised(place.project))
        trial = Trial(place, model, code, output, effects)
        assert journeys.conclude(trial, is_done=code == 0) == expected
    finally:
        place.leave()


def test_what_is_told_is_recognized() -> None:
    """A message about a capability is recognized although a terminal wraps and frames it."""
    words.use({"CCC_LANG": "en"})
    text = " │\n".join(words.say("client.reviewer_bash").split())
    place = Scratch({}, "project")
    try:
        model = ScriptedModel(script.supervised(place.project))
        trial = Trial(place, model, 0, text, ["reviewer_bash"])
        assert journeys.conclude(trial, is_done=True) == Result(TOLD, ("reviewer_bash",))
    finally:
        place.leave()


def test_the_names_of_facts_that_fail() -> None:
    """Each test that failed is named once, with all of its parameters."""
    summary = """\
..F.E [100%]
=========================== short test summary info ============================
FAILED tests/e2e/test_facts_a.py::test_fact_one - AssertionError: not - at all
FAILED tests/e2e/test_facts_a.py::test_fact_two[--tools Read]
ERROR tests/e2e/test_facts_b.py::test_fact_three[an empty object] - OSError
ERROR tests/e2e/test_facts_a.py::test_fact_two[--tools Read] - OSError: gone
3 failed, 2 passed in 0.12s
"""
    assert facts.failed_tests(summary) == [
        "tests/e2e/test_facts_a.py::test_fact_one",
        "tests/e2e/test_facts_a.py::test_fact_two[--tools Read]",
        "tests/e2e/test_facts_b.py::test_fact_three[an empty object]",
    ]
