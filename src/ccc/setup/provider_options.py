"""Create or change a provider by its options: a preset or an endpoint, own values and a key."""

import argparse
from collections.abc import Callable, Mapping

from ccc import words
from ccc.claude.formats import environment
from ccc.config import ccc_json, editing
from ccc.config.layer import Value
from ccc.errors import CccError
from ccc.providers import models, presets
from ccc.providers.presets import Preset
from ccc.setup import keys
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.text import names, redaction
from ccc.ui import prompts
from ccc.ui.arguments import Parser


def add_options(parser: Parser) -> None:
    """Add the options that describe a provider."""
    parser.add_argument("--preset", default="")
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--credential", choices=environment.CREDENTIALS[:2], default="")
    keys.add_options(parser)


def name_problem(paths: Paths, name: str) -> str:
    """Return why a provider can't have this name, or ""."""
    text = files.read(paths.config) or ""
    example = editing.with_provider(text if text.strip() else "{}", name, {})
    try:
        ccc_json.parse(paths, example)
    except CccError as error:
        if error.params.get("path") != f"providers.{name}":
            raise
        return words.say(str(error.params["reason"]), **{**error.params, "name": name})
    return ""


def resolve_name(options: argparse.Namespace, ask: bool) -> str:
    """Return the given name, or a preset's similar name if the user confirms it."""
    known, name = presets.load(), str(options.preset_or_name)
    if name in known or options.preset or options.base_url is not None:
        return name
    near = names.nearest(name, known, 0.6)
    if not near:
        return name
    if not ask:
        raise CccError("provider.preset_unknown", hint="provider.preset_near", name=name, near=near)
    agreed = prompts.yes(words.say("provider.ask_preset", name=name, near=near), True)
    return near if agreed else name


def create(
    paths: Paths, options: argparse.Namespace, name: str, ask: bool
) -> tuple[dict[str, object], str]:
    """Return a new provider's environment and its preset's note; asks for missing values."""
    if problem := name_problem(paths, name):
        raise CccError("provider.name_given", name=name, reason=problem)
    keys.variables(options.env)  # refuse a secret before doing anything else
    preset = None
    if options.preset or (name in presets.load() and options.base_url is None):
        preset = presets.require(options.preset or name)
    elif not options.base_url:
        if not ask:
            raise CccError("provider.no_endpoint", hint="provider.preset_list", name=name)
        ask_endpoint(options)
    env: Mapping[str, object]
    env = preset_env(preset, options, ask) if preset else _env_edits(options, {})
    credential = options.credential or (preset.credential if preset else environment.CREDENTIALS[0])
    first = {models.BASE_URL: env[models.BASE_URL]} if models.BASE_URL in env else {}
    key = {credential: _key(preset, options, ask, name)} if credential else {}
    note = preset.note.get(words.current_language(), "") if preset else ""
    return {**first, **key, **{k: v for k, v in env.items() if k not in (*first, *key)}}, note


def _key(preset: Preset | None, options: argparse.Namespace, ask: bool, name: str) -> object:
    """Return the key from the options, the preset or the user, in that order."""
    key = keys.from_options(options)
    if key is None and preset and preset.dummy_key:
        key = preset.dummy_key
    if key is not None:
        return key
    if not ask:
        raise CccError("provider.no_key", hint="provider.key_ways", name=name)
    if preset and preset.key_page:
        terminal.tell(words.say("provider.get_key", url=f"https://{preset.key_page}"))
    return keys.ask()


def preset_env(preset: Preset, options: argparse.Namespace, ask: bool) -> dict[str, str]:
    """Return the preset's variables, overridden by the options."""
    env = dict(preset.env)
    if options.base_url:
        env[models.BASE_URL] = normalize_url(options.base_url)
    if options.model:
        for name in obsolete_windows(preset, env, options):
            del env[name]
        env |= model_env(options.model, subagent=models.SUBAGENT in env)
    env |= keys.variables(options.env)
    env = presets.fill(env, _own_values(preset, env, keys.variables(options.set), ask))
    if options.credential and options.credential != preset.credential:
        env.pop(options.credential, None)
    return env


def changes(options: argparse.Namespace, own: Mapping[str, Value]) -> dict[str, object]:
    """Return the variables of a provider that the options change; None removes one."""
    edits = _env_edits(options, own)
    return edits | _key_edits(options, own, edits)


def _env_edits(options: argparse.Namespace, own: Mapping[str, Value]) -> dict[str, object]:
    edits: dict[str, object] = {}
    if options.preset:
        env = preset_env(presets.require(options.preset), options, prompts.is_interactive())
        lost = [name for name, value in env.items() if value == "" and own.get(name)]
        if set(lost) & set(environment.CREDENTIALS) and not keys.has_key(options):
            raise CccError("provider.key_again", preset=options.preset, name=lost[0])
        edits |= env
    elif options.base_url:
        edits[models.BASE_URL] = normalize_url(options.base_url)
    if options.model:
        if not options.preset:
            known = presets.load()
            preset = known.get(presets.name_for_url(known, str(own.get(models.BASE_URL) or "")))
            edits |= dict.fromkeys(obsolete_windows(preset, own, options))
        edits |= model_env(options.model, models.SUBAGENT in {**own, **edits})
    return edits | keys.variables(options.env) | dict.fromkeys(getattr(options, "unset", ()))


def _key_edits(
    options: argparse.Namespace, own: Mapping[str, Value], edits: Mapping[str, object]
) -> dict[str, object]:
    """Return the key's variables: the new value for one, None for the others."""
    key = keys.from_options(options)
    if key is None and not edits and not options.credential and prompts.is_interactive():
        key = keys.ask()
    if key is None and not options.credential:
        return {}
    if key is None:
        raise CccError("provider.no_key", hint="provider.key_ways", name=options.provider)
    held = [name for name in environment.CREDENTIALS if own.get(name) and edits.get(name) != ""]
    target = options.credential or next(iter(held), environment.CREDENTIALS[0])
    return {**dict.fromkeys(held), target: key}


def obsolete_windows(
    preset: Preset | None, env: Mapping[str, object], options: argparse.Namespace
) -> list[str]:
    """Report and return the preset's context windows that don't fit the new model."""
    if preset is None or preset.env.get(models.MODEL) == options.model:
        return []
    given = {*keys.variables(options.env), *getattr(options, "unset", ())}
    # a value that differs from the preset's is the user's own
    same = [name for name in presets.WINDOWS if name in env and env[name] == preset.env.get(name)]
    if obsolete := [name for name in same if name not in given]:
        terminal.tell(words.say("provider.window", names=", ".join(obsolete)))
    return obsolete


def model_env(typed: str, subagent: bool) -> dict[str, str]:
    """Return variables that use one model for every tier, and for sub-agents if `subagent`."""
    name = _check_model(typed)
    return models.variables(name, subagent=name if subagent else "")


def _check_model(typed: str) -> str:
    if not models.is_name(typed.strip()):
        raise CccError("provider.model_odd")
    return typed.strip()


def normalize_url(url: str) -> str:
    """Return the base URL as claude expects it, without the /v1/messages that claude appends."""
    scheme, mark, rest = url.strip().partition("://")
    odd = "@" in rest or " " in rest or not rest.isprintable()
    if not mark or scheme.casefold() not in ("http", "https") or not rest or odd:
        raise CccError("provider.url_form")
    bare = url.strip().rstrip("/")
    for tail in ("/messages", "/v1"):
        bare = bare.removesuffix(tail)
    return bare if bare != url.strip().rstrip("/") else url.strip()


def ask_endpoint(options: argparse.Namespace) -> None:
    """Ask for the base URL, and for the model if the options have none."""
    options.base_url = _ask(words.say("provider.ask_url"), normalize_url)
    if not options.model:
        options.model = _ask(
            words.say("provider.ask_model"),
            lambda typed: _check_model(typed) if typed else "",
            is_key=redaction.looks_like_a_key,
            is_optional=True,
        )


def _ask(
    question: str,
    check: Callable[[str], str],
    default: str = "",
    is_key: Callable[[str], bool] = redaction.has_key,
    is_optional: bool = False,
) -> str:
    """Ask until the answer passes the check."""
    while True:
        typed = prompts.line(question, default, is_key=is_key)
        if not typed and not is_optional:
            terminal.tell(words.say("ask.empty"))
            continue
        try:
            return check(typed)
        except CccError as error:
            prompts.object_to(str(error))
            if error.remedy:
                terminal.tell(error.remedy)


def _own_values(
    preset: Preset, env: dict[str, str], given: dict[str, str], ask: bool
) -> dict[str, str]:
    """Return the user's values that the preset needs: workspace, account, model, …"""
    own = {}
    for need in presets.needs(env):
        what, default = words.say(f"provider.need_{need}"), preset.defaults.get(need, "")

        def check(value: str, need: str = need, what: str = what) -> str:
            if not presets.accepts(need, value):
                raise CccError("provider.need_odd", what=what)
            return value

        if not given.get(need) and ask:
            own[need] = _ask(what, check, default)
        elif value := given.get(need) or default:
            own[need] = check(value)
        else:
            flag = "--model" if need == "model" else f"--set {need}="
            raise CccError("provider.need", name=preset.name, what=what, flag=flag)
    return own
