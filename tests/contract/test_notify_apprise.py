"""`supervisor.notify` with a URL reports the end of a task by Apprise; the URL stays a secret."""

import http.server
import json
import os
import socket
import subprocess
import sys
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
        self.paths: list[str] = []
        self.place = f"127.0.0.1:{self.server_address[1]}"
        self.url = f"http://{self.place}{PATH}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        self.server.paths.append(self.path)
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
    assert receiver.paths == [PATH]
    assert json.loads(receiver.bodies[0]) == {
        "outcome": "completed",
        "session": SESSION,
        "message": stopped.message,
        "project": str(supervised.project.directory),
        "task": "12",
    }


@pytest.mark.parametrize(
    ("wish", "path", "field"),
    [
        ("ntfy:http://{place}/topic", "/", "message"),
        ("slack:http://{place}/T0/x", "/T0/x", "text"),
        ("json://{place}/T0/x", "/T0/x", "message"),
    ],
)
def test_other_kinds(
    supervised: Supervised, receiver: Receiver, wish: str, path: str, field: str
) -> None:
    """The message arrives in the form of each service."""
    supervised.configure(notify=wish.format(place=receiver.place))
    stopped = supervised.stop()
    wait_until(lambda: bool(receiver.bodies), "the request")
    assert receiver.paths == [path]
    assert stopped.message in json.loads(receiver.bodies[0])[field]


@pytest.mark.parametrize(
    ("wish", "shown"),
    [
        ("slack:{url}", ("HTTP 403", "127.0.0.1")),
        ("json://127.0.0.1:1/secret-part", ("not delivered", "service=json")),
        ("nothing-known://secret-part", ("know this URL", "service=nothing-known")),
    ],
)
def test_a_failure_is_in_the_log_without_the_url(
    supervised: Supervised, receiver: Receiver, wish: str, shown: tuple[str, ...]
) -> None:
    """A request that fails doesn't affect the stop, and the log names only host or service."""
    receiver.status = 403
    supervised.configure(notify=wish.format(url=receiver.url))
    assert "completed" in supervised.stop().message
    wait_until(lambda: "notify failed" in supervised.log)
    assert all(each in supervised.log for each in shown)
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


def test_a_service_that_does_not_answer(supervised: Supervised) -> None:
    """A request ends when its time is over, and the log says so."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        job = {
            "request": ["webhook", f"http://127.0.0.1:{listening.getsockname()[1]}/secret-part"],
            "facts": dict.fromkeys(("outcome", "session", "message", "project", "task"), "x"),
            "state_dir": str(supervised.state_dir),
            "seconds": 2,
        }
        subprocess.run(
            [sys.executable, "-P", "-m", "ccc.supervision.notifications"],
            env={**supervised.project.env, "CCC_NOTIFICATION": json.dumps(job)},
            check=False,
            timeout=10,
        )
        wait_until(lambda: "notify failed" in supervised.log)
    assert "> 2 s" in supervised.log
