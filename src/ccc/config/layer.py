"""A layer of Claude Code settings: the base template, a provider's entry, a --settings file."""

import re
from dataclasses import dataclass, field, replace

from ccc.claude.formats.settings import WrongShape, has_hook
from ccc.config.values import Reader, is_argument, parse_json
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.providers.prices import Rates

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is not in the file: the output of a command, or one of the user's variables."""

    where: str
    command: tuple[str, ...] = ()
    variable: str = ""


Value = str | Secret | None
"""A value of `env`; None removes a variable of the base template."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A set of Claude Code settings, with its `env` apart."""

    env: "Mapping[str, Value]" = field(default_factory=dict)
    settings: "Mapping[str, object]" = field(default_factory=dict)
    prices: "Mapping[str, Rates]" = field(default_factory=dict)
    """The provider's prices by model; an empty name stands for all models."""


def parse_layer(text: str, file: str) -> Layer:
    """The settings in the text of `file`, as tolerantly as claude reads them."""
    body = text.removeprefix("\ufeff")
    raw = parse_json(body, file) if body.strip() else {}
    if isinstance(raw, dict) and isinstance(env := raw.get("env"), dict):
        raw["env"] = {k: str(v).lower() if isinstance(v, bool) else v for k, v in env.items()}
    return LayerReader(file).layer(raw, "")


class LayerReader(Reader):
    """Reads layers."""

    def provider(self, raw: object, path: str) -> Layer:
        """A provider's entry."""
        entry = dict(self.mapping(raw, path))
        if "prices" not in entry:
            return self.layer(entry, path)
        # not at the top: a launch needs no prices
        from ccc.providers import prices

        given = prices.parse(self, entry.pop("prices"), f"{path}.prices")
        return replace(self.layer(entry, path), prices=given)

    def base(self, raw: object, path: str) -> Layer:
        """The base template."""
        if isinstance(raw, dict) and "prices" in raw:
            raise self.wrong("config.base_prices", f"{path}.prices")
        return self.layer(raw, path)

    def layer(self, raw: object, path: str) -> Layer:
        """Any settings."""
        settings = dict(self.mapping(raw, path))
        inside = f"{path}.env".lstrip(".")
        for key in settings:
            if key != "env" and (key.casefold() == "env" or _VARIABLE.fullmatch(key)):
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
            case jsontext.Decimal():
                return raw.text
            case {"command": [str(), *_] as words, **rest} if not rest:
                if all(map(is_argument, words)):
                    return Secret(f"{self.file}: {path}", command=tuple(words))
            case {"env": str() as name, **rest} if not rest:
                if not _NAME.fullmatch(name):
                    # it may be the key itself, which must not be shown
                    raise self.wrong("env.variable", path)
                return Secret(f"{self.file}: {path}", variable=name)
        raise self.wrong("env.value", path)
