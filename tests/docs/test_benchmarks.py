"""The table and the page of the benchmark, without measuring anything."""

import re
from pathlib import Path

import pytest
from bench import __main__ as bench
from bench import page
from bench.costs import SIZES, WAYS
from bench.table import Case, Row, Section, against, skipped, text

PAGE = page.FILE.read_text("utf-8")
PAGE_TEXT = " ".join(PAGE.split())
FACTS = {"date": "2026-01-02", "claude": "1.2.3"}


def section(*rows: Row) -> Section:
    """Return a section that is measured immediately."""
    cases = tuple(row.case for row in rows)
    return Section("some", "Some", "About it.", ("ms", "against"), cases, lambda *_: list(rows))


def test_the_page_has_every_row() -> None:
    """docs/benchmarks.md has the sections, rows and limits of the current benchmark."""
    for each in bench.SECTIONS:
        assert f"## {each.title} {each.about} |" in PAGE_TEXT
        for case in each.cases:
            (line,) = re.findall(rf"^\| {re.escape(case.name.strip())} \|.*\|$", PAGE, re.MULTILINE)
            cells = line.count(" | ") + 1
            assert cells == 1 + len(each.all_heads), line
            assert case.limit in line, "the limit has changed: run make bench again"


def test_the_page_explains_every_row() -> None:
    """The page explains each row or each method."""
    for each in bench.SECTIONS:
        for case in each.cases:
            is_method = any(case.name == f"{size}, {way.name}" for size in SIZES for way in WAYS)
            assert (
                f"- **{case.name.strip()}**: {case.means}" in PAGE_TEXT if case.means else is_method
            )
    for way in WAYS:
        assert f"- **{way.name}**: {way.means}" in PAGE_TEXT


def test_the_page_says_when_and_where() -> None:
    """The page names date, machine and versions, but nothing that identifies the machine."""
    facts = dict(re.findall(r"^\| ([\w -]+) \| (.+) \|$", PAGE, re.MULTILINE))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", facts["date"])
    for name in ("Python", "claude", "claude-agent-sdk", "ccc"):
        assert re.fullmatch(r"\d+\.\d+\.\d+.*", facts[name]), name
    assert re.search(r"\d+ cores, \d+ GB$", facts["machine"])
    assert facts["system"]
    assert not re.search(r"/(home|tmp|root|work)/", PAGE)


def test_the_page_marks_exceeded_limits() -> None:
    """A ratio past its limit is marked on the page."""
    for ratio, sign, limit, mark in re.findall(
        r"\| ([\d.]+) \| ([≤≥]) ([\d.]+)(.*) \|$", PAGE, re.MULTILINE
    ):
        past = float(ratio) > float(limit) if sign == "≤" else float(ratio) < float(limit)
        assert mark == (": past it" if past else ""), (ratio, sign, limit)


def test_names() -> None:
    """The names of sections and rows are unique."""
    names = [each.name for each in bench.SECTIONS]
    assert len(names) == len({*names})
    rows = [case.name for each in bench.SECTIONS for case in each.cases]
    assert len(rows) == len({*rows})


@pytest.mark.parametrize(
    ("case", "holds"),
    [
        (Case("a"), True),
        (Case("a", most=2.0), True),
        (Case("a", most=1.9), False),
        (Case("a", least=2.0), True),
        (Case("a", least=2.1), False),
    ],
)
def test_limits(case: Case, holds: bool) -> None:
    """A ratio may equal its limit; past the limit the row is marked."""
    row = against(case, 10.0, 5.0)
    assert row.holds is holds
    assert ("past its limit" in text([(section(row), [row])])) is not holds


def test_a_row_that_is_skipped() -> None:
    """Table and page say why a row wasn't measured; that is no failure."""
    row = skipped(Case("a row", "What it is.", 1.5), "no browser")
    assert row.holds
    assert "≤ 1.50  skipped: no browser" in text([(section(row), [row])])
    content = page.page([(section(row), [row])], FACTS)
    assert "| a row | – | – | – | ≤ 1.50 (skipped: no browser) |" in content


@pytest.mark.parametrize(("most", "code"), [(2.0, 0), (1.9, 1)])
def test_a_run(
    most: float,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A run prints the table, writes the page and fails if a limit is exceeded."""
    row = against(Case("a row", "What it is.", most), 10.0, 5.0)
    monkeypatch.setattr(bench, "SECTIONS", (section(row),))
    monkeypatch.setattr(page, "facts", lambda: FACTS)
    monkeypatch.setattr(page, "FILE", tmp_path / "page.md")
    assert bench.main(["--write"]) == code
    assert "claude 1.2.3" in capsys.readouterr().out
    content = page.FILE.read_text("utf-8")
    mark = ": past it" if code else ""
    assert f"| a row | 10.0 | 5.0 | 2.00 | ≤ {most:.2f}{mark} |" in content
    assert "- **a row**: What it is." in content


def test_a_part_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    """`--write` requires a whole run."""
    for part in (["--only", "memory"], ["--quick"]):
        with pytest.raises(SystemExit):
            bench.main(["--write", *part])
        assert "whole run" in capsys.readouterr().err
