"""What `ccc run` prints: text, JSON or a stream, without keys, and with no reader."""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from stops import Supervised
from unattended import BODY, later, record, run

from harness import KEY, Outcome
from harness.processes import wait_until

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("outside")]


def test_the_checks_are_named(supervised: Supervised) -> None:
    """The header names the checks."""
    supervised.configure(checks=["true"])
    outcome = run(supervised, 'result("Done.")', "--check", "test -d .").succeeded()
    assert "Checks: true, test -d . · Limits: 10 rounds" in outcome.stderr


def test_a_repository_of_another_user(supervised: Supervised) -> None:
    """The run says that git doesn't read it, and names the command that helps."""
    if os.geteuid():
        pytest.skip("only root can give files away")
    subprocess.run(["git", "init", "--quiet", supervised.project.directory], check=True)
    shutil.chown(supervised.project.directory, "nobody")
    shutil.chown(supervised.project.directory / ".git", "nobody")
    shown = run(supervised, 'result("Done.")').succeeded().stderr
    assert "belongs to another user, so git doesn't read it" in shown
    assert "If you trust it: git config --global --add safe.directory" in shown


def test_pieces(supervised: Supervised) -> None:
    """Text is shown once, as it arrives; after a broken connection it starts again."""
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
    lines = ("I be", "I begin now.", "In one piece.", "I am cut o", "I am whole.")
    shown = [line.removeprefix("  agent").strip() for line in outcome.stderr.splitlines()]
    assert tuple(shown[shown.index("I be") :][: len(lines)]) == lines


@pytest.mark.journey
@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "✓ completed: It is fine."), ("zh", "✓ 已完成：It is fine.")],
)
def test_a_yes_with_words(supervised: Supervised, language: str, told: str) -> None:
    """Whatever else the reviewer writes into `feedback`, its yes is shown as a yes everywhere."""
    supervised.project.env["CCC_LANG"] = language
    body = BODY.replace("result(YES)", "result(YES.replace('\"\"', '\"It is fine.\"'))")
    supervised.claude(body.format(agent="    result('Done.')"))
    project = supervised.project
    outcome = project.run("run", "--json", "do it").succeeded()
    session = json.loads(outcome.stdout)["session_id"]
    shown = project.run("show", session).succeeded().stdout
    listed = project.run("status", "--all").succeeded().stdout
    page = project.home / "report.html"
    project.run("report", session, "-o", str(page)).succeeded()
    assert told in outcome.stderr
    assert json.loads(outcome.stdout)["outcome"] == "completed"
    for place in (outcome.stderr, shown, listed, page.read_text()):
        assert "✓" in place
        assert "✗" not in place


TWO_TURNS = """if "--fork-session" in sys.argv:
    say("I look at it.")
    result(NO if "需要补充" not in question else YES)
else:
    say("中 Working.")
    emit(type="stream_event", event={"type": "message_start"}, session_id=session)
    raw(b'{"type": "assis\\n')
    result(f"Done {turn}.", num_turns=turn)"""


def supervised_print(supervised: Supervised, *words: str, body: str = TWO_TURNS) -> Outcome:
    """Run `ccc --supervisor kimi -p "do it"` with an agent that is sent back once."""
    supervised.claude(body)
    project = supervised.project
    return project.run("--supervisor", "kimi", "-p", "do it", *words).succeeded()


@pytest.mark.parametrize("words", [(), ("--output-format", "text")])
def test_printed_as_text(supervised: Supervised, words: tuple[str, ...]) -> None:
    """Like `claude -p`, it prints the agent's last message; all else is on stderr."""
    outcome = supervised_print(supervised, *words)
    assert outcome.stdout == "Done 2.\n"
    assert "  reviewer  I look at it.\n" in outcome.stderr
    assert "\x1b" not in outcome.stderr


@pytest.mark.journey
def test_printed_as_json(supervised: Supervised) -> None:
    """Like `claude -p --output-format json`, it prints the last result as one object."""
    outcome = supervised_print(supervised, "--output-format", "json")
    (line,) = outcome.stdout.splitlines()
    told = json.loads(line)
    assert (told["type"], told["result"], told["num_turns"]) == ("result", "Done 2.", 2)
    assert {"subtype", "is_error", "usage", "session_id", "total_cost_usd"} <= set(told)
    assert "[ccc] completed: 2 rounds" in outcome.stderr


@pytest.mark.parametrize("partial", [False, True])
def test_printed_as_a_stream(supervised: Supervised, partial: bool) -> None:
    """Like `claude -p --output-format stream-json`, it prints only the agent's raw lines."""
    words = ("--include-partial-messages",) * partial
    outcome = supervised_print(supervised, "--output-format=stream-json", *words)
    kinds = []
    for line in outcome.stdout.splitlines():
        try:
            kinds.append(json.loads(line)["type"])
        except ValueError:
            kinds.append(line)
    turn = ["assistant", *["stream_event"] * partial, '{"type": "assis', "result"]
    assert kinds == [*turn, *turn]
    kept = record(supervised, "-agent.jsonl").splitlines()
    assert set(outcome.stdout.splitlines()) <= set(kept)
    assert "  reviewer  I look at it.\n" in outcome.stderr
    assert "[ccc] completed: 2 rounds" in outcome.stderr


def test_a_stream_comes_at_once(supervised: Supervised) -> None:
    """Each line appears when the agent says it; a closed pipe doesn't change the exit code."""
    wait = "[time.sleep(0.1) for _ in range(200) if not os.path.exists('go')]"
    supervised.claude(BODY.format(agent=f"    say('Working.')\n    {wait}\n    result('Done.')"))
    process = subprocess.Popen(
        [supervised.project.ccc, "--supervisor", "-p", "x", "--output-format", "stream-json"],
        cwd=supervised.project.directory,
        env=supervised.project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    begun = time.monotonic()
    assert json.loads(process.stdout.readline())["type"] == "assistant"
    assert time.monotonic() - begun < 45
    process.stdout.close()
    (supervised.project.directory / "go").touch()
    assert process.wait(60) == 0


def test_keys_on_stderr(supervised: Supervised) -> None:
    """claude's own stderr is recorded without the key."""
    agent = "sys.stderr.write('said first ' + os.environ['ANTHROPIC_AUTH_TOKEN'] + ' \\xff after')"
    run(supervised, f'{agent}\nresult("Done.")').succeeded()
    files = [
        p for p in supervised.state_dir.iterdir() if "said first" in p.read_text(errors="replace")
    ]
    assert files, "nothing was written"
    for file in files:
        text = file.read_text(errors="replace")
        assert "said first •••••••• ÿ after" in text
        assert KEY not in text


def test_a_key_in_the_last_words_of_a_claude_that_died(supervised: Supervised) -> None:
    """The cause of a claude's death is reported without the key in it."""
    agent = "sys.stderr.write('no such key: ' + os.environ['ANTHROPIC_AUTH_TOKEN'])\nsys.exit(3)"
    outcome = run(supervised, agent)
    assert outcome.code == 25
    assert "no such key: ••••••••" in outcome.stderr
    assert KEY not in outcome.stderr


def test_the_reader_goes_away(supervised: Supervised) -> None:
    """A closed pipe doesn't change the exit code."""
    supervised.claude(BODY.format(agent='    result("Done.")'))
    process = later(supervised, "do it")
    assert process.stderr is not None
    process.stderr.readline()
    process.stderr.close()
    assert process.wait(60) == 0


def test_a_check_without_output(supervised: Supervised) -> None:
    """The agent is told that a check printed nothing, instead of a lone dash."""
    outcome = run(supervised, 'result("Done.")', "--check", "exit 3")
    assert outcome.code == 21, outcome
    told = "The check `exit 3` fails with exit code 3 and prints nothing. Make it pass."
    assert told in " ".join(outcome.stderr.split())
    assert "\n-\n" not in outcome.stderr


def test_the_configured_language(supervised: Supervised) -> None:
    """`language` in ccc.json applies to help and errors, too."""
    project = supervised.project
    project.configure(language="zh", supervisor={"sandbox": "off"})
    assert project.run("run", "--help").stdout.startswith("用法：ccc run")
    assert "未知的参数 --nope" in project.run("run", "--nope").stderr


def test_nohup(supervised: Supervised) -> None:
    """A signal that was ignored at the start stays ignored."""
    supervised.claude(BODY.format(agent='    time.sleep(4)\n    result("Done.")'))
    process = subprocess.Popen(
        ["nohup", supervised.project.ccc, "run", "do it"],
        cwd=supervised.project.directory,
        env=supervised.project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: supervised.notes("question"), "the agent works")
    time.sleep(1)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) == 0


def test_a_closed_stderr(supervised: Supervised) -> None:
    """A closed stderr is no error."""
    supervised.claude(BODY.format(agent='    result("Done.")'))
    line = f"exec {supervised.project.ccc} run 'do it' 2>&-"
    supervised.project.run("-c", line, program="sh").succeeded()


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict"])
def test_odd_letters(supervised: Supervised, encoding: str) -> None:
    """The model's text can be printed in any encoding."""
    supervised.claude(BODY.format(agent='    result("完成 \\ud800.")'))
    env = {"PYTHONIOENCODING": encoding}
    outcome = supervised.project.run("run", "--json", "do it", env=env).succeeded()
    assert json.loads(outcome.stdout)["result"].startswith("完成")
    supervised.project.run("run", "do it", env=env).succeeded()
