"""`ccc prompt init [--project]`: write the default SUPERVISOR.md; never overwrites one."""

import os

from ccc import words
from ccc.errors import CccError
from ccc.storage import files, installation
from ccc.system import terminal
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Write the prompt for all projects, or for this directory's project."""
    paths, options = build_parser().begin(line)
    target = os.path.abspath("SUPERVISOR.md") if options.project else paths.prompt
    with files.Lock(paths.locks) as lock:
        if os.path.lexists(target):
            raise CccError("prompt.exists", file=target)
        lock.write(target, installation.default_prompt(words.current_language()))
    terminal.tell(words.say("file.written", file=target))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc prompt`."""
    parser = Parser("prompt")
    parser.add_argument("init", choices=["init"])
    parser.add_flags("--project")
    return parser
