"""One request to an endpoint, with proxies and certificates as claude takes them."""

import http.client
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request

from ccc import __version__
from ccc.providers.probing import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from ccc.providers.probing import Target

    T = TypeVar("T")

_MOST_BYTES = 1_000_000


class Line:
    """A connection to a target; everything on it must happen before the deadline."""

    def __init__(self, target: "Target", env: "Mapping[str, str]", seconds: float) -> None:
        self._target = target
        self._env = env
        self._until = time.monotonic() + seconds
        self._parts = _address(target.url)
        self._proxy = _proxy(self._parts, env)
        self._connection: http.client.HTTPConnection | None = None

    def connect(self) -> None:
        """Find the host, connect, and agree on TLS."""
        self._guarded(self._connect)

    def post(self, body: bytes, is_over: "Callable[[bytes], bool]") -> tuple[int, str, bytes]:
        """Send a request; the status, the content's type and the answer."""
        return self._guarded(lambda: self._post(body, is_over))

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()

    def _connect(self) -> None:
        parts, proxy = self._parts, self._proxy
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        near = (proxy.hostname or "", proxy.port or 80) if proxy else (host, port)
        if parts.scheme == "https":
            secured = http.client.HTTPSConnection(*near, timeout=self._left(), context=self._tls())
            connection: http.client.HTTPConnection = secured
            if proxy:
                connection.set_tunnel(host, port, _proxy_headers(proxy))
        else:
            connection = http.client.HTTPConnection(*near, timeout=self._left())
        self._connection = connection
        connection.connect()

    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if extra := self._env.get("NODE_EXTRA_CA_CERTS"):
            context.load_verify_locations(extra)
        if self._env.get("NODE_TLS_REJECT_UNAUTHORIZED") == "0":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def _post(self, body: bytes, is_over: "Callable[[bytes], bool]") -> tuple[int, str, bytes]:
        connection = self._connection
        assert connection is not None
        held = connection.sock
        headers = {**self._target.headers, "user-agent": f"ccc/{__version__}"}
        place = urllib.parse.urlunsplit(("", "", self._parts.path, self._parts.query, ""))
        if self._proxy and self._parts.scheme == "http":
            place = self._target.url
            headers |= _proxy_headers(self._proxy)
        held.settimeout(self._left())
        # a server that sends a byte now and then would have a new time limit for each
        end = threading.Timer(self._left(), _hang_up, (held,))
        end.daemon = True
        end.start()
        try:
            connection.request("POST", place, body, headers)
            return self._answer(connection, held, is_over)
        except (http.client.HTTPException, OSError, ValueError) as error:
            self._left()
            if isinstance(error, http.client.IncompleteRead | ConnectionError):
                raise Failed("cut") from None
            raise
        finally:
            end.cancel()

    def _answer(
        self,
        connection: http.client.HTTPConnection,
        held: socket.socket,
        is_over: "Callable[[bytes], bool]",
    ) -> tuple[int, str, bytes]:
        response = connection.getresponse()
        received = b""
        # newer Pythons hang up with the last byte that was promised, older ones behind it
        while len(received) < _MOST_BYTES and not is_over(received) and not response.isclosed():
            held.settimeout(self._left())
            piece = response.read1(65_536)
            if not piece:
                self._left()
                break
            received += piece
        kind = response.headers.get("content-type", "")
        if 300 <= response.status < 400:
            received = response.headers.get("location", "").encode()
        return response.status, kind, received

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _guarded(self, step: "Callable[[], T]") -> "T":
        """The step, with each way to fail told apart."""
        try:
            return step()
        except TimeoutError:
            raise Failed("timeout") from None
        except socket.gaierror as error:
            raise self._failed("resolve", error) from None
        except ConnectionRefusedError as error:
            raise self._failed("refused", error) from None
        except ssl.SSLError as error:
            told = getattr(error, "verify_message", "") or error.reason or ""
            raise Failed("tls", str(told)) from None
        except (http.client.HTTPException, UnicodeError, ValueError) as error:
            # a server that speaks no HTTP, or an address that is none
            raise Failed("form", type(error).__name__) from None
        except OSError as error:
            raise self._failed("unreachable", error) from None

    def _failed(self, kind: str, error: OSError) -> Failed:
        """A failure to connect, which is the proxy's where there is one."""
        told = error.strerror or str(error)
        proxy = self._proxy
        return Failed("proxy", f"{proxy.hostname}: {told}") if proxy else Failed(kind, told)


def _address(url: str) -> urllib.parse.SplitResult:
    """The address in its parts, which has to be one."""
    try:
        parts = urllib.parse.urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = ""
    if not known:
        raise Failed("address")
    return parts


def _hang_up(held: socket.socket) -> None:
    try:
        held.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it is over already


def _proxy(
    parts: urllib.parse.SplitResult, env: "Mapping[str, str]"
) -> urllib.parse.SplitResult | None:
    """The proxy that the environment names for this address."""
    low = {name.casefold(): value for name, value in env.items() if value}
    named = low.get(f"{parts.scheme}_proxy", "")
    bypass = {"no": low["no_proxy"]} if "no_proxy" in low else {}
    if not named or urllib.request.proxy_bypass_environment(parts.netloc, bypass):  # type: ignore[attr-defined]
        return None
    try:
        proxy = urllib.parse.urlsplit(named if "://" in named else f"http://{named}")
        return proxy if proxy.port != 0 else None
    except ValueError as error:
        raise Failed("proxy", str(error)) from None


def _proxy_headers(proxy: urllib.parse.SplitResult) -> dict[str, str]:
    if not proxy.username:
        return {}
    import base64

    pair = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}"
    return {"proxy-authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
