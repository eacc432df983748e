"""Completions are read from the parsers, so that no list has to be kept in sync."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc import words
from ccc.command_table import COMMANDS, INTERNAL
from ccc.commands import completion
from ccc.ui.arguments import Parser, usage

PUBLIC = [name for name in COMMANDS if name not in INTERNAL]


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    yield
    words.use(os.environ)


@pytest.fixture(autouse=True)
def _two_providers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home with two providers and two sessions."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CCC_CONFIG_DIR", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    state = tmp_path / ".claude" / "ccc"
    state.mkdir(parents=True)
    config = {"providers": {"kimi": {}, "glm": {}}}
    (tmp_path / ".claude" / "ccc.json").write_text(json.dumps(config))
    for session in ("s-1", "s-2"):
        (state / f"supervisor-{session}.json").write_text("{}")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("k", ["kimi"]),
        ("vali", ["validate"]),
        ("--s", ["--supervisor"]),
        ("--supervisor ", ["kimi", "glm"]),
        ("--supervisor kimi ", []),
        ("help vali", ["validate"]),
        ("help validate ", []),
        ("kimi ", []),
        ("kimi --", []),
        ("nobody ", []),
        ("provider ", ["list", "add", "edit", "remove", "show", "use"]),
        ("provider s", ["show"]),
        ("provider list ", []),
        ("provider list --p", ["--presets"]),
        ("provider add deepse", ["deepseek"]),
        ("provider add mine --preset deepse", ["deepseek"]),
        ("provider show ", ["kimi", "glm"]),
        ("provider show g", ["glm"]),
        ("provider show glm ", []),
        ("provider remove --y", ["--yes"]),
        ("provider remove --p", []),
        ("provider add x --model ", []),
        ("provider add x --credential ", ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"]),
        ("init --lang", ["--language"]),
        ("init --language ", ["zh", "en"]),
        ("init --name ", []),
        ("init deepse", ["deepseek"]),
        ("validate kimi ", ["kimi", "glm"]),
        ("validate -- --", []),
        ("validate --h", ["--help"]),
        ("validate --timeout 3 g", ["glm"]),
        ("show ", ["s-1", "s-2"]),
        ("show --js", ["--json"]),
        ("show --v", []),  # another name of --full
        ("run --provider ", ["kimi", "glm"]),
        ("run --check ", []),
        ("run --no-re", []),  # a removed option
        ("run --permission", []),  # an option of claude
        ("supervisor-mode ", ["on", "off", "status"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("queue m", ["move"]),
        ("queue --st", ["--state"]),
        ("queue pause ", ["kimi", "glm"]),
        ("queue move 5 ", ["first", "last"]),
        ("queue budget ", ["off"]),
        ("queue add --provider g", ["glm"]),
        ("queue list --state c", ["completed", "cancelled"]),
        ("queue work --o", ["--once"]),
        ("queue work --j", ["--jobs", "--json"]),
        ("prompt ", ["init"]),
        ("uninstall --", ["--help", "--no-color", "--yes", "--dry-run", "--purge"]),
    ],
)
def test_candidates(line: str, expected: list[str]) -> None:
    """Tab offers the right words at each position; claude's own arguments are left to files."""
    found = [each.partition("\t")[0] for each in completion.candidates(line.split(" "))]
    assert sorted(found) == sorted(expected)


def test_the_first_word() -> None:
    """The first word offers commands, options and providers, but none that only claude runs."""
    found = completion.candidates([""])
    assert found == [*PUBLIC, "--supervisor", "--help", "--version", "kimi", "glm"]
    assert "supervisor-hook" not in found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["stat"], "status\tone line per session\n"),
        (
            ["status", "--j"],
            "--json\tprint one JSON object: sessions, and how many more there are\n",
        ),
        (["help", "stat"], "status\tone line per session\n"),
        (["show", "s-3"], "s-3\t1 min  Add a dark mode switch to the settings page and…\n"),
    ],
)
def test_descriptions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: list[str], expected: str
) -> None:
    """Commands and options are described as in the usage, a session by its age and task."""
    state = {"request": "Add a dark mode switch to the settings page and remember it"}
    file = tmp_path / ".claude" / "ccc" / "supervisor-s-3.json"
    file.write_text(json.dumps(state))
    os.utime(file, (time.time() - 90,) * 2)
    completion.main(["--described", *line])
    assert expected in capsys.readouterr().out
    completion.main(["--words", *line])
    assert "\t" not in capsys.readouterr().out


def test_an_option_takes_its_value() -> None:
    """The value of an option is no positional argument."""
    parser = Parser("validate")
    parser.add_argument("first", choices=["a"])
    parser.add_argument("second", choices=["b"])
    parser.add_argument("-o", "--output")
    parser.add_flags("--all")
    assert completion.arguments(parser, ["--output", "x"], "") == ["a"]
    assert completion.arguments(parser, ["--all", "a"], "") == ["b"]
    assert completion.arguments(parser, ["a", "-o"], "") == []
    assert completion.arguments(parser, ["a", "b"], "") == []


@pytest.mark.parametrize("command", PUBLIC)
def test_each_command_has_a_usage_and_a_parser(command: str) -> None:
    """Every command has a usage in both languages that names its options."""
    for language in words.LANGUAGES:
        words.use({"CCC_LANG": language})
        text = usage(command)
        assert f"ccc {command}" in text or command == "help"
        if command != "help":
            offered = completion.candidates([command, "-"])
            missing = {name for name in offered if name not in text}
            assert missing <= {"--help", "--no-color"}


def test_the_options_of_a_run_are_light() -> None:
    """Completion doesn't import what a run or a validation needs."""
    lines = [["run", "--pro"], ["validate", "--ti"]]
    code = f"""import sys
from ccc.commands import completion
print([completion.candidates(line) for line in {lines!r}])
print(sorted({{"claude_agent_sdk", "genai_prices"}} & set(sys.modules)))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[['--provider'], ['--timeout']]", "[]"]
