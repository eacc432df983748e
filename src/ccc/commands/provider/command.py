"""`ccc provider list|add|edit|remove|show|use`: manage the providers in ccc.json."""

import argparse
import os
from collections.abc import Callable, Mapping

from ccc import failure, words
from ccc.claude.formats import environment
from ccc.commands.provider import show
from ccc.commands.setup import keys, new_provider
from ccc.config import ccc_json, editing
from ccc.config.layer import Value
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import models, presets, selection
from ccc.storage import files
from ccc.storage.installation import Installation
from ccc.storage.paths import Paths, display_path
from ccc.system import terminal
from ccc.text import jsontext, names
from ccc.ui import prompts
from ccc.ui.arguments import Parser


def main(line: list[str]) -> int:
    """Run the verb; the default is `list`."""
    paths = ccc_json.speak()
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
        new_provider.add_options(parser)
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


def _add(paths: Paths, said: argparse.Namespace) -> int:
    keys.refuse([said.preset_or_name, said.preset])
    ask = prompts.is_interactive()
    name = new_provider.resolve_name(said, ask)
    config = ccc_json.find(paths)
    if config and name in config.providers:
        raise CccError("provider.exists", hint="provider.exists_hint", name=name)
    env, note = new_provider.create(paths, said, name, ask)
    _change(paths, lambda text: editing.with_provider(text, name, env))
    _report("provider.added", name=name, file=paths.config)
    if note:
        _report("provider.note", note=note)
    _report("provider.try", name=name)
    return 0


def _edit(paths: Paths, said: argparse.Namespace) -> int:
    config = selection.require(said.provider, ccc_json.find(paths))
    own = config.providers[said.provider].env
    edits = _env_edits(said, own)
    edits |= _key_edits(said, own, edits)
    if edits and _change(paths, lambda text: editing.with_env(text, said.provider, edits)):
        _report("provider.edited", name=said.provider, file=paths.config)
    else:
        _report("provider.unchanged")
    return 0


def _env_edits(said: argparse.Namespace, own: Mapping[str, Value]) -> dict[str, object]:
    """Return the variables that the options change; None removes one."""
    edits: dict[str, object] = {}
    known = presets.load()
    if said.preset:
        env = new_provider.preset_env(presets.require(said.preset), said, prompts.is_interactive())
        lost = [name for name, value in env.items() if value == "" and own.get(name)]
        if set(lost) & set(environment.CREDENTIALS) and not keys.is_given(said):
            raise CccError("provider.key_again", preset=said.preset, name=lost[0])
        edits |= env
    elif said.base_url:
        edits[models.BASE_URL] = new_provider.normalize_url(said.base_url)
    if said.model:
        if not said.preset:
            preset = known.get(presets.name_for_url(known, str(own.get(models.BASE_URL) or "")))
            edits |= dict.fromkeys(new_provider.obsolete_windows(preset, own, said))
        edits |= new_provider.model_env(said.model, models.SUBAGENT in {**own, **edits})
    return edits | keys.variables(said.env) | dict.fromkeys(said.unset)


def _key_edits(
    said: argparse.Namespace, own: Mapping[str, Value], edits: Mapping[str, object]
) -> dict[str, object]:
    """Return the key's variables: the new value for one, None for the others."""
    key = keys.from_options(said)
    if key is None and not edits and not said.credential and prompts.is_interactive():
        key = keys.ask()
    if key is None and not said.credential:
        return {}
    if key is None:
        raise CccError("provider.no_key", hint="provider.key_ways", name=said.provider)
    held = [name for name in environment.CREDENTIALS if own.get(name) and edits.get(name) != ""]
    target = said.credential or next(iter(held), environment.CREDENTIALS[0])
    return {**dict.fromkeys(held), target: key}


def _remove(paths: Paths, said: argparse.Namespace) -> int:
    name = said.provider
    config = selection.require(name, ccc_json.find(paths))
    if not said.yes:
        if not prompts.is_interactive():
            raise CccError("provider.confirm", hint="provider.confirm_hint", name=name)
        if not prompts.yes(words.say("provider.ask_remove", name=name, file=paths.config), False):
            _report("provider.unchanged")
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


def _use(paths: Paths, said: argparse.Namespace) -> int:
    name = said.provider
    if said.none == bool(name) or (said.none and not said.here):
        build_parser("use").error(words.say("provider.use_form"))
    config = ccc_json.find(paths)
    if name:
        config = selection.require(name, config)
    if said.here:
        return _bind(paths, config, name)
    with files.Lock(paths.locks) as lock:
        work = Installation(lock, paths)
        work.current_provider(name)
    for problem in work.trouble:
        raise problem
    _report("provider.used", name=name)
    bound, key = ccc_json.binding(config, os.getcwd()) if config else ("", "")
    if bound not in ("", name):
        _report("provider.bound", name=bound, key=key)
    return 0


def _bind(paths: Paths, config: Config | None, name: str) -> int:
    """Bind this directory to a provider, or remove the binding."""
    key = ccc_json.project_key(config, os.getcwd())

    def edit(text: str) -> str:
        if name:
            return jsontext.replace(text, ("projects", key, "provider"), name)
        return editing.without_binding(text, key)

    changed = _change(paths, edit)
    message = "provider.unbound" if changed else "provider.unchanged"
    message = "provider.bound_now" if name else message
    _report(message, name=name, directory=display_path(os.getcwd()))
    return 0


VERBS: dict[str, Callable[[Paths, argparse.Namespace], int]] = {
    "list": show.list_all,
    "add": _add,
    "edit": _edit,
    "remove": _remove,
    "show": show.show,
    "use": _use,
}
