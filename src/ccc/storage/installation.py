"""What ccc adds to the user's files: the hook, slash commands, the prompt and settings files."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import ccc
from ccc import words
from ccc.claude.formats import generated_settings, settings, slash
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.ledger import Ledger, LedgerEntry, RemovedVariables, ReplacedStatusLine, digest
from ccc.storage.paths import Paths
from ccc.text import jsontext

_PROMPTS = os.path.join(os.path.dirname(ccc.__file__), "prompts")
SET_ASIDE = ".before-ccc"


class Installation:
    """A set of changes to the user's files, made under the lock; `trouble` collects the errors."""

    def __init__(self, lock: files.Lock, paths: Paths) -> None:
        self.lock = lock
        self.paths = paths
        self.ledger = Ledger(paths.ledger)
        self.ledger_was_lost = self.ledger.is_lost
        self.trouble: list[CccError] = []

    def ensure(self, ccc_path: str) -> None:
        """Install the hook, the slash commands and the prompt; claude also starts without them."""
        language = words.current_language()
        command, status = settings.hook_command(ccc_path), words.say("hook.status")
        add_hook = partial(settings.with_hook, command=command, status=status)
        self._try(self._edit_settings, add_hook)
        for name in slash.NAMES:
            self._try(self._slash_command, name, slash.text(name, ccc_path, language))
        self._try(self._prompt, language)

    def settings_file(self, path: str, content: dict[str, object]) -> None:
        """Write one of ccc's settings files, renaming a user's file that has the same name."""
        wanted = jsontext.dump(content)
        before = files.read(path)
        if before not in (None, wanted) and not self._is_ours(path, before or ""):
            aside = files.set_aside(path, SET_ASIDE)
            self.ledger.record(path, aside=aside)
            self.trouble.append(CccError("settings.set_aside", file=aside))
        self._own(path, kind="settings")
        self.lock.write(path, wanted)

    def _is_ours(self, path: str, text: str) -> bool:
        """Return whether a settings file belongs to ccc: it is in the ledger and wasn't replaced.

        A file with ccc's hook may be a copy of the user's settings.json, so the hook is proof only
        if the whole ledger is lost.
        """
        if self.ledger_was_lost and _has_hook(text):
            return True
        is_known = self.ledger.entry(path) != LedgerEntry()
        return is_known and (not text.strip() or generated_settings.is_ours(text))

    def reviewer_settings(
        self,
        provider: str,
        content: Mapping[str, object],
        env: Mapping[str, str],
        sandbox: bool,
    ) -> str:
        """Write the settings of the provider's reviewer and return their path."""
        path = self.paths.reviewer_settings(provider)
        self.settings_file(path, generated_settings.for_reviewer(content, env, sandbox))
        return path

    def current_provider(self, name: str) -> None:
        """Save the current provider in ccc.json, whose mode stays."""
        path = self.paths.config
        choose = partial(jsontext.replace, path=("current_provider",), value=name)
        self._try(self.lock.update, path, lambda text: text and settings.edit(path, text, choose))

    def status_line(self, ccc_path: str, *, instead: bool = False) -> bool:
        """Install ccc's status line and return whether it is in place.

        Another status line is replaced only with `instead`. The ledger keeps it as `status_line` in
        the file's entry.
        """
        path = self.paths.settings
        before = users_settings(self.paths).get("statusLine")
        ours = settings.is_our_status_line(before)
        if before is not None and not ours and not instead:
            return False
        value = settings.status_line(ccc_path)

        def put(text: str) -> str:
            same = settings.read(text).get("statusLine") == value
            return text if same else settings.with_status_line(text, value)

        def note(_: str) -> None:
            if not ours or self.ledger.entry(path).status_line is None:
                self._own(path, status_line=ReplacedStatusLine(None if ours else before))

        self._edit_settings(put, note)
        return True

    def remove_env(self, names: Sequence[str]) -> str:
        """Remove variables from settings.json and return the path of a backup."""
        path = self.paths.settings
        copy = files.free_name(path, SET_ASIDE)

        def back_up(text: str) -> None:
            self._own(path, taken_out=RemovedVariables(list(names), copy))
            self.lock.write(copy, text)

        self._edit_settings(lambda text: settings.without_env(text, names), back_up)
        return copy

    def remove_provider(self, name: str) -> list[str]:
        """Remove the provider's settings files that are in the ledger and return their paths."""
        paths = (self.paths.agent_settings(name), self.paths.reviewer_settings(name))
        owned = [path for path in paths if self.ledger.entry(path).kind]
        for path in owned:
            aside = self.ledger.entry(path).aside
            if os.path.lexists(aside):
                files.rename(aside, path)
            else:
                files.remove(path)
            self.ledger.forget(path)
        self.ledger.save(self.lock)
        return owned

    def finish(self) -> None:
        """Save the remaining changes to the ledger."""
        self._try(self.ledger.save, self.lock)

    def _own(self, path: str, **facts: object) -> None:
        """Record the file in the ledger before it is written, in case ccc is killed in between."""
        self.ledger.record(path, **facts)
        self.ledger.save(self.lock)

    def _try(self, step: Callable[..., object], *arguments: object) -> None:
        try:
            step(*arguments)
        except CccError as error:
            self.trouble.append(error)

    def _edit_settings(
        self, change: Callable[[str], str], note: Callable[[str], None] = lambda before: None
    ) -> None:
        """Change settings.json, after `note` has got its text and the ledger knows who made it."""
        path = self.paths.settings

        def edit(text: str | None) -> str:
            after = settings.edit(path, text or "", change)
            if not self.ledger.entry(path).kind:
                self._own(path, kind="hook", created=text is None)
            note(text or "")
            return after

        self.lock.update(path, edit)

    def _slash_command(self, name: str, wanted: str) -> None:
        path = self.paths.slash_command(name)
        if not os.path.isdir(os.path.dirname(path)):
            self._own(os.path.dirname(path), kind="directory")
        entry = self.ledger.entry(path)

        def edit(before: str | None) -> str | None:
            if before is None or before == wanted or slash.is_ours(name, before):
                return wanted
            sha256 = digest(before)
            if sha256 == entry.sha256:
                return wanted
            if self.ledger.tell_once(f"{path} {sha256}"):
                raise CccError("slash.foreign", file=path, name=name)
            return None

        if self.lock.update(path, edit) or (not entry.kind and files.read(path) == wanted):
            # ccc recognizes its commands without the ledger, so this can happen afterwards
            self.ledger.record(path, kind="command", sha256=digest(wanted))

    def _prompt(self, language: str) -> None:
        """Write the prompt once, and update it for a new version or language if it is unmodified.

        A prompt that the user deleted stays deleted.
        """
        path = self.paths.prompt
        entry = self.ledger.entry(path)
        if (entry.version, entry.language) == (ccc.__version__, language):
            return
        defaults = {each: default_prompt(each) for each in words.LANGUAGES}
        before, default = files.read(path), defaults[language]
        # ccc may have been killed before it could record the text
        is_ours = before in defaults.values() or digest(before or "") == entry.sha256
        if is_ours or (before is None and not entry.kind):
            self.lock.write(path, default)
            self.ledger.record(path, sha256=digest(default))
        self._own(path, kind="prompt", version=ccc.__version__, language=language)


def users_settings(paths: Paths) -> dict[str, object]:
    """Return the user's settings.json, or raise an error if claude can't read it."""
    return settings.parse(paths.settings, files.read(paths.settings) or "")


def default_prompt(language: str) -> str:
    """Return the default SUPERVISOR.md in a language."""
    return files.read(os.path.join(_PROMPTS, f"SUPERVISOR.{language}.md")) or ""


def _has_hook(text: str | None) -> bool:
    try:
        return settings.has_hook(settings.read(text or ""))
    except ValueError:
        return False
