"""Claude Code's settings: merging them, our Stop hook entry in them, the reviewer's version."""

import re
import shlex

from ccc.claude.formats import slash
from ccc.errors import CccError
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeVar

    T = TypeVar("T")

# Longer than any review may take: past claude's own limit there is no decision at all.
HOOK_TIMEOUT_SECONDS = 14_400

# The whole command, with or without options: part of a longer one is the user's.
_PATH = r"""(?:"(?:[^"]*/)?ccc"|'(?:.*/)?ccc'|(?:[^\s"';&|]*/)?ccc)"""
_OURS = re.compile(rf"\s*{_PATH}\s+supervisor-hook(?:\s[^;&|]*)?")
_OUR_STATUS = re.compile(rf"\s*{_PATH}\s+statusline(?:\s[^;&|]*)?")

# Scoped rules keep the tool list, hence the prompt cache; bare tool names would change it.
_CHANGING_GIT = (
    *("add", "checkout", "cherry-pick", "clean", "commit", "merge", "mv", "pull", "push"),
    *("rebase", "reset", "restore", "revert", "rm", "stash", "switch"),
)
# claude takes an Edit rule for Write and for what Bash visibly writes, too
DENIED = ["Edit(./**)", "Edit(~/**)", *(f"Bash(git {verb}:*)" for verb in _CHANGING_GIT)]
_PERMISSIONS: dict[str, object] = {
    "allow": ["Bash", "Read", "Glob", "Grep"],
    "deny": DENIED,
    "defaultMode": "dontAsk",
}
_SANDBOX = {"enabled": True, "allowUnsandboxedCommands": False}


class WrongShape(ValueError):
    """A settings file that is JSON, but not of the form claude reads; `path` is the key's."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def hook_command(ccc: str) -> str:
    """The Stop hook's command: the same in every session, so that claude runs it once."""
    return f"{shlex.quote(ccc)} supervisor-hook"


def hook_entry(command: str, status: str) -> dict[str, object]:
    """Our group in `hooks.Stop`; `status` stands beside claude's spinner while it runs."""
    return {"hooks": [_hook(command, status)]}


def _hook(command: str, status: str) -> dict[str, object]:
    return {
        "type": "command",
        "command": command,
        "timeout": HOOK_TIMEOUT_SECONDS,
        "statusMessage": status,
    }


def is_ours(hook: object) -> bool:
    """Whether a hook is a Stop hook of ccc, wherever that ccc was installed."""
    return (
        isinstance(hook, dict)
        and isinstance(hook.get("command"), str)
        and bool(_OURS.fullmatch(hook["command"]))
    )


def with_hook(text: str, command: str, status: str) -> str:
    """The settings text with our Stop hook in it exactly once, every other byte as it was."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    entry = hook_entry(command, status)
    if not body.strip():
        return mark + jsontext.dump({"hooks": {"Stop": [entry]}})
    settings = jsontext.parse(body)
    ours = list(places(settings))
    if not ours:
        return mark + _appended(body, settings, entry)
    if at(settings, ours[0]) != (hook := _hook(command, status)):
        body = jsontext.replace(body, ours[0], hook)
    for place in reversed(ours[1:]):
        alone = len(at(jsontext.parse(body), place[:-1])) == 1  # type: ignore[arg-type]
        body = jsontext.remove(body, place[:3] if alone else place)
    return mark + body


def status_line(ccc: str) -> dict[str, object]:
    """Our status line, as claude's settings have it."""
    # without an interval claude would not run it while a Stop hook does
    command = f"{shlex.quote(ccc)} statusline"
    return {"type": "command", "command": command, "refreshInterval": 2}


def is_our_status_line(value: object) -> bool:
    """Whether a status line is that of ccc, wherever that ccc was installed."""
    command = value.get("command") if isinstance(value, dict) else None
    return isinstance(command, str) and bool(_OUR_STATUS.fullmatch(command))


def with_status_line(text: str, value: object) -> str:
    """The settings text with this status line (none where it is None), the rest as it was."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    if not body.strip():
        return text if value is None else mark + jsontext.dump({"statusLine": value})
    if value is not None:
        return mark + jsontext.replace(body, ("statusLine",), value)
    return mark + jsontext.remove(body, ("statusLine",)) if "statusLine" in read(text) else text


def without_env(text: str, names: "Sequence[str]") -> str:
    """The settings text without these variables in its `env`, the rest as it was."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    for name in names:
        body = jsontext.remove(body, ("env", name))
    return mark + body


def _appended(body: str, settings: object, entry: dict[str, object]) -> str:
    """The text with one more group; claude takes null for an empty container."""
    assert isinstance(settings, dict)
    if settings.get("hooks", {}) is None:
        return jsontext.replace(body, ("hooks",), {"Stop": [entry]})
    if settings.get("hooks", {}).get("Stop", []) is None:
        return jsontext.replace(body, ("hooks", "Stop"), [entry])
    return jsontext.replace(body, ("hooks", "Stop", len(stop_groups(settings))), entry)


def has_hook(settings: object) -> bool:
    """Whether a Stop hook of ours is in the settings."""
    return any(True for _ in places(settings))


def read(text: str) -> dict[str, object]:
    """The settings in the text, as claude would take it: a BOM or an empty file is no error."""
    body = text.removeprefix("\ufeff")
    settings = jsontext.parse(body) if body.strip() else {}
    if not isinstance(settings, dict):
        raise WrongShape(".")
    list(places(settings))
    return settings


def understood(file: str, text: str) -> dict[str, object]:
    """The settings in the text of a file, or an error that names the place."""
    return edited(file, text, read)


def edited(file: str, text: str, edit: "Callable[[str], T]") -> "T":
    """What `edit` makes of the text of a settings file, or an error that names the place."""
    try:
        return edit(text)
    except jsontext.JsonError as error:
        raise error.told(file, "settings.hint") from None
    except WrongShape as error:
        raise CccError("settings.shape", hint="settings.hint", file=file, path=error.path) from None


def places(settings: object) -> "Iterator[tuple[str | int, ...]]":
    """The path of each Stop hook that is ours."""
    for group_number, group in enumerate(stop_groups(settings)):
        hooks = group.get("hooks", [])
        if not isinstance(hooks, list):
            raise WrongShape(f"hooks.Stop[{group_number}].hooks")
        for hook_number, hook in enumerate(hooks):
            if is_ours(hook):
                yield ("hooks", "Stop", group_number, "hooks", hook_number)


def other_stops(settings: object) -> "Iterator[dict[str, object]]":
    """The Stop hooks that are not ours."""
    for group in stop_groups(settings):
        inner = group.get("hooks")
        for hook in inner if isinstance(inner, list) else []:
            if isinstance(hook, dict) and not is_ours(hook):
                yield hook


def stop_groups(settings: object) -> "list[dict[str, object]]":
    """The groups of Stop hooks; claude takes null for none."""
    if not isinstance(settings, dict):
        raise WrongShape(".")
    hooks = {} if (found := settings.get("hooks")) is None else found
    if not isinstance(hooks, dict):
        raise WrongShape("hooks")
    groups = [] if (found := hooks.get("Stop")) is None else found
    if not isinstance(groups, list):
        raise WrongShape("hooks.Stop")
    for number, group in enumerate(groups):
        if not isinstance(group, dict):
            raise WrongShape(f"hooks.Stop[{number}]")
    return groups


def at(value: object, path: "tuple[str | int, ...]") -> object:
    """The value at the path, which must be there."""
    for step in path:
        value = value[step]  # type: ignore[index]
    return value


def merge(under: "Mapping[str, object]", over: "Mapping[str, object]") -> dict[str, object]:
    """`over` laid on `under` as claude does it: objects merged, lists joined, the rest replaced."""
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


def for_agent(
    settings: "Mapping[str, object]",
    env: "Mapping[str, str]",
    command: str,
    status: str,
    records: str,
) -> dict[str, object]:
    """The settings given to the agent's claude: the user's, the harmless env, our hooks.

    The records are the supervisor's: the agent must not edit what it is judged by. A second hook
    says that a session is still supervised: claude clears what the launch printed off the screen.
    A third one confirms /supervisor in the terminal; a claude that does not know it passes it over.
    """
    announce = {"type": "command", "command": f"{command} --announce"}
    confirm = {"type": "command", "command": f"{command} --confirm"}
    ours: dict[str, object] = {
        "permissions": {"deny": [denied_below(records)]},
        "hooks": {
            "SessionStart": [{"hooks": [announce]}],
            "UserPromptExpansion": [{"matcher": "|".join(slash.NAMES), "hooks": [confirm]}],
        },
    }
    text = jsontext.dump(_with_env(merge(settings, ours), env))
    with_ours = jsontext.parse(with_hook(text, command, status))
    assert isinstance(with_ours, dict)
    return with_ours


def for_reviewer(
    settings: "Mapping[str, object]",
    env: "Mapping[str, str]",
    sandbox: bool = True,
    beyond: "Sequence[str]" = (),
) -> dict[str, object]:
    """The same settings without any hooks, and with what makes a reviewer read-only.

    `beyond` are directories outside of the project that the agent may change: the rest of a
    repository, or what `--add-dir` names.
    """
    kept = {key: value for key, value in settings.items() if key != "hooks"}
    users = kept.get("permissions")
    own = users if isinstance(users, dict) else {}
    read_only: dict[str, object] = {
        "disableAllHooks": True,
        "permissions": _permissions(own, beyond),
        **({"sandbox": {**_network(kept), **_SANDBOX}} if sandbox else {}),
    }
    return {**_with_env(kept, env), **read_only}


def denied_below(directory: str) -> str:
    """The rule that forbids to change anything below an absolute directory."""
    return f"Edit(/{directory}/**)"


def leaves_out(sandbox: "Mapping[str, object]", command: str) -> bool:
    """Whether the settings of claude's sandbox let the command run outside of it."""
    listed = sandbox.get("excludedCommands")
    rules = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    patterns = (re.escape(rule.replace(":*", " *")).replace(r"\*", ".*") for rule in rules)
    return any(re.fullmatch(pattern, command, re.DOTALL) for pattern in patterns)


def _permissions(users: "Mapping[str, object]", beyond: "Sequence[str]") -> "Mapping[str, object]":
    """What a reviewer may do: of the user's own rules those that allow something don't count."""
    ask = {"ask": users["ask"]} if "ask" in users else {}
    own = denied if isinstance(denied := users.get("deny"), list) else []
    return {**ask, **_PERMISSIONS, "deny": [*own, *DENIED, *map(denied_below, beyond)]}


def _network(settings: "Mapping[str, object]") -> dict[str, object]:
    """Of the user's sandbox only where it may connect: other exceptions are not the reviewer's."""
    own = settings.get("sandbox")
    return {"network": own["network"]} if isinstance(own, dict) and "network" in own else {}


def _with_env(settings: "Mapping[str, object]", env: "Mapping[str, str]") -> dict[str, object]:
    return {**({"env": dict(env)} if env else {}), **settings}
