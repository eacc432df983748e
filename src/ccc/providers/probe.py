"""Validate providers over HTTP, with the same proxies and certificates as claude."""

import os
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from socket import gaierror
from typing import Any

import httpx2

from ccc import __version__
from ccc.claude.formats import environment
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import layers, models, probe_rules, variables
from ccc.providers.probe_rules import STEPS, ProbeFailure, Target
from ccc.text import lenient_json

WAITING, RUNNING, GOOD, BAD, LEFT_OUT = "waiting", "running", "good", "bad", "left out"
_KEY_FAILURES = ("key", "forbidden")
_MAX_BYTES = 1_000_000


@dataclass(slots=True)
class Validation:
    """The progress of testing a provider. One thread writes it, another displays it."""

    provider: str
    is_reviewer: bool = False
    model: str = ""  # the model to request instead of the provider's own
    target: Target | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    not_tried: str = ""  # A word for why the provider isn't tested
    failure: ProbeFailure | None = None
    key_error: tuple[str, str] = ("", "")
    """Why the key can't be fetched and how to fix that, in the user's language."""
    states: dict[str, str] = field(default_factory=lambda: dict.fromkeys(STEPS, WAITING))
    seconds: dict[str, float] = field(default_factory=dict)
    _step: str = ""
    _start: float = 0.0

    @property
    def has_wrong_key(self) -> bool:
        """Return whether a different key could help."""
        kind = self.failure.kind if self.failure else ""
        return kind in ("secret", *_KEY_FAILURES)

    def start(self, step: str) -> None:
        """Mark the previous step as successful and start this one."""
        if self.failure is None and self.states[step] == WAITING:
            self.finish()
            self._step, self._start = step, time.monotonic()
            self.states[step] = RUNNING

    def finish(self) -> None:
        """Mark the current step as successful."""
        if self.failure is None:
            self._end(GOOD)

    def fail(self, failure: ProbeFailure) -> None:
        """Mark the current step as failed and skip the remaining ones."""
        if self.failure is None:
            secrets = probe_rules.secrets_of(self.target) if self.target else []
            detail = probe_rules.safe_excerpt(failure.detail, secrets)
            self.failure = ProbeFailure(failure.kind, detail)
            self._end(BAD)
            if failure.kind in _KEY_FAILURES:
                self.states["key"] = BAD
            self.leave_out()

    def leave_out(self) -> None:
        """Skip the remaining steps."""
        self.states |= {name: LEFT_OUT for name, state in self.states.items() if state == WAITING}

    def is_late(self, timeout: float) -> bool:
        """Return whether the current step has taken too long."""
        return bool(self._step) and time.monotonic() - self._start > timeout

    def _end(self, state: str) -> None:
        if self._step:
            self.states[self._step] = state
            self.seconds[self._step] = time.monotonic() - self._start
            self._step = ""


def _attempt(work: Callable[..., object], validation: Validation, given: object) -> None:
    """Do the work, and record an exception as a failure without a traceback that may hold a key."""
    try:
        work(validation, given)
    except ProbeFailure as failure:
        validation.fail(failure)
    except Exception as error:
        validation.fail(ProbeFailure("bug", type(error).__name__))


def plan(config: Config, names: list[str]) -> list[Validation]:
    """Return the providers to try, and their reviewers unless tried with the same model."""
    supervisor = config.supervisor
    reviewers = dict.fromkeys(supervisor.provider or name for name in names)
    validations = [Validation(name) for name in names]
    validations += [
        Validation(name, is_reviewer=True, model=supervisor.model)
        for name in reviewers
        if supervisor.model or name not in names
    ]
    for each in validations:
        each.not_tried = probe_rules.obstacle(variables.values(config, each.provider))
        if each.not_tried:
            each.leave_out()
    return validations


def prepare(config: Config, validation: Validation) -> None:
    """Fetch the key, and determine what to request."""
    if not validation.not_tried:
        _attempt(_prepare, validation, config)


def _prepare(validation: Validation, config: Config) -> None:
    validation.start("key")
    try:
        merged = layers.for_provider(config, validation.provider, os.environ)
    except CccError as error:
        validation.key_error = str(error), error.remedy
        raise ProbeFailure("secret") from None
    own = {models.MODEL: validation.model} if validation.model else {}
    setting = lenient_json.text(merged.settings, "model")
    validation.target = probe_rules.target({**merged.env, **own}, setting)
    validation.env = environment.for_claude(os.environ, merged.env, 0, "")
    if not any(merged.env.get(name) for name in environment.CREDENTIALS[:2]):
        raise ProbeFailure("no_key")
    validation.finish()


def run_all(validations: list[Validation], timeout: float) -> None:
    """Try the prepared providers in parallel, until each has ended or is late."""
    running = []
    for each in validations:
        if each.target and not each.failure:
            arguments = (_run, each, timeout)
            thread = threading.Thread(target=_attempt, args=arguments, daemon=True)
            thread.start()
            running.append((each, thread))
    while running:
        time.sleep(0.02)
        for each, _ in running:
            if each.is_late(timeout):
                each.fail(ProbeFailure("timeout"))
        running = [pair for pair in running if pair[1].is_alive() and not pair[0].failure]


def _run(validation: Validation, timeout: float) -> None:
    """Reach the endpoint, then get an answer and a tool call."""
    validation.start("endpoint")
    _ask(validation, timeout, with_tool=False)
    validation.start("tool")
    _ask(validation, timeout, with_tool=True)
    validation.finish()


def _ask(validation: Validation, timeout: float, with_tool: bool) -> None:
    target = validation.target
    assert target is not None
    proxy = _proxy(target.url, validation.env)

    def trace(event: str, info: Mapping[str, Any]) -> None:
        if event == "http11.send_request_headers.started" and info["request"].method == b"POST":
            validation.start("model" if not with_tool else "tool")

    is_secure = target.url.startswith("https:") or (proxy and proxy.url.scheme == "https")
    try:
        if not 0 < (httpx2.URL(target.url).port or 1) < 65_536:
            raise ProbeFailure("address")
        with (
            httpx2.Client(
                proxy=proxy,
                verify=_tls(validation.env) if is_secure else False,
                trust_env=False,
                timeout=timeout,
            ) as client,
            client.stream(
                "POST",
                target.url,
                content=probe_rules.question(target.model, with_tool),
                headers={**target.headers, "user-agent": f"ccc/{__version__}"},
                extensions={"trace": trace},
            ) as response,
        ):
            body = _read(response)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise _explain(error, proxy) from None
    kind = response.headers.get("content-type", "")
    if failure := probe_rules.find_failure(response.status_code, kind, body, with_tool):
        raise failure


def _read(response: httpx2.Response) -> bytes:
    if response.is_redirect:
        return response.headers.get("location", "").encode()
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if len(body) >= _MAX_BYTES or probe_rules.is_over(body):
            break
    return body


def _tls(env: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if extra := env.get("NODE_EXTRA_CA_CERTS"):
        context.load_verify_locations(extra)
    if env.get("NODE_TLS_REJECT_UNAUTHORIZED") == "0":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _proxy(url: str, env: Mapping[str, str]) -> httpx2.Proxy | None:
    """Return the proxy that the environment names for this URL."""
    low = {name.casefold(): value for name, value in env.items() if value}
    scheme, _, rest = url.partition("://")
    named = low.get(f"{scheme}_proxy", "")
    bypass = {"no": low["no_proxy"]} if "no_proxy" in low else {}
    host = rest.partition("/")[0]
    if not named or urllib.request.proxy_bypass_environment(host, bypass):  # type: ignore[attr-defined]
        return None
    try:
        proxy = httpx2.Proxy(named if "://" in named else f"http://{named}")
    except (httpx2.InvalidURL, ValueError) as error:
        raise ProbeFailure("proxy", str(error)) from None
    if proxy.url.scheme not in ("http", "https"):  # claude can't use it either
        raise ProbeFailure("proxy", f"{proxy.url.scheme}://{proxy.url.host}: not an HTTP proxy")
    return proxy


def _explain(error: Exception, proxy: httpx2.Proxy | None) -> ProbeFailure:
    """Classify the failure by the error underneath httpx's own."""
    if isinstance(error, httpx2.TimeoutException):
        return ProbeFailure("timeout")
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return ProbeFailure("address")
    if isinstance(error, httpx2.ProxyError):
        return ProbeFailure("proxy", f"{proxy.url.host if proxy else ''}: {error}")
    is_cut = isinstance(error, httpx2.ReadError | httpx2.WriteError)
    if is_cut or "closed" in str(error) or "disconnected" in str(error):
        return ProbeFailure("cut")
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    if cause is None:  # a server that doesn't speak HTTP, or a header that can't be sent
        return ProbeFailure("form", type(error).__name__)
    if isinstance(cause, ssl.SSLError):
        return ProbeFailure("tls", str(getattr(cause, "verify_message", "") or cause.reason or ""))
    detail = cause.strerror or str(cause)
    if proxy:
        return ProbeFailure("proxy", f"{proxy.url.host}: {detail}")
    kinds = {gaierror: "resolve", ConnectionRefusedError: "refused"}
    return ProbeFailure(kinds.get(type(cause), "unreachable"), detail)
