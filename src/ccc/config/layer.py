"""Read layers of settings and single values, with errors that name the file and the key.

A layer is the base template, a provider's entry or a --settings file.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ccc.claude.formats.settings import WrongShape, has_hook
from ccc.errors import CccError
from ccc.text import jsontext
from ccc.text.jsontext import Decimal
from ccc.text.names import is_argument

Text = Annotated[str, Meta(pattern=r"\A[^\0\ud800-\udfff]*\Z")]  # what `is_argument` allows
Texts = tuple[Text, ...]
_Price = Annotated[float, Meta(ge=0, le=100_000)]
_REASONS: Mapping[Any, str] = {
    str: "config.not_string",
    Texts: "config.not_strings",
    bool: "config.not_truth",
    int: "config.not_whole",
    float: "config.not_number",
}


class Secret(Struct, frozen=True):
    """A value kept outside the file: the output of a command, or one of the user's variables."""

    where: str
    command: tuple[str, ...] = ()
    variable: str = ""


Value = str | Secret | None
"""A value in `env`. None removes a variable that the base template sets."""


class Rates(Struct, frozen=True):
    """US dollars per million tokens, and per thousand searches."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float
    web_search: float = 0.0


def rates(input: float, output: float, **other: float | None) -> Rates:
    """Build the rates. Without a price for the cache, cached tokens cost as much as input."""
    known = {name: price for name, price in other.items() if price is not None}
    write = known.get("cache_write", input)
    cached = {"cache_read": input, "cache_write": write, "cache_write_1h": write}
    return Rates(input=input, output=output, **cached | known)


class Layer(Struct, frozen=True):
    """A set of Claude Code settings, with its `env` kept separately."""

    env: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    prices: Mapping[str, Rates] = field(default_factory=dict)
    """The provider's prices by model. An empty name applies to all models."""


def parse_json(text: str, file: str) -> object:
    """Parse the JSON text of `file`. An error says how to fix it."""
    try:
        return jsontext.parse(text)
    except jsontext.JsonError as error:
        empty = error.reason == "json.empty"
        raise error.in_file(file, "config.set_up" if empty else error.reason) from None


def parse_layer(text: str, file: str) -> Layer:
    """Parse the settings in the text of `file` as leniently as claude does."""
    body = text.removeprefix("\ufeff")
    raw = parse_json(body, file) if body.strip() else {}
    if isinstance(raw, dict) and isinstance(env := raw.get("env"), dict):
        raw["env"] = {k: str(v).lower() if isinstance(v, bool) else v for k, v in env.items()}
    return LayerReader(file).layer(raw, "")


class LayerReader:
    """Reads layers, and the values of one file. `path` is the path of the key."""

    def __init__(self, file: str) -> None:
        self.file = file

    def value(self, kind: Any, raw: object, path: str, reason: str = "") -> Any:
        """Return the value if it is of the type, whose bounds the error names."""
        try:
            return msgspec.convert(float(raw) if isinstance(raw, Decimal) else raw, kind)
        except msgspec.ValidationError:
            [*bounds] = getattr(kind, "__metadata__", ())
            reason = reason or _REASONS.get(kind) or _REASONS[kind.__origin__]
            params = {"least": bounds[0].ge, "most": bounds[0].le} if bounds else {}
            raise self.wrong(reason, path, **params) from None

    def mapping(self, raw: object, path: str) -> Mapping[str, object]:
        """Return the value if it is an object."""
        if not isinstance(raw, dict):
            raise self.wrong("config.not_object", path)
        return raw

    def choice(self, raw: object, path: str, *choices: str) -> str:
        """Return the value if it is one of the choices."""
        if not isinstance(raw, str) or raw not in choices:
            raise self.wrong("config.not_one_of", path, choices=", ".join(choices))
        return raw

    def wrong(self, reason: str, path: str, **params: object) -> CccError:
        """Return the error for the value at the path."""
        error = CccError(
            "config.wrong", hint=reason, file=self.file, path=path or ".", reason=reason
        )
        error.params.update(params)
        return error

    def provider(self, raw: object, path: str) -> Layer:
        """Read a provider's entry."""
        entry = dict(self.mapping(raw, path))
        if "prices" not in entry:
            return self.layer(entry, path)
        given = self._prices(entry.pop("prices"), f"{path}.prices")
        return replace(self.layer(entry, path), prices=given)

    def base(self, raw: object, path: str) -> Layer:
        """Read the base template."""
        if isinstance(raw, dict) and "prices" in raw:
            raise self.wrong("config.base_prices", f"{path}.prices")
        return self.layer(raw, path)

    def layer(self, raw: object, path: str) -> Layer:
        """Read any settings."""
        settings = dict(self.mapping(raw, path))
        inside = f"{path}.env".lstrip(".")
        for key in settings:
            if key != "env" and (key.casefold() == "env" or _looks_like_variable(key)):
                raise self.wrong("config.misplaced", f"{path}.{key}".lstrip("."), inside=inside)
        env = {
            self._variable(name, inside): self._value(value, f"{inside}.{name}")
            for name, value in self.mapping(settings.pop("env", {}), inside).items()
        }
        try:
            has_hook(settings)
        except WrongShape as error:
            raise self.wrong("config.hooks", f"{path}.{error.path}".lstrip(".")) from None
        return Layer(env, settings)

    def _prices(self, raw: object, path: str) -> dict[str, Rates]:
        """Read the prices of all models, or of each one."""
        given = self.mapping(raw, path)
        if given and all(isinstance(value, dict) for value in given.values()):
            return {name: self._rates(each, f"{path}.{name}") for name, each in given.items()}
        return {"": self._rates(given, path)}

    def _rates(self, raw: object, path: str) -> Rates:
        given, names = self.mapping(raw, path), Rates.__struct_fields__
        if not {"input", "output"} <= given.keys() <= set(names):
            raise self.wrong("config.not_prices", path, names=", ".join(names))
        return rates(**{n: self.value(_Price, each, f"{path}.{n}") for n, each in given.items()})

    def _variable(self, name: str, path: str) -> str:
        if not name or any(c in name for c in "=,") or not is_argument(name):
            # a key may follow an equals sign; a comma separates the names in CCC_PROVIDER_ENV
            raise self.wrong("env.name", path, name=name.partition("=")[0])
        return name

    def _value(self, raw: object, path: str) -> Value:
        match raw:
            case None:
                return None
            case str() if is_argument(raw):
                return raw
            case bool():
                pass
            case int():
                return str(raw)
            case Decimal():
                return raw.text
            case {"command": [str(), *_] as words, **rest} if not rest:
                if all(map(is_argument, words)):
                    return Secret(f"{self.file}: {path}", command=tuple(words))
            case {"env": str() as name, **rest} if not rest:
                if not (name.isascii() and name.isidentifier()):
                    # it may be the key itself, which must not be shown
                    raise self.wrong("env.variable", path)
                return Secret(f"{self.file}: {path}", variable=name)
        raise self.wrong("env.value", path)


def _looks_like_variable(key: str) -> bool:
    """Return whether the key consists of words in capitals, as in ANTHROPIC_MODEL."""
    words = key.split("_")
    is_capital = key.isascii() and key == key.upper() and key[:1].isalpha()
    return is_capital and len(words) > 1 and all(map(str.isalnum, words))
