"""`ccc prompt init [--project]`: write the default SUPERVISOR.md, never over an existing one."""

import os

from ccc import terminal, words
from ccc.commands import speaking
from ccc.commands.parsing import Parser
from ccc.errors import CccError
from ccc.storage import files, installation
from ccc.storage import paths as places


def main(line: list[str]) -> int:
    """Write the prompt for all projects, or for the one in this directory."""
    paths = places.find(os.environ)
    speaking.speak(paths)
    parser = Parser("prompt")
    parser.add_argument("init", choices=["init"])
    parser.add_argument("--project", action="store_true")
    said = parser.said(line)
    if said is None:
        return 0
    target = os.path.abspath("SUPERVISOR.md") if said.project else paths.prompt
    with files.Lock(paths.locks) as lock:
        if os.path.lexists(target):
            raise CccError("prompt.exists", hint="prompt.exists_hint", file=target)
        lock.write(target, installation.default_prompt(words.chosen()))
    terminal.tell(words.say("prompt.written", file=target))
    return 0
