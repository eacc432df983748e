"""`ccc provider use`: which provider `ccc` takes, everywhere or in one directory."""

import os

from ccc import words
from ccc.commands.setup import keys
from ccc.config import ccc_json, editing
from ccc.providers import selection
from ccc.storage import files
from ccc.storage.installation import Installation
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.text import jsontext
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.config.schema import Config
    from ccc.storage.paths import Paths


def use(paths: "Paths", line: list[str]) -> int:
    """Make a provider the current one, or that of this directory."""
    parser = Parser("provider")
    parser.add_argument("name", nargs="?", default="", metavar=words.say("usage.name"))
    parser.add_argument("--here", "--project", action="store_true")
    parser.add_argument("--none", action="store_true")
    said = keys.read(parser, line)
    if said.none == bool(said.name) or (said.none and not said.here):
        parser.error(words.say("provider.use_form"))
    config = ccc_json.find(paths)
    if said.name:
        config = selection.require(said.name, config)
    return _bind(paths, config, said.name) if said.here else _use_everywhere(paths, said.name)


def _bind(paths: "Paths", config: "Config | None", name: str) -> int:
    """Give this directory a provider of its own, or take it away."""
    key = ccc_json.project_key(config, os.getcwd())

    def edit(text: str) -> str:
        if name:
            return jsontext.replace(text, ("projects", key, "provider"), name)
        return editing.without_binding(text, key)

    with files.Lock(paths.locks) as lock:
        changed = ccc_json.change(lock, paths, edit)
    told = "provider.bound_now" if name else "provider.unbound" if changed else "provider.unchanged"
    terminal.tell(words.say(told, name=name, directory=display_path(os.getcwd())))
    return 0


def _use_everywhere(paths: "Paths", name: str) -> int:
    with files.Lock(paths.locks) as lock:
        work = Installation(lock, paths)
        work.current_provider(name)
    for problem in work.trouble:
        raise problem
    terminal.tell(words.say("provider.used", name=name))
    config = ccc_json.find(paths)
    bound, key = ccc_json.binding(config, os.getcwd()) if config else ("", "")
    if bound not in ("", name):
        terminal.tell(words.say("provider.bound", name=bound, key=key))
    return 0
