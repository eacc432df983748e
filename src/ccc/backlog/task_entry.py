"""One entry of a task file: its keys and their types, or an issue of a forge."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ccc.backlog.task import LARGEST_ID, MOST_PRIORITY, QueuedTask, is_url
from ccc.backlog.task_syntax import FilePlace, line_of
from ccc.claude.formats.permission import is_rule
from ccc.config.schema import LIMITS, limit_type
from ccc.text.names import is_argument, is_provider_name, nearest

TEXT, TASKS, DEFAULTS = "task", "tasks", "defaults"
_ALIASES = {"text": TEXT, "title": TEXT, "check": "checks", "provider": "providers"}

# a process can't receive the rest
_STORABLE = r"\A[^\0\ud800-\udfff]*\Z"
_Text = Annotated[str, Meta(pattern=_STORABLE)]
_Texts = tuple[Annotated[str, Meta(pattern=_STORABLE, min_length=1)], ...]
# git must take neither for an option
_GitName = Annotated[str, Meta(pattern=r"\A(?!-)[^\s\x00-\x1f\x7f\ud800-\udfff]*\Z")]
_Repo = Annotated[str, Meta(pattern=r"\A(?!-)[^\x00-\x1f\x7f\ud800-\udfff]+\Z")]
_Number = Annotated[int, Meta(ge=0, le=LARGEST_ID)]
_Id = _Number | Annotated[str, Meta(pattern=_STORABLE, min_length=1, max_length=200)]
_Priority = Annotated[int, Meta(ge=-MOST_PRIORITY, le=MOST_PRIORITY)]
_LIMITS = {
    name: Annotated[limit_type(name), Meta(ge=least, le=most)]
    for name, (least, most) in LIMITS.items()
}

_Keys = Mapping[str, tuple[Any, str]]
FOR_ALL: _Keys = {
    "repo": (_Repo, "tasks.not_repo"),
    "base": (_GitName, "tasks.not_name"),
    "providers": (_Texts, "tasks.not_texts"),
    "checks": (_Texts, "tasks.not_texts"),
    "allow": (_Texts, "tasks.not_texts"),
    **{
        name: (kind, "config.not_whole" if limit_type(name) is int else "config.not_number")
        for name, kind in _LIMITS.items()
    },
    "priority": (_Priority, "config.not_whole"),
    "after": (tuple[_Id, ...], "tasks.not_id"),
    "setup": (_Text, "tasks.not_text"),
    "push": (bool, "config.not_truth"),
    "pr": (bool, "config.not_truth"),
}
"""The keys that can be in `defaults`, too: their types, and the error of a wrong value."""
KEYS: _Keys = {
    TEXT: (_Text, "tasks.not_text"),
    "id": (_Id, "tasks.not_id"),
    "branch": (_GitName, "tasks.not_name"),
    **FOR_ALL,
}
NAMES = frozenset({*KEYS, *_ALIASES, TASKS, DEFAULTS})
_LISTS = ("providers", "checks", "allow", "after")  # the keys that also take a single value


@dataclass(frozen=True, slots=True)
class FileTask:
    """A task of a file that isn't stored yet."""

    task: QueuedTask
    name: str = ""  # its `id` in the file
    after_names: tuple[str, ...] = ()
    """The earlier tasks of the file that must be completed before it starts."""


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


class Entry:
    """One entry of a file: its keys, and where they are."""

    def __init__(self, place: FilePlace, raw: Mapping[str, object], directory: str) -> None:
        self._place = place
        self._raw = raw
        self._directory = directory

    def _at(self, key: str) -> FilePlace:
        return replace(self._place, line=line_of(self._raw, key) or self._place.line, key=key)

    def only(self, known: Collection[str]) -> None:
        """Raise if there is another key."""
        for key in self._raw:
            if key not in known:
                near = nearest(key, known, 0.6)
                reason = "tasks.unknown_near" if near else "tasks.unknown"
                raise self._at(key).wrong(reason, near=near, known=", ".join(sorted(known)))

    def task(self, defaults: QueuedTask, keys: _Keys, earlier: Collection[str] = ()) -> FileTask:
        """Return the task; `earlier` has the names of the tasks before it."""
        values = self._read(keys)
        if TEXT in keys and not values.get(TEXT):
            raise replace(self._place, key=TEXT).wrong("tasks.no_text")
        name = str(values.pop("id", ""))
        if name in earlier:
            raise self._at("id").wrong("tasks.id_twice", id=name)
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
                raise self._at(name).wrong("tasks.both", other=key)
            if raw is not None:
                values[key] = self._value(name, raw, key, *keys[key])
        return values

    def _value(self, name: str, raw: object, key: str, kind: Any, reason: str) -> object:
        """Return the value of a key that was given under this name."""
        listed = raw if isinstance(raw, list) else [raw]
        listed = [each.strip() if isinstance(each, str) else each for each in listed]
        is_list = key in _LISTS or isinstance(raw, list)
        try:
            value = msgspec.convert(listed if is_list else listed[0], kind)
        except msgspec.ValidationError:
            (bounds,) = getattr(kind, "__metadata__", (Meta(),))
            params = {"least": f"{bounds.ge:,}", "most": f"{bounds.le:,}"} if bounds.le else {}
            raise self._at(name).wrong(reason, **params) from None
        if key == "repo" and not is_url(value):
            return os.path.abspath(os.path.join(self._directory, os.path.expanduser(value)))
        for each in value if key in ("providers", "allow") else ():
            if key == "providers" and not is_provider_name(each):
                raise self._at(name).wrong("tasks.not_provider", name=each)
            if key == "allow" and not is_rule(each):
                raise self._at(name).wrong("tasks.not_rule", rule=each)
        return tuple(dict.fromkeys(value)) if key in _LISTS else value

    def _stored(self, ids: list[str]) -> tuple[int, ...]:
        """Return the numbers of stored tasks that this one waits for."""
        for each in ids:
            if not (each.isascii() and each.isdecimal() and 0 < int(each[:12]) <= LARGEST_ID):
                raise self._at("after").wrong("tasks.no_such_task", name=each)
        return tuple(map(int, ids))


_FIELDS = {TEXT: "text", "pr": "pull_request"}
"""The fields of a task whose names differ from their keys."""
