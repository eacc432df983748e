"""The sessions in the state directory: list them, read a state, and change it under the lock."""

import os
from collections.abc import Callable

from msgspec.structs import replace

from ccc import words
from ccc.errors import CccError
from ccc.model import state as model
from ccc.model.state import Corrupt, State
from ccc.storage import files, journal
from ccc.storage.files import Lock
from ccc.storage.paths import Paths
from ccc.system import private_files, terminal
from ccc.text import names

_PREFIX, _SUFFIX = "supervisor-", ".json"
RECENT = "recent-sessions"
"""The file with the id of a session for each change of its state, newest last."""
_LARGEST_RECENT = 32_768
_KEPT_RECENT = 300


def _recent(state_dir: str) -> list[str]:
    """Return the sessions in the file of changes, newest first."""
    try:
        path = os.path.join(state_dir, RECENT)
        with open(private_files.open_regular(path), encoding="utf-8", errors="replace") as file:
            return list(dict.fromkeys(reversed(file.read().splitlines())))
    except OSError:
        return []


def newest(state_dir: str, most: int) -> tuple[list[tuple[float, str]], int]:
    """Return the sessions that changed last, as `list_by_change` does, and how many there are.

    Asking the time of thousands of files takes longer than all else, so only those are asked that
    have changed lately. Those that aren't in the file of changes are older than those that are.
    """
    try:
        total = sum(map(_is_state, os.listdir(state_dir)))
    except OSError:
        return [], 0
    recent = _with_times(state_dir, [f"{_PREFIX}{id_}{_SUFFIX}" for id_ in _recent(state_dir)])
    if len(recent) < min(most, total):
        recent = list_by_change(state_dir)
    return recent[:most], total


def list_by_change(state_dir: str) -> list[tuple[float, str]]:
    """Return apparent sessions with the times of their last changes, newest first.

    There may be thousands, of which only a few are shown, so the file names aren't validated.
    """
    try:
        return _with_times(state_dir, list(filter(_is_state, os.listdir(state_dir))))
    except OSError:
        return []


def _is_state(name: str) -> bool:
    return name.endswith(_SUFFIX) and name.startswith(_PREFIX)


def _with_times(state_dir: str, file_names: list[str]) -> list[tuple[float, str]]:
    """Return the sessions of those state files that exist, newest first."""
    states = []
    try:
        # names relative to the directory take two thirds of the time
        directory = os.open(state_dir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        for name in file_names:
            try:
                changed = os.stat(name, dir_fd=directory).st_mtime
            except (OSError, ValueError):
                continue  # removed in the meantime, or not a name
            states.append((changed, name[len(_PREFIX) : -len(_SUFFIX)]))
    finally:
        os.close(directory)
    return sorted(states, reverse=True)


def ids(where: Paths) -> list[str]:
    """Return the ids of the sessions that have a state, newest first."""
    listed = list_by_change(where.state_dir)
    return [session for _, session in listed if names.is_session_id(session)]


def read(where: Paths, session: str) -> State | None:
    """Return a session's state, or None if there is none; raise Corrupt if it is malformed."""
    path = where.state(session)
    try:
        if os.path.islink(path):
            raise Corrupt("a link")  # ccc creates none
        text = files.read(path)
    except CccError as error:
        if error.message == "file.not_utf8":
            raise Corrupt(str(error)) from None
        raise
    if text is None:
        if os.path.lexists(where.state_dir) and not os.path.isdir(where.state_dir):
            raise CccError("file.not_directory", hint="file.hint", file=where.state_dir)
        return None
    return model.parse(text, session, lambda n: files.read_or_none(where.long_text(session, n)))


def load(where: Paths, session: str) -> State | None:
    """Return a session's state, or None if there is no readable one."""
    try:
        return read(where, session)
    except (CccError, Corrupt):
        return None


def change(
    where: Paths,
    session: str,
    edit: Callable[[State], State],
    on_corrupt: Callable[[str], None] = lambda aside: None,
) -> State:
    """Change the session's state, creating it if necessary, and return it.

    A corrupt file is renamed, `on_corrupt` receives its new name, and supervision is off.
    """
    path, now = where.state(session), journal.stamp()
    with Lock((where.state_dir,)) as lock:
        try:
            before = read(where, session)
        except Corrupt:
            on_corrupt(files.set_aside(path, ".corrupt"))
            before = None
        after = replace(edit(before or State(session, created_at=now)), updated_at=now)
        texts: dict[str, str] = {}
        content = model.dump(after, texts)
        for name, long in texts.items():
            lock.write(where.long_text(session, name), long, durable=False, ours=True)
        lock.write(path, content, durable=False, ours=True)
        note_change(lock, where.state_dir, session)
    return after


def tell_corrupt(aside: str) -> None:
    """Tell the user that a corrupt state was set aside."""
    terminal.tell(words.say("state.corrupt", file=aside))


def note_change(lock: Lock, state_dir: str, session: str) -> None:
    """Note that the session's state has changed, for `newest`."""
    path = os.path.join(state_dir, RECENT)
    try:
        file = private_files.open_file(path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, f"{session}\n".encode())
            size = os.fstat(file).st_size
        finally:
            os.close(file)
        if size > _LARGEST_RECENT:
            kept = reversed(_recent(state_dir)[:_KEPT_RECENT])
            lock.write(path, "".join(f"{each}\n" for each in kept), durable=False, ours=True)
    except (OSError, CccError):
        pass  # ccc status may then miss a session
