"""The pieces of ours among the user's files: put there, kept up to date, never in the way."""

import os

import ccc
from ccc.domain import jsontext, settings, slash
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage import ledger as ledgers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from ccc.storage.paths import Paths

    T = TypeVar("T")

_PROMPTS = os.path.join(os.path.dirname(ccc.__file__), "prompts")
_SET_ASIDE = ".before-ccc"


class Installation:
    """One change of the user's files, under the lock; what could not be done is in `trouble`."""

    def __init__(self, lock: files.Lock, paths: "Paths") -> None:
        self.lock = lock
        self.paths = paths
        self.ledger = ledgers.load(_text_or_nothing(paths.ledger))
        self.trouble: list[CccError] = []

    def users_settings(self) -> dict[str, object]:
        """The user's settings.json; one that claude could not read is an error, and left alone."""
        path = self.paths.settings
        return _understood(path, files.read(path) or "", settings.read)

    def ensure(self, ccc_path: str, language: str) -> None:
        """Our hook, our slash commands and our prompt; claude starts without any of them too."""
        self._try(lambda: self._hook(settings.hook_command(ccc_path)))
        for name in slash.NAMES:
            self._try(lambda name=name: self._slash_command(name, slash.text(name, ccc_path)))  # type: ignore[misc]
        self._try(lambda: self._prompt(language))

    def settings_file(self, path: str, content: dict[str, object]) -> None:
        """A settings file that is wholly ours; one of the user's by that name is set aside."""
        wanted = jsontext.dump(content)
        before = files.read(path)
        if before not in (None, wanted) and not self.ledger.entry(path) and not _has_hook(before):
            aside = files.set_aside(path, _SET_ASIDE)
            self.trouble.append(CccError("settings.set_aside", file=aside))
        self._own(path, kind="settings")
        self.lock.write(path, wanted)

    def reviewer_settings(
        self,
        provider: str,
        content: "Mapping[str, object]",
        env: "Mapping[str, str]",
        sandbox: bool,
    ) -> str:
        """The settings of the provider's reviewer; where they are."""
        path = self.paths.reviewer_settings(provider)
        self.settings_file(path, settings.for_reviewer(content, env, sandbox))
        return path

    def current_provider(self, name: str) -> None:
        """Remember the choice in ccc.json, every other byte as it was."""

        path = self.paths.config

        def choose(text: str) -> str:
            return jsontext.replace(text, ("current_provider",), name)

        self._try(lambda: self.lock.update(path, lambda t: t and _understood(path, t, choose)))

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

    def _hook(self, command: str) -> None:
        path = self.paths.settings
        if not self.ledger.entry(path):
            self._own(
                path,
                kind="hook",
                created=not os.path.exists(path),
                containers=settings.containers(self.users_settings()),
            )
        self.lock.update(
            path,
            lambda text: _understood(path, text or "", lambda t: settings.with_hook(t, command)),
        )

    def _slash_command(self, name: str, wanted: str) -> None:
        path = self.paths.slash_command(name)
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
        """Write our prompt once; refresh it while it is unchanged; leave it deleted."""
        path = self.paths.prompt
        entry = self.ledger.entry(path)
        if entry.get("version") == ccc.__version__:
            return
        before, default = files.read(path), default_prompt(language)
        deleted = before is None and bool(entry) and not entry.get("pending")
        ours = before in (None, default) or (
            before is not None and ledgers.digest(before) == entry.get("sha256")
        )
        if ours and not deleted:
            self._own(path, kind="prompt", pending=True)
            self.lock.write(path, default)
            self.ledger.record(path, sha256=ledgers.digest(default))
        self.ledger.record(path, version=ccc.__version__, pending=False)
        self._save()


def default_prompt(language: str) -> str:
    """Our SUPERVISOR.md in the person's language."""
    return files.read(os.path.join(_PROMPTS, f"SUPERVISOR.{language}.md")) or ""


def _text_or_nothing(path: str) -> str | None:
    try:
        return files.read(path)
    except CccError:
        return None


def _has_hook(text: str | None) -> bool:
    try:
        return settings.has_hook(settings.read(text or ""))
    except ValueError:
        return False


def _understood(path: str, text: str, reading: "Callable[[str], T]") -> "T":
    """What `reading` makes of a settings file, or an error that names the place."""
    try:
        return reading(text)
    except jsontext.JsonError as error:
        raise error.told(path, "settings.hint") from None
    except settings.WrongShape as error:
        raise CccError("settings.shape", hint="settings.hint", file=path, path=error.path) from None
