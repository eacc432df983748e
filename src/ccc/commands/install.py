"""`ccc install`: supervision for every claude session, without a provider of ccc's."""

import sys

from ccc import failure, terminal, words
from ccc.commands.parsing import Parser
from ccc.storage import files
from ccc.storage import paths as places
from ccc.storage.installation import Installation


def main(line: list[str]) -> int:
    """Add the hook, the slash commands and the prompt, and say what to do with them."""
    paths, _ = Parser("install").begin(line)
    ourselves = places.own_program(sys.argv[0])
    with files.Lock(paths.locks) as lock:
        work = Installation(lock, paths)
        work.ensure(ourselves, words.chosen(), words.say("hook.status"))
        work.finish()
    for problem in work.trouble:
        failure.tell(problem)
    if work.trouble:
        return 1
    terminal.tell("✓ " + words.say("install.done", directory=places.shown(paths.claude_dir)))
    return 0
