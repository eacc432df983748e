"""`ccc provider list|add|edit|remove|show|use`: manage the providers in ccc.json."""

import argparse
import os
from collections.abc import Callable

from ccc import failure, words
from ccc.commands.provider import show
from ccc.config import ccc_json, editing, projects
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import selection
from ccc.setup import keys, provider_options
from ccc.storage import files
from ccc.storage.installation import Installation
from ccc.storage.paths import Paths, display_path
from ccc.system import terminal
from ccc.text import jsontext, names
from ccc.ui import prompts
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Run the verb; the default is `list`."""
    paths = ccc_json.set_language()
    verb, rest = (line[0], line[1:]) if line else ("list", [])
    if {"--help", "-h"} & {verb, *rest}:
        print(words.say("provider.usage"))
        return 0
    if verb not in VERBS:
        keys.refuse([verb, *rest])
        raise _unknown_verb(verb)
    return VERBS[verb](paths, keys.parse(build_parser(verb), rest))


def _unknown_verb(verb: str) -> CccError:
    # only show letters: anything else may be a misplaced key
    shown = verb if verb.isalpha() else "…"
    problem = words.say("usage.unknown", what=shown)
    near = names.nearest(shown, VERBS)
    return CccError(
        "command.unknown" if near else "usage.wrong",
        hint="usage.see",
        command="provider",
        problem=problem,
        word=f"provider {shown}",
        near=f"provider {near}",
    )


def build_parser(verb: str = "") -> Parser:
    """Build the parser for a verb, or the one with all verbs."""
    parser = Parser("provider")
    name = words.say("usage.name")
    if verb in ("edit", "remove"):
        parser.add_argument("provider", metavar=name)
    elif verb in ("show", "use"):
        parser.add_argument("provider", nargs="?", default="", metavar=name)
    elif verb == "add":
        parser.add_argument("preset_or_name", metavar=name)
    if verb in ("add", "edit"):
        provider_options.add_options(parser)
    if verb == "list":
        parser.add_flags("--presets")
    elif verb == "edit":
        parser.add_argument("--unset", action="append", default=[])
    elif verb == "remove":
        parser.add_argument("--yes", "-y", action="store_true")
    elif verb == "show":
        parser.add_argument("--preset", default="")
    elif verb == "use":
        parser.add_argument("--here", "--project", action="store_true")
        parser.add_flags("--none")
    elif not verb:
        parser.add_argument("verb", choices=list(VERBS))
    return parser


def _change(paths: Paths, edit: Callable[[str], str]) -> bool:
    with files.Lock(paths.locks) as lock:
        return ccc_json.change(lock, paths, edit)


def _report(message: str, **params: object) -> None:
    terminal.tell(words.say(message, **params))


def _add(paths: Paths, options: argparse.Namespace) -> int:
    keys.refuse([options.preset_or_name, options.preset])
    ask = prompts.is_interactive()
    name = provider_options.resolve_name(options, ask)
    config = ccc_json.find(paths)
    if config and name in config.providers:
        raise CccError("provider.exists", name=name)
    env, note = provider_options.create(paths, options, name, ask)
    _change(paths, lambda text: editing.with_provider(text, name, env))
    _report("provider.added", name=name, file=paths.config)
    if note:
        _report("provider.note", note=note)
    _report("provider.try", name=name)
    return 0


def _edit(paths: Paths, options: argparse.Namespace) -> int:
    config = selection.require(options.provider, ccc_json.find(paths))
    edits = provider_options.changes(options, config.providers[options.provider].env)
    if edits and _change(paths, lambda text: editing.with_env(text, options.provider, edits)):
        _report("provider.edited", name=options.provider, file=paths.config)
    else:
        _report("ask.unchanged")
    return 0


def _remove(paths: Paths, options: argparse.Namespace) -> int:
    name = options.provider
    config = selection.require(name, ccc_json.find(paths))
    if not options.yes:
        if not prompts.is_interactive():
            raise CccError("provider.confirm", name=name)
        if not prompts.yes(words.say("provider.ask_remove", name=name, file=paths.config), False):
            _report("ask.unchanged")
            return 0
    with files.Lock(paths.locks) as lock:
        ccc_json.change(lock, paths, lambda text: editing.without_provider(text, name))
        removed = Installation(lock, paths).remove_provider(name)
    _report("provider.removed", name=name)
    for path in removed:
        _report("provider.removed_file", file=path)
    for directory, project in config.projects.items():
        if project.provider == name:
            _report("provider.unbound", directory=directory)
    rest = ccc_json.find(paths)
    if rest is None:
        failure.tell(selection.no_provider(), "")
    elif config.choose() == name:
        _report("provider.next", name=name, chosen=rest.choose())
    return 0


def _use(paths: Paths, options: argparse.Namespace) -> int:
    name = options.provider
    if options.none == bool(name) or (options.none and not options.here):
        build_parser("use").error(words.say("provider.use_form"))
    current = ccc_json.find(paths)
    config = selection.require(name, current) if name else current
    if options.here:
        return _bind(paths, config, name)
    _change(paths, lambda text: jsontext.replace(text, ("current_provider",), name))
    _report("provider.used", name=name)
    bound, key = projects.binding(config, os.getcwd()) if config else ("", "")
    if bound not in ("", name):
        _report("provider.bound", name=bound, key=key)
    return 0


def _bind(paths: Paths, config: Config | None, name: str) -> int:
    """Bind this directory to a provider, or remove the binding."""
    key = projects.key(config, os.getcwd())
    changed = _change(paths, lambda text: editing.with_binding(text, key, name))
    message = "provider.unbound" if changed else "ask.unchanged"
    message = "provider.bound_now" if name else message
    _report(message, name=name, directory=display_path(os.path.expanduser(key)))
    return 0


VERBS: dict[str, Callable[[Paths, argparse.Namespace], int]] = {
    "list": show.list_all,
    "add": _add,
    "edit": _edit,
    "remove": _remove,
    "show": show.show,
    "use": _use,
}
