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
from ccc.command_table import COMMANDS, INTERNAL
from ccc.commands import completion
from ccc.config import schema
from ccc.model.outcome import OUTCOMES
from ccc.providers import presets

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
"""The maximum number of lines of a README; reference material belongs in docs/."""
PAGES += [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
EVERYWHERE = {"--help", "--no-color", "--words"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    yield
    words.use(os.environ)


def blocks(text: str, kind: str) -> list[str]:
    """Return the content of the code blocks of a kind."""
    return [body for language, body in FENCE.findall(text) if language == kind]


def command_lines(text: str) -> list[str]:
    """Return each ccc command line in the text: in shell blocks and in inline code."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    matches = [re.search(r"(?:^|\| |\$\()(ccc(?: [^|)]*)?)", line) for line in [*lines, *spans]]
    return [match[1] for match in matches if match]


def problem(line: str) -> str:
    """Return what is wrong with a command line, or an empty string."""
    arguments = [word for word in shlex.split(line, comments=True)[1:] if word not in ("…", ">")]
    if not arguments or arguments[0] in ("--help", "--version"):
        return ""
    first, rest = arguments[0], arguments[1:]
    if first == "--supervisor":
        first, rest = rest[0] if rest else "kimi", []
    if first not in COMMANDS:
        is_provider = first in presets.load() or first.startswith(("-", "[provider]"))
        is_claude = first.startswith("/") and first.endswith("/claude")
        return "" if is_provider or is_claude else f"no command, and no preset: {first}"
    if first in (*INTERNAL, "help"):
        return ""
    rest = [word.strip("[]") for word in (rest[: rest.index("--")] if "--" in rest else rest)]
    parser, rest = completion.parser_for(first, rest)
    options = {word for word in rest if word.startswith("-") and word != "-"}
    if unknown := options - set(parser._option_string_actions) - EVERYWHERE:
        return f"no such option: {unknown}"
    words_ = [word for word in rest if not word.startswith("-")][:1]
    choices = next((a.choices for a in parser._actions if not a.option_strings), None)
    if choices is not None and not {*words_} <= {*choices}:
        return f"no such word: {words_}"
    return ""


@pytest.mark.parametrize("page", PAGES)
def test_every_command_exists(page: str) -> None:
    """Every command line in the documents uses an existing command and existing options."""
    lines = command_lines((ROOT / page).read_text("utf-8"))
    assert {line: problem(line) for line in lines if problem(line)} == {}


def test_a_wrong_command_line_is_found() -> None:
    """The check reports wrong commands, options and verbs, and finds all command lines."""
    assert all(map(problem, ("ccc statsu", "ccc run --chek x", "ccc provider ad x")))
    text = '```sh\nx | ccc init --yes  # why\neval "$(ccc completion bash)"\n```\nand `ccc kimi`'
    assert len(command_lines(text)) == 3
    assert len(command_lines(TEXTS["en"])) > 15
    assert len(command_lines(GUIDES["en"])) > 25


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """Every linked file exists."""
    path = ROOT / page
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8"))
    local = [link for link in links if not link.startswith(("http:", "https:"))]
    assert [link for link in local if not (path.parent / link.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("page", [TEXTS, GUIDES], ids=["README", "guide"])
def test_both_languages_have_the_same(page: dict[str, str]) -> None:
    """Both languages have the same headings, tables, blocks and commands."""
    shapes = {}
    for language, text in page.items():
        plain = FENCE.sub("", text)
        shapes[language] = {
            "headings": [line.split()[0] for line in plain.splitlines() if line.startswith("#")],
            "rows": len(re.findall(r"^\|", plain, re.MULTILINE)),
            "points": len(re.findall(r"^- ", plain, re.MULTILINE)),
            "blocks": [kind for kind, _ in FENCE.findall(text)],
            "commands": sorted(
                {re.sub(r'"[^"]*"|\s+#.*', "", line).strip() for line in command_lines(text)}
            ),
        }
    assert shapes["en"] == shapes["zh"]


def test_the_readmes() -> None:
    """The READMEs are short, and each links to the other."""
    assert all(len(text.splitlines()) <= LONGEST for text in TEXTS.values())
    assert "(README.zh-CN.md)" in TEXTS["en"][:100]
    assert "(README.md)" in TEXTS["zh"][:100]


def rows(text: str, begins: str) -> list[str]:
    """Return the first cells of the table with this first heading."""
    (table,) = re.findall(rf"^\| {begins} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [line.split("|")[1].strip() for line in table.splitlines()]


@pytest.mark.parametrize("language", READMES)
def test_the_configuration_table(language: str) -> None:
    """The table lists exactly the keys that the parser of ccc.json knows."""
    text = (ROOT / "docs" / CONFIGURATION[language]).read_text("utf-8")
    keys = [cell.strip("`") for cell in rows(text, {"en": "key", "zh": "键"}[language])]
    expected = {*schema.KEYS} - {"providers", "supervisor", "projects", "run"}
    expected |= {f"supervisor.{name}" for name in schema.SUPERVISOR_KEYS}
    expected |= {f'projects."<dir>".{name}' for name in schema.PROJECT_KEYS}
    expected |= {f"run.{name}" for name in schema.RUN_KEYS}
    expected |= {"providers.<name>", "providers.<name>.prices"}
    assert sorted(keys) == sorted(expected)
    for example in blocks(TEXTS[language] + text, "json"):
        assert schema.parse(example, "README").unknown_keys == ()


@pytest.mark.parametrize("language", READMES)
def test_the_exit_codes(language: str) -> None:
    """The table lists the exit codes of a run and that of bad input."""
    head = {"en": "exit code", "zh": "退出码"}[language]
    codes = {1, *(each.exit_code for each in OUTCOMES.values() if each.exit_code is not None)}
    assert rows(GUIDES[language], head) == [str(code) for code in sorted(codes)]


@pytest.mark.parametrize("language", READMES)
def test_the_figures_of_the_demo(language: str) -> None:
    """The figures of the demo in the README and in docs/costs are those of the recording."""
    recording = (ROOT / "docs" / f"demo.{language}.txt").read_text("utf-8")
    agent, reviews = (float(cost) for cost in re.findall(r"\$(0\.\d{4})", recording))
    (share,) = set(re.findall(r"(\d+)%", recording))
    costs = {"en": "costs.md", "zh": "costs.zh-CN.md"}[language]
    begin = {"en": "n the demo", "zh": "演示这样的短会话"}[language]
    for text in (TEXTS[language], (ROOT / "docs" / costs).read_text("utf-8")):
        told = text.partition(begin)[2]
        assert re.findall(r"(\d+) %", told)[0] == share
        assert re.findall(r"\$(\d\.\d\d)", told)[:2] == [f"{agent:.2f}", f"{reviews:.2f}"]


@pytest.mark.parametrize("language", READMES)
def test_the_reference_is_up_to_date(language: str) -> None:
    """docs/cli.md is what `make docs` writes."""
    spec = importlib.util.spec_from_file_location("make_cli", ROOT / "docs" / "make_cli.py")
    assert spec is not None
    assert spec.loader is not None
    make_cli = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_cli)
    path = ROOT / "docs" / make_cli.FILES[language]
    fresh = path.exists() and path.read_text("utf-8") == make_cli.page(language)
    assert fresh, f"docs/{path.name} is not up to date: run `make docs`"


def test_the_tree_of_the_architecture() -> None:
    """The tree lists exactly the rooms and top-level modules of src/ccc."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    source = blocks(text, "")[0].partition("src/ccc/\n")[2].partition("\nscripts/")[0]
    names_in_tree = set(re.findall(r"^ {2}([\w.]+)/? ", source, re.MULTILINE))
    names_on_disk = {
        path.name for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()
    }
    assert names_in_tree == names_on_disk - {"__pycache__"}
