"""`ccc provider list|add|edit|remove|show|use`: manage the providers in ccc.json."""

import argparse
import os
from collections.abc import Callable, Iterable, Sequence

from rich.table import Table

from ccc import failure, words
from ccc.config import ccc_json, editing, projects
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import models, presets, prices, selection, variables
from ccc.providers.variables import Variable
from ccc.setup import keys, provider_options
from ccc.storage import files
from ccc.storage.installation import Installation
from ccc.storage.paths import Paths, display_path
from ccc.system import terminal
from ccc.text import jsontext
from ccc.ui import prompts, rich_output
from ccc.ui.arguments import Parser, unknown_verb

_RATES = ("input", "output", "cache_read", "cache_write")


def main(line: list[str]) -> int:
    """Run the verb; the default is `list`."""
    paths = ccc_json.set_language()
    verb, rest = (line[0], line[1:]) if line else ("list", [])
    if {"--help", "-h"} & {verb, *rest}:
        print(words.say("provider.usage"))
        return 0
    if verb not in VERBS:
        keys.refuse([verb, *rest])
        # only show letters: anything else may be a misplaced key
        raise unknown_verb("provider", verb if verb.isalpha() else "…", VERBS)
    return VERBS[verb](paths, keys.parse(build_parser(verb), rest))


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
        failure.tell(CccError("provider.none"), "")
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


def _list(paths: Paths, options: argparse.Namespace) -> int:
    if options.presets:
        return _list_presets()
    config = ccc_json.find(paths)
    if config is None:
        failure.tell(CccError("provider.none"), "")
        return 0
    here = projects.choice(config, os.getcwd())
    rows = [_row(config, name, name == here) for name in config.providers]
    _print(_table(("", "name", "url", "model", "key"), rows, whole=(1, 3)))
    if key := projects.binding(config, os.getcwd())[1]:
        _print("\n" + words.say("provider.bound", name=here, key=key))
    return 0


def _row(config: Config, name: str, is_current: bool) -> tuple[object, ...]:
    env = variables.values(config, name)
    return (
        rich_output.text("*" if is_current else "", "green"),
        rich_output.text(name, "bold" if is_current else ""),
        variables.display_value(models.BASE_URL, env.get(models.BASE_URL, "")) or "–",
        env.get(models.MODEL, "") or "–",
        _source(variables.key(config, name)),
    )


def _source(variable: Variable) -> str:
    layer, _, kind = variable.kind.rpartition(".")
    text = words.say(f"provider.from_{kind}", detail=variable.detail)
    if kind == "variable" and not os.environ.get(variable.detail):
        text += words.say("provider.from_unset")
    return text + words.say("provider.from_base") if layer else text


def _list_presets() -> int:
    known, language = presets.load(), words.current_language()
    rows = [
        (name, preset.title[language], ", ".join(presets.needs(preset.env)))
        for name, preset in known.items()
    ]
    _print(_table(("preset", "title", "needs"), rows))
    date = next(iter(known.values())).date
    _print("\n" + words.say("provider.presets_age", date=date))
    return 0


def _show(paths: Paths, options: argparse.Namespace) -> int:
    """Show a provider's variables and prices, or a preset."""
    if options.preset:
        return _show_preset(options.preset)
    known, name = ccc_json.find(paths), options.provider
    if known and not name:
        name = projects.choice(known, os.getcwd())
    config = selection.require(name, known)
    _print(name, "bold")
    rows = [(v.name, v.value, _source(v)) for v in variables.describe(config, name)]
    _print(_table(("variable", "value", "from"), rows) if rows else words.say("provider.login"))
    if others := sorted({*config.base.settings, *config.providers[name].settings}):
        _print(words.say("provider.settings", names=", ".join(others)))
    if priced := _price_rows(config, name):
        _print("\n" + words.say("provider.prices"))
        _print(_table(("model", *_RATES, "from"), priced))
    return 0


def _show_preset(name: str) -> int:
    preset, language = presets.require(name), words.current_language()
    key = {preset.credential: preset.dummy_key or "…"} if preset.credential else {}
    env = {**preset.env, **key}
    _print(f"{name}: {preset.title[language]}", "bold")
    _print(_table(("variable", "value"), env.items()) if env else words.say("provider.login"))
    if preset.note:
        _print(words.say("provider.note", note=preset.note[language]))
    if preset.key_page:
        _print(words.say("provider.get_key", url=f"https://{preset.key_page}"))
    _print(words.say("provider.preset_source", source=preset.source, date=preset.date))
    return 0


def _price_rows(config: Config, provider: str) -> list[tuple[str, ...]]:
    """Return the provider's models with their prices and the source of the prices."""
    env = variables.values(config, provider)
    tariff = prices.tariff(config, provider, env)
    configured = (models.MODEL, *models.TIERS.values(), models.SUBAGENT)
    names = dict.fromkeys(models.billed_name(env[each]) for each in configured if env.get(each))
    rows: list[tuple[str, ...]] = []
    for name in names:
        price = tariff.price(name)
        rates = [f"${getattr(price.rates, rate):g}" if price else "–" for rate in _RATES]
        rows.append((name, *rates, price.source if price else words.say("look.estimate")))
    return rows


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], whole: Sequence[int] = ()
) -> Table:
    titles = [words.say(f"provider.head_{head}") if head else "" for head in heads]
    return rich_output.table(titles, rows, whole=whole)


def _print(what: str | Table, style: str = "") -> None:
    console = rich_output.console()
    console.print(rich_output.text(what, style) if isinstance(what, str) else what)


VERBS: dict[str, Callable[[Paths, argparse.Namespace], int]] = {
    "list": _list,
    "add": _add,
    "edit": _edit,
    "remove": _remove,
    "show": _show,
    "use": _use,
}
