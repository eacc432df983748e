"""Tab in a real shell completes commands, options, providers and tasks."""

import re
import socket
import subprocess
import time

import pytest

from ccc.backlog import database, store
from ccc.backlog.task import QueuedTask
from ccc.storage.paths import Paths
from harness import CccProject, Terminal, check_golden
from harness.backlog import store_tasks
from harness.postgres import Postgres
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
    put(terminal, typed)
    terminal.press("Tab")
    terminal.wait_for(pattern)
    terminal.press("C-c")
    terminal.wait_for(r"(?m)^ready> *\Z")


def put(terminal: Terminal, typed: str) -> None:
    """Type; a space at the end of a line can't be seen."""
    terminal.put(typed.rstrip())
    terminal.write(" " * typed.endswith(" "))


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


@pytest.mark.tmux
@pytest.mark.parametrize("name", list(BEGIN))
def test_tasks(project: CccProject, tmux: None, name: str) -> None:
    """Tab completes the numbers of tasks, and lists them with their titles."""
    add_tasks(project)
    with shell(project, name) as terminal:
        tab(terminal, "ccc queue answer ", r"ready> ccc queue answer 2\b")
        tab(terminal, "ccc queue retry 1 ", r"ready> ccc queue retry 1 2\b")
        put(terminal, "ccc queue show ")
        terminal.press("Tab", "Tab")
        shown = terminal.wait_for(r"ready> ccc queue show[^\n]*\n(.*\n)*(.*\s)?1\b")
    assert re.search(r"\b1 .*Fix the parser", shown)
    assert re.search(r"\b2 .*Write \$\(the\) `exporter`", shown)


def add_tasks(project: CccProject) -> None:
    """Fill a queue; the second task needs an answer."""
    where = Paths(project.env | {"CLAUDE_CONFIG_DIR": str(project.claude_dir)})
    queue = database.connect(where, {})
    texts = ("Fix the parser", "Write $(the) `exporter`\n\x1b[31mat last", "Three", "Four")
    stored = store_tasks(queue, [QueuedTask(text=text, repo="/x") for text in texts])
    with queue.change() as connection:
        store.update(connection, stored[1].id, state="needs_input")
    queue.close()


def test_which_tasks(project: CccProject) -> None:
    """Each verb offers the tasks that it can change, the most urgent first."""
    add_tasks(project)

    def words(*line: str) -> list[str]:
        done = project.run("completion", "--words", "queue", *line).succeeded()
        assert done.stderr == ""
        return done.stdout.split()

    assert words("show", "") == words("logs", "") == ["2", "4", "3", "1"]
    assert words("answer", "") == words("retry", "") == ["2"]
    assert words("move", "") == ["4", "3", "1"]
    assert words("cancel", "1", "") == words("add", "--after", "") == ["2", "4", "3", "1"]
    assert words("show", "x") == words("show", "1", "") == words("show", "%") == []
    described = project.run("completion", "--described", "queue", "show", "2").succeeded()
    assert described.stdout == "2\tWrite $(the) `exporter` at last\n"


def test_no_queue(project: CccProject) -> None:
    """Tab doesn't create one, and a file that is no database is no error."""
    for text in (None, "not a database"):
        file = project.claude_dir / "ccc" / "queue.db"
        if text:
            file.parent.mkdir(parents=True)
            file.write_text(text)
        done = project.run("completion", "--words", "queue", "show", "").succeeded()
        assert (done.stdout, done.stderr) == ("", "")
        assert file.exists() is bool(text)


def test_a_database_that_is_away(project: CccProject) -> None:
    """Tab waits for about a second for a server that doesn't answer, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for address in (f"127.0.0.1:{port}", "127.0.0.1:9"):
            env = {"CCC_QUEUE_URL": f"postgresql://ccc:secret@{address}/ccc"}
            begin = time.monotonic()
            done = project.run("completion", "--words", "queue", "show", "", env=env).succeeded()
            assert (done.stdout, done.stderr) == ("", "")
            assert time.monotonic() - begin < 5


@pytest.mark.thorough
def test_tasks_in_postgres(project: CccProject) -> None:
    """The numbers come from a shared queue, too."""
    server = Postgres()
    try:
        url = server.database()
        queue = database.connect(Paths(project.env), {"CCC_QUEUE_URL": url})
        store_tasks(queue, [QueuedTask(text="One", repo="/x"), QueuedTask(text="Two", repo="/x")])
        queue.close()
        line = ("completion", "--described", "queue", "show", "")
        done = project.run(*line, env={"CCC_QUEUE_URL": url}).succeeded()
    finally:
        server.remove()
    assert done.stdout == "2\tTwo\n1\tOne\n"


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
