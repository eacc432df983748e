"""Another program keeps editing settings.json while ccc changes it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from homes import SESSION, Home

from ccc.storage.files import Lock
from harness import CccProject
from harness.disturbing import preload
from harness.soak import Tally, rounds

# Increments a number in the file by atomic renames. An older number in the file is a lost edit.
RIVAL = """
import json, os, sys, time
path, pause, stop = sys.argv[1], float(sys.argv[2]), sys.argv[3]
n = lost = 0
while not os.path.exists(stop):
    with open(path) as file:
        content = json.load(file)
    if content.get("edits", 0) != n:
        lost, n = lost + 1, content.get("edits", 0)
    hooks = json.dumps(content.get("hooks", {}))
    if hooks.count("supervisor-hook") > 1:
        sys.exit(f"twice: {hooks}")
    n += 1
    content["edits"] = n
    with open(path + ".rival", "w") as file:
        json.dump(content, file, indent=2)
    os.replace(path + ".rival", path)
    time.sleep(pause)
print(n, lost)
"""

# Edits a few times, right before ccc's last read of the file.
LATE = """
import json, os, sys
path, times = os.environ["RIVAL"], int(os.environ["TIMES"])
def edit():
    with open(path) as file:
        content = json.load(file)
    with open(path + ".rival", "w") as file:
        json.dump({**content, "late": len(done), "by": os.getpid()}, file)
    os.replace(path + ".rival", path)
def watch(event, details):
    if event != "open":
        return
    if ".ccc-settings.json." in str(details[0]):
        written.append(path)
    elif details[0] == path and written and len(done) < times:
        written.clear()
        done.append(path)
        edit()
done, written = [], []
sys.addaudithook(watch)
"""


def test_an_edit_at_the_last_moment(
    home: Home, tmp_path: Path, tally: Callable[[str], Tally]
) -> None:
    """ccc preserves an edit before its last read, and makes its own change on top of it."""
    row = tally("an edit right before the last read and the rename")
    settings = home.project.claude_dir / "settings.json"

    def trial(line: list[str], entries: int, times: int) -> None:
        text = settings.read_text()
        env = {**preload(tmp_path / "late", LATE), "RIVAL": str(settings)}
        env["TIMES"] = str(times)
        home.run(*line, **env)
        content = json.loads(settings.read_text())
        assert content["late"] == times
        hooks = json.dumps(content.pop("hooks", {}))
        assert hooks.count("supervisor-hook") == entries
        before = json.loads(text)
        before.pop("hooks", None)
        for each in (before, content):
            each.pop("late", None)
            each.pop("by", None)
        assert content == before
        home.check_tidy()

    for times in range(1, 5):
        for line, entries in ([["b"], 1], [["uninstall", "--yes"], 0]):
            row.survived(lambda a=line, b=entries, c=times: trial(a, b, c))


def test_edited_again_and_again(home: Home, tally: Callable[[str], Tally]) -> None:
    """ccc works beside a program that edits the settings hundreds of times per second.

    Between its last read and its rename, each of the two may lose an edit of the other. That is
    rare, and the next launch adds ccc's entry again.
    """
    row = tally("settings edited by another program meanwhile")
    settings = home.project.claude_dir / "settings.json"
    stop = home.project.root / "stop"
    rival = subprocess.Popen(
        [sys.executable, "-I", "-c", RIVAL, str(settings), "0.004", str(stop)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    env = {"CCC_SUPERVISOR_ID": SESSION}
    lines = [["b"], ["supervisor-mode", "on"], ["uninstall", "--yes"]]

    def trial(line: list[str]) -> None:
        process = home.start(*line, **env)
        process.communicate(timeout=60)
        # 1: the other program was faster twenty times
        assert process.returncode in (0, 1)
        json.loads(settings.read_text())
        assert rival.poll() is None, rival.communicate()

    try:
        for number in rounds(9, 400, 100):
            row.survived(lambda line=lines[number % 3]: trial(line))
    finally:
        stop.touch()
        output, errors = rival.communicate(timeout=60)
    assert rival.returncode == 0, errors
    edits, lost = map(int, output.split())
    row.survived(lambda: check_end(home, settings, edits))
    assert lost <= 1 + row.tried // 20


def check_end(home: Home, settings: Path, edits: int) -> None:
    """Check that the other program's last edit is there, and ccc's entry once after a launch."""
    home.run("b")
    content = json.loads(settings.read_text())
    assert content["edits"] == edits
    assert settings.read_text().count("supervisor-hook") == 1
    assert content["n"] == 1.1
    home.check_tidy()


def test_an_edit_at_the_worst_moment(stubbed: CccProject, tally: Callable[[str], Tally]) -> None:
    """An edit between ccc's first and last read of the file is not lost."""
    row = tally("an edit between ccc's read and its write")
    path = stubbed.write(".claude/settings.json", "1")

    def trial(edits: int) -> None:
        path.write_text("1")
        versions: list[str | None] = []

        def edit(text: str | None) -> str:
            versions.append(text)
            if len(versions) <= edits:
                path.write_text(str(len(versions) + 1))
            return f"{text}+ccc"

        with Lock([str(stubbed.claude_dir / "ccc")]) as lock:
            lock.update(str(path), edit)
        assert versions == [str(n + 1) for n in range(edits + 1)]
        assert path.read_text() == f"{edits + 1}+ccc"
        assert len(list(path.parent.iterdir())) == 3

    for edits in range(15):
        row.survived(lambda edits=edits: trial(edits))
