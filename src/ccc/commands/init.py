"""`ccc init`: set language, provider, key, status line and checks, from questions or options."""

import argparse

from ccc import words
from ccc.claude.formats import permission
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.setup import keys, provider_options
from ccc.setup.dialog import SetupDialog
from ccc.system import terminal
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Ask, then write, then print the next steps."""
    paths = ccc_json.set_language()
    if "--help" in line or "-h" in line:
        print(words.say("init.usage"))
        return 0
    options = _parse(line)
    setup = SetupDialog(paths, options)
    given = options.language or options.preset or options.base_url or options.import_ or options.yes
    if not setup.ask and not given and options.statusline is None:
        raise CccError("init.no_terminal", hint="usage.see", command="init")
    try:
        setup.decide()
    except KeyboardInterrupt:
        terminal.tell("\n" + words.say("ask.unchanged"))
        return 130
    setup.write()
    return setup.tell_next()


def build_parser() -> Parser:
    """Build the parser for `ccc init`."""
    parser = Parser("init")
    parser.add_argument("preset_or_name", nargs="?", default="")
    parser.add_argument("--language", choices=words.LANGUAGES, default="")
    parser.add_argument("--name", default="")
    provider_options.add_options(parser)
    parser.add_argument("--import", dest="import_", action="store_true")
    parser.add_argument("--remove-keys", action="store_true")
    parser.add_argument("--statusline", action="store_true", default=None)
    parser.add_argument("--no-statusline", dest="statusline", action="store_false")
    parser.add_argument("--run-permissions", choices=permission.LEVELS, default="")
    parser.add_argument("--no-validate", dest="validate", action="store_false")
    parser.add_argument("--yes", "-y", action="store_true")
    return parser


def _parse(line: list[str]) -> argparse.Namespace:
    parser = build_parser()
    options = keys.parse(parser, line)
    keys.refuse([options.preset_or_name, options.name, options.preset])
    if options.preset_or_name:
        option = "name" if options.base_url else "preset"
        if getattr(options, option):
            parser.error(words.say("usage.unknown", what="…"))
        setattr(options, option, options.preset_or_name)
    return options
