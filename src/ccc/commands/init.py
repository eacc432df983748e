"""`ccc init`: language, provider, key and status line, asked for or given by options.

Everything is found out first and written at the end, so that Ctrl-C leaves all as it was.
"""

import os
import sys
from dataclasses import dataclass, field

from ccc import failure, words
from ccc.claude.formats import environment, settings
from ccc.commands.run import permissions
from ccc.commands.setup import keys, new_provider, questions
from ccc.config import ccc_json, editing, schema
from ccc.errors import CccError
from ccc.project import checks
from ccc.providers import models, presets, selection
from ccc.storage import files
from ccc.storage.installation import Installation, users_settings
from ccc.storage.paths import display_path, own_program
from ccc.system import terminal
from ccc.text import jsontext
from ccc.ui import prompts
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ccc.config.schema import Config
    from ccc.storage.paths import Paths


@dataclass(slots=True)
class Wish:
    """What is to be done."""

    language: str = ""
    providers: dict[str, dict[str, object]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    take_out: list[str] = field(default_factory=list)
    """Variables that leave settings.json."""
    status_line: bool = False
    instead: bool = False
    """Also over another status line."""
    directory: str = ""
    checks: list[str] = field(default_factory=list)
    """The checks of that directory."""
    permissions: str = ""
    """What an unattended agent may do."""
    is_tried: bool = False
    """The providers work."""


def main(line: list[str]) -> int:
    """Ask, then write, then say what to do next."""
    paths = ccc_json.speak()
    said = _said(line)
    if said is None:
        return 0
    ask = prompts.possible() and not said.yes
    ourselves = own_program(sys.argv[0])
    config = ccc_json.find(paths)
    users = users_settings(paths)
    told = said.language or said.preset or said.base_url or said.import_ or said.yes
    if not ask and not told and said.statusline is None:
        raise CccError("init.no_terminal", hint="usage.see", command="init")
    try:
        wish = _wish(said, ask, paths, config, users)
    except KeyboardInterrupt:
        terminal.tell("\n" + words.say("init.cancelled"))
        return 130
    _fulfil(wish, paths, ourselves)
    return _tell_next(wish, paths)


def _said(line: list[str]) -> "argparse.Namespace | None":
    if "--help" in line or "-h" in line:
        print(words.say("init.usage"))
        return None
    parser = Parser("init")
    parser.add_argument("wanted", nargs="?", default="")
    parser.add_argument("--language", choices=words.LANGUAGES, default="")
    parser.add_argument("--name", default="")
    new_provider.options(parser)
    parser.add_argument("--import", dest="import_", action="store_true")
    parser.add_argument("--remove-keys", action="store_true")
    parser.add_argument("--statusline", action="store_true", default=None)
    parser.add_argument("--no-statusline", dest="statusline", action="store_false")
    parser.add_argument("--run-permissions", choices=schema.LEVELS, default="")
    parser.add_argument("--no-validate", dest="validate", action="store_false")
    parser.add_argument("--yes", "-y", action="store_true")
    said = keys.read(parser, line)
    keys.refuse([said.wanted, said.name, said.preset])
    if said.wanted:
        # the word behind `ccc provider add`: a preset, or the name of an endpoint
        given = "name" if said.base_url else "preset"
        if getattr(said, given):
            parser.error(words.say("usage.unknown", what="…"))
        setattr(said, given, said.wanted)
    return said


def _wish(
    said: "argparse.Namespace",
    ask: bool,
    paths: "Paths",
    config: "Config | None",
    users: dict[str, object],
) -> Wish:
    wish = Wish(language=said.language)
    if ask:
        terminal.tell(words.say("init.welcome"))
        wish.language = said.language or questions.language()
    if wish.language:
        words.use({"CCC_LANG": wish.language})
    _import(wish, said, ask, config, users)
    if said.preset or said.base_url or (ask and not wish.providers):
        _provider(wish, said, ask, paths, config)
    if ask and said.validate and wish.providers:
        _validate(wish, paths)
    _status_line(wish, said, ask, users, bool(wish.providers or config))
    is_chosen = config is not None and config.run.permissions
    wish.permissions = said.run_permissions or (permissions.ask() if ask and not is_chosen else "")
    if ask:
        _checks(wish, config)
    return wish


def _checks(wish: Wish, config: "Config | None") -> None:
    """The project's own checks, offered where none are configured."""
    here = os.getcwd()
    found = [] if here == os.path.expanduser("~") else checks.detect(here)
    if not found or (config and ccc_json.checks_of(config, here)):
        return
    listed = "\n".join(f"  {command}" for command in found)
    ask = "init.ask_check" if len(found) == 1 else "init.ask_checks"
    question = words.say(ask, directory=display_path(here), checks=listed)
    if prompts.yes(question, True):
        wish.directory, wish.checks = ccc_json.project_key(config, here), found


def _validate(wish: Wish, paths: "Paths") -> None:
    """Try what was entered; a key that fails can be typed again. Nothing is written yet."""
    from ccc.commands import validate
    from ccc.ui import rich_output

    while True:
        text = _edited(files.read(paths.config) or "{}", wish)
        config = ccc_json.parse(paths, text)
        assert config is not None
        terminal.tell(words.say("init.validating"))
        tried = validate.try_out(config, list(wish.providers))
        validate.show(config, tried, rich_output.console(sys.stderr), is_saved=False)
        if not any(trial.is_bad for trial in tried):
            wish.is_tried = True
            return
        wrong = [trial.provider for trial in tried if trial.has_wrong_key]
        if wrong and prompts.yes(words.say("init.ask_key_again"), True):
            for env in (wish.providers[name] for name in wrong if name in wish.providers):
                credential = next(name for name in environment.CREDENTIALS if name in env)
                env[credential] = keys.asked()
        elif prompts.yes(words.say("init.ask_keep"), False):
            return
        else:
            raise CccError("init.declined", hint="init.declined_hint")


def _import(
    wish: Wish,
    said: "argparse.Namespace",
    ask: bool,
    config: "Config | None",
    users: dict[str, object],
) -> None:
    """The provider that settings.json has, where it is wanted."""
    found = environment.in_settings(users)
    if not found and said.import_:
        terminal.tell(words.say("init.nothing_to_import"))
    known = config.providers if config else {}
    same = [n for n, layer in known.items() if found and found.items() <= dict(layer.env).items()]
    guess = presets.name_for_url(presets.load(), found.get(models.BASE_URL, "")) or "imported"
    if not found or (same and not said.import_):
        return
    if same:
        terminal.tell(words.say("init.imported_before", name=same[0]))
    else:
        shown = found.get(models.BASE_URL) or "Anthropic"
        question = words.say("init.ask_import", url=shown)
        if not said.import_ and not (ask and prompts.yes(question, True)):
            return
        default = questions.free(said.name if said.import_ and said.name else guess, known)
        name = questions.name(default, known) if ask and not said.name else default
        wish.providers[name] = dict(found)
    remove = said.remove_keys
    if ask and not remove:
        remove = prompts.yes(words.say("init.ask_remove", names=", ".join(found)), False)
    wish.take_out = list(found) if remove else []


def _provider(
    wish: Wish, said: "argparse.Namespace", ask: bool, paths: "Paths", config: "Config | None"
) -> None:
    """A new provider, from a preset or an endpoint."""
    known = config.providers if config else {}
    if said.preset in known and said.preset not in presets.load():
        terminal.tell(words.say("init.there_already", name=said.preset))
        return
    if not said.preset and not said.base_url:
        said.preset = questions.preset(optional=bool(known))
        if not said.preset:
            return
        if said.preset == questions.OTHER:
            said.preset, said.base_url = "", new_provider.ask_endpoint()
            said.model = said.model or new_provider.ask_model()
    name = said.name or said.preset
    if ask and not said.name:
        name = questions.name(questions.free(name or "my", known), known)
    if not name:
        raise CccError("init.no_name", hint="usage.see", command="init")
    if name in known:
        terminal.tell(words.say("init.there_already", name=name))
        return
    new_provider.check_name(paths, name)
    made = new_provider.draft(said, name, ask)
    wish.providers[name] = new_provider.with_key(made, new_provider.key_for(made, said, ask, name))
    wish.notes += [made.note] if made.note else []


def _status_line(
    wish: Wish, said: "argparse.Namespace", ask: bool, users: dict[str, object], has_provider: bool
) -> None:
    """Whether our status line is wanted; another one is left alone unless told."""
    there = users.get("statusLine")
    foreign = there is not None and not settings.is_our_status_line(there)
    if said.statusline is not None:
        wish.status_line = wish.instead = said.statusline
    elif there is not None and not foreign:
        wish.status_line = True
    elif ask:
        question = "init.ask_instead" if foreign else "init.ask_status_line"
        wish.status_line = wish.instead = prompts.yes(words.say(question), not foreign)
    else:
        wish.status_line = said.yes and not foreign and has_provider


def _fulfil(wish: Wish, paths: "Paths", ourselves: str) -> None:
    """Write it all: what is wished for, and the pieces that a launch would put there."""
    with files.Lock(paths.locks) as lock:
        if ccc_json.change(lock, paths, lambda text: _edited(text, wish)):
            terminal.tell("✓ " + words.say("file.written", file=paths.config))
        work = Installation(lock, paths)
        if wish.take_out:
            copy = work.take_out(wish.take_out)
            told = words.say("init.taken_out", file=paths.settings, copy=copy)
            terminal.tell("✓ " + told)
        if wish.status_line and work.status_line(ourselves, instead=wish.instead):
            terminal.tell("✓ " + words.say("init.status_line", file=paths.settings))
        if ccc_json.find(paths):
            there = settings.has_hook(users_settings(paths))
            work.ensure(ourselves, words.chosen(), words.say("hook.status"))
            if not there and not work.trouble:
                terminal.tell("✓ " + words.say("init.pieces", file=paths.settings))
        work.finish()
    for problem in work.trouble:
        failure.tell(problem)


def _edited(text: str, wish: Wish) -> str:
    """The text of ccc.json with what is wished for."""
    if not text.strip():
        text = "{}\n"
    if wish.language:
        text = jsontext.replace(text, ("language",), wish.language)
    for name, env in wish.providers.items():
        text = editing.with_provider(text, name, env)
        text = jsontext.replace(text, ("current_provider",), name)
    if wish.checks:
        text = jsontext.replace(text, ("projects", wish.directory, "checks"), list(wish.checks))
    return permissions.with_choice(text, wish.permissions) if wish.permissions else text


def _tell_next(wish: Wish, paths: "Paths") -> int:
    """What to do now; 1 where there is no provider to do it with."""
    config = ccc_json.find(paths)
    if config is None:
        failure.tell(selection.no_provider(), "")
        return 0 if wish.language or wish.status_line else 1
    for note in wish.notes:
        terminal.tell(words.say("provider.note", note=note))
    name = config.choose()
    terminal.tell("\n" + words.say("init.next_tried" if wish.is_tried else "init.next", name=name))
    return 0
