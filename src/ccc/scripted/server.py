"""The scripted model as a server on loopback."""

import json
import socketserver
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

from ccc.scripted.reply import Reply, Response, encode, error
from ccc.scripted.request import Request
from ccc.scripted.usage import PromptCache, output_tokens, prompt_tokens

HOST = "127.0.0.1"
# Only the ends of paths: a provider's base URL may have its own path before them.
_COUNT_TOKENS = "/v1/messages/count_tokens"


class ScriptedModel:
    """An Anthropic-compatible model that answers for a limited time; use it in `with`."""

    def __init__(self, reply: Callable[[Request], Reply], max_seconds: float = 600) -> None:
        self.everything: list[Request] = []
        """All requests so far, including HEAD, count_tokens and unknown paths."""
        self.problems: list[str] = []
        """The errors in the server's own threads."""
        self.over = threading.Event()
        """Set when the model has stopped."""
        self._reply = reply
        self._cache = PromptCache()
        self._listener: _Listener | None = None
        self._timer = threading.Timer(max_seconds, self.stop)
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address, known once the server has started."""
        if self._listener is None:
            raise RuntimeError("the scripted model was not started")
        return f"http://{HOST}:{self._listener.server_port}"

    @property
    def requests(self) -> list[Request]:
        """The message requests so far."""
        return [request for request in self.everything if request.is_message]

    def start(self) -> Self:
        """Start listening, for at most `max_seconds`."""
        self._listener = _Listener(self)
        # With a longer poll, each stop would wait for half a second.
        threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True).start()
        self._timer.daemon = True
        self._timer.start()
        return self

    def stop(self) -> None:
        """Stop listening, and end every reply; safe to call repeatedly."""
        with self._lock:
            if self._listener is None or self.over.is_set():
                return
            self._listener.shutdown()
            self._listener.server_close()
            self.over.set()
            self._timer.cancel()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def record(self, method: str, path: str, headers: dict[str, str], body: Any) -> Request:
        """Record a request, before its reply is known."""
        with self._lock:
            number = len(self.everything) + 1
            request = Request(number, time.time(), method, path, headers=headers, body=body)
            self.everything.append(request)
        return request

    def respond(self, request: Request) -> Response:
        """Return the response to a request."""
        if request.is_message:
            return self._reply(request).respond(
                request, lambda content: self._cache.bill(request.body, output_tokens(content))
            )
        if request.method == "POST" and request.path.endswith(_COUNT_TOKENS):
            return Response(200, encode({"input_tokens": prompt_tokens(request.body)}))
        if request.method == "HEAD" or request.path == "/":
            return Response(200, encode({"status": "ok"}))
        return error(404, "not_found_error", f"{request.method} {request.path}")


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        super().__init__((HOST, 0), _Connection)

    def server_bind(self) -> None:
        # HTTPServer would look up the host name, which may use the network.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        # Nothing is printed; a client may disconnect at any time.
        error = sys.exception()
        if not isinstance(error, OSError):
            self.model.problems.append(repr(error))


class _Connection(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing, because every request is recorded."""

    def _serve(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(self.rfile.read(int(headers.get("content-length", 0))) or b"{}")
        model, path = self.server.model, urlsplit(self.path).path
        response = model.respond(model.record(self.command, path, headers, body))
        if self._is_over_after(response.delay):
            return
        self.send_response(response.status)
        self.send_header("content-type", response.content_type)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if isinstance(response.body, bytes):
            self.send_header("content-length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body if self.command != "HEAD" else b"")
            return
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for part in response.body:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
            if self._is_over_after(0):
                return
        self.wfile.write(b"0\r\n\r\n")

    do_HEAD = do_GET = do_POST = _serve

    def _is_over_after(self, seconds: float) -> bool:
        """Wait, and return whether the model has stopped, which also ends the connection."""
        over = self.server.model.over.wait(seconds)
        self.close_connection = self.close_connection or over
        return over
