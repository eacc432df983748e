"""The pieces of ours among the user's files: put there, kept up to date, never in the way."""

import os

import ccc
from ccc.claude.formats import session_settings, settings, slash
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage import ledger as ledgers
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

    from ccc.storage.paths import Paths

_PROMPTS = os.path.join(os.path.dirname(ccc.__file__), "prompts")
SET_ASIDE = ".before-ccc"


class Installation:
    """One change of the user's files, under the lock; what could not be done is in `trouble`."""

    def __init__(self, lock: files.Lock, paths: "Paths") -> None:
        self.lock = lock
        self.paths = paths
        self.ledger = ledgers.read(paths.ledger)
        self.ledger_was_lost = self.ledger.is_lost
        self.trouble: list[CccError] = []

    def ensure(self, ccc_path: str, language: str, status: str) -> None:
        """Our hook, our slash commands and our prompt; claude starts without any of them too."""
        self._try(lambda: self._hook(settings.hook_command(ccc_path), status))
        for name in slash.NAMES:
            text = slash.text(name, ccc_path, language)
            self._try(lambda name=name, text=text: self._slash_command(name, text))  # type: ignore[misc]
        self._try(lambda: self._prompt(language))

    def settings_file(self, path: str, content: dict[str, object]) -> None:
        """A settings file that is wholly ours; one of the user's by that name is set aside."""
        wanted = jsontext.dump(content)
        before = files.read(path)
        if before not in (None, wanted) and not self._is_ours(path, before or ""):
            aside = files.set_aside(path, SET_ASIDE)
            self.ledger.record(path, aside=aside)
            self.trouble.append(CccError("settings.set_aside", file=aside))
        self._own(path, kind="settings")
        self.lock.write(path, wanted)

    def _is_ours(self, path: str, text: str) -> bool:
        """Whether a settings file is ours: in the ledger, and nobody has put another in its place.

        One with our hook may be a copy of the user's own settings.json. Only where the whole ledger
        is lost it is taken for ours.
        """
        if self.ledger_was_lost and _has_hook(text):
            return True
        return bool(self.ledger.entry(path)) and (
            not text.strip() or session_settings.is_ours(text)
        )

    def reviewer_settings(
        self,
        provider: str,
        content: "Mapping[str, object]",
        env: "Mapping[str, str]",
        sandbox: bool,
    ) -> str:
        """The settings of the provider's reviewer; where they are."""
        path = self.paths.reviewer_settings(provider)
        self.settings_file(path, session_settings.for_reviewer(content, env, sandbox))
        return path

    def current_provider(self, name: str) -> None:
        """Remember the choice in ccc.json, every other byte as it was."""

        path = self.paths.config

        def choose(text: str) -> str:
            return jsontext.replace(text, ("current_provider",), name)

        self._try(lambda: self.lock.update(path, lambda t: t and settings.edit(path, t, choose)))

    def status_line(self, ccc_path: str, *, instead: bool = False) -> bool:
        """Our status line in settings.json, over another one only where told; whether it is there.

        What was there before stands in the ledger, under `status_line` of the file's entry.
        """
        path = self.paths.settings
        before = users_settings(self.paths).get("statusLine")
        ours = settings.is_our_status_line(before)
        if before is not None and not ours and not instead:
            return False
        self._know_settings()
        if not ours or "status_line" not in self.ledger.entry(path):
            text = "" if ours else settings.status_line_text(files.read(path) or "")
            self._own(path, status_line={"before": None if ours else before, "text": text})
        self._put_status_line(settings.status_line(ccc_path))
        return True

    def _know_settings(self) -> None:
        """Have settings.json in the ledger, with what it was before us."""
        path = self.paths.settings
        if not self.ledger.entry(path):
            text = files.read(path)
            users = settings.before_hook(settings.without_hook(text or ""))
            self._own(path, kind="hook", created=text is None, **users)

    def _put_status_line(self, value: object) -> None:
        path = self.paths.settings

        def put(text: str) -> str:
            same = settings.read(text).get("statusLine") == value
            return text if same else settings.with_status_line(text, value)

        self.lock.update(path, lambda text: settings.edit(path, text or "", put) or None)

    def take_out(self, names: "Sequence[str]") -> str:
        """Take variables out of settings.json; where a copy of the file as it was now is."""
        path = self.paths.settings
        text = files.read(path) or ""
        after = settings.edit(path, text, lambda t: settings.without_env(t, names))
        copy = files.free_name(path, SET_ASIDE)
        self._know_settings()
        self._own(path, taken_out={"names": list(names), "copy": copy})
        self.lock.write(copy, text)
        self.lock.update(path, lambda now: after if now == text else _raced(path))
        return copy

    def remove_provider(self, name: str) -> list[str]:
        """Remove our settings files of a provider, those that the ledger has; their names."""
        paths = (self.paths.agent_settings(name), self.paths.reviewer_settings(name))
        owned = [path for path in paths if self.ledger.entry(path)]
        for path in owned:
            aside = self.ledger.entry(path).get("aside")
            if isinstance(aside, str) and os.path.lexists(aside):
                files.rename(aside, path)
            else:
                files.remove(path)
            self.ledger.forget(path)
        self._save()
        return owned

    def finish(self) -> None:
        """Write what else the ledger has learned."""
        self._try(self._save)

    def _own(self, path: str, **facts: object) -> None:
        """Put the file into the ledger before it is written: killed in between, it is ours."""
        self.ledger.record(path, **facts)
        self._save()

    def _save(self) -> None:
        ledgers.save(self.lock, self.paths.ledger, self.ledger)

    def _try(self, step: "Callable[[], object]") -> None:
        try:
            step()
        except CccError as error:
            self.trouble.append(error)

    def _hook(self, command: str, status: str) -> None:
        path = self.paths.settings
        entry = self.ledger.entry(path)

        def edit(text: str | None) -> str:
            before = text or ""
            after = settings.edit(path, before, lambda t: settings.with_hook(t, command, status))
            if not entry or (after != before and not _has_hook(before)):
                created = text is None or bool(entry.get("created"))
                users = settings.before_hook(settings.without_hook(before))
                self._own(path, kind="hook", created=created, **users)
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
            digest = ledgers.digest(before)
            if digest == entry.get("sha256"):
                return wanted
            if self.ledger.tell_once(f"{path} {digest}"):
                raise CccError("slash.foreign", hint="slash.hint", file=path, name=name)
            return None

        if self.lock.update(path, edit) or (not entry and files.read(path) == wanted):
            # our form is known without the ledger, which may come afterwards
            self.ledger.record(path, kind="command", sha256=ledgers.digest(wanted))

    def _prompt(self, language: str) -> None:
        """Write our prompt once; refresh it while it is unchanged; leave it deleted.

        A new version refreshes it, and so does another language.
        """
        path = self.paths.prompt
        entry = self.ledger.entry(path)
        last = entry.get("version"), entry.get("language")
        if last == (ccc.__version__, language) and not entry.get("pending"):
            return
        before, default = files.read(path), default_prompt(language)
        deleted = before is None and bool(entry) and not entry.get("pending")
        # killed in between, either text is ours
        ours = before in (None, default) or (
            before is not None
            and ledgers.digest(before) in (entry.get("sha256"), entry.get("pending"))
        )
        if ours and not deleted:
            digest = ledgers.digest(default)
            self._own(path, kind="prompt", pending=digest)
            self.lock.write(path, default)
            self.ledger.record(path, sha256=digest)
        self.ledger.record(path, version=ccc.__version__, language=language, pending=False)
        self._save()


def users_settings(paths: "Paths") -> dict[str, object]:
    """The user's settings.json; one that claude could not read is an error, and left alone."""
    return settings.parse(paths.settings, files.read(paths.settings) or "")


def default_prompt(language: str) -> str:
    """Our SUPERVISOR.md in the person's language."""
    return files.read(os.path.join(_PROMPTS, f"SUPERVISOR.{language}.md")) or ""


def _raced(path: str) -> "NoReturn":
    """Another program has changed the file since it was copied."""
    raise CccError("file.busy", hint="file.busy_hint", file=path)


def _has_hook(text: str | None) -> bool:
    try:
        return settings.has_hook(settings.read(text or ""))
    except ValueError:
        return False
