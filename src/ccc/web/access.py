"""Who may see the page and act on it: a token that becomes a cookie, and checks of the address."""

import hashlib
import hmac
import ipaddress
import os
import secrets
import socket
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ccc.web import known_browsers

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
_BYTES = 24
_PLAIN = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")


@dataclass(slots=True)
class Access:
    """The keys of one server."""

    hosts: tuple[str, ...] = LOOPBACK
    """The names under which the page may be asked for, without the port."""
    any_address: bool = False
    """Whether the machine's addresses are allowed, too; a foreign page can't be named by one."""
    fixed_token: str = ""
    """The token of a file, which can be used again; empty for one that can be used once."""
    on_new_token: Callable[[str], None] = lambda token: None
    """Receives the next token when one was used."""
    token: str = ""
    cookie_name: str = ""
    """The name under which browsers keep their cookies for this server."""
    browsers: dict[str, float] = field(default_factory=dict)
    """When each browser was let in, by a hash of its cookie."""
    on_entry: Callable[[str, float], None] = lambda name, at: None
    """Receives the hash of a browser's cookie and the time when it was let in."""
    newest: str = ""
    """The hash of the last browser that was let in, until it has seen a page."""

    def begin(self) -> str:
        """Return the first token."""
        self.token = self.fixed_token or secrets.token_urlsafe(_BYTES)
        return self.token

    def enter(self, token: str) -> str | None:
        """Take a token and return the cookie for it; None if the token isn't valid (any more)."""
        if not self.token or not _same(token, self.token):
            return None
        if not self.fixed_token:
            self.token = secrets.token_urlsafe(_BYTES)
            self.on_new_token(self.token)
        cookie = secrets.token_urlsafe(_BYTES)
        while len(self.browsers) >= known_browsers.MOST:
            del self.browsers[next(iter(self.browsers))]
        self.newest, now = self._hash(cookie), time.time()
        self.browsers[self.newest] = now
        self.on_entry(self.newest, now)
        return cookie

    def is_first(self, cookie: str) -> bool:
        """Return whether a browser was just let in; only once."""
        is_new = self._hash(cookie) == self.newest
        self.newest = "" if is_new else self.newest
        return is_new

    def _hash(self, cookie: str) -> str:
        text = f"{self.cookie_name} {cookie}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    def form_token(self, cookie: str) -> str:
        """Return the token for the forms of a browser; empty if its cookie isn't valid."""
        since = self.browsers.get(self._hash(cookie))
        if since is None or since + known_browsers.LONGEST_SECONDS < time.time():
            return ""
        return hmac.new(cookie.encode("utf-8", "replace"), b"forms", "sha256").hexdigest()

    def is_own_host(self, headers: Mapping[str, str]) -> bool:
        """Return whether the page was asked for by its own name, not by one that points here.

        The port may differ: a tunnel can have another one.
        """
        name, port = _split_host(headers.get("host", ""))
        if not name or not (port.isascii() and (port.isdigit() or not port)):
            return False
        return name in self.hosts or (self.any_address and _is_address(name))

    def is_own_origin(self, headers: Mapping[str, str], must_be_named: bool) -> bool:
        """Return whether the request comes from the page itself."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        if origin is None:
            return not must_be_named or headers.get("sec-fetch-site") == "same-origin"
        scheme, _, rest = origin.partition("://")
        return scheme in ("http", "https") and rest.casefold() == headers.get("host", "").casefold()

    def may_act(self, cookie: str, form: str) -> bool:
        """Return whether a form was made by this server for this browser."""
        own = self.form_token(cookie)
        return bool(own) and _same(own, form)


def cookie_name(port: int, records: str) -> str:
    """Return the name of a server's cookie, which is the same after a restart.

    Browsers send cookies to all ports of an address. With a tunnel, two servers on 127.0.0.1 can
    even have the same port, each on its own machine.
    """
    place = zlib.crc32(f"{socket.gethostname()}:{os.getuid()}:{records}".encode())
    return f"ccc_web_{port}_{place:08x}"


def hosts_of(host: str, own_name: str) -> tuple[str, ...]:
    """Return the names under which a server on that address may be asked for."""
    if host in EVERYWHERE:
        return (*LOOPBACK, own_name.casefold())
    name = f"[{host}]" if ":" in host else host.casefold()
    return tuple(dict.fromkeys((*LOOPBACK, name)))


def is_loopback(host: str) -> bool:
    """Return whether only programs on this machine can reach a server on that address."""
    return host in ("127.0.0.1", "::1", "localhost")


def is_usable_token(token: str, least: int) -> bool:
    """Return whether a token is long enough and fits in a link."""
    return len(token) >= least and set(token) <= _PLAIN


def _split_host(host: str) -> tuple[str, str]:
    name, _, port = host.casefold().rpartition(":")
    if not name or (host.startswith("[") and not name.endswith("]")):
        return host.casefold(), ""
    return name, port


def _is_address(name: str) -> bool:
    """Return whether a name is an IP address."""
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
