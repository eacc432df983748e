"""Connections to `ccc web` that say nothing or not enough, or don't read."""

import http.client
import select
import socket
import time

import pytest

from ccc.web.connection import MOST_CONNECTIONS
from harness.page import Browser, PageServer
from harness.processes import wait_until

REQUEST = b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SCRIPT = b"GET /static/web.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
FORM = b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
FORM += b"Origin: http://127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\ntok"


@pytest.mark.thorough
def test_half_a_request(server: PageServer, visitor: Browser) -> None:
    """A connection without a whole request is closed; one with a stream stays."""
    parts = {
        "nothing": b"",
        "half a line": b"GET / HT",
        "half of the headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        "half a form": FORM,
        "half of the next": REQUEST + b"GET / HT",
    }
    opened = {name: connect(server) for name in parts}
    with visitor.events("now") as events:
        for name, each in opened.items():
            each.sendall(parts[name])
        start = time.monotonic()
        for name, each in opened.items():
            assert is_closed(each, 14), name
        assert 4 < time.monotonic() - start < 14
        assert events.answer.status == 200
        events.wait_for("importer")
        assert visitor.get("/").status == 200


def test_slow_bytes(server: PageServer) -> None:
    """A request in pieces is answered, and another one on the same connection."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=10)
    connection.connect()
    for piece in (REQUEST[:9], REQUEST[9:40], REQUEST[40:]):
        connection.sock.sendall(piece)
        time.sleep(0.2)
    assert b"200 OK" in connection.sock.recv(65_536)
    connection.sock.sendall(REQUEST)
    assert b"200 OK" in connection.sock.recv(65_536)
    connection.close()


def test_many_silent_connections(server: PageServer, visitor: Browser) -> None:
    """They are closed for those that ask for something."""
    silent = [connect(server) for _ in range(MOST_CONNECTIONS + 20)]
    for _ in range(5):
        assert visitor.get("/").status == 200
    assert is_closed(silent[0], 5)
    assert not is_closed(silent[-1], 0.2)
    for each in silent:
        each.close()


@pytest.mark.thorough
def test_many_unread_answers(server: PageServer, visitor: Browser) -> None:
    """Strangers who ask and never read make room for a browser that was let in, not its stream."""
    with visitor.events("now") as events:
        deaf = [ask_without_reading(server) for _ in range(MOST_CONNECTIONS + 20)]
        for _ in range(5):
            assert visitor.get("/").status == 200
        assert visitor.post("/language", language="zh").status == 303
        assert events.next()
    for each in deaf:
        each.close()


@pytest.mark.thorough
def test_an_unread_answer(server: PageServer) -> None:
    """A connection whose answer isn't read is closed after a while."""
    deaf, start = [ask_without_reading(server) for _ in range(3)], time.monotonic()
    wait_until(lambda: all(map(is_reset, deaf)), timeout=25)
    assert time.monotonic() - start > 9
    for each in deaf:
        each.close()


def ask_without_reading(server: PageServer) -> socket.socket:
    """Send requests at once whose answers are more than the system keeps for a connection."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect((server.host, server.port))
    connection.sendall(SCRIPT * 900)
    return connection


def is_reset(connection: socket.socket) -> bool:
    """Return whether the server has closed the connection, without reading from it."""
    poll = select.poll()
    poll.register(connection, 0)
    return bool(poll.poll(0))


def connect(server: PageServer) -> socket.socket:
    """Open a connection that says nothing yet."""
    return socket.create_connection((server.host, server.port))


def is_closed(connection: socket.socket, seconds: float) -> bool:
    """Return whether the server closes the connection within that time."""
    connection.settimeout(seconds)
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True
