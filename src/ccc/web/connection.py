"""An HTTP connection with timeouts, and a limit of how many there are."""

import asyncio
import socket
import struct
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_REQUEST_SECONDS = 10.0
_READ_SECONDS = 10.0
_NO_LINGER = struct.pack("ii", 1, 0)
MOST_CONNECTIONS = 150
"""More than the streams of all pages that may be open."""
IS_AUTHENTICATED = "is_authenticated"
"""What the app notes in a request's state: whether its cookie is valid."""


class Connection(H11Protocol):
    """Closes itself if a whole request doesn't arrive in time, or an answer isn't read in time.

    uvicorn only limits how long a connection says nothing after an answer.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._opened_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        """Runs while a request is expected."""
        self._read_timer: asyncio.TimerHandle | None = None
        """Runs while a part of an answer waits for the browser to read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._opened_at = self.loop.time()
        # any unread byte counts, and the next answer waits for it, even to a request already here
        transport.set_write_buffer_limits(0)
        self._expect_request()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def _make_room(self) -> None:
        """Close the oldest connection of a stranger, else an idle one, else this one."""
        others = {each for each in self.connections if isinstance(each, Connection)} - {self}
        strangers = [each for each in others if not each._is_authenticated]
        idle = [each for each in others if each._timer is not None]
        min(strangers or idle or [self], key=lambda each: each._opened_at)._give_up()

    @property
    def _is_authenticated(self) -> bool:
        """Whether the last request had a valid cookie, as the app has noted."""
        return self.scope is not None and bool(self.scope["state"].get(IS_AUTHENTICATED))

    def _expect_request(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(_REQUEST_SECONDS, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _give_up(self) -> None:
        self._stop_timer()
        self._stop_read_timer()
        # at once: the next connection may count them before this one has ended
        self.connections.discard(self)
        # otherwise the system would keep the unread answer, up to megabytes, for minutes
        own = self.transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self.transport.abort()

    def handle_events(self) -> None:
        """Answer what has arrived; the time limit ends with the request's last byte."""
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_timer()

    def pause_writing(self) -> None:
        """Wait for the browser to read."""
        super().pause_writing()
        self._stop_read_timer()
        self._read_timer = self.loop.call_later(_READ_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        """Continue: the browser has read everything."""
        self._stop_read_timer()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have arrived."""
        self._expect_request()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time limits."""
        self._stop_timer()
        self._stop_read_timer()
        super().connection_lost(exc)
