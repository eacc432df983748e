"""Read layers of settings and single values, with errors that name the file and the key.

A layer is the base template, a provider's entry or a --settings file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ccc.claude.formats.settings import WrongShape, has_hook
from ccc.config import prices
from ccc.config.prices import Rates
from ccc.errors import CccError
from ccc.text import jsontext
from ccc.text.jsontext import Decimal
from ccc.text.names import is_argument


@dataclass(frozen=True, slots=True)
class Secret:
    """A value kept outside the file: the output of a command, or one of the user's variables."""

    where: str
    command: tuple[str, ...] = ()
    variable: str = ""


Value = str | Secret | None
"""A value in `env`. None removes a variable that the base template sets."""


@dataclass(frozen=True, slots=True)
class Layer:
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


class Reader:
    """Checks and converts the values of one file. `path` is the path of the key."""

    def __init__(self, file: str) -> None:
        self.file = file

    def mapping(self, raw: object, path: str) -> Mapping[str, object]:
        """Return the value if it is an object."""
        if not isinstance(raw, dict):
            raise self.wrong("config.not_object", path)
        return raw

    def string(self, raw: object, path: str) -> str:
        """Return the value if it is a string."""
        if not is_argument(raw):
            raise self.wrong("config.not_string", path)
        return raw

    def strings(self, raw: object, path: str, wrong: str = "config.not_strings") -> tuple[str, ...]:
        """Return the value if it is a list of strings."""
        if not isinstance(raw, list) or not all(map(is_argument, raw)):
            raise self.wrong(wrong, path)
        return tuple(raw)

    def integer(self, raw: object, path: str, least: int, most: int) -> int:
        """Return the value if it is an integer within the bounds."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            raise self.wrong("config.not_whole", path, least=least, most=most)
        return raw

    def number(self, raw: object, path: str, least: float, most: float) -> float:
        """Return the value if it is a number within the bounds."""
        if isinstance(raw, bool) or not isinstance(raw, int | float) or not least <= raw <= most:
            raise self.wrong("config.not_number", path, least=least, most=most)
        return float(raw)

    def boolean(self, raw: object, path: str) -> bool:
        """Return the value if it is true or false."""
        if not isinstance(raw, bool):
            raise self.wrong("config.not_truth", path)
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


class LayerReader(Reader):
    """Reads layers."""

    def provider(self, raw: object, path: str) -> Layer:
        """Read a provider's entry."""
        entry = dict(self.mapping(raw, path))
        if "prices" not in entry:
            return self.layer(entry, path)
        # not at the top: a launch needs no prices
        given = prices.parse(self, entry.pop("prices"), f"{path}.prices")
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
