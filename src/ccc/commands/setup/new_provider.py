"""What a new provider is made of: a preset or an endpoint, something of the user's, a key."""

from dataclasses import dataclass

from ccc import words
from ccc.claude.formats import environment
from ccc.commands.setup import keys
from ccc.config import ccc_json, editing
from ccc.errors import CccError
from ccc.providers import models, presets
from ccc.storage import files
from ccc.system import terminal
from ccc.text import names
from ccc.ui import prompts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ccc.providers.presets import Preset
    from ccc.storage.paths import Paths
    from ccc.ui.arguments import Parser

_TOKEN = "ANTHROPIC_AUTH_TOKEN"


@dataclass(frozen=True, slots=True)
class Draft:
    """A provider as it will be, but for its key."""

    env: dict[str, str]
    credential: str
    key: str = ""
    note: str = ""
    keys: str = ""
    """The page where a key is made."""


def check_name(paths: "Paths", name: str) -> None:
    """Find out whether a provider may have this name, before anything is asked for."""
    text = files.read(paths.config) or ""
    trial = editing.with_provider(text if text.strip() else "{}", name, {})
    try:
        ccc_json.parse(paths, trial)
    except CccError as error:
        if error.params.get("path") != f"providers.{name}":
            raise
        # it is not in the file: the name that was given is at fault
        why = words.say(str(error.params["reason"]), **{**error.params, "name": name})
        raise CccError(
            "provider.name_given", hint="provider.name_hint", name=name, reason=why
        ) from None


def meant(said: "argparse.Namespace", ask: bool) -> str:
    """The name that was given; one that is nearly a preset's and says nothing else is a typo."""
    known, name = presets.load(), str(said.name)
    if name in known or said.preset or said.base_url is not None:
        return name
    near = names.nearest(name, known, 0.6)
    if not near:
        return name
    if not ask:
        raise CccError("provider.preset_typo", hint="provider.preset_list", name=name, near=near)
    agreed = prompts.yes(words.say("provider.ask_preset", name=name, near=near), True)
    return near if agreed else name


def options(parser: "Parser") -> None:
    """What `add` and `edit` take."""
    parser.add_argument("--preset", default="")
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--credential", choices=environment.CREDENTIALS[:2], default="")
    keys.options(parser)


def draft(said: "argparse.Namespace", name: str, ask: bool) -> Draft:
    """The new provider; what is missing is asked for, or an error where nobody can be asked."""
    keys.variables(said.env)  # a secret among them is refused before anything else is said
    known = presets.load()
    preset = None
    if said.preset or (name in known and said.base_url is None):
        preset = presets.require(said.preset or name)
    if preset is None and not said.base_url:
        if not ask:
            raise CccError("provider.no_endpoint", hint="provider.preset_list", name=name)
        said.base_url = ask_endpoint()
        said.model = said.model or ask_model()
    return of_preset(preset, said, ask) if preset else _of_url(said)


def of_preset(preset: "Preset", said: "argparse.Namespace", ask: bool) -> Draft:
    """A provider after a preset, with what the options say on top."""
    env = dict(preset.env)
    if said.base_url:
        env[models.BASE_URL] = endpoint(said.base_url)
    if said.model:
        gone = left_out(presets.obsolete_windows(preset, env, said.model), said)
        env = {name: value for name, value in env.items() if name not in gone}
        env |= model_variables(said.model, env)
    env |= keys.variables(said.env)
    env = presets.fill(env, _own(preset, env, keys.variables(said.set), ask))
    credential = said.credential or preset.credential
    if credential != preset.credential:
        env.pop(credential, None)
    note = preset.note.get(words.chosen(), "")
    return Draft(env, credential, preset.dummy_key, note, preset.key_page)


def left_out(windows: list[str], said: "argparse.Namespace") -> list[str]:
    """Those of the variables that the options don't set; the person is told."""
    given = {*keys.variables(said.env), *getattr(said, "unset", ())}
    gone = [name for name in windows if name not in given]
    if gone:
        terminal.tell(words.say("provider.window", names=", ".join(gone)))
    return gone


def _of_url(said: "argparse.Namespace") -> Draft:
    env = {models.BASE_URL: endpoint(said.base_url)}
    if said.model:
        env |= models.variables(model_name(said.model))
    return Draft(env | keys.variables(said.env), said.credential or _TOKEN)


def model_variables(model: str, env: "dict[str, str]") -> dict[str, str]:
    """One model for every tier, and for subagents where they have one."""
    name = model_name(model)
    return models.variables(name, subagent=name if models.SUBAGENT in env else "")


def model_name(typed: str) -> str:
    """The model, if one can be called so."""
    if not models.is_name(typed.strip()):
        raise CccError("provider.model_odd")
    return typed.strip()


def ask_model() -> str:
    """The model that the person types, once it can be one; Enter alone is none."""
    while (typed := prompts.line(words.say("provider.ask_model"))) and not models.is_name(typed):
        prompts.object_to(words.say("provider.model_odd"))
    return typed


def endpoint(url: str) -> str:
    """The base URL as claude wants it: it puts /v1/messages behind it itself."""
    scheme, mark, rest = url.strip().partition("://")
    odd = "@" in rest or " " in rest or not rest.isprintable()
    if not mark or scheme.casefold() not in ("http", "https") or not rest or odd:
        raise CccError("provider.url_form", hint="provider.url_hint")
    bare = url.strip().rstrip("/")
    for tail in ("/messages", "/v1"):
        bare = bare.removesuffix(tail)
    return bare if bare != url.strip().rstrip("/") else url.strip()


def ask_endpoint() -> str:
    """The base URL that the person types, once it is one."""
    while True:
        try:
            return endpoint(
                prompts.needed(words.say("provider.ask_url"), is_key=environment.has_key)
            )
        except CccError as error:
            prompts.object_to(str(error))
            terminal.tell(words.say(error.hint))


def _own(
    preset: "Preset", env: "dict[str, str]", given: "dict[str, str]", ask: bool
) -> dict[str, str]:
    """What of the user's own the preset needs: workspace, account, model, …"""
    own = {}
    for need in presets.needs(env):
        default = preset.defaults.get(need, "")
        value, what = given.get(need, ""), words.say(f"provider.need_{need}")
        if not value and ask:
            value = _ask_own(need, what, default)
        value = value or default
        if value and not presets.accepts(need, value):
            raise CccError("provider.need_odd", what=what)
        if not value:
            flag = "--model" if need == "model" else f"--set {need}="
            raise CccError(
                "provider.need", hint="provider.need_hint", name=preset.name, what=what, flag=flag
            )
        own[need] = value
    return own


def _ask_own(need: str, what: str, default: str) -> str:
    """What the person types, once it can stand in an address."""
    while not presets.accepts(
        need, typed := prompts.line(what, default, is_key=environment.has_key)
    ):
        if typed:
            prompts.object_to(words.say("provider.need_odd", what=what))
        else:
            terminal.tell(words.say("ask.empty"))
    return typed


def with_key(made: Draft, key: object) -> dict[str, object]:
    """The environment of the provider, its key behind its endpoint."""
    env: dict[str, object] = {}
    if models.BASE_URL in made.env:
        env[models.BASE_URL] = made.env[models.BASE_URL]
    if made.credential and key is not None:
        env[made.credential] = key
    return {**env, **{k: v for k, v in made.env.items() if k not in env}}


def key_for(made: Draft, said: "argparse.Namespace", ask: bool, name: str) -> object:
    """The key: as the options say, else asked for; a preset may need none."""
    if not made.credential:
        return None
    key = keys.given(said)
    if key is None:
        key = made.key or None
    if key is None and not ask:
        raise CccError("provider.no_key", hint="provider.key_ways", name=name)
    if key is None and made.keys:
        terminal.tell(words.say("provider.get_key", url=f"https://{made.keys}"))
    return keys.asked() if key is None else key
