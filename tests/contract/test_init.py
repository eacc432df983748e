"""`ccc init`: asked for or told by options, written at the end, harmless when run again."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from ccc.scripted import (
    Reply,
    Request,
    Rule,
    Scenario,
    ScriptedModel,
    answer,
    anything,
    tool,
    unauthorized,
)
from ccc.system import terminal
from harness import CccProject, Outcome, check_golden

SECRET = "sk-canary-0123456789"
OLD = "sk-old-settings-key"
UUID = "0c1b2a39-48d7-4e6f-8a5b-4c3d2e1f0a9b"
USERS = """{
   "env": {"FOO": "1", "ANTHROPIC_BASE_URL": "https://api.deepseek.com/anthropic",
           "ANTHROPIC_AUTH_TOKEN": "sk-old-settings-key"},
   "model":  "opus"
}
"""


@pytest.fixture
def fresh(stubbed: CccProject) -> CccProject:
    """A machine that ccc has not been on."""
    (stubbed.claude_dir / "ccc.json").unlink()
    return stubbed


def run(project: CccProject, *words: str, stdin: str = "", **env: str) -> Outcome:
    """`ccc init …`; no key is in what it prints."""
    outcome = project.run("init", *words, stdin=stdin, env=env)
    assert SECRET not in outcome.stdout + outcome.stderr
    assert OLD not in outcome.stdout + outcome.stderr
    assert outcome.stdout == "" or "--help" in words
    return outcome


def config(project: CccProject) -> Any:
    """What ccc.json holds."""
    return project.json(".claude/ccc.json")


def without_hook(project: CccProject) -> Any:
    """What settings.json holds besides our Stop hook, which must be in it."""
    content = project.json(".claude/settings.json")
    (group,) = content.pop("hooks")["Stop"]
    assert group["hooks"][0]["command"] == f"{project.ccc} supervisor-hook"
    return content


def everything(root: Path) -> dict[str, bytes]:
    """Every file and directory below, with its content."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b""
        for path in root.rglob("*")
    }


KIMI = ("--preset", "kimi", "--key-stdin")


def test_by_options(fresh: CccProject) -> None:
    """Language, provider, key and status line without a question; then `ccc` starts."""
    run(fresh, "--language", "en", *KIMI, "--statusline", stdin=SECRET).succeeded()
    found = config(fresh)
    assert (found["language"], found["current_provider"]) == ("en", "kimi")
    assert found["providers"]["kimi"]["env"]["ANTHROPIC_AUTH_TOKEN"] == SECRET
    status = fresh.json(".claude/settings.json")["statusLine"]
    wanted = {"type": "command", "command": f"{fresh.ccc} statusline", "refreshInterval": 2}
    assert status == wanted
    assert stat.S_IMODE((fresh.claude_dir / "ccc.json").stat().st_mode) == 0o600
    fresh.run().succeeded()
    assert fresh.launched.env["ANTHROPIC_AUTH_TOKEN"] == SECRET


def test_twice_is_harmless(fresh: CccProject) -> None:
    """The second run changes nothing, and says that the provider is there already."""
    fresh.write(".claude/settings.json", USERS)
    words = ("--language", "zh", "--import", *KIMI, "--statusline")
    run(fresh, *words, stdin=SECRET).succeeded()
    before = everything(fresh.home)
    outcome = run(fresh, *words, stdin="sk-another", CCC_LANG="en").succeeded()
    assert everything(fresh.home) == before
    assert "已存在" in outcome.stderr


def test_a_name_of_its_own(fresh: CccProject) -> None:
    """Presets and endpoints can be called as one likes."""
    run(fresh, *KIMI, "--name", "work", stdin=SECRET).succeeded()
    words = (
        "--base-url",
        "http://127.0.0.1:9",
        "--name",
        "local",
        "--key-env",
        "K",
        "--model",
        "m",
    )
    run(fresh, *words).succeeded()
    found = config(fresh)
    assert list(found["providers"]) == ["work", "local"]
    assert found["current_provider"] == "local"


def test_the_word_behind_it(fresh: CccProject) -> None:
    """As for `ccc provider add`: a preset, or the name of an endpoint."""
    run(fresh, "kimi", "--key-stdin", stdin=SECRET).succeeded()
    mine = ("--base-url", "http://127.0.0.1:9", "mine", "--key-env", "K", "--model", "m")
    run(fresh, *mine).succeeded()
    found = config(fresh)["providers"]
    assert found["kimi"]["env"]["ANTHROPIC_AUTH_TOKEN"] == SECRET
    assert found["mine"]["env"]["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "pass a preset and --yes"),
        (("--preset", "kimmi", "--key-env", "K"), "Did you mean kimi?"),
        (("--preset", "kimi"), "needs a key"),
        (("--base-url", "http://h", "--key-env", "K"), "--name"),
        (("--preset", "kimi", "--key", SECRET), "can't be an argument"),
        (("--preset", "kimi", "--name", "run", "--key-env", "K"), "is a ccc command"),
        (("--language", "fr"), "--language"),
        (("--language", "en", "stray"), "unknown preset: stray"),
        (("kimmi", "--key-env", "K"), "Did you mean kimi?"),
        (("kimi", "--preset", "glm", "--key-env", "K"), "unknown: …"),
        (("kimi", "glm", "--key-env", "K"), "unknown: …"),
        ((SECRET,), "can't be an argument"),
        ((UUID,), "can't be an argument"),
        (("kimi", "--name", UUID), "can't be an argument"),
    ],
)
def test_bad_input(fresh: CccProject, words: tuple[str, ...], told: str) -> None:
    """A clear error, and nothing is written at all."""
    before = everything(fresh.home)
    outcome = run(fresh, *words)
    assert outcome.code == 1, outcome
    assert told in outcome.stderr
    assert everything(fresh.home) == before


@pytest.mark.parametrize("name", ["ccc.json", "settings.json"])
def test_broken_files_are_left_alone(fresh: CccProject, name: str) -> None:
    """It is told where the mistake is, before anything is asked or written."""
    fresh.write(f".claude/{name}", "{,}")
    before = everything(fresh.home)
    outcome = run(fresh, *KIMI, stdin=SECRET)
    assert (outcome.code, name in outcome.stderr) == (1, True)
    assert everything(fresh.home) == before


# --- import ----------------------------------------------------------------------------


def test_import(fresh: CccProject) -> None:
    """The provider of settings.json is taken over, and stays there as it is."""
    fresh.write(".claude/settings.json", USERS)
    run(fresh, "--import", "--no-statusline").succeeded()
    assert config(fresh)["providers"] == {
        "deepseek": {
            "env": {
                "ANTHROPIC_BASE_URL": "https://api.deepseek.com/anthropic",
                "ANTHROPIC_AUTH_TOKEN": OLD,
            }
        }
    }
    assert without_hook(fresh) == json.loads(USERS)
    assert list(fresh.claude_dir.glob("settings.json.*")) == []


def test_import_and_remove(fresh: CccProject) -> None:
    """Told to, it takes the variables out, every other byte as it was, and keeps a copy."""
    fresh.write(".claude/settings.json", USERS)
    run(fresh, "--import", "--remove-keys", "--name", "old", "--no-statusline").succeeded()
    assert list(config(fresh)["providers"]) == ["old"]
    after = fresh.read(".claude/settings.json")
    assert without_hook(fresh) == {"env": {"FOO": "1"}, "model": "opus"}
    assert after.startswith('{\n   "env": {"FOO": "1"')
    assert '"model":  "opus"' in after
    (copy,) = fresh.claude_dir.glob("settings.json.*")
    assert copy.read_text() == USERS
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    again = run(fresh, "--import", "--remove-keys").succeeded()
    assert "Nothing to import" in again.stderr
    assert len(list(fresh.claude_dir.glob("settings.json.*"))) == 1


def test_remove_after_an_import(fresh: CccProject) -> None:
    """What was imported before can be taken out later."""
    fresh.write(".claude/settings.json", USERS)
    run(fresh, "--import").succeeded()
    run(fresh, "--import", "--remove-keys").succeeded()
    assert OLD not in fresh.read(".claude/settings.json")
    assert list(config(fresh)["providers"]) == ["deepseek"]


# --- status line -----------------------------------------------------------------------

MINE = {"type": "command", "command": "my-line", "padding": 1}


def test_a_status_line_of_the_users(fresh: CccProject) -> None:
    """It is left alone unless told; told, what was there before is in the ledger."""
    text = json.dumps({"statusLine": MINE})
    fresh.write(".claude/settings.json", text)
    run(fresh, *KIMI, "--yes", stdin=SECRET).succeeded()
    assert without_hook(fresh) == json.loads(text)
    run(fresh, "--statusline").succeeded()
    assert fresh.json(".claude/settings.json")["statusLine"]["command"].endswith("ccc statusline")
    known = fresh.json(".claude/ccc/ledger.json")["files"]
    entry = known[str(fresh.claude_dir / "settings.json")]
    assert entry["status_line"] == {"before": MINE, "text": json.dumps(MINE)}


def test_yes_takes_the_defaults(fresh: CccProject) -> None:
    """The status line is installed where there is none; nothing is imported unasked."""
    fresh.write(".claude/settings.json", USERS)
    run(fresh, *KIMI, "--yes", stdin=SECRET).succeeded()
    assert "statusLine" in fresh.json(".claude/settings.json")
    assert list(config(fresh)["providers"]) == ["kimi"]


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (None, "no provider yet"),
        ("C", "no provider yet"),
        ("de_DE.UTF-8", "no provider yet"),
        ("zh_CN.UTF-8", "还没有提供商"),
    ],
)
def test_language_of_the_locale(fresh: CccProject, locale: str | None, said: str) -> None:
    """Without a choice it speaks Chinese in a Chinese locale, and English in every other."""
    assert said in fresh.run("init", "--yes", env={"LANG": locale, "LC_ALL": None}).stderr


def test_yes_without_a_provider(fresh: CccProject) -> None:
    """Nothing was set up, and that is an error; our pieces are not put there for nobody."""
    before = everything(fresh.home)
    outcome = run(fresh, "--yes")
    assert outcome.code == 1
    assert "no provider yet" in outcome.stderr
    after = {name for name in everything(fresh.home) if not name.endswith("lock")}
    assert after - {".claude/ccc"} == set(before)


# --- what it prints --------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_prints(fresh: CccProject, language: str) -> None:
    """What was done, and what to do next."""
    fresh.write(".claude/settings.json", USERS)
    words = ("--language", language, *KIMI, "--import", "--remove-keys", "--statusline")
    outcome = run(fresh, *words, stdin=SECRET).succeeded()
    check_golden(f"init.{language}.txt", outcome.stderr, {str(fresh.home): "~"})
    helped = run(fresh, "--help", CCC_LANG=language).succeeded()
    check_golden(f"init-help.{language}.txt", helped.stdout)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_launch_without_a_configuration(fresh: CccProject, language: str) -> None:
    """It names `ccc init` before anything else."""
    outcome = fresh.run(env={"CCC_LANG": language})
    assert outcome.code == 1
    assert "ccc init" in outcome.stderr.splitlines()[1]
    assert "ccc demo" in outcome.stderr.splitlines()[2]
    assert max(map(terminal.width, outcome.stderr.splitlines()[1:])) <= 80
    assert fresh.launches == []


# --- in a terminal ---------------------------------------------------------------------


@pytest.mark.tmux
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_questions(fresh: CccProject, tmux: None, language: str) -> None:
    """Language, preset by a part of its name, name, key unseen, status line, checks."""
    (fresh.directory / "Makefile").write_text("test:\n\ttrue\nlint:\n\ttrue\n")
    before = "2" if language == "en" else "1"
    with fresh.interactive("init", "--no-validate") as terminal:
        terminal.wait_for("Language")
        terminal.enter(before)
        terminal.wait_for(r"0\) .*\n.*(part of one|一部分)")
        terminal.press("Enter")
        terminal.wait_for("such as 1 or kimi|例如 1 或 kimi")
        terminal.enter(UUID)
        terminal.wait_for(r"(looks like a key|看起来是密钥)[\s\S]*(part of one|一部分)[^\n]*$")
        terminal.enter("kimi")
        terminal.wait_for(r"12\) kimi-code .*\n.*\[kimi\]")
        terminal.enter("2")
        terminal.wait_for(r"→ Kimi[\s\S]*\[kimi-cn\]")
        terminal.enter(UUID)
        terminal.wait_for(r"(looks like a key|看起来是密钥)[\s\S]*\[kimi-cn\]:$")
        terminal.enter("sk-oops-1234")
        terminal.wait_for(r"(looks like a key|看起来是密钥)[\s\S]*\[kimi-cn\]:$")
        terminal.press("Enter")
        terminal.wait_for(r"https://platform.moonshot.cn/console/api-keys\n.*(not shown|不显示)")
        terminal.type_blindly(SECRET)
        terminal.wait_for(r"\[Y/n\]")
        terminal.press("Enter")
        terminal.wait_for(r"\[1\]")
        terminal.enter("edit")
        terminal.wait_for(r"make lint\n.*\[Y/n\]")
        terminal.press("Enter")
        terminal.wait_for(r"\[exit 0\]")
        shown = terminal.screen(history=True)
    assert SECRET not in shown
    assert SECRET[-5:] not in shown
    assert SECRET[-4:] in shown
    assert "oops" not in fresh.read(".claude/ccc.json")
    checks = {"checks": ["make test", "make lint"]}
    assert config(fresh)["projects"] == {str(fresh.directory): checks}
    found = config(fresh)
    assert found["language"] == language
    assert found["run"] == {"permissions": "edit"}
    assert found["providers"]["kimi-cn"]["env"]["ANTHROPIC_AUTH_TOKEN"] == SECRET
    assert "statusLine" in fresh.json(".claude/settings.json")
    # behind the questions are paths, which break where their length happens to make them
    told = shown.partition("✓")[0].replace(str(fresh.directory), "PROJECT")
    check_golden(f"init-terminal.{language}.txt", told)


@pytest.mark.tmux
def test_all_of_them(fresh: CccProject, tmux: None) -> None:
    """The few that most people look for come first; `m` shows all, within 24 rows of 80 columns."""
    with fresh.interactive("init", "--language", "en") as terminal:
        terminal.resize(80)
        terminal.wait_for("part of one")
        first = terminal.screen()
        assert len(first.splitlines()) <= 24
        terminal.enter("m")
        shown = terminal.wait_for(r"40\) aihubmix[\s\S]*part of one:")
        assert max(map(len, shown.splitlines())) <= 80
        more = shown[len(first) :].splitlines()
        assert len(more) <= 24
        assert "39) opencode-go" in shown


def good(request: Request) -> Reply:
    """What a provider answers that is in order."""
    return answer(tool("report", word="ok")) if request.tools else answer("ok")


@pytest.mark.tmux
def test_a_wrong_key_is_typed_again(fresh: CccProject, tmux: None) -> None:
    """A key that the provider refuses is asked for again, with all other answers kept."""

    (fresh.directory / "pytest.ini").write_text("[pytest]\n")

    def reply(request: Request) -> Reply:
        return good(request) if request.key == SECRET else unauthorized()

    with ScriptedModel(Scenario((Rule(anything(), reply),)), max_seconds=120) as model:
        given = ("--base-url", model.url, "--name", "mine", "--model", "m")
        with fresh.interactive("init", "--language", "en", *given) as terminal:
            terminal.wait_for("not shown")
            terminal.type_blindly("sk-wrong-0123456789abcdef")
            shown = terminal.wait_for(r"Type another key\? \[Y/n\]")
            assert "the key was not accepted" in shown
            assert "ccc provider edit" not in shown
            terminal.press("Enter")
            terminal.wait_for(r"not shown[\s\S]*not shown")
            terminal.type_blindly(SECRET)
            terminal.wait_for(r"status line\? \[Y/n\]")
            terminal.press("Enter")
            terminal.wait_for("1, 2 or 3")
            terminal.press("Enter")
            terminal.wait_for(r"has a check:\s+pytest\s+Run it at every")
            terminal.press("Enter")
            shown = terminal.wait_for(r"\[exit 0\]")
            assert 'ccc run "your task"' in shown
            assert "ccc validate" not in shown  # it has just been tried
    assert config(fresh)["providers"]["mine"]["env"]["ANTHROPIC_AUTH_TOKEN"] == SECRET


@pytest.mark.tmux
@pytest.mark.parametrize("saved", [True, False])
def test_a_provider_that_does_not_answer(fresh: CccProject, tmux: None, saved: bool) -> None:
    """It is tried at once, what to do is said, and it is saved only where the person agrees."""
    before = everything(fresh.home)
    words = ("--base-url", "http://127.0.0.1:9", "--name", "mine", "--model", "m")
    with fresh.interactive("init", "--language", "en", *words) as terminal:
        terminal.wait_for("not shown")
        terminal.type_blindly(SECRET)
        shown = terminal.wait_for(r"Save it anyway\? \[y/N\]")
        assert "the connection was refused" in shown
        assert "Nothing listens there" in shown
        assert everything(fresh.home) == before
        if not saved:
            terminal.press("Enter")
            terminal.wait_for(r"nothing was saved[\s\S]*\[exit 1\]")
            assert everything(fresh.home) == before
            return
        terminal.enter("y")
        terminal.wait_for(r"status line\? \[Y/n\]")
        terminal.press("Enter")
        terminal.wait_for("1, 2 or 3")
        terminal.press("Enter")
        terminal.wait_for(r"\[exit 0\]")
    assert list(config(fresh)["providers"]) == ["mine"]


@pytest.mark.tmux
def test_a_provider_that_answers(tmp_path: Path, tmux: None) -> None:
    """Then there is nothing to agree to."""

    with ScriptedModel(Scenario((Rule(anything(), good),)), max_seconds=60) as model:
        project = CccProject(tmp_path / "bench", model, stub=True)
        (project.claude_dir / "ccc.json").unlink()
        words = ("--base-url", model.url, "--name", "mine", "--model", "m")
        with project.interactive("init", "--language", "en", *words) as terminal:
            terminal.wait_for("not shown")
            terminal.type_blindly(SECRET)
            shown = terminal.wait_for(r"status line\? \[Y/n\]")
    assert "✓" in shown
    assert "Save it anyway" not in shown


@pytest.mark.tmux
@pytest.mark.parametrize("answer", ["", "n"])
def test_ccc_alone_offers_to_set_up(fresh: CccProject, tmux: None, answer: str) -> None:
    """Without a provider, bare `ccc` on a terminal begins `ccc init`, or ends."""
    with fresh.interactive(env={"CCC_LANG": "en"}) as terminal:
        terminal.wait_for(r"Set one up now\? \[Y/n\]")
        if answer:
            terminal.enter(answer)
            shown = terminal.wait_for(r"\[exit 1\]")
            assert "Set it up: ccc init" in shown
        else:
            terminal.press("Enter")
            terminal.wait_for("Setting up ccc")
    assert fresh.launches == []


@pytest.mark.tmux
def test_importing_when_asked(fresh: CccProject, tmux: None) -> None:
    """The provider of settings.json is offered; its variables stay there unless told."""
    fresh.write(".claude/settings.json", USERS)
    with fresh.interactive("init", "--language", "en", "--no-validate") as terminal:
        terminal.wait_for(r"Import it\? \[Y/n\]")
        terminal.press("Enter")
        terminal.wait_for(r"Name of the provider \[deepseek\]")
        terminal.press("Enter")
        terminal.wait_for(r"from settings.json[\s\S]*\[y/N\]")
        terminal.press("Enter")
        terminal.wait_for(r"status line\? \[Y/n\]")
        terminal.enter("n")
        terminal.wait_for(r"1, 2 or 3")
        terminal.press("Enter")
        terminal.wait_for(r"\[exit 0\]")
        assert OLD not in terminal.screen(history=True)
    assert list(config(fresh)["providers"]) == ["deepseek"]
    assert without_hook(fresh) == json.loads(USERS)


QUESTIONS = [
    (r"Language", "2"),
    (r"Import it\?", "y"),
    (r"Name of the provider", "x1"),
    (r"from settings.json", "y"),
    (r"Save it anyway", "y"),
    (r"status line\?", "y"),
    (r"1, 2 or 3", None),
]


@pytest.mark.tmux
@pytest.mark.parametrize("key", ["C-c", "C-d"])
@pytest.mark.parametrize("at", range(len(QUESTIONS)))
def test_leaving_at_any_question(fresh: CccProject, tmux: None, key: str, at: int) -> None:
    """Everything is as it was, byte for byte, and the exit code is 130."""
    fresh.write(".claude/settings.json", USERS)
    before = everything(fresh.home)
    with fresh.interactive("init") as terminal:
        for pattern, typed in QUESTIONS[:at]:
            terminal.wait_for(pattern)
            terminal.enter(str(typed))
        terminal.wait_for(QUESTIONS[at][0])
        terminal.press(key)
        shown = terminal.wait_for(r"\[exit 130\]")
    assert "Nothing was changed" in shown
    assert "Traceback" not in shown
    assert everything(fresh.home) == before


@pytest.mark.tmux
def test_leaving_at_the_key(fresh: CccProject, tmux: None) -> None:
    """The hidden question can be left, too, and the terminal shows what is typed again."""
    before = everything(fresh.home)
    with fresh.interactive("init", "--language", "en", "--preset", "deepseek") as terminal:
        terminal.wait_for(r"Name of the provider \[deepseek\]")
        terminal.press("Enter")
        terminal.wait_for("not shown")
        terminal.press("C-c")
        terminal.wait_for(r"Nothing was changed[\s\S]*\[exit 130\]")
    assert everything(fresh.home) == before
