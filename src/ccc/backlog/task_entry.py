"""One entry of a task file: its keys and their types, or an issue of a forge."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from ccc.backlog.task import QueuedTask, is_url
from ccc.backlog.task_syntax import FilePlace
from ccc.claude.formats.permission import is_rule
from ccc.config.schema import LIMITS, limit_type
from ccc.errors import CccError
from ccc.text.names import is_argument, is_provider_name, nearest

TEXT, TASKS, DEFAULTS = "task", "tasks", "defaults"
_ID, _AFTER = "id", "after"
_ALIASES = {"text": TEXT, "title": TEXT, "check": "checks", "provider": "providers"}
_LARGEST_PRIORITY = 1_000_000
_LARGEST_ID = 2**31 - 1
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class FileTask:
    """A task of a file that isn't stored yet."""

    task: QueuedTask
    name: str = ""
    """Its `id` in the file."""
    after_names: tuple[str, ...] = ()
    """The earlier tasks of the file that must be completed before it starts."""


def is_issue(raw: Mapping[str, object]) -> bool:
    """Whether it is an issue as `gh issue list --json` or `glab issue list -O json` prints it."""
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
    """One entry of a file: its keys, and their places."""

    def __init__(
        self, place: FilePlace, raw: Mapping[str, object], lines: Mapping[str, int], directory: str
    ) -> None:
        self._place = place
        self._raw = raw
        self._lines = lines
        self._directory = directory
        self._key = ""

    def only(self, known: Collection[str]) -> None:
        """Raise if there is another key."""
        for key in self._raw:
            if key not in known:
                near = nearest(key, known, 0.6)
                reason = "tasks.unknown_near" if near else "tasks.unknown"
                raise self._at(key).wrong(reason, near=near, known=", ".join(sorted(known)))

    def task(
        self, defaults: QueuedTask, keys: "Mapping[str, _Read]", earlier: Collection[str] = ()
    ) -> FileTask:
        """Return the task; `earlier` has the names of the tasks before it."""
        self.only({*keys, *(name for name, key in _ALIASES.items() if key in keys)})
        values: dict[str, object] = {}
        for name, raw in self._raw.items():
            self._key, key = name, _ALIASES.get(name, name)
            if key in values:
                raise self.wrong("tasks.both", other=key)
            if raw is not None:
                values[key] = keys[key](self, raw)
        if TEXT in keys and not values.get(TEXT):
            raise replace(self._place, key=TEXT).wrong("tasks.no_text")
        limits = {name: values.pop(name) for name in LIMITS if name in values}
        file_id = str(values.pop(_ID, ""))
        if file_id in earlier:
            raise self._at(_ID).wrong("tasks.id_twice", id=file_id)
        names, ids = self._after(values.pop(_AFTER, None), earlier, defaults)
        fields = {_FIELDS.get(key, key): value for key, value in values.items()}
        fields |= {"limits": {**defaults.limits, **limits}, "after": ids}
        return FileTask(replace(defaults, **fields), file_id, names)  # type: ignore[arg-type]

    def _after(
        self, given: object, earlier: Collection[str], defaults: QueuedTask
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Separate the names of earlier tasks of the file from the numbers of stored ones."""
        if not isinstance(given, tuple):
            return (), defaults.after
        names = tuple(each for each in given if each in earlier)
        others = [each for each in given if each not in earlier]
        for each in others:
            if not (each.isascii() and each.isdecimal() and 0 < int(each[:12]) <= _LARGEST_ID):
                raise self._at(_AFTER).wrong("tasks.no_such_task", name=each)
        return names, tuple(map(int, others))

    def _at(self, key: str) -> FilePlace:
        return replace(self._place, line=self._lines.get(key) or self._place.line, key=key)

    def wrong(self, reason: str, **params: object) -> CccError:
        """Return the error for the key that is being read."""
        return self._at(self._key).wrong(reason, **params)

    def text(self, raw: object) -> str:
        """Read a text."""
        if not is_argument(raw):
            raise self.wrong("tasks.not_text")
        return raw.strip()

    def one_line(self, raw: object) -> str:
        """Read a name for git, which must not take it for an option."""
        text = self.text(raw)
        if text.startswith("-") or any(c.isspace() or not c.isprintable() for c in text):
            raise self.wrong("tasks.not_name")
        return text

    def repo(self, raw: object) -> str:
        """Read a URL, or a directory relative to the file's."""
        text = self.text(raw)
        if not text or text.startswith("-") or not text.isprintable():
            raise self.wrong("tasks.not_repo")
        if is_url(text):
            return text
        return os.path.abspath(os.path.join(self._directory, os.path.expanduser(text)))

    def texts(self, raw: object) -> tuple[str, ...]:
        """Read a text or a list of texts."""
        listed = raw if isinstance(raw, list) else [raw]
        texts = tuple(each.strip() for each in listed if is_argument(each) and each.strip())
        if len(texts) < len(listed):
            raise self.wrong("tasks.not_texts")
        return texts

    def providers(self, raw: object) -> tuple[str, ...]:
        """Read names of providers."""
        for name in (names := self.texts(raw)):
            if not is_provider_name(name):
                raise self.wrong("tasks.not_provider", name=name)
        return tuple(dict.fromkeys(names))

    def rules(self, raw: object) -> tuple[str, ...]:
        """Read permission rules."""
        for rule in (rules := self.texts(raw)):
            if not is_rule(rule):
                raise self.wrong("tasks.not_rule", rule=rule)
        return rules

    def names(self, raw: object) -> tuple[str, ...]:
        """Read the tasks that this one waits for."""
        listed = raw if isinstance(raw, list) else [raw]
        return tuple(dict.fromkeys(map(self.name, listed)))

    def name(self, raw: object) -> str:
        """Read the name of a task in the file, or the number of a stored one."""
        if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= _LARGEST_ID:
            return str(raw)
        if not is_argument(raw) or not 0 < len(raw.strip()) <= _LONGEST_NAME:
            raise self.wrong("tasks.not_id")
        return raw.strip()

    def limit(self, raw: object) -> float:
        """Read a limit of `ccc run`."""
        least, most = LIMITS[self._key]
        if limit_type(self._key) is int:
            return self._whole(raw, least, most)
        if isinstance(raw, bool) or not isinstance(raw, int | float) or not least <= raw <= most:
            raise self.wrong("tasks.not_amount", least=least, most=f"{most:,}")
        return float(raw)

    def priority(self, raw: object) -> int:
        """Read a priority."""
        return self._whole(raw, -_LARGEST_PRIORITY, _LARGEST_PRIORITY)

    def _whole(self, raw: object, least: int, most: int) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int) or not least <= raw <= most:
            raise self.wrong("tasks.not_whole", least=f"{least:,}", most=f"{most:,}")
        return raw

    def truth(self, raw: object) -> bool:
        """Read true or false."""
        if not isinstance(raw, bool):
            raise self.wrong("tasks.not_truth")
        return raw


_Read = Callable[[Entry, object], object]
FOR_ALL: dict[str, _Read] = {
    "repo": Entry.repo,
    "base": Entry.one_line,
    "providers": Entry.providers,
    "checks": Entry.texts,
    "allow": Entry.rules,
    **dict.fromkeys(LIMITS, Entry.limit),
    "priority": Entry.priority,
    _AFTER: Entry.names,
    "setup": Entry.text,
    "push": Entry.truth,
    "pr": Entry.truth,
}
"""The keys that can be in `defaults`, too."""
KEYS: dict[str, _Read] = {
    TEXT: Entry.text,
    _ID: Entry.name,
    "branch": Entry.one_line,
    **FOR_ALL,
}
_FIELDS = {TEXT: "text", "pr": "pull_request"}
"""The fields of a task whose names differ from their keys."""
NAMES = frozenset({*KEYS, *_ALIASES, TASKS, DEFAULTS})
