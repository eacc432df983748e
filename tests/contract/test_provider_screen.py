"""What `ccc provider` prints in both languages, and what it asks in a terminal."""

import json
import re

import genai_prices
import pytest
from setups import MINE, SECRET, env_of, run

from harness import CccProject, check_golden


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A project with a hand-written configuration."""
    stubbed.write(".claude/ccc.json", MINE)
    return stubbed


# --- what it prints --------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("list", ("list",)),
        ("show", ("show", "glm")),
        ("presets", ("list", "--presets")),
        ("preset", ("show", "--preset", "kimi-code")),
        ("help", ("--help",)),
    ],
)
def test_what_it_prints(
    project: CccProject, name: str, words: tuple[str, ...], language: str
) -> None:
    """The tables contain no secrets."""
    project.run("provider", "add", "own", "--preset", "kimi-code", "--key-stdin", stdin=SECRET)
    project.run("provider", "use", "glm")
    outcome = run(project, *words, CCC_LANG=language).succeeded()
    check_golden(f"provider-{name}.{language}.txt", outcome.stdout)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_its_models_cost(project: CccProject, language: str) -> None:
    """It shows the price of each model, its source, and which are unknown."""
    env = {
        "ANTHROPIC_BASE_URL": "https://api.moonshot.ai/anthropic",
        "ANTHROPIC_MODEL": "kimi-k3[1m]",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": "nobodys-model",
        "ANTHROPIC_DEFAULT_OPUS_MODEL": "own-model",
    }
    own = {"own-model": {"input": 0.5, "output": 2, "cache_read": 0.05}}
    config = {"providers": {"kimi": {"env": env, "prices": own}}}
    project.write(".claude/ccc.json", json.dumps(config))
    shown = run(project, "show", "kimi", CCC_LANG=language).succeeded().stdout
    estimate = {"en": "claude's estimate (~)", "zh": "claude 的估算（~）"}[language]
    rows = [re.split(r" {2,}", line.strip()) for line in shown.splitlines()]
    assert [
        "kimi-k3",
        "$3",
        "$15",
        "$0.3",
        "$3",
        f"genai-prices {genai_prices.__version__}",
    ] in rows
    assert ["nobodys-model", "–", "–", "–", "–", estimate] in rows
    assert ["own-model", "$0.5", "$2", "$0.05", "$0.5", "ccc.json"] in rows
    assert max(map(len, shown.splitlines())) <= 80
    # it is no setting of claude's
    assert {"en": "Other settings", "zh": "其他设置"}[language] not in shown


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_change_says(project: CccProject, language: str) -> None:
    """Each verb prints one or two lines."""
    env = {"CCC_LANG": language}
    said = [
        project.run("provider", *words, stdin=SECRET, env=env).stderr
        for words in (
            ("add", "kc", "--preset", "kimi-code", "--key-stdin"),
            ("edit", "kc", "--model", "k3[1m]"),
            ("use", "kc"),
            ("remove", "kc", "--yes"),
            ("add", "x", "--key", SECRET),
            ("add", "x"),
            ("show", "kimmi"),
        )
    ]
    home = {str(project.home): "~"}
    check_golden(f"provider-changes.{language}.txt", "\n".join(said), home)


# --- in a terminal ---------------------------------------------------------------------


@pytest.mark.tmux
def test_the_key_is_asked_for_unseen(project: CccProject, tmux: None) -> None:
    """The typed key is in ccc.json and not on the screen."""
    with project.interactive("provider", "add", "deepseek") as terminal:
        terminal.wait_for("Key .not shown")
        terminal.type_blindly(SECRET)
        terminal.wait_for(r"\[exit 0\]")
        shown = terminal.screen(history=True)
    assert SECRET not in shown
    assert SECRET[3:10] not in shown
    assert env_of(project, "deepseek")["ANTHROPIC_AUTH_TOKEN"] == SECRET


@pytest.mark.tmux
def test_a_variable_in_place_of_the_key(project: CccProject, tmux: None) -> None:
    """Enter alone offers the other ways; what a preset needs is asked for first."""
    with project.interactive("provider", "add", "lite", "--preset", "litellm") as terminal:
        terminal.wait_for("Model:")
        terminal.enter("my-model")
        terminal.wait_for("Key .not shown")
        terminal.press("Enter")
        terminal.wait_for("or .VARIABLE:")
        terminal.enter("$LITE_KEY")
        terminal.wait_for(r"\[exit 0\]")
    assert env_of(project, "lite")["ANTHROPIC_AUTH_TOKEN"] == {"env": "LITE_KEY"}
    assert env_of(project, "lite")["ANTHROPIC_MODEL"] == "my-model"


@pytest.mark.tmux
def test_the_list_on_a_narrow_terminal(project: CccProject, tmux: None) -> None:
    """In a long row, the address is wrapped, not the model."""
    run(project, "add", "openrouter", "--key-env", "OPENROUTER_API_KEY").succeeded()
    model = str(env_of(project, "openrouter")["ANTHROPIC_MODEL"])
    with project.interactive("provider", "list", env={"COLUMNS": "80"}) as terminal:
        shown = terminal.wait_for(r"\[exit 0\]")
    assert model in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.tmux
def test_a_variable_at_the_hidden_question(project: CccProject, tmux: None) -> None:
    """`$NAME` means the variable, never a key with that text."""
    with project.interactive("provider", "add", "deepseek") as terminal:
        terminal.wait_for("Key .not shown")
        terminal.type_blindly("$DEEP_KEY")
        terminal.wait_for(r"\[exit 0\]")
    assert env_of(project, "deepseek")["ANTHROPIC_AUTH_TOKEN"] == {"env": "DEEP_KEY"}


@pytest.mark.tmux
def test_mistakes_at_the_questions(project: CccProject, tmux: None) -> None:
    """After a mistake, the same question is asked again with an explanation."""
    with project.interactive("provider", "add", "cf", "--preset", "cloudflare") as terminal:
        terminal.wait_for("Account id:")
        terminal.enter("a/b")
        terminal.wait_for("invalid value")
        terminal.enter("abc")
        terminal.wait_for("Gateway name")
        terminal.enter("gate")
        terminal.wait_for("Key .not shown")
        terminal.press("Enter")
        terminal.wait_for("or .VARIABLE:")
        terminal.enter("sk-12345678")
        shown = terminal.wait_for(r"looks like a key(.|\n)*or .VARIABLE:")
        assert "shell's history" not in shown
        terminal.enter("pass show cf")
        shown = terminal.wait_for(r"\[exit 0\]")
        assert shown.count("Key (not shown") == 1
    assert env_of(project, "cf")["ANTHROPIC_API_KEY"] == {"command": ["pass", "show", "cf"]}


@pytest.mark.tmux
@pytest.mark.parametrize("key", ["C-c", "C-d"])
def test_leaving_a_question(project: CccProject, tmux: None, key: str) -> None:
    """Ctrl-C and Ctrl-D leave everything unchanged."""
    with project.interactive("provider", "add", "deepseek") as terminal:
        terminal.wait_for("Key .not shown")
        terminal.press(key)
        shown = terminal.wait_for(r"\[exit 130\]")
    assert "Traceback" not in shown
    assert project.read(".claude/ccc.json") == MINE


@pytest.mark.tmux
def test_removing_asks(project: CccProject, tmux: None) -> None:
    """The default is no; yes removes the provider."""
    with project.interactive("provider", "remove", "glm") as terminal:
        terminal.wait_for(r"Remove glm .*\[y/N\]")
        terminal.press("Enter")
        terminal.wait_for(r"Nothing was changed.*\s+\[exit 0\]")
    assert project.read(".claude/ccc.json") == MINE
    with project.interactive("provider", "remove", "glm") as terminal:
        terminal.wait_for(r"Remove glm .*\[y/N\]")
        terminal.enter("y")
        terminal.wait_for(r"Removed glm\s+\[exit 0\]")
    assert "glm" not in project.json(".claude/ccc.json")["providers"]
