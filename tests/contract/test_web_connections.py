"""Connections to `ccc web` that are slow, or too many."""

import http.client
import socket
import time

from looking import DONE, at_work

from ccc.web.server import MOST_CONNECTIONS
from harness.page import Browser, PageServer
from harness.processes import wait_until
from harness.records import Records, init, said

REQUEST = b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


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


def test_a_large_head(server: PageServer) -> None:
    """It is refused before all of it has arrived."""
    connection = socket.create_connection((server.host, server.port), timeout=10)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 40_000)
    assert b"400 Bad Request" in connection.recv(65_536)
    connection.close()


def test_many_connections(server: PageServer, visitor: Browser, three_sessions: Records) -> None:
    """More than the limit are refused, until one is closed; an open page goes on."""
    with visitor.events("now") as events:
        three_sessions.change(DONE, **at_work())
        events.wait_for("importer")
        silent = [
            socket.create_connection((server.host, server.port)) for _ in range(MOST_CONNECTIONS)
        ]
        assert visitor.get("/").status == 503
        three_sessions.append(DONE, "output.jsonl", init(), said("I look at the parser."))
        events.wait_for("I look at the parser.")
        for each in silent:
            each.close()
        wait_until(lambda: visitor.get("/").status == 200)
