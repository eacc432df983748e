"""Accepts requests, lets the scenario answer them and keeps the record."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ccc.scripted.exchange import Exchange
from ccc.scripted.journal import Journal
from ccc.scripted.reply import Failure, refused
from ccc.scripted.request import Request
from ccc.scripted.response import Response, failed, plain, spoken
from ccc.scripted.scenario import Scenario
from ccc.scripted.stream import message
from ccc.scripted.usage import PromptCache, output_tokens, prompt_tokens

# Ends of paths: a provider's base URL may have its own path before them.
_MESSAGES = "/v1/messages"
_COUNT_TOKENS = "/v1/messages/count_tokens"


class Desk:
    """The scripted model without its sockets."""

    def __init__(self, scenario: Scenario, max_requests: int, journal: Journal | None) -> None:
        self._scenario = scenario
        self._max_requests = max_requests
        self._journal = journal
        self._cache = PromptCache()
        self._requests: list[Request] = []
        self._exchanges: list[Exchange] = []
        self._closed = False
        self._changed = threading.Condition()

    @property
    def requests(self) -> list[Request]:
        """All requests, answered or not."""
        with self._changed:
            return list(self._requests)

    @property
    def exchanges(self) -> list[Exchange]:
        """All answered requests."""
        with self._changed:
            return list(self._exchanges)

    def handle(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Response:
        """Answer one request and record it."""
        body, problem = _parsed(raw)
        request = self._admit(method, path, headers, body)
        if request is None:
            most = self._max_requests
            return failed(refused(f"the scripted model has answered its {most} requests"))
        exchange, response = self._answer(request, problem)
        if self._journal is not None:
            self._journal.write(exchange)
        with self._changed:
            self._exchanges.append(exchange)
        return response

    def wait_for(self, wanted: Callable[[Request], bool], timeout: float) -> Request:
        """Return the first matching message request; TimeoutError if there is none."""
        deadline = time.monotonic() + timeout
        looked_at = 0
        with self._changed:
            while True:
                for request in self._requests[looked_at:]:
                    if is_message(request) and wanted(request):
                        return request
                looked_at = len(self._requests)
                left = deadline - time.monotonic()
                if left <= 0 or self._closed:
                    raise TimeoutError(f"no such request in {timeout} s\n{self._scenario!r}")
                self._changed.wait(left)

    def close(self) -> None:
        """Wake everything that waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _admit(
        self, method: str, path: str, headers: Mapping[str, str], body: dict[str, Any]
    ) -> Request | None:
        with self._changed:
            number = len(self._requests) + 1
            if number > self._max_requests:
                return None
            request = Request(number, time.time(), method, path, headers, body)
            # Before it is answered: a test may wait for it while its rule waits for the test.
            self._requests.append(request)
            self._changed.notify_all()
            return request

    def _answer(self, request: Request, problem: str) -> tuple[Exchange, Response]:
        counts = request.path.endswith(_COUNT_TOKENS)
        if request.method == "HEAD" or (request.method == "GET" and request.path == "/"):
            return Exchange(request, 200), plain({"status": "ok"})
        if not is_message(request) and not (request.method == "POST" and counts):
            missing = Failure(404, "not_found_error", f"{request.method} {request.path}")
            return Exchange(request, 404), failed(missing)
        if not problem and not isinstance(request.body.get("messages"), list):
            problem = "messages: Field required"
        if problem:
            return Exchange(request, 400), failed(_invalid(problem))
        if counts:
            return Exchange(request, 200), plain({"input_tokens": prompt_tokens(request.body)})
        return self._reply(request)

    def _reply(self, request: Request) -> tuple[Exchange, Response]:
        choice = self._scenario.choose(request)
        reply = choice.reply
        if reply.failure is not None:
            # Nothing was computed: neither billed nor cached.
            status = reply.failure.status
            return Exchange(request, status, choice.rule), failed(reply.failure, reply.delay)
        said = message(reply, request.model)
        counted = self._cache.bill(request.body, output_tokens(said["content"]))
        usage = reply.usage or counted
        exchange = Exchange(request, 200, choice.rule, usage)
        return exchange, spoken(reply, said, usage, request.streams)


def is_message(request: Request) -> bool:
    """Whether the request asks the model to speak."""
    return request.method == "POST" and request.path.endswith(_MESSAGES)


def _invalid(problem: str) -> Failure:
    return Failure(400, "invalid_request_error", problem)


def _parsed(raw: bytes) -> tuple[dict[str, Any], str]:
    try:
        body = json.loads(raw) if raw else {}
    except (ValueError, RecursionError) as error:
        return {}, f"The request body is not valid JSON: {error}"
    if not isinstance(body, dict):
        return {}, "The request body is not a JSON object"
    return body, ""
