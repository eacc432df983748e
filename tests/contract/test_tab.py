"""Tab in a real shell completes commands, options and providers."""

import subprocess

import pytest

from harness import CccProject, Terminal, check_golden
from harness.programs import needs

BEGIN = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
LOAD = {
    "bash": 'eval "$(ccc completion bash)"; PS1="ready> "',
    "zsh": 'autoload -U compinit; compinit -u -D; eval "$(ccc completion zsh)"; PS1="ready> "',
    "fish": "ccc completion fish | source; set -g fish_autosuggestion_enabled 0; "
    'function fish_prompt; echo -n "ready> "; end; function fish_greeting; end; clear',
}


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A home with two providers and ccc on PATH."""
    provider = stubbed.provider()
    stubbed.configure(providers={"kimi": provider, "moonlight": provider})
    (stubbed.bin / "ccc").symlink_to(stubbed.ccc)
    (stubbed.directory / "some-file.txt").write_text("x")
    return stubbed


def shell(project: CccProject, name: str) -> Terminal:
    """A shell with the completion loaded."""
    needs(name)
    program, *arguments = BEGIN[name]
    env = {"SHELL": f"/usr/bin/{name}", "XDG_CONFIG_HOME": str(project.home / ".config")}
    terminal = project.interactive(*arguments, program=program, env=env)
    terminal.enter(LOAD[name])
    terminal.wait_for(r"(?m)^ready> *$")
    return terminal


def tab(terminal: Terminal, typed: str, pattern: str) -> None:
    """Type, press Tab, wait for the expected line, and clear it."""
    terminal.put(typed)
    terminal.press("Tab")
    terminal.wait_for(pattern)
    terminal.press("C-c")
    terminal.wait_for(r"(?m)^ready> *\Z")


@pytest.mark.tmux
@pytest.mark.parametrize("name", list(BEGIN))
def test_tab(project: CccProject, tmux: None, name: str) -> None:
    """Tab completes commands, their options and words, providers, and files for claude."""
    with shell(project, name) as terminal:
        tab(terminal, "ccc unin", r"ready> ccc uninstall\b")
        tab(terminal, "ccc moon", r"ready> ccc moonlight\b")
        tab(terminal, "ccc run --provider ki", r"ready> ccc run --provider kimi\b")
        tab(terminal, "ccc clean --old", r"ready> ccc clean --older-than\b")
        tab(terminal, "ccc supervisor-mode st", r"ready> ccc supervisor-mode status\b")
        tab(terminal, "ccc --supervisor moon", r"ready> ccc --supervisor moonlight\b")
        tab(terminal, "ccc kimi some", r"ready> ccc kimi some-file\.txt")
        project.write(".claude/ccc.json", "{")
        tab(terminal, "ccc doct", r"ready> ccc doctor\b")
        terminal.put("ccc moon")
        terminal.press("Tab")
        shown = terminal.wait_for(r"ready> ccc moon")
        assert "rror" not in shown


@pytest.mark.parametrize("line", [["mo"], ["--supervisor", ""], ["run", "--provider", ""]])
def test_a_broken_configuration_prints_nothing(project: CccProject, line: list[str]) -> None:
    """Tab never shows an error."""
    project.write(".claude/ccc.json", '{"providers": 3}')
    outcome = project.run("completion", "--words", *line).succeeded()
    assert (outcome.stdout, outcome.stderr) == ("", "")


def test_sessions(project: CccProject) -> None:
    """Tab needs no session and doesn't create the state directory."""
    project.run("completion", "--words", "clean", "").succeeded()
    assert not (project.claude_dir / "ccc").exists()


@pytest.mark.parametrize("name", list(BEGIN))
def test_syntax(project: CccProject, name: str) -> None:
    """The shell can parse the script."""
    needs(name)
    script = project.run("completion", name).succeeded().stdout
    subprocess.run([name, "-n"], input=script, text=True, check=True, capture_output=True)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_help(project: CccProject, language: str) -> None:
    """Help says how to install it; an unknown shell is an error."""
    env = {"CCC_LANG": language}
    shown = project.run("completion", "--help", env=env).succeeded().stdout
    wrong = project.run("completion", "tcsh", env=env)
    assert wrong.code == 1
    check_golden(f"completion.{language}.txt", f"{shown}---\n{wrong.stderr}")
