"""docs/seeds.md lists every scenario of the requirements with the tests that name it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parent.parent
PAGE = TESTS.parent / "docs" / "seeds.md"
SCENARIOS = {"000": 17, "001": 19, "002": 11, "003": 11, "004": 9}


def on_the_page() -> dict[tuple[str, str], set[str]]:
    """Each scenario of the page with the tests that it lists."""
    found: dict[tuple[str, str], set[str]] = {}
    document = ""
    for line in PAGE.read_text().splitlines():
        if heading := re.match(r"## (\d{3}): ", line):
            document = heading.group(1)
        elif line.startswith("| ") and not line.startswith("| scenario"):
            title, tests, _ = (cell.strip() for cell in line.strip("|").split("|"))
            found[document, title] = set(re.findall(r"`([^`]+)`", tests))
    return found


def in_the_tests() -> dict[tuple[str, str], set[str]]:
    """Each scenario that a test's docstring names, with those tests."""
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    titles = sorted(on_the_page(), key=lambda key: len(key[1]), reverse=True)
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, said in _docstrings(ast.parse(path.read_text()), ""):
            for document, title in titles:
                if re.search(re.escape(f"{document}/{title}") + r"\s*[:;,]", said):
                    named[document, title].add(f"{path.relative_to(TESTS)}::{name}")
    return named


def _docstrings(node: ast.AST, inside: str) -> list[tuple[str, str]]:
    found = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            found += _docstrings(child, f"{inside}{child.name}::")
        elif isinstance(child, ast.FunctionDef) and child.name.startswith("test"):
            found.append((inside + child.name, ast.get_docstring(child) or ""))
    return found


def test_every_scenario_is_listed() -> None:
    """All 67 scenarios are on the page."""
    counts = dict.fromkeys(SCENARIOS, 0)
    for document, _ in on_the_page():
        counts[document] += 1
    assert counts == SCENARIOS


def test_the_page_lists_the_tests_that_name_a_scenario() -> None:
    """The page and the docstrings agree, in both directions."""
    page, tests = on_the_page(), in_the_tests()
    assert {key: page[key] for key in page if page[key]} == dict(tests)


def test_every_scenario_is_held() -> None:
    """A scenario has a test; one of the loop that has none says where it comes from."""
    lines = PAGE.read_text().splitlines()
    open_ones = [line for line in lines if line.startswith("| ") and "| – |" in line]
    assert [line for line in open_ones if "`ccc run`" not in line] == []
