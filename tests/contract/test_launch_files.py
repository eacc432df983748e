"""What a launch writes: settings, hook, slash commands and state, each only once."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from launches import option

from harness import CccProject


class TestFiles:
    def test_hook_in_the_settings(self, stubbed: CccProject) -> None:
        """004/总是生成带 Hook 的 Settings; 001/生成带 Hook 的 Settings: in both files."""
        stubbed.run("kimi").succeeded()
        for name in ("settings.json", "settings-kimi.json"):
            assert stop_commands(stubbed, name) == [f"{stubbed.ccc} supervisor-hook"]
        assert option(stubbed.launched.argv, "--settings").endswith("/settings-kimi.json")

    def test_hook_by_absolute_path(self, stubbed: CccProject) -> None:
        """001/Hook 命令绝对路径: even if ccc was called by a relative path."""
        here = os.path.relpath(stubbed.ccc, stubbed.directory)
        stubbed.run("kimi", program=here).succeeded()
        assert stop_commands(stubbed, "settings.json") == [f"{stubbed.ccc} supervisor-hook"]
        assert os.path.isabs(stubbed.ccc)

    def test_settings_of_the_reviewer(self, stubbed: CccProject) -> None:
        """001/生成 Supervisor 专用 Settings: no hooks, read-only, the rest as in the main ones."""
        hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}
        stubbed.configure(settings={"model": "opus", "hooks": hooks})
        stubbed.run("kimi").succeeded()
        reviewer = stubbed.json(".claude/settings-kimi-supervisor.json")
        assert "hooks" not in reviewer
        assert reviewer["disableAllHooks"] is True
        assert "Edit(./**)" in reviewer["permissions"]["deny"]
        assert reviewer["model"] == stubbed.json(".claude/settings-kimi.json")["model"] == "opus"

    @pytest.mark.parametrize(
        ("name", "switch", "description"),
        [
            ("supervisor", "on", "Enable supervisor mode"),
            ("supervisoroff", "off", "Disable supervisor mode"),
        ],
    )
    def test_slash_commands(
        self, stubbed: CccProject, name: str, switch: str, description: str
    ) -> None:
        """002/supervisor.md 内容格式; 002/supervisoroff.md 内容格式; \
        004/创建 supervisor.md 命令文件; 004/创建 supervisoroff.md 命令文件: they run."""
        stubbed.run("kimi").succeeded()
        text = stubbed.read(f".claude/commands/{name}.md")
        assert text.startswith(f"---\ndescription: {description}\n")
        assert "\nallowed-tools: Bash(" in text
        assert f"\n!`{stubbed.ccc} supervisor-mode {switch} --this-session`\n" in text
        assert text.endswith("\n$ARGUMENTS\n")

    def test_the_ledger(self, stubbed: CccProject) -> None:
        """The ledger lists ccc's files, each with its kind."""
        stubbed.run("kimi").succeeded()
        ledger = stubbed.json(".claude/ccc/ledger.json")["files"]
        assert {Path(path).name: entry["kind"] for path, entry in ledger.items()} == {
            "settings.json": "hook",
            "settings-kimi.json": "settings",
            "settings-kimi-supervisor.json": "settings",
            "commands": "directory",
            "supervisor.md": "command",
            "supervisoroff.md": "command",
            "SUPERVISOR.md": "prompt",
        }

    def test_the_status_text_is_in_the_persons_language(self, stubbed: CccProject) -> None:
        """Both settings files have the same entry; a launch in the other language replaces it."""
        texts = {"en": "Supervisor: checking", "zh": "Supervisor: 检查中"}
        for language in ("en", "zh", "en"):
            stubbed.run("kimi", env={"CCC_LANG": language}).succeeded()
            files = [stubbed.json(f".claude/{n}.json") for n in ("settings", "settings-kimi")]
            entries = [file["hooks"]["Stop"] for file in files]
            assert entries[0] == entries[1]
            assert [h["statusMessage"] for g in entries[0] for h in g["hooks"]] == [texts[language]]

    def test_the_prompt_is_in_the_persons_language(self, stubbed: CccProject) -> None:
        """A launch writes SUPERVISOR.md in the user's language."""
        stubbed.run("kimi", env={"CCC_LANG": "zh"}).succeeded()
        assert stubbed.read(".claude/SUPERVISOR.md").startswith("# 监督者")

    def test_private_modes(self, stubbed: CccProject) -> None:
        """ccc's files are private whatever the umask; the modes of the user's files stay."""
        stubbed.write(".claude/settings.json", "{}").chmod(0o644)
        (stubbed.claude_dir / "ccc.json").chmod(0o640)
        os.chmod(stubbed.claude_dir, 0o755)
        stubbed.run("-c", f"umask 000; exec {stubbed.ccc} kimi", program="/bin/sh").succeeded()
        modes = {
            str(path.relative_to(stubbed.claude_dir)): stat.S_IMODE(path.stat().st_mode)
            for path in stubbed.claude_dir.rglob("*")
        }
        assert modes.pop("settings.json") == 0o644
        assert modes.pop("ccc.json") == 0o640
        assert {modes.pop("ccc"), modes.pop("commands")} == {0o700}
        assert set(modes.values()) == {0o600}

    def test_an_unchanged_file_is_not_written_again(self, stubbed: CccProject) -> None:
        """A second launch writes nothing but its own new state."""
        stubbed.run("kimi").succeeded()
        before = snapshot(stubbed.claude_dir)
        stubbed.run("kimi").succeeded()
        after = snapshot(stubbed.claude_dir)
        new = {name for name in after if after[name] != before.get(name)}
        own = ("ccc/supervisor-", "ccc/recent-sessions", "ccc/lock")
        assert [name for name in new if not name.startswith(own)] == []

    def test_the_users_settings_survive(self, stubbed: CccProject) -> None:
        """Every byte of the user's settings.json stays, and ccc's entry is added."""
        users = (
            '{\n    "model": "opus",\n    "\\u4e2d": "中",\n    "n": 1.10e2,\n'
            '    "hooks": {\n        "Stop": [\n            '
            '{"hooks": [{"type": "command", "command": "say done"}]}\n        ]\n    },\n'
            '    "disableAllHooks": true\n}'
        )
        stubbed.write(".claude/settings.json", users)
        stubbed.run("kimi").succeeded()
        text = stubbed.read(".claude/settings.json")
        ours = text.index(',\n            {\n                "hooks"')
        end = text.index("\n        ]", ours)
        assert text[:ours] + text[end:] == users
        assert json.loads(text)["hooks"]["Stop"][1]["hooks"][0]["command"].endswith("hook")

    def test_an_older_entry_is_replaced(self, stubbed: CccProject) -> None:
        """An entry of ccc with another path is replaced, never duplicated."""
        old = {"type": "command", "command": "/old/bin/ccc supervisor-hook --state-dir x"}
        users = {"hooks": {"Stop": [{"hooks": [old]}, {"hooks": [old]}]}}
        stubbed.write(".claude/settings.json", json.dumps(users, indent=2))
        stubbed.run("kimi").succeeded()
        (group,) = stubbed.json(".claude/settings.json")["hooks"]["Stop"]
        assert [h["command"] for h in group["hooks"]] == [f"{stubbed.ccc} supervisor-hook"]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('{"a": 1,}', "settings.json, line 1, column 8"),
            ("// mine\n{}", "settings.json, line 1, column 1"),
            ('{"hooks": []}', "settings.json: hooks"),
            ('{"hooks": {"Stop": {}}}', "settings.json: hooks.Stop"),
            ("[]", "settings.json"),
            ('{"a": ', "settings.json, line 1"),
        ],
    )
    def test_unreadable_settings_are_left(self, stubbed: CccProject, text: str, said: str) -> None:
        """A settings.json that can't be parsed is not overwritten: error, exit 1, no claude."""
        stubbed.write(".claude/settings.json", text)
        outcome = stubbed.run("kimi")
        assert (outcome.code, stubbed.launches) == (1, [])
        assert said in outcome.stderr
        assert stubbed.read(".claude/settings.json") == text

    @pytest.mark.parametrize(
        "text", ["", "\ufeff{}", '{"hooks": null}', '{"hooks": {"Stop": null}}']
    )
    def test_what_claude_reads_is_no_error(self, stubbed: CccProject, text: str) -> None:
        """A settings.json that claude accepts gets ccc's hook."""
        stubbed.write(".claude/settings.json", text)
        stubbed.run("kimi").succeeded()
        assert "supervisor-hook" in stubbed.read(".claude/settings.json")

    def test_a_longer_command_is_the_users(self, stubbed: CccProject) -> None:
        """A user's hook that runs ccc's among other things stays unchanged."""
        theirs = f"notify-send done; {stubbed.ccc} supervisor-hook"
        users = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": theirs}]}]}}
        stubbed.write(".claude/settings.json", json.dumps(users))
        stubbed.run("kimi").succeeded()
        assert theirs in stop_commands(stubbed, "settings.json")

    def test_nothing_that_was_set_aside_is_overwritten(self, stubbed: CccProject) -> None:
        """A second user's file in the place of ccc's gets a different name than the first."""
        for number in (1, 2):
            stubbed.write(".claude/settings-kimi.json", f'{{"mine": {number}}}')
            (stubbed.claude_dir / "ccc" / "ledger.json").unlink(missing_ok=True)
            stubbed.run("kimi").succeeded()
        assert stubbed.json(".claude/settings-kimi.json.before-ccc") == {"mine": 1}
        assert stubbed.json(".claude/settings-kimi.json.before-ccc-2") == {"mine": 2}

    def test_links_are_followed_and_kept(self, stubbed: CccProject) -> None:
        """A settings.json that is a symlink stays one, and its target is changed."""
        target = stubbed.write("dotfiles/settings.json", '{"model": "opus"}\n')
        (stubbed.claude_dir / "settings.json").symlink_to(target)
        stubbed.run("kimi").succeeded()
        assert (stubbed.claude_dir / "settings.json").is_symlink()
        assert "supervisor-hook" in target.read_text()
        assert json.loads(target.read_text())["model"] == "opus"
        assert os.listdir(target.parent) == ["settings.json"]

    def test_a_command_of_the_users_is_left(self, stubbed: CccProject) -> None:
        """A user's slash command with the same name is kept, and reported once."""
        stubbed.write(".claude/commands/supervisor.md", "my own\n")
        first = stubbed.run("kimi").succeeded()
        second = stubbed.run("kimi").succeeded()
        assert stubbed.read(".claude/commands/supervisor.md") == "my own\n"
        assert "commands/supervisor.md is not ccc's" in first.stderr
        assert second.stderr == ""

    def test_stop_hooks_of_the_project_are_told_once(self, stubbed: CccProject) -> None:
        """The project's Stop hooks, which could end a turn, are reported once per change."""
        file = stubbed.directory / ".claude" / "settings.json"
        file.parent.mkdir()
        for command in ("TOKEN=secret-one ./stop.sh", "./other.sh"):
            hook = {"type": "command", "command": command}
            file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
            first, second = (stubbed.run("kimi").succeeded() for _ in range(2))
            assert f"{file} has its own Stop hooks" in first.stderr
            assert second.stderr == ""
        assert "secret-one" not in stubbed.read(".claude/ccc/ledger.json")

    def test_stop_hooks_of_ones_own_are_not_told(self, stubbed: CccProject) -> None:
        """In the home directory, the project's settings are the user's and contain ccc's hook."""
        hook = {"type": "command", "command": "./stop.sh"}
        stubbed.write(".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
        stubbed.directory = stubbed.home
        assert stubbed.run("kimi").succeeded().stderr == ""

    def test_the_ancestors_command_is_replaced(self, stubbed: CccProject) -> None:
        """The obsolete slash command of ccc's predecessor is replaced."""
        old = "---\ndescription: Enable supervisor mode\n---\n$ARGUMENTS!`ccc supervisor-mode on`\n"
        stubbed.write(".claude/commands/supervisor.md", old)
        stubbed.run("kimi").succeeded()
        assert "allowed-tools" in stubbed.read(".claude/commands/supervisor.md")

    def test_the_prompt_is_written_once(self, stubbed: CccProject) -> None:
        """SUPERVISOR.md is not restored when deleted, and never overwritten when changed."""
        stubbed.run("kimi").succeeded()
        prompt = stubbed.claude_dir / "SUPERVISOR.md"
        default = prompt.read_text()
        prompt.write_text("mine\n")
        self.upgrade(stubbed)
        assert prompt.read_text() == "mine\n"
        prompt.unlink()
        self.upgrade(stubbed)
        assert not prompt.exists()
        assert len(default) > 1000

    def test_the_prompt_follows_the_language(self, stubbed: CccProject) -> None:
        """An unmodified SUPERVISOR.md follows the language; a modified one stays."""
        prompt = stubbed.claude_dir / "SUPERVISOR.md"

        def launch(language: str) -> str | None:
            stubbed.run("kimi", env={"CCC_LANG": language}).succeeded()
            return prompt.read_text("utf-8") if prompt.exists() else None

        english, chinese = launch("en"), launch("zh")
        assert english != chinese
        assert (launch("en"), launch("zh")) == (english, chinese)
        prompt.write_text(f"{chinese}Mine.\n", "utf-8")
        assert launch("en") == launch("zh") == f"{chinese}Mine.\n"
        prompt.unlink()
        assert launch("en") is launch("zh") is None

    def test_a_launch_killed_while_it_wrote_the_prompt(self, stubbed: CccProject) -> None:
        """A prompt that was written before the launch was killed still counts as ccc's."""
        stubbed.run("kimi").succeeded()
        english = stubbed.read(".claude/SUPERVISOR.md")
        ledger = stubbed.json(".claude/ccc/ledger.json")
        entry = ledger["files"][str(stubbed.claude_dir / "SUPERVISOR.md")]
        entry.update(sha256="that of another text")
        stubbed.write(".claude/ccc/ledger.json", json.dumps({**ledger, "told": []}))
        stubbed.run("kimi", env={"LANG": "zh_CN.UTF-8", "CCC_LANG": None}).succeeded()
        assert stubbed.read(".claude/SUPERVISOR.md") != english

    def test_an_unchanged_prompt_is_refreshed(self, stubbed: CccProject) -> None:
        """A prompt that an earlier version wrote is updated if it is unmodified."""
        import hashlib

        stubbed.run("kimi").succeeded()
        prompt = stubbed.claude_dir / "SUPERVISOR.md"
        default = prompt.read_text()
        prompt.write_text("the old default\n")
        digest = hashlib.sha256(b"the old default\n").hexdigest()
        self.upgrade(stubbed, sha256=digest)
        assert prompt.read_text() == default

    def upgrade(self, project: CccProject, **facts: str) -> None:
        """Launch as if the last launch had been by an older version."""
        ledger = project.json(".claude/ccc/ledger.json")
        ledger["files"][str(project.claude_dir / "SUPERVISOR.md")].update(version="0.0.1", **facts)
        project.write(".claude/ccc/ledger.json", json.dumps(ledger))
        project.run("kimi").succeeded()

    def test_a_settings_file_of_the_users_is_set_aside(self, stubbed: CccProject) -> None:
        """A user's settings-kimi.json is kept under another name, and reported."""
        stubbed.write(".claude/settings-kimi.json", '{"model": "mine"}')
        outcome = stubbed.run("kimi").succeeded()
        assert stubbed.json(".claude/settings-kimi.json.before-ccc") == {"model": "mine"}
        assert "settings-kimi.json.before-ccc" in outcome.stderr

    @pytest.mark.parametrize("name", ["settings-kimi.json", "settings-kimi-supervisor.json"])
    def test_a_file_of_the_users_over_ours(self, stubbed: CccProject, name: str) -> None:
        """A user's file that replaced ccc's is kept, too."""
        stubbed.run("kimi").succeeded()
        ours = stubbed.read(f".claude/{name}")
        stubbed.run("kimi").succeeded()
        assert not (stubbed.claude_dir / f"{name}.before-ccc").exists()
        stubbed.write(f".claude/{name}", '{"model": "mine"}')
        outcome = stubbed.run("kimi").succeeded()
        assert stubbed.json(f".claude/{name}.before-ccc") == {"model": "mine"}
        assert f"{name}.before-ccc" in outcome.stderr
        assert stubbed.read(f".claude/{name}") == ours

    def test_what_another_version_knows_is_kept(self, stubbed: CccProject) -> None:
        """An unknown field of the ledger is kept."""
        stubbed.run("kimi").succeeded()
        ledger = stubbed.json(".claude/ccc/ledger.json")
        stubbed.write(".claude/ccc/ledger.json", json.dumps({**ledger, "future": [1]}))
        stubbed.configure(providers={"glm": stubbed.provider()})
        stubbed.run("glm").succeeded()
        after = stubbed.json(".claude/ccc/ledger.json")
        assert after["future"] == [1]
        assert len(after["files"]) > len(ledger["files"])

    def test_a_home_that_was_moved(self, stubbed: CccProject) -> None:
        """After a move, ccc still recognizes its files, and the user's files stay the user's."""
        stubbed.run("kimi").succeeded()
        before = stubbed.json(".claude/ccc/ledger.json")["files"]
        moved = stubbed.root / "moved"
        stubbed.home.rename(moved)
        (moved / ".claude/settings-glm.json").write_text('{"mine": 1}')
        env = {"HOME": str(moved)}
        outcome = stubbed.run("kimi", env={**env, "CCC_LANG": "zh"}).succeeded()
        assert not list((moved / ".claude").glob("*.before-ccc*")), outcome.stderr
        after = json.loads((moved / ".claude/ccc/ledger.json").read_text())["files"]
        old, new = str(stubbed.home), str(moved)
        files = [path for path in before if before[path]["kind"] != "directory"]
        assert set(after) >= {path.replace(old, new, 1) for path in files}
        assert "~/.claude/SUPERVISOR.md" in stubbed.run("uninstall", "--yes", env=env).stdout
        assert not (moved / ".claude/SUPERVISOR.md").exists()
        assert not (moved / ".claude/settings-kimi.json").exists()
        assert (moved / ".claude/settings-glm.json").exists()

    @pytest.mark.skipif(sys.platform != "linux", reason="Python has no calls for them elsewhere")
    def test_extended_attributes_are_kept(self, stubbed: CccProject) -> None:
        """Extended attributes of a user's file survive an edit."""
        path = stubbed.write(".claude/settings.json", '{"model": "mine"}')
        try:
            os.setxattr(path, "user.note", b"mine")
        except OSError:
            pytest.skip("the file system has no extended attributes")
        stubbed.run("kimi").succeeded()
        assert "supervisor-hook" in path.read_text()
        assert os.getxattr(path, "user.note") == b"mine"

    @pytest.mark.parametrize(
        ("language", "said"), [("en", "was a hard link"), ("zh", "原是硬链接")]
    )
    def test_a_hard_link_is_told_of(self, stubbed: CccProject, language: str, said: str) -> None:
        """The other name of a hard-linked file keeps its text, and this is reported once."""
        path = stubbed.write(".claude/settings.json", '{"model": "mine"}')
        other = stubbed.home / "dotfiles.json"
        other.hardlink_to(path)
        outcome = stubbed.run("kimi", env={"CCC_LANG": language}).succeeded()
        assert outcome.stderr.count(said) == 1
        assert str(path) in outcome.stderr
        assert "supervisor-hook" in path.read_text()
        assert other.read_text() == '{"model": "mine"}'
        assert said not in stubbed.run("kimi", env={"CCC_LANG": language}).stderr

    def test_settings_that_cannot_be_written(self, stubbed: CccProject) -> None:
        """If settings.json can't be replaced, claude still starts: --settings has the hook."""
        readonly = stubbed.home / "store"
        readonly.mkdir()
        (stubbed.claude_dir / "settings.json").symlink_to(readonly / "missing" / "settings.json")
        (readonly / "missing").write_text("a file, not a directory")
        outcome = stubbed.run("kimi").succeeded()
        assert "store/missing" in outcome.stderr
        assert len(stubbed.launches) == 1

    def test_other_directories(self, stubbed: CccProject) -> None:
        """CCC_CONFIG_DIR has ccc.json and ccc's files; the hook goes where claude looks for it."""
        ours, claudes = stubbed.root / "ours", stubbed.root / "claudes"
        ours.mkdir()
        (stubbed.claude_dir / "ccc.json").rename(ours / "ccc.json")
        env = {"CCC_CONFIG_DIR": str(ours), "CLAUDE_CONFIG_DIR": str(claudes)}
        stubbed.run("kimi", env=env).succeeded()
        assert option(stubbed.launched.argv, "--settings") == str(ours / "settings-kimi.json")
        assert (ours / "SUPERVISOR.md").exists()
        assert "supervisor-hook" in (claudes / "settings.json").read_text()
        assert (claudes / "commands" / "supervisor.md").exists()
        assert os.listdir(stubbed.claude_dir) == []


def stop_commands(project: CccProject, name: str) -> list[str]:
    """Return the commands of the Stop hooks in a settings file."""
    groups = project.json(f".claude/{name}")["hooks"]["Stop"]
    return [hook["command"] for group in groups for hook in group["hooks"]]


def snapshot(directory: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return every file with its inode, modification time and content."""
    found = {}
    for path in directory.rglob("*"):
        if path.is_file():
            status = path.stat()
            name = str(path.relative_to(directory))
            found[name] = (status.st_ino, status.st_mtime_ns, path.read_bytes())
    return found
