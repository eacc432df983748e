"""`ccc provider list` and `ccc provider show`: show providers, presets and prices."""

import argparse
import os
from collections.abc import Iterable, Sequence

from rich.table import Table

from ccc import failure, words
from ccc.config import ccc_json, projects
from ccc.config.schema import Config
from ccc.providers import models, presets, prices, selection, variables
from ccc.providers.variables import Variable
from ccc.storage.paths import Paths
from ccc.ui import rich_output

_RATES = ("input", "output", "cache_read", "cache_write")


def list_all(paths: Paths, options: argparse.Namespace) -> int:
    """List the providers, or the presets."""
    if options.presets:
        return _list_presets()
    config = ccc_json.find(paths)
    if config is None:
        failure.tell(selection.no_provider(), "")
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


def show(paths: Paths, options: argparse.Namespace) -> int:
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
