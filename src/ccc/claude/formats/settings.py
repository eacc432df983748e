"""Read and merge Claude Code's settings, and edit ccc's parts of them as text."""

import functools
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from ccc.errors import CccError
from ccc.text import jsontext, lenient_json

T = TypeVar("T")


Path = tuple[str | int, ...]

# longer than any review may take: if claude's own timeout expires, there is no decision at all
_HOOK_TIMEOUT_SECONDS = 14_400
# matches the whole command, with or without options; as part of a longer one it is the user's
_PROGRAM = r"""(?:"(?:[^"]*/)?ccc"|'(?:.*/)?ccc'|(?:[^\s"';&|]*/)?ccc)"""
_MARK = "\ufeff"


class WrongShape(ValueError):
    """A settings file that is JSON but lacks the form claude expects. `path` is the key's path."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def read(text: str) -> dict[str, object]:
    """Parse the settings as claude does: a BOM or an empty file is not an error."""
    body = text.removeprefix(_MARK)
    settings = _expect(jsontext.parse(body) if body.strip() else {}, dict, ".")
    list(hook_paths(settings))
    return settings


def parse(file: str, text: str) -> dict[str, object]:
    """Parse the text of a settings file, or raise an error that names the place."""
    return edit(file, text, read)


def edit(file: str, text: str, change: Callable[[str], T]) -> T:
    """Apply `change` to the text of a settings file, or raise an error that names the place."""
    try:
        return change(text)
    except jsontext.JsonError as error:
        raise error.in_file(file, "settings.shape") from None
    except WrongShape as error:
        raise CccError("settings.shape", file=file, path=error.path) from None


def merge(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """Merge `over` into `under` as claude does: merge objects, join lists, replace the rest."""
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = merge(below, value)
        elif isinstance(below, list) and isinstance(value, list):
            merged[key] = [*below, *(item for item in value if item not in below)]
        else:
            merged[key] = value
    return merged


def hook_command(ccc: str) -> str:
    """Return the Stop hook's command, the same in every session: claude runs it once."""
    return f"{shlex.quote(ccc)} supervisor-hook"


def _runs_ccc(command: str, word: str) -> bool:
    """Return whether the whole command runs ccc with this word, and options if any."""
    return bool(re.fullmatch(rf"\s*{_PROGRAM}\s+{word}(?:\s[^;&|]*)?", command))


def hook_entry(command: str, status: str) -> dict[str, object]:
    """Return ccc's group in `hooks.Stop`. Claude shows `status` beside its spinner."""
    return {
        "hooks": [
            {
                "type": "command",
                "command": command,
                "timeout": _HOOK_TIMEOUT_SECONDS,
                "statusMessage": status,
            }
        ]
    }


def is_ours(hook: object) -> bool:
    """Return whether a hook is ccc's Stop hook, from any ccc installation."""
    return _runs_ccc(lenient_json.text(hook, "command"), "supervisor-hook")


def has_hook(settings: object) -> bool:
    """Return whether the settings contain ccc's Stop hook."""
    return any(True for _ in hook_paths(settings))


def hook_paths(settings: object) -> Iterator[Path]:
    """Yield the path of each of ccc's Stop hooks."""
    for group_number, group in enumerate(_stop_groups(settings)):
        place = f"hooks.Stop[{group_number}].hooks"
        for number, hook in enumerate(_expect(group.get("hooks", []), list, place)):
            if is_ours(hook):
                yield ("hooks", "Stop", group_number, "hooks", number)


def other_stop_hooks(settings: object) -> Iterator[dict[str, object]]:
    """Yield the Stop hooks that are not ccc's."""
    for group in _stop_groups(settings):
        yield from (hook for hook in lenient_json.mappings(group, "hooks") if not is_ours(hook))


def _stop_groups(settings: object) -> list[dict[str, object]]:
    """Return the groups of Stop hooks. Claude treats null as empty."""
    hooks = _expect(settings, dict, ".").get("hooks")
    groups = _expect({} if hooks is None else hooks, dict, "hooks").get("Stop")
    groups = _expect([] if groups is None else groups, list, "hooks.Stop")
    return [_expect(group, dict, f"hooks.Stop[{n}]") for n, group in enumerate(groups)]


def _expect(value: object, kind: type[T], path: str) -> T:
    if not isinstance(value, kind):
        raise WrongShape(path)
    return value


def value_at(value: object, path: Path) -> object:
    """Return the value at the path, which must exist."""
    for step in path:
        value = value[step]  # type: ignore[index]
    return value


def _length_at(settings: object, path: Path) -> int:
    return len(value_at(settings, path))  # type: ignore[arg-type]


def _change(text: str, change: Callable[[str], str]) -> str:
    """Apply the change to the text, keeping its byte order mark; an empty file reads as `{}`."""
    body = text.removeprefix(_MARK)
    before = body if body.strip() else "{}\n"
    after = change(before)
    return text if after == before else text[: len(text) - len(body)] + after


def with_hook(text: str, command: str, status: str) -> str:
    """Return the settings text with ccc's Stop hook exactly once and every other byte unchanged."""
    entry = hook_entry(command, status)

    def change(body: str) -> str:
        settings = jsontext.parse(body)
        paths = list(hook_paths(settings))
        if not paths:
            return _append_group(body, settings, entry)
        hook = value_at(entry, ("hooks", 0))
        if value_at(settings, paths[0]) != hook:
            body = jsontext.replace(body, paths[0], hook)
        for path in reversed(paths[1:]):
            is_alone = _length_at(jsontext.parse(body), path[:-1]) == 1
            body = jsontext.remove(body, path[:3] if is_alone else path)
        return body

    return _change(text, change)


def _append_group(body: str, settings: object, entry: dict[str, object]) -> str:
    """Return the text with one more group. Claude treats null as an empty container."""
    assert isinstance(settings, dict)
    if settings.get("hooks", {}) is None:
        return jsontext.replace(body, ("hooks",), {"Stop": [entry]})
    if settings.get("hooks", {}).get("Stop", []) is None:
        return jsontext.replace(body, ("hooks", "Stop"), [entry])
    return jsontext.replace(body, ("hooks", "Stop", len(_stop_groups(settings))), entry)


def without_hook(text: str) -> str:
    """Return the settings text without ccc's hooks, and without what would be empty then."""

    def change(body: str) -> str:
        while place := next(hook_paths(content := jsontext.parse(body)), None):
            path = place if _length_at(content, place[:-1]) > 1 else place[:3]
            while 1 < len(path) < 4 and _length_at(content, path[:-1]) == 1:
                path = path[:-1]
            body = jsontext.remove(body, path)
        return body

    return _change(text, change)


def status_line(ccc: str) -> dict[str, object]:
    """Return ccc's status line."""
    # without an interval, claude would not run it while a Stop hook runs
    command = f"{shlex.quote(ccc)} statusline"
    return {"type": "command", "command": command, "refreshInterval": 2}


def is_our_status_line(value: object) -> bool:
    """Return whether a status line is ccc's, from any ccc installation."""
    return _runs_ccc(lenient_json.text(value, "command"), "statusline")


def with_status_line(text: str, value: object) -> str:
    """Return the settings text with this status line (None removes it) and the rest unchanged."""
    if value is not None:
        return _change(text, lambda body: jsontext.replace(body, ("statusLine",), value))
    has_one = "statusLine" in read(text)
    return _change(text, lambda body: jsontext.remove(body, ("statusLine",))) if has_one else text


def without_env(text: str, names: Sequence[str]) -> str:
    """Return the settings text without these variables in its `env` and the rest unchanged."""
    paths = [("env", name) for name in names]
    return _change(text, lambda body: functools.reduce(jsontext.remove, paths, body))


def with_env(text: str, values: Mapping[str, object]) -> str:
    """Return the settings text with these variables in its `env` and the rest unchanged."""

    def change(body: str) -> str:
        for name, value in values.items():
            body = jsontext.replace(body, ("env", name), value)
        return body

    return _change(text, change)
