"""`ccc --help`: usage, where the configuration is, the providers; works with a broken config."""

import io
import os
import sys

import ccc
from ccc import terminal, words
from ccc.cli import COMMANDS
from ccc.errors import CccError
from ccc.storage import configuration
from ccc.storage import paths as places


def main(line: list[str]) -> int:
    """Print the help on stdout."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    paths = places.find(os.environ)
    words.use(os.environ)
    how, config = "", None
    try:
        config = configuration.load(paths, COMMANDS)
    except CccError as error:
        how = words.say("help.config_bad", problem=error)
    if config:
        words.use(os.environ, config.language)
    how = how or words.say("help.config_good" if config else "help.config_missing")
    print(words.say("help.usage", version=ccc.__version__))
    print(terminal.plain(words.say("help.config", file=paths.config, how=how)))
    if config:
        print(words.say("help.providers"))
        for name in config.providers:
            print(" *" if name == config.choose() else "  ", name)
    elif not os.path.exists(paths.config):
        print(words.say("config.example"))
    return 0
