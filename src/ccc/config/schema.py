"""Parse the keys of ccc.json once into trusted values. Errors name the file and the key."""

import re
from collections.abc import Callable, Collection, Mapping
from types import FunctionType
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ccc import words
from ccc.claude.formats import permission
from ccc.command_table import COMMANDS
from ccc.config.layer import Layer, LayerReader, Text, Texts, parse_json
from ccc.model.state import Task
from ccc.text.names import is_argument, is_provider_name

SANDBOXES = ("auto", "require", "off")
REQUESTS = ("webhook", "ntfy", "slack")
"""The kinds of requests with a URL of their own, `ntfy:https://…`."""
_SAFE_URL = re.compile(
    r"(https://(\[[^]]*\]|[^/?#:]+)|http://(localhost|\[::1\]|127(\.\d+){3}))"
    r"(:(?P<port>\d{1,9}))?([/?#].*)?"
)
LIMITS: Mapping[str, tuple[int, int, Callable[[Task, float], float] | None]] = {
    "max_iterations": (1, 100, None),  # a stop counts the rounds
    "max_minutes": (0, 100_000, lambda task, seconds: seconds / 60),
    "max_cost_usd": (0, 100_000, lambda task, seconds: task.cost_usd),
}
"""The keys of `supervisor` that limit a task, options of `ccc run`, too: the bounds, and how much
a task of an age in seconds has used up. The second word names the outcome."""
_Timeout = Annotated[float, Meta(ge=1, le=3600)]
SIGNAL_NAMES = (
    *("tests_deleted", "tests_skipped", "tests_emptied", "assertions_removed"),
    *("expectation_edited", "tolerance_changed", "snapshot_changed"),
    *("gate_changed", "check_suppressed", "stub", "commented_out", "error_swallowed"),
    *("expected_constant", "claim_without_run", "claim_before_edit", "claim_after_failure"),
    *("claim_by_selection", "claim_without_commit", "claim_without_change"),
    "request_without_trace",
)


class Check(Struct, frozen=True):
    """A command that must succeed before a stop is reviewed."""

    command: str
    timeout_seconds: float = 600.0
    directory: str = ""  # where a project's check runs; empty for where the session began

    @property
    def key(self) -> str:
        """The name of the check in a session's state."""
        return f"{self.command}\n{self.directory}"


class Supervisor(Struct, frozen=True):
    """`supervisor` in ccc.json: how the work is supervised, and the limits."""

    max_iterations: int = 10
    timeout_seconds: float = 600.0
    max_minutes: float = 0.0
    max_cost_usd: float = 0.0
    checks: tuple[Check, ...] = ()
    strict_signals: tuple[str, ...] = ()  # the signals that send the agent back to work
    provider: str = ""
    model: str = ""
    structured_output: bool = False
    sandbox: str = "auto"
    notify: str | tuple[str, ...] = ""
    """How to report the end of a task: `bell`, `osc9`, a command, or a URL of Apprise."""


DEFAULTS = Supervisor()


class Project(Struct, frozen=True):
    """The settings for a directory and its subdirectories."""

    checks: tuple[Check, ...] = ()
    provider: str = ""


class RunPermissions(Struct, frozen=True):
    """`run` in ccc.json: what the agent of `ccc run` may do."""

    permissions: str = ""  # one of `permission.LEVELS`; empty if not set
    allow: tuple[str, ...] = ()  # additional rules, in claude's format


class Config(Struct, frozen=True):
    """The content of ccc.json."""

    base: Layer
    providers: Mapping[str, Layer]
    current_provider: str = ""
    claude_args: tuple[str, ...] = ()
    supervisor: Supervisor = field(default_factory=Supervisor)
    projects: Mapping[str, Project] = field(default_factory=dict)
    language: str = ""
    run: RunPermissions = field(default_factory=RunPermissions)
    share_key_with_hooks: bool = False  # whether hooks and shells get the provider's key
    unknown_keys: tuple[str, ...] = ()
    roots: Mapping[str, str] = field(default_factory=dict)
    """The keys of the projects that apply (`projects.apply`), with their directories."""

    def choose(self, name: str = "") -> str:
        """Return the named provider, or else the current one, or else the first in the file."""
        if name in self.providers:
            return name
        if not name and self.current_provider in self.providers:
            return self.current_provider
        return next(iter(self.providers))


def split_request(notify: str) -> tuple[str, str]:
    """Split a notification into the kind of its request and the URL; empty for a command."""
    kind, colon, url = notify.partition(":")
    if colon and kind in REQUESTS and not url.startswith("//"):
        return kind, url.strip()
    return ("apprise", notify) if re.match(r"[A-Za-z][\w+.-]*://\S", notify) else ("", "")


def is_safe_url(url: str) -> bool:
    """Whether it is a URL whose path others can't read: https, or http on this machine."""
    is_plain = url.isascii() and url.isprintable() and not any(c in " @\\" for c in url)
    match = _SAFE_URL.fullmatch(url)
    return bool(is_plain and match and 0 < int(match["port"] or 443) < 65_536)


def parse(text: str, file: str) -> Config:
    """Parse the configuration in the text of `file`."""
    return _Reader(file).config(parse_json(text, file))


class _Reader(LayerReader):
    """Reads ccc.json."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._names: Collection[str] = ()
        self._unknown: list[str] = []

    def config(self, raw: object) -> Config:
        top = self.mapping(raw, "")
        names = top.get("providers")
        self._names = names if isinstance(names, dict) else ()
        values = {"base": Layer(), "providers": {}, **self.section(top, "", KEYS)}
        return Config(**values, unknown_keys=tuple(self._unknown))

    def section(self, raw: object, path: str, keys: "Mapping[str, _Key]") -> dict[str, Any]:
        """Read the values of an object, keyed by field name."""
        given = self.mapping(raw, path)
        paths = {key: f"{path}.{key}".lstrip(".") for key in given}
        self._unknown += [paths[key] for key in given if key not in keys]
        return {
            _FIELDS.get(key, key): self._read(keys[key], value, paths[key])
            for key, value in given.items()
            if key in keys
        }

    def _read(self, kind: "_Key", raw: object, path: str) -> object:
        is_own = isinstance(kind, FunctionType)
        return kind(self, raw, path) if is_own else self.value(kind, raw, path)

    def providers(self, raw: object, path: str) -> dict[str, Layer]:
        seen: dict[str, str] = {}
        layers = {}
        for name, value in self.mapping(raw, path).items():
            here = f"{path}.{name}"
            if not is_provider_name(name):
                raise self.wrong("provider.name", here)
            if name in COMMANDS:
                raise self.wrong("provider.reserved", here, name=name)
            if name.casefold().endswith("-supervisor"):
                # settings-kimi-supervisor.json is the reviewer's file for the provider kimi
                raise self.wrong("provider.suffix", here)
            if other := seen.get(name.casefold()):
                raise self.wrong("provider.twice", here, other=other)
            seen[name.casefold()] = name
            layers[name] = self.provider(value, here)
        return layers

    def provider_name(self, raw: object, path: str) -> str:
        """Return the value if it is empty or names a provider in the file."""
        name: str = self.value(Text, raw, path)
        if name and name not in self._names:
            raise self.wrong("config.no_provider", path, name=name)
        return name

    def notify(self, raw: object, path: str) -> str | tuple[str, ...]:
        if is_argument(raw):
            kind, url = split_request(raw.strip())
            if kind in REQUESTS and not is_safe_url(url):
                raise self.wrong("config.notify_url", path, kind=kind)
            return raw.strip()
        words: tuple[str, ...] = self.value(Texts, raw, path, "config.not_notify")
        if not words or not words[0].strip():
            raise self.wrong("config.not_notify", path)
        return words

    def checks(self, raw: object, path: str) -> tuple[Check, ...]:
        if not isinstance(raw, list):
            raise self.wrong("config.not_checks", path)
        return tuple(self.check(each, f"{path}[{number}]") for number, each in enumerate(raw))

    def check(self, raw: object, path: str) -> Check:
        match raw if isinstance(raw, dict) else {"command": raw}:
            case {"command": command, **rest} if is_argument(command) and command.strip():
                seconds = rest.pop("timeout_seconds", Check("").timeout_seconds)
                if not rest:
                    return Check(command, self.value(_Timeout, seconds, f"{path}.timeout_seconds"))
        raise self.wrong("config.not_checks", path)

    def signals(self, raw: object, path: str) -> tuple[str, ...]:
        names = enumerate(self.value(Texts, raw, path))
        return tuple(self.choice(each, f"{path}[{n}]", *SIGNAL_NAMES) for n, each in names)

    def projects(self, raw: object, path: str) -> dict[str, Project]:
        projects = {}
        for directory, value in self.mapping(raw, path).items():
            here = f'{path}."{directory}"'
            if not directory.startswith(("/", "~")):
                raise self.wrong("config.directory", here)
            projects[directory] = Project(**self.section(value, here, PROJECT_KEYS))
        return projects

    def rules(self, raw: object, path: str) -> tuple[str, ...]:
        rules: tuple[str, ...] = self.value(Texts, raw, path, "config.not_rules")
        for number, rule in enumerate(rules):
            if not permission.is_rule(rule):
                raise self.wrong("config.not_rule", f"{path}[{number}]")
        return rules

    def language(self, raw: object, path: str) -> str:
        name: str = self.value(Text, raw, path)
        short = name.replace("_", "-").casefold().split("-")[0]
        if name and short not in words.LANGUAGES:
            raise self.wrong("config.language", path, value=name)
        return short


_Key = Any
"""How to read a key: a type, or a function of the reader, the value and its path."""
_FIELDS = {"settings": "base"}  # the fields of `Config` whose names differ from their keys
SUPERVISOR_KEYS: Mapping[str, _Key] = {
    **{
        name: Annotated[type(getattr(DEFAULTS, name)), Meta(ge=least, le=most)]
        for name, (least, most, _) in LIMITS.items()
    },
    "timeout_seconds": Annotated[float, Meta(ge=10, le=3600)],
    "checks": _Reader.checks,
    "strict_signals": _Reader.signals,
    "provider": _Reader.provider_name,
    "model": Text,
    "structured_output": bool,
    "sandbox": lambda reader, raw, path: reader.choice(raw, path, *SANDBOXES),
    "notify": _Reader.notify,
}
PROJECT_KEYS: Mapping[str, _Key] = {
    "checks": _Reader.checks,
    "provider": _Reader.provider_name,
}
RUN_KEYS: Mapping[str, _Key] = {
    "permissions": lambda reader, raw, path: reader.choice(raw, path, *permission.LEVELS),
    "allow": _Reader.rules,
}
KEYS: Mapping[str, _Key] = {
    "settings": _Reader.base,
    "providers": _Reader.providers,
    "current_provider": Text,
    "claude_args": Texts,
    "supervisor": lambda reader, raw, path: Supervisor(
        **reader.section(raw, path, SUPERVISOR_KEYS)
    ),
    "projects": _Reader.projects,
    "language": _Reader.language,
    "run": lambda reader, raw, path: RunPermissions(**reader.section(raw, path, RUN_KEYS)),
    "share_key_with_hooks": bool,
}
