"""`ccc web` in a real browser: live, with actions, by keyboard, on phones, for screen readers."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from ccc.backlog.task import CANCELLED, WAITING
from harness import CccProject
from harness.page import PageServer
from harness.processes import wait_until
from harness.programs import needs, needs_file
from harness.records import init, said, story
from harness.scene import ASKS, DONE, REVIEWED, RUNS, Scene

AXE = Path(__file__).parents[2] / "build" / "axe" / "package" / "axe.min.js"
PAGES = {
    "now": "/",
    "board": "/board",
    "history": "/history",
    "session": f"/session/{DONE}",
    "live session": f"/session/{REVIEWED}",
    "waiting session": f"/session/{ASKS}",
}
WINDOWS: dict[str, Any] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True},
    "zh": {"viewport": {"width": 1280, "height": 900}, "locale": "zh-CN"},
}
THOROUGH = [pytest.param(name, marks=pytest.mark.thorough) for name in ("dark", "phone", "zh")]
_OPTIONS = (
    *("--no-sandbox", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--disable-gpu"),
)
_QUESTION = '[data-key^="ask-1-"]'
_STANDIN = "import time, sys\ntry:\n time.sleep(60)\nexcept KeyboardInterrupt:\n sys.exit(7)"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser without a window."""
    needs("chromium")
    home = str(tmp_path_factory.mktemp("browser"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=list(_OPTIONS),
            env={"HOME": home, "PATH": os.environ["PATH"]},
        )
        yield browser
        browser.close()


@pytest.fixture
def scene(stubbed: CccProject) -> Scene:
    """A machine with sessions in every phase and a queue."""
    stubbed.env["TZ"] = "UTC"
    made = Scene(stubbed)
    made.add_queue()
    return made


@pytest.fixture
def server(scene: Scene) -> Iterator[PageServer]:
    """The page of that machine."""
    with PageServer(scene.project) as running:
        yield running


@pytest.fixture
def context(chromium: Browser, server: PageServer) -> Iterator[BrowserContext]:
    """A browser of the user that was let in."""
    opened = let_in(chromium, server)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, server: PageServer) -> Iterator[Page]:
    """The page that is open, without a single error in its console."""
    opened, problems = context.pages[0], []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda line: problems.append(line.text))
    yield opened
    # the browser itself reports connections that fail
    usual = ("ERR_CONNECTION", "ERR_SOCKET_NOT_CONNECTED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "401")
    assert [text for text in problems if not any(each in text for each in usual)] == []


def let_in(chromium: Browser, server: PageServer, **window: Any) -> BrowserContext:
    """Open the link in a new browser profile."""
    context = chromium.new_context(**window)
    context.set_default_timeout(10_000)
    link = server.next_link() if "token=" in server.errors else server.link
    context.new_page().goto(link)
    return context


def card(page: Page, session: str) -> Any:
    """Return the card of a session."""
    return page.locator(f'#live > [data-key="{session}"]')


def test_what_happens(page: Page, scene: Scene) -> None:
    """An event is on the page within two seconds, and is told to a screen reader."""
    expect(card(page, REVIEWED)).to_contain_text("reviewing")
    start = time.monotonic()
    scene.records.append(REVIEWED, "output.jsonl", init(), said("A line break is lost."))
    expect(card(page, REVIEWED)).to_contain_text("A line break is lost.", timeout=3_000)
    assert time.monotonic() - start < 2
    moment = time.time()
    line = {**story()[3], "feedback": "Quote line breaks.", "stopped_at": moment}
    start = time.monotonic()
    scene.records.append(REVIEWED, "verdicts.jsonl", line)
    scene.records.change(REVIEWED, stop={}, decided_at=moment)
    expect(card(page, REVIEWED)).to_contain_text("Quote line breaks.", timeout=3_000)
    assert time.monotonic() - start < 2
    expect(page.locator("#news")).to_contain_text("Quote line breaks.")
    expect(card(page, REVIEWED).locator(".pill")).to_have_text("working")


def test_who_speaks(page: Page) -> None:
    """Only the reviewer's lines have a bar, which can be seen against the log."""
    bar = "line => [getComputedStyle(line).borderLeftWidth, getComputedStyle(line).borderLeftColor]"
    lines = {"agent": card(page, RUNS).locator(".log .tool"), "reviewer": page.locator(".looks")}
    found = {name: line.first.evaluate(bar) for name, line in lines.items()}
    assert found["agent"][0] == "0px"
    assert found["reviewer"] == ["3px", "rgb(59, 111, 212)"]
    expect(card(page, RUNS).locator(".log b")).to_have_text("agent")
    expect(card(page, REVIEWED).locator(".log b")).to_have_text("reviewer")


def test_the_clock_runs(page: Page) -> None:
    """How long a review takes is counted in the browser."""
    clock = card(page, REVIEWED).locator("time[data-since]")
    before = clock.text_content()
    expect(clock).not_to_have_text(before or "", timeout=3_000)
    assert re.fullmatch(r"\d+:\d\d", clock.text_content() or "")


def test_supervision(page: Page, scene: Scene) -> None:
    """A button switches supervision off, and on again."""
    page.get_by_role("button", name="Turn supervision off").click()
    expect(card(page, REVIEWED)).to_contain_text("Turn supervision on")
    assert scene.state(REVIEWED)["enabled"] is False
    page.get_by_role("button", name="Turn supervision on").click()
    expect(card(page, REVIEWED)).to_contain_text("Turn supervision off")
    assert scene.state(REVIEWED)["enabled"] is True


def test_stopping_a_run(page: Page, scene: Scene) -> None:
    """A run is stopped after a question."""
    with subprocess.Popen([sys.executable, "-c", _STANDIN, "ccc", "run"]) as process:
        scene.records.change(RUNS, pid=process.pid)
        stop, question = page.get_by_role("button", name="Stop the run"), page.get_by_role("dialog")
        for answer in ("Go back", "Escape"):
            stop.click()
            expect(question).to_contain_text("Stop this run?")
            page.keyboard.press("3")  # doesn't leave the page
            if answer == "Escape":
                page.keyboard.press(answer)
            else:
                question.get_by_role("button", name=answer).click()
            expect(question).to_have_count(0)
            expect(stop).to_be_focused()
        assert process.poll() is None
        stop.click()
        question.get_by_role("button", name="Stop the run").click()
        assert process.wait(10) == 7
    ended = {**scene.state(RUNS)["run"], "outcome": "interrupted"}
    scene.records.change(RUNS, run=ended, pid=0, phase="")
    expect(stop).to_have_count(0)
    # it is among the ended ones now, and still where the user looks
    expect(card(page, RUNS)).to_be_in_viewport()
    assert page.evaluate("document.activeElement !== document.body")


def test_the_board(page: Page, scene: Scene) -> None:
    """Every action of the board works by clicking."""
    page.keyboard.press("2")
    expect(page.locator("h1")).to_have_text("Board")
    page.get_by_label("Your answer to #1").fill("For each user.")
    page.get_by_role("button", name="Send the answer").click()
    row = page.locator('[data-key="task-1"]')
    expect(row).to_contain_text("waiting")
    assert scene.task(1).message == "For each user."
    page.locator('[data-key="task-3"]').get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel the task").click()
    expect(page.locator('[data-key="task-3"]')).to_contain_text("cancelled")
    assert scene.task(3).state == CANCELLED
    page.locator('[data-key="task-6"]').get_by_role("button", name="Retry").click()
    expect(page.locator('[data-key="task-6"]')).to_contain_text("Cancel")
    assert scene.task(6).state == WAITING
    page.get_by_role("button", name="Pause the queue").click()
    expect(page.locator('[data-key="head"]')).to_contain_text("Paused")
    assert scene.is_paused
    page.get_by_role("button", name="Resume the queue").click()
    expect(page.get_by_role("button", name="Pause the queue")).to_be_visible()
    assert not scene.is_paused


def test_turns(page: Page, server: PageServer, scene: Scene) -> None:
    """A waiting task gets any place by keys alone, and the menu stays open."""
    page.goto(f"{server.address}/board")
    row = page.locator('[data-key="task-4"]')
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(row.get_by_role("button", name="To the front #4")).to_be_focused()
    page.keyboard.press("Enter")
    wait_until(lambda: scene.task(4).priority > 0)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_until(lambda: scene.task(4).priority < 0)
    page.keyboard.press("Tab")
    field = row.get_by_label("Priority")
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    wait_until(lambda: scene.task(4).priority == 12)
    expect(row.locator("details")).to_have_attribute("open", "")
    # the row isn't in use any more, so it shows what comes
    expect(row.get_by_role("button", name="Set")).to_be_focused()
    expect(field).to_have_value("12")
    scene.change_task(4, priority=13)
    expect(field).to_have_value("13")
    page.reload()
    row.locator("summary").click()
    expect(field).to_have_value("13")


def test_an_answer(page: Page, scene: Scene) -> None:
    """It is sent at once for eyes and ears, and the focus goes to the next question."""
    release = threading.Event()

    def hold(route: Route) -> None:
        expect(button).to_be_disabled()
        expect(button).to_have_text("Sent")
        expect(page.locator("#news")).to_have_text("Sent")
        expect(next_).to_be_focused()
        release.set()
        route.continue_()

    page.route("**/answer", hold)
    asked = page.locator(_QUESTION)
    button, next_ = asked.locator("form button"), page.locator(f'[data-key^="ask-{ASKS}"] h3')
    page.get_by_label("Your answer to #1").fill("For each user.")
    button.click()
    expect(asked).to_have_count(0)
    assert release.is_set()
    assert scene.task(1).message == "For each user."
    expect(next_).to_be_focused()


def test_an_answer_that_the_stream_overtakes(page: Page) -> None:
    """The question goes although it was in use when the stream had no more of it."""

    def overtake(route: Route) -> None:
        answer = route.fetch()
        page.wait_for_timeout(2_500)
        route.fulfill(response=answer)

    page.route("**/answer", overtake)
    page.get_by_label("Your answer to #1").fill("For each user.")
    asked = page.locator(_QUESTION)
    asked.locator("form button").click()
    expect(asked).to_have_count(0, timeout=6_000)


def test_an_answer_to_another_question(page: Page, scene: Scene) -> None:
    """It isn't sent; the text stays beside the new question until the user removes it."""
    field, questions = page.get_by_label("Your answer to #1").first, page.locator(_QUESTION)
    field.fill("For each user.")

    def change(route: Route) -> None:
        scene.change_task(1, run=7, detail="May I drop the table?")
        route.continue_()

    page.route("**/answer", change)
    questions.locator("form button").click()
    expect(page.locator(".told.near")).to_contain_text("has changed since the page showed it")
    expect(questions).to_have_count(2)
    expect(questions.last).to_contain_text("May I drop the table?")
    expect(field).to_have_value("For each user.")
    expect(questions.first.locator(".stale")).to_be_visible()
    expect(questions.first.locator("form button")).to_be_hidden()
    expect(questions.last.locator(".stale")).to_be_hidden()
    assert scene.task(1).message == ""
    field.fill("")
    page.locator("h1").click()
    expect(questions).to_have_count(1)


def test_an_answer_that_fails(page: Page, scene: Scene) -> None:
    """The text and the focus come back; after the last question the focus is on the heading."""
    scene.records.change(ASKS, outcome="completed", run={"task": "x", "outcome": "completed"})
    expect(page.locator(f'[data-key^="ask-{ASKS}"]')).to_have_count(0)
    field = page.get_by_label("Your answer to #1")
    page.route("**/answer", lambda route: route.abort("connectionrefused"))
    field.fill("For each user.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(field).to_be_focused()
    assert field.input_value() == "For each user."
    page.unroute("**/answer")
    page.get_by_role("button", name="Send the answer").click()
    expect(page.locator("section[data-key=waiting]")).to_have_count(0)
    expect(page.locator("h1")).to_be_focused()


def test_copying(context: BrowserContext, page: Page, server: PageServer) -> None:
    """The commands and the id of a waiting session are copied by a button that says so."""
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.address)
    page.goto(f"{server.address}/session/{ASKS}")
    button = page.get_by_role("button", name="Copy: Session id")
    button.click()
    expect(button).to_have_text("Copied")
    expect(page.locator("#news")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == ASKS
    expect(button).to_have_text("Copy")
    # as on a page that isn't on this machine
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    command = page.locator(".ways code").first.text_content()
    page.get_by_role("button", name="Copy: Answer in a shell").click()
    expect(page.get_by_role("button", name="Copy: Answer in a shell")).to_have_text("Copied")
    field = page.get_by_label("Your answer")
    field.click()
    page.keyboard.press("Control+v")
    assert field.input_value() == command


def test_an_error(page: Page, scene: Scene) -> None:
    """What can't be done is said on the page, wherever the user has scrolled to."""
    scene.records.change(RUNS, pid=os.getpid())
    page.set_viewport_size({"width": 390, "height": 400})
    page.get_by_role("button", name="Stop the run").click()
    assert page.evaluate("scrollY") > 400
    page.get_by_role("dialog").get_by_role("button", name="Stop the run").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("any more")
    expect(alert).to_be_in_viewport(ratio=1)
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_have_count(0)


def test_a_browser_that_is_forgotten(page: Page, server: PageServer, scene: Scene) -> None:
    """An action then says how to get in again, in sentences."""
    file = scene.records.directory / "web-key"
    server.end(signal.SIGKILL)
    file.unlink()
    with PageServer(scene.project, "--port", str(server.port)):
        page.get_by_role("button", name="Turn supervision off").click()
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("This page needs a token\nOpen the link")
        expect(alert).not_to_contain_text("Enter")


def test_a_second_language(page: Page, context: BrowserContext, server: PageServer) -> None:
    """A page keeps its language when another one of the browser is switched."""
    other = context.new_page()
    other.goto(server.address)
    other.get_by_role("button", name="中文").click()
    expect(other.locator("h1")).to_have_text("现在")
    page.reload()
    expect(page.locator("h1")).to_have_text("现在")
    other.get_by_role("button", name="English").click()
    expect(other.locator("h1")).to_have_text("Now")
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    page.wait_for_timeout(2_000)
    expect(page.locator("#live")).to_contain_text("关闭监督")


def test_opening(chromium: Browser, scene: Scene) -> None:
    """--open leads a browser in."""
    seen, opener = scene.project.root / "seen", scene.project.bin / "opener"
    opener.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    opener.chmod(0o755)
    context = chromium.new_context()
    with PageServer(scene.project, "--open", BROWSER=str(opener)) as server:
        wait_until(lambda: seen.exists() and seen.read_text().endswith("\n"))
        file = seen.read_text().strip()
        page = context.new_page()
        page.goto(file)
        page.wait_for_url(f"{server.address}/")
        expect(page.locator("h1")).to_have_text("Now")
        server.end()
    assert not Path(file.removeprefix("file://")).exists()
    context.close()


def test_typing(page: Page, scene: Scene) -> None:
    """What the user types stays, while the rest of the page changes."""
    field = page.get_by_label("Your answer to #1")
    field.click()
    page.keyboard.type("For each ")
    for number in range(3):
        scene.records.append(RUNS, "agent.jsonl", said(f"Step {number} is done."))
        expect(card(page, RUNS)).to_contain_text(f"Step {number} is done.")
        page.keyboard.type(f"{number} ")
    # another page answers the question
    scene.records.change(ASKS, outcome="completed", run={"task": "x", "outcome": "completed"})
    expect(page.locator(f'[data-key^="ask-{ASKS}"]')).to_have_count(0)
    page.keyboard.press("2")
    assert field.input_value() == "For each 0 1 2 2"
    expect(field).to_be_focused()
    assert page.url.endswith("/")


def test_what_the_user_opened(page: Page, server: PageServer, scene: Scene) -> None:
    """Open details, selected text, and the scroll position of a log stay."""
    page.goto(f"{server.address}/session/{REVIEWED}")
    check = page.locator("details.check").first
    check.locator("summary").click()
    expect(check).to_have_attribute("open", "")
    page.locator("h1").select_text()
    line = {**story()[4], "feedback": "One more round.", "iteration": 3}
    scene.records.append(REVIEWED, "verdicts.jsonl", line)
    scene.records.append(REVIEWED, "output.jsonl", said("New words."))
    expect(page.locator(".log")).to_contain_text("New words.")
    assert "Export the table" in page.evaluate("document.getSelection().toString()")
    page.evaluate("document.getSelection().removeAllRanges()")
    expect(page.locator("#live")).to_contain_text("One more round.")
    expect(check).to_have_attribute("open", "")


def test_logs_scroll(page: Page, scene: Scene) -> None:
    """A log stays at its end, unless the user has scrolled."""
    log = card(page, RUNS).locator(".log")
    long = "A long line of words. " * 12
    scene.records.append(RUNS, "agent.jsonl", *(said(f"{long} {n}") for n in range(14)))
    expect(log).to_contain_text("words. 13")
    at_end = "log => log.scrollTop + log.clientHeight >= log.scrollHeight - 8"
    assert log.evaluate(at_end)
    log.evaluate("log => { log.scrollTop = 20; }")
    scene.records.append(RUNS, "agent.jsonl", said("The last one."))
    expect(log).to_contain_text("The last one.")
    assert log.evaluate("log => log.scrollTop") == 20


@pytest.mark.thorough
def test_a_restart(page: Page, server: PageServer, scene: Scene) -> None:
    """The page says that the server is gone, and goes on with the next one, also with actions."""
    server.end(signal.SIGKILL)
    status = page.locator("#connection")
    expect(status).to_contain_text("Connection lost", timeout=5_000)
    with PageServer(scene.project, "--port", str(server.port)):
        expect(status).to_have_text("", timeout=8_000)
        scene.records.append(REVIEWED, "output.jsonl", init(), said("After the restart."))
        expect(card(page, REVIEWED)).to_contain_text("After the restart.", timeout=5_000)
        page.get_by_role("button", name="Turn supervision off").click()
        wait_until(lambda: not scene.state(REVIEWED)["enabled"])


def test_rotated_files(page: Page, scene: Scene) -> None:
    """Files that are rotated or removed while they are shown do no harm."""
    file = scene.records.file(REVIEWED, "output.jsonl")
    file.rename(file.with_suffix(".1"))
    scene.records.append(REVIEWED, "output.jsonl", init(), said("In the new file."))
    expect(card(page, REVIEWED)).to_contain_text("In the new file.")
    for path in scene.records.directory.glob(f"supervisor-{DONE}*"):
        path.unlink()
    expect(card(page, DONE)).to_have_count(0)
    expect(card(page, REVIEWED)).to_be_visible()


def test_keyboard(page: Page, server: PageServer) -> None:
    """Everything is reached by keys, and the focus can be seen."""
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("3")
    expect(page.locator("h1")).to_have_text("History")
    page.get_by_label("Search").first.focus()
    page.keyboard.type("importer 1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/history?q=importer+1")
    page.keyboard.press("1")
    page.wait_for_url(f"{server.address}/")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_without_scripts(chromium: Browser, server: PageServer, scene: Scene) -> None:
    """The pages can be read and used without JavaScript; the server asks instead."""
    context = let_in(chromium, server, java_script_enabled=False)
    page = context.pages[0]
    clock = card(page, REVIEWED).locator("time[data-since]")
    assert re.fullmatch(r"0:[12]\d", clock.text_content() or "")
    expect(page.get_by_text("switch pages")).to_be_hidden()
    page.get_by_role("link", name="Board").click()
    page.locator('[data-key="task-3"]').get_by_role("button", name="Cancel").click()
    expect(page.locator("h1")).to_have_text("Cancel task #3?")
    page.get_by_role("button", name="Cancel the task").click()
    expect(page.locator('[data-key="task-3"]')).to_contain_text("cancelled")
    page.locator('[data-key="task-4"] summary').click()
    page.locator('[data-key="task-4"]').get_by_label("Priority").fill("7")
    page.locator('[data-key="task-4"]').get_by_role("button", name="Set").click()
    wait_until(lambda: scene.task(4).priority == 7)
    page.goto(f"{server.address}/session/{ASKS}")
    expect(page.get_by_text(ASKS, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("name", WINDOWS)
def test_looks(chromium: Browser, server: PageServer, name: str) -> None:
    """Each page fits the window in both schemes, on a phone and in Chinese."""
    context = let_in(chromium, server, **WINDOWS[name])
    page = context.pages[0]
    for title, path in PAGES.items():
        page.goto(server.address + path)
        sizes = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert sizes[0] <= sizes[1], title
        picture = page.screenshot(full_page=True)
        assert len(picture) > 15_000
        if directory := os.environ.get("CCC_PICTURES"):
            (Path(directory) / f"web-{name}-{title}.png").write_bytes(picture)
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(21, 23, 27)") is (name == "dark")
        assert page.locator("html").get_attribute("lang") == ("zh-CN" if name == "zh" else "en")
    context.close()


@pytest.mark.thorough
def test_the_picture(chromium: Browser, server: PageServer, scene: Scene) -> None:
    """The picture of the README shows a question, a run and a review; `make picture` takes it."""
    scene.records.change(ASKS, outcome="completed", run={"task": "x", "outcome": "completed"})
    window = {"width": 1000, "height": 1130}
    context = let_in(chromium, server, viewport=window, color_scheme="light")
    page = context.pages[0]
    for part in ("ask-1-", RUNS, REVIEWED):
        expect(page.locator(f'[data-key^="{part}"]')).to_be_in_viewport()
    if directory := os.environ.get("CCC_PICTURES"):
        page.screenshot(path=Path(directory) / "web.png")
    context.close()


@pytest.mark.parametrize("name", ["light", *THOROUGH])
def test_accessibility(chromium: Browser, server: PageServer, name: str) -> None:
    """An audit finds nothing serious on any page."""
    needs("npm")
    needs_file(AXE, "make axe")
    context = let_in(chromium, server, bypass_csp=True, **WINDOWS[name])
    page = context.pages[0]
    found: dict[str, list[str]] = {}
    for path in (*PAGES.values(), "/missing", "/history?q=nothing"):
        page.goto(server.address + path)
        page.add_script_tag(path=AXE)
        result = page.evaluate("axe.run()")
        for problem in result["violations"]:
            nodes = [node["html"][:150] for node in problem["nodes"][:3]]
            found[f"{path} {problem['id']} ({problem['impact']})"] = nodes
        assert len(result["passes"]) > 5
    context.close()
    assert {key: value for key, value in found.items() if "(minor)" not in key} == {}
