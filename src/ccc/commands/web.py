"""`ccc web`: a page on this machine that shows what happens, until Ctrl-C."""

import argparse
import atexit
import contextvars
import os
import signal
import socket
import stat
import sys
import tempfile
import threading
import time
import webbrowser

from ccc import words
from ccc.errors import CccError
from ccc.storage.paths import display_path
from ccc.system import private_files, spawn, terminal
from ccc.ui.arguments import Parser, number
from ccc.web import access, server
from ccc.web.access import Access
from ccc.web.app import App

_OPEN_SECONDS = 30.0
_LOOPBACK = "127.0.0.1"
_LEAST_TOKEN = 16
_LARGEST_PORT = 65_535


def main(line: list[str]) -> int:
    """Print the link and serve the page until the user ends it."""
    where, options = build_parser().begin(line)
    fixed = _read_token(options.token_file) if options.token_file else ""
    if not access.is_loopback(options.host) and not fixed:
        raise CccError("web.needs_token", host=options.host)
    opened = server.listen(options.host, options.port)
    port = opened.getsockname()[1]
    address = _address(options.host, port)
    own = contextvars.copy_context()  # without the language of the browser that used the last link
    keys = Access(
        key=access.load_key(where.web_key),
        hosts=access.hosts_of(options.host, socket.gethostname()),
        any_address=options.host in access.EVERYWHERE,
        fixed_token=fixed,
        on_new_token=lambda token: own.run(_tell_link, address, token),
        cookie_name=access.cookie_name(port, where.state_dir),
    )
    token = keys.begin()
    spawn.handle_end_signals(signal.default_int_handler, also_ignored=False)
    try:
        # a token that can be used again isn't for the terminal, which may be a log
        _announce(address if fixed else f"{address}/?token={token}", port, options)
        server.serve(App(where, keys, words.current_language()), opened)
    except KeyboardInterrupt:
        pass  # before the server could handle the signal
    if sys.stderr.isatty():
        print(file=sys.stderr)  # ends the line on which the terminal shows ^C
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc web`."""
    parser = Parser("web")
    parser.add_flags("--open")
    parser.add_argument("--port", type=number(0, _LARGEST_PORT))
    parser.add_argument("--host", default=_LOOPBACK)
    parser.add_argument("--token-file", default="")
    return parser


def _address(host: str, port: int) -> str:
    name = socket.gethostname() if host in access.EVERYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _tell_link(address: str, token: str) -> None:
    link = f"{address}/?token={token}"
    terminal.tell(words.say("web.next_link", link=link), wraps=False)


def _announce(link: str, port: int, options: argparse.Namespace) -> None:
    print(link, flush=True)
    if options.token_file:
        terminal.tell(words.say("web.link_fixed", file=display_path(options.token_file)))
    else:
        terminal.tell(words.say("web.link"))
    if not access.is_loopback(options.host):
        terminal.tell(words.say("web.warning"))
    if options.port is None and port != server.USUAL_PORT:
        terminal.tell(words.say("web.port_moved", usual=server.USUAL_PORT, port=port))
    if options.open:
        failed = words.say("web.not_opened")
        threading.Thread(target=_open, args=(link, failed), daemon=True).start()


def _open(link: str, failed: str) -> None:
    """Open the link in a browser, by a private page: others can read a browser's arguments.

    In a thread, because a browser in the terminal lasts until the user leaves it.
    """
    with tempfile.NamedTemporaryFile("w", prefix="ccc-web-", suffix=".html") as page:
        atexit.register(page.close)  # the server may end before
        page.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={link}">')
        page.flush()
        if not webbrowser.open(f"file://{page.name}"):
            terminal.tell(failed)
        else:
            time.sleep(_OPEN_SECONDS)


def _read_token(path: str) -> str:
    """Return the token in a file of the user that nobody else can read."""
    shown = display_path(os.path.abspath(path))
    try:
        with open(private_files.open_regular(path, may_be_link=True), "rb") as file:
            status, content = os.fstat(file.fileno()), file.read()
    except OSError as error:
        cause = error.strerror or str(error)
        raise CccError(
            "file.unreadable", hint="web.token_hint", file=shown, reason_text=cause
        ) from None
    if status.st_uid != os.geteuid():
        raise CccError("web.token_foreign", hint="web.token_hint", file=shown)
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise CccError("web.token_public", file=shown)
    token = content.decode(errors="replace").strip()
    if not access.is_usable_token(token, _LEAST_TOKEN):
        raise CccError("web.token_short", hint="web.token_hint", file=shown, least=_LEAST_TOKEN)
    return token
