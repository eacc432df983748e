"""`ccc init` takes answers or options, writes at the end, and is harmless when run again."""

import json
import stat

import pytest
from setups import OLD, SECRET, USERS, UUID, config, everything, without_hook

from ccc.system import terminal
from harness import CccProject, Outcome, check_golden


@pytest.fixture
def fresh(stubbed: CccProject) -> CccProject:
    """A machine without any of ccc's files."""
    (stubbed.claude_dir / "ccc.json").unlink()
    return stubbed


def run(project: CccProject, *words: str, stdin: str = "", **env: str) -> Outcome:
    """Run `ccc init …` and check that its output contains no key."""
    outcome = project.run("init", *words, stdin=stdin, env=env)
    assert SECRET not in outcome.stdout + outcome.stderr
    assert OLD not in outcome.stdout + outcome.stderr
    assert outcome.stdout == "" or "--help" in words
    return outcome


KIMI = ("--preset", "kimi", "--key-stdin")


def test_by_options(fresh: CccProject) -> None:
    """Options set language, provider, key and status line without a question; then `ccc` starts."""
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
    """The second run changes nothing, and says that the provider already exists."""
    fresh.write(".claude/settings.json", USERS)
    words = ("--language", "zh", "--import", *KIMI, "--statusline")
    run(fresh, *words, stdin=SECRET).succeeded()
    before = everything(fresh.home)
    outcome = run(fresh, *words, stdin="sk-another", CCC_LANG="en").succeeded()
    assert everything(fresh.home) == before
    assert "已存在" in outcome.stderr


def test_a_name_of_its_own(fresh: CccProject) -> None:
    """Presets and endpoints can be given any name."""
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
    """Like `ccc provider add`, it takes a preset or the name of an endpoint."""
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
    """Bad input is a clear error, and nothing is written."""
    before = everything(fresh.home)
    outcome = run(fresh, *words)
    assert outcome.code == 1, outcome
    assert told in outcome.stderr
    assert everything(fresh.home) == before


@pytest.mark.parametrize("name", ["ccc.json", "settings.json"])
def test_broken_files_are_left_alone(fresh: CccProject, name: str) -> None:
    """A broken file is reported with its location before anything is asked or written."""
    fresh.write(f".claude/{name}", "{,}")
    before = everything(fresh.home)
    outcome = run(fresh, *KIMI, stdin=SECRET)
    assert (outcome.code, name in outcome.stderr) == (1, True)
    assert everything(fresh.home) == before


# --- import ----------------------------------------------------------------------------


def test_import(fresh: CccProject) -> None:
    """The provider in settings.json is imported, and stays there unchanged."""
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
    """On request, it removes the variables, keeps every other byte, and makes a backup."""
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
    """Variables that were imported earlier can be removed later."""
    fresh.write(".claude/settings.json", USERS)
    run(fresh, "--import").succeeded()
    run(fresh, "--import", "--remove-keys").succeeded()
    assert OLD not in fresh.read(".claude/settings.json")
    assert list(config(fresh)["providers"]) == ["deepseek"]


# --- status line -----------------------------------------------------------------------

MINE = {"type": "command", "command": "my-line", "padding": 1}


def test_a_status_line_of_the_users(fresh: CccProject) -> None:
    """The user's status line stays unless asked; if replaced, it is in the ledger."""
    text = json.dumps({"statusLine": MINE})
    fresh.write(".claude/settings.json", text)
    run(fresh, *KIMI, "--yes", stdin=SECRET).succeeded()
    assert without_hook(fresh) == json.loads(text)
    run(fresh, "--statusline").succeeded()
    assert fresh.json(".claude/settings.json")["statusLine"]["command"].endswith("ccc statusline")
    known = fresh.json(".claude/ccc/ledger.json")["files"]
    entry = known[str(fresh.claude_dir / "settings.json")]
    assert entry["status_line"] == {"before": MINE}


def test_yes_takes_the_defaults(fresh: CccProject) -> None:
    """--yes installs the status line if there is none, and imports nothing."""
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
    """By default it speaks Chinese in a Chinese locale, and English in every other."""
    assert said in fresh.run("init", "--yes", env={"LANG": locale, "LC_ALL": None}).stderr


def test_yes_without_a_provider(fresh: CccProject) -> None:
    """Without a provider, --yes is an error and installs nothing."""
    before = everything(fresh.home)
    outcome = run(fresh, "--yes")
    assert outcome.code == 1
    assert "no provider yet" in outcome.stderr
    after = {name for name in everything(fresh.home) if not name.endswith("lock")}
    assert after - {".claude/ccc"} == set(before)


# --- what it prints --------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_prints(fresh: CccProject, language: str) -> None:
    """It says what was done, and what to do next."""
    fresh.write(".claude/settings.json", USERS)
    words = ("--language", language, *KIMI, "--import", "--remove-keys", "--statusline")
    outcome = run(fresh, *words, stdin=SECRET).succeeded()
    check_golden(f"init.{language}.txt", outcome.stderr, {str(fresh.home): "~"})
    helped = run(fresh, "--help", CCC_LANG=language).succeeded()
    check_golden(f"init-help.{language}.txt", helped.stdout)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_launch_without_a_configuration(fresh: CccProject, language: str) -> None:
    """A launch without a configuration suggests `ccc init` first."""
    outcome = fresh.run(env={"CCC_LANG": language})
    assert outcome.code == 1
    assert "ccc init" in outcome.stderr.splitlines()[1]
    assert "ccc demo" in outcome.stderr.splitlines()[2]
    assert max(map(terminal.width, outcome.stderr.splitlines()[1:])) <= 80
    assert fresh.launches == []
