"""`ccc run` with a claude that misbehaves: what is survived, waited for and shown."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from stops import Supervised

from harness import Outcome
from harness.processes import family, wait_until

# the reviewer says yes; the agent does what the test says
BODY = """
if "--fork-session" in sys.argv:
    result(YES)
else:
{agent}
"""


def run(supervised: Supervised, agent: str, *words: str) -> Outcome:
    """A run whose agent does this at each message."""
    lines = "\n".join("    " + line for line in agent.splitlines())
    supervised.claude(BODY.format(agent=lines))
    return supervised.project.run("run", *words, "do it")


def record(supervised: Supervised, name: str) -> str:
    """A file of the one run."""
    (found,) = supervised.state_dir.glob(f"supervisor-*-*-*{name}")
    return found.read_text()


def test_noise_is_survived(supervised: Supervised) -> None:
    """000/解析错误处理: a malformed line is a warning in the log; unknown types are skipped."""
    agent = """raw(b'{"type": "assis\\n')
emit(type="something_new", session_id="x")
emit(type="assistant", message=None)
say("Working.")
result("Done.")"""
    outcome = run(supervised, agent).succeeded()
    assert "Working.\n" in outcome.stderr
    assert outcome.stdout == "Done.\n"
    log = (supervised.state_dir / "hook-invocation.log").read_text()
    assert log.count("agent line malformed") == 1
    kept = record(supervised, "-agent.jsonl").splitlines()
    assert '{"type": "assis' in kept
    assert any("something_new" in line for line in kept)


def test_long_lines(supervised: Supervised) -> None:
    """000/解析 stream-json: a line of many megabytes arrives whole through the pty."""
    agent = """say("x" * 8_000_000)
result("Done.")"""
    run(supervised, agent, "--quiet").succeeded()
    lines = [json.loads(line) for line in record(supervised, "-agent.jsonl").splitlines()]
    said = [line["message"]["content"][0]["text"] for line in lines if line["type"] == "assistant"]
    assert [len(text) for text in said] == [8_000_000]


def test_a_result_right_before_the_end(supervised: Supervised) -> None:
    """What claude printed before it ended is read, though the end of a pty is an error."""
    agent = """say("Working.")
result("Done.")
os._exit(0)"""
    outcome = run(supervised, agent).succeeded()
    assert outcome.stdout == "Done.\n"


LIMITED = """marker = os.path.join(os.environ["HOME"], "limited")
if os.path.exists(marker):
    result("Done.")
else:
    until = int(time.time()) + {seconds}
    open(marker, "w").write(str(until))
    {say}"""
ERROR = 'result(f"usage limit reached|{until}", is_error=True, api_error_status=429)'
EVENT = """emit(type="rate_limit_event", rate_limit_info={"status": "rejected", "resetsAt": until})
    result("You've hit your limit", is_error=True, api_error_status=429)"""


@pytest.mark.parametrize("say", [ERROR, EVENT])
def test_a_limit_that_ends_soon(supervised: Supervised, say: str) -> None:
    """A limit whose end is near is waited for, whoever says when it ends."""
    outcome = run(supervised, LIMITED.format(seconds=4, say=say)).succeeded()
    assert "Trying again in" in outcome.stderr
    assert time.time() >= int((supervised.project.home / "limited").read_text())


def test_a_limit_that_ends_late(supervised: Supervised) -> None:
    """It ends the run, which says when it ends; --wait waits, as far as the time allows."""
    agent = LIMITED.format(seconds=7200, say=ERROR)
    outcome = run(supervised, agent)
    marker = supervised.project.home / "limited"
    ends = time.strftime("%Y-%m-%d %H:%M", time.localtime(int(marker.read_text())))
    assert outcome.code == 25
    assert f"The limit ends at {ends}. `ccc run --continue --wait`" in outcome.stderr
    marker.unlink()
    assert run(supervised, agent, "--wait", "--max-minutes", "1").code == 22


def test_a_review_past_the_end(supervised: Supervised) -> None:
    """22: a review that takes longer than the run may is ended with it."""
    supervised.claude('if "--fork-session" in sys.argv:\n    hang()\nelse:\n    result("Done.")')
    begun = time.monotonic()
    outcome = supervised.project.run("run", "--max-minutes", "0.1", "do it")
    assert outcome.code == 22, outcome
    assert time.monotonic() - begun < 20


def test_pieces(supervised: Supervised) -> None:
    """Text is shown as it comes, once; after a broken connection it begins anew."""
    agent = """def piece(text, **more):
    delta = {"type": "text_delta", "text": text}
    event = {"type": "content_block_delta", "delta": delta}
    emit(type="stream_event", event=event, session_id="x", **more)
def start():
    emit(type="stream_event", event={"type": "message_start"}, session_id="x")
start()
piece("I be")
start()
piece("I begin")
piece(" now.")
piece("Not mine.", parent_tool_use_id="t")
say("I begin now.")
say("In one piece.")
start()
piece("I am cut o")
say("I am whole.")
result("Done.")"""
    outcome = run(supervised, agent).succeeded()
    shown = "I be\nI begin now.\nIn one piece.\nI am cut o\nI am whole.\n"
    assert shown in outcome.stderr


def test_the_environment(supervised: Supervised) -> None:
    """Our Stop hook is silent in the agent, and agent and reviewer have the same tools."""
    run(supervised, 'result("Done.")').succeeded()
    agent, reviewer = supervised.notes("env")
    for env in (agent, reviewer):
        assert "CCC_SUPERVISOR_ID" not in env
        assert env["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] == "1"
        assert env["ANTHROPIC_AUTH_TOKEN"]
    started, _ = supervised.notes("argv")
    assert started[started.index("--output-format") + 1] == "stream-json"


@pytest.mark.parametrize(("signals", "most"), [(["INT"], 15), (["INT", "INT"], 5), (["TERM"], 5)])
def test_interrupted(supervised: Supervised, signals: list[str], most: float) -> None:
    """130: an agent that does not stop when asked is ended soon, at the second Ctrl-C at once."""
    supervised.claude("stubborn()\nhang()")
    process = subprocess.Popen(
        [supervised.project.ccc, "run", "do it"],
        cwd=supervised.project.directory,
        env=supervised.project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: supervised.notes("hangs"), "the agent hangs")
    time.sleep(1.5)
    begun = time.monotonic()
    for name in signals:
        process.send_signal(getattr(signal, f"SIG{name}"))
        time.sleep(0.5)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert time.monotonic() - begun < most
    assert "Go on with: ccc run --continue" in told
    assert family(supervised.project.home) == {}


def test_from_inside_a_session(supervised: Supervised) -> None:
    """A run that an agent starts is a session of its own: the outer one's state is left alone."""
    before = supervised.state_file.read_text()
    supervised.project.env["CLAUDECODE"] = "1"
    run(supervised, 'result("Done.")').succeeded()
    assert supervised.state_file.read_text() == before
    agent, _ = supervised.notes("env")
    assert "CLAUDECODE" not in agent


def test_settings_of_the_user(supervised: Supervised) -> None:
    """A --settings behind -- is folded with ours: claude honours only one."""
    supervised.claude(BODY.format(agent='    result("Done.")'))
    settings = '{"model": "m", "env": {"A_SECRET": "s3cret"}}'
    outcome = supervised.project.run("run", "do it", "--", "--settings", settings)
    outcome.succeeded()
    started, _ = supervised.notes("argv")
    assert started.count("--settings") == 1
    folded = json.loads(Path(started[started.index("--settings") + 1]).read_text())
    assert folded["model"] == "m"
    assert "s3cret" not in "".join(
        path.read_text() for path in supervised.state_dir.glob("supervisor-*.json")
    )
