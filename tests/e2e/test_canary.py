"""A canary key reaches the provider, but no file, command line or output of ccc.

Every test's home is searched for the key (`tests/conftest.py`). These tests cover the hardest
cases: each form a key may have, and a provider that echoes it.
"""

import subprocess
from collections.abc import Callable

import pytest
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    bash,
    journey,
    no,
    supervise,
)

from ccc.text.redaction import HIDDEN
from harness import KEY, Bench, CccProject
from harness.canary import WHERE_THE_USER_PUT_IT, in_files
from harness.processes import wait_until
from harness.scripted import Reply, Rule, answer, anything, every, failure, tool_result

pytestmark = pytest.mark.real

OWN_RECORD = "home/.claude/projects/*"
"""Claude's own transcripts, which contain the provider's answers."""


def in_a_variable(project: CccProject) -> object:
    """Put the key into a variable of the user's shell."""
    project.env["MY_KEY"] = KEY
    return {"env": "MY_KEY"}


def from_a_command(project: CccProject) -> object:
    """Return a command that prints the key, also on stderr."""
    vault = project.root / "vault"
    vault.write_text(f"{KEY}\nnotes: {KEY}\n")
    return {"command": ["sh", "-c", f"cat {vault} >&2; cat {vault}"]}


@pytest.mark.key_in("vault")
@pytest.mark.parametrize("form", [in_a_variable, from_a_command])
def test_each_form(bench: Bench, form: Callable[[CccProject], object]) -> None:
    """Reviews, a run with a check, and all commands that show them don't leak the key."""
    judging = Rule(ASKED, [answer(no(FEEDBACK)), answer(YES), answer(YES)])
    project = bench(judging, *journey()[1:])
    notice = project.root / "notice"
    project.configure(
        providers={"kimi": project.provider(ANTHROPIC_AUTH_TOKEN=form(project))},
        supervisor={
            "checks": ["set; test -e a.txt"],
            "notify": ["sh", "-c", f"env > {notice}.new; mv {notice}.new {notice}"],
        },
    )
    with (project.root / "watched").open("wb") as output:
        watch = subprocess.Popen(
            [project.ccc, "watch", "--plain"],
            env=project.env,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            run = supervise(project, "write a.txt", CCC_DEBUG="1")
            assert [v["completed"] for v in run.record.verdicts] == [False, True], run.outcome
            wait_until(notice.exists)
            project.run("run", "write a.txt", "--", *FREELY).succeeded()
        finally:
            watch.terminate()
            watch.wait(10)
    assert {request.key for request in project.model.requests} == {KEY}
    assert FEEDBACK in (project.root / "watched").read_text()
    for line in LOOKING.split("|"):
        outcome = project.run(*line.split(), env={"CCC_DEBUG": "1"})
        assert "Traceback" not in outcome.stderr, outcome
    assert not (project.claude_dir / "ccc").exists()


LOOKING = """provider list|provider show kimi|provider use kimi|validate|validate --json|status
|history|show|show --json|report -o -|report|statusline|prompt init|doctor --all|doctor --json
|doctor --fix|kimi --version|nonsense|clean --older-than 0d --yes|uninstall --yes --purge"""


def echoing(status: int) -> Reply:
    """Return an error with the key in its text and its headers."""
    text = f"no such key: Bearer {KEY} (you sent {KEY!r})"
    return failure(status, "authentication_error", text, {"x-your-key": KEY, "request-id": KEY})


def test_a_reviewer_that_is_refused(bench: Bench) -> None:
    """The reported cause doesn't contain the key that the provider quotes."""
    project = bench(
        Rule(REVIEWING, echoing(401), name="reviewer"), Rule(WORKING, answer(DONE), name="agent")
    )
    run = supervise(project, "do it")
    (message,) = run.told
    assert f"401 no such key: Bearer {HIDDEN} (you sent '{HIDDEN}')" in message
    assert HIDDEN in run.record.verdicts[0]["failure"]
    assert {request.key for request in project.model.requests} == {KEY}


@pytest.mark.key_in(OWN_RECORD)
def test_an_agent_that_is_refused(bench: Bench) -> None:
    """`ccc run` hides the key that the provider quotes; claude's own transcript has it."""
    project = bench(Rule(anything(), echoing(401)))
    outcome = project.run("run", "do it")
    assert outcome.code == 25
    assert f"no such key: Bearer {HIDDEN}" in outcome.stderr
    assert in_files(project.root, KEY, WHERE_THE_USER_PUT_IT), "claude no longer records the key"


@pytest.mark.key_in(OWN_RECORD)
def test_an_agent_that_reads_the_configuration(bench: Bench) -> None:
    """After the agent reads ccc.json, the key isn't in ccc's record of its work."""
    project = bench(
        Rule(REVIEWING, answer(f"I saw {KEY}.\n{YES}")),
        Rule(every(WORKING, tool_result()), answer("I know the key.")),
        Rule(WORKING, answer(bash("cat ~/.claude/ccc.json"))),
    )
    outcome = project.run("run", "look around", "--", *FREELY).succeeded()
    assert f"I saw {HIDDEN}." in outcome.stderr
    (record,) = project.claude_dir.glob("ccc/supervisor-*-agent.jsonl")
    assert HIDDEN in record.read_text()
