"""Whole commands with wild input: a code that is documented, no trace, in bounded time."""

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked import Ended, Forge, Server
from hypothesis import strategies as st
from test_wild_verdicts import never_a_yes
from wild import CONFIG, SETTINGS, STATE, STOP, STREAM, TRANSCRIPT, bytes_like, texts_like, tried

from ccc.cli import COMMANDS
from harness import CccProject
from harness.soak import Tally, trials

Row = Callable[[str], Tally]
SESSION = "abc123"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The process that becomes ccc, for all tests here."""
    made = Server()
    yield made
    made.close()


@pytest.fixture
def forge(tmp_path: Path, server: Server) -> Forge:
    """A home with a supervised session, in which ccc runs again and again."""
    project = CccProject(tmp_path / "bench", stub=True)
    claude = project.bin / "claude"
    claude.unlink()
    claude.symlink_to("/bin/true")
    project.configure(supervisor={"sandbox": "off", "checks": ["false"]}, language="en")
    project.write(".claude/projects/x/abc123.jsonl", "\n".join(TRANSCRIPT) + "\n")
    project.env |= {"CCC_SUPERVISOR_ID": SESSION, "CLAUDECODE": "1", "CCC_LANG": "en"}
    made = Forge(server, project.home, project.directory, project.env, project.ccc)
    # a state that ccc itself has written
    made.run("--supervisor", "kimi").well(0)
    made.keep()
    return made


def event(forge: Forge) -> dict[str, object]:
    """What claude would say at a stop of that session."""
    transcript = forge.home / ".claude/projects/x/abc123.jsonl"
    last = {"last_assistant_message": "", "background_tasks": []}
    return {**STOP, "cwd": str(forge.cwd), "transcript_path": str(transcript), **last}


def answered(ended: Ended) -> dict[str, str]:
    """The hook's answer, which is of the form that claude takes, or nothing."""
    ended.well(0)
    answer = json.loads(ended.stdout) if ended.stdout else {}
    assert set(answer) <= {"decision", "reason", "systemMessage", "terminalSequence"}, ended
    assert ("decision" in answer) is ("reason" in answer), ended
    assert all(isinstance(said, str) for said in answer.values()), ended
    return dict(answer)


def test_hook(forge: Forge, tally: Row) -> None:
    """The hook of a supervised session: exit 0, and an answer that claude takes."""
    seen = set()

    def trial(data: bytes) -> None:
        forge.restore()
        answer = answered(forge.run("supervisor-hook", stdin=data))
        assert answer
        seen.add("decision" in answer)

    tried(tally("hook, as a process"), 30, 1_200, bytes_like(event(forge)), trial)
    assert seen == {True, False}


def test_reviewer(forge: Forge, tally: Row) -> None:
    """Whatever the reviewer's claude prints without a yes, the stop is never completed by it."""
    said, claude = forge.home.parent / "said", forge.home.parent / "bin/claude"
    claude.unlink()
    claude.write_text(f"#!/bin/sh\nexec cat {said}\n")
    claude.chmod(claude.stat().st_mode | stat.S_IXUSR)
    config = json.loads((forge.home / ".claude/ccc.json").read_text())
    config["supervisor"]["checks"] = []
    (forge.home / ".claude/ccc.json").write_text(json.dumps(config))
    stop = json.dumps(event(forge)).encode()
    result = json.loads(STREAM[-1])
    ends = never_a_yes().map(lambda text: json.dumps({**result, "result": text}).encode())
    lines = bytes_like(*map(json.loads, STREAM)) | st.sampled_from(STREAM).map(str.encode)
    cases = st.tuples(st.lists(lines, max_size=4), ends).map(lambda t: b"\n".join([*t[0], t[1]]))
    seen = set()

    def trial(data: bytes) -> None:
        forge.restore()
        (forge.home / ".claude/ccc.json").write_text(json.dumps(config))
        said.write_bytes(data)
        answer = answered(forge.run("supervisor-hook", stdin=stop))
        assert "completed, stop allowed" not in answer["systemMessage"]
        records = forge.home / f".claude/ccc/supervisor-{SESSION}-verdicts.jsonl"
        (verdict,) = map(json.loads, records.read_text().splitlines())
        assert verdict["completed"] is not True
        seen.add(verdict["completed"])

    tried(tally("reviewer, as a process"), 5, 250, cases, trial)
    assert seen == {None, False} or trials(0, 1) == 0


def test_status_line(forge: Forge, tally: Row) -> None:
    """The status line: exit 0, one line at most, nothing on stderr."""
    given = {"session_id": SESSION, "model": {"display_name": "M"}, "cost": {"total": 1}}

    def trial(data: bytes) -> None:
        ended = forge.run("statusline", stdin=data).well(0)
        assert ended.stdout.count("\n") <= 1
        assert not ended.stderr

    tried(tally("status line, as a process"), 30, 1_200, bytes_like(given), trial)


LEFT_OUT = ("demo", "watch")
"""They run for long; their words are tried where help is asked for."""
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
    """Any words: a code that is documented, and no trace."""
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
        ended = forge.run(*line, stdin=stdin).well()
        assert ended.code in (0, 1, 141) or "run" in line[:1], (line, ended)
        json.loads((forge.home / ".claude.json").read_text())

    tried(tally("words, as processes"), 40, 1_500, cases, trial)


def test_help_of_the_long_ones(forge: Forge) -> None:
    """`demo` and `watch` refuse words that they don't know."""
    for name in LEFT_OUT:
        forge.run(name, "--help", "x").well(0)
        forge.run(name, "--nope", "x").well(1)


def valid(path: Path) -> bool:
    """Whether a file holds JSON."""
    try:
        json.loads(path.read_bytes().decode("utf-8-sig") or "{}")
    except (ValueError, RecursionError):
        return False
    return True


def test_ccc_json(forge: Forge, tally: Row) -> None:
    """Any ccc.json: claude is started, or the file named; what can't be read is not written."""
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
        ended = forge.run(*line).well(0, 1)
        if ended.code:
            assert path.read_bytes() == data
            assert any(w in ended.stderr for w in ("ccc.json", "kimi", "glm", "no provider"))
        assert valid(path) or not was_valid

    tried(tally("ccc.json, as processes"), 40, 1_500, cases, trial)


def test_settings_json(forge: Forge, tally: Row) -> None:
    """Any settings.json: launched and uninstalled again it is the same, or named and left."""
    path = forge.home / ".claude/settings.json"

    def trial(data: bytes) -> None:
        forge.run("uninstall", "--yes").well(0)
        path.write_bytes(data)
        ended = forge.run("kimi").well(0, 1)
        if ended.code:
            assert path.read_bytes() == data
            assert "settings.json" in ended.stderr
            path.unlink()
            return
        ours = b"supervisor-hook" in data
        forge.run("uninstall", "--yes").well(0)
        left = path.read_bytes() if path.exists() else b""
        assert ours or left == data

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
    """Any state, any record: looked at, switched, launched on; the hook says what it thinks."""
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
        forge.run(*line).well(0, 1)
        answered(forge.run("supervisor-hook", stdin=stop))

    tried(tally("state, as processes"), 40, 1_000, cases, trial)


def test_transcript(forge: Forge, tally: Row) -> None:
    """Any transcript: the hook answers."""
    path = forge.home / ".claude/projects/x/abc123.jsonl"
    stop = json.dumps(event(forge)).encode()
    lines = st.lists(texts_like(*map(json.loads, TRANSCRIPT)), max_size=4).map("\n".join)

    def trial(text: str) -> None:
        forge.restore()
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert "decision" in answered(forge.run("supervisor-hook", stdin=stop))

    tried(tally("transcript, as processes"), 15, 500, lines, trial)


def test_real_processes(tmp_path: Path, tally: Row) -> None:
    """A sample as the console script that people run."""
    project = CccProject(tmp_path / "real", stub=True)
    project.env["CCC_SUPERVISOR_ID"] = SESSION
    project.configure(supervisor={"sandbox": "off", "checks": ["false"]})
    project.run("--supervisor", "kimi").succeeded()
    row = tally("the console script")
    lines = st.sampled_from([["supervisor-hook"], ["statusline"], ["supervisor-mode"], ["nope"]])

    def trial(case: tuple[list[str], str]) -> None:
        line, stdin = case
        outcome = project.run(*line, stdin=stdin.encode(errors="replace").decode(), timeout=15)
        ended = Ended(outcome.code, outcome.stdout, outcome.stderr)
        ended.well(*([1] if line == ["nope"] else [0]))

    tried(row, 8, 60, st.tuples(lines, texts_like(STOP)), trial)
