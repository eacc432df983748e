"""Files with tasks: lists in YAML or JSON, a forge's list of issues, or plain lines."""

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ccc.backlog import store, task_syntax
from ccc.backlog.database import Database
from ccc.backlog.task import QueuedTask
from ccc.backlog.task_entry import (
    DEFAULTS,
    FOR_ALL,
    KEYS,
    NAMES,
    TASKS,
    TEXT,
    Entry,
    FileTask,
    is_issue,
    issue_text,
)
from ccc.backlog.task_syntax import MOST_TASKS, Document, FilePlace, Path
from ccc.storage import files
from ccc.storage.paths import display_path

STDIN = "-"
_STRICT = (".yaml", ".yml", ".json")
"""The files that can't be plain lines."""
_LARGEST = 4_000_000


def read(source: str, defaults: QueuedTask) -> list[FileTask]:
    """Read the tasks of a file, or of stdin for `-`; `defaults` has what the file doesn't say."""
    source = os.path.expanduser(source)
    name = display_path(source) if source != STDIN else "stdin"
    directory = os.path.dirname(os.path.abspath(source)) if source != STDIN else os.getcwd()
    text = _text(source, name)
    is_strict = source.casefold().endswith(_STRICT)
    document = task_syntax.parse(text, name, NAMES, may_be_lines=not is_strict)
    return _File(name, directory, document).tasks(defaults)


def store_all(database: Database, entries: Sequence[FileTask]) -> list[QueuedTask]:
    """Store the tasks of a file, all or none."""
    ids: dict[str, int] = {}
    stored: list[QueuedTask] = []
    with database.change() as connection:
        for entry in entries:
            earlier = (ids[name] for name in entry.after_names)
            after = tuple(dict.fromkeys((*entry.task.after, *earlier)))
            stored.append(store.add_one(connection, replace(entry.task, after=after)))
            if entry.name:
                ids[entry.name] = stored[-1].id
    return stored


def _text(source: str, name: str) -> str:
    try:
        if source == STDIN:
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        where = display_path(os.path.dirname(os.path.abspath(source)))
        raise FilePlace(name).wrong("tasks.no_file", directory=where) from None
    except IsADirectoryError:
        raise FilePlace(name).wrong("tasks.directory") from None
    except OSError as error:
        raise files.unusable("file.unreadable", name, error) from None
    if len(data) > _LARGEST:
        raise FilePlace(name).wrong("tasks.large", size=f"{_LARGEST // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FilePlace(name, line).wrong("tasks.not_utf8") from None


class _File:
    """The tasks of one file."""

    def __init__(self, name: str, directory: str, document: Document) -> None:
        self._name = name
        self._directory = directory
        self._document = document

    def tasks(self, defaults: QueuedTask) -> list[FileTask]:
        top = self._document.value
        path: Path = ()
        if isinstance(top, dict) and (TASKS in top or DEFAULTS in top):
            entry = Entry(self._place(()), top, self._lines((), top), self._directory)
            entry.only({TASKS, DEFAULTS})
            if (given := top.get(DEFAULTS)) is not None:
                defaults = self._entry((DEFAULTS,), given).task(defaults, FOR_ALL).task
            top, path = top.get(TASKS), (TASKS,)
        elif isinstance(top, dict):
            top = [top]
        if top in (None, "", []):
            raise self._place(()).wrong("tasks.empty")
        if not isinstance(top, list):
            raise self._place(path).wrong("tasks.not_tasks")
        if len(top) > MOST_TASKS:
            raise self._place(()).wrong("tasks.many", n=f"{MOST_TASKS:,}")
        return self._all(top, path, defaults)

    def _all(self, entries: Sequence[object], path: Path, defaults: QueuedTask) -> list[FileTask]:
        found: list[FileTask] = []
        earlier: set[str] = set()
        is_alone = isinstance(self._document.value, dict) and not path
        for number, raw in enumerate(entries):
            here = () if is_alone else (*path, number)
            entry = self._entry(here, raw, number + 1)
            found.append(entry.task(defaults, KEYS, earlier))
            if name := found[-1].name:
                earlier.add(name)
        return found

    def _entry(self, path: Path, raw: object, number: int = 0) -> Entry:
        place = self._place(path, number)
        if number and isinstance(raw, str):
            return Entry(place, {TEXT: raw}, {}, self._directory)
        if not isinstance(raw, dict):
            raise place.wrong("tasks.not_task" if number else "tasks.not_mapping")
        if number and is_issue(raw):
            return Entry(place, {TEXT: issue_text(raw, place)}, {}, self._directory)
        return Entry(place, raw, self._lines(path, raw), self._directory)

    def _place(self, path: Path, number: int = 0) -> FilePlace:
        key = "" if number or not path else str(path[0])
        return FilePlace(self._name, self._document.lines.get(path, 0), number, key)

    def _lines(self, path: Path, keys: Iterable[str]) -> dict[str, int]:
        return {key: self._document.lines.get((*path, key), 0) for key in keys}
