"""`ccc provider list|add|edit|remove|show|use`: the providers in ccc.json."""

import os

from ccc import failure, words
from ccc.claude.formats import environment
from ccc.commands.provider import price_list, use
from ccc.commands.setup import keys, new_provider
from ccc.config import ccc_json, editing
from ccc.errors import CccError
from ccc.providers import models, presets, provenance, selection
from ccc.storage import files
from ccc.storage.installation import Installation
from ccc.system import terminal
from ccc.text import names
from ccc.ui import prompts, rich_output
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from ccc.config.schema import Config
    from ccc.providers.provenance import Variable
    from ccc.storage.paths import Paths


def main(line: list[str]) -> int:
    """Do what the first word says; without one, list."""
    paths = ccc_json.speak()
    verb, rest = (line[0], line[1:]) if line else ("list", [])
    if {"--help", "-h"} & {verb, *rest}:
        print(words.say("provider.usage"))
        return 0
    if verb not in _VERBS:
        keys.refuse([verb, *rest])
        # anything else may be a key that was put in the wrong place
        shown = verb if verb.isalpha() else "…"
        if near := names.nearest(shown, _VERBS):
            raise CccError(
                "command.unknown",
                hint="usage.see",
                command="provider",
                word=f"provider {shown}",
                near=f"provider {near}",
            )
        said = words.say("usage.unknown", what=shown)
        raise CccError("usage.wrong", hint="usage.see", command="provider", problem=said)
    return _VERBS[verb](paths, rest)


def _list(paths: "Paths", line: list[str]) -> int:
    parser = Parser("provider")
    parser.add_argument("--presets", action="store_true")
    if keys.read(parser, line).presets:
        return _list_presets()
    config = ccc_json.find(paths)
    if config is None:
        failure.tell(selection.no_provider(), "")
        return 0
    here = ccc_json.choice(config, os.getcwd())
    rows = [_row(config, name, name == here) for name in config.providers]
    heads = ("", *(words.say(f"provider.head_{h}") for h in ("name", "url", "model", "key")))
    console = rich_output.console()
    console.print(rich_output.table(heads, rows, whole=(1, 3)))
    if key := ccc_json.binding(config, os.getcwd())[1]:
        console.print(rich_output.text("\n" + words.say("provider.bound", name=here, key=key)))
    return 0


def _row(config: "Config", name: str, current: bool) -> tuple[object, ...]:
    env = provenance.values(config, name)
    return (
        rich_output.text("*" if current else "", "green"),
        rich_output.text(name, "bold" if current else ""),
        provenance.shown_value(models.BASE_URL, env.get(models.BASE_URL, "")) or "–",
        env.get(models.MODEL, "") or "–",
        origin(provenance.key(config, name)),
    )


def origin(shown: "Variable") -> str:
    """Where a value comes from, in words."""
    layer, _, kind = shown.kind.rpartition(".")
    said = words.say(f"provider.from_{kind}", detail=shown.detail)
    if kind == "variable" and not os.environ.get(shown.detail):
        said += words.say("provider.from_unset")
    return said + words.say("provider.from_base") if layer else said


def _list_presets() -> int:
    known, language = presets.load(), words.chosen()
    rows = [
        (name, preset.title[language], ", ".join(presets.needs(preset.env)))
        for name, preset in known.items()
    ]
    heads = [words.say(f"provider.head_{h}") for h in ("preset", "title", "needs")]
    console = rich_output.console()
    console.print(rich_output.table(heads, rows))
    read = next(iter(known.values())).date
    console.print(rich_output.text("\n" + words.say("provider.presets_age", date=read)))
    return 0


def _named(line: list[str], *options: "Callable[[Parser], object]") -> "argparse.Namespace":
    """What a line says that begins with the name of a provider."""
    parser = Parser("provider")
    parser.add_argument("name", metavar=words.say("usage.name"))
    for add in options:
        add(parser)
    return keys.read(parser, line)


def _add(paths: "Paths", line: list[str]) -> int:
    said = _named(line, new_provider.options)
    keys.refuse([said.name, said.preset])
    ask = prompts.possible()
    name = new_provider.meant(said, ask)
    config = ccc_json.find(paths)
    if config and name in config.providers:
        raise CccError("provider.exists", hint="provider.exists_hint", name=name)
    new_provider.check_name(paths, name)
    made = new_provider.draft(said, name, ask)
    env = new_provider.with_key(made, new_provider.key_for(made, said, ask, name))
    with files.Lock(paths.locks) as lock:
        _change(lock, paths, lambda text: editing.with_provider(text, name, env))
    terminal.tell(words.say("provider.added", name=name, file=paths.config))
    if made.note:
        terminal.tell(words.say("provider.note", note=made.note))
    terminal.tell(words.say("provider.try", name=name))
    return 0


def _edit(paths: "Paths", line: list[str]) -> int:
    said = _named(
        line, new_provider.options, lambda p: p.add_argument("--unset", action="append", default=[])
    )
    config = selection.require(said.name, ccc_json.find(paths))
    edits = _edits(said, config)
    if not edits:
        terminal.tell(words.say("provider.unchanged"))
        return 0
    with files.Lock(paths.locks) as lock:
        changed = _change(lock, paths, lambda text: editing.with_env(text, said.name, edits))
    done = "provider.edited" if changed else "provider.unchanged"
    terminal.tell(words.say(done, name=said.name, file=paths.config))
    return 0


def _edits(said: "argparse.Namespace", config: "Config") -> dict[str, object]:
    """The variables that the options change; None for one that goes."""
    own = config.providers[said.name].env
    edits: dict[str, object] = {}
    if said.preset:
        made = new_provider.of_preset(presets.require(said.preset), said, prompts.possible())
        lost = [name for name, value in made.env.items() if value == "" and own.get(name)]
        if set(lost) & set(environment.CREDENTIALS) and not keys.is_given(said):
            raise CccError("provider.key_again", preset=said.preset, name=lost[0])
        edits |= made.env
    elif said.base_url:
        edits[models.BASE_URL] = new_provider.endpoint(said.base_url)
    if said.model:
        edits |= dict.fromkeys(_windows(said, own) if not said.preset else ())
        edits |= new_provider.model_variables(
            said.model, {**dict.fromkeys(own, ""), **dict.fromkeys(edits, "")}
        )
    edits |= keys.variables(said.env) | dict.fromkeys(said.unset)
    key = keys.given(said)
    if key is None and not edits and not said.credential and prompts.possible():
        key = keys.asked()
    held = [n for n in environment.CREDENTIALS if own.get(n) and edits.get(n) != ""]
    if key is not None or said.credential:
        target = said.credential or next(iter(held), environment.CREDENTIALS[0])
        if key is None:
            raise CccError("provider.no_key", hint="provider.key_ways", name=said.name)
        edits[target] = key
        # never two credentials with a value
        edits |= dict.fromkeys(name for name in held if name != target)
    return edits


def _windows(said: "argparse.Namespace", own: "Mapping[str, object]") -> list[str]:
    """The context windows of the preset's model, which another model does not have."""
    known = presets.load()
    preset = known.get(presets.name_for_url(known, str(own.get(models.BASE_URL) or "")))
    return new_provider.left_out(presets.obsolete_windows(preset, own, said.model), said)


def _remove(paths: "Paths", line: list[str]) -> int:
    said = _named(line, lambda p: p.add_argument("--yes", "-y", action="store_true"))
    name = said.name
    config = selection.require(name, ccc_json.find(paths))
    if not said.yes:
        if not prompts.possible():
            raise CccError("provider.confirm", hint="provider.confirm_hint", name=name)
        if not prompts.yes(words.say("provider.ask_remove", name=name, file=paths.config), False):
            terminal.tell(words.say("provider.unchanged"))
            return 0
    bound = [key for key, each in config.projects.items() if each.provider == name]
    with files.Lock(paths.locks) as lock:
        _change(lock, paths, lambda text: editing.without_provider(text, name))
        gone = Installation(lock, paths).remove_provider(name)
    terminal.tell(words.say("provider.removed", name=name))
    for path in gone:
        terminal.tell(words.say("provider.removed_file", file=path))
    for directory in bound:
        terminal.tell(words.say("provider.unbound", directory=directory))
    rest = ccc_json.find(paths)
    if rest is None:
        failure.tell(selection.no_provider(), "")
    elif config.choose() == name:
        terminal.tell(words.say("provider.next", name=name, chosen=rest.choose()))
    return 0


def _show(paths: "Paths", line: list[str]) -> int:
    parser = Parser("provider")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--preset", default="")
    said = keys.read(parser, line)
    if said.preset:
        return _show_preset(said.preset)
    name = said.name
    found = ccc_json.find(paths)
    if found and not name:
        name = ccc_json.choice(found, os.getcwd())
    config = selection.require(name, found)
    rows = [(v.name, v.value, origin(v)) for v in provenance.variables(config, name)]
    console = rich_output.console()
    console.print(rich_output.text(name, "bold"))
    heads = [words.say(f"provider.head_{h}") for h in ("variable", "value", "from")]
    if rows:
        console.print(rich_output.table(heads, rows))
    else:
        console.print(rich_output.text(words.say("provider.login")))
    others = sorted({*config.base.settings, *config.providers[name].settings})
    if others:
        console.print(rich_output.text(words.say("provider.settings", names=", ".join(others))))
    if priced := price_list.rows(config, name):
        console.print(rich_output.text("\n" + words.say("provider.prices")))
        heads = [words.say(f"provider.head_{head}") for head in price_list.HEADS]
        console.print(rich_output.table(heads, priced))
    return 0


def _show_preset(name: str) -> int:
    preset, language = presets.require(name), words.chosen()
    credential = {preset.credential: preset.dummy_key or "…"} if preset.credential else {}
    env = {**preset.env, **credential}
    console = rich_output.console()
    console.print(rich_output.text(f"{name}: {preset.title[language]}", "bold"))
    heads = [words.say(f"provider.head_{h}") for h in ("variable", "value")]
    if env:
        console.print(rich_output.table(heads, env.items()))
    else:
        console.print(rich_output.text(words.say("provider.login")))
    if preset.note:
        console.print(rich_output.text(words.say("provider.note", note=preset.note[language])))
    if preset.key_page:
        told = words.say("provider.get_key", url=f"https://{preset.key_page}")
        console.print(rich_output.text(told))
    told = words.say("provider.preset_source", source=preset.source, date=preset.date)
    console.print(rich_output.text(told))
    return 0


def _change(lock: files.Lock, paths: "Paths", edit: "Callable[[str], str]") -> bool:
    return ccc_json.change(lock, paths, edit)


_VERBS: "dict[str, Callable[[Paths, list[str]], int]]" = {
    "list": _list,
    "add": _add,
    "edit": _edit,
    "remove": _remove,
    "show": _show,
    "use": use.use,
}
