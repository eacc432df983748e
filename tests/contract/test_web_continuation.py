"""Answers on the page of `ccc web` to runs that can't continue, or only after a while."""

import errno
import html
import os
import re
import resource
import time
from pathlib import Path

import pytest
from looking import DONE

from harness import CccProject
from harness.page import Browser, PageServer
from harness.records import Records

RUN = {"task": "Port the importer", "outcome": "needs_user"}
ADDRESS = f"/session/{DONE}/answer"
SLOW = "#!/bin/sh\nwhile [ ! -e '{go}' ]; do sleep 0.05; done\nexit 3\n"


@pytest.fixture
def log(stubbed: CccProject, records: Records) -> Path:
    """A run in the project that waits for an answer; the path of what its continuation prints."""
    here = str(stubbed.directory)
    run = {**RUN, "cwd": here}
    records.add(DONE, [], time.time() - 60, run=run, outcome="needs_user", cwd=here)
    return stubbed.claude_dir / "ccc" / f"supervisor-{DONE}-run.log"


def told(visitor: Browser) -> str:
    """Return the message on the next page."""
    return told_in(visitor.get("/").text)


def told_in(page: str) -> str:
    """Return the message on a page."""
    found = re.search(r'<p class="told"[^>]*>(.*?)</p>', page, re.DOTALL)
    return html.unescape(found.group(1)) if found else ""


def send(visitor: Browser) -> str:
    """Answer the run, and return what the page says; it gives back what was written."""
    answer = visitor.post(ADDRESS, text="blue")
    assert (answer.status, ">blue</textarea>" in answer.text) == (200, True)
    return told_in(answer.text)


def test_an_unusable_log(stubbed: CccProject, log: Path) -> None:
    """The page says why the run couldn't be continued."""
    log.mkdir()
    with PageServer(stubbed) as server:
        visitor = server.browser()
        assert os.strerror(errno.EISDIR) in send(visitor)


def test_a_full_disk(stubbed: CccProject, log: Path) -> None:
    """The page says why the run couldn't be continued."""
    with PageServer(stubbed) as server:
        visitor = server.browser()
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        assert "couldn't be continued" in send(visitor)
    assert not log.read_text()


def test_a_run_that_fails_after_a_while(stubbed: CccProject, log: Path) -> None:
    """The page says that it starts, takes no second answer meanwhile, and says how it failed."""
    go, script = stubbed.root / "go", stubbed.root / "key.sh"
    script.write_text(SLOW.format(go=go))
    script.chmod(0o755)
    provider = stubbed.provider(ANTHROPIC_AUTH_TOKEN={"command": [str(script)]})
    stubbed.configure(providers={"kimi": provider})
    with PageServer(stubbed) as first, PageServer(stubbed) as second:
        visitor, other = first.browser(), second.browser()
        assert "is starting; that takes a while" in send(visitor)
        assert "has an answer already" in send(visitor)
        assert "has an answer already" in send(other)
        go.touch()
        failure = next(filter(None, (told(visitor) for _ in range(2_000))))
        assert "couldn't be continued" in failure
        assert "printed no key" in failure
        assert not told(visitor)
        # another answer can be tried
        assert "printed no key" in send(visitor)
    assert log.read_text().count("printed no key") == 1
