"""Supervision in sessions that ccc didn't start: plain, SDK, nested."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from facts import HOOK_SAYS, MANAGED, STREAM, Hook, provider, scripted_project
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    FREELY,
    REVIEWING,
    SDK_PROGRAM,
    WORKING,
    YES,
    Record,
    Run,
    bash,
    hooked,
    journey,
    judged,
    requests,
    sessions,
    told,
)

from harness import Bench, CccProject, claude_binary
from harness.processes import wait_until
from harness.scripted import Request, Rule, answer, every, said_last, shared_prefix, tool_result

pytestmark = pytest.mark.real

TASK = "please write a.txt and b.txt"
QUESTION = YES.replace("true", 'false, "needs_user": true').replace('""', '"Which one?"')
OWN = "own"
"""The path and key of an endpoint that the user configured without ccc."""


def plain(project: CccProject, *arguments: str, **env: str) -> Run:
    """Run a plain `claude -p` with an endpoint that ccc doesn't know."""
    line = (*STREAM, "--include-hook-events", *FREELY, *arguments)
    variables = {**provider(project, OWN), **env}
    return Run(
        project, project.run(*line, program=str(claude_binary()), env=variables, timeout=120)
    )


def reviews(project: CccProject) -> list[Request]:
    """Return the requests that ask for a review."""
    return requests(project, ASKED)


def on_own_endpoint(request: Request) -> bool:
    """Return whether a request went to the user's own endpoint."""
    return request.path.startswith(f"/{OWN}/")


def states(project: CccProject) -> dict[str, dict[str, Any]]:
    """Return the states of all sessions by name."""
    paths = (project.claude_dir / "ccc").glob("supervisor-*.json")
    return {path.stem.removeprefix("supervisor-"): json.loads(path.read_text()) for path in paths}


def rows(project: CccProject) -> set[str]:
    """Return the ids that `ccc status` shows."""
    shown = json.loads(project.run("status", "--all", "--json").stdout)["sessions"]
    assert len({each["session_id"] for each in shown}) == len(shown)
    return {each["session_id"] for each in shown}


def in_charge(project: CccProject) -> list[str]:
    """Return the sessions that are open."""
    return [name for name, state in states(project).items() if state["pid"]]


# --- without a terminal


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run `ccc install` without a configuration, then `claude -p "/supervisor …"`."""
    with scripted_project(tmp_path_factory.mktemp("plain"), *journey()) as project:
        (project.claude_dir / "ccc.json").unlink()
        project.run("install").succeeded()
        yield plain(project, f"/supervisor {TASK}")


@pytest.mark.journey
def test_a_false_done_is_sent_back(run: Run) -> None:
    """A false "done" is sent back once, and the next stop is allowed."""
    first, last = (json.loads(hook["stdout"]) for hook in run.hooks)
    assert (first["decision"], first["reason"]) == ("block", FEEDBACK)
    assert set(last) == {"systemMessage"}
    assert run.result == DONE
    assert {p.name for p in run.project.directory.iterdir()} == {"a.txt", "b.txt"}
    assert ["not completed" in text for text in run.told] == [True, False]


@pytest.mark.journey
def test_the_fork_repeats_the_agents_request(run: Run) -> None:
    """The review's request extends the agent's request, so only the addition costs."""
    agent = requests(run.project, WORKING)
    for review in reviews(run.project):
        before = [r for r in agent if r.number < review.number][-1]
        assert shared_prefix(before, review) >= 0.999


def test_it_runs_where_the_session_runs(run: Run) -> None:
    """Every request goes to the session's own endpoint, with its own key."""
    all_requests = requests(run.project, lambda request: True)
    assert {on_own_endpoint(request) for request in all_requests} == {True}
    assert {r.headers["authorization"] for r in all_requests} == {f"Bearer {OWN}-token"}
    assert {r.body["model"] for r in all_requests} == {f"{OWN}-model"}


def test_the_state_has_the_sessions_own_id(run: Run) -> None:
    """The state is stored under claude's session id, and no fork is left."""
    record = Record(run.project)
    assert {record.session} == sessions(run.project) == {str(run.lines[0]["session_id"])}
    assert (record.state["enabled"], record.state["provider"]) == (True, "")
    assert record.state["cwd"] == str(run.project.directory)
    assert Path(record.state["claude"]) == claude_binary()


def test_switched_off_and_resumed(bench: Bench) -> None:
    """A resumed session stays supervised until /supervisoroff."""
    project = bench(*judged(*[YES] * 9))
    project.run("install").succeeded()
    session = "11111111-2222-4333-8444-555555555555"
    plain(project, "--session-id", session, f"/supervisor {TASK}").outcome.succeeded()
    plain(project, "--resume", session, "and now this").outcome.succeeded()
    assert len(reviews(project)) == 2
    run = plain(project, "--resume", session, "/supervisoroff hello")
    assert (told(run.lines), states(project)[session]["enabled"]) == ([], False)
    plain(project, "--resume", session, "hello again").outcome.succeeded()
    assert len(reviews(project)) == 2


def test_an_endpoint_in_the_users_settings(bench: Bench) -> None:
    """The reviewer uses the endpoint from the user's settings.json."""
    project = bench(*judged(*[YES] * 9))
    project.write(".claude/settings.json", json.dumps({"env": provider(project, OWN)}))
    project.run("install").succeeded()
    line = (*STREAM, *FREELY, f"/supervisor {TASK}")
    project.run(*line, program=str(claude_binary())).succeeded()
    assert [on_own_endpoint(review) for review in reviews(project)] == [True]


def test_a_settings_file_of_the_command_line(bench: Bench) -> None:
    """`--settings` and `--add-dir` of the agent apply to the reviewer too."""
    project = bench(*judged(*[YES] * 9))
    project.run("install").succeeded()
    settings_file = project.write("given.json", '{"language": "klingon"}')
    more = project.root / "more"
    more.mkdir()
    run = plain(
        project,
        "--settings",
        str(settings_file),
        "--add-dir",
        str(more),
        "--",
        f"/supervisor {TASK}",
    )
    run.outcome.succeeded()
    (review,) = reviews(project)
    (agent,) = requests(project, WORKING)
    assert shared_prefix(agent, review) >= 0.999
    (state,) = states(project).values()
    assert (state["settings"], state["arguments"]) == (str(settings_file), ["--add-dir", str(more)])


# --- the Agent SDK


@pytest.mark.parametrize(
    "options",
    [
        {"setting_sources": ["user", "project"]},
        {
            "setting_sources": ["user"],
            "system_prompt": {"type": "preset", "preset": "claude_code"},
            "disallowed_tools": ["WebSearch"],
        },
    ],
)
def test_started_by_the_sdk(bench: Bench, options: dict[str, Any]) -> None:
    """A program that uses the Agent SDK is supervised like an interactive session."""
    project = bench(*journey())
    project.run("install").succeeded()
    query = {"options": {**options, "cli_path": str(claude_binary())}}
    text = json.dumps({**query, "prompt": f"/supervisor {TASK}"})
    run = project.run(
        "-c", SDK_PROGRAM, text, program=sys.executable, env=provider(project, OWN), timeout=120
    ).succeeded()
    assert f"ResultMessage {DONE}" in run.stdout
    agent = requests(project, WORKING)
    assert len(reviews(project)) == 2
    for review in reviews(project):
        before = [r for r in agent if r.number < review.number][-1]
        assert shared_prefix(before, review) >= 0.999


# --- a session that ccc launched, resumed


def test_resumed_by_ccc(bench: Bench) -> None:
    """`ccc kimi --resume ID` of a supervised session stays supervised and says so."""
    project = bench(*judged(*[YES] * 9))
    hooked(project, f"/supervisor {TASK}").outcome.succeeded()
    (session,) = sessions(project)
    for line in (["--resume", session], ["-r", session], [f"--resume={session}"], ["--continue"]):
        before = len(reviews(project))
        run = hooked(project, "and now this", *line)
        # the session of --continue is unknown until its stop
        assert ("this session is supervised" in run.outcome.stderr) is (line != ["--continue"])
        assert len(run.told) == 1
        assert len(reviews(project)) == before + 1
    assert sessions(project) == {session}
    assert requests(project, lambda r: "is supervised: every" in json.dumps(r.body)) == []


def test_resumed_by_plain_claude(bench: Bench) -> None:
    """`claude --resume ID` stays supervised, and the review uses its own endpoint, not kimi's."""
    project = bench(*judged(*[YES] * 9))
    hooked(project, f"/supervisor {TASK}").outcome.succeeded()
    (session,) = sessions(project)
    run = plain(project, "--resume", session, "and now this")
    assert len(told(run.lines)) == 1
    first, second = reviews(project)
    assert (on_own_endpoint(first), on_own_endpoint(second)) == (False, True)
    assert states(project)[session]["provider"] == ""
    project.run("kimi", "--resume", session, "-p", "back again").succeeded()
    assert on_own_endpoint(reviews(project)[-1]) is False


def test_a_fork_is_a_new_session(bench: Bench) -> None:
    """`--fork-session` starts an unsupervised session."""
    project = bench(*judged(*[YES] * 9))
    hooked(project, f"/supervisor {TASK}").outcome.succeeded()
    (session,) = sessions(project)
    outcome = project.run("kimi", "--resume", session, "--fork-session", "-p", "else").succeeded()
    assert "supervised" not in outcome.stderr
    assert len(reviews(project)) == 1


# --- next to a supervised one


def test_a_plain_session_beside_it(bench: Bench) -> None:
    """Another session of the same user at the same time isn't supervised."""
    project = bench(*judged(*[YES] * 9))
    hooked(project, f"/supervisor {TASK}").outcome.succeeded()
    run = plain(project, "hello")
    assert told(run.lines) == []
    assert len(reviews(project)) == 1


@pytest.mark.parametrize("other", [False, True], ids=["same file", "another version"])
def test_a_nested_claude(bench: Bench, tmp_path: Path, other: bool) -> None:
    """A claude that the supervised agent starts is not reviewed, whatever it inherits."""
    inner_claude = claude_binary()
    if other:
        inner_claude = tmp_path / "claude-other"
        shutil.copy(claude_binary(), inner_claude)
    own = f"ANTHROPIC_BASE_URL=$ANTHROPIC_BASE_URL/{OWN} ANTHROPIC_AUTH_TOKEN={OWN}-token"
    unmanaged = " ".join(f"{name}=" for name in MANAGED)
    project = bench(
        Rule(REVIEWING, answer(YES)),
        Rule(every(WORKING, said_last("inner task")), answer("Inner done.")),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(WORKING, answer(bash(f"{own} {unmanaged} {inner_claude} -p 'inner task'"))),
    )
    hook = Hook(project)
    project.write(".claude/settings.json", json.dumps(hook.settings()))
    hooked(project, f"/supervisor {TASK}", *FREELY).outcome.succeeded()
    inner, outer = hook.calls
    assert inner.event["last_assistant_message"] == "Inner done."
    assert inner.env["CCC_SUPERVISOR_ID"] == outer.env["CCC_SUPERVISOR_ID"]
    assert len(reviews(project)) == 1
    assert [s for s, state in states(project).items() if state["count"]] == [
        Record(project).session
    ]


# --- in a terminal

ALLOWED = r"completed, stop allowed"


@pytest.mark.tmux
def test_in_a_terminal(bench: Bench, tmux: None) -> None:
    """In a plain `claude`, /supervisor is listed, a false "done" is sent back, and off works."""
    project = bench(*journey())
    project.run("install").succeeded()
    # interactively, a gateway's prompt cache is shared only if claude names no entry point
    env = {**provider(project, OWN), "CLAUDE_CODE_ATTRIBUTION_HEADER": "0"}
    line = ("--allowedTools", "Bash")
    with project.interactive(*line, program=str(claude_binary()), env=env) as terminal:
        terminal.wait_for("❯")
        terminal.put("/superv")
        terminal.wait_for("Enable supervisor mode")
        for _ in "/superv":
            terminal.press("BSpace")
        terminal.enter(f"/supervisor {TASK}")
        screen = terminal.wait_for(ALLOWED, 90)
        assert re.search(HOOK_SAYS + FEEDBACK, screen)
        assert "not completed (round 1/10)" in screen
        agent = requests(project, WORKING)
        for review in reviews(project):
            before = [r for r in agent if r.number < review.number][-1]
            assert shared_prefix(before, review) >= 0.999
            assert on_own_endpoint(review)
        terminal.enter("/supervisoroff")
        wait_until(lambda: Record(project).state["enabled"] is False)
        terminal.wait_for("Hello from the agent")
        terminal.enter("and hello once more")
        wait_until(lambda: len(requests(project, every(WORKING, said_last("once more")))) == 1)
    assert len(reviews(project)) == 2


@pytest.mark.tmux
@pytest.mark.parametrize("command", ["/clear", "/compact"])
def test_after_clear_and_compact(bench: Bench, tmux: None, command: str) -> None:
    """A session that ccc launched stays supervised, and so does its continuation."""
    project = bench(*judged(*[YES] * 9))
    with project.interactive("--supervisor", "kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("the first task")
        terminal.wait_for(ALLOWED, 60)
        terminal.enter(command)
        if command == "/clear":
            wait_until(lambda: "the first task" not in terminal.screen())
        else:
            terminal.wait_for("ompacted", 60)
        terminal.wait_for(f"SessionStart:{command[1:]} says")
        terminal.enter("the second task")
        terminal.wait_for(ALLOWED, 60)
        wait_until(lambda: len(reviews(project)) == 2)
    assert rows(project) == sessions(project)
    assert len(sessions(project)) == (2 if command == "/clear" else 1)
    for session in sessions(project):
        before = len(reviews(project))
        run = plain(project, "--resume", session, "the third task")
        assert len(told(run.lines)) == 1
        assert len(reviews(project)) == before + 1


@pytest.mark.tmux
def test_resumed_in_a_terminal(bench: Bench, tmux: None) -> None:
    """`ccc kimi --resume ID` says that it is supervised; /resume in a new session works too."""
    project = bench(*judged(*[YES] * 9))
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for(ALLOWED, 60)
    (session,) = sessions(project)
    with project.interactive("kimi", "--resume", session) as terminal:
        terminal.wait_for("❯")
        terminal.enter("and now this")
        wait_until(lambda: len(reviews(project)) == 2, "the second review")
        assert "SessionStart:resume says: [SUPERVISOR]" in terminal.screen(history=True)
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter(f"/resume {session}")
        terminal.wait_for(TASK)
        terminal.enter("and this as well")
        wait_until(lambda: len(reviews(project)) == 3, "the third review")
        wait_until(lambda: states(project)[session]["outcome"] == "completed")
        terminal.enter("/supervisoroff")
        wait_until(lambda: states(project)[session]["enabled"] is False)


@pytest.mark.tmux
@pytest.mark.journey
def test_one_conversation_is_one_session(bench: Bench, tmux: None) -> None:
    """Each has one row, through --continue, off and on, /branch, /clear and /resume."""
    project = bench(*judged(QUESTION, *[YES] * 9))
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("hello")
        terminal.wait_for(DONE)
        wait_until(lambda: len(sessions(project)) == 1)
    (first,) = sessions(project)
    with project.interactive("kimi", "--continue") as terminal:
        terminal.wait_for("hello")
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for("needs your input")
        assert rows(project) == {first}
        terminal.enter("/supervisoroff")
        wait_until(lambda: states(project)[first]["enabled"] is False)
    with project.interactive("kimi", "--continue") as terminal:
        terminal.wait_for(TASK)
        terminal.enter(f"/supervisor {TASK} again")
        terminal.wait_for(ALLOWED)
        assert rows(project) == {first}
        changes = (("/branch", "fork"), ("/clear", "clear"), (f"/resume {first}", "resume"))
        for command, source in changes:
            before, known = len(reviews(project)), in_charge(project)
            terminal.enter(command)
            wait_until(lambda n=known: in_charge(project) != n, f"a session after {command}")
            terminal.wait_for(f"SessionStart:{source} says")
            terminal.enter(f"the task after {source}")
            wait_until(lambda n=before: len(reviews(project)) > n, f"a review after {command}")
            wait_until(lambda: rows(project) == sessions(project))
        assert len(sessions(project)) == 3
        assert states(project)[first]["pid"] != 0
    assert first in project.run("show", first).succeeded().stdout
