"""`ccc install`: set up supervision for every claude session, without a provider in ccc.json."""

import os

from ccc import failure, words
from ccc.claude import binary
from ccc.claude.formats import slash
from ccc.storage import files
from ccc.storage.installation import Installation
from ccc.storage.paths import Paths, display_path, own_program
from ccc.system import terminal
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Install the hook, the slash commands and the prompt, and print the next steps."""
    paths, _ = build_parser().begin(line)
    ccc_path = own_program()
    with files.Lock(paths.locks) as lock:
        before = _contents(paths)
        work = Installation(lock, paths)
        work.ensure(ccc_path)
        work.finish()
        changed = _contents(paths) != before
    for problem in work.trouble:
        failure.tell(problem)
    if work.trouble:
        return 1
    directory = display_path(paths.claude_dir)
    done = words.say("install.done" if changed else "install.unchanged", directory=directory)
    terminal.tell("✓ " + done)
    # without claude on PATH, ccc starts the bundled one with a provider
    is_on_path, has_provider = binary.is_on_path(os.environ), os.path.exists(paths.config)
    following = "install.next" if is_on_path and changed else "install.next_again"
    if not is_on_path and not has_provider:
        following = "install.next_no_claude"
    terminal.tell(words.say(following, program="claude" if is_on_path else "ccc"))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc install`."""
    return Parser("install")


def _contents(paths: Paths) -> list[str | None]:
    commands = [paths.slash_command(name) for name in slash.NAMES]
    return [files.read(path) for path in (paths.settings, *commands, paths.prompt)]
