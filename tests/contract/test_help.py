"""The help of each command, and errors for a missing or invalid configuration."""

import pytest
from launches import two_providers

from ccc.command_table import COMMANDS
from harness import CccProject


class TestConfig:
    def test_first_run(self, stubbed: CccProject) -> None:
        """Without a configuration, ccc says so in three lines and starts nothing."""
        (stubbed.claude_dir / "ccc.json").unlink()
        outcome = stubbed.run()
        assert (outcome.code, outcome.stdout, stubbed.launches) == (1, "", [])
        assert "there is no configuration yet" in outcome.stderr
        assert len(outcome.stderr.splitlines()) == 3

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("\ufeff{}", "line 1, column 1: the file begins with a byte order mark"),
            ('{\n  // keys\n  "providers": {}\n}', "line 2, column 3: JSON has no comments"),
            ('{\n  "providers": {},\n}', "line 2, column 18: trailing comma"),
            ('{"providers": {}}', "`providers` has no provider"),
            ('{"providers": []}', "providers: must be an object"),
            ('{"providers": {"a": {"env": {"K": true}}}}', "providers.a.env.K: must be a string"),
            ('{"providers": {"help": {}}}', "providers.help: help is a ccc command"),
        ],
    )
    def test_errors_name_file_and_key(self, stubbed: CccProject, text: str, said: str) -> None:
        """A bad configuration is an error with its location, and the file is left alone."""
        path = stubbed.write(".claude/ccc.json", text)
        outcome = stubbed.run("a")
        assert (outcome.code, stubbed.launches) == (1, [])
        assert f"{path}" in outcome.stderr
        assert said in outcome.stderr
        assert stubbed.read(".claude/ccc.json") == text

    def test_rewriting_keeps_everything(self, stubbed: CccProject) -> None:
        """Saving the choice changes one value; order, unknown keys, numbers and layout stay."""
        text = (
            '{"current_provider":"a", "zoo": [1.0, 1e3],\n\t"providers": {"a": {}, "b": {}},\n'
            '\t"\\u00e4": "ä"}'
        )
        stubbed.write(".claude/ccc.json", text)
        first = stubbed.run("b").succeeded()
        assert stubbed.read(".claude/ccc.json") == text.replace('":"a"', '":"b"')
        assert "unknown key zoo" in first.stderr
        assert stubbed.run("a").succeeded().stderr == ""
        assert stubbed.read(".claude/ccc.json") == text


class TestHelp:
    def test_help(self, stubbed: CccProject) -> None:
        """004/显示帮助（更新）: usage, commands, variables, configuration, providers."""
        two_providers(stubbed, current_provider="glm")
        outcome = stubbed.run("--help").succeeded()
        assert "supervisor-mode" in outcome.stdout
        assert "CCC_SUPERVISOR_ID" in outcome.stdout
        assert "CCC_SUPERVISOR " not in outcome.stdout
        assert f"{stubbed.claude_dir}/ccc.json (readable)" in outcome.stdout
        assert "\n   kimi\n * glm\n" in outcome.stdout
        assert "sk-" not in outcome.stdout
        assert stubbed.launches == []

    @pytest.mark.parametrize("text", [None, "{broken", '{"providers": 1}'])
    def test_help_without_a_usable_config(self, stubbed: CccProject, text: str | None) -> None:
        """Help works with a broken or missing configuration, and says which it is."""
        path = stubbed.claude_dir / "ccc.json"
        path.unlink() if text is None else path.write_text(text)
        outcome = stubbed.run("--help").succeeded()
        assert ("not created yet" if text is None else "not usable") in outcome.stdout
        assert "Usage:" in outcome.stdout

    @pytest.mark.parametrize("text", [None, pytest.param("{broken", marks=pytest.mark.thorough)])
    def test_help_of_a_command(self, stubbed: CccProject, text: str | None) -> None:
        """`ccc help COMMAND` prints the same as `ccc COMMAND --help`, whatever is in ccc.json."""
        if text:
            (stubbed.claude_dir / "ccc.json").write_text(text)
        for command in COMMANDS:
            printed = stubbed.run("help", command).succeeded().stdout
            assert command == "help" or printed.startswith(f"Usage: ccc {command}"), command
            if command not in ("help", "supervisor-hook"):
                assert stubbed.run(command, "--help").succeeded().stdout == printed, command
        assert stubbed.launches == []

    def test_help_of_another_word(self, stubbed: CccProject) -> None:
        """Help explains a provider, and suggests the nearest match for an unknown word."""
        two_providers(stubbed)
        assert "ccc kimi --help" in stubbed.run("help", "kimi").succeeded().stdout
        for word, near in (("statsu", "status"), ("kimmi", "kimi")):
            outcome = stubbed.run("help", word)
            assert (outcome.code, outcome.stdout) == (1, "")
            assert f"no command {word}" in outcome.stderr
            assert f"ccc help {near}\n" in outcome.stderr
        assert "All commands: ccc help" in stubbed.run("help", "xyzzy").stderr

    def test_both_languages(self, stubbed: CccProject) -> None:
        """CCC_LANG, then `language`, then the locale choose the language; English otherwise."""
        assert "Usage:" in stubbed.run("--help").stdout
        for locale in (None, "C", "de_DE.UTF-8"):
            assert "Usage:" in stubbed.run("--help", env={"LANG": locale}).stdout
        assert "用法" in stubbed.run("--help", env={"LANG": "zh_CN.UTF-8"}).stdout
        assert "用法" in stubbed.run("--help", env={"CCC_LANG": "zh"}).stdout
        stubbed.configure(language="zh")
        assert "用法" in stubbed.run("--help").stdout
        assert "Usage:" in stubbed.run("--help", env={"CCC_LANG": "en"}).stdout

    def test_a_reader_that_goes_away(self, stubbed: CccProject) -> None:
        """Help written to a closed pipe, or in an encoding without Chinese, doesn't crash."""
        line = f"{stubbed.ccc} --help | true; PYTHONIOENCODING=ascii {stubbed.ccc} --help"
        outcome = stubbed.run("-c", line, program="/bin/sh").succeeded()
        assert outcome.stderr == ""

    def test_version(self, stubbed: CccProject) -> None:
        """`ccc --version` prints the version."""
        import ccc

        assert stubbed.run("--version").succeeded().stdout == f"ccc {ccc.__version__}\n"
