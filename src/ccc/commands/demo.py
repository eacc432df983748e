"""`ccc demo`: show a supervised agent at work, using the real claude with a scripted model."""

import os

from ccc import words
from ccc.claude import binary
from ccc.demo.performance import Performance
from ccc.errors import CccError
from ccc.storage.paths import own_program
from ccc.system import spawn, terminal
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Run the demo, without reading the user's files or leaving anything behind."""
    words.use(os.environ)
    options = build_parser().parse(line)
    if options is None:
        return 0
    if options.interactive and not all(os.isatty(number) for number in range(3)):
        raise CccError("demo.no_terminal")
    program = own_program()
    claude = binary.find(os.environ, program).path
    spawn.clean_up_after(KeyboardInterrupt)
    try:
        Performance(program, claude, options.fast, options.keep).run(options.interactive)
    except KeyboardInterrupt:
        left = "" if options.keep else words.say("demo.nothing_left")
        terminal.tell(f"[ccc] {words.say('look.interrupted')} {left}".rstrip())
        return 130
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc demo`."""
    parser = Parser("demo")
    parser.add_flags("--interactive", "--fast", "--keep")
    return parser
