"""HTTP on loopback for the scripted model; knows nothing about scenarios."""

import contextlib
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from ccc.scripted.reply import Failure
from ccc.scripted.wire import Response, error_response

HOST = "127.0.0.1"
_MOST_BYTES = 32 * 1024 * 1024  # Anthropic's own limit for a request

Handle = Callable[[str, str, Mapping[str, str], bytes], Response]


class Listener(ThreadingHTTPServer):
    """Listens on an ephemeral loopback port and passes each request to `handle`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.over = threading.Event()
        self.problems: list[str] = []
        self._clients: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__((HOST, 0), _Connection)

    def server_bind(self) -> None:
        """Bind without looking up the host name, which may use the network."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def end(self) -> None:
        """Stop listening, then disconnect every client."""
        self.shutdown()
        self.server_close()
        self.over.set()
        with self._lock:
            for client in self._clients:
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the client, so that `end` can disconnect it."""
        with self._lock:
            self._clients.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the client."""
        with self._lock:
            self._clients.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Record errors instead of printing them; ignore a client that disconnects."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.problems.append(repr(error))


class _Connection(BaseHTTPRequestHandler):
    server: Listener
    protocol_version = "HTTP/1.1"
    server_version = "scripted-model"
    sys_version = ""
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing, because every request is recorded."""

    def _serve(self) -> None:
        length = self.headers.get("content-length", "0")
        if not length.isdecimal() or "transfer-encoding" in self.headers:
            self._refuse(411, "invalid_request_error", "a content-length is needed")
        elif int(length) > _MOST_BYTES:
            self._refuse(413, "request_too_large", "Request exceeds the maximum size")
        else:
            headers = {name.lower(): value for name, value in self.headers.items()}
            path, raw = urlsplit(self.path).path, self.rfile.read(int(length))
            self._send(self.server.handle(self.command, path, headers, raw))

    do_HEAD = do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve

    def _refuse(self, status: int, type: str, message: str) -> None:
        # The body is still in the socket and would be read as the next request.
        self._send(error_response(Failure(status, type, message, {"connection": "close"})))

    def _send(self, response: Response) -> None:
        if self._is_over_after(response.delay):
            return
        self.send_response(response.status)
        self.send_header("content-type", response.content_type)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if isinstance(response.body, bytes):
            self._send_whole(response.body)
        else:
            self._send_parts(response.body, response)

    def _send_whole(self, body: bytes) -> None:
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send_parts(self, parts: Iterator[bytes], response: Response) -> None:
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for part in parts:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
            if self._is_over_after(response.pause):
                return
        if response.cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _is_over_after(self, seconds: float) -> bool:
        """Wait, and return whether the server has ended, which also ends the connection."""
        over = self.server.over.wait(seconds)
        self.close_connection = self.close_connection or over
        return over
