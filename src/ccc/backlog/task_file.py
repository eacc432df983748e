"""Files with tasks: lists in YAML or JSON, a forge's list of issues, or plain lines."""

import os
import sys
from collections.abc import Iterator, Sequence
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
from ccc.backlog.task_syntax import MOST_TASKS, FilePlace, line_of
from ccc.storage import files
from ccc.storage.paths import display_path

STDIN = "-"
_STRICT = (".yaml", ".yml", ".json")  # the files that can't be plain lines
_LARGEST = 4_000_000


def read(source: str, defaults: QueuedTask) -> list[FileTask]:
    """Read the tasks of a file, or of stdin for `-`; `defaults` has what the file doesn't say."""
    source = os.path.expanduser(source)
    name = display_path(source) if source != STDIN else "stdin"
    directory = os.path.dirname(os.path.abspath(source)) if source != STDIN else os.getcwd()
    text = _text(source, name)
    is_strict = source.casefold().endswith(_STRICT)
    value, line = task_syntax.parse(text, name, NAMES, may_be_lines=not is_strict)
    return list(_find_tasks(value, FilePlace(name, line), directory, defaults))


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


def _find_tasks(
    top: object, file: FilePlace, directory: str, defaults: QueuedTask
) -> Iterator[FileTask]:
    """Yield the tasks of a file; `defaults` has what they don't say."""
    place = file
    if isinstance(top, dict) and (TASKS in top or DEFAULTS in top):
        Entry(file, top, directory).only({TASKS, DEFAULTS})
        if (given := top.get(DEFAULTS)) is not None:
            at = replace(file, line=line_of(top, DEFAULTS), key=DEFAULTS)
            if not isinstance(given, dict):
                raise at.wrong("tasks.not_mapping")
            defaults = Entry(at, given, directory).task(defaults, FOR_ALL).task
        place = replace(file, line=line_of(top, TASKS), key=TASKS)
        top = top.get(TASKS)
    elif isinstance(top, dict):
        top = [top]
    if top in (None, "", []):
        raise file.wrong("tasks.empty")
    if not isinstance(top, list):
        raise place.wrong("tasks.not_tasks")
    if len(top) > MOST_TASKS:
        raise file.wrong("tasks.many", n=f"{MOST_TASKS:,}")
    earlier: set[str] = set()
    for number, raw in enumerate(top):
        at = replace(file, line=line_of(top, number) or file.line, entry=number + 1)
        if not isinstance(raw, dict | str):
            raise at.wrong("tasks.not_task")
        if isinstance(raw, dict) and is_issue(raw):
            raw = issue_text(raw, at)
        entry = Entry(at, {TEXT: raw} if isinstance(raw, str) else raw, directory)
        found = entry.task(defaults, KEYS, earlier)
        earlier |= {found.name} - {""}
        yield found
