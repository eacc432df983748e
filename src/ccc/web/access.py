"""Who may see the page and act on it: a token that becomes a cookie, and checks of the address."""

import contextlib
import hmac
import ipaddress
import os
import re
import secrets
import socket
import stat
import zlib
from collections.abc import Callable, Mapping
from hashlib import sha256

from itsdangerous import BadSignature, TimestampSigner
from msgspec import Struct, field

from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.files import Lock
from ccc.system import private_files

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
LONGEST_SECONDS = 30 * 86_400  # how long a cookie is valid
_BYTES = 24
_KEY_BYTES = 32
_KEY = re.compile(r"[0-9a-f]{64}")


class Access(Struct):
    """The keys of one server."""

    key: str = field(default_factory=lambda: secrets.token_hex(_KEY_BYTES))  # signs the cookies
    hosts: tuple[str, ...] = LOOPBACK
    """The names under which the page may be asked for, without the port."""
    any_address: bool = False
    """Whether the machine's addresses are allowed, too; a foreign page can't be named by one."""
    fixed_token: str = ""
    """The token of a file, which can be used again; empty for one that can be used once."""
    on_new_token: Callable[[str], None] = lambda token: None
    """Receives the next token when one was used."""
    token: str = ""
    cookie_name: str = ""  # the name under which browsers keep their cookies for this server
    newest: str = ""  # the cookie of the last browser that was let in, until it has seen a page

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
        self.newest = self._signer.sign(secrets.token_urlsafe(_BYTES)).decode()
        return self.newest

    def is_first(self, cookie: str) -> bool:
        """Return whether a browser was just let in; only once."""
        is_new = bool(cookie) and cookie == self.newest
        self.newest = "" if is_new else self.newest
        return is_new

    @property
    def _signer(self) -> TimestampSigner:
        """Signs for this server alone: another one may have the same key."""
        return TimestampSigner(self.key, salt=self.cookie_name, digest_method=sha256)

    def form_token(self, cookie: str) -> str:
        """Return the token for the forms of a browser; empty if its cookie isn't valid."""
        given = cookie.encode("utf-8", "replace")
        try:
            self._signer.unsign(given, max_age=LONGEST_SECONDS)
        except BadSignature:
            return ""
        return hmac.new(given, b"forms", "sha256").hexdigest()

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


def load_key(path: str) -> str:
    """Return the key in the file, which is made if there is none that only this user can read.

    Where it can't be written, the cookies end with the server.
    """
    if key := _read_key(path):
        return key
    key = secrets.token_hex(_KEY_BYTES)
    with contextlib.suppress(CccError), Lock((os.path.dirname(path),)) as lock:
        # another server may have made it meanwhile
        if made := _read_key(path):
            return made
        files.remove(path)
        lock.write(path, key, ours=True)
    return key


def _read_key(path: str) -> str:
    """Return the key in the file; empty if there is none to trust."""
    try:
        with open(private_files.open_regular(path, may_be_link=True), "rb") as file:
            status, text = os.fstat(file.fileno()), file.read(100).decode("ascii", "replace")
        os.utime(path)  # `ccc clean` removes a key that isn't used any more
    except OSError:
        return ""
    is_private = status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077
    return text if is_private and _KEY.fullmatch(text) else ""


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
    return bool(re.fullmatch(rf"[0-9A-Za-z_-]{{{least},}}", token))


def _split_host(host: str) -> tuple[str, str]:
    name, _, port = host.casefold().rpartition(":")
    if not name or (host.startswith("[") and not name.endswith("]")):
        return host.casefold(), ""
    return name, port


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
