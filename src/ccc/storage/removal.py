"""Taking our pieces out of the user's files again, as the ledger and the files themselves say."""

import glob
import os
import shlex
from dataclasses import dataclass

from ccc.claude.formats import environment, session_settings, settings, slash
from ccc.errors import CccError
from ccc.storage import files, session_files
from ccc.storage import ledger as ledgers
from ccc.storage.installation import SET_ASIDE, default_prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ccc.storage.ledger import Ledger
    from ccc.storage.paths import Paths

    Act = Callable[[files.Lock], object]

_GIVEN_BACK = "uninstall.given_back"
_LANGUAGES = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is undone, or left (`act` is None); `what` names the words for it."""

    what: str
    path: str
    act: "Act | None" = None
    other: str = ""
    """Another file that is meant, or why nothing can be done."""
    failed: bool = False


def steps(paths: "Paths", purge: bool) -> "list[Step]":
    """What is to be undone, in order; the ledger goes last, so that a second run can finish."""
    ledger = ledgers.read(paths.ledger)
    # claude may have been started with more than one directory of its own
    places = dict.fromkeys([paths.settings, *_of_kind(ledger, "hook")])
    found = [step for path in places for step in _settings(path, ledger)]
    found += [*_taken_out(paths, ledger), *_commands(paths, ledger)]
    found += [*_settings_files(paths, ledger), *_prompt(paths, ledger), *_copies(paths, found)]
    if purge:
        found += _purged(paths)
    return [*found, *_own(paths, [os.path.dirname(path) for path in places])]


def _of_kind(ledger: "Ledger", kind: str) -> list[str]:
    """The files of a kind that the ledger names."""
    return sorted(path for path, entry in ledger.files.items() if entry.get("kind") == kind)


def _settings(path: str, ledger: "Ledger") -> "Iterator[Step]":
    """Our hook and our status line in a settings.json."""
    entry = ledger.entry(path)
    try:
        before = files.read(path)
        if before is None:
            return
        after = settings.edit(path, before, lambda text: _undone(text, entry))
    except CccError as error:
        yield Step("uninstall.unreadable", path, other=str(error), failed=True)
        return
    if after is None:
        yield Step("uninstall.created", path, lambda lock: files.remove(os.path.realpath(path)))
    elif after != before:
        status = settings.is_our_status_line(settings.read(before).get("statusLine"))
        what = "uninstall.hook_and_status" if status else "uninstall.hook"
        yield Step(
            what, path, lambda lock: lock.update(path, lambda text: text and _undone(text, entry))
        )


def _undone(text: str, entry: "dict[str, object]") -> str | None:
    """The settings as they were before us; None for a file that only we have made."""
    containers, held = entry.get("containers"), entry.get("held")
    users = [str(each) for each in containers] if isinstance(containers, list) else []
    after = settings.without_hook(text, users, held if isinstance(held, str) else "")
    if settings.is_our_status_line(settings.read(after).get("statusLine")):
        after = _with_status_line(after, entry.get("status_line"))
    if after == text or settings.read(after):
        return after
    if entry.get("created"):
        return None
    blank = entry.get("blank")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + blank if isinstance(blank, str) else after


def _with_status_line(text: str, known: object) -> str:
    """The settings with the status line that ours took the place of, written as it was."""
    before = known.get("before") if isinstance(known, dict) else None
    written = known.get("text") if isinstance(known, dict) else None
    if before is not None and isinstance(written, str) and written:
        return settings.with_status_line_text(text, written)
    return settings.with_status_line(text, before)


def _taken_out(paths: "Paths", ledger: "Ledger") -> "Iterator[Step]":
    """The provider's variables that `init` took out of settings.json."""
    path, entry = paths.settings, ledger.entry(paths.settings)
    try:
        before = files.read(path)
        same = before is None or _given_back(before, entry) == before
    except (CccError, ValueError):
        return  # told with our hook, or nothing to be done
    if not same:
        names = ", ".join(_values(entry))
        yield Step(
            _GIVEN_BACK,
            path,
            lambda lock: lock.update(path, lambda text: text and _given_back(text, entry)),
            other=names,
        )


def _given_back(text: str, entry: "dict[str, object]") -> str:
    """The settings with what was taken out, unless they have a provider again."""
    values = _values(entry)
    if not values or environment.in_settings(settings.read(text)):
        return text
    was = _copy_of(entry)
    if settings.without_env(was, list(values)) == text:
        return was
    return settings.with_env_again(text, was, list(values))


def _values(entry: "dict[str, object]") -> "dict[str, object]":
    """What was taken out, from the copy of the file as it was."""
    taken = entry.get("taken_out")
    names = taken.get("names") if isinstance(taken, dict) else None
    env = settings.read(_copy_of(entry)).get("env")
    known = env if isinstance(env, dict) else {}
    return {name: known[name] for name in names or () if name in known}


def _copy_of(entry: "dict[str, object]") -> str:
    """The text of that copy, without what is ours."""
    taken = entry.get("taken_out")
    copy = taken.get("copy") if isinstance(taken, dict) else None
    text = _text(copy) if isinstance(copy, str) else None
    return (_undone(text, entry) or "") if text else ""


def _commands(paths: "Paths", ledger: "Ledger") -> "Iterator[Step]":
    """Our slash commands, where the user has not changed them."""
    ours = [paths.slash_command(name) for name in slash.NAMES]
    for path in dict.fromkeys([*ours, *_of_kind(ledger, "command")]):
        text, name = _text(path), os.path.basename(path).removesuffix(".md")
        if text is None:
            continue
        if slash.is_ours(name, text) or ledgers.digest(text) == ledger.entry(path).get("sha256"):
            yield _removed(path)
        elif ledger.entry(path):
            yield Step("uninstall.yours", path)
    for directory in _of_kind(ledger, "directory"):
        if os.path.isdir(directory):
            yield Step("uninstall.directory", directory, _leaving(directory))


def _settings_files(paths: "Paths", ledger: "Ledger") -> "Iterator[Step]":
    """The settings files that are wholly ours, and what they took the place of."""
    known = _of_kind(ledger, "settings")
    if ledger.is_lost:
        # it is lost: what has our form is taken for ours
        seen = glob.glob(os.path.join(glob.escape(paths.config_dir), "settings-*.json"))
        known = sorted(path for path in seen if _looks_ours(path))
    for path in known:
        recorded = ledger.entry(path).get("aside")
        aside = recorded if isinstance(recorded, str) else path + SET_ASIDE
        if os.path.lexists(aside):
            yield Step("uninstall.put_back", path, _putting_back(aside, path), other=aside)
        elif os.path.lexists(path) and (not recorded or _looks_ours(path)):
            # else it has been put back already
            yield _removed(path)


def _looks_ours(path: str) -> bool:
    return session_settings.is_ours(_text(path) or "")


def _prompt(paths: "Paths", ledger: "Ledger") -> "Iterator[Step]":
    """SUPERVISOR.md, as long as it is our default."""
    text = _text(paths.prompt)
    if text is None:
        return
    ours = text in [default_prompt(language) for language in _LANGUAGES]
    if ours or ledgers.digest(text) == ledger.entry(paths.prompt).get("sha256"):
        yield _removed(paths.prompt)
    else:
        yield Step("uninstall.yours", paths.prompt)


def _copies(paths: "Paths", found: "list[Step]") -> "Iterator[Step]":
    """Copies of the user's own settings.json, which are theirs to keep or to delete."""
    provided = any(step.what == _GIVEN_BACK for step in found) or _has_provider(paths.settings)
    for copy in sorted(glob.glob(glob.escape(paths.settings) + SET_ASIDE + "*")):
        if provided or not _has_provider(copy):
            yield Step("uninstall.copy", copy)
        else:
            yield Step(
                "uninstall.copy_needed", copy, other=shlex.join(["cp", copy, paths.settings])
            )


def _has_provider(path: str) -> bool:
    """Whether claude would have a provider of its own by these settings."""
    try:
        return bool(environment.in_settings(settings.read(_text(path) or "")))
    except ValueError:
        return False


def _purged(paths: "Paths") -> "Iterator[Step]":
    """The configuration, the state and the logs."""
    if os.path.lexists(paths.config):
        yield Step("uninstall.config", paths.config, lambda lock: files.remove(paths.config))
    ours = session_files.find_files(paths)
    if ours:
        every = [file.path for file in ours]
        yield Step("uninstall.state", paths.state_dir, _removing(every), other=str(len(every)))


def _own(paths: "Paths", claude_dirs: "list[str]") -> "Iterator[Step]":
    """The ledger and the locks: last of all, and under the lock."""
    others = (os.path.join(each, "ccc") for each in claude_dirs)
    directories = {*paths.locks, paths.state_dir, *others}
    there = [paths.ledger, *(os.path.join(each, "lock") for each in sorted(directories))]
    if not any(map(_is_empty, directories)) and not any(map(os.path.lexists, there)):
        return

    def act(lock: files.Lock) -> None:
        for path in there:
            files.remove(path)
        for directory in sorted(directories):
            _remove_directory(directory)

    yield Step("uninstall.ledger", paths.ledger, act)


def _removed(path: str) -> Step:
    return Step("uninstall.removed", path, lambda lock: files.remove(path))


def _removing(every: "list[str]") -> "Act":
    def act(lock: files.Lock) -> None:
        for path in every:
            files.remove(path)

    return act


def _putting_back(aside: str, path: str) -> "Act":
    return lambda lock: files.rename(aside, path)


def _leaving(directory: str) -> "Act":
    return lambda lock: _remove_directory(directory)


def _is_empty(directory: str) -> bool:
    try:
        return not os.listdir(directory)
    except OSError:
        return False


def _remove_directory(path: str) -> None:
    try:
        os.rmdir(path)
    except OSError:
        pass  # there is something of somebody's in it


def _text(path: str) -> str | None:
    try:
        return files.read(path)
    except CccError:
        return None
