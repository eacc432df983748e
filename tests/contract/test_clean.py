"""`ccc clean` and log rotation remove old records and nothing else."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc.storage import session_files
from ccc.storage.files import Lock
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from harness import CccProject, check_golden

DAY = 86_400
NAMES = [
    "supervisor-{id}.json",
    "supervisor-{id}-output.jsonl",
    "supervisor-{id}-verdicts.jsonl",
    "supervisor-{id}-agent.jsonl",
    "supervisor-{id}-agent-stderr.log",
    "supervisor-{id}-stderr.log",
    "supervisor-{id}-check-1.log",
    "supervisor-{id}-run.log",
    "supervisor-{id}-feedback-12.md",
    "supervisor-{id}.json.corrupt",
    "supervisor-{id}.json.corrupt-2",
    "settings-{id}-supervisor.json",
]
FOREIGN = ["notes.txt", "supervisor-.json", "ledger.json", "lock", "settings-a.json", "x.log"]


class Records:
    """A state directory with sessions of any age."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.directory = project.claude_dir / "ccc"
        self.directory.mkdir()

    def session(self, name: str, days: float, pid: int = 0, **about: object) -> None:
        """Create every file that a session can have."""
        for pattern in NAMES:
            self.file(pattern.format(id=name), days)
        state = {"session_id": name, "enabled": True, "pid": pid, **about}
        self.file(f"supervisor-{name}.json", days, json.dumps(state))

    def file(self, name: str, days: float, text: str = "x" * 100) -> Path:
        """Create a file that was last changed this many days ago."""
        path = self.directory / name
        path.write_text(text)
        os.utime(path, (time.time(), time.time() - days * DAY))
        return path

    @property
    def names(self) -> set[str]:
        """Return the names of the files in the directory."""
        return set(os.listdir(self.directory))


@pytest.fixture
def records(stubbed: CccProject) -> Records:
    """An empty state directory."""
    return Records(stubbed)


@pytest.fixture
def living() -> Iterator[int]:
    """A running process that could be a claude."""
    code = "import time; time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code, "claude"])
    yield process.pid
    process.kill()
    process.wait()


def test_each_name_is_known(tmp_path: Path) -> None:
    """Every session file that `Paths` names is recognized as that session's."""
    where = Paths({"HOME": str(tmp_path), "CCC_WORK_DIR": str(tmp_path)})
    os.mkdir(where.state_dir)
    of_a_session = ["state", "verdicts", "review_errors", "review_output", "agent_output"]
    of_a_session += ["agent_errors", "run_output", "session_reviewer_settings"]
    made = [getattr(where, name)("a-b.c") for name in of_a_session]
    made += [where.feedback("a-b.c", 3), where.check_output("a-b.c", 2)]
    made += [where.session_settings("a-b.c", 77), where.long_text("a-b.c", "0f" * 8)]
    methods = {n for n in dir(where) if not n.startswith("_") and callable(getattr(where, n))}
    others = {"agent_settings", "records", "reviewer_settings", "slash_command"}
    assert methods - others == {
        *of_a_session,
        *("feedback", "check_output", "session_settings", "long_text"),
    }
    for path in made:
        Path(path).write_text("x")
    found = session_files.find_files(where)
    assert {file.path for file in found} == set(made)
    assert {file.session for file in found} == {"a-b.c"}
    assert [file.pid for file in found if file.pid] == [77]


def test_old_sessions_go_whole(records: Records, living: int) -> None:
    """Only old, inactive sessions are removed, and only files with ccc's names."""
    records.session("old", 40)
    records.session("new", 29)
    records.session("running", 40, pid=living)
    records.session("mixed", 40)
    records.file("supervisor-mixed-output.jsonl", 1)
    for name in FOREIGN:
        records.file(name, 400)
    before = records.names
    done = records.project.run("clean", "--yes").succeeded()
    gone = before - records.names
    assert gone == {pattern.format(id="old") for pattern in NAMES}
    assert f"Removed {len(NAMES)} files, 1." in done.stdout
    assert "Nothing in ~/.claude/ccc is older" in records.project.run("clean").succeeded().stdout


@pytest.mark.parametrize(
    ("age", "left"), [("12h", set()), ("1d", {"b"}), ("2w", {"b", "c"}), ("100000m", {"b", "c"})]
)
def test_ages(records: Records, age: str, left: set[str]) -> None:
    """Ages can be given in minutes, hours, days and weeks."""
    records.session("b", 0.75)
    records.session("c", 3)
    records.project.run("clean", "--yes", "--older-than", age).succeeded()
    assert {n.split("-")[1].split(".")[0] for n in records.names if n.startswith("sup")} == left


@pytest.mark.parametrize("age", ["", "3", "d", "-1d", "1.5d", "3x", "１d０", "9999999d"])
def test_no_age(records: Records, age: str) -> None:
    """An invalid age is rejected, and nothing is removed."""
    records.session("old", 40)
    outcome = records.project.run("clean", "--yes", f"--older-than={age}")
    assert outcome.code == 1
    assert "--older-than: expected a number with a unit: 45m, 12h" in outcome.stderr
    assert len(records.names) == len(NAMES)


def test_what_the_dead_left(records: Records, living: int) -> None:
    """Temporary files and per-process settings are removed once the process has ended."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    records.session("new", 1)
    of_the_dead = {f"settings-new-{gone.pid}.json", f".ccc-x.json.{gone.pid}-0123abcd.tmp"}
    of_the_living = {f"settings-new-{living}.json", f".ccc-x.json.{living}-0123abcd.tmp"}
    for name in of_the_dead | of_the_living:
        records.file(name, 0)
    before = records.names
    records.project.run("clean", "--yes").succeeded()
    assert before - records.names == of_the_dead


def test_a_name_that_could_be_read_in_two_ways(records: Records, living: int) -> None:
    """While `a` is running, a file that could belong to `a` or to `a-agent` stays."""
    records.session("a", 40, pid=living)
    records.session("a-agent", 40)
    before = records.names
    records.project.run("clean", "--yes").succeeded()
    assert records.names - {"lock"} == before


def test_links_are_left(records: Records) -> None:
    """A symlink with one of ccc's names is left alone."""
    target = records.project.root / "precious"
    target.write_text("x")
    (records.directory / "supervisor-old.json").symlink_to(target)
    records.project.run("clean", "--yes", "--older-than", "0m").succeeded()
    assert "supervisor-old.json" in records.names


def test_without_anything(stubbed: CccProject) -> None:
    """A missing state directory is not created."""
    assert "Nothing" in stubbed.run("clean", "--yes").succeeded().stdout
    assert not (stubbed.claude_dir / "ccc").exists()


def test_the_key_of_the_page(records: Records) -> None:
    """A key that no server has used for long goes, and an older ccc's list of browsers."""
    records.file("web-browsers.json", 50)
    records.file("web-key", 2)
    records.project.run("clean", "--yes").succeeded()
    assert records.names & {"web-browsers.json", "web-key"} == {"web-key"}
    records.file("web-key", 50)
    records.project.run("clean", "--yes").succeeded()
    assert "web-key" not in records.names


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_shows(records: Records, living: int, language: str) -> None:
    """It lists sessions with directory, age, size and task, and the totals."""
    about = {"cwd": f"{records.project.home}/src/tool", "request": "mend the\nbroken test"}
    records.session("5f0c2f1e-7f0f-4e2b-9a55-0d7e4c1f0001", 45, **about)
    records.session("running", 50, pid=living)
    records.session("5f0c2f1e-7f0f-4e2b-9a55-0d7e4c1f0002", 90)
    records.file("hook-invocation.log.1", 50, "x" * 1_500_000)
    before = records.names
    env = {"CCC_LANG": language}
    shown = records.project.run("clean", "--dry-run", env=env).succeeded().stdout
    assert records.names == before
    assert "~/src/tool" in shown
    assert "mend the broken test" in shown
    refused = records.project.run("clean", env=env)
    assert (refused.code, records.names) == (1, before)
    done = records.project.run("clean", "--yes", env=env).succeeded().stdout
    check_golden(f"clean.{language}.txt", f"{shown}---\n{refused.stderr}---\n{done}")


@pytest.mark.tmux
def test_the_question(records: Records, tmux: None) -> None:
    """On a terminal it asks; Enter alone keeps everything, y removes."""
    records.session("old", 40)
    before = records.names
    with records.project.interactive("clean") as terminal:
        terminal.wait_for(r"Remove them\? \[y/N\]")
        terminal.press("Enter")
        terminal.wait_for(r"Nothing was changed\.[\s\S]*\[exit 1\]")
    assert records.names == before
    with records.project.interactive("clean", env={"CCC_LANG": "zh"}) as terminal:
        terminal.wait_for(r"删除它们吗？ \[y/N\]")
        terminal.enter("y")
        terminal.wait_for(r"已删除[\s\S]*\[exit 0\]")
    assert records.names == {"lock"}


# --- the log ---------------------------------------------------------------------------


def test_the_log_is_rotated(tmp_path: Path) -> None:
    """A log that exceeds its size is rotated, and three old parts are kept in order."""
    journal = Journal(Paths({"CCC_WORK_DIR": str(tmp_path)}), "s")
    for number in range(6):
        journal.log("event", number=number, text="x" * 100)
        journal.trim(largest=100)
    logs = sorted(path.name for path in (tmp_path / "ccc").glob("hook-*"))
    assert logs == [f"hook-invocation.log.{number}" for number in (1, 2, 3)]
    assert "number=5" in (tmp_path / "ccc/hook-invocation.log.1").read_text()
    assert "number=3" in (tmp_path / "ccc/hook-invocation.log.3").read_text()


def test_another_one_was_faster(tmp_path: Path) -> None:
    """A log that another process rotated during the wait for the lock is left alone."""
    where = Paths({"CCC_WORK_DIR": str(tmp_path)})
    journal = Journal(where, "s")
    journal.log("event", text="x" * 100)
    with Lock((where.state_dir,)):
        waiting = threading.Thread(target=journal.trim, args=(100,))
        waiting.start()
        time.sleep(0.2)
        os.replace(where.invocation_log, f"{where.invocation_log}.1")
        Path(where.invocation_log).write_text("new\n")
    waiting.join()
    assert Path(where.invocation_log).read_text() == "new\n"


def test_no_line_is_lost_in_a_rotation(tmp_path: Path) -> None:
    """When many sessions write and rotate at once, each line appears once and whole."""
    where = Paths({"CCC_WORK_DIR": str(tmp_path)})

    def write(name: str) -> None:
        journal = Journal(where, name)
        for number in range(200):
            journal.log("event", number=number, text="x" * 100)
            journal.trim(largest=20_000, old_logs=50)

    threads = [threading.Thread(target=write, args=(f"s{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = [
        line for path in (tmp_path / "ccc").glob("hook-*") for line in path.read_text().splitlines()
    ]
    rotated = list((tmp_path / "ccc").glob("hook-*.log.*"))
    assert len(rotated) > 2
    assert min(path.stat().st_size for path in rotated) > 20_000
    found = {tuple(line.split()[2:5:2]) for line in lines}
    wanted = {(f"session_id=s{n}", f"number={i}") for n in range(4) for i in range(200)}
    assert (len(lines), found) == (800, wanted)


def test_a_stream_without_end(tmp_path: Path) -> None:
    """A session's raw records are limited in size, and the user is told when they are cut."""
    journal = Journal(Paths({"CCC_WORK_DIR": str(tmp_path)}), "s", largest_record=1_000)
    for write, file in ((journal.raw, journal.output_file), (journal.agent, journal.agent_file)):
        for _ in range(100):
            write("x" * 99)
        assert 1_000 < Path(file).stat().st_size <= 1_100
    assert journal.output_file in journal.problem


def test_a_record_that_changes_while_it_is_written(tmp_path: Path) -> None:
    """A record that somebody removes begins again; a line after half a line stands alone."""
    journal = Journal(Paths({"CCC_WORK_DIR": str(tmp_path)}), "s")
    file = Path(journal.agent_file)
    journal.agent("one")
    file.unlink()
    journal.agent("two")
    assert file.read_text() == "two\n"
    with open(file, "a") as other:
        other.write("half")
    journal.agent("three")
    journal.agent("four")
    assert file.read_text() == "two\nhalf\nthree\nfour\n"
    assert not journal.problem


# --- the lock --------------------------------------------------------------------------


def test_a_held_lock_is_told(records: Records) -> None:
    """Within 3 s ccc says which process holds the lock, and continues when it is released."""
    records.session("old", 40)
    code = (
        "import sys, time; from ccc.storage.files import Lock\n"
        "with Lock([sys.argv[1]]): print('held', flush=True); time.sleep(60)"
    )
    argv = [sys.executable, "-c", code, str(records.directory)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        argv, env = [records.project.ccc, "clean", "--yes"], {**records.project.env, "LANG": "C"}
        with subprocess.Popen(argv, env=env, stdout=-1, stderr=subprocess.PIPE, text=True) as waits:
            assert waits.stderr is not None
            begun = time.monotonic()
            told = waits.stderr.readline()
            took = time.monotonic() - begun
            holder.kill()
            rest = waits.stderr.read()
            assert waits.wait(30) == 0
    named = f" ({holder.pid})" if sys.platform == "linux" else ""
    assert told == f"ccc: waiting for another ccc{named}, which holds {records.directory}/lock\n"
    assert took < 5  # the program has to start as well
    assert rest == ""
    assert records.names == {"lock"}


def test_others_hardly_wait_for_it(records: Records) -> None:
    """The lock is held for one session at a time, however many there are."""
    for number in range(3_000):
        records.file(f"supervisor-{number}.json", 40, '{"session_id": "x"}')
    waits = []
    with subprocess.Popen(
        [records.project.ccc, "clean", "--yes"], env=records.project.env, stdout=-1
    ) as cleaner:
        while cleaner.poll() is None:
            if "lock" in records.names:
                begun = time.monotonic()
                with Lock([str(records.directory)]):
                    waits.append(time.monotonic() - begun)
            time.sleep(0.002)
    assert records.names == {"lock"}
    # if it had been held throughout, there would have been one chance
    assert len(waits) > 5, waits
    assert max(waits) < 1, waits


def test_sessions_are_not_compared_with_each_other() -> None:
    """Finding the sessions that stay takes time independent of their number."""
    kept = {f"kept-{number}" for number in range(100_000)}
    begun = time.monotonic()
    for number in range(2_000):
        file = session_files.File("", 0, 0.0, f"old-{number}")
        assert not session_files.Session(file.session, (file,)).belongs_to(kept)
    assert time.monotonic() - begun < 3
    file = session_files.File("", 0, 0.0)
    assert session_files.Session("kept-7-agent", (file,)).belongs_to(kept)


def test_a_session_that_is_used_again_stays(tmp_path: Path) -> None:
    """A session that changed after it was listed is not removed at all."""
    where = Paths({"HOME": str(tmp_path), "CCC_WORK_DIR": str(tmp_path)})
    os.mkdir(where.state_dir)
    for name in (where.state("a"), where.verdicts("a"), where.state("b")):
        Path(name).write_text("{}")
        os.utime(name, (1, 1))
    found, running = session_files.old_sessions(where, session_files.find_files(where), 2, ())
    Path(where.verdicts("a")).write_text("{} ")
    gone = session_files.remove(where, [session.files for session in found])
    assert ([file.path for file in gone], running) == ([where.state("b")], 0)
    assert os.path.exists(where.state("a"))
