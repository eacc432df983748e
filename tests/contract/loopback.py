"""Small servers on loopback that answer in ways that no provider should."""

import contextlib
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


class _Handler(BaseHTTPRequestHandler):
    answer: ClassVar[tuple[int, dict[str, str], bytes]]
    asked: ClassVar[list[tuple[str, dict[str, str]]]]

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing on stderr."""

    def do_POST(self) -> None:
        self.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
        self.rfile.read(int(self.headers.get("content-length", "0")))
        status, headers, body = self.answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_CONNECT = do_POST


class Server:
    """A running server: its address, and the requests it got."""

    def __init__(self, url: str, asked: list[tuple[str, dict[str, str]]]) -> None:
        self.url = url
        self.asked = asked


@contextlib.contextmanager
def serving(
    status: int = 200,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    certificate: Path | None = None,
) -> Iterator[Server]:
    """Run a server that always gives the same answer, over TLS if there is a certificate."""
    asked: list[tuple[str, dict[str, str]]] = []
    answer = (status, headers or {}, body)
    handler = type("Handler", (_Handler,), {"answer": answer, "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    scheme = "http"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        scheme = "https"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield Server(f"{scheme}://127.0.0.1:{server.server_address[1]}", asked)
    finally:
        server.shutdown()
        server.server_close()


def self_signed(directory: Path) -> Path:
    """Create an unsigned certificate for loopback, with its key."""
    file = directory / "loopback.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", f"{file}.crt"),
        ],
        check=True,
        capture_output=True,
        timeout=30,
    )
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file
