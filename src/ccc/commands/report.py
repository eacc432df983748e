"""`ccc report [SESSION]`: write a session as an HTML page."""

import os
import sys

from ccc import __version__, words
from ccc.errors import CccError
from ccc.sessions import lookup
from ccc.storage import files
from ccc.ui.arguments import Parser
from ccc.ui.page import report


def main(line: list[str]) -> int:
    """Write the page and print its path."""
    where, options = build_parser().begin(line)
    session = lookup.find(where, options.SESSION)
    text = report.page(session, __version__)
    if options.output == "-":
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        return 0
    path = os.path.abspath(options.output or f"ccc-report-{session.overview.session[:8]}.html")
    is_special = os.path.exists(path) and not os.path.isfile(path)
    if is_special or not os.path.isdir(os.path.dirname(path)):
        raise CccError("report.no_place", hint="usage.see", command="report", file=path)
    with files.Lock(()) as lock:
        lock.write(path, text)
    # even if others could read the file before
    files.make_private(path)
    print(words.say("report.written", file=path))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc report`."""
    parser = Parser("report")
    parser.add_argument("-o", "--output", default="")
    parser.add_argument("SESSION", nargs="?", default="")
    return parser
