"""A connection to the page: it has to send its request soon, and there are not too many."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_REQUEST_SECONDS = 10.0
MOST_CONNECTIONS = 150
"""More than the streams of all pages that may be open."""


class Connection(H11Protocol):
    """Closes itself if a whole request doesn't arrive in time.

    uvicorn only limits how long a connection says nothing after an answer.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect_request()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def _make_room(self) -> None:
        """Close the connection that has waited longest for a request, this one if none waits."""
        waiting = [
            (each._timer.when(), id(each), each)
            for each in self.connections
            if isinstance(each, Connection) and each._timer is not None and each is not self
        ]
        (min(waiting)[2] if waiting else self)._give_up()

    def _expect_request(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(_REQUEST_SECONDS, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._stop_timer()
        self.transport.abort()

    def handle_events(self) -> None:
        """Answer what has arrived; the time limit ends with the request's last byte."""
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_timer()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have arrived."""
        self._expect_request()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time limit."""
        self._stop_timer()
        super().connection_lost(exc)
