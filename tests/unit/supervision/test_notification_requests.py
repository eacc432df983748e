"""What Apprise is asked to send at the end of a task, and what can go wrong."""

import http.server
import json
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ccc.supervision.notifications import INSTALL, Notification, send_request

FACTS = {
    "outcome": "completed",
    "session": "s-1",
    "message": "done: all of it",
    "project": "/home/me/shop",
    "task": "12",
}


class Server(http.server.ThreadingHTTPServer):
    """Records requests and gives one answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: tuple[int, dict[str, str]] = (200, {})
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.place = f"127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))))
        headers = {name.casefold(): value for name, value in self.headers.items()}
        self.server.requests.append((self.path, headers, body))
        status, given = self.server.answer
        self.send_response(status)
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on loopback; a proxy is set, which is not for this machine."""
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with Server() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def test_json(server: Server) -> None:
    """A webhook gets all facts as JSON, at the URL as it is."""
    assert send_request("webhook", f"http://{server.place}/Secret?a=b", FACTS) == ""
    ((path, headers, body),) = server.requests
    assert path == "/Secret?a=b"
    assert headers["content-type"].startswith("application/json")
    assert body == FACTS


def test_ntfy(server: Server) -> None:
    """Ntfy gets topic, title and message."""
    assert send_request("ntfy", f"http://{server.place}/topic", FACTS) == ""
    ((_, headers, body),) = server.requests
    title = "ccc: completed (shop #12)"
    assert body == {"topic": "topic", "title": title, "message": "done: all of it"}
    assert headers["x-tags"] == "white_check_mark"
    assert "x-priority" not in headers


def test_ntfy_about_a_failure(server: Server) -> None:
    """What isn't completed is more urgent; any name of a project fits into a title."""
    facts = {**FACTS, "outcome": "cancelled", "project": "/home/me/店\r\nX-Evil: 1", "message": ""}
    assert send_request("ntfy", f"http://{server.place}/topic", facts) == ""
    ((_, headers, body),) = server.requests
    assert headers["x-priority"] == "high"
    assert body["title"] == body["message"] == "ccc: cancelled (店  X-Evil: 1 #12)"


def test_slack(server: Server) -> None:
    """Slack gets one text, in which nothing calls people or is a link."""
    facts = {**FACTS, "outcome": "stuck", "message": "<!channel> a & b @everyone"}
    assert send_request("slack", f"http://{server.place}/x", facts) == ""
    ((_, _, body),) = server.requests
    text = "ccc: stuck (shop #12)\n&lt;!channel&gt; a &amp; b @\u200beveryone"
    assert body == {"text": text}


def test_a_url_of_apprise(server: Server) -> None:
    """Apprise gets title, message, and whether it is a success."""
    assert send_request("apprise", f"json://{server.place}/x", FACTS) == ""
    ((_, _, body),) = server.requests
    assert (body["title"], body["message"], body["type"]) == (
        "ccc: completed (shop #12)",
        "done: all of it",
        "success",
    )


@pytest.mark.parametrize("status", [301, 307, 400, 404, 500])
def test_a_refusal(server: Server, status: int) -> None:
    """An answer other than success is a failure, and no redirect is followed."""
    with Server() as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        server.answer = (status, {"Location": f"http://{other.place}/secret"})
        cause = send_request("webhook", f"http://{server.place}/secret", FACTS)
        other.shutdown()
        assert other.requests == []
    assert cause == f"HTTP {status}"
    assert len(server.requests) == 1


def test_nobody_listens() -> None:
    """The cause of a failed connection doesn't show the URL."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        assert send_request("webhook", f"http://{place}/secret", FACTS) == "not delivered"


def test_a_url_that_apprise_does_not_know() -> None:
    """The cause doesn't show the URL."""
    cause = send_request("apprise", "nothing-known://secret", FACTS)
    assert cause == "Apprise doesn't know this URL"


def test_apprise_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cause says what to install."""
    monkeypatch.setitem(sys.modules, "apprise", None)
    assert INSTALL in send_request("apprise", "json://127.0.0.1:9", FACTS)


@pytest.mark.parametrize("kind", ["webhook", "ntfy", "slack"])
def test_a_request_is_no_command(kind: str) -> None:
    """A request is neither run by a shell nor sent to the terminal."""
    found = Notification(f"{kind}:https://h/x", "failed", "", message="m", project="")
    assert found.request == (kind, "https://h/x")
    assert found.command == ()
    assert found.sequence == ""


@pytest.mark.parametrize(
    "url", ["slack://a/b/c", "tgram://token/chat", "https://discord.example/x"]
)
def test_what_apprise_is_asked(url: str) -> None:
    """Any other URL is Apprise's."""
    found = Notification(url, "failed", "", message="m", project="")
    assert (found.request, found.command) == (("apprise", url), ())


def test_a_command_is_no_request() -> None:
    """What only looks similar stays a command."""
    for wish in ("curl https://h", "webhook", "./a://b", ("webhook:https://h",)):
        assert Notification(wish, "failed", "", message="m", project="").request == ("", "")


def test_the_task_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of the queue's task comes from the environment unless it is given."""
    monkeypatch.setenv("CCC_QUEUE_TASK", "7")
    found = Notification("bell", "failed", "", message="m", project="")
    assert found.facts["task"] == "7"
    given = Notification("bell", "failed", "", message="m", project="", task="8")
    assert given.facts["task"] == "8"
