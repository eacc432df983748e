"""The commands that show sessions, with intact, truncated, damaged and a thousand records."""

import json
import os
import subprocess
import time

import pytest
from looking import DONE, EVIL, LANGUAGES, QUIET, SENT_BACK, read_status

from harness import CccProject, check_golden
from harness.records import MOMENT, Records, receipt, story, verdict


def test_the_session_of_this_directory(stubbed: CccProject, three_sessions: Records) -> None:
    """Without an id, the latest session of the current directory is shown, else of all."""
    assert DONE[:8] in stubbed.run("show").succeeded().stdout
    three_sessions.change(SENT_BACK, directory=str(stubbed.directory))
    three_sessions.change(DONE, directory="/elsewhere")
    assert SENT_BACK[:8] in stubbed.run("show").succeeded().stdout


@pytest.mark.key_in("home/.claude/dotfiles.json")
def test_a_linked_configuration(stubbed: CccProject, three_sessions: Records) -> None:
    """A ccc.json that is a link to another file counts; a record that is one doesn't."""
    stubbed.configure(language="zh")
    file, elsewhere = stubbed.claude_dir / "ccc.json", stubbed.claude_dir / "dotfiles.json"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    state = three_sessions.directory / f"supervisor-{DONE}.json"
    env = {"CCC_LANG": "", "LANG": "C", "LC_ALL": "C"}
    before = stubbed.run("status", "--all", env=env).succeeded().stdout
    assert "已完成" in before
    state.rename(stubbed.root / "state.json")
    state.symlink_to(stubbed.root / "state.json")
    assert "已完成" not in stubbed.run("status", "--all", env=env).succeeded().stdout


@LANGUAGES
@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("history",),
        ("show", DONE[:10]),
        ("show", "--full", DONE[:10]),
        ("status", "--help"),
        ("statusline", "--help"),
        ("watch", "--help"),
        ("history", "--help"),
        ("show", "--help"),
        ("report", "--help"),
    ],
    ids=lambda words: "-".join(w.strip("-") for w in words if w != DONE[:10]),
)
def test_what_is_printed(
    stubbed: CccProject, three_sessions: Records, language: str, arguments: tuple[str, ...]
) -> None:
    """The complete output of each command."""
    done = stubbed.run(*arguments, env={"CCC_LANG": language}).succeeded()
    name = "-".join(word.strip("-") for word in arguments if word != DONE[:10])
    ages = {
        r"\d+ (s|min|秒前|分钟前) *(?=Add|\n)": r"N \1  ",
        str(three_sessions.directory): "<state>",
    }
    check_golden(f"look/{name}.{language}.txt", done.stdout, ages)
    assert done.stderr == ""


def test_what_was_asked(stubbed: CccProject, records: Records) -> None:
    """The first request is the task, and later ones appear before the round that they led to."""
    asked = ["make the tests pass", "go on", "and the linter"]
    lines = [
        {**story()[1], "prompt_id": "p1", "task": "p1", "requests": asked[:1], "iteration": 1},
        {**story()[4], "prompt_id": "p2", "task": "p1", "requests": asked, "iteration": 1},
    ]
    records.add(DONE, lines, request=asked[0], requests=asked)
    shown = stubbed.run("show").succeeded().stdout
    places = [
        shown.index(text) for text in (asked[0], "✗ Round 1/10", "› go on", "› and the", "✓ Ro")
    ]
    assert places == sorted(places)
    assert shown.count("make the tests pass") == 1
    value = json.loads(stubbed.run("show", "--json").succeeded().stdout)
    assert (value["request"], value["requests"]) == (asked[0], asked)
    page = stubbed.run("report", "-o", "-").succeeded().stdout
    assert "<h1>make the tests pass</h1>" in page
    assert page.index("go on") < page.index("and the linter") < page.index("Everything that was")
    assert "make the tests pass" in stubbed.run("history").succeeded().stdout


@pytest.mark.parametrize("line", ["history", "status", f"show {DONE}", "provider list"])
def test_a_reader_that_goes_away(stubbed: CccProject, three_sessions: Records, line: str) -> None:
    """A closed pipe causes no message, and the usual exit code."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed:
        done = subprocess.run(
            [stubbed.ccc, *line.split()],
            cwd=stubbed.directory,
            env=stubbed.env,
            stdin=subprocess.DEVNULL,
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("line", ["history", "--help", f"show {DONE}", "status --json"])
def test_a_full_disk(stubbed: CccProject, three_sessions: Records, line: str) -> None:
    """Output that can't be written is the user's problem, not a bug."""
    command = f"exec {stubbed.ccc} {line} > /dev/full"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=stubbed.directory,
        env=stubbed.env,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("ccc: cannot write any more: No space left on device\n")


def test_an_interrupted_round(stubbed: CccProject, records: Records) -> None:
    """If the only round was interrupted, no check is said to have decided it."""
    ended = verdict(1, 240, "interrupted", receipts=[receipt("make test", 0, 6.1)])
    records.add(DONE, [ended], count=1, outcome="interrupted")
    shown = stubbed.run("show").succeeded().stdout
    assert "! interrupted" in shown
    assert "the checks decided" not in shown
    records.add(DONE, [{**ended, "outcome": "iterations"}], count=1, outcome="iterations")
    assert "the checks decided" in stubbed.run("show").succeeded().stdout


@pytest.mark.parametrize("command", ["show", "report", "watch"])
def test_which_session(stubbed: CccProject, three_sessions: Records, command: str) -> None:
    """A unique beginning of an id is enough; otherwise the candidates are listed."""
    several = stubbed.run(command, "1a2b")
    assert (several.code, several.stdout) == (1, "")
    assert "several sessions begin with 1a2b" in several.stderr
    assert DONE[:13] in several.stderr
    assert SENT_BACK[:13] in several.stderr
    unknown = stubbed.run(command, "1a2b3d")
    assert (unknown.code, unknown.stdout) == (1, "")
    assert f"Did you mean this one?\n  {DONE[:13]}  " in unknown.stderr
    assert SENT_BACK[:13] not in unknown.stderr
    nothing = stubbed.run(command, "zzz")
    assert f"The newest supervised sessions:\n  {DONE[:13]}  " in nothing.stderr
    assert "  Add a --dry-run option to the importer,…\n" in nothing.stderr
    assert QUIET[:13] not in nothing.stderr


def test_no_session_at_all(stubbed: CccProject) -> None:
    """Without any sessions, the user is told so, without an error if there is nothing to choose."""
    assert "No session is open" in stubbed.run("status").succeeded().stdout
    assert "No supervised sessions yet. Start one" in stubbed.run("history").succeeded().stdout
    assert stubbed.run("statusline", stdin="{}").succeeded().stdout == ""
    for command in ("show", "report"):
        done = stubbed.run(command)
        assert (done.code, done.stdout) == (1, "")
        assert "no supervised sessions yet" in done.stderr
        assert "/supervisor your task" in done.stderr


def test_without_a_name_it_is_the_newest(stubbed: CccProject, three_sessions: Records) -> None:
    """Without a name, the supervised session that changed last is shown."""
    for number in range(3):
        # opened, closed, never supervised
        records = {"enabled": False, "count": 0, "outcome": "", "request": ""}
        three_sessions.add(f"9999000{number}-x", [], time.time() + number, **records)
    shown = json.loads(stubbed.run("show", "--json").succeeded().stdout)
    assert shown["session_id"] == DONE
    page = stubbed.run("report", "-o", "-").succeeded().stdout
    assert DONE in page
    for line in (("history", "--json"), ("status", "--json"), ("status", "--all", "--json")):
        listed = json.loads(stubbed.run(*line).succeeded().stdout)["sessions"]
        assert [each["session_id"] for each in listed] == [DONE, SENT_BACK]


def test_only_unsupervised_sessions(stubbed: CccProject, records: Records) -> None:
    """If no session was supervised, no empty one is shown."""
    records.add(QUIET, [], enabled=False, count=0, outcome="", request="")
    for command in ("show", "report"):
        done = stubbed.run(command)
        assert (done.code, done.stdout) == (1, "")
        assert "no supervised sessions yet" in done.stderr
    assert "No supervised sessions yet" in stubbed.run("history").succeeded().stdout
    # it can still be shown by name
    assert "Outcome      -" in stubbed.run("show", QUIET[:8]).succeeded().stdout


def test_a_session_that_is_just_supervised(stubbed: CccProject, records: Records) -> None:
    """A session that is switched on but has not stopped yet is shown without rounds."""
    records.add(DONE, None, time.time() - 60)
    open_ = {"pid": os.getpid(), "claude": "/x/py", "count": 0, "outcome": "", "request": ""}
    records.add(QUIET, [], **open_)
    shown = stubbed.run("show").succeeded().stdout
    assert QUIET in shown
    assert "No rounds yet" in shown


def test_the_provider_of_this_directory(stubbed: CccProject, three_sessions: Records) -> None:
    """A directory's own provider is named above the sessions."""
    assert "Provider of this directory" not in stubbed.run("status").succeeded().stdout
    stubbed.run("provider", "use", "kimi", "--here").succeeded()
    first, second, *_ = stubbed.run("status").succeeded().stdout.splitlines()
    assert (first, second.split()[0]) == ("Provider of this directory: kimi", "SESSION")
    below = stubbed.directory / "below"
    below.mkdir()
    done = subprocess.run(
        [stubbed.ccc, "status"],
        cwd=below,
        env=stubbed.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("Provider of this directory: kimi\n")
    other = subprocess.run(
        [stubbed.ccc, "status"],
        cwd="/",
        env=stubbed.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Provider of this directory" not in other.stdout


def test_the_figures_agree(stubbed: CccProject, records: Records) -> None:
    """All commands agree on rounds and costs of a session with two tasks and a run's agent."""
    second = [{**each, "prompt_id": "p2"} for each in story()[1:3]]
    extra = {**story()[0], "outcome": "iterations", "prompt_id": "p2"}
    run = {"cwd": "/x", "task": "do it", "agent_cost_usd": 1.25}
    records.add(DONE, [*story(), *second, extra], count=2, cost_usd=0.0403, run=run)
    shown = json.loads(stubbed.run("show", "--json").succeeded().stdout)
    (status,) = read_status(stubbed)
    (history,) = json.loads(stubbed.run("history", "--json").succeeded().stdout)["sessions"]
    assert status["rounds"] == history["rounds"] == 7
    total = pytest.approx(0.0772 + 0.0403 + 1.25)
    assert status["cost_usd"] == history["cost_usd"] == shown["cost_usd"]["total"] == total
    page = stubbed.run("report", "-o", "-").succeeded().stdout
    for text in (stubbed.run("show").stdout, page, stubbed.run("status").stdout):
        assert "7" in text
    for text in (stubbed.run("history").stdout, page, stubbed.run("status").stdout):
        assert "$1.3675" in text


def test_values(stubbed: CccProject, three_sessions: Records) -> None:
    """The JSON output has what is on record."""
    status = read_status(stubbed)
    assert [each["session_id"] for each in status] == [DONE, SENT_BACK]
    assert [each["enabled"] for each in status] == [True, True]
    assert [each["phase"] for each in status] == ["ended"] * 2
    history = json.loads(stubbed.run("history", "--json", "-n", "1").succeeded().stdout)
    assert (history["more"], history["sessions"][0]["rounds"]) == (1, 5)
    shown = json.loads(stubbed.run("show", "--json", DONE).succeeded().stdout)
    assert [each["outcome"] for each in shown["rounds"]] == [v["outcome"] for v in story()]
    assert shown["rounds"][1]["diff"] == {"files": 3, "added": 88, "removed": 6}
    assert shown["rounds"][0]["steps"] == []
    assert shown["rounds"][4]["steps"][1] == {
        "tool": "Bash",
        "call": "make test",
        "failed": False,
        "seen": "tests/test_importer.py ...\n3 passed in 0.28s",
    }
    assert shown["rounds"][4]["steps"][2]["call"] == "README.md"
    assert shown["rounds"][4]["closing"].startswith("I ran the tests")
    assert shown["cost_usd"]["reviews"] == pytest.approx(0.0772)
    assert shown["logs"]["verdicts"].endswith("-verdicts.jsonl")


@pytest.mark.parametrize(
    "line", [("status", "x"), ("history", "-n", "0"), ("history", "-n", "x"), ("show", "a", "b")]
)
def test_mistakes(stubbed: CccProject, three_sessions: Records, line: tuple[str, ...]) -> None:
    """A mistake is a readable error."""
    done = stubbed.run(*line)
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith("ccc")
    assert done.stderr.endswith(f"See: ccc {line[0]} --help\n")
    assert "Usage: ccc" not in done.stderr


@pytest.fixture
def spoilt(records: Records) -> Records:
    """Sessions that are truncated, full of garbage, or written by another version."""
    records.add(DONE)
    for number, text in enumerate(
        ["", "{", "[]", "null", '{"run": 3, "stop": [], "feedback": "x", "count": "many"}', "\xff"]
    ):
        name = f"5b01{number}"
        records.add(name, [])
        (records.directory / f"supervisor-{name}.json").write_bytes(text.encode("latin-1"))
        records.append(name, "verdicts.jsonl", text + "\n", '{"iteration": {}}\n')
    whole = records.file(DONE, "verdicts.jsonl").read_text()
    records.file(DONE, "verdicts.jsonl").write_text("rubbish\n\x00\n" + whole + whole[:700])
    (records.directory / "supervisor-..json").write_text("{}")
    (records.directory / "supervisor-dir.json").mkdir()
    return records


@pytest.mark.parametrize(
    "line",
    [
        *(("status",), ("status", "--all"), ("status", "--all", "--json"), ("history",)),
        *(("show", DONE), ("show", DONE, "--json"), ("report", DONE, "-o", "-")),
        ("statusline",),
    ],
    ids=" ".join,
)
def test_spoilt_records(stubbed: CccProject, spoilt: Records, line: tuple[str, ...]) -> None:
    """Unreadable records are skipped, and the rest is shown."""
    done = stubbed.run(*line, stdin=json.dumps({"session_id": DONE})).succeeded()
    assert done.stderr == ""
    assert "Traceback" not in done.stdout
    assert "kimi" in done.stdout


def test_a_spoilt_session_can_not_be_shown(stubbed: CccProject, spoilt: Records) -> None:
    """A session whose state can't be read is named."""
    done = stubbed.run("show", "5b011")
    assert (done.code, done.stdout) == (1, "")
    assert "supervisor-5b011.json" in done.stderr


def test_a_huge_record(stubbed: CccProject, records: Records) -> None:
    """Only the end of a huge file is read."""
    records.add(DONE)
    path = records.file(DONE, "verdicts.jsonl")
    lines = path.read_text()
    with open(path, "w") as file:
        file.write('{"iteration": 1, "feedback": "' + "x" * 40_000_000 + '"}\n' + lines)
    done = stubbed.run("show", "--json", DONE).succeeded()
    assert len(json.loads(done.stdout)["rounds"]) == 5


@pytest.fixture
def evil(records: Records) -> Records:
    """A session in which every text tries to control the terminal and the browser."""
    lines = story()
    for each in lines:
        each |= {"feedback": EVIL, "request": EVIL, "provider": EVIL, "model": EVIL}
        each["receipts"] = [receipt(EVIL, 1, 1.0, EVIL)]
        each["tokens"] = {"input": 1}
    texts = dict.fromkeys(("provider", "model", "cwd", "request", "outcome"), EVIL)
    records.add(DONE, lines, **texts, feedback=[EVIL])
    return records


@pytest.mark.parametrize(
    "line",
    [("status",), ("history",), ("show", DONE), ("statusline",), ("report", DONE, "-o", "-")],
    ids=" ".join,
)
def test_others_texts(stubbed: CccProject, evil: Records, line: tuple[str, ...]) -> None:
    """No text from a model, a user or a file controls the terminal or the browser."""
    given = {"session_id": DONE, "model": {"display_name": EVIL}}
    done = stubbed.run(*line, stdin=json.dumps(given), env={"NO_COLOR": "1"}).succeeded()
    assert not set(done.stdout) & set("\x1b\x07\x9b\x9d")
    assert "alert(1)" in done.stdout
    assert "52;c" not in done.stdout
    if line[0] == "report":
        assert "<script" not in done.stdout
        assert "<img" not in done.stdout
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in done.stdout


def test_a_thousand_sessions(stubbed: CccProject, records: Records) -> None:
    """The newest are shown with the number of the others, and all of them on request."""
    now = time.time()
    for number in range(1_000):
        records.add(f"{number:04}-x", [], now - number, count=1, outcome="completed")
    done = stubbed.run("status").succeeded()
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == [f"{n:04}-x" for n in range(20)]
    assert lines[-1] == "980 more: ccc status --all"
    assert len(read_status(stubbed, "--all")) == 1_000
    history = json.loads(stubbed.run("history", "--json", "-n", "1000").succeeded().stdout)
    assert (len(history["sessions"]), history["more"]) == (1_000, 0)


def test_old_sessions(stubbed: CccProject, records: Records) -> None:
    """A session that has not changed for a day is shown only while it runs."""
    old = time.time() - 90_000
    records.add("running", [], old, pid=os.getpid(), claude="/x/py")
    records.add("over", [], old)
    assert [each["session_id"] for each in read_status(stubbed)] == ["running"]
    assert "1 more" in stubbed.run("status").succeeded().stdout


def test_moments_are_of_the_story() -> None:
    """The made-up records use a fixed time."""
    assert time.strftime("%Y-%m-%d", time.gmtime(MOMENT)) == "2026-11-06"


@pytest.mark.parametrize("line", [["status", "--json"], ["history", "--json"], ["status"]])
def test_a_directory_that_is_no_utf8(
    stubbed: CccProject, three_sessions: Records, line: list[str]
) -> None:
    """Characters that the terminal can't print are replaced in a name."""
    state = stubbed.claude_dir / "ccc" / f"supervisor-{DONE}.json"
    content = json.loads(state.read_text())
    content["cwd"] = "/tmp/odd-\udcff"
    state.write_text(json.dumps(content))
    stubbed.run(*line, env={"PYTHONIOENCODING": "utf-8:strict"}).succeeded()
    stubbed.run(*line, env={"PYTHONIOENCODING": "ascii:strict"}).succeeded()
