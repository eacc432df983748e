"""The scripted model as a server on loopback."""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Any, Self

from ccc.scripted.connection import HOST, Listener
from ccc.scripted.reply import Failure, refusal
from ccc.scripted.request import Request
from ccc.scripted.scenario import Scenario
from ccc.scripted.usage import PromptCache, Usage, output_tokens, prompt_tokens
from ccc.scripted.wire import Response, error_response, json_response, message, message_response

# Only the ends of paths: a provider's base URL may have its own path before them.
_COUNT_TOKENS = "/v1/messages/count_tokens"
_SECRET_HEADERS = ("auth", "key", "token", "secret", "cookie")
_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with the status, rule and usage of its reply."""

    request: Request
    status: int
    rule: str | None = None
    usage: Usage | None = None


class ScriptedModel:
    """An Anthropic-compatible model that follows a scenario for a limited time.

    Use it as a context manager. `max_requests` counts every request; those beyond it get a 418.
    `journal` gets one line of JSON per request, without keys.
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
        self.everything: list[Request] = []
        """All requests so far, including HEAD, count_tokens and unknown paths."""
        self.exchanges: list[Exchange] = []
        """The requests that were answered so far, and how."""
        self._max_requests = max_requests
        self._journal_path = journal
        self._journal: IO[str] | None = None
        self._cache = PromptCache()
        self._listener: Listener | None = None
        self._timer = threading.Timer(max_seconds, self.stop)
        self._changed = threading.Condition()

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

    def wait_for(self, condition: Callable[[Request], bool], timeout: float) -> Request:
        """Return the first matching message request; raise TimeoutError if none comes in time."""
        deadline = time.monotonic() + timeout
        checked = 0
        with self._changed:
            while True:
                for request in self.everything[checked:]:
                    if request.is_message and condition(request):
                        return request
                checked = len(self.everything)
                left = deadline - time.monotonic()
                if left <= 0 or self._listener is None or self._listener.over.is_set():
                    raise TimeoutError(f"no such request in {timeout} s\n{self.scenario!r}")
                self._changed.wait(left)

    def start(self) -> Self:
        """Start listening, for at most `max_seconds`."""
        if self._listener is not None:
            raise RuntimeError("a scripted model is started once")
        if self._journal_path is not None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            descriptor = os.open(self._journal_path, flags, _PRIVATE)
            os.fchmod(descriptor, _PRIVATE)  # even if the file already existed
            self._journal = os.fdopen(descriptor, "w", encoding="utf-8")
        self._listener = Listener(self._handle)
        # With a longer poll, each stop would wait for half a second.
        threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True).start()
        self._timer.daemon = True
        self._timer.start()
        return self

    def stop(self) -> None:
        """Stop listening and drop every connection; safe to call repeatedly."""
        with self._changed:
            if self._listener is None or self._listener.over.is_set():
                return
            self._listener.end()
            self._timer.cancel()
            self._changed.notify_all()
            if self._journal is not None:
                self._journal.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        problems = [] if self._listener is None else self._listener.problems
        return "\n".join(["ScriptedModel:", *problems, repr(self.scenario)])

    def _handle(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Response:
        """Answer one request and record it."""
        body, problem = _parse(raw)
        with self._changed:
            number = len(self.everything) + 1
            if number > self._max_requests:
                most = self._max_requests
                return error_response(
                    refusal(f"the scripted model has answered its {most} requests")
                )
            request = Request(number, time.time(), method, path, headers=headers, body=body)
            # Before the reply, because a test may wait for it while its rule waits for the test.
            self.everything.append(request)
            self._changed.notify_all()
        exchange, response = self._answer(request, problem)
        with self._changed:
            self.exchanges.append(exchange)
            if self._journal is not None and not self._journal.closed:
                self._journal.write(json.dumps(_journal_entry(exchange)) + "\n")
                self._journal.flush()
        return response

    def _answer(self, request: Request, problem: str) -> tuple[Exchange, Response]:
        method, path = request.method, request.path
        counts = method == "POST" and path.endswith(_COUNT_TOKENS)
        if method == "HEAD" or (method == "GET" and path == "/"):
            return Exchange(request, 200), json_response({"status": "ok"})
        if not request.is_message and not counts:
            return _error(request, Failure(404, "not_found_error", f"{method} {path}"))
        if not problem and not isinstance(request.body.get("messages"), list):
            problem = "messages: Field required"
        if problem:
            return _error(request, Failure(400, "invalid_request_error", problem))
        if counts:
            tokens = {"input_tokens": prompt_tokens(request.body)}
            return Exchange(request, 200), json_response(tokens)
        return self._reply(request)

    def _reply(self, request: Request) -> tuple[Exchange, Response]:
        choice = self.scenario.choose(request)
        reply = choice.reply.with_code(request.code)
        if reply.failure is not None:
            # Nothing was computed, so nothing is billed or cached.
            exchange = Exchange(request, reply.failure.status, choice.rule)
            return exchange, error_response(reply.failure, reply.delay)
        answer = message(reply, request.model)
        counted = self._cache.bill(request.body, output_tokens(answer["content"]))
        usage = reply.usage or counted
        response = message_response(reply, answer, usage, request.streams)
        return Exchange(request, 200, choice.rule, usage), response


def _error(request: Request, failure: Failure) -> tuple[Exchange, Response]:
    return Exchange(request, failure.status), error_response(failure)


def _parse(raw: bytes) -> tuple[dict[str, Any], str]:
    """Return the request's body and an empty string, or what is wrong with it."""
    try:
        body = json.loads(raw) if raw else {}
    except (ValueError, RecursionError) as error:
        return {}, f"The request body is not valid JSON: {error}"
    return (body, "") if isinstance(body, dict) else ({}, "The request body is not a JSON object")


def _journal_entry(exchange: Exchange) -> dict[str, Any]:
    request, usage = exchange.request, exchange.usage
    return {
        **{each.name: getattr(request, each.name) for each in fields(request)},
        "headers": redact(request.headers),
        "status": exchange.status,
        "rule": exchange.rule,
        "usage": usage and asdict(usage),
    }


def redact(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers without the values that may be keys."""
    return {
        name: "[redacted]" if any(word in name for word in _SECRET_HEADERS) else value
        for name, value in headers.items()
    }
