"""Test a provider step by step over HTTP, with the same proxies and certificates as claude."""

import ssl
import urllib.request
from socket import gaierror

from ccc import __version__
from ccc.providers import probe_rules
from ccc.providers.probe_rules import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import httpx2

    from ccc.providers.validation import Validation

_MAX_BYTES = 1_000_000


def run(validation: "Validation", timeout: float) -> None:
    """Reach the endpoint, then get an answer and a tool call."""
    validation.start("endpoint")
    _ask(validation, timeout, with_tool=False)
    validation.start("tool")
    _ask(validation, timeout, with_tool=True)
    validation.finish()


def _ask(validation: "Validation", timeout: float, with_tool: bool) -> None:
    import httpx2  # 0.2 s

    target = validation.target
    assert target is not None
    proxy = _proxy(target.url, validation.env)

    def trace(event: str, info: "Mapping[str, Any]") -> None:
        if event == "http11.send_request_headers.started" and info["request"].method == b"POST":
            validation.start("model" if not with_tool else "tool")

    is_secure = target.url.startswith("https:") or (proxy and proxy.url.scheme == "https")
    try:
        if not 0 < (httpx2.URL(target.url).port or 1) < 65_536:
            raise Failure("address")
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


def _read(response: "httpx2.Response") -> bytes:
    if response.is_redirect:
        return response.headers.get("location", "").encode()
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if len(body) >= _MAX_BYTES or probe_rules.is_over(body):
            break
    return body


def _tls(env: "Mapping[str, str]") -> ssl.SSLContext:
    context = ssl.create_default_context()
    if extra := env.get("NODE_EXTRA_CA_CERTS"):
        context.load_verify_locations(extra)
    if env.get("NODE_TLS_REJECT_UNAUTHORIZED") == "0":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _proxy(url: str, env: "Mapping[str, str]") -> "httpx2.Proxy | None":
    """The proxy that the environment names for this URL."""
    import httpx2

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
        raise Failure("proxy", str(error)) from None
    if proxy.url.scheme not in ("http", "https"):  # claude can't use it either
        raise Failure("proxy", f"{proxy.url.scheme}://{proxy.url.host}: not an HTTP proxy")
    return proxy


def _explain(error: Exception, proxy: "httpx2.Proxy | None") -> Failure:
    """Classify the failure by the error underneath httpx's own."""
    import httpx2

    if isinstance(error, httpx2.TimeoutException):
        return Failure("timeout")
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return Failure("address")
    if isinstance(error, httpx2.ProxyError):
        return Failure("proxy", f"{proxy.url.host if proxy else ''}: {error}")
    is_cut = isinstance(error, httpx2.ReadError | httpx2.WriteError)
    if is_cut or "closed" in str(error) or "disconnected" in str(error):
        return Failure("cut")
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    if cause is None:  # a server that doesn't speak HTTP, or a header that can't be sent
        return Failure("form", type(error).__name__)
    if isinstance(cause, ssl.SSLError):
        return Failure("tls", str(getattr(cause, "verify_message", "") or cause.reason or ""))
    detail = cause.strerror or str(cause)
    if proxy:
        return Failure("proxy", f"{proxy.url.host}: {detail}")
    kinds = {gaierror: "resolve", ConnectionRefusedError: "refused"}
    return Failure(kinds.get(type(cause), "unreachable"), detail)
