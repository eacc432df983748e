"""`ccc doctor` finds and names every problem, and fixes ccc's own files."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ccc.claude import settings_files
from ccc.doctor import environment
from ccc.doctor.findings import read_setup
from ccc.storage.paths import Paths
from harness import KEY, CccProject, check_golden
from harness.programs import path_without

VERSION = "2.1.325 (Claude Code)"
SECRET = "sk-live-0123456789abcdef"
REPLACED = {
    r"ccc \d+\.\d+\.\d+\S* ?[(（][^)）]*[)）]": "ccc VERSION (FILE)",
    r"Python \d[\w.+]*(,|，) ?[^\n]*": r"Python VERSION\1 SYSTEM",
    r"claude [^\n]*/bin/claude": "claude VERSION: FILE",
    r"\d+ (ms|毫秒)": r"N \1",
    r"/\S*/project": "PROJECT",
    r"http://127.0.0.1:\d+": "ADDRESS",
    r"claude's sandbox[^\n]*(\n  → Install[^\n]*)?": "SANDBOX",
    r"claude 的沙箱[^\n]*(\n  → 请安装[^\n]*)?": "SANDBOX",
    r"(?m)^[!✓✗·] SANDBOX": "? SANDBOX",
    r"(?<=\S) {2,}": "  ",
    r"─+": "─",
}


class Patient:
    """A home that ccc was launched in, and what the doctor reports about it."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        claude = project.bin / "claude"
        claude.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo '{VERSION}'\nexit 0\n")
        claude.chmod(0o755)
        (project.bin / "ccc").symlink_to(project.ccc)
        project.configure(current_provider="kimi", supervisor={"sandbox": "off"})
        self.path(".claude/ccc.json").chmod(0o600)

    def path(self, name: str) -> Any:
        return self.project.home / name

    def launched(self) -> "Patient":
        self.project.run("kimi", "--version").succeeded()
        return self

    def settings(self, **more: object) -> None:
        """Change the user's settings.json."""
        content = self.project.json(".claude/settings.json")
        self.project.write(".claude/settings.json", json.dumps({**content, **more}))

    def of_project(self, name: str, **content: object) -> None:
        """Write a settings file in the project."""
        directory = self.project.directory / ".claude"
        directory.mkdir(exist_ok=True)
        (directory / name).write_text(json.dumps(content))

    def report(self, *options: str, **env: str) -> dict[str, Any]:
        """Return the JSON report and check that it contains no secrets."""
        outcome = self.project.run("doctor", "--json", *options, env=env)
        assert KEY not in outcome.stdout
        assert SECRET not in outcome.stdout + outcome.stderr
        found: dict[str, Any] = json.loads(outcome.stdout)
        assert outcome.code == (1 if found["problems"] else 0)
        marks = [each["mark"] for each in found["findings"]]
        assert marks.count("problem") == found["problems"]
        return found

    def bad(self, *options: str, **env: str) -> dict[str, str]:
        """Return the names and marks of problems, without the sandbox, which may not run here."""
        found = self.report(*options, **env)["findings"]
        bad = [each for each in found if each["mark"] != "ok" and each["name"] != "sandbox"]
        assert all(each["remedy"] for each in bad), bad
        return {each["name"]: each["mark"] for each in bad}

    def what(self, name: str, *options: str, **env: str) -> str:
        """Return the report's text about one item."""
        found = self.report(*options, **env)["findings"]
        return next(f"{each['what']} → {each['remedy']}" for each in found if each["name"] == name)

    def origin(self, name: str, **env: str) -> dict[str, Any]:
        """Return the origin of a variable."""
        found = self.report(**env)["variables"]
        return next(each for each in found if each["name"] == name)


@pytest.fixture
def patient(stubbed: CccProject) -> Patient:
    """A home that ccc has never been launched in."""
    return Patient(stubbed)


def test_healthy(patient: Patient) -> None:
    """After a launch there are no problems, and the doctor changes nothing."""
    patient.launched()
    before = {p: p.read_bytes() for p in patient.project.home.rglob("*") if p.is_file()}
    assert patient.bad() == {}
    assert {p: p.read_bytes() for p in patient.project.home.rglob("*") if p.is_file()} == before


def test_healthy_after_init(patient: Patient) -> None:
    """After `ccc init` there are no problems even without a launch."""
    patient.path(".claude/ccc.json").unlink()
    words = ("--preset", "kimi", "--key-stdin", "--no-statusline")
    patient.project.run("init", *words, stdin=SECRET).succeeded()
    assert patient.bad() == {}


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has a sandbox of its own")
@pytest.mark.parametrize("missing", ["bwrap", "socat"])
def test_no_sandbox(patient: Patient, missing: str) -> None:
    """Missing requirements of the sandbox are named, with the packages to install."""
    patient.project.configure(current_provider="kimi")
    path = f"{patient.project.bin}:{path_without(missing)}"
    said = patient.what("sandbox", PATH=path)
    assert missing in said
    assert "bubblewrap" in said


def test_an_agent_in_the_sandbox(patient: Patient) -> None:
    """It says where /supervisor works then, and which rule makes it work in a plain claude."""
    patient.launched()
    patient.settings(sandbox={"enabled": True})
    rule = f"{patient.project.bin / 'ccc'} supervisor-mode *"
    said = patient.what("sandbox.agent", PATH=f"{patient.project.bin}:{path_without()}")
    assert "not in plain claude" in said
    assert rule in said or f"{patient.project.ccc} supervisor-mode *" in said
    assert patient.bad() == {}
    named = said.partition('["')[2].partition('"]')[0]
    patient.settings(sandbox={"enabled": True, "excludedCommands": [named]})
    assert "runs outside it" in patient.what("sandbox.agent")


def test_nothing_at_all(patient: Patient) -> None:
    """A home without any of ccc's files is examined, and nothing is created."""
    patient.path(".claude/ccc.json").unlink()
    bad = patient.bad()
    assert bad == {
        "config": "problem",
        "hook": "problem",
        "command.supervisor": "warning",
        "command.supervisoroff": "warning",
        "prompt": "problem",
    }
    assert os.listdir(patient.project.claude_dir) == []
    # one action that fixes them all
    found = patient.report()["findings"]
    remedies = {each["remedy"] for each in found if each["name"] in bad}
    assert remedies == {"Run: ccc init (or, without a provider: ccc install)"}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", "ccc.json, line 1"),
        ('{"providers": {}}', "has no provider"),
        ('{"providers": {"kimi": {"env": {"A": ["x"]}}}}', "providers.kimi.env.A"),
        (f'{{"providers": {{"kimi": {{"env": {{"A={SECRET}": "x"}}}}}}}}', "providers.kimi.env"),
    ],
)
def test_broken_configuration(patient: Patient, text: str, where: str) -> None:
    """It says where ccc.json is broken, and examines the rest."""
    patient.launched()
    patient.project.write(".claude/ccc.json", text)
    assert where in patient.what("config")
    assert patient.bad() == {"config": "problem"}


def test_broken_settings(patient: Patient) -> None:
    """It says where settings.json is broken; --fix leaves it unchanged."""
    patient.launched()
    broken = patient.project.read(".claude/settings.json") + f'"{SECRET}"'
    patient.project.write(".claude/settings.json", broken)
    assert "settings.json, line" in patient.what("settings", "--fix")
    unread = {"other_hooks": "warning", "variables": "warning"}
    assert patient.bad() == {"settings": "problem", **unread}
    assert "can't read ~/.claude/settings.json" in patient.what("other_hooks")
    fixed = patient.project.run("doctor", "--fix")
    assert fixed.stderr == ""
    assert patient.project.read(".claude/settings.json") == broken


def test_a_broken_file_of_the_project(patient: Patient) -> None:
    """An unreadable settings file in the project is reported."""
    patient.launched().of_project("settings.json")
    (patient.project.directory / ".claude/settings.json").write_text("[]")
    assert patient.bad() == dict.fromkeys(
        ("settings.project", "other_hooks", "variables"), "warning"
    )


def test_fix_puts_everything_in_its_place(patient: Patient) -> None:
    """--fix repairs ccc's hook, commands, prompt and modes, and removes files of dead processes."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    state = patient.project.claude_dir / "ccc"
    state.mkdir(mode=0o755)
    patient.path(".claude/ccc.json").chmod(0o644)
    patient.project.write(".claude/settings.json", '{"model": "opus"}')
    left = [state / f"settings-s-{gone.pid}.json"]
    left += [patient.project.claude_dir / f".ccc-settings.json.{gone.pid}-00ff00ff.tmp"]
    for path in left:
        path.write_text("{}")
    names = {"modes", "hook", "command.supervisor", "command.supervisoroff", "prompt", "leftovers"}
    assert set(patient.bad()) == names
    report = patient.report("--fix")
    assert report["problems"] + report["warnings"] == 0
    assert {each["name"] for each in report["findings"] if each["fixed"]} == names
    assert patient.bad() == {}
    assert patient.project.json(".claude/settings.json")["model"] == "opus"
    assert not any(path.exists() for path in left)


def test_fix_leaves_what_a_living_process_needs(patient: Patient) -> None:
    """--fix leaves the settings of a running session and a write in progress."""
    patient.launched()
    waits = "import sys; sys.stdin.read()  # a claude"
    with subprocess.Popen([sys.executable, "-c", waits], stdin=subprocess.PIPE) as running:
        needed = [patient.project.claude_dir / "ccc" / f"settings-s-{running.pid}.json"]
        needed += [patient.project.claude_dir / f".ccc-x.json.{running.pid}-00ff00ff.tmp"]
        for path in needed:
            path.write_text("{}")
            path.chmod(0o600)
        assert patient.bad("--fix") == {}
        assert all(path.exists() for path in needed)
        running.communicate(b"")
    assert patient.bad() == {"leftovers": "warning"}
    told = "2 leftover files of sessions that were killed in ~"
    assert patient.what("leftovers").startswith(told)


def test_fix_leaves_what_is_the_users(patient: Patient) -> None:
    """--fix leaves a deleted prompt deleted and a changed command changed."""
    patient.launched()
    patient.path(".claude/SUPERVISOR.md").unlink()
    patient.project.write(".claude/commands/supervisor.md", "Mine.\n")
    assert patient.bad("--fix") == {"prompt": "problem", "command.supervisor": "warning"}
    assert not patient.path(".claude/SUPERVISOR.md").exists()
    assert patient.project.read(".claude/commands/supervisor.md") == "Mine.\n"


def test_a_hook_of_another_ccc(patient: Patient) -> None:
    """Another ccc's hook is named, with whether that ccc still exists; --fix replaces it."""
    patient.launched()
    other = patient.project.root / "other" / "ccc"
    other.parent.mkdir()
    other.symlink_to(patient.project.ccc)
    patient.project.run("init", "--statusline", "--yes", program=str(other)).succeeded()
    patient.project.run("kimi", "--version", program=str(other)).succeeded()
    bad = {"hook": "warning", "command.supervisor": "warning", "command.supervisoroff": "warning"}
    assert patient.bad() == bad
    assert f"belongs to another ccc: {other} supervisor-hook" in patient.what("hook")
    other.unlink()
    assert patient.bad() == {**bad, "hook": "problem", "statusline": "warning"}
    assert f"runs a ccc that no longer exists: {other}" in patient.what("hook")
    assert f"runs a ccc that no longer exists: {other}" in patient.what("statusline")
    assert patient.bad("--fix") == {"hook.provider": "warning", "statusline": "warning"}
    patient.launched()
    patient.project.run("init", "--statusline", "--yes").succeeded()
    assert patient.bad() == {}


def test_a_hook_of_another_language(patient: Patient) -> None:
    """The status text is correct in either language, even if the two files differ in it."""
    patient.launched()
    assert patient.bad(CCC_LANG="zh") == {}
    assert patient.bad("--fix", CCC_LANG="zh") == {}
    assert "检查中" in patient.project.read(".claude/settings.json")
    assert "审查中" not in patient.project.read(".claude/settings-kimi.json")
    assert patient.bad(CCC_LANG="en") == {}


@pytest.mark.parametrize("does", ["echo hello", "exit 1"])
def test_a_hook_that_talks(patient: Patient, does: str) -> None:
    """A hook that prints when it should be silent is a problem, and so is one that fails."""
    patient.launched()
    noisy = patient.project.root / "ccc"
    noisy.write_text(f"#!/bin/sh\n{does}\n")
    noisy.chmod(0o755)
    text = patient.project.read(".claude/settings.json").replace(patient.project.ccc, str(noisy))
    patient.project.write(".claude/settings.json", text)
    assert patient.bad()["hook.runs"] == "problem"


def test_the_hook_runs_with_nothing_to_supervise(patient: Patient) -> None:
    """Inside a supervised session, the doctor triggers no review."""
    patient.launched()
    state = {"session_id": "abc", "enabled": True}
    patient.project.write(".claude/ccc/supervisor-abc.json", json.dumps(state))
    patient.path(".claude/ccc/supervisor-abc.json").chmod(0o600)
    assert patient.bad(CCC_SUPERVISOR_ID="abc") == {}


@pytest.mark.parametrize("place", ["user", "project", "local", "ccc.json"])
def test_hooks_that_are_switched_off(patient: Patient, place: str) -> None:
    """`disableAllHooks` is reported with its file; a launch overrides the project's."""
    patient.launched()
    if place == "user":
        patient.settings(disableAllHooks=True)
    elif place == "ccc.json":
        kimi = {**patient.project.provider(), "disableAllHooks": True}
        patient.project.configure(providers={"kimi": kimi}, supervisor={"sandbox": "off"})
    else:
        name = {"project": "settings.json", "local": "settings.local.json"}[place]
        patient.of_project(name, disableAllHooks=True)
    weak = place in ("project", "local")
    assert patient.bad()["hooks_off"] == ("warning" if weak else "problem")
    assert ("ccc.json" if place == "ccc.json" else "settings") in patient.what("hooks_off")


@pytest.mark.parametrize("key", ["disableAllHooks", "allowManagedHooksOnly"])
def test_managed_settings(
    patient: Patient, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Managed settings are found and take precedence."""
    patient.launched()
    managed = tmp_path / "managed"
    (managed / "managed-settings.d").mkdir(parents=True)
    (managed / "managed-settings.json").write_text(json.dumps({key: True, "env": {"A": "1"}}))
    (managed / "managed-settings.d/10.json").write_text('{"env": {"A": "2"}}')
    monkeypatch.setattr(
        settings_files, "MANAGED_DIRECTORIES", {"linux": str(managed), "darwin": str(managed)}
    )
    monkeypatch.chdir(patient.project.directory)
    env = patient.project.env
    case = read_setup(env, Paths({"CLAUDE_CONFIG_DIR": str(patient.project.claude_dir)}), "", set())
    (found,) = [f for f in environment.hooks(case) if f.name == "hooks_off"]
    assert (found.mark, key in found.what) == ("problem", True)
    (origin,) = [each for each in environment.origins(case) if each.name == "A"]
    assert (origin.value, origin.source.kind) == ("2", "managed")


def test_other_stop_hooks(patient: Patient) -> None:
    """Stop hooks in files and enabled plugins are named by their program only."""
    patient.launched()

    def hooks(command: str) -> dict[str, object]:
        return {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}

    patient.of_project("settings.json", hooks=hooks(f"/usr/bin/curl -H {SECRET}"))
    plugins = {}
    for name in ("on", "off"):
        root = patient.project.root / f"plugin-{name}"
        (root / "hooks").mkdir(parents=True)
        given = f"TOKEN={SECRET} run-{name} {SECRET}"
        (root / "hooks/hooks.json").write_text(json.dumps({"hooks": hooks(given)}))
        plugins[f"{name}@m"] = [{"scope": "user", "installPath": str(root)}]
    index = json.dumps({"version": 2, "plugins": plugins})
    patient.project.write(".claude/plugins/installed_plugins.json", index)
    patient.settings(enabledPlugins={"on@m": True, "off@m": False})
    found = [f for f in patient.report()["findings"] if f["name"] == "other_hooks"]
    assert [f["what"].rpartition(": ")[2] for f in found] == ["curl", "run-on"]


def test_slash_commands(patient: Patient) -> None:
    """An outdated command of ccc is distinguished from the user's own, and replaced."""
    patient.launched()
    old = "---\ndescription: Enable supervisor mode\n---\n$ARGUMENTS!`ccc supervisor-mode on`\n"
    patient.project.write(".claude/commands/supervisor.md", old)
    assert "belongs to another ccc" in patient.what("command.supervisor")
    assert patient.bad("--fix") == {}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (None, "", "~/.claude/SUPERVISOR.md (the default)"),
        ("home", "Mine.\n", "~/.claude/SUPERVISOR.md (your own)"),
        ("project", "Mine.\n", "of this project"),
        ("project", " \n", "~/.claude/SUPERVISOR.md (the default)"),
    ],
)
def test_which_prompt(patient: Patient, name: str | None, text: str, told: str) -> None:
    """It names the prompt that a review would use."""
    patient.launched()
    if name == "home":
        patient.project.write(".claude/SUPERVISOR.md", text)
    elif name == "project":
        (patient.project.directory / "SUPERVISOR.md").write_text(text)
    assert told in patient.what("prompt")


def test_which_claude(patient: Patient) -> None:
    """It names the rule that found claude: PATH, CCC_CLAUDE or the bundled one."""
    patient.launched()
    assert patient.what("claude").startswith(f"claude {VERSION}: ")
    assert "(PATH)" in patient.what("claude")
    other = patient.project.root / "my claude"
    os.rename(patient.project.bin / "claude", other)
    assert "(bundled)" in patient.what("claude", PATH=path_without())
    assert "(CCC_CLAUDE)" in patient.what("claude", CCC_CLAUDE=str(other))
    assert patient.bad(CCC_CLAUDE="/nowhere")["claude"] == "problem"
    other.write_text("#!/bin/sh\nexit 3\n")
    assert patient.bad(CCC_CLAUDE=str(other))["claude"] == "problem"


def test_corrupt_states_and_loose_modes(patient: Patient) -> None:
    """Corrupt states are reported; files that others can read are fixed."""
    patient.launched()
    patient.project.write(".claude/ccc/supervisor-x.json.corrupt", "{")
    assert patient.bad() == {"modes": "warning", "corrupt": "warning"}
    assert patient.bad("--fix") == {"corrupt": "warning"}


def test_a_state_directory_that_is_none(patient: Patient) -> None:
    """A file in place of the state directory is a problem."""
    patient.launched()
    work = patient.project.root / "work"
    work.mkdir()
    (work / "ccc").write_text("x")
    assert patient.bad(CCC_WORK_DIR=str(work))["state"] == "problem"


def test_a_key_from_a_variable_that_is_not_set(patient: Patient) -> None:
    """An unavailable key is a problem; a key's command is not run."""
    ran = patient.project.root / "ran"
    env = {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "ANTHROPIC_AUTH_TOKEN": {"env": "MY_KEY"},
        "OTHER_KEY": {"command": ["touch", str(ran)]},
    }
    patient.launched()
    patient.project.configure(providers={"kimi": {"env": env}}, supervisor={"sandbox": "off"})
    patient.path(".claude/ccc.json").chmod(0o600)
    assert "MY_KEY" in patient.what("key.MY_KEY")
    assert patient.bad(MY_KEY=SECRET) == {}
    assert patient.origin("OTHER_KEY", MY_KEY=SECRET)["value"] == "(not in the file)"
    assert not ran.exists()


def test_a_notification_that_needs_apprise(patient: Patient) -> None:
    """Without Apprise, a URL of it is a warning that says what to install and hides the URL."""
    patient.launched()
    notify = {"sandbox": "off", "notify": "tgram://secret-part/chat"}
    patient.project.configure(current_provider="kimi", supervisor=notify)
    patient.path(".claude/ccc.json").chmod(0o600)
    assert patient.bad() == {}
    hidden = patient.project.root / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys; sys.modules['apprise'] = None\n")
    message = patient.what("config.supervisor.notify", PYTHONPATH=str(hidden))
    assert "supervisor.notify" in message
    assert "pip install 'ccc-supervisor[notify]'" in message
    assert "secret-part" not in message


def test_settings_that_win_over_the_provider(patient: Patient) -> None:
    """Settings that override the provider are found, with the variable and the fix."""
    provider = patient.project.provider(FOO="1", API_TIMEOUT_MS="5")
    patient.project.configure(providers={"kimi": provider}, supervisor={"sandbox": "off"})
    patient.path(".claude/ccc.json").chmod(0o600)
    patient.launched()
    patient.settings(env={"API_TIMEOUT_MS": "9", "ANTHROPIC_MODEL": "other", "FOO": "2"})
    assert patient.bad() == {}
    assert patient.origin("API_TIMEOUT_MS")["from"].endswith("settings-kimi.json")
    assert patient.origin("ANTHROPIC_MODEL")["from"] == "ccc.json, the provider"
    patient.of_project("settings.local.json", env={"BAR": SECRET, "FOO": "3"})
    assert patient.bad() == {}
    patient.settings(env={})
    assert patient.bad() == {"variable.FOO": "warning"}
    assert patient.origin("FOO")["from"].endswith("settings.local.json")
    assert patient.origin("BAR")["value"] == "(hidden)"


def test_another_provider(patient: Patient) -> None:
    """The provider can be named; an unknown one is an error."""
    patient.launched()
    providers = {"kimi": patient.project.provider(), "glm": patient.project.provider(GLM="1")}
    patient.project.configure(providers=providers, supervisor={"sandbox": "off"})
    assert any(each["name"] == "GLM" for each in patient.report("glm")["variables"])
    outcome = patient.project.run("doctor", "nobody")
    assert (outcome.code, "glm" in outcome.stderr) == (1, True)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_shows(patient: Patient, language: str) -> None:
    """The report of a healthy home, and of one with many problems."""
    env = {"CCC_LANG": language, "MY_TOKEN": SECRET, "ANTHROPIC_API_KEY": SECRET}
    patient.launched()
    shown = patient.project.run("doctor", env=env).succeeded().stdout
    check_golden(f"doctor.{language}.txt", shown, REPLACED)
    patient.project.write(".claude/settings.json", '{"disableAllHooks": true}')
    patient.path(".claude/ccc.json").chmod(0o644)
    patient.path(".claude/commands/supervisor.md").unlink()
    patient.of_project("settings.local.json", env={"API_TIMEOUT_MS": "1", "KEY": SECRET})
    shown = patient.project.run("doctor", env=env)
    assert shown.code == 1
    assert SECRET not in shown.stdout
    assert not any(line != line.rstrip() for line in shown.stdout.splitlines())
    check_golden(f"doctor-ill.{language}.txt", shown.stdout, REPLACED)
    every = patient.project.run("doctor", "--all", env=env).stdout
    assert "ANTHROPIC_DEFAULT_HAIKU_MODEL" not in shown.stdout
    assert "ANTHROPIC_DEFAULT_HAIKU_MODEL = kimi-k2.7-code" in every
    assert SECRET not in every
    fixed = patient.project.run("doctor", "--fix", env=env)
    check_golden(f"doctor-fix.{language}.txt", fixed.stdout, REPLACED)


@pytest.mark.tmux
def test_on_a_narrow_terminal(patient: Patient, tmux: None) -> None:
    """Nothing is cut off at eighty columns."""
    patient.launched()
    with patient.project.interactive("doctor", env={"COLUMNS": "80"}) as terminal:
        shown = terminal.wait_for(r"\[exit 0\]")
    assert "No problems found.\nNext: start ccc, then type /supervisor <task>" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
