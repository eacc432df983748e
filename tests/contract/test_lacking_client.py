"""Stops and runs with a claude that is known to lack something, or that shows it."""

import json

import pytest
from stops import Supervised

from ccc.claude import known_claudes
from ccc.claude.capabilities import CAPABILITIES, Answers
from ccc.storage.paths import Paths
from harness import CccProject
from harness.processes import nothing_runs
from harness.programs import needs_sandbox

FAILS = "bwrap: Can't create file at /x/.gitconfig: Read-only file system"
# the reviewer runs a command, whose result is `text`
BASH = """
def bash(text, is_error):
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}
    emit(type="assistant", message={"role": "assistant", "content": [use]}, session_id=session)
    back = {"type": "tool_result", "tool_use_id": "t1", "content": text, "is_error": is_error}
    emit(type="user", message={"role": "user", "content": [back]}, session_id=session)

def is_sandboxed():
    with open(sys.argv[sys.argv.index("--settings") + 1]) as file:
        return "sandbox" in json.load(file)
"""
BLIND = f"bash({FAILS!r} if is_sandboxed() else 'ok', is_sandboxed())\nresult(YES)"


def know(project: CccProject, *missing: str, version: str = "2.1.230") -> None:
    """Store that the project's claude lacks this."""
    paths = Paths({"CLAUDE_CONFIG_DIR": str(project.claude_dir)})
    known_claudes.save(paths, str(project.bin / "claude"), Answers(version, set(missing)))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("read_only", "the reviewer could write to the project: no stop can be judged"),
        ("fork", "a conversation can't be forked for a review: no stop can be judged"),
    ],
)
@pytest.mark.journey
def test_no_review(supervised: Supervised, name: str, reason: str) -> None:
    """Without these nothing is judged; the message has the reason and the remedy."""
    know(supervised.project, name)
    stopped = supervised.stop()
    assert not stopped.blocked
    assert "could not be judged" in stopped.message
    assert f"claude 2.1.230: {reason}. Update claude to 2.1.304 or later." in stopped.message
    assert supervised.notes("argv") == []


def test_a_fresh_review_needs_no_fork(supervised: Supervised) -> None:
    """A reviewer on another model isn't forked from the conversation."""
    know(supervised.project, "fork")
    supervised.configure(model="other")
    assert "completed" in supervised.stop().message


@pytest.mark.journey
def test_the_sandbox_is_off_where_commands_fail_in_it(supervised: Supervised) -> None:
    """With `auto` the review runs without the sandbox, which is told once."""
    needs_sandbox()
    supervised.configure(sandbox="auto")
    supervised.claude(BLIND, before=BASH)
    know(supervised.project, "reviewer_bash")
    first, second = supervised.stop().message, supervised.stop(prompt_id="p2").message
    assert "completed" in first
    assert "claude 2.1.230: the reviewer's commands fail in claude's sandbox." in first
    assert "Update claude to 2.1.304 or later." in first
    assert "sandbox" not in second
    assert len(supervised.notes("argv")) == 2


def test_a_required_sandbox_where_commands_fail_in_it(supervised: Supervised) -> None:
    """With `require` nothing is judged."""
    needs_sandbox()
    know(supervised.project, "reviewer_bash")
    supervised.configure(sandbox="require")
    message = supervised.stop().message
    assert "could not be judged" in message
    assert "`supervisor.sandbox` is `require`" in message
    assert supervised.notes("argv") == []


@pytest.mark.journey
def test_a_blind_reviewer_is_asked_again(supervised: Supervised) -> None:
    """Nothing is known, but every command fails in the sandbox: once more without, and so on."""
    needs_sandbox()
    supervised.configure(sandbox="auto")
    supervised.claude(BLIND, before=BASH)
    stopped = supervised.stop(last_assistant_message="All tests pass.")
    assert "completed" in stopped.message
    assert "ccc reviewed again without it" in stopped.message
    (signal,) = supervised.verdicts[0]["receipts"]
    assert signal["name"] == "claim_without_run"
    assert len(supervised.notes("argv")) == 2
    assert supervised.state["cost_usd"] == 0.5
    assert "again" not in supervised.stop(prompt_id="p2").message
    assert len(supervised.notes("argv")) == 3


@pytest.mark.journey
def test_a_blind_reviewer_in_a_required_sandbox(supervised: Supervised) -> None:
    """What it says is no verdict, and its cost counts."""
    needs_sandbox()
    supervised.configure(sandbox="require")
    supervised.claude(BLIND, before=BASH)
    message = supervised.stop().message
    assert "could not be judged" in message
    assert f"every command of the reviewer failed in claude's sandbox: {FAILS}" in message
    assert len(supervised.notes("argv")) == 1
    assert supervised.state["cost_usd"] == 0.25


@pytest.mark.parametrize(
    "body",
    [
        # one command works; a command fails by itself; a command prints such a line
        f"bash({FAILS!r}, True)\nbash('ok', False)\nresult(YES)",
        "bash('Exit code 2\\nmake: no rule', True)\nresult(YES)",
        f"bash({FAILS!r}, False)\nresult(YES)",
    ],
)
def test_a_reviewer_that_sees(supervised: Supervised, body: str) -> None:
    """A failed command alone doesn't make a reviewer blind."""
    needs_sandbox()
    supervised.configure(sandbox="auto")
    supervised.claude(body, before=BASH)
    assert "completed" in supervised.stop().message
    assert len(supervised.notes("argv")) == 1


def test_what_is_told_once(supervised: Supervised) -> None:
    """What a stop does in another way is told at the first one, for each claude."""
    know(supervised.project, *CAPABILITIES.keys() - {"fork", "read_only", "provider_wins"})
    first, second = supervised.stop().message, supervised.stop(prompt_id="p2").message
    assert "claude 2.1.230: every review appears in the list of /resume." in first
    assert "claude 2.1.230: a stop doesn't say which prompt it belongs to." in first
    assert "claude 2.1.230: it rejects a settings file with a hook" in first
    assert "claude 2.1.230: commands and hooks of the agent can read" in first
    assert "claude 2.1.230" not in second
    supervised.claude("result(YES)  # updated")
    know(supervised.project, "private_fork", version="2.1.231")
    assert "claude 2.1.231: every review" in supervised.stop(prompt_id="p3").message


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("streamed_input", "`ccc run` can't talk to it"),
        ("read_only", "no stop can be judged"),
        ("fork", "no stop can be judged"),
    ],
)
def test_no_run(supervised: Supervised, name: str, reason: str) -> None:
    """`ccc run` asks before it starts."""
    know(supervised.project, name)
    outcome = supervised.project.run("run", "do it", env={"CCC_SUPERVISOR_ID": None})
    assert outcome.code == 1
    assert reason in outcome.stderr.replace("\n", " ")
    assert supervised.notes("argv") == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("stop_hook", "Stop hooks don't run"),
        ("read_only", "the reviewer could write to the project"),
        ("fork", "a conversation can't be forked"),
    ],
)
def test_no_supervised_launch(stubbed: CccProject, name: str, reason: str) -> None:
    """`ccc --supervisor` is refused if no stop can be judged; an ordinary launch isn't."""
    know(stubbed, name)
    outcome = stubbed.run("--supervisor", "kimi")
    assert outcome.code == 1
    assert reason in outcome.stderr.replace("\n", " ")
    assert "To test this claude again: ccc doctor --deep" in outcome.stderr
    assert stubbed.launches == []
    assert stubbed.run("kimi").stderr == ""
    assert len(stubbed.launches) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("read_only", ("-p", "/supervisor do it")),
        ("stop_hook", ("/supervisor do it",)),
    ],
)
def test_no_launch_with_the_slash_command(
    stubbed: CccProject, name: str, line: tuple[str, ...]
) -> None:
    """A prompt that asks for supervision isn't paid for if no stop can be judged."""
    know(stubbed, name)
    outcome = stubbed.run("kimi", *line)
    assert (outcome.code, stubbed.launches) == (1, [])
    assert "claude 2.1.230: " in outcome.stderr
    stubbed.run("kimi", "-p", "hi").succeeded()


def test_an_interactive_slash_command(stubbed: CccProject) -> None:
    """Only `claude -p` is known not to run it."""
    know(stubbed, "slash_command")
    stubbed.run("kimi", "/supervisor do it").succeeded()


def test_doctor_says_what_is_missing(stubbed: CccProject) -> None:
    """What is missing is a warning, or a problem if ccc refuses something without it."""
    know(stubbed, "interactive_cache", "fork")
    outcome = stubbed.run("doctor")
    assert outcome.code == 1
    printed = " ".join(outcome.stdout.split())
    assert "claude 2.1.230: a conversation can't be forked" in printed
    assert "claude 2.1.230: in interactive sessions, a review doesn't use" in printed
    assert "Update claude to 2.1.304 or later." in printed
    assert "No problems found" not in printed


@pytest.mark.parametrize(
    ("setting", "mark"), [("auto", "warning"), ("require", "problem"), ("off", "")]
)
def test_doctor_and_the_sandbox(stubbed: CccProject, setting: str, mark: str) -> None:
    """Whether it matters that commands fail in the sandbox depends on the setting."""
    know(stubbed, "reviewer_bash")
    stubbed.configure(supervisor={"sandbox": setting})
    findings = {each["name"]: each for each in stubbed.run("doctor", "--json").result["findings"]}
    assert findings.get("client.reviewer_bash", {}).get("mark", "") == mark
    assert ("sandbox" in findings) is (setting == "off")


def test_doctor_on_a_newer_claude(stubbed: CccProject) -> None:
    """Updating claude doesn't help if it is newer than what ccc knows."""
    know(stubbed, "prompt_id", version="99.0.0")
    printed = " ".join(stubbed.run("doctor").stdout.split())
    assert "This claude is newer than this ccc." in printed


def test_a_stop_has_an_unknown_claude_tested(supervised: Supervised) -> None:
    """A session that ccc didn't start has no launch that could do it."""
    supervised.stop(env={"CCC_SELFTEST": None})
    assert list(supervised.state_dir.glob("client-*"))
    nothing_runs(supervised.project.home)


def test_an_update_of_the_claude_that_a_script_starts(supervised: Supervised) -> None:
    """The script is the same, but the answers about it no longer hold: it is tested again."""
    know(supervised.project, "read_only")
    transcript = supervised.project.root / "session.jsonl"
    for version, judged in (("2.1.230", False), ("2.1.224", False), ("2.1.231", True)):
        transcript.write_text(json.dumps({"type": "user", "version": version}) + "\n")
        stopped = supervised.stop(transcript_path=str(transcript), prompt_id=version)
        assert ("could not be judged" not in stopped.message) is judged, version
    assert not list(supervised.state_dir.glob("client-*.json"))


def test_doctor_after_a_test_without_a_terminal(stubbed: CccProject) -> None:
    """What only a terminal shows is unknown then, and doctor says how to test it."""
    paths = Paths({"CLAUDE_CONFIG_DIR": str(stubbed.claude_dir)})
    known = Answers("99.0.0", unknown={"interactive_cache"})
    known_claudes.save(paths, str(stubbed.bin / "claude"), known)
    printed = stubbed.run("doctor").stdout
    assert "claude 99.0.0 has everything that was tested" in printed
    assert "ccc doctor --deep --interactive" in printed


def test_doctor_with_nothing_to_complain_about(stubbed: CccProject) -> None:
    """A claude that lacks nothing is named."""
    know(stubbed, version="2.1.325")
    assert "claude 2.1.325 has everything that ccc needs" in stubbed.run("doctor").stdout


def test_no_review_with_another_key(supervised: Supervised) -> None:
    """If settings files win over the process, no reviewer gets the provider's key."""
    know(supervised.project, "provider_wins", version="2.1.400")
    message = supervised.stop().message
    assert "could not be judged" in message
    assert "settings files override the provider's endpoint" in message
    assert supervised.notes("argv") == []
