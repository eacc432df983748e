"""Facts of claude: the input of a Stop hook, and the effect of its answer."""

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from facts import (
    BLOCK_ALWAYS,
    BLOCK_ONCE,
    HOOK_SAYS,
    SECONDS,
    STREAM,
    Call,
    Conversation,
    Hook,
    claude,
    lines,
    provider,
    scripted_project,
)

from harness import Bench, CccProject, Outcome, Terminal, claude_binary
from harness.scripted import Request, Rule, agent_turn, answer, every, said_last, tool, tool_result

pytestmark = pytest.mark.real

FEEDBACK = "Stop hook feedback:\nGo on."


@dataclass(frozen=True)
class Turns:
    """Two prompts of one session, each with one block."""

    calls: list[Call]
    requests: list[Request]
    project: CccProject
    claude: int


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> Turns:
    """Run a session in which the hook blocks once for each of two prompts."""
    with scripted_project(tmp_path_factory.mktemp("turns")) as project:
        hook = Hook(project, BLOCK_ONCE)
        settings = ("--settings", json.dumps(hook.settings()))
        mode = ("--permission-mode", "plan")
        env = {"CCC_SUPERVISOR_ID": "supervised"}
        with Conversation(project, *settings, *mode, env=env) as conversation:
            conversation.ask("first")
            conversation.ask("second")
            pid = conversation.pid
            conversation.end()
        assert len(hook.calls) == 4, project.model
        assert project.model is not None
        return Turns(hook.calls, project.model.requests, project, pid)


def test_fact_stop_hook_input_has_these_fields(turns: Turns) -> None:
    """The hook's input has the session, its transcript, the mode and the agent's last message."""
    event = turns.calls[0].event
    assert set(event) >= {
        "session_id",
        "transcript_path",
        "cwd",
        "prompt_id",
        "permission_mode",
        "effort",
        "hook_event_name",
        "stop_hook_active",
        "last_assistant_message",
        "background_tasks",
        "session_crons",
    }
    assert event["hook_event_name"] == "Stop"
    assert event["last_assistant_message"] == "Hello from the script."
    assert event["cwd"] == str(turns.project.directory)
    assert event["permission_mode"] == "plan"


def test_fact_stop_hook_transcript_is_named_by_the_session(turns: Turns) -> None:
    """The transcript is a JSONL file named after the session's id."""
    event = turns.calls[0].event
    transcript = Path(event["transcript_path"])
    assert transcript.name == f"{event['session_id']}.jsonl"
    entries = [json.loads(line) for line in transcript.read_text().splitlines()]
    assert any("Hello from the script." in json.dumps(entry) for entry in entries)


def test_fact_prompt_id_stays_through_continuations(turns: Turns) -> None:
    """The prompt's id stays the same after a block."""
    ids = [call.event["prompt_id"] for call in turns.calls]
    assert ids[0] == ids[1]
    assert ids[2] == ids[3]


def test_fact_prompt_id_changes_with_the_next_prompt(turns: Turns) -> None:
    """The user's next prompt has another id, in the same session."""
    assert turns.calls[0].event["prompt_id"] != turns.calls[2].event["prompt_id"]
    assert len({call.event["session_id"] for call in turns.calls}) == 1


def test_fact_stop_hook_active_is_true_after_a_block_only(turns: Turns) -> None:
    """stop_hook_active is false at the first stop of a turn and true after a block."""
    active = [call.event["stop_hook_active"] for call in turns.calls]
    assert active == [False, True, False, True]


def test_fact_stop_hook_environment_names_the_session(turns: Turns) -> None:
    """The hook's environment has claude's variables of the running session."""
    call = turns.calls[0]
    assert call.env["CLAUDECODE"] == "1"
    assert call.env["CLAUDE_CODE_CHILD_SESSION"] == "1"
    assert call.env["CLAUDE_CODE_SESSION_ID"] == call.event["session_id"]
    assert call.env["CLAUDE_PROJECT_DIR"] == str(turns.project.directory)
    assert call.env["CLAUDE_PID"] == str(turns.claude)
    assert call.env["CLAUDE_CODE_ENTRYPOINT"] == "sdk-cli"


def test_fact_stop_hook_environment_has_what_a_reviewer_must_not_get(turns: Turns) -> None:
    """The hook's environment has the parent session's socket, its token and its effort."""
    env = turns.calls[0].env
    assert {
        "CLAUDE_CODE_MESSAGING_SOCKET",
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "CLAUDE_CODE_SESSION_ATTENDED",
        "CLAUDE_EFFORT",
        "AI_AGENT",
    } <= set(env)


def test_fact_stop_hook_environment_does_not_name_the_binary(turns: Turns) -> None:
    """The hook's environment doesn't contain the path of claude."""
    assert str(claude_binary()) not in turns.calls[0].env.values()


def test_fact_stop_hook_inherits_the_environment(turns: Turns) -> None:
    """The hook inherits claude's environment."""
    assert turns.calls[0].env["CCC_SUPERVISOR_ID"] == "supervised"


def test_fact_stop_hook_runs_in_its_own_session_without_a_terminal(turns: Turns) -> None:
    """The hook has its own process session, no terminal, and the project as its directory."""
    process = turns.calls[0].process
    assert process["session"] not in (turns.claude, os.getsid(0))
    assert process["tty"] is False
    assert process["cwd"] == str(turns.project.directory)


def test_fact_block_continues_with_a_user_message(turns: Turns) -> None:
    """After a block, the model gets the reason as a user message."""
    assert [r.last_text for r in turns.requests] == ["first", FEEDBACK, "second", FEEDBACK]


def run_with_hook(project: CccProject, body: str) -> tuple[Outcome, list[dict[str, object]]]:
    """Run claude with this Stop hook; return the outcome and its lines."""
    hook = Hook(project, body)
    settings = ("--settings", json.dumps(hook.settings()))
    outcome = claude(project, *STREAM, "--include-hook-events", "hi", *settings)
    assert hook.calls, outcome
    return outcome, lines(outcome)


def notifications(stream: list[dict[str, object]]) -> list[object]:
    """Return the keys of the notifications to the user."""
    return [line["key"] for line in stream if line.get("subtype") == "notification"]


@pytest.mark.parametrize(
    "body",
    ["", "say()", "say(decision='approve')", "say(systemMessage='All good.')"],
    ids=["nothing", "an empty object", "approve", "systemMessage"],
)
def test_fact_these_answers_allow_the_stop_quietly(bench: Bench, body: str) -> None:
    """The turn ends without an error notification."""
    project = bench()
    outcome, stream = run_with_hook(project, body)
    assert len(project.model.requests) == 1, outcome
    assert notifications(stream) == []


def test_fact_system_message_is_an_informational_line(bench: Bench) -> None:
    """A hook's systemMessage is in the stream as `Stop says: …`."""
    _, stream = run_with_hook(bench(), "say(systemMessage='All good.')")
    messages = [line["content"] for line in stream if line.get("subtype") == "informational"]
    assert messages == ["Stop says: All good."]


def test_fact_empty_decision_is_rejected_with_an_error(bench: Bench) -> None:
    """`{"decision":"","":""}` ends the turn, with an error that the user sees."""
    project = bench()
    outcome, stream = run_with_hook(project, "say(**{'decision': '', '': ''})")
    assert len(project.model.requests) == 1, outcome
    assert notifications(stream) == ["stop-hook-error"]
    (response,) = (line for line in stream if line.get("subtype") == "hook_response")
    assert "Hook JSON output validation failed" in str(response["stderr"])


def test_fact_block_is_notified_as_an_error_too(bench: Bench) -> None:
    """An ordinary block causes the same notification as a broken hook."""
    _, stream = run_with_hook(bench(), BLOCK_ONCE)
    assert notifications(stream) == ["stop-hook-error"]


def test_fact_exit_code_2_blocks_with_what_stderr_says(bench: Bench) -> None:
    """A hook that exits with 2 blocks the stop, with stderr as the reason."""
    project = bench()
    body = "if not event['stop_hook_active']: print('usage', file=sys.stderr); sys.exit(2)"
    run_with_hook(project, body)
    assert "usage" in project.model.requests[-1].last_text
    assert len(project.model.requests) == 2


def test_fact_hook_that_cant_be_started_is_notified(bench: Bench) -> None:
    """A missing program doesn't block the agent, but shows an error at every stop."""
    project = bench()
    missing = {"type": "command", "command": str(project.root / "missing")}
    settings = json.dumps({"hooks": {"Stop": [{"hooks": [missing]}]}})
    stream = lines(claude(project, *STREAM, "hi", "--settings", settings))
    assert notifications(stream) == ["stop-hook-error"]
    assert len(project.model.requests) == 1


@pytest.mark.parametrize(
    "entry",
    [{}, {"timeout": 77}, {"statusMessage": "Reviewing"}],
    ids=["alike", "another timeout", "another statusMessage"],
)
def test_fact_identical_command_in_two_files_runs_once(
    bench: Bench, entry: dict[str, object]
) -> None:
    """The same command in settings.json and --settings runs once, whatever else differs."""
    project = bench()
    hook = Hook(project)
    project.write(".claude/settings.json", json.dumps(hook.settings()))
    flag = ("--settings", json.dumps(hook.settings(**entry)))
    claude(project, "-p", "hi", *flag).succeeded()
    assert len(hook.calls) == 1


def test_fact_the_users_other_stop_hooks_run_too(bench: Bench) -> None:
    """Stop hooks of settings.json, the project's settings and --settings all run."""
    project = bench()
    users, projects, flags = (Hook(project, name=n) for n in ("users", "projects", "ours"))
    project.write(".claude/settings.json", json.dumps(users.settings()))
    (project.directory / ".claude").mkdir()
    (project.directory / ".claude" / "settings.json").write_text(json.dumps(projects.settings()))
    claude(project, "-p", "hi", "--settings", json.dumps(flags.settings())).succeeded()
    assert [len(hook.calls) for hook in (users, projects, flags)] == [1, 1, 1]


def test_fact_disable_all_hooks_in_the_settings_flag_silences_all(bench: Bench) -> None:
    """With disableAllHooks in --settings, no hook of any file runs."""
    project = bench()
    users, projects, flags = (Hook(project, name=n) for n in ("users", "projects", "ours"))
    project.write(".claude/settings.json", json.dumps(users.settings()))
    (project.directory / ".claude").mkdir()
    (project.directory / ".claude" / "settings.json").write_text(json.dumps(projects.settings()))
    flag = json.dumps({**flags.settings(), "disableAllHooks": True})
    claude(project, "-p", "hi", "--settings", flag).succeeded()
    assert [len(hook.calls) for hook in (users, projects, flags)] == [0, 0, 0]


# The child waits for the file, for at most 30 seconds.
_CHILD = """
import subprocess
if not event["stop_hook_active"]:
    wait = "i=0; while [ ! -e {over} ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done"
    none = subprocess.DEVNULL
    subprocess.Popen(["sh", "-c", wait], stdin=none, **{streams})
    say(decision="block", reason="Go on.")
"""


@pytest.mark.parametrize(
    ("streams", "honoured"),
    [
        ("{'stderr': none}", False),
        ("{'stdout': none}", False),
        ("{'stdout': none, 'stderr': none}", True),
    ],
    ids=["stdout", "stderr", "neither"],
)
def test_fact_decision_is_refused_while_a_child_holds(
    bench: Bench, streams: str, honoured: bool
) -> None:
    """A child that keeps the hook's stdout or stderr open voids the hook's decision."""
    project = bench()
    over = project.root / "over"
    try:
        outcome, stream = run_with_hook(project, _CHILD.format(over=over, streams=streams))
    finally:
        over.touch()
    assert len(project.model.requests) == (2 if honoured else 1), outcome
    refused = [line for line in stream if "refusing to honor" in str(line.get("stderr"))]
    assert bool(refused) is not honoured


def warnings_of_blocks(
    project: CccProject, env: dict[str, str], settings: dict[str, object]
) -> list[str]:
    """Run claude with a hook that always blocks, and return the warnings."""
    hook = Hook(project, BLOCK_ALWAYS)
    project.write(".claude/settings.json", json.dumps({**settings, **hook.settings()}))
    stream = lines(claude(project, *STREAM, "hi", env=env))
    return [str(line["content"]) for line in stream if line.get("level") == "warning"]


def test_fact_stop_hook_blocks_are_capped_at_8(bench: Bench) -> None:
    """The ninth block in a row is overridden, with a warning."""
    project = bench()
    (warning,) = warnings_of_blocks(project, {}, {})
    assert [r.last_text for r in project.model.requests] == ["hi", *[FEEDBACK] * 8]
    assert "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP" in warning


def test_fact_block_cap_variable_raises_the_cap(bench: Bench) -> None:
    """CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=10 allows ten blocks."""
    project = bench()
    assert len(warnings_of_blocks(project, {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "10"}, {})) == 1
    assert len(project.model.requests) == 11


def test_fact_block_cap_of_settings_json_beats_the_process(bench: Bench) -> None:
    """The cap in settings.json's env takes precedence, even if it is lower."""
    project = bench()
    settings = {"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "2"}}
    warnings_of_blocks(project, {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "10"}, settings)
    assert len(project.model.requests) == 3


def test_fact_tool_use_resets_the_block_cap(bench: Bench) -> None:
    """An agent that uses a tool after each block can be blocked more than 8 times."""
    look = tool("Bash", command="true", description="Look")
    project = bench(
        Rule(every(agent_turn(), tool_result()), answer("Looked.")),
        Rule(every(agent_turn(), said_last("^Stop hook feedback")), answer(look)),
        Rule(agent_turn(), answer("Hello.")),
    )
    hook = Hook(project, f"if number <= 10: {BLOCK_ALWAYS}")
    mode = ("--permission-mode", "bypassPermissions")
    claude(project, "-p", "hi", *mode, "--settings", json.dumps(hook.settings())).succeeded()
    assert len(hook.calls) == 11


def session_with_hook(project: CccProject, hook: Hook, **entry: object) -> Terminal:
    """Start an interactive session with the hook and enter the first prompt."""
    terminal = project.interactive(
        "--settings",
        json.dumps(hook.settings(**entry)),
        env={**provider(project), "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": "1"},
        program=str(claude_binary()),
    )
    try:
        terminal.wait_for("❯")
        terminal.enter("hello there")
    except BaseException:
        terminal.close()
        raise
    return terminal


@pytest.mark.tmux
def test_fact_system_message_shows_in_the_terminal(bench: Bench, tmux: None) -> None:
    """A hook's systemMessage is shown below the agent's answer."""
    project = bench()
    with session_with_hook(project, Hook(project, "say(systemMessage='All good.')")) as terminal:
        terminal.wait_for("Stop says: All good")


@pytest.mark.tmux
def test_fact_stderr_of_a_hook_stays_hidden_in_the_terminal(bench: Bench, tmux: None) -> None:
    """The stderr of a hook that exits with 0 isn't shown."""
    project = bench()
    body = "print('a whisper', file=sys.stderr); say(systemMessage='All good.')"
    with session_with_hook(project, Hook(project, body)) as terminal:
        terminal.wait_for("Stop says: All good")
        assert "a whisper" not in terminal.screen(history=True)


@pytest.mark.tmux
def test_fact_the_terminal_shows_the_reason_of_a_block(bench: Bench, tmux: None) -> None:
    """The reason of a block is shown below `Stop hook reported a problem`."""
    project = bench()
    with session_with_hook(project, Hook(project, BLOCK_ONCE)) as terminal:
        terminal.wait_for(HOOK_SAYS + r"Go on\.")


@pytest.mark.tmux
def test_fact_continue_false_beats_another_hooks_block(bench: Bench, tmux: None) -> None:
    """`continue: false` of one hook ends the turn even if another one blocks; both are shown."""
    project = bench()
    file = project.directory / ".claude" / "settings.json"
    file.parent.mkdir()
    rival = {"type": "command", "command": """echo '{"continue": false}'"""}
    file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [rival]}]}}))
    with session_with_hook(project, Hook(project, BLOCK_ONCE)) as terminal:
        terminal.wait_for(HOOK_SAYS + r"Go on\.")
        terminal.wait_for("Stop hook prevented continuation")
        time.sleep(1)
        assert len(project.model.requests) == 1


_WAITS = """
import pathlib, signal, subprocess
signs = pathlib.Path({signs!r})

def note(name):
    def handler(*_):
        (signs / name).touch()
        os._exit(0)
    return handler

signal.signal(signal.SIGTERM, note("hook got SIGTERM"))
if not os.fork():
    os.close(1), os.close(2)
    signal.signal(signal.SIGTERM, note("child got SIGTERM"))
    (signs / "child waits").touch()
    time.sleep(30)
    os._exit(0)
(signs / "hook waits").touch()
time.sleep(30)
"""


def wait_for_files(directory: Path, *names: str) -> None:
    """Wait until the files exist."""
    until = time.monotonic() + SECONDS
    while not all((directory / name).exists() for name in names):
        assert time.monotonic() < until, sorted(path.name for path in directory.iterdir())
        time.sleep(0.05)


def waiting_hook(project: CccProject) -> tuple[Hook, Path]:
    """Return a hook that waits for SIGTERM with its child, and the directory of their signs."""
    signs = project.root / "signs"
    signs.mkdir()
    return Hook(project, _WAITS.format(signs=str(signs))), signs


@pytest.mark.tmux
def test_fact_status_message_shows_while_the_hook_runs(bench: Bench, tmux: None) -> None:
    """The spinner shows the statusMessage of the hook's entry."""
    project = bench()
    hook, _ = waiting_hook(project)
    with session_with_hook(project, hook, statusMessage="Looking at it") as terminal:
        terminal.wait_for("Looking at it")
        terminal.press("Escape")
        terminal.wait_for("Interrupted")


@pytest.mark.tmux
def test_fact_escape_sends_sigterm_to_the_hooks_group(bench: Bench, tmux: None) -> None:
    """Esc ends the hook and its children with SIGTERM, and the turn counts as interrupted."""
    project = bench()
    hook, signs = waiting_hook(project)
    with session_with_hook(project, hook) as terminal:
        wait_for_files(signs, "hook waits", "child waits")
        terminal.press("Escape")
        wait_for_files(signs, "hook got SIGTERM", "child got SIGTERM")
        terminal.wait_for("Interrupted")
    assert len(project.model.requests) == 1
