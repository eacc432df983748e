"""`ccc show [SESSION]`: print everything recorded about one session."""

from ccc.sessions import lookup
from ccc.system import terminal
from ccc.ui.arguments import Parser
from ccc.ui.session_printer import SessionPrinter


def main(arguments: list[str]) -> int:
    """Print one session: the requests, each round and its reasons, and the paths of the logs."""
    where, options = build_parser().begin(arguments)
    session = lookup.find(where, options.SESSION)
    if options.json:
        print(terminal.as_json(lookup.values(session)))
    else:
        SessionPrinter(options.full).print(session)
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc show`."""
    parser = Parser("show")
    parser.add_flags("--json")
    parser.add_argument("--full", "--all", "--verbose", "-v", action="store_true")
    parser.add_argument("SESSION", nargs="?", default="")
    return parser
