"""`supervisor.notify` with a URL posts the end of a task; failures don't show the URL."""

import http.server
import json
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from stops import SESSION, Supervised

from ccc.config import ccc_json
from ccc.storage.paths import Paths
from ccc.supervision.notifications import Notification
from harness.processes import wait_until

pytestmark = pytest.mark.thorough

PATH = "/T0/secret-part"


class Receiver(http.server.ThreadingHTTPServer):
    """Records the bodies of requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.bodies: list[bytes] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}{PATH}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        assert self.path == PATH
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(self.server.status)
        self.end_headers()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A server on loopback."""
    with Receiver() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@pytest.mark.journey
def test_a_webhook(supervised: Supervised, receiver: Receiver) -> None:
    """The end of a task is posted as JSON, with the number of the queue's task."""
    supervised.configure(notify=f"webhook:{receiver.url}")
    stopped = supervised.stop(env={"CCC_QUEUE_TASK": "12"})
    wait_until(lambda: bool(receiver.bodies), "the request")
    assert json.loads(receiver.bodies[0]) == {
        "outcome": "completed",
        "session": SESSION,
        "message": stopped.message,
        "project": str(supervised.project.directory),
        "task": "12",
    }


@pytest.mark.parametrize("kind", ["ntfy", "slack"])
def test_other_kinds(supervised: Supervised, receiver: Receiver, kind: str) -> None:
    """The message arrives in the form of each service."""
    supervised.configure(notify=f"{kind}:{receiver.url}")
    stopped = supervised.stop()
    wait_until(lambda: bool(receiver.bodies), "the request")
    body = receiver.bodies[0].decode()
    assert stopped.message in (body if kind == "ntfy" else json.loads(body)["text"])


def test_a_failure_is_in_the_log_without_the_url(
    supervised: Supervised, receiver: Receiver
) -> None:
    """A request that fails doesn't affect the stop, and the log names only the host."""
    receiver.status = 403
    supervised.configure(notify=f"slack:{receiver.url}")
    assert "completed" in supervised.stop().message
    wait_until(lambda: "notify failed" in supervised.log)
    assert "HTTP 403" in supervised.log
    assert "127.0.0.1" in supervised.log
    for file in supervised.state_dir.rglob("*"):
        assert not file.is_file() or b"secret-part" not in file.read_bytes()


@pytest.mark.parametrize(
    "words", [("doctor",), ("doctor", "--json"), ("provider", "show", "kimi"), ("provider", "list")]
)
def test_no_command_shows_the_url(
    supervised: Supervised, receiver: Receiver, words: tuple[str, ...]
) -> None:
    """The URL is a secret, which no command prints."""
    supervised.configure(notify=f"webhook:{receiver.url}")
    outcome = supervised.project.run(*words)
    assert "secret-part" not in outcome.stdout + outcome.stderr


def test_a_command_gets_the_task(supervised: Supervised) -> None:
    """A command has the number of the queue's task in its environment."""
    file = supervised.project.root / "told"
    supervised.configure(notify=f'echo "$CCC_TASK" > {file}.new; mv {file}.new {file}')
    supervised.stop(env={"CCC_QUEUE_TASK": "12"})
    wait_until(file.exists)
    assert file.read_text() == "12\n"


def test_an_end_without_a_session(
    supervised: Supervised, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue can report an end of its own, which no session and no project belongs to."""
    supervised.configure(notify=f"webhook:{receiver.url}")
    env = supervised.project.env
    for name in [*os.environ]:
        monkeypatch.delenv(name)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    where = Paths(env, str(supervised.state_dir))
    config = ccc_json.read(where)
    notification = Notification(
        config.supervisor.notify, "failed", "", message="no worktree", project="", task="3"
    )
    notification.send(config, where, {})
    wait_until(lambda: bool(receiver.bodies), "the request")
    found = json.loads(receiver.bodies[0])
    assert (found["outcome"], found["session"], found["task"]) == ("failed", "", "3")
