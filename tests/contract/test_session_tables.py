"""Tables of sessions on terminals of different widths."""

import fcntl
import os
import re
import struct
import subprocess
import termios
import time

import pytest
from looking import DONE, LANGUAGES

from ccc.system import terminal
from harness import CccProject, check_golden
from harness.records import Records, story, verdict

ENDINGS = ("completed", "iterations", "needs_user", "interrupted")
LONG = "/home/somebody/projects-of-this-year/importer-with-a-long-name"


@pytest.fixture
def many(stubbed: CccProject, records: Records) -> Records:
    """Sessions with long names and tasks, in both languages."""
    for number, ending in enumerate(ENDINGS):
        task = "让导入程序支持试运行选项，并且补充测试和说明文档" if number % 2 else None
        records.add(
            *(f"{number}a2b3c4d-0000", story()[: number + 2], time.time() - 2 - 61 * number),
            outcome=ending,
            cwd=LONG if number else "/srv/x",
            provider="" if number else "kimi",
            **({"request": task} if task else {}),
        )
    return records


@LANGUAGES
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("line", [("status",), ("history",), ("show", "1a2b3c4d")], ids=" ".join)
def test_on_a_terminal(
    stubbed: CccProject, many: Records, language: str, width: int, line: tuple[str, ...]
) -> None:
    """No line is wider than the terminal, and no word is broken."""
    text = on_terminal(stubbed, width, *line, CCC_LANG=language, NO_COLOR="1")
    paths = ("supervisor-", "/ccc/")  # the paths of the logs stay on one line, to be copied
    shown = [row for row in text.splitlines() if not any(path in row for path in paths)]
    assert max(map(terminal.width, shown)) <= width
    ages = {r"\d+ (s|min|秒前|分钟前)(?=  |\n|$)": r"N \1", r"(?m)^.*(supervisor-|/ccc/).*\n": ""}
    check_golden(f"look/{line[0]}-{width}.{language}.txt", text, ages)


@pytest.mark.parametrize("width", [40, 60, 72, 80])
def test_a_narrow_terminal(stubbed: CccProject, many: Records, width: int) -> None:
    """The project is cut, then columns are dropped; the outcome keeps its words."""
    lines = on_terminal(stubbed, width, "status", CCC_LANG="en", NO_COLOR="1").splitlines()
    assert max(map(terminal.width, lines)) <= width
    assert "! interrupted" in lines[4]
    assert all("ended" in line for line in lines[1:])


def test_paths_on_a_narrow_terminal(stubbed: CccProject, many: Records) -> None:
    """A path that does not fit next to its name is below it, in one piece."""
    shown = on_terminal(stubbed, 40, "show", "1a2b3c4d", "--full", CCC_LANG="en", NO_COLOR="1")
    assert f"\nstate\n  {many.directory}/supervisor-" in shown


def test_rounds_that_changed_nothing(stubbed: CccProject, records: Records) -> None:
    """A round without changes says so, and a limit before the first round is not after round 0."""
    ended = verdict(0, 240, "cost", diff={"files": 0, "added": 0, "removed": 0})
    records.add(DONE, [ended], count=0, outcome="cost")
    shown = stubbed.run("show").succeeded().stdout
    assert "Before the first round" in shown
    assert "no changes" in shown
    assert "+0" not in shown


def on_terminal(project: CccProject, width: int, *line: str, **env: str) -> str:
    """Return what ccc prints on a terminal of that width."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    done = subprocess.Popen(
        [project.ccc, *line],
        cwd=project.directory,
        env={**project.env, "TERM": "xterm", **env},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.STDOUT,
    )
    os.close(theirs)
    data = b""
    try:
        while piece := os.read(ours, 65_536):
            data += piece
    except OSError:
        pass  # the other end is closed
    finally:
        os.close(ours)
    assert done.wait(20) == 0, data
    return re.sub(r"\x1b\[[0-9;]*m", "", data.decode().replace("\r\n", "\n"))
