"""What can be completed is read from the usages, so that nothing is kept in step by hand."""

import os
from collections.abc import Iterator

import pytest

from ccc import words
from ccc.cli import COMMANDS, INTERNAL, usage_key
from ccc.commands.completion.command import SHELLS, shape_of
from ccc.commands.completion.grammar import candidates, shape

VERBS = """Usage: ccc thing <verb> …

  list [--presets]      those in the file; or (ccc other --nothing) those known
  add PRESET|NAME …     a new one
  show [NAME]           all of it
  show --preset PRESET  what a preset sets
  remove NAME [--yes]   take it out

Options of add, as a side-note:
  --model M             one model
  --env NAME=VALUE      a variable
  --key-command "CMD"   a command, such as "pass --show"
  --language zh|en      the language
  --a, --b              both
  -o FILE               a file"""


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    yield
    words.use(os.environ)


def test_verbs_and_options() -> None:
    """Verbs, options and their values, and nothing of the texts around them."""
    known = shape("thing", VERBS)
    assert list(known.verbs) == ["list", "add", "show", "remove"]
    with_value = {name: value for name, value in known.options.items() if value}
    assert with_value == {
        "--preset": "PRESET",
        "--model": "M",
        "--env": "NAME=VALUE",
        "--key-command": '"CMD"',
        "--language": "zh|en",
        "-o": "FILE",
    }
    assert set(known.options) - set(with_value) == {"--presets", "--yes", "--a", "--b"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ["thing", "look", "--supervisor", "--help", "--version", "kimi", "glm"]),
        ("k", ["kimi"]),
        ("th", ["thing"]),
        ("--s", ["--supervisor"]),
        ("--supervisor ", ["kimi", "glm"]),
        ("--supervisor kimi ", []),
        ("help t", ["thing"]),
        ("help thing ", []),
        ("kimi ", []),
        ("kimi --", []),
        ("nobody ", []),
        ("thing ", ["list", "add", "show", "remove"]),
        ("thing s", ["show"]),
        ("thing list ", []),
        ("thing add ", ["deepseek", "kimi"]),
        ("thing add mine --preset d", ["deepseek"]),
        ("thing show ", ["kimi", "glm"]),
        ("thing show g", ["glm"]),
        ("thing remove --y", ["--yes"]),
        ("thing --lang", ["--language"]),
        ("thing add x --language ", ["zh", "en"]),
        ("thing add x --model ", []),
        ("thing -- --", []),
        ("thing --h", ["--help"]),
        ("look ", ["s-1", "s-2"]),
        ("look --provider ", ["kimi", "glm"]),
        ("look --js", ["--json"]),
        ("look -", ["--json", "--provider", "--help"]),
    ],
)
def test_candidates(line: str, expected: list[str]) -> None:
    """What a Tab offers at each place; claude's own arguments are left to files."""
    usages = {"thing": VERBS, "look": "Usage: ccc look [SESSION] [--json] [--provider NAME]"}
    found = candidates(
        line.split(" "),
        list(usages),
        lambda command: shape(command, usages[command]),
        {
            "PROVIDER": lambda: ["kimi", "glm"],
            "SESSION": lambda: ["s-1", "s-2"],
            "PRESET": lambda: ["deepseek", "kimi"],
        },
    )
    assert found == expected


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in INTERNAL])
def test_each_command_has_a_usage(command: str) -> None:
    """Every command says in both languages how it is used, or is deliberately hidden."""
    for language in words.LANGUAGES:
        words.use({"CCC_LANG": language})
        assert f"ccc {command}" in words.text(usage_key(command)) or command == "help"
    shape_of(command)


def test_the_real_ones() -> None:
    """What is read from the usages that there are."""
    assert list(shape_of("supervisor-mode").verbs) == ["on", "off", "status"]
    assert list(shape_of("completion").verbs) == list(SHELLS)
    assert list(shape_of("prompt").verbs) == ["init"]
    assert list(shape_of("init").verbs) == []
    assert shape_of("init").options["--base-url"] == "URL"
    assert shape_of("run").options["--provider"] == "NAME"
    assert shape_of("run").options["--json"] == ""
    assert list(shape_of("run").verbs) == []
    assert "--permission-mode" not in shape_of("run").options  # claude's, in an example
    assert set(shape_of("uninstall").options) == {"--dry-run", "--yes", "--purge"}
