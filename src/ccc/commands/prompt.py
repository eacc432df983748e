"""`ccc prompt init [--project]`: write the default SUPERVISOR.md, never over an existing one."""

import os

from ccc import terminal, words
from ccc.commands import speaking
from ccc.errors import CccError
from ccc.storage import files, installation
from ccc.storage import paths as places


def main(line: list[str]) -> int:
    """Write the prompt for all projects, or for the one in this directory."""
    paths = places.find(os.environ)
    speaking.speak(paths)
    if line[:1] in (["--help"], ["-h"]):
        print(words.say("prompt.usage"))
        return 0
    if line[:1] != ["init"] or line[1:] not in ([], ["--project"]):
        raise CccError("prompt.usage")
    target = os.path.abspath("SUPERVISOR.md") if "--project" in line else paths.prompt
    with files.Lock(paths.locks) as lock:
        if os.path.lexists(target):
            raise CccError("prompt.exists", hint="prompt.exists_hint", file=target)
        lock.write(target, installation.default_prompt(words.chosen()))
    terminal.tell(words.say("prompt.written", file=target))
    return 0
