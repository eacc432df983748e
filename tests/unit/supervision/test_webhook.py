"""Requests that report the end of a task: their content, and what can go wrong."""

import http.server
import json
import socket
import threading
from collections.abc import Iterator
from email.header import decode_header, make_header
from typing import Any

import pytest

from ccc.supervision import webhook
from ccc.supervision.notifications import Notification
from ccc.supervision.webhook import Report

REPORT = Report("completed", "s-1", "done: all of it", "/home/me/shop", "12")


class Server(http.server.ThreadingHTTPServer):
    """Records requests and gives one answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: tuple[int, dict[str, str]] = (200, {})
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/secret?a=b"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.casefold(): value for name, value in self.headers.items()}
        self.server.requests.append((self.command, self.path, headers, body))
        status, given = self.server.answer
        self.send_response(status)
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()

    do_GET = do_POST


@pytest.fixture
def server() -> Iterator[Server]:
    """A server on loopback."""
    with Server() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def post(server: Server, kind: str, report: Report = REPORT) -> tuple[dict[str, str], bytes]:
    """Send a report and return what arrived."""
    assert webhook.post(webhook.request(kind, server.url, report), 10) == ""
    ((method, path, headers, body),) = server.requests
    assert (method, path) == ("POST", "/secret?a=b")
    return headers, body


def test_json(server: Server) -> None:
    """A webhook gets all facts as JSON."""
    headers, body = post(server, "webhook")
    assert headers["content-type"].startswith("application/json")
    assert json.loads(body) == {
        "outcome": "completed",
        "session": "s-1",
        "message": "done: all of it",
        "project": "/home/me/shop",
        "task": "12",
    }


def test_ntfy(server: Server) -> None:
    """Ntfy gets the message as it is, and the rest as headers."""
    headers, body = post(server, "ntfy")
    assert body.decode() == "done: all of it"
    assert headers["title"] == "ccc: completed (shop #12)"
    assert (headers["tags"], headers["priority"]) == ("white_check_mark", "default")


def test_ntfy_about_a_failure(server: Server) -> None:
    """What isn't completed is more urgent; any name of a project fits into a header."""
    report = Report("cancelled", "", "", "/home/me/店\r\nX-Evil: 1", "")
    headers, body = post(server, "ntfy", report)
    assert (headers["tags"], headers["priority"]) == ("warning", "high")
    assert str(make_header(decode_header(headers["title"]))) == "ccc: cancelled (店  X-Evil: 1)"
    assert "x-evil" not in headers
    assert body.decode() == "ccc: cancelled (店  X-Evil: 1)"


def test_slack(server: Server) -> None:
    """Slack gets one text, in which nothing calls people or is a link."""
    report = Report("stuck", "s", "<!channel> a & b @everyone", "/shop", "")
    _, body = post(server, "slack", report)
    text = json.loads(body)["text"]
    assert text == "ccc: stuck (shop)\n&lt;!channel&gt; a &amp; b @\u200beveryone"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 400, 404, 500])
def test_a_refusal(server: Server, status: int) -> None:
    """An answer other than success is a failure, and no redirect is followed."""
    with Server() as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        server.answer = (status, {"Location": other.url})
        cause = webhook.post(webhook.request("webhook", server.url, REPORT), 10)
        other.shutdown()
        assert other.requests == []
    assert cause == f"HTTP {status}"
    assert len(server.requests) == 1


def test_nobody_listens() -> None:
    """The cause of a failed connection doesn't show the URL."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/secret"
        cause = webhook.post(webhook.request("webhook", url, REPORT), 10)
    assert "refused" in cause
    assert webhook.host(url) == "127.0.0.1"


def test_an_answer_in_drops() -> None:
    """A server that sends a byte now and then doesn't hold it up."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/secret"
        done = threading.Event()

        def drip() -> None:
            connection, _ = listening.accept()
            with connection:
                while not done.wait(0.1):
                    try:
                        connection.send(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        cause = webhook.post(webhook.request("webhook", url, REPORT), 0.5)
        done.set()
        thread.join()
    assert cause == "> 0.5 s"


@pytest.mark.parametrize("answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 secret\r\n\r\n"])
def test_no_http(answer: bytes) -> None:
    """An answer that isn't HTTP is a failure like any other."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/secret"

        def reply() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)

        thread = threading.Thread(target=reply, daemon=True)
        thread.start()
        cause = webhook.post(webhook.request("webhook", url, REPORT), 10)
        thread.join()
    assert cause
    assert "secret" not in cause


def test_a_proxy_is_not_for_this_machine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request to loopback never goes to a proxy."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    post(server, "webhook")


@pytest.mark.parametrize("kind", ["webhook", "ntfy", "slack"])
def test_a_request_is_no_command(kind: str) -> None:
    """A request is neither run by a shell nor sent to the terminal."""
    found = Notification(f"{kind}:https://h/x", "failed", "", message="m", project="")
    assert found.request == (kind, "https://h/x")
    assert found.command == ()
    assert found.sequence == ""


def test_a_command_is_no_request() -> None:
    """What only looks similar stays a command."""
    for wish in ("curl https://h", "webhook", ("webhook:https://h",)):
        assert Notification(wish, "failed", "", message="m", project="").request == ("", "")


def test_the_task_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of the queue's task comes from the environment unless it is given."""
    monkeypatch.setenv("CCC_QUEUE_TASK", "7")
    found = Notification("bell", "failed", "", message="m", project="")
    assert found.variables["CCC_TASK"] == "7"
    given = Notification("bell", "failed", "", message="m", project="", task="8")
    assert given.variables["CCC_TASK"] == "8"
    assert Report.from_variables(given.variables).task == "8"
