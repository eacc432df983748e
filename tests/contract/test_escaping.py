"""Text from models, checks and projects reaches the terminal as text, down to the raw bytes."""

import json
import os
import re
import subprocess

import pytest
from stops import SESSION, Supervised

from harness import CccProject
from harness.records import Records, called, init, receipt, said, verdict

# Each contains OWNED where a terminal would swallow it, so all of it must be gone.
EVIL = "".join(
    [
        "\x1b]52;c;OWNED\x07",
        "\x1b]0;OWNED\x07",
        "\x1b]2;OWNED\x1b\\",
        "\x9d0;OWNED\x9c",
        "\x1bPOWNED\x1b\\",
        "\x90OWNED\x9c",
        "\x1b_OWNED\x1b\\",
        "\x1b^OWNED\x1b\\",
        "\x1b]8;;javascript:OWNED\x07",
        "\x1b[2J\x1b[97;41m\x9b1m\x1bc\x07\x08\r\x00\x7f\x85",
        "\u202e\u2066\u2028\u200f\ufeff",
    ]
)
SEEN = f"se{EVIL}en"
FOREIGN = re.compile(
    # what ccc's own colours and live lines never need
    rb"OWNED|\x07|\x00|\x08|\x7f|\x1b[\]P_^Xc]|\xc2[\x80-\x9f]|(?<![\x80-\xff])[\x80-\x9f]"
    rb"|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xbb\xbf|\x1b\[2J|\x1b\[97;41m"
)
COMMANDS = "status|history|show|report -o -|statusline|doctor|show --json|history --json"


def on_a_terminal(project: CccProject, *arguments: str, stdin: bytes = b"") -> bytes:
    """Return all bytes that ccc sends to a terminal."""
    ours, theirs = os.openpty()
    child = subprocess.Popen(
        [project.ccc, *arguments],
        cwd=project.directory,
        env={**project.env, "COLUMNS": "100", "LINES": "40"},
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    assert child.stdin is not None
    child.stdin.write(stdin)
    child.stdin.close()
    sent = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:
            piece = b""
        if not piece:
            break
        sent += piece
    os.close(ours)
    child.wait(30)
    return sent


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A session in which all external text is malicious."""
    lines = [
        verdict(
            *(1, 10, "not_completed", SEEN),
            receipts=[receipt(SEEN, 1, 1.0, SEEN)],
            failure=SEEN,
            request=SEEN,
            provider=SEEN,
            model=SEEN,
            agent_model=SEEN,
        )
    ]
    texts = {"cwd": f"/{SEEN}", "request": SEEN, "provider": SEEN, "model": SEEN}
    under_way = {"phase": "reviewing", "check": SEEN, "pid": os.getpid(), "since": 1.0}
    records = Records(stubbed.claude_dir / "ccc")
    records.add(SESSION, verdicts=lines, stop=under_way, outcome=SEEN, **texts)
    records.append(SESSION, "output.jsonl", init(), said(SEEN), called(SEEN, command=SEEN))
    hook = {"hooks": [{"type": "command", "command": SEEN}]}
    own = stubbed.directory / ".claude" / "settings.json"
    own.parent.mkdir()
    own.write_text(
        json.dumps({"hooks": {"Stop": [hook]}, "env": {SEEN: SEEN, "CCC_WORK_DIR": SEEN}})
    )
    stubbed.env["CCC_SUPERVISOR_ID"] = SESSION
    return stubbed


@pytest.mark.parametrize("command", COMMANDS.split("|"))
def test_looking(project: CccProject, command: str) -> None:
    """On a terminal and in a pipe, the text is printed without control sequences."""
    line = {"session_id": SESSION, "cwd": SEEN, "model": {"display_name": SEEN, "id": SEEN}}
    stdin = json.dumps(line)
    shown = on_a_terminal(project, *command.split(), stdin=stdin.encode())
    piped = project.run(*command.split(), stdin=stdin)
    for text in (shown, (piped.stdout + piped.stderr).encode()):
        if "--json" in command:
            assert json.loads(text)
            text = text.replace(b"OWNED", b"")
        else:
            assert b"seen" in text or command in ("doctor", "statusline"), text
        assert FOREIGN.findall(text) == [], text


def test_watching(project: CccProject, tmux: None) -> None:
    """The live view prints no control sequences from external text."""
    with project.interactive("watch") as terminal:
        raw = project.root / "raw"
        terminal.record(raw)
        terminal.wait_for("seen")
        terminal.press("Down")
        terminal.press("q")
        terminal.wait_for("exit 0")
    sent = re.sub(rb"\x1b\[2J", b"", raw.read_bytes())  # it may clear its own screen
    assert FOREIGN.findall(sent) == [], sent


@pytest.mark.parametrize(
    "line",
    [
        ("show", SEEN),
        (SEEN,),
        ("provider", "show", SEEN),
        ("provider", "add", SEEN),
        ("validate", SEEN),
        ("report", "-o", f"/nowhere/{SEEN}"),
        ("run", "--provider", SEEN, "x"),
        ("run", "--file", SEEN),
        ("supervisor-mode", SEEN),
        ("clean", "--older-than", SEEN),
        ("kimi", "--settings", SEEN),
    ],
)
def test_errors(project: CccProject, line: tuple[str, ...]) -> None:
    """Errors quote external text without control sequences."""
    shown = on_a_terminal(project, *(word.replace("\0", "") for word in line))
    assert FOREIGN.findall(shown) == [], shown
    assert b"Traceback" not in shown


def test_a_launch(project: CccProject) -> None:
    """A launch in a project with malicious names prints no control sequences."""
    shown = on_a_terminal(project, "--supervisor", "kimi", "x")
    assert b"CCC_WORK_DIR" in shown
    assert FOREIGN.findall(shown) == [], shown


def test_a_configuration(stubbed: CccProject) -> None:
    """Errors about ccc.json print its names and values without control sequences."""
    for broken in ({"providers": {SEEN: {"env": {}}}}, {SEEN: 1, "providers": {"a": {SEEN: 2}}}):
        stubbed.write(".claude/ccc.json", json.dumps(broken))
        for line in (("kimi",), ("doctor",), ("provider", "list")):
            shown = on_a_terminal(stubbed, *line)
            assert FOREIGN.findall(shown) == [], shown


def test_a_stop(supervised: Supervised) -> None:
    """The reviewer's text, check output and tool names are plain on stderr and for claude."""
    answer = json.dumps({"completed": False, "feedback": SEEN})
    supervised.configure(checks=["true"])
    supervised.claude(f"say({SEEN!r}); result({answer!r})")
    stopped = supervised.stop()
    told = [stopped.outcome.stderr, *map(str, json.loads(stopped.outcome.stdout).values())]
    (supervised.project.directory / "output").write_text(SEEN)
    supervised.configure(checks=["cat output; false"])
    failed = supervised.stop()
    told += [failed.outcome.stderr, *map(str, json.loads(failed.outcome.stdout).values())]
    for text in told:
        assert FOREIGN.findall(text.encode()) == [], text
    assert "seen" in stopped.answer["reason"]
