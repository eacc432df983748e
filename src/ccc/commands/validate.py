"""`ccc validate [NAME… | --all]`: try providers with real requests, in parallel."""

import os

from ccc import words
from ccc.config import ccc_json, projects
from ccc.errors import CccError
from ccc.providers import selection
from ccc.system import terminal
from ccc.ui import rich_output, validation_table
from ccc.ui.arguments import Parser, number


def main(line: list[str]) -> int:
    """Try the providers, show the progress, and print how to fix each failure."""
    parser = build_parser()
    paths, options = parser.begin(line)
    if options.all and options.providers:
        parser.error(words.say("validate.both"))
    config = ccc_json.find(paths)
    if config is None:
        raise CccError("provider.none")
    names = options.providers or [projects.choice(config, os.getcwd())]
    for name in names:
        selection.require(name, config)
    names = list(config.providers) if options.all else list(dict.fromkeys(names))
    validations = validation_table.try_out(config, names, options.timeout)
    is_bad = any(each.failure for each in validations)
    if options.json:
        values = [validation_table.values(config, each) for each in validations]
        print(terminal.as_json({"ok": not is_bad, "providers": values}, indent=2))
    else:
        validation_table.show(config, validations, rich_output.console())
    return 1 if is_bad else 0


def build_parser() -> Parser:
    """Build the parser for `ccc validate`."""
    parser = Parser("validate")
    parser.add_argument("providers", nargs="*")
    seconds = number(0.1, 3600, float)
    parser.add_argument("--timeout", type=seconds, default=validation_table.TIMEOUT)
    parser.add_flags("--all", "--json")
    return parser
