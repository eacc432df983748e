"""Measure the time from the start of a server to the first paint in a browser."""

import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.scene import Scene

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_OPTIONS = (
    *("--no-sandbox", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--disable-gpu"),
)
# the clock of the page starts when its address is opened
_PAINTED = """() => new Promise((done) => {
  const tell = (list) => list.getEntries().forEach((each) => {
    if (each.name === "first-contentful-paint") done(performance.timeOrigin + each.startTime);
  });
  new PerformanceObserver(tell).observe({ type: "paint", buffered: true });
})"""
# hello world has only a heading
_CONTENT = """() => new Promise((done) => {
  const tell = () => done(performance.timeOrigin + performance.now());
  const look = () => requestAnimationFrame(
    document.querySelector("#live > [data-key], body > h1") ? tell : look);
  look();
})"""


def missing() -> str:
    """Return what is missing for a browser; empty if nothing is."""
    if not shutil.which("chromium"):
        return "chromium is not installed"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return ""


def serve(scene: Scene, command: Sequence[str]) -> tuple[subprocess.Popen[str], str]:
    """Start a server and return it with the link that it prints."""
    server = subprocess.Popen(
        command,
        env=scene.environ,
        cwd=scene.project,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    link = server.stdout.readline().strip()
    assert link.startswith("http://")
    return server, link


def first_paints(
    scene: Scene, commands: Sequence[Sequence[str]], times: int
) -> list[tuple[float, float]]:
    """Return how many seconds each takes to the first paint and to the content.

    From its start, measured in turns.
    """
    taken: list[list[tuple[float, float]]] = [[] for _ in commands]
    with _chromium(scene.root / "browser") as browser:
        for turn in range(times + 1):
            for seconds, command in zip(taken, commands, strict=True):
                took = _open(scene, browser, command)
                if turn:  # the first turn fills the browser's own caches
                    seconds.append(took)
    paints = [statistics.median(each[0] for each in of_one) for of_one in taken]
    contents = [statistics.median(each[1] for each in of_one) for of_one in taken]
    return list(zip(paints, contents, strict=True))


@contextmanager
def _chromium(home: Path) -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright

    home.mkdir()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=list(_OPTIONS),
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        )
        yield browser
        browser.close()


def _open(scene: Scene, browser: "Browser", command: Sequence[str]) -> tuple[float, float]:
    """Start a server and open its address in a new profile."""
    context = browser.new_context()
    page = context.new_page()
    start = time.time()
    server, link = serve(scene, command)
    try:
        page.goto(link, wait_until="commit")
        painted = page.evaluate(_PAINTED)
        content = page.evaluate(_CONTENT)
    finally:
        context.close()
        server.terminate()
        server.wait(20)
    return float(painted) / 1000 - start, float(content) / 1000 - start
