"""Whole commands with wild input: a documented exit code, no traceback, in bounded time."""

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked import Forge, Result, Server
from hypothesis import strategies as st
from test_wild_verdicts import never_a_yes
from wild import CONFIG, SETTINGS, STATE, STOP, STREAM, TRANSCRIPT, bytes_like, texts_like, tried

from ccc.command_table import COMMANDS
from harness import CccProject
from harness.soak import Tally, trials

Row = Callable[[str], Tally]
SESSION = "abc123"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The process that forks ccc, shared by all tests of this module."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def forge(tmp_path: Path, server: Server) -> Forge:
    """Return a home with a supervised session, in which ccc can run repeatedly."""
    project = CccProject(tmp_path / "bench", stub=True)
    claude = project.bin / "claude"
    claude.unlink()
    claude.symlink_to("/bin/true")
    project.configure(supervisor={"sandbox": "off", "checks": ["false"]}, language="en")
    project.write(".claude/projects/x/abc123.jsonl", "\n".join(TRANSCRIPT) + "\n")
    project.env |= {"CCC_SUPERVISOR_ID": SESSION, "CLAUDECODE": "1", "CCC_LANG": "en"}
    forge = Forge(server, project.home, project.directory, project.env, project.ccc)
    # ccc writes the state itself
    forge.run("--supervisor", "kimi").check(0)
    forge.keep()
    return forge


def event(forge: Forge) -> dict[str, object]:
    """Return claude's event for a stop of that session."""
    transcript = forge.home / ".claude/projects/x/abc123.jsonl"
    last = {"last_assistant_message": "", "background_tasks": []}
    return {**STOP, "cwd": str(forge.cwd), "transcript_path": str(transcript), **last}


def answered(result: Result) -> dict[str, str]:
    """Check that the hook's answer is empty or valid for claude, and return it."""
    result.check(0)
    answer = json.loads(result.stdout) if result.stdout else {}
    assert set(answer) <= {"decision", "reason", "systemMessage", "terminalSequence"}, result
    assert ("decision" in answer) is ("reason" in answer), result
    assert all(isinstance(text, str) for text in answer.values()), result
    return dict(answer)


def test_hook(forge: Forge, tally: Row) -> None:
    """The hook of a supervised session exits with 0 and a valid answer."""
    decisions = set()

    def trial(data: bytes) -> None:
        forge.restore()
        answer = answered(forge.run("supervisor-hook", stdin=data))
        assert answer
        decisions.add("decision" in answer)

    tried(tally("hook, as a process"), 30, 1_200, bytes_like(event(forge)), trial)
    assert decisions == {True, False}


def test_reviewer(forge: Forge, tally: Row) -> None:
    """Reviewer output without a yes never completes the task."""
    output, claude = forge.home.parent / "output", forge.home.parent / "bin/claude"
    claude.unlink()
    claude.write_text(f"#!/bin/sh\nexec cat {output}\n")
    claude.chmod(claude.stat().st_mode | stat.S_IXUSR)
    config = json.loads((forge.home / ".claude/ccc.json").read_text())
    config["supervisor"]["checks"] = []
    (forge.home / ".claude/ccc.json").write_text(json.dumps(config))
    stop = json.dumps(event(forge)).encode()
    result = json.loads(STREAM[-1])
    ends = never_a_yes().map(lambda text: json.dumps({**result, "result": text}).encode())
    lines = bytes_like(*map(json.loads, STREAM)) | st.sampled_from(STREAM).map(str.encode)
    cases = st.tuples(st.lists(lines, max_size=4), ends).map(lambda t: b"\n".join([*t[0], t[1]]))
    verdicts = set()

    def trial(data: bytes) -> None:
        forge.restore()
        (forge.home / ".claude/ccc.json").write_text(json.dumps(config))
        output.write_bytes(data)
        answer = answered(forge.run("supervisor-hook", stdin=stop))
        assert "completed, stop allowed" not in answer["systemMessage"]
        records = forge.home / f".claude/ccc/supervisor-{SESSION}-verdicts.jsonl"
        (verdict,) = map(json.loads, records.read_text().splitlines())
        assert verdict["completed"] is not True
        verdicts.add(verdict["completed"])

    tried(tally("reviewer, as a process"), 5, 250, cases, trial)
    assert verdicts == {None, False} or trials(0, 1) == 0


def test_status_line(forge: Forge, tally: Row) -> None:
    """The status line exits with 0, prints at most one line and nothing on stderr."""
    event_of_claude = {"session_id": SESSION, "model": {"display_name": "M"}, "cost": {"total": 1}}

    def trial(data: bytes) -> None:
        result = forge.run("statusline", stdin=data).check(0)
        assert result.stdout.count("\n") <= 1
        assert not result.stderr

    tried(tally("status line, as a process"), 30, 1_200, bytes_like(event_of_claude), trial)


LEFT_OUT = ("demo", "watch")
"""They run for a long time; `test_help_of_the_long_ones` covers them."""
WORDS = st.sampled_from(
    [
        *(name for name in COMMANDS if name not in LEFT_OUT),
        *("kimi", "glm", "nope", "on", "off", "status", "add", "edit", "remove", "use", "init"),
        *("--all", "--json", "--yes", "--dry-run", "--purge", "--older-than", "30d", "0", "-1"),
        *("--base-url", "http://[::1", "--model", "m", "--key-env", "K", "--key-stdin", "--preset"),
        *("--supervisor", "--settings", "{}", "{", "/none", "-p", "--print", "--help", "--", "-"),
        *("--continue", "--max-cost-usd", "nan", "--timeout", "abc", "abc123", "9" * 99, "--words"),
        *(
            "",
            " ",
            "é中",
            "\udcff",
            "\n",
            "=",
            "--x=",
            "../..",
            "--this-session",
            "--fix",
            "--project",
        ),
        *("--import", "--remove-keys", "--statusline", "--check", "true", "--no-color", "bash"),
    ]
).filter(lambda word: "\0" not in word)


def test_words(forge: Forge, tally: Row) -> None:
    """Any arguments lead to a documented exit code and no traceback."""
    first = st.sampled_from(sorted(set(COMMANDS) - {*LEFT_OUT, "run"}))
    lines = st.lists(WORDS, max_size=5) | st.tuples(first, st.lists(WORDS, max_size=4)).map(
        lambda t: [t[0], *t[1]]
    )
    cases = st.tuples(lines, st.sampled_from([b"", b"\n", b"key\n", b"\xff\0"]))

    def trial(case: tuple[list[str], bytes]) -> None:
        line, stdin = case
        if "run" in line[:1] or ("--supervisor" in line[:1] and {"-p", "--print"} & {*line}):
            line = [*line, "--help"] if "--" not in line else ["run", "--help"]
        forge.restore()
        result = forge.run(*line, stdin=stdin).check()
        # the stand-in for claude ends without a result, which a supervised -p reports
        codes = (0, 1, 25, 141) if {"-p", "--print"} & {*line} else (0, 1, 141)
        assert result.code in codes or "run" in line[:1], (line, result)
        json.loads((forge.home / ".claude.json").read_text())

    tried(tally("words, as processes"), 40, 1_500, cases, trial)


def test_help_of_the_long_ones(forge: Forge) -> None:
    """`demo` and `watch` refuse unknown arguments."""
    for name in LEFT_OUT:
        forge.run(name, "--help", "x").check(0)
        forge.run(name, "--nope", "x").check(1)


def valid(path: Path) -> bool:
    """Return whether a file contains JSON."""
    try:
        json.loads(path.read_bytes().decode("utf-8-sig") or "{}")
    except (ValueError, RecursionError):
        return False
    return True


def test_ccc_json(forge: Forge, tally: Row) -> None:
    """With any ccc.json, claude starts or the error names the file; a bad file stays unchanged."""
    path = forge.home / ".claude/ccc.json"
    lines = st.sampled_from(
        [
            *(["kimi"], [], ["status"], ["supervisor-mode", "on"], ["provider", "list"]),
            *(["provider", "edit", "kimi", "--model", "m"], ["provider", "remove", "glm"]),
        ]
    )
    cases = st.tuples(bytes_like(CONFIG), lines)

    def trial(case: tuple[bytes, list[str]]) -> None:
        data, line = case
        forge.restore()
        path.write_bytes(data)
        was_valid = valid(path)
        result = forge.run(*line).check(0, 1)
        if result.code:
            assert path.read_bytes() == data
            assert any(w in result.stderr for w in ("ccc.json", "kimi", "glm", "no provider"))
        assert valid(path) or not was_valid

    tried(tally("ccc.json, as processes"), 40, 1_500, cases, trial)


def test_settings_json(forge: Forge, tally: Row) -> None:
    """A launch and an uninstall restore any settings.json, or the error names it and it stays."""
    path = forge.home / ".claude/settings.json"

    def trial(data: bytes) -> None:
        forge.run("uninstall", "--yes").check(0)
        path.write_bytes(data)
        result = forge.run("kimi").check(0, 1)
        if result.code:
            assert path.read_bytes() == data
            assert "settings.json" in result.stderr
            path.unlink()
            return
        has_hook = b"supervisor-hook" in data
        forge.run("uninstall", "--yes").check(0)
        left = path.read_bytes() if path.exists() else b""
        # an empty file becomes an empty object
        assert has_hook or left == data or (data.strip(), left) == (b"", b"{}\n")

    tried(tally("settings.json, as processes"), 20, 700, bytes_like(SETTINGS), trial)


LOOKS = [
    ["status"],
    ["status", "--json"],
    ["statusline"],
    ["history"],
    ["show"],
    ["show", "--json"],
    ["report"],
    ["supervisor-mode", "off"],
    ["supervisor-mode", "on"],
    ["supervisor-mode", "status"],
    ["clean", "--dry-run"],
    ["kimi"],
]


def test_state(forge: Forge, tally: Row) -> None:
    """With any state and any record, every command works and the hook gives a valid answer."""
    directory = forge.home / ".claude/ccc"
    verdict = {
        "time": "2026-11-15T08:09:56+0800",
        "iteration": 1,
        "completed": False,
        "feedback": "x",
        "seconds": 1.5,
        "receipts": [{"command": "make", "code": 0, "seconds": 0.1}],
    }
    cases = st.tuples(bytes_like(STATE), bytes_like(verdict), st.sampled_from(LOOKS))
    stop = json.dumps(event(forge)).encode()

    def trial(case: tuple[bytes, bytes, list[str]]) -> None:
        state, verdicts, line = case
        forge.restore()
        (directory / f"supervisor-{SESSION}.json").write_bytes(state)
        (directory / f"supervisor-{SESSION}-verdicts.jsonl").write_bytes(verdicts)
        forge.run(*line).check(0, 1)
        answered(forge.run("supervisor-hook", stdin=stop))

    tried(tally("state, as processes"), 40, 1_000, cases, trial)


def test_transcript(forge: Forge, tally: Row) -> None:
    """With any transcript, the hook blocks the stop."""
    path = forge.home / ".claude/projects/x/abc123.jsonl"
    stop = json.dumps(event(forge)).encode()
    lines = st.lists(texts_like(*map(json.loads, TRANSCRIPT)), max_size=4).map("\n".join)

    def trial(text: str) -> None:
        forge.restore()
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert "decision" in answered(forge.run("supervisor-hook", stdin=stop))

    tried(tally("transcript, as processes"), 15, 500, lines, trial)


def test_real_processes(tmp_path: Path, tally: Row) -> None:
    """A sample of the cases passes with the installed console script."""
    project = CccProject(tmp_path / "real", stub=True)
    project.env["CCC_SUPERVISOR_ID"] = SESSION
    project.configure(supervisor={"sandbox": "off", "checks": ["false"]})
    project.run("--supervisor", "kimi").succeeded()
    row = tally("the console script")
    lines = st.sampled_from([["supervisor-hook"], ["statusline"], ["supervisor-mode"], ["nope"]])

    def trial(case: tuple[list[str], str]) -> None:
        line, stdin = case
        outcome = project.run(*line, stdin=stdin.encode(errors="replace").decode(), timeout=15)
        result = Result(outcome.code, outcome.stdout, outcome.stderr)
        result.check(*([1] if line == ["nope"] else [0]))

    tried(row, 8, 60, st.tuples(lines, texts_like(STOP)), trial)
