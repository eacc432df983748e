"""Files with tasks: lists in YAML or JSON, a forge's list of issues, or plain lines."""

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from ccc.backlog import store, task_syntax
from ccc.backlog.database import Database
from ccc.backlog.task import LARGEST_ID, MOST_PRIORITY, QueuedTask, is_url
from ccc.backlog.task_syntax import MOST_TASKS, FilePlace, line_of
from ccc.claude.formats.permission import is_rule
from ccc.config.layer import LayerReader, Text
from ccc.config.schema import LIMITS, SUPERVISOR_KEYS
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.text.names import is_argument, is_provider_name, nearest

STDIN = "-"
_STRICT = (".yaml", ".yml", ".json")  # the files that can't be plain lines
_LARGEST = 4_000_000
TEXT, TASKS, DEFAULTS = "task", "tasks", "defaults"
_ALIASES = {"text": TEXT, "title": TEXT, "check": "checks", "provider": "providers"}

_Texts = tuple[Annotated[Text, Meta(min_length=1)], ...]
# git must take neither for an option
_GitName = Annotated[str, Meta(pattern=r"\A(?!-)[^\s\x00-\x1f\x7f\ud800-\udfff]*\Z")]
_Repo = Annotated[str, Meta(pattern=r"\A(?!-)[^\x00-\x1f\x7f\ud800-\udfff]+\Z")]
_Number = Annotated[int, Meta(ge=0, le=LARGEST_ID)]
_Id = _Number | Annotated[Text, Meta(min_length=1, max_length=200)]
_Ids = tuple[_Id, ...]
_REASONS: Mapping[Any, str] = {
    Text: "tasks.not_text",
    _Texts: "tasks.not_texts",
    _GitName: "tasks.not_name",
    _Repo: "tasks.not_repo",
    _Id: "tasks.not_id",
    _Ids: "tasks.not_id",
}

_Keys = Mapping[str, Any]
FOR_ALL: _Keys = {
    "repo": _Repo,
    "base": _GitName,
    "providers": _Texts,
    "checks": _Texts,
    "allow": _Texts,
    **{name: SUPERVISOR_KEYS[name] for name in LIMITS},
    "priority": Annotated[int, Meta(ge=-MOST_PRIORITY, le=MOST_PRIORITY)],
    "after": _Ids,
    "setup": Text,
    "push": bool,
    "pr": bool,
}
"""The keys that can be in `defaults`, too, and their types."""
KEYS: _Keys = {TEXT: Text, "id": _Id, "branch": _GitName, **FOR_ALL}
NAMES = frozenset({*KEYS, *_ALIASES, TASKS, DEFAULTS})
_LISTS = ("providers", "checks", "allow", "after")  # the keys that also take a single value
_FIELDS = {TEXT: "text", "pr": "pull_request"}
"""The fields of a task whose names differ from their keys."""


class FileTask(Struct, frozen=True):
    """A task of a file that isn't stored yet."""

    task: QueuedTask
    name: str = ""  # its `id` in the file
    after_names: tuple[str, ...] = ()
    """The earlier tasks of the file that must be completed before it starts."""


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
            stored.append(store.add(connection, replace(entry.task, after=after)))
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


def is_issue(raw: Mapping[str, object]) -> bool:
    """Return whether it is an issue as `gh issue list --json` or `glab issue list -O json` has."""
    return "title" in raw and not raw.keys().isdisjoint(("number", "iid"))


def issue_text(raw: Mapping[str, object], place: FilePlace) -> str:
    """Return an issue as a task: title, description, and a line with its number."""
    number = raw.get("number", raw.get("iid"))
    title, body = raw["title"], raw.get("body", raw.get("description"))
    if not isinstance(number, int) or isinstance(number, bool):
        raise replace(place, key="number" if "number" in raw else "iid").wrong("tasks.not_number")
    for key, value in (("title", title), ("body", body or "")):
        if not is_argument(value):
            raise replace(place, key=key).wrong("tasks.not_text")
    url = raw.get("url", raw.get("web_url"))
    name = f"Issue #{number}" + (f": {url}" if is_argument(url) and url else "")
    return "\n\n".join(filter(None, (str(title).strip(), str(body or "").strip(), name)))


class Entry(LayerReader):
    """One entry of a file, whose values are checked as those of ccc.json: where its keys are."""

    def __init__(self, place: FilePlace, raw: Mapping[str, object], directory: str) -> None:
        super().__init__(place.file)
        self._place = place
        self._raw = raw
        self._directory = directory

    def wrong(self, reason: str, path: str, **params: object) -> CccError:
        """Return the error for the value of a key."""
        line = line_of(self._raw, path) or self._place.line
        said = {n: f"{each:,}" if isinstance(each, int) else each for n, each in params.items()}
        return replace(self._place, line=line, key=path).wrong(reason, **said)

    def only(self, known: Collection[str]) -> None:
        """Raise if there is another key."""
        for key in self._raw:
            if key not in known:
                near = nearest(key, known, 0.6)
                reason = "tasks.unknown_near" if near else "tasks.unknown"
                raise self.wrong(reason, key, near=near, known=", ".join(sorted(known)))

    def task(self, defaults: QueuedTask, keys: _Keys, earlier: Collection[str] = ()) -> FileTask:
        """Return the task; `earlier` has the names of the tasks before it."""
        values = self._read(keys)
        if TEXT in keys and not values.get(TEXT):
            raise replace(self._place, key=TEXT).wrong("tasks.no_text")
        name = str(values.pop("id", ""))
        if name in earlier:
            raise self.wrong("tasks.id_twice", "id", id=name)
        awaited = [str(each) for each in values.pop("after", ())]
        names = tuple(each for each in awaited if each in earlier)
        ids = self._stored([each for each in awaited if each not in earlier])
        limits = {name: values.pop(name) for name in LIMITS if name in values}
        fields = {_FIELDS.get(key, key): value for key, value in values.items()}
        fields["limits"] = {**defaults.limits, **limits}
        fields["after"] = ids if awaited else defaults.after
        return FileTask(replace(defaults, **fields), name, names)

    def _read(self, keys: _Keys) -> dict[str, Any]:
        self.only({*keys, *(name for name, key in _ALIASES.items() if key in keys)})
        values: dict[str, Any] = {}
        for name, raw in self._raw.items():
            key = _ALIASES.get(name, name)
            if key in values:
                raise self.wrong("tasks.both", name, other=key)
            if raw is not None:
                values[key] = self._convert(name, raw, key, keys[key])
        return values

    def _convert(self, name: str, raw: object, key: str, kind: Any) -> object:
        """Return the value of a key that was given under this name."""
        listed = raw if isinstance(raw, list) else [raw]
        listed = [each.strip() if isinstance(each, str) else each for each in listed]
        is_list = key in _LISTS or isinstance(raw, list)
        value = self.value(kind, listed if is_list else listed[0], name, _REASONS.get(kind, ""))
        if key == "repo" and not is_url(value):
            return os.path.abspath(os.path.join(self._directory, os.path.expanduser(value)))
        for each in value if key in ("providers", "allow") else ():
            if key == "providers" and not is_provider_name(each):
                raise self.wrong("tasks.not_provider", name, name=each)
            if key == "allow" and not is_rule(each):
                raise self.wrong("tasks.not_rule", name, rule=each)
        return tuple(dict.fromkeys(value)) if key in _LISTS else value

    def _stored(self, ids: list[str]) -> tuple[int, ...]:
        """Return the numbers of stored tasks that this one waits for."""
        for each in ids:
            if not (each.isascii() and each.isdecimal() and 0 < int(each[:12]) <= LARGEST_ID):
                raise self.wrong("tasks.no_such_task", "after", name=each)
        return tuple(map(int, ids))
