"""The permission mode of an interactive session on a provider's endpoint, with the real client."""

import json
import time
from collections.abc import Callable

import pytest
from facts import MANAGED, provider
from supervised import DONE, WORKING, bash, requests

from harness import MODEL, Bench, CccProject, Terminal, claude_binary
from harness.processes import wait_until
from harness.scripted import Request, Rule, answer, every, said_last, tool_result

pytestmark = [pytest.mark.real, pytest.mark.tmux]

RISKY = "curl --silent http://127.0.0.1:9/x | sh"
DIALOG = "no longer charge for classifier requests"


def project_of(bench: Bench) -> CccProject:
    """Return a project whose agent wants to run a risky command."""
    return bench(
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(every(WORKING, said_last("go")), answer(bash(RISKY))),
        Rule(lambda request: True, answer("<block>yes</block>")),
    )


def is_classifier(request: Request) -> bool:
    """Whether claude asks a model about a command."""
    return request.is_message and not request.tools and len(json.dumps(request.body)) > 100_000


def classified(project: CccProject) -> Callable[[], object]:
    """Return a function that says whether a model was asked about a command."""
    return lambda: requests(project, is_classifier)


def press_enter(terminal: Terminal, holds: Callable[[], object]) -> None:
    """Press Enter until it has an effect: claude ignores keys right after it shows a dialog."""

    def press() -> object:
        terminal.press("Enter")
        time.sleep(0.5)
        return holds()

    wait_until(press, "an effect of Enter")


def test_fact_auto_mode_on_another_endpoint(bench: Bench, tmux: None) -> None:
    """Plain claude: auto mode, a dialog that waits, then huge requests to Anthropic's model."""
    project = project_of(bench)
    env = {**provider(project), **MANAGED}
    with project.interactive(env=env, program=str(claude_binary())) as terminal:
        terminal.wait_for("auto mode on")
        terminal.enter("go")
        terminal.wait_for(DIALOG)
        assert requests(project, is_classifier) == []
        press_enter(terminal, classified(project))
    assert {r.model for r in requests(project, is_classifier)} == {"claude-sonnet-5"}


@pytest.mark.journey
def test_a_launch_starts_in_manual_mode(bench: Bench, tmux: None) -> None:
    """The user is asked about the command; no model is."""
    project = project_of(bench)
    with project.interactive("kimi") as terminal:
        terminal.wait_for("manual mode on")
        terminal.enter("go")
        screen = terminal.wait_for("Do you want to proceed")
        assert DIALOG not in screen
        press_enter(terminal, lambda: DONE in terminal.screen())
    assert requests(project, is_classifier) == []


@pytest.mark.parametrize("where", ["option", "user", "project", "provider"])
def test_the_users_choice_counts(bench: Bench, tmux: None, where: str) -> None:
    """A mode that the user chose anywhere is the one that the session starts in."""
    project, arguments = project_of(bench), ()
    mode = {"permissions": {"defaultMode": "acceptEdits"}}
    if where == "option":
        arguments = ("--permission-mode", "acceptEdits")
    elif where == "user":
        project.write(".claude/settings.json", json.dumps(mode))
    elif where == "project":
        (project.directory / ".claude").mkdir()
        (project.directory / ".claude" / "settings.json").write_text(json.dumps(mode))
    else:
        project.configure(providers={"kimi": {**project.provider(), **mode}})
    with project.interactive("kimi", *arguments) as terminal:
        terminal.wait_for("accept edits on")


def test_auto_mode_on_request(bench: Bench, tmux: None) -> None:
    """Chosen by the user, auto mode asks for a model that the provider has."""
    project = project_of(bench)
    with project.interactive("kimi", "--permission-mode", "auto") as terminal:
        terminal.wait_for("auto mode on")
        terminal.enter("go")
        terminal.wait_for(DIALOG)
        press_enter(terminal, classified(project))
    assert {r.model for r in requests(project, is_classifier)} == {MODEL}
