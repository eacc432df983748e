"""The questions of `ccc init` in a terminal."""

import json
from pathlib import Path

import pytest
from setups import OLD, SECRET, USERS, UUID, config, everything, without_hook

from harness import CccProject, check_golden
from harness.scripted import (
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


@pytest.fixture
def fresh(stubbed: CccProject) -> CccProject:
    """A machine without any of ccc's files."""
    (stubbed.claude_dir / "ccc.json").unlink()
    return stubbed


# --- in a terminal ---------------------------------------------------------------------


@pytest.mark.tmux
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_questions(fresh: CccProject, tmux: None, language: str) -> None:
    """It asks for language, preset by part of its name, name, hidden key, status line, checks."""
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
    # the questions are followed by paths, which wrap depending on their length
    told = shown.partition("✓")[0].replace(str(fresh.directory), "PROJECT")
    check_golden(f"init-terminal.{language}.txt", told)


@pytest.mark.tmux
def test_all_of_them(fresh: CccProject, tmux: None) -> None:
    """The most popular presets come first; `m` shows all, within 24 rows of 80 columns."""
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
    """Return the reply of a working provider."""
    return answer(tool("report", word="ok")) if request.tools else answer("ok")


@pytest.mark.tmux
def test_a_wrong_key_is_typed_again(fresh: CccProject, tmux: None) -> None:
    """A key that the provider rejects is asked for again, keeping all other answers."""

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
            terminal.wait_for(r"has checks:\s+pytest\s+Run them at every")
            terminal.press("Enter")
            shown = terminal.wait_for(r"\[exit 0\]")
            assert 'ccc run "your task"' in shown
            assert "ccc validate" not in shown  # it has already been tried
    assert config(fresh)["providers"]["mine"]["env"]["ANTHROPIC_AUTH_TOKEN"] == SECRET


@pytest.mark.tmux
@pytest.mark.parametrize("saved", [True, False])
def test_a_provider_that_does_not_answer(fresh: CccProject, tmux: None, saved: bool) -> None:
    """A failing provider is reported at once with a fix, and saved only if the user agrees."""
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
    """A working provider is saved without a confirmation."""

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
    """Without a provider, bare `ccc` on a terminal starts `ccc init`, or exits."""
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
    """The provider in settings.json is offered; its variables stay there unless asked."""
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
    """Leaving at any question restores every byte, with exit code 130."""
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
    """Leaving at the hidden question turns the terminal's echo on again."""
    before = everything(fresh.home)
    with fresh.interactive("init", "--language", "en", "--preset", "deepseek") as terminal:
        terminal.wait_for(r"Name of the provider \[deepseek\]")
        terminal.press("Enter")
        terminal.wait_for("not shown")
        terminal.press("C-c")
        terminal.wait_for(r"Nothing was changed[\s\S]*\[exit 130\]")
    assert everything(fresh.home) == before
