"""ccc.json, parsed once into values that can be trusted; errors name file and key."""

import re
from dataclasses import dataclass, field, replace

from ccc.claude.formats.settings import WrongShape, has_hook
from ccc.config.values import Reader, all_strings, passable
from ccc.errors import CccError
from ccc.text import jsontext
from ccc.text.names import is_provider_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ccc.providers.prices import Rates

LANGUAGES = ("zh", "en")
SANDBOXES = ("auto", "require", "off")
LEVELS = ("sandbox", "edit", "all")
"""What an unattended agent may do."""
DEFAULT_MAX_ITERATIONS = 10
DEFAULT_TIMEOUT_SECONDS = 600.0
DEFAULT_CHECK_SECONDS = 600.0

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
_KNOWN = (
    *("settings", "providers", "current_provider", "claude_args", "supervisor", "projects"),
    *("language", "run"),
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is not in the file: the output of a command, or a variable of the user's."""

    where: str
    command: tuple[str, ...] = ()
    variable: str = ""


Value = str | Secret | None
"""What `env` may hold; None takes a variable of the base template away."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A set of Claude Code settings, with its `env` apart."""

    env: "Mapping[str, Value]" = field(default_factory=dict)
    settings: "Mapping[str, object]" = field(default_factory=dict)
    prices: "Mapping[str, Rates]" = field(default_factory=dict)
    """What the provider asks for, by model; of the empty name for all of them."""


@dataclass(frozen=True, slots=True)
class Check:
    """A command of the user's that must succeed before a stop is reviewed."""

    command: str
    timeout_seconds: float = DEFAULT_CHECK_SECONDS


@dataclass(frozen=True, slots=True)
class Supervisor:
    """How the work is supervised, and the limits."""

    max_iterations: int = DEFAULT_MAX_ITERATIONS
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    max_minutes: float = 0.0
    max_cost_usd: float = 0.0
    checks: tuple[Check, ...] = ()
    provider: str = ""
    model: str = ""
    structured_output: bool = False
    sandbox: str = "auto"
    notify: str | tuple[str, ...] = ""
    """When a task ends: `bell`, `osc9`, or a command for the shell or as a list."""


@dataclass(frozen=True, slots=True)
class Project:
    """What holds for one directory and what is below it."""

    checks: tuple[Check, ...] = ()
    provider: str = ""


@dataclass(frozen=True, slots=True)
class Unattended:
    """`run` in ccc.json: what the agent of `ccc run` may do."""

    permissions: str = ""
    """One of `LEVELS`; empty where nobody has chosen yet."""
    allow: tuple[str, ...] = ()
    """Further rules, in claude's own form."""


@dataclass(frozen=True, slots=True)
class Config:
    """What ccc.json says."""

    base: Layer
    providers: "Mapping[str, Layer]"
    current_provider: str = ""
    claude_args: tuple[str, ...] = ()
    supervisor: Supervisor = field(default_factory=Supervisor)
    projects: "Mapping[str, Project]" = field(default_factory=dict)
    language: str = ""
    run: Unattended = field(default_factory=Unattended)
    unknown_keys: tuple[str, ...] = ()

    def choose(self, name: str = "") -> str:
        """The named provider, else the current one, else the first in the file."""
        if name in self.providers:
            return name
        if not name and self.current_provider in self.providers:
            return self.current_provider
        return next(iter(self.providers))


def parse(
    text: str, file: str, reserved: "Collection[str]" = (), *, needs_provider: bool = True
) -> Config:
    """The configuration in the text of `file`; `reserved` are words that are commands."""
    found = _Reader(file).config(_value(text, file), reserved)
    if needs_provider and not found.providers:
        raise CccError("config.no_providers", hint="config.set_up", file=file)
    return found


def parse_layer(text: str, file: str) -> Layer:
    """The settings in the text of `file`, read as tolerantly as claude reads them."""
    body = text.removeprefix("\ufeff")
    raw = _value(body, file) if body.strip() else {}
    if isinstance(raw, dict) and isinstance(env := raw.get("env"), dict):
        raw["env"] = {k: str(v).lower() if isinstance(v, bool) else v for k, v in env.items()}
    return _Reader(file).layer(raw, "")


def _value(text: str, file: str) -> object:
    try:
        return jsontext.parse(text)
    except jsontext.JsonError as error:
        empty = error.reason == "json.empty"
        raise error.told(file, "config.set_up" if empty else f"{error.reason}.hint") from None


class _Reader(Reader):
    """Reads ccc.json, or one layer of settings."""

    def config(self, raw: object, reserved: "Collection[str]") -> Config:
        top = self.mapping(raw, "")
        return Config(
            base=self.base(top.get("settings", {})),
            providers=dict(self.providers(top.get("providers", {}), reserved)),
            current_provider=self.string(top.get("current_provider", ""), "current_provider"),
            claude_args=self.strings(top.get("claude_args", []), "claude_args"),
            supervisor=self.supervisor(top.get("supervisor", {}), top.get("providers")),
            projects=dict(self.projects(top.get("projects", {}), top.get("providers"))),
            language=self.language(top.get("language", "")),
            run=self.unattended(top.get("run", {})),
            unknown_keys=tuple(self.unknown(top)),
        )

    def providers(self, raw: object, reserved: "Collection[str]") -> "Iterator[tuple[str, Layer]]":
        seen: dict[str, str] = {}
        for name, value in self.mapping(raw, "providers").items():
            path = f"providers.{name}"
            if not is_provider_name(name):
                raise self.wrong("provider.name", path)
            if name in reserved:
                raise self.wrong("provider.reserved", path, name=name)
            if name.casefold().endswith("-supervisor"):
                # settings-kimi-supervisor.json is the reviewer's file of the provider kimi
                raise self.wrong("provider.suffix", path)
            if other := seen.get(name.casefold()):
                raise self.wrong("provider.twice", path, other=other)
            seen[name.casefold()] = name
            yield name, self.provider(value, path)

    def provider(self, raw: object, path: str) -> Layer:
        entry = dict(self.mapping(raw, path))
        if "prices" not in entry:
            return self.layer(entry, path)
        # only where there are some: a launch needs none
        from ccc.providers import prices

        given = prices.parse(self, entry.pop("prices"), f"{path}.prices")
        return replace(self.layer(entry, path), prices=given)

    def base(self, raw: object) -> Layer:
        if isinstance(raw, dict) and "prices" in raw:
            raise self.wrong("config.base_prices", "settings.prices")
        return self.layer(raw, "settings")

    def layer(self, raw: object, path: str) -> Layer:
        settings = dict(self.mapping(raw, path))
        inside = f"{path}.env".lstrip(".")
        for key in settings:
            if key != "env" and (key.casefold() == "env" or _VARIABLE.fullmatch(key)):
                raise self.wrong("config.misplaced", f"{path}.{key}".lstrip("."), inside=inside)
        env = {
            self.variable(name, inside): self.value(value, f"{inside}.{name}")
            for name, value in self.mapping(settings.pop("env", {}), inside).items()
        }
        try:
            has_hook(settings)
        except WrongShape as error:
            raise self.wrong("config.hooks", f"{path}.{error.path}".lstrip(".")) from None
        return Layer(env, settings)

    def variable(self, name: str, path: str) -> str:
        if not name or any(c in name for c in "=,") or not passable(name):
            # behind an equals sign there may be a key; the comma separates names in our marker
            raise self.wrong("env.name", path, name=name.partition("=")[0])
        return name

    def value(self, raw: object, path: str) -> Value:
        match raw:
            case None:
                return None
            case str() if passable(raw):
                return raw
            case bool():
                pass
            case int():
                return str(raw)
            case jsontext.Decimal():
                return raw.text
            case {"command": [str(), *_] as words, **rest} if not rest and all_strings(words):
                return Secret(f"{self.file}: {path}", command=tuple(words))
            case {"env": str() as name, **rest} if not rest:
                if not _NAME.fullmatch(name):
                    # it may be the key itself, which must not be shown
                    raise self.wrong("env.variable", path)
                return Secret(f"{self.file}: {path}", variable=name)
        raise self.wrong("env.value", path)

    def supervisor(self, raw: object, providers: object) -> Supervisor:
        said = self.mapping(raw, "supervisor")
        standard = Supervisor()

        def given(name: str) -> tuple[object, str]:
            return said.get(name, getattr(standard, name)), f"supervisor.{name}"

        judge = self.known(*given("provider"), providers)
        return Supervisor(
            max_iterations=self.whole(*given("max_iterations"), 1, 100),
            timeout_seconds=self.number(*given("timeout_seconds"), 10, 3600),
            max_minutes=self.number(*given("max_minutes"), 0, 100_000),
            max_cost_usd=self.number(*given("max_cost_usd"), 0, 100_000),
            checks=tuple(self.checks(said.get("checks", []), "supervisor.checks")),
            provider=judge,
            model=self.string(*given("model")),
            structured_output=self.truth(*given("structured_output")),
            sandbox=self.one_of(*given("sandbox"), SANDBOXES),
            notify=self.notify(*given("notify")),
        )

    def known(self, raw: object, path: str, providers: object) -> str:
        """The name of a provider of the file, or nothing."""
        name = self.string(raw, path)
        if name and (not isinstance(providers, dict) or name not in providers):
            raise self.wrong("config.no_provider", path, name=name)
        return name

    def notify(self, raw: object, path: str) -> str | tuple[str, ...]:
        if isinstance(raw, str) and passable(raw):
            return raw.strip()
        if isinstance(raw, list) and raw and all_strings(raw) and raw[0].strip():
            return tuple(raw)
        raise self.wrong("config.not_notify", path)

    def checks(self, raw: object, path: str) -> "Iterator[Check]":
        if not isinstance(raw, list):
            raise self.wrong("config.not_checks", path)
        for number, check in enumerate(raw):
            here = f"{path}[{number}]"
            match check:
                case str() if check.strip() and passable(check):
                    yield Check(check)
                case {"command": str() as command, **rest} if command.strip() and passable(command):
                    seconds = rest.pop("timeout_seconds", DEFAULT_CHECK_SECONDS)
                    if rest:
                        raise self.wrong("config.not_checks", here)
                    limit = self.number(seconds, f"{here}.timeout_seconds", 1, 3600)
                    yield Check(command, limit)
                case _:
                    raise self.wrong("config.not_checks", here)

    def projects(self, raw: object, providers: object) -> "Iterator[tuple[str, Project]]":
        for directory, value in self.mapping(raw, "projects").items():
            path = f'projects."{directory}"'
            if not directory.startswith(("/", "~")):
                raise self.wrong("config.directory", path)
            said = self.mapping(value, path)
            checks = tuple(self.checks(said.get("checks", []), f"{path}.checks"))
            provider = self.known(said.get("provider", ""), f"{path}.provider", providers)
            yield directory, Project(checks, provider)

    def unattended(self, raw: object) -> Unattended:
        said = self.mapping(raw, "run")
        level = ""
        if "permissions" in said:
            level = self.one_of(said["permissions"], "run.permissions", LEVELS)
        rules = self.strings(said.get("allow", []), "run.allow", "config.not_rules")
        if rules:
            # not at the top: a launch would pay for it
            from ccc.claude.formats.permission import is_rule
        for number, rule in enumerate(rules):
            if not is_rule(rule):
                raise self.wrong("config.not_rule", f"run.allow[{number}]")
        return Unattended(level, rules)

    def language(self, raw: object) -> str:
        name = self.string(raw, "language")
        short = name.replace("_", "-").casefold().split("-")[0]
        if name and short not in LANGUAGES:
            raise self.wrong("config.language", "language", value=name)
        return short

    def unknown(self, top: "Mapping[str, object]") -> "Iterator[str]":
        yield from (key for key in top if key not in _KNOWN)
        for key in self.mapping(top.get("supervisor", {}), "supervisor"):
            if key not in Supervisor.__slots__:
                yield f"supervisor.{key}"
        for key in self.mapping(top.get("run", {}), "run"):
            if key not in Unattended.__slots__:
                yield f"run.{key}"
        for directory, value in self.mapping(top.get("projects", {}), "projects").items():
            for key in self.mapping(value, directory):
                if key not in Project.__slots__:
                    yield f'projects."{directory}".{key}'
