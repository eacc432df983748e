"""Answering a run's question on the page of `ccc web`, with the real client."""

import signal
import stat
from pathlib import Path

import pytest
from runs import NEED, QUICKLY, run, state
from supervised import ASKED, REVIEWING, WORKING, YES, Record, judged, requests

from harness import Bench, CccProject
from harness.page import PageServer
from harness.processes import nothing_runs, wait_until
from harness.scripted import Rule, answer, endless, every, said_last

pytestmark = pytest.mark.real


def ask(project: CccProject) -> Record:
    """Run a task until it needs the user, and return its record."""
    assert run(project, "do it").code == 23
    return Record(project)


@pytest.mark.journey
def test_an_answer_continues_the_run(bench: Bench) -> None:
    """The run continues with the answer in the background, even if the server ends."""
    project = bench(*judged(NEED, YES))
    record = ask(project)
    with PageServer(project, **QUICKLY) as server:
        visitor = server.browser()
        for page in ("/", f"/session/{record.session}"):
            text = visitor.get(page).text
            assert f'action="/session/{record.session}/answer"' in text
            assert "which colour?" in text
        done = visitor.post(f"/session/{record.session}/answer", text="--blue\r\nor 'green'")
        assert (done.status, done.headers["location"]) == (303, "/")
        assert 'role="alert"' not in visitor.get("/").text
        server.end(signal.SIGINT)
    wait_until(lambda: state(project)["outcome"] == "completed")
    assert "--blue\nor 'green'" in requests(project, WORKING)[-1].last_text
    assert "--blue" in requests(project, ASKED)[-1].last_text
    printed = record.file("run.log")
    wait_until(lambda: "completed" in printed.read_text())
    assert stat.S_IMODE(printed.stat().st_mode) == 0o600
    assert any(" answered on the page " in line for line in record.log)
    nothing_runs(project.home)


def test_it_can_be_stopped(bench: Bench) -> None:
    """The continued run is stopped on the page like any other, and reaped."""
    told = every(WORKING, said_last("blue"))
    project = bench(
        Rule(REVIEWING, answer(NEED)), Rule(told, endless()), Rule(WORKING, answer("Done."))
    )
    record = ask(project)
    address = f"/session/{record.session}"
    with PageServer(project, **QUICKLY) as server:
        visitor = server.browser()
        visitor.post(f"{address}/answer", text="blue")
        wait_until(lambda: requests(project, told))
        assert "Stop the run" in visitor.get(address).text
        refused = visitor.post(f"{address}/answer", text="blue").text
        assert "doesn&#x27;t wait for an answer" in refused
        visitor.post(f"{address}/stop", sure="yes")
        wait_until(lambda: state(project)["outcome"] == "interrupted")
        pid = record.state["pid"]
        wait_until(lambda: not Path(f"/proc/{pid}").exists(), "the server to reap the run")
    nothing_runs(project.home)


@pytest.mark.key_in("key.sh")
def test_a_run_that_starts_late(bench: Bench) -> None:
    """A key command that takes long delays the run; only the first answer counts."""
    project = bench(*judged(NEED, YES))
    record = ask(project)
    go, script = project.root / "go", project.root / "key.sh"
    key = project.provider()["env"]["ANTHROPIC_AUTH_TOKEN"]
    script.write_text(f"#!/bin/sh\nwhile [ ! -e '{go}' ]; do sleep 0.05; done\necho '{key}'\n")
    script.chmod(0o755)
    slow = project.provider(ANTHROPIC_AUTH_TOKEN={"command": [str(script)]})
    project.configure(providers={"kimi": slow})
    with PageServer(project, **QUICKLY) as server:
        visitor = server.browser()
        address = f"/session/{record.session}/answer"
        assert "is starting" in visitor.post(address, text="blue").text
        assert "has an answer already" in visitor.post(address, text="green").text
        go.touch()
        wait_until(lambda: state(project)["outcome"] == "completed")
        assert 'role="alert"' not in visitor.get("/").text
    asked = [request.last_text for request in requests(project, WORKING)]
    assert any("blue" in text for text in asked)
    assert not any("green" in text for text in asked)
    wait_until(lambda: "completed" in record.file("run.log").read_text())
    nothing_runs(project.home)


def test_a_run_that_does_not_start(bench: Bench) -> None:
    """The page says why a run couldn't be continued."""
    project = bench(*judged(NEED, YES))
    record = ask(project)
    project.configure(providers={"other": project.provider()})
    with PageServer(project) as server:
        visitor = server.browser()
        text = visitor.post(f"/session/{record.session}/answer", text="blue").text
    assert "couldn&#x27;t be continued" in text
    assert "kimi" in text[text.index("couldn&#x27;t be continued") :][:400]
    assert state(project)["outcome"] == "needs_user"
