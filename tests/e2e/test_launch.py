"""`ccc kimi` becomes the real claude, and the provider's model and key arrive."""

import json

import pytest

from harness import KEY, MODEL, Bench

pytestmark = pytest.mark.real

FOREIGN = {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_AUTH_TOKEN": "foreign-token",
    "ANTHROPIC_API_KEY": "foreign-key",
    "ANTHROPIC_MODEL": "foreign-model",
}


def test_print_journey(bench: Bench) -> None:
    """`ccc kimi -p` answers from the provider, and stdout is claude's alone."""
    project = bench()
    outcome = project.run("kimi", "-p", "hi").succeeded()
    assert outcome.stdout == "Hello from the script.\n", outcome
    (request,) = project.model.requests
    assert (request.key, request.model) == (KEY, MODEL)


@pytest.mark.parametrize("where", ["process", "settings.json", "project settings"])
def test_the_providers_values_win(bench: Bench, where: str) -> None:
    """Another provider in the environment or in a settings file of the user's does not get in."""
    project = bench()
    env = FOREIGN if where == "process" else {}
    foreign = json.dumps({"env": FOREIGN, "model": "foreign-setting"})
    if where == "settings.json":
        project.write(".claude/settings.json", foreign)
    if where == "project settings":
        (project.directory / ".claude").mkdir()
        (project.directory / ".claude" / "settings.json").write_text(foreign)
    outcome = project.run("kimi", "-p", "hi", env=env).succeeded()
    assert outcome.stdout == "Hello from the script.\n", outcome
    (request,) = project.model.requests
    assert (request.key, request.model) == (KEY, MODEL)
    assert "foreign-key" not in str(request.headers)


def test_interactive_journey(bench: Bench, tmux: None) -> None:
    """`ccc kimi` in a terminal is claude's own interface on the provider."""
    project = bench()
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("hello there")
        shown = terminal.wait_for("Hello from the script")
        assert MODEL in shown
        assert "Stop hook error" not in shown
    assert {r.key for r in project.model.requests} == {KEY}
