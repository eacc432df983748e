"""`ccc help [COMMAND]`: print the usage, even if the configuration is broken."""

import os

from ccc import words
from ccc.command_table import COMMANDS
from ccc.config import ccc_json, projects
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.text import names
from ccc.ui.arguments import usage


def main(line: list[str]) -> int:
    """Print the help for ccc or a command."""
    paths = ccc_json.set_language()
    config, problem = ccc_json.try_load(paths)
    word = next((word for word in line if not word.startswith("-")), "help")
    if word == "help":
        _print_overview(paths, config, problem)
    elif word in COMMANDS:
        print(usage(word))
    elif config and word in config.providers:
        print(words.say("help.provider", name=word))
    else:
        near = names.nearest(word, [*COMMANDS, *(config.providers if config else ())])
        hint = "help.nearest" if near else "help.all"
        raise CccError("help.unknown", hint=hint, word=word, near=near)
    return 0


def _print_overview(paths: Paths, config: Config | None, problem: CccError | None) -> None:
    state = words.say("help.config_good" if config else "help.config_missing")
    if problem:
        state = words.say("help.config_bad", problem=problem)
    print(usage("help"))
    print(terminal.plain(words.say("help.config", file=paths.config, how=state)))
    if config:
        print(words.say("help.providers"))
        here = projects.choice(config, os.getcwd())
        for name in config.providers:
            print(" *" if name == here else "  ", name)
    elif not os.path.exists(paths.config):
        print(words.say("config.set_up"))
