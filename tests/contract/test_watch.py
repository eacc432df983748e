"""`ccc watch`: what happens in the sessions, as lines and on a screen."""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from looking import DONE, EVIL, LANGUAGES, QUIET, SENT_BACK, at_work, read_status

from ccc.sessions.watcher import Watcher
from ccc.storage.paths import Paths
from harness import CccProject, check_golden
from harness.processes import wait_until
from harness.records import Records, called, init, line, receipt, said, story


@LANGUAGES
def test_watched(stubbed: CccProject, records: Records, language: str) -> None:
    """A review is shown as it happens, one line per event."""
    records.add(QUIET, [], enabled=False, count=0, outcome="", cwd="/home/somebody/code")
    with watch(stubbed, "--plain", CCC_LANG=language) as watched:
        watched.wait_for(QUIET[:8])
        records.add(DONE, [], count=0, outcome="", pid=os.getpid(), claude="/x/py")
        watched.wait_for(DONE[:8])
        stop = at_work("checking", "make lint")
        records.change(DONE, count=1, **stop)
        watched.wait_for("make lint")
        lint = receipt("make lint", 0, 2.1)
        records.change(DONE, **at_work("checking", "make test", receipts=[lint]))
        watched.wait_for("make test")
        both = [lint, receipt("make test", 0, 6.1)]
        records.append(DONE, "output.jsonl", init())
        records.change(DONE, **at_work(receipts=both))
        watched.wait_for("review ")
        records.append(DONE, "output.jsonl", called("Bash", command="make -n"), "spoilt\n")
        records.append(DONE, "output.jsonl", said(f"I looked.\nTwo lines. {EVIL}"))
        watched.wait_for("Two lines")
        verdict = {**story()[1], "stopped_at": 5.0, "iteration": 1}
        records.append(DONE, "verdicts.jsonl", '{"iteration": 1, "out', "\n", verdict)
        records.change(DONE, outcome="not_completed", decided_at=time.time(), stop={})
        watched.wait_for("verdict ")
        records.change(DONE, enabled=False)
        watched.wait_for("off ")
        records.change(DONE, outcome="plan", decided_at=time.time() + 1, pid=0)
        text = watched.wait_for("ended ")
        assert watched.interrupt() == 0
    assert "\x1b" not in text
    replaced = {r"(?m)^\d\d:\d\d:\d\d": "HH:MM:SS", str(stubbed.directory): "<project>"}
    check_golden(f"look/watch-plain.{language}.txt", text, replaced)


class Watch:
    """`ccc watch` with its output in a file."""

    def __init__(self, project: CccProject, *arguments: str, **env: str) -> None:
        self._file = project.root / "watched"
        with open(self._file, "wb") as output:
            self._process = subprocess.Popen(
                [project.ccc, "watch", *arguments],
                cwd=project.directory,
                env={**project.env, **env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def text(self) -> str:
        """Return what it has printed so far."""
        return self._file.read_text()

    def wait_for(self, text: str) -> str:
        """Wait for the text and return what it has printed."""
        wait_until(lambda: text in self.text, f"{text!r} in {self.text}")
        return self.text

    def interrupt(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self._process.send_signal(2)
        return self._process.wait(20)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(20)


def watch(project: CccProject, *arguments: str, **env: str) -> Watch:
    """Start watching."""
    return Watch(project, *arguments, **env)


def test_a_pipe_is_plain_and_one_session_is_enough(
    stubbed: CccProject, three_sessions: Records
) -> None:
    """Without a terminal there is no screen, and a named session is the only one shown."""
    records = three_sessions
    with watch(stubbed, SENT_BACK[:10]) as watched:
        watched.wait_for("session")
        records.change(DONE, enabled=False)
        records.change(SENT_BACK, enabled=False)
        text = watched.wait_for("turned off")
        time.sleep(0.5)
        assert watched.interrupt() == 0
    assert [line.split()[1] for line in text.splitlines()] == [SENT_BACK[:8]] * 2


def test_a_review_under_way_is_told_from_its_beginning(
    stubbed: CccProject, records: Records
) -> None:
    """A watch that starts late shows the review so far, but not an earlier one."""
    records.add(DONE, story()[:1], count=2, **at_work())
    records.append(DONE, "output.jsonl", init(), said("the first review"))
    records.append(DONE, "output.jsonl", init(), said("the second review"))
    with watch(stubbed) as watched:
        text = watched.wait_for("the second review")
        assert "the first review" not in text
        assert " verdict " not in text


def test_a_stop_that_nobody_saw(stubbed: CccProject, records: Records) -> None:
    """A stop that began and ended between two looks is shown from its record."""
    records.add(DONE, [], count=0, outcome="", pid=os.getpid(), claude="/x/py")
    with watch(stubbed) as watched:
        watched.wait_for("session")
        records.append(DONE, "verdicts.jsonl", story()[0])
        records.change(DONE, pid=0)
        text = watched.wait_for("ended ")
    assert [line.split()[2] for line in text.splitlines()] == [
        *("session", "checked", "checked", "verdict", "ended")
    ]


@pytest.mark.tmux
def test_a_watch_scrolls(stubbed: CccProject, records: Records, tmux: None) -> None:
    """Lines that scrolled off the screen can be viewed, and the end can be reached again."""
    records.add(DONE, story()[:1], count=2, **at_work())
    records.append(
        DONE, "output.jsonl", init(), *(said(f"line number {n}.") for n in range(100, 180))
    )
    with stubbed.interactive("watch") as terminal:
        assert "number 100." not in terminal.wait_for("number 179.")
        terminal.press(*["PPage"] * 9)  # a key that is held down
        assert "number 179." not in terminal.wait_for("number 100.")
        for _ in range(9):
            terminal.press("NPage")
        terminal.wait_for("number 179.")
        terminal.press("q")
        terminal.wait_for(r"\[exit 0\]")


@pytest.mark.tmux
@LANGUAGES
def test_a_list_that_scrolls(
    stubbed: CccProject, records: Records, tmux: None, language: str
) -> None:
    """The list follows the selection and says what is above and below; digits choose in it."""
    hour, now = 3_600, time.time()
    for number in range(1, 15):
        task = f"Task number {number}"
        records.add(f"{number:08}-x", story()[:1], now - number * hour - 60, request=task)
    env = {"CCC_LANG": language}
    with stubbed.interactive("watch", env=env, width=80, height=24) as terminal:

        def selected(digit: int, number: int) -> str:
            """Wait until a session is selected; return the screen."""
            return terminal.wait_for(rf"{digit} ▶  {number:08} [\s\S]*number {number}\n[\s\S]* q ")

        check_golden(f"look/watch-list.{language}.txt", selected(1, 1))
        terminal.press(*["Down"] * 8)
        assert hidden(selected(9, 9)) == ["↓5"]
        terminal.press("j", "j")
        check_golden(f"look/watch-list-below.{language}.txt", selected(9, 11))
        terminal.press("2")
        assert hidden(selected(2, 4)) == ["↑2", "↓3"]
        terminal.press("k", "Up")
        assert hidden(selected(1, 2)) == ["↑1", "↓4"]
        terminal.press(*["Down"] * 20)  # a key that is held down
        assert hidden(selected(9, 14)) == ["↑5"]
        terminal.press("q")
        terminal.wait_for(r"\[exit 0\]")


def hidden(screen: str) -> list[str]:
    """Return how many sessions the screen says are above and below the listed ones."""
    (rule,) = (each for each in screen.splitlines() if each.startswith("──"))
    return [arrow + number for arrow, number in re.findall(r"([↑↓])\D*(\d+)", rule)]


@pytest.mark.tmux
def test_a_full_list(stubbed: CccProject, records: Records, tmux: None) -> None:
    """If there may be more sessions than are watched, the list says where they are."""
    for number in range(1, 32):
        records.add(f"{number:08}-x", [], time.time() - number * 60)
    with stubbed.interactive("watch", width=80, height=24) as terminal:
        terminal.wait_for(r"── ↓ 21 more · older ones: ccc history ──")
        terminal.press(*["Down"] * 40)
        terminal.wait_for(r"9 ▶  00000030[\s\S]*── ↑ 21 more · older ones: ccc history ──")
        terminal.press("q")
        terminal.wait_for(r"\[exit 0\]")


@pytest.mark.thorough
def test_the_hook_as_it_goes(tmp_path: Path) -> None:
    """What the Stop hook records about a stop in progress is what a watch shows."""
    from stops import SECONDS, Supervised

    supervised = Supervised(CccProject(tmp_path / "bench", stub=True))
    checked, reviewed = tmp_path / "checked", tmp_path / "reviewed"
    supervised.configure(checks=[f"until [ -e {checked} ]; do sleep 0.1; done; echo fine"])
    waits = f"[time.sleep(0.1) for _ in range(500) if not os.path.exists({str(reviewed)!r})]"
    supervised.claude(f"say('I am looking.'); {waits}; result(NO)")
    with watch(supervised.project) as watched:
        watched.wait_for("session")
        hook = supervised.start()
        watched.wait_for("check ")
        checked.touch()
        watched.wait_for("says ")
        reviewed.touch()
        text = watched.wait_for("verdict ")
        hook.communicate(timeout=SECONDS)
    kinds = [line.split()[2] for line in text.splitlines()]
    assert kinds[:7] == ["session", "stop", "check", "checked", "review", "says", "verdict"], text
    assert supervised.state["stop"] == {}
    assert supervised.state["outcome"] == "not_completed"
    (verdict,) = supervised.verdicts
    assert verdict["receipts"][0]["output"] == "fine"


def test_a_killed_hook_is_not_at_work(tmp_path: Path) -> None:
    """A stop that was killed is not shown as a review forever."""
    from stops import Supervised

    supervised = Supervised(CccProject(tmp_path / "bench", stub=True))
    supervised.claude("hang()")
    hook = supervised.start()
    wait_until(lambda: supervised.notes("hangs"))
    assert read_status(supervised.project)[0]["phase"] == "reviewing"
    hook.kill()
    hook.wait(20)
    for pid in supervised.family():
        os.kill(pid, 9)
    assert read_status(supervised.project)[0]["phase"] == "ended"


def test_replaced_verdicts(stubbed: CccProject, three_sessions: Records) -> None:
    """Rounds in a file that was replaced are counted and told once, however often that happens."""
    where = Paths(stubbed.env | {"CLAUDE_CONFIG_DIR": str(stubbed.claude_dir)})
    watcher = Watcher(where)
    watcher.poll()
    session = watcher.watched[SENT_BACK]
    figures = (len(session.rounds), session.record.figures.cost_usd)
    assert figures[0] == 3
    verdicts = three_sessions.file(SENT_BACK, "verdicts.jsonl")
    for _ in range(2):
        verdicts.with_suffix(".new").write_text(verdicts.read_text())
        verdicts.with_suffix(".new").replace(verdicts)
        assert watcher.poll() == []
        assert (len(session.rounds), session.record.figures.cost_usd) == figures
    three_sessions.append(SENT_BACK, "verdicts.jsonl", story()[3])
    assert [event.kind for event in watcher.poll() if event.kind == "verdict"] == ["verdict"]
    assert len(session.rounds) == 4
    verdicts.write_text(line(story()[0]))
    watcher.poll()
    assert len(session.rounds) == 1
