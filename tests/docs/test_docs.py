"""The documents agree with the program: commands, options, keys, files, figures."""

import importlib.util
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import ccc
from ccc import words
from ccc.cli import COMMANDS
from ccc.commands.completion.command import shape_of
from ccc.config import schema
from ccc.providers import presets
from ccc.supervision.outcome import OUTCOMES

ROOT = Path(__file__).parents[2]
SOURCE = Path(ccc.__file__).parent
READMES = {"en": "README.md", "zh": "README.zh-CN.md"}
TEXTS = {language: (ROOT / name).read_text("utf-8") for language, name in READMES.items()}
CONFIGURATION = {"en": "configuration.md", "zh": "configuration.zh-CN.md"}
PAGES = [*READMES.values(), "CONTRIBUTING.md", "CHANGELOG.md"]
GUIDES = {
    language: (ROOT / "docs" / name).read_text("utf-8")
    for language, name in {"en": "guide.md", "zh": "guide.zh-CN.md"}.items()
}
LONGEST = 200
"""The lines of a README that is read to its end; what people look up belongs into docs/."""
PAGES += [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
EVERYWHERE = {"--help", "--no-color", "--words"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    yield
    words.use(os.environ)


def blocks(text: str, kind: str) -> list[str]:
    """What stands in the code blocks of a kind."""
    return [body for found, body in FENCE.findall(text) if found == kind]


def spoken(text: str) -> list[str]:
    """Each command line of ccc in the text: in shell blocks, and in code within the lines."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    found = [re.search(r"(?:^|\| |\$\()(ccc(?: [^|)]*)?)", line) for line in [*lines, *spans]]
    return [match[1] for match in found if match]


def problem(line: str) -> str:
    """What is wrong with a command line; nothing where it can be typed."""
    said = [word for word in shlex.split(line, comments=True)[1:] if word not in ("…", ">")]
    if not said or said[0] in ("--help", "--version"):
        return ""
    first, rest = said[0], said[1:]
    if first == "--supervisor":
        first, rest = rest[0] if rest else "kimi", []
    if first not in COMMANDS:
        known = first in presets.load() or first.startswith(("-", "[provider]"))
        return "" if known else f"no command, and no preset: {first}"
    known_shape = shape_of(first)
    rest = rest[: rest.index("--")] if "--" in rest else rest
    options = {word.strip("[]") for word in rest if word.strip("[]").startswith("-")}
    if unknown := options - set(known_shape.options) - EVERYWHERE:
        return f"no such option: {unknown}"
    verbs = [word for word in rest if not word.strip("[]").startswith("-")][:1]
    if known_shape.verbs and not {*verbs} <= {*known_shape.verbs}:
        return f"no such word: {verbs}"
    return ""


@pytest.mark.parametrize("page", PAGES)
def test_every_command_exists(page: str) -> None:
    """A command line in the documents names a command that there is, with options that it has."""
    lines = spoken((ROOT / page).read_text("utf-8"))
    assert {line: problem(line) for line in lines if problem(line)} == {}


def test_a_wrong_command_line_is_found() -> None:
    """The test above can fail."""
    assert all(map(problem, ("ccc statsu", "ccc run --chek x", "ccc provider ad x")))
    text = '```sh\nx | ccc init --yes  # why\neval "$(ccc completion bash)"\n```\nand `ccc kimi`'
    assert len(spoken(text)) == 3
    assert len(spoken(TEXTS["en"])) > 15
    assert len(spoken(GUIDES["en"])) > 25


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """Each file that a document links to is there, and each anchor has its heading."""
    path = ROOT / page
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8"))
    local = [link for link in links if not link.startswith(("http:", "https:"))]
    assert [link for link in local if not (path.parent / link.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("page", [TEXTS, GUIDES], ids=["README", "guide"])
def test_both_languages_have_the_same(page: dict[str, str]) -> None:
    """The same headings, tables, blocks and commands, in both languages."""
    shapes = {}
    for language, text in page.items():
        plain = FENCE.sub("", text)
        shapes[language] = {
            "headings": [line.split()[0] for line in plain.splitlines() if line.startswith("#")],
            "rows": len(re.findall(r"^\|", plain, re.MULTILINE)),
            "points": len(re.findall(r"^- ", plain, re.MULTILINE)),
            "blocks": [kind for kind, _ in FENCE.findall(text)],
            "commands": sorted(
                {re.sub(r'"[^"]*"|\s+#.*', "", line).strip() for line in spoken(text)}
            ),
        }
    assert shapes["en"] == shapes["zh"]


def test_the_readmes() -> None:
    """They are short, and each leads to the other."""
    assert all(len(text.splitlines()) <= LONGEST for text in TEXTS.values())
    assert "(README.zh-CN.md)" in TEXTS["en"][:100]
    assert "(README.md)" in TEXTS["zh"][:100]


def rows(text: str, begins: str) -> list[str]:
    """The first cells of the table whose first head is this."""
    (table,) = re.findall(rf"^\| {begins} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [line.split("|")[1].strip() for line in table.splitlines()]


@pytest.mark.parametrize("language", READMES)
def test_the_configuration_table(language: str) -> None:
    """It names the keys that the reader of ccc.json knows, all of them and no other."""
    text = (ROOT / "docs" / CONFIGURATION[language]).read_text("utf-8")
    keys = [cell.strip("`") for cell in rows(text, {"en": "key", "zh": "键"}[language])]
    known = {*schema._KNOWN} - {"providers", "supervisor", "projects", "run"}
    known |= {f"supervisor.{name}" for name in schema.Supervisor.__slots__}
    known |= {f'projects."<dir>".{name}' for name in schema.Project.__slots__}
    known |= {f"run.{name}" for name in schema.Unattended.__slots__}
    known |= {"providers.<name>", "providers.<name>.prices"}
    assert sorted(keys) == sorted(known)
    for example in blocks(TEXTS[language] + text, "json"):
        assert schema.parse(example, "README", COMMANDS).unknown_keys == ()


@pytest.mark.parametrize("language", READMES)
def test_the_exit_codes(language: str) -> None:
    """The table has the codes that a run can end with, and that of bad input."""
    head = {"en": "exit code", "zh": "退出码"}[language]
    codes = {1, *(each.exit_code for each in OUTCOMES.values() if each.exit_code is not None)}
    assert rows(GUIDES[language], head) == [str(code) for code in sorted(codes)]


@pytest.mark.parametrize("language", READMES)
def test_the_figures_of_the_demo(language: str) -> None:
    """What is said of the demo's cost is what the recording shows."""
    told = (ROOT / "docs" / f"demo.{language}.txt").read_text("utf-8")
    agent, reviews = (float(cost) for cost in re.findall(r"\$(0\.\d{4})", told))
    (share,) = set(re.findall(r"(\d+)%", told))
    assert f"{share} %" in TEXTS[language]
    short = re.findall(r"\$(0\.\d\d)(?!\d)", TEXTS[language])
    assert short == [f"{agent:.2f}", f"{reviews:.2f}"]


@pytest.mark.parametrize("language", READMES)
def test_the_reference_is_up_to_date(language: str) -> None:
    """docs/cli.md is what `make docs` writes."""
    spec = importlib.util.spec_from_file_location("make_cli", ROOT / "docs" / "make_cli.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    path = ROOT / "docs" / made.FILES[language]
    fresh = path.exists() and path.read_text("utf-8") == made.page(language)
    assert fresh, f"docs/{path.name} is not up to date: run `make docs`"


def test_the_tree_of_the_architecture() -> None:
    """Each room and each module at the top of src/ccc is in it, and what is in it is there."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    source = blocks(text, "")[0].partition("src/ccc/\n")[2].partition("\nscripts/")[0]
    named = set(re.findall(r"^ {2}([\w.]+)/? ", source, re.MULTILINE))
    there = {path.name for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert named == there - {"__pycache__"}
