"""The server of the page: its socket, its limits and its end."""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Iterator

import uvicorn

from ccc.errors import CccError
from ccc.system import spawn
from ccc.web.app import App

USUAL_PORT = 8765
_MOST_TRIES = 50
_IN_USE = (errno.EADDRINUSE, errno.EACCES)
_GRACE_SECONDS = 1
MOST_CONNECTIONS = 150  # an open page has one for its stream; a hidden one closes it
_IDLE_SECONDS = 10
_LARGEST_HEAD = 32_768


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket on the port; without one, on the usual port or the next free one."""
    ports = range(USUAL_PORT, USUAL_PORT + _MOST_TRIES) if port is None else (port,)
    problem: OSError | None = None
    for number in ports:
        try:
            family = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, number), family=family, dualstack_ipv6=host == "::")
        except OSError as error:
            problem = error
            if error.errno not in _IN_USE:
                break
    assert problem is not None
    cause = problem.strerror or str(problem)
    hint = "web.port" if problem.errno in _IN_USE else "web.host_hint"
    raise CccError("web.port", hint=hint, host=host, port=ports[0], cause=cause)


class _Server(uvicorn.Server):
    """Ends quietly at Ctrl-C and SIGTERM, with all open pages."""

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self._app = app

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals without raising them again at the end."""
        spawn.handle_end_signals(self.handle_exit, also_ignored=False)
        yield

    def handle_exit(self, sig: int, frame: object) -> None:
        """End the server; a second signal doesn't wait for the connections."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would keep their connections open, then close these."""
        self._app.feed.close()
        await super().shutdown(sockets)


def serve(app: App, opened: socket.socket) -> None:
    """Serve the page until the user ends it."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE_SECONDS,
        h11_max_incomplete_event_size=_LARGEST_HEAD,
    )
    # with no descriptor left, asyncio would print a traceback for every connection
    noise = logging.getLogger("asyncio")
    noise.addHandler(logging.NullHandler())
    noise.propagate = False
    asyncio.run(_Server(config, app).serve(sockets=[opened]))
