"""`ccc uninstall` removes what ccc added and keeps what is the user's."""

import json
import os
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from harness import CccProject, check_golden
from harness.disturbing import AT_EVENT
from harness.page import PageServer
from harness.processes import wait_until

RICH = """{
\t"model": "opus",
\t"env": {"MY_TOKEN": "sk-mine", "N": "1.10"},
\t"hooks": {
\t\t"PreToolUse": [ ],
\t\t"Stop": [
\t\t\t{"hooks": [{"type": "command", "command": "notify-send done"}]}
\t\t]
\t},
\t"\\u4e2d": "中"
}
"""
SETTINGS = {
    "rich": RICH,
    "no hooks": '{"model": "opus"}',
    "minified": '{"a":1,"hooks":{"PreToolUse":[]}}',
    "windows": '\ufeff{\r\n  "a": 1\r\n}\r\n',
    "none": None,
}
EMPTY = {
    "odd white space": '{"hooks": {  }, "a": [1,\n2]}',
    "null": '{"hooks": {"Stop": null}}',
    "empty object": "{ }",
    "blank": " \n",
    "nothing": "",
}
TOLD = {r"/\S*/bin/python\S*": "PYTHON", r"python\d?(\.\d+)? -m pip": "PYTHON -m pip"}


def tree(root: Path) -> dict[str, tuple[int, bytes | None]]:
    """Return everything under the directory, with modes and contents."""
    return {
        str(path.relative_to(root)): (
            stat.S_IMODE(path.lstat().st_mode),
            path.read_bytes() if path.is_file() else None,
        )
        for path in root.rglob("*")
    }


@pytest.fixture
def home(stubbed: CccProject) -> CccProject:
    """A home with many user settings, before the first launch."""
    claude = stubbed.bin / "claude"
    claude.unlink()
    claude.symlink_to("/bin/true")
    stubbed.configure(current_provider="kimi")
    stubbed.write(".claude/settings.json", RICH).chmod(0o640)
    return stubbed


def installed(home: CccProject) -> None:
    """Launch without a session, so that no state is left."""
    home.run("kimi", "--version").succeeded()
    assert "supervisor-hook" in home.read(".claude/settings.json")


def uninstalled(home: CccProject, *options: str) -> str:
    """Uninstall and return the output."""
    return home.run("uninstall", "--yes", *options).succeeded().stdout


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_as_it_was_before(home: CccProject, text: str | None) -> None:
    """After installing and uninstalling, not one byte and not one mode differs."""
    if text is None:
        (home.claude_dir / "settings.json").unlink()
    else:
        home.write(".claude/settings.json", text)
    before = tree(home.home)
    installed(home)
    uninstalled(home)
    assert tree(home.home) == before


@pytest.mark.parametrize("text", EMPTY.values(), ids=EMPTY)
def test_empty_containers_go_with_the_hook(home: CccProject, text: str) -> None:
    """An empty file or container that got ccc's hook is removed with it, and nothing else."""
    home.write(".claude/settings.json", text)
    before = tree(home.home)
    installed(home)
    uninstalled(home)
    after = tree(home.home)
    content = json.loads(text.strip() or "{}")
    content.pop("hooks", None)
    assert home.json(".claude/settings.json") == content
    assert {**after, ".claude/settings.json": None} == {**before, ".claude/settings.json": None}


def test_what_was_in_the_way_is_put_back(home: CccProject) -> None:
    """A user's settings file that ccc renamed is restored, and the user's own commands stay."""
    home.write(".claude/settings-kimi.json", '{"mine": true}')
    home.write(".claude/commands/mine.md", "Mine.\n")
    before = tree(home.home)
    installed(home)
    assert "supervisor-hook" in home.read(".claude/settings-kimi.json")
    uninstalled(home)
    assert tree(home.home) == before


def test_after_an_upgrade(home: CccProject) -> None:
    """It removes everything even if ccc moved and changed its prompt and version."""
    before = tree(home.home)
    odd = home.root / "other place"
    odd.mkdir()
    (odd / "ccc").symlink_to(home.ccc)
    home.run("kimi", "--version", program=str(odd / "ccc")).succeeded()
    ledger = home.json(".claude/ccc/ledger.json")
    ledger["files"][str(home.claude_dir / "SUPERVISOR.md")]["version"] = "0.0.1"
    home.write(".claude/ccc/ledger.json", json.dumps(ledger))
    installed(home)
    uninstalled(home)
    assert tree(home.home) == before


def test_directories_of_ones_own(home: CccProject) -> None:
    """CCC_CONFIG_DIR and CCC_WORK_DIR are cleaned like the default directories."""
    config, work = home.root / "my config", home.root / "my work"
    config.mkdir()
    (config / "ccc.json").write_text(home.read(".claude/ccc.json"))
    env = {"CCC_CONFIG_DIR": str(config), "CCC_WORK_DIR": str(work)}
    before = tree(home.root)
    home.run("kimi", "--version", env=env).succeeded()
    assert (config / "settings-kimi.json").exists()
    home.run("uninstall", "--yes", env=env).succeeded()
    assert tree(home.root) == before


def test_links_are_kept(home: CccProject) -> None:
    """A settings.json that is a symlink to the user's dotfiles stays one."""
    (home.home / "dotfiles").mkdir()
    os.rename(home.claude_dir / "settings.json", home.home / "dotfiles/settings.json")
    (home.claude_dir / "settings.json").symlink_to("../dotfiles/settings.json")
    before = tree(home.home)
    installed(home)
    uninstalled(home)
    assert tree(home.home) == before
    assert (home.claude_dir / "settings.json").is_symlink()


def test_what_the_user_changed_since_stays(home: CccProject) -> None:
    """The user's changes after the installation stay, and are reported."""
    installed(home)
    text = home.read(".claude/settings.json")
    edited = text.replace('"opus"', '"sonnet"').replace(
        '{"type": "command", "command": "notify-send done"}',
        '{"type": "command", "command": "say done"}',
    )
    assert edited != text
    home.write(".claude/settings.json", edited)
    home.write(".claude/commands/supervisor.md", "My own /supervisor.\n")
    home.write(".claude/SUPERVISOR.md", "My own prompt.\n")
    said = uninstalled(home)
    expected = RICH.replace('"opus"', '"sonnet"').replace("notify-send", "say")
    assert home.read(".claude/settings.json") == expected
    assert home.read(".claude/commands/supervisor.md") == "My own /supervisor.\n"
    assert not (home.claude_dir / "commands/supervisoroff.md").exists()
    assert home.read(".claude/SUPERVISOR.md") == "My own prompt.\n"
    assert said.count("you have changed it") == 2


def test_a_hook_that_was_moved_by_the_user(home: CccProject) -> None:
    """After the hook was removed by hand and added by a launch, what the user had then stays."""
    installed(home)
    home.write(".claude/settings.json", '{"hooks": {"PreToolUse": [ ]}}')
    installed(home)
    uninstalled(home)
    assert home.read(".claude/settings.json") == '{"hooks": {"PreToolUse": [ ]}}'


def test_a_ledger_of_an_older_version(home: CccProject) -> None:
    """What version 0.1 has recorded is read: who made the file, and what ccc replaced in it."""
    (home.claude_dir / "settings.json").unlink()
    before = tree(home.home)
    installed(home)
    path = home.claude_dir / "settings.json"
    older = {"containers": [], "held": " ", "blank": "\n", "created": True, "kind": "hook"}
    older["status_line"] = {"before": {"command": "mine"}, "text": '{ "command": "mine" }'}
    ledger = home.json(".claude/ccc/ledger.json")
    ledger |= {"version": 1, "at": str(home.claude_dir / "ccc/ledger.json")}
    ledger["files"][str(path)] = older
    ledger["files"][str(home.claude_dir / "SUPERVISOR.md")]["pending"] = False
    home.write(".claude/ccc/ledger.json", json.dumps(ledger))
    content = home.json(".claude/settings.json")
    line = {"type": "command", "command": f"{home.ccc} statusline"}
    home.write(".claude/settings.json", json.dumps({**content, "statusLine": line}))
    uninstalled(home)
    assert home.json(".claude/settings.json") == {"statusLine": {"command": "mine"}}
    path.unlink()
    assert tree(home.home) == before


@pytest.mark.parametrize("ledger", [None, "", "{", '{"files": [1]}', '{"files": {"x": {}}}'])
def test_without_the_ledger(home: CccProject, ledger: str | None) -> None:
    """Without the ledger, or with a damaged one, the files are recognized by their content."""
    home.write(".claude/settings-kimi.json", '{"mine": true}')
    (home.claude_dir / "commands").mkdir()
    before = tree(home.home)
    installed(home)
    path = home.claude_dir / "ccc/ledger.json"
    path.unlink() if ledger is None else path.write_text(ledger)
    uninstalled(home)
    assert tree(home.home) == before


@pytest.mark.thorough
def test_interrupted_anywhere(home: CccProject, tmp_path: Path) -> None:
    """If it is killed before any single change of a file, a second run finishes."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(AT_EVENT)
    home.write(".claude/settings-kimi.json", '{"mine": true}')
    before = tree(home.home)
    for operation in range(1, 100):
        installed(home)
        done = subprocess.run(
            [home.ccc, "uninstall", "--yes"],
            cwd=home.directory,
            env={**home.env, "PYTHONPATH": str(site), "KILL_AT": str(operation)},
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done
        uninstalled(home)
        assert tree(home.home) == before, operation
    assert 8 < operation < 99
    assert tree(home.home) == before


def test_broken_settings(home: CccProject) -> None:
    """An unreadable settings.json is left and reported; once it is fixed, the rest is removed."""
    installed(home)
    good = home.read(".claude/settings.json")
    home.write(".claude/settings.json", good + "}")
    failed = home.run("uninstall", "--yes")
    assert failed.code == 1
    assert "settings.json, line" in failed.stdout
    assert home.read(".claude/settings.json") == good + "}"
    assert not (home.claude_dir / "settings-kimi.json").exists()
    assert str(home.claude_dir / "settings.json") in home.read(".claude/ccc/ledger.json")
    home.write(".claude/settings.json", good)
    uninstalled(home)
    assert home.read(".claude/settings.json") == RICH
    assert not (home.claude_dir / "ccc").exists()


def test_the_status_line_is_put_back(home: CccProject) -> None:
    """The status line that ccc replaced is restored; the user's own stays."""
    installed(home)
    ledger = home.json(".claude/ccc/ledger.json")
    mine = {"type": "command", "command": "my-status"}
    ledger["files"][str(home.claude_dir / "settings.json")]["status_line"] = {"before": mine}
    home.write(".claude/ccc/ledger.json", json.dumps(ledger))
    settings = home.json(".claude/settings.json")
    settings["statusLine"] = {"type": "command", "command": f"{home.ccc} statusline"}
    home.write(".claude/settings.json", json.dumps(settings))
    said = uninstalled(home)
    assert "status line" in said
    assert home.json(".claude/settings.json") == {**json.loads(RICH), "statusLine": mine}


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "statusLine": {\n    "type": "command",\n    "command": "x"\n  },\n  "a": 1\n}\n',
        '{"statusLine":{"command":"my-line","type":"command"},"model":"opus"}',
    ],
)
def test_a_status_line_comes_back(home: CccProject, text: str) -> None:
    """A status line that `init` replaced is restored in its place."""
    home.write(".claude/settings.json", text)
    home.run("init", "--statusline", "--yes").succeeded()
    assert "ccc statusline" in home.read(".claude/settings.json")
    uninstalled(home)
    after = home.read(".claude/settings.json")
    assert list(json.loads(after).items()) == list(json.loads(text).items())


IMPORTED = """{
   "env": {"FOO": "1", "ANTHROPIC_BASE_URL": "https://api.deepseek.com/anthropic",
           "ANTHROPIC_AUTH_TOKEN": "sk-old"},
   "model":  "opus"
}
"""


@pytest.mark.parametrize("first", [False, True], ids=["before our hook", "behind our hook"])
def test_an_imported_provider_is_put_back(home: CccProject, first: bool) -> None:
    """Variables that `init --remove-keys` removed are restored in settings.json."""
    home.write(".claude/settings.json", IMPORTED)
    if first:
        installed(home)
    home.run("init", "--import", "--remove-keys", "--statusline").succeeded()
    assert "sk-old" not in home.read(".claude/settings.json")
    said = uninstalled(home)
    assert home.json(".claude/settings.json") == json.loads(IMPORTED)
    assert home.read(".claude/settings.json").endswith('"model":  "opus"\n}\n')
    assert "restored: ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN" in said
    assert "settings.json.before-ccc: your settings with the key" in said
    assert "sk-old" not in said


def test_an_imported_provider_beside_a_change(home: CccProject) -> None:
    """The user's later changes stay; a provider that was set again is not touched."""
    home.write(".claude/settings.json", IMPORTED)
    home.run("init", "--import", "--remove-keys").succeeded()
    content = home.json(".claude/settings.json")
    home.write(".claude/settings.json", json.dumps({**content, "model": "sonnet"}))
    uninstalled(home)
    assert home.json(".claude/settings.json") == {**json.loads(IMPORTED), "model": "sonnet"}
    home.write(".claude/settings.json", IMPORTED)
    home.run("init", "--import", "--remove-keys").succeeded()
    other = {"env": {"ANTHROPIC_BASE_URL": "http://h", "ANTHROPIC_AUTH_TOKEN": "sk-new"}}
    home.write(".claude/settings.json", json.dumps(other))
    uninstalled(home)
    assert home.json(".claude/settings.json") == other


def test_an_imported_provider_without_the_ledger(home: CccProject) -> None:
    """Without the ledger they can't be restored, so it says how to use the backup."""
    home.write(".claude/settings.json", IMPORTED)
    home.run("init", "--import", "--remove-keys").succeeded()
    (home.claude_dir / "ccc/ledger.json").unlink()
    said = uninstalled(home)
    assert "without them plain claude has no provider" in said
    settings = home.claude_dir / "settings.json"
    subprocess.run(said.partition("restore them: ")[2].splitlines()[0], shell=True, check=True)
    assert settings.read_text() == IMPORTED


def test_state_and_keys_stay_unless_purged(home: CccProject) -> None:
    """ccc.json and the logs are the user's; --purge removes them, and no other files."""
    config = home.read(".claude/ccc.json")
    home.run("kimi").succeeded()
    (state,) = (home.claude_dir / "ccc").glob("supervisor-*.json")
    home.write(".claude/ccc/hook-invocation.log", "line\n")
    home.write(".claude/ccc/notes.txt", "mine\n")
    home.write(".claude/ccc/eval-last.jsonl", "{}\n")
    home.write(".claude/ccc/web-key", "0" * 64)
    home.write(".claude/ccc/web-browsers.json", "{}")  # of an older ccc
    case = home.write(".claude/ccc/cases/04-stub/before/a.txt", "a\n")
    uninstalled(home)
    assert case.exists()
    assert home.read(".claude/ccc.json") == config
    assert state.exists()
    uninstalled(home, "--purge")
    assert not (home.claude_dir / "ccc.json").exists()
    assert os.listdir(home.claude_dir / "ccc") == ["notes.txt"]
    assert "ccc has nothing" in uninstalled(home)


def test_what_stays_after_make_uninstall(home: CccProject) -> None:
    """After `make uninstall` there is no ccc for --purge, so it names the files to remove."""
    home.run("kimi").succeeded()
    told = home.run("uninstall", "--yes", env={"CCC_UNINSTALLER": "1"}).succeeded().stdout
    assert "your configuration with your keys (rm ~/.claude/ccc.json removes it)" in told
    assert "state and logs (rm -r ~/.claude/ccc removes them)" in told
    assert "--purge" not in told


def test_nobody_is_there_to_be_asked(home: CccProject) -> None:
    """Without a terminal it needs --yes, and changes nothing without it."""
    installed(home)
    before = tree(home.home)
    outcome = home.run("uninstall")
    assert outcome.code == 1
    assert "--yes" in outcome.stderr
    assert tree(home.home) == before


def test_a_broken_configuration_is_no_hindrance(home: CccProject) -> None:
    """It works whatever is in ccc.json."""
    installed(home)
    home.write(".claude/ccc.json", "{")
    uninstalled(home)
    assert home.read(".claude/settings.json") == RICH


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_shows(home: CccProject, language: str) -> None:
    """The list is complete, and a dry run changes nothing."""
    home.write(".claude/settings-kimi.json", '{"mine": true}')
    installed(home)
    home.run("kimi").succeeded()
    home.write(".claude/SUPERVISOR.md", "My own prompt.\n")
    before = tree(home.home)
    env = {"CCC_LANG": language}
    shown = home.run("uninstall", "--dry-run", env=env).succeeded().stdout
    assert tree(home.home) == before
    check_golden(f"uninstall.{language}.txt", shown, TOLD)
    done = home.run("uninstall", "--yes", "--purge", env=env).succeeded().stdout
    check_golden(f"uninstall-purge.{language}.txt", done, TOLD)


def test_what_goes_on_is_named(home: CccProject) -> None:
    """A page and a worker of this home are named, with how to stop them; purging needs the end."""
    installed(home)
    worker = subprocess.Popen(
        [home.ccc, "queue", "work"], cwd=home.directory, env=home.env, stdout=subprocess.DEVNULL
    )
    with PageServer(home) as page:
        wait_until(lambda: list(home.claude_dir.glob("ccc/queue/*/worker-*.lock")), timeout=60)
        shown = home.run("uninstall", "--dry-run").succeeded().stdout
        assert f"ccc web (pid {page.process.pid}). Stop it: kill {page.process.pid}" in shown
        assert f"ccc queue work (pid {worker.pid}). Stop it: kill {worker.pid}" in shown
        refused = home.run("uninstall", "--yes", "--purge")
        assert (refused.code, f"kill {worker.pid}" in refused.stderr) == (1, True)
        worker.terminate()
        worker.wait(60)
    assert "kill" not in home.run("uninstall", "--dry-run").succeeded().stdout


@pytest.mark.tmux
def test_the_question(home: CccProject, tmux: None) -> None:
    """On a terminal it asks; Enter alone means no, and y means yes."""
    installed(home)
    before = tree(home.home)
    with home.interactive("uninstall") as terminal:
        terminal.wait_for(r"Remove them\? \[y/N\]")
        terminal.press("Enter")
        terminal.wait_for(r"Nothing was changed\.[\s\S]*\[exit 1\]")
    assert tree(home.home) == before
    with home.interactive("uninstall", env={"CCC_LANG": "zh"}) as terminal:
        terminal.wait_for(r"删除它们吗？ \[y/N\]")
        terminal.enter("y")
        terminal.wait_for(r"完成。[\s\S]*\[exit 0\]")
    assert home.read(".claude/settings.json") == RICH


def test_a_copy_of_the_users(home: CccProject) -> None:
    """A copy of settings.json is the user's even if it contains ccc's hook, and stays unchanged."""
    installed(home)
    mine = home.read(".claude/settings.json")
    home.write(".claude/settings-backup.json", mine)
    uninstalled(home, "--yes")
    assert home.read(".claude/settings-backup.json") == mine


def test_a_copy_in_the_place_of_ours(home: CccProject) -> None:
    """If a provider gets the name of that copy, it is renamed, and restored afterwards."""
    installed(home)
    mine = home.read(".claude/settings.json")
    home.write(".claude/settings-glm.json", mine)
    config = home.json(".claude/ccc.json")
    config["providers"]["glm"] = {}
    home.write(".claude/ccc.json", json.dumps(config))
    home.run("glm", "--version").succeeded()
    assert home.read(".claude/settings-glm.json.before-ccc") == mine
    uninstalled(home, "--yes")
    assert home.read(".claude/settings-glm.json") == mine


def test_a_provider_that_is_removed(home: CccProject) -> None:
    """The file that the provider's settings file replaced is restored."""
    home.write(".claude/settings-kimi.json", '{"mine": 1}\n')
    installed(home)
    assert home.read(".claude/settings-kimi.json.before-ccc") == '{"mine": 1}\n'
    home.run("provider", "remove", "kimi", "--yes").succeeded()
    assert home.read(".claude/settings-kimi.json") == '{"mine": 1}\n'


def test_two_directories_of_claude(home: CccProject) -> None:
    """With one ccc.json and two claude directories, both are restored."""
    home.env["CCC_CONFIG_DIR"] = str(home.claude_dir)
    before = {}
    for name in ("one", "two"):
        home.write(f"{name}/settings.json", RICH)
        before[name] = tree(home.home / name)
        home.run("kimi", "--version", env={"CLAUDE_CONFIG_DIR": str(home.home / name)}).succeeded()
        assert "supervisor-hook" in home.read(f"{name}/settings.json")
    home.env["CLAUDE_CONFIG_DIR"] = str(home.home / "two")
    uninstalled(home, "--yes")
    for name, as_it_was in before.items():
        assert tree(home.home / name) == as_it_was
