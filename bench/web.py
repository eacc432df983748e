"""Measure the start of the page, and what it takes while nothing happens."""

import http.client
import os
import re
import statistics
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from bench import paint
from bench.scene import CCC, PYTHON, Scene, many
from bench.table import Case, Row, Section, against, skipped
from ccc.backlog import database, store
from ccc.backlog.task import STATES, QueuedTask
from ccc.storage.paths import Paths

_HELLO = """
import socket
import uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
async def hello(request):
    return HTMLResponse("<h1>Hello</h1>")
opened = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{opened.getsockname()[1]}/", flush=True)
config = uvicorn.Config(Starlette(routes=[Route("/", hello)]), http="h11", log_level="critical")
uvicorn.Server(config).run(sockets=[opened])
"""
_CORE_PERCENT, _MEGABYTES = 1.0, 120.0
_SESSIONS = 1_000
_TASKS = 300
_ONE, _BOARD = ("now",), ("board",)
_TWENTY = (
    *("now",) * 5,
    *("board",) * 5,
    *(f"session/{n:08x}-0000-4000-8000-000000000000" for n in range(10)),
)


class _Page:
    """A server, and a browser that has asked for its first page."""

    def __init__(self, scene: Scene, command: Sequence[str]) -> None:
        start = time.perf_counter()
        self.process, link = paint.serve(scene, command)
        found = re.fullmatch(r"http://(.*):(\d+)(/.*)", link)
        assert found is not None
        self._address = (found[1], int(found[2]))
        self._cookie = ""
        path = found[3]
        while path:
            answer = self.ask(path)
            cookie, path = answer.getheader("set-cookie", ""), answer.getheader("location", "")
            self._cookie = cookie.partition(";")[0] or self._cookie
            answer.read(1)
        assert answer.status == 200
        self.seconds = time.perf_counter() - start

    def ask(self, path: str) -> http.client.HTTPResponse:
        """Ask for a page or a stream."""
        connection = http.client.HTTPConnection(*self._address, timeout=20)
        headers = {"Sec-Fetch-Site": "none", **({"Cookie": self._cookie} if self._cookie else {})}
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def end(self) -> None:
        """End the server."""
        self.process.terminate()
        self.process.wait(20)


def web(directory: Path, quick: bool) -> list[Row]:
    """Measure the page with many sessions."""
    scene = Scene(directory)
    scene.environ["CCC_WORK_DIR"] = many(directory, _SESSIONS)
    (directory / "hello.py").write_text(_HELLO)
    commands = ((CCC, "web", "--port", "0"), (PYTHON, str(directory / "hello.py")))
    starts = _starts(scene, commands, 3 if quick else 15)
    reason = paint.missing()
    paints = [] if reason else paint.first_paints(scene, commands, 3 if quick else 15)
    first, content = zip(*paints, strict=True) if paints else ((), ())
    seconds = 5.0 if quick else 30.0
    percent, megabytes = _idle(scene, _ONE, seconds)
    scene.environ["CCC_WORK_DIR"] = many(directory / "queue", _SESSIONS)
    _add_queue(scene)
    board, _ = _idle(scene, _BOARD, seconds)
    twenty, _ = _idle(scene, _TWENTY, seconds)
    start, painted, filled, *others = WEB.cases
    references = (_CORE_PERCENT, _MEGABYTES, _CORE_PERCENT, _CORE_PERCENT)
    values = zip(others, (percent, megabytes, board, twenty), references, strict=True)
    return [
        _milliseconds(start, starts),
        skipped(painted, reason) if reason else _milliseconds(painted, first),
        skipped(filled, reason) if reason else _milliseconds(filled, content),
        *(against(case, value, reference) for case, value, reference in values),
    ]


def _milliseconds(case: Case, seconds: Sequence[float]) -> Row:
    own, hello = seconds
    return against(case, own * 1000, hello * 1000)


def _add_queue(scene: Scene) -> None:
    """Add a queue beside the sessions, with tasks in all states."""
    opened = database.connect(Paths(scene.environ), {})
    tasks = [
        QueuedTask(text=f"task {n}: rename the option", repo="/r", state=STATES[n % len(STATES)])
        for n in range(_TASKS)
    ]
    with opened.change() as connection:
        for each in tasks:
            store.add(connection, each)
    opened.close()


def _starts(scene: Scene, commands: Sequence[Sequence[str]], times: int) -> list[float]:
    """Return how long each takes from its start to the first byte, measured in turns."""
    taken: list[list[float]] = [[] for _ in commands]
    for _ in range(times):
        for seconds, command in zip(taken, commands, strict=True):
            page = _Page(scene, command)
            seconds.append(page.seconds)
            page.end()
    return [statistics.median(each) for each in taken]


def _idle(scene: Scene, views: Sequence[str], seconds: float) -> tuple[float, float]:
    """Return the share of a core in percent and the megabytes of a server with open pages."""
    page = _Page(scene, (CCC, "web", "--port", "0"))
    try:
        for view in views:
            stream = page.ask(f"/events?view={view}")
            assert stream.status == 200
            threading.Thread(target=_read, args=(stream,), daemon=True).start()
        time.sleep(3)
        before = _processor_seconds(page.process.pid)
        time.sleep(seconds)
        used = _processor_seconds(page.process.pid) - before
        with open(f"/proc/{page.process.pid}/status") as status:
            (line,) = (line for line in status if line.startswith("VmRSS"))
    finally:
        page.end()
    return used / seconds * 100, int(line.split()[1]) * 1024 / 1e6


def _read(stream: http.client.HTTPResponse) -> None:
    while stream.read1(65_536):
        pass


def _processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


WEB = Section(
    "web",
    "The page",
    "`ccc web` with 1,000 sessions. The reference of its start is a Starlette hello world, that of "
    "the others what each may take. Figures of an idle page are from Linux.",
    ("measured", "against"),
    (
        Case(
            "start to the first byte of the page, in ms",
            "From the start of the program, with the link that lets the browser in.",
            1.5,
        ),
        Case(
            "start to the first paint, in ms",
            "The same in chromium, which is running: until there is something to see, which may be "
            "the head of the page alone. Skipped without chromium.",
            1.5,
        ),
        Case(
            "start to the first session on the page, in ms",
            "The same until the sessions are there, which the server has looked at meanwhile.",
            2.5,
        ),
        Case(
            "an idle page, in percent of a core",
            "It is open, and nothing happens: the server looks once a second.",
            1.0,
        ),
        Case("an idle page, in MB", "The server's memory.", 1.0),
        Case(
            "an idle board with 300 tasks, in percent of a core",
            "The server asks SQLite once a second whether the queue has changed.",
            1.0,
        ),
        Case(
            "twenty idle pages, in percent of a core",
            "Five of what happens now, five boards and ten of different sessions: the server looks "
            "once for all of them, so together they may take as much as one.",
            1.0,
        ),
    ),
    web,
)
