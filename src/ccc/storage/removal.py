"""Plan the removal of what ccc added to the user's files, based on the ledger and the files."""

import contextlib
import glob
import os
import shlex
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from ccc import words
from ccc.claude.formats import environment, generated_settings, settings, slash
from ccc.errors import CccError
from ccc.storage import files, session_files
from ccc.storage.installation import SET_ASIDE, default_prompt
from ccc.storage.ledger import Ledger, LedgerEntry, digest
from ccc.storage.paths import Paths
from ccc.text import lenient_json

Act = Callable[[files.Lock], object]

_RESTORED, _LAST = "uninstall.given_back", "uninstall.ledger"


class RemovalStep(Struct, frozen=True):
    """A change to one file, or a file that stays (`act` is None); `what` is the message key."""

    what: str
    path: str
    act: Act | None = None
    other: str = ""  # another file, or the reason for a failure
    failed: bool = False


def steps(paths: Paths, purge: bool) -> list[RemovalStep]:
    """Return the steps in order, with the ledger last so that a second run can finish the first."""
    ledger = Ledger(paths.ledger)
    # claude may have used several configuration directories
    settings_paths = dict.fromkeys([paths.settings, *ledger.of_kind("hook")])
    plan = [step for path in settings_paths for step in _settings(path, ledger)]
    plan += [*_env(paths.settings, ledger), *_commands(paths, ledger)]
    plan += [*_settings_files(paths, ledger), *_prompt(paths, ledger)]
    plan += _copies(paths, any(step.what == _RESTORED for step in plan))
    if purge:
        plan += _purge(paths)
    return [*plan, *_ledger_and_locks(paths, map(os.path.dirname, settings_paths))]


def run(paths: Paths, purge: bool, report: Callable[[CccError], object]) -> bool:
    """Plan the steps again under the lock and run them; keep the ledger if one fails."""
    failed = False
    state = {paths.state_dir} if os.path.isdir(paths.state_dir) else set()
    with files.Lock(sorted({*paths.locks, *state})) as lock:
        for step in steps(paths, purge):
            failed = failed or step.failed
            if step.act is None or (failed and step.what == _LAST):
                continue
            try:
                step.act(lock)
            except CccError as error:
                report(error)
                failed = True
    return not failed


def _settings(path: str, ledger: Ledger) -> Iterator[RemovalStep]:
    """Yield the steps that remove ccc's hook and status line from a settings.json."""
    entry = ledger.entry(path)
    try:
        before = files.read(path)
        if before is None:
            return
        after = settings.edit(path, before, lambda text: _restore(text, entry))
    except CccError as error:
        yield RemovalStep("uninstall.unreadable", path, other=str(error), failed=True)
        return
    if after is None:
        yield RemovalStep("uninstall.created", path, _call(files.remove, os.path.realpath(path)))
    elif after != before:
        status = settings.is_our_status_line(settings.read(before).get("statusLine"))
        what = "uninstall.hook_and_status" if status else "uninstall.hook"
        yield RemovalStep(what, path, _edit(path, lambda text: _restore(text, entry)))


def _edit(path: str, change: Callable[[str], str | None]) -> Act:
    return lambda lock: lock.update(path, lambda text: text and change(text))


def _restore(text: str, entry: LedgerEntry) -> str | None:
    """Return the settings without ccc's entries, or None if ccc created the file."""
    after = settings.without_hook(text)
    if settings.is_our_status_line(settings.read(after).get("statusLine")):
        replaced = entry.status_line
        after = settings.with_status_line(after, replaced.before if replaced else None)
    is_empty = after != text and not settings.read(after)
    return None if is_empty and entry.created else after


def _env(path: str, ledger: Ledger) -> Iterator[RemovalStep]:
    """Yield the step that restores the provider variables removed by `init`."""
    entry = ledger.entry(path)
    try:
        before = files.read(path)
        same = before is None or _restore_env(before, entry) == before
    except (CccError, ValueError):
        return  # `_settings` reports the error, or nothing can be done
    if not same:
        restore = _edit(path, lambda text: _restore_env(text, entry))
        yield RemovalStep(_RESTORED, path, restore, ", ".join(_removed_variables(entry)))


def _restore_env(text: str, entry: LedgerEntry) -> str:
    """Return the settings with the removed variables, unless a provider is set again."""
    has_provider = environment.in_settings(settings.read(text))
    return text if has_provider else settings.with_env(text, _removed_variables(entry))


def _removed_variables(entry: LedgerEntry) -> dict[str, object]:
    """Return the variables that `init` removed, from its backup."""
    removed = entry.taken_out
    backup = files.read_or_none(removed.copy) if removed else None
    env = lenient_json.mapping(settings.read(backup or ""), "env")
    return {name: env[name] for name in env if removed and name in removed.names}


def _commands(paths: Paths, ledger: Ledger) -> Iterator[RemovalStep]:
    """Yield the steps that remove the slash commands, unless the user has changed them."""
    known = [paths.slash_command(name) for name in slash.NAMES]
    for path in dict.fromkeys([*known, *ledger.of_kind("command")]):
        text, name = files.read_or_none(path), os.path.basename(path).removesuffix(".md")
        if text is None:
            continue
        if slash.is_ours(name, text) or digest(text) == ledger.entry(path).sha256:
            yield _remove(path)
        elif ledger.entry(path).kind:
            yield RemovalStep("uninstall.yours", path)
    for directory in filter(os.path.isdir, ledger.of_kind("directory")):
        yield RemovalStep("uninstall.directory", directory, _remove_all((), [directory]))


def _settings_files(paths: Paths, ledger: Ledger) -> Iterator[RemovalStep]:
    """Yield the steps that remove ccc's settings files and restore the user's in their place."""
    known = ledger.of_kind("settings")
    if ledger.is_lost:
        # without a ledger, a file counts as ccc's if it looks like one
        seen = glob.glob(os.path.join(glob.escape(paths.config_dir), "settings-*.json"))
        known = sorted(filter(_looks_ours, seen))
    for path in known:
        recorded = ledger.entry(path).aside
        aside = recorded or path + SET_ASIDE
        if os.path.lexists(aside):
            yield RemovalStep("uninstall.put_back", path, _call(files.rename, aside, path), aside)
        elif os.path.lexists(path) and (not recorded or _looks_ours(path)):
            # otherwise the user's file has already been restored
            yield _remove(path)


def _looks_ours(path: str) -> bool:
    return generated_settings.is_ours(files.read_or_none(path) or "")


def _prompt(paths: Paths, ledger: Ledger) -> Iterator[RemovalStep]:
    """Yield the step that removes SUPERVISOR.md if it is unmodified."""
    text = files.read_or_none(paths.prompt)
    if text is None:
        return
    is_default = text in map(default_prompt, words.LANGUAGES)
    if is_default or digest(text) == ledger.entry(paths.prompt).sha256:
        yield _remove(paths.prompt)
    else:
        yield RemovalStep("uninstall.yours", paths.prompt)


def _copies(paths: Paths, is_restored: bool) -> Iterator[RemovalStep]:
    """Yield a step for each backup of the user's settings.json, which stays."""
    has_provider = is_restored or _has_provider(paths.settings)
    for copy in sorted(glob.glob(glob.escape(paths.settings) + SET_ASIDE + "*")):
        if has_provider or not _has_provider(copy):
            yield RemovalStep("uninstall.copy", copy)
        else:
            command = shlex.join(["cp", copy, paths.settings])
            yield RemovalStep("uninstall.copy_needed", copy, other=command)


def _has_provider(path: str) -> bool:
    try:
        return bool(environment.in_settings(settings.read(files.read_or_none(path) or "")))
    except ValueError:
        return False


def _purge(paths: Paths) -> Iterator[RemovalStep]:
    """Yield the steps that remove the configuration, the states and the logs."""
    if os.path.lexists(paths.config):
        yield RemovalStep("uninstall.config", paths.config, _remove_all([paths.config]))
    known = [file.path for file in session_files.find_files(paths)]
    known += glob.glob(os.path.join(glob.escape(paths.state_dir), "eval-*.jsonl"))
    if known:
        count = str(len(known))
        yield RemovalStep("uninstall.state", paths.state_dir, _remove_all(known), other=count)
    if known := sorted(glob.glob(os.path.join(glob.escape(paths.state_dir), "queue.db*"))):
        yield RemovalStep("uninstall.queue", known[0], _remove_all(known))
    logs = os.path.join(paths.state_dir, "queue")
    for what, path in (("uninstall.cases", paths.cases), ("uninstall.queue_logs", logs)):
        if os.path.isdir(path) and not os.path.islink(path):
            yield RemovalStep(what, path, _call(files.remove_tree, path))


def _ledger_and_locks(paths: Paths, claude_dirs: Iterable[str]) -> Iterator[RemovalStep]:
    own = (os.path.join(each, "ccc") for each in claude_dirs)
    directories = sorted({*paths.locks, paths.state_dir, *own})
    known = [paths.ledger, *(os.path.join(each, "lock") for each in directories)]
    is_empty = any(os.path.isdir(each) and not os.listdir(each) for each in directories)
    if is_empty or any(map(os.path.lexists, known)):
        yield RemovalStep(_LAST, paths.ledger, _remove_all(known, directories))


def _remove(path: str) -> RemovalStep:
    return RemovalStep("uninstall.removed", path, _remove_all([path]))


def _remove_all(paths: Iterable[str], directories: Iterable[str] = ()) -> Act:
    """Return an action that removes the files and then the directories that are empty."""

    def act(_: files.Lock) -> None:
        for path in paths:
            files.remove(path)
        for directory in directories:
            with contextlib.suppress(OSError):  # it contains other files
                os.rmdir(directory)

    return act


def _call(function: Callable[..., object], *arguments: str) -> Act:
    return lambda _: function(*arguments)
