"""A page that can't be made."""

import asyncio
from typing import Any

import pytest

from ccc.storage.paths import Paths
from ccc.web import views
from ccc.web.access import Access
from ccc.web.app import App

GONE = {"type": "http.disconnect"}


class Caller:
    """Calls an answer as a server does, and keeps what is sent."""

    def __init__(self, leaves: bool = False) -> None:
        self._leaves = leaves
        self.sent: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        """Wait for the browser to leave."""
        if not self._leaves:
            await asyncio.sleep(60)
        return GONE

    async def send(self, message: Any) -> None:
        """Keep a message."""
        self.sent.append(message)

    @property
    def body(self) -> str:
        """Return the parts that were sent."""
        return "".join(each.get("body", b"").decode() for each in self.sent)


@pytest.mark.parametrize(("language", "words"), [("en", "a bug in ccc"), ("zh", "bug")])
@pytest.mark.parametrize("part", ["forget_shown_keys", "look", "render"])
def test_a_page_that_fails(
    part: str, language: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """Its head has been sent, so it says itself that something is wrong, and ends properly."""

    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(views.Views, part, fail)
    keys = Access(cookie_name="x")
    cookie = keys.enter(keys.begin())
    app = App(Paths({"CLAUDE_CONFIG_DIR": str(tmp_path), "HOME": str(tmp_path)}), keys, "en")
    headers = [(b"host", b"localhost"), (b"cookie", f"x={cookie}; ccc_lang={language}".encode())]
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "root_path": "",
        "query_string": b"",
        "headers": headers,
    }
    caller = Caller()
    asyncio.run(app(scope, caller.receive, caller.send))
    assert caller.sent[0]["status"] == 200
    assert words in caller.body
    assert "<nav" in caller.body
    assert caller.body.endswith("</html>\n")
