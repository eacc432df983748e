"""A session in which claude waits for the user: on the page and in a terminal."""

import json
import os

import pytest
from looking import DONE, LANGUAGES

from harness import CccProject
from harness.page import PageServer
from harness.processes import wait_until
from harness.records import Records

OPENED = 1_795_039_226
PHASES = {"en": "needs you", "zh": "等你处理"}
ASKED = {"en": "permission: Bash(echo", "zh": "请求许可：Bash(echo"}


def open_dialog(stubbed: CccProject, records: Records, status: str = "waiting") -> None:
    """Add a session in which claude asks for a permission, or has just got an answer."""
    asks = {"kind": "permission", "text": "Bash(echo <script>\x1b[31m)", "at": OPENED}
    alive = {"pid": os.getpid(), "claude": "/x/py", "outcome": "", "enabled": True}
    records.add(DONE, [], asks=asks, **alive)
    record = {"status": status, "waitingFor": "permission prompt", "statusUpdatedAt": OPENED * 1000}
    stubbed.write(f".claude/sessions/{os.getpid()}.json", json.dumps(record))


@LANGUAGES
def test_on_the_page(stubbed: CccProject, records: Records, language: str) -> None:
    """The question waits for the user until claude goes on; its text is no markup."""
    open_dialog(stubbed, records)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        for path in ("/", f"/session/{DONE}"):
            text = visitor.get(path, Accept_Language=language).text
            assert f"{ASKED[language]} &lt;script&gt;" in text
            assert f'data-key="ask-{DONE}' in text
        open_dialog(stubbed, records, status="busy")
        wait_until(lambda: "ask-" not in visitor.get("/").text)


@LANGUAGES
@pytest.mark.tmux
def test_in_a_terminal(stubbed: CccProject, records: Records, tmux: None, language: str) -> None:
    """At 80 columns `ccc status` and `ccc watch` show the phase and what is asked."""
    open_dialog(stubbed, records)
    for command, end in (("status", r"\[exit 0\]"), ("watch", r"\n\n")):
        with stubbed.interactive(command, env={"CCC_LANG": language}) as terminal:
            terminal.resize(80)
            screen = terminal.wait_for(end)
            assert PHASES[language] in screen
            assert f"? {ASKED[language]}" in screen
