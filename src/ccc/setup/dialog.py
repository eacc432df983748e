"""The dialog of `ccc init`: ask for everything first, write at the end.

So Ctrl-C leaves everything unchanged.
"""

import argparse
import os
import sys

from ccc import failure, words
from ccc.claude.formats import environment, settings
from ccc.config import ccc_json, editing, projects
from ccc.errors import CccError
from ccc.project import checks
from ccc.providers import models, presets
from ccc.run import permissions
from ccc.setup import keys, provider_options, questions
from ccc.storage import files
from ccc.storage.installation import Installation, users_settings
from ccc.storage.paths import Paths, display_path, own_program
from ccc.system import terminal
from ccc.text import jsontext
from ccc.ui import prompts, rich_output, validation_table


class SetupDialog:
    """Collects the user's decisions, and writes them."""

    def __init__(self, paths: Paths, options: argparse.Namespace) -> None:
        self._program = own_program()
        self.paths, self.options = paths, options
        self.ask = prompts.is_interactive() and not options.yes
        self.config = ccc_json.find(paths)
        self.users = users_settings(paths)
        self.known = self.config.providers if self.config else {}
        self.language: str = options.language
        self.providers: dict[str, dict[str, object]] = {}
        self.notes: list[str] = []
        self.obsolete: list[str] = []
        """Variables to remove from settings.json."""
        self.status_line = self.replaces_status_line = False
        self.directory, self.checks = "", list[str]()
        self.permissions = ""
        self.works = False
        """Whether the providers were tried successfully."""

    def decide(self) -> None:
        """Ask for everything that the options don't specify."""
        if self.ask:
            terminal.tell(words.say("init.welcome"))
            self.language = self.language or questions.language()
        if self.language:
            words.use({"CCC_LANG": self.language})
        self._import()
        if self.options.preset or self.options.base_url or (self.ask and not self.providers):
            self._add_provider()
        if self.ask and self.options.validate and self.providers:
            self._validate()
        self._choose_status_line()
        self.permissions = self.options.run_permissions
        if self.ask and not self.permissions and not (self.config and self.config.run.permissions):
            self.permissions = permissions.ask()
        if self.ask:
            self._offer_checks()

    def _import(self) -> None:
        """Import the provider in settings.json if the user wants it."""
        options, variables = self.options, environment.in_settings(self.users)
        if not variables:
            if options.import_:
                terminal.tell(words.say("init.nothing_to_import"))
            return
        same = [
            n for n, layer in self.known.items() if variables.items() <= dict(layer.env).items()
        ]
        if same and not options.import_:
            return
        if same:
            terminal.tell(words.say("init.imported_before", name=same[0]))
        else:
            url = variables.get(models.BASE_URL, "")
            question = words.say("init.ask_import", url=url or "Anthropic")
            if not options.import_ and not (self.ask and prompts.yes(question, True)):
                return
            guess = presets.name_for_url(presets.load(), url) or "imported"
            name = options.name if options.import_ and options.name else guess
            self.providers[self._choose_name(name)] = dict(variables)
        question = words.say("init.ask_remove", names=", ".join(variables))
        if options.remove_keys or (self.ask and prompts.yes(question, False)):
            self.obsolete = list(variables)

    def _choose_name(self, name: str) -> str:
        """Return a free name: the given one, or one that the user types."""
        default = questions.free_name(name, self.known)
        if self.ask and not self.options.name:
            return questions.name(self.paths, default, self.known)
        return default

    def _add_provider(self) -> None:
        options = self.options
        if options.preset in self.known and options.preset not in presets.load():
            terminal.tell(words.say("init.there_already", name=options.preset))
            return
        if not options.preset and not options.base_url:
            options.preset = questions.preset(optional=bool(self.known))
            if not options.preset:
                return
            if options.preset == questions.OTHER:
                options.preset = ""
                provider_options.ask_endpoint(options)
        name = options.name or options.preset
        if self.ask and not options.name:
            name = self._choose_name(name or "my")
        if not name:
            raise CccError("init.no_name", hint="usage.see", command="init")
        if name in self.known:
            terminal.tell(words.say("init.there_already", name=name))
            return
        self.providers[name], note = provider_options.create(self.paths, options, name, self.ask)
        self.notes += [note] if note else []

    def _validate(self) -> None:
        """Try the providers before writing anything; the user can retype a key that fails."""
        while True:
            config = ccc_json.parse(self.paths, self._edit(files.read(self.paths.config) or ""))
            terminal.tell(words.say("init.validating"))
            tried = validation_table.try_out(config, list(self.providers))
            console = rich_output.console(sys.stderr)
            validation_table.show(config, tried, console, is_saved=False)
            if not any(each.failure for each in tried):
                self.works = True
                return
            wrong = [each.provider for each in tried if each.has_wrong_key]
            if wrong and prompts.yes(words.say("init.ask_key_again"), True):
                for env in (self.providers[name] for name in wrong if name in self.providers):
                    credential = next(name for name in environment.CREDENTIALS if name in env)
                    env[credential] = keys.ask()
            elif prompts.yes(words.say("init.ask_keep"), False):
                return
            else:
                raise CccError("init.declined")

    def _choose_status_line(self) -> None:
        """Decide whether to install ccc's status line; ask before replacing another one."""
        options, there = self.options, self.users.get("statusLine")
        foreign = there is not None and not settings.is_our_status_line(there)
        if options.statusline is not None:
            self.status_line = self.replaces_status_line = options.statusline
        elif there is not None and not foreign:
            self.status_line = True
        elif self.ask:
            question = words.say("init.ask_instead" if foreign else "init.ask_status_line")
            self.status_line = self.replaces_status_line = prompts.yes(question, not foreign)
        else:
            has_provider = bool(self.providers or self.config)
            self.status_line = options.yes and not foreign and has_provider

    def _offer_checks(self) -> None:
        """Offer the project's own checks if none are configured."""
        here = os.getcwd()
        commands = [] if here == os.path.expanduser("~") else checks.detect(here)
        if not commands or (self.config and projects.apply(self.config, here).supervisor.checks):
            return
        listed = "\n".join(f"  {command}" for command in commands)
        question = words.say("init.ask_checks", directory=display_path(here), checks=listed)
        if prompts.yes(question, True):
            self.directory, self.checks = projects.key(self.config, here), commands

    def write(self) -> None:
        """Write the decisions, and install everything that a launch would install."""
        paths, ccc_path = self.paths, self._program
        with files.Lock(paths.locks) as lock:
            if ccc_json.change(lock, paths, self._edit):
                terminal.tell("✓ " + words.say("file.written", file=paths.config))
            work = Installation(lock, paths)
            if self.obsolete:
                copy = work.remove_env(self.obsolete)
                terminal.tell("✓ " + words.say("init.taken_out", file=paths.settings, copy=copy))
            if self.status_line and work.status_line(ccc_path, instead=self.replaces_status_line):
                terminal.tell("✓ " + words.say("init.status_line", file=paths.settings))
            if ccc_json.find(paths):
                had_hook = settings.has_hook(users_settings(paths))
                work.ensure(ccc_path)
                if not had_hook and not work.trouble:
                    terminal.tell("✓ " + words.say("init.pieces", file=paths.settings))
            work.finish()
        for problem in work.trouble:
            failure.tell(problem)

    def _edit(self, text: str) -> str:
        """Apply the decisions to the text of ccc.json."""
        if not text.strip():
            text = "{}\n"
        if self.language:
            text = jsontext.replace(text, ("language",), self.language)
        for name, env in self.providers.items():
            text = editing.with_provider(text, name, env)
            text = jsontext.replace(text, ("current_provider",), name)
        if self.checks:
            text = jsontext.replace(text, ("projects", self.directory, "checks"), self.checks)
        return permissions.with_choice(text, self.permissions) if self.permissions else text

    def tell_next(self) -> int:
        """Print the next steps; return 1 if there is no provider."""
        config = ccc_json.find(self.paths)
        if config is None:
            failure.tell(CccError("provider.none"), "")
            return 0 if self.language or self.status_line else 1
        for note in self.notes:
            terminal.tell(words.say("provider.note", note=note))
        message = "init.next_tried" if self.works else "init.next"
        terminal.tell("\n" + words.say(message, name=config.choose()))
        return 0
