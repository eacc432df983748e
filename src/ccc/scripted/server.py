"""The scripted model as a server on loopback."""

import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from ccc.scripted.connection import HOST, Listener
from ccc.scripted.desk import Desk, is_message
from ccc.scripted.exchange import Exchange
from ccc.scripted.journal import Journal
from ccc.scripted.request import Request
from ccc.scripted.scenario import Scenario


class ScriptedModel:
    """An Anthropic-compatible model that follows a scenario, for a bounded time.

    A context manager; `max_requests` counts everything that is asked, and what comes after
    that is refused with a 418.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        max_seconds: float = 600,
        max_requests: int = 5000,
        journal: Path | None = None,
    ) -> None:
        self.scenario = scenario
        self._max_seconds = max_seconds
        self._journal = None if journal is None else Journal(journal)
        self._desk = Desk(scenario, max_requests, self._journal)
        self._listener: Listener | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address, known after the start."""
        if self._listener is None:
            raise RuntimeError("the scripted model was not started")
        return f"http://{HOST}:{self._listener.server_port}"

    @property
    def requests(self) -> list[Request]:
        """The message requests so far."""
        return [request for request in self.everything if is_message(request)]

    @property
    def everything(self) -> list[Request]:
        """All requests so far, including HEAD, count_tokens and unknown paths."""
        return self._desk.requests

    @property
    def exchanges(self) -> list[Exchange]:
        """The requests that were answered so far, and how."""
        return self._desk.exchanges

    def wait_for(self, wanted: Callable[[Request], bool], timeout: float) -> Request:
        """Return the first matching message request; TimeoutError if none comes in time."""
        return self._desk.wait_for(wanted, timeout)

    def start(self) -> Self:
        """Listen from now on, for at most `max_seconds`."""
        if self._listener is not None:
            raise RuntimeError("a scripted model is started once")
        if self._journal is not None:
            self._journal.open()
        self._listener = Listener(self._desk.handle)
        # With a longer poll each stop would wait for half a second.
        threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True).start()
        self._timer = threading.Timer(self._max_seconds, self.stop)
        self._timer.daemon = True
        self._timer.start()
        return self

    def stop(self) -> None:
        """Stop listening and drop every connection; safe to call again."""
        with self._lock:
            if self._listener is None or self._listener.over.is_set():
                return
            self._listener.end()
        if self._timer is not None:
            self._timer.cancel()
        self._desk.close()
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        problems = [] if self._listener is None else self._listener.problems
        return "\n".join(["ScriptedModel:", *problems, repr(self.scenario)])
