"""The part of `dataclasses` that ccc uses. Importing the original takes longer than Python's start.

A type checker sees the original, so it checks fields, arguments and `replace`. At run time the
functions below do the same; `tests/unit/text/test_values.py` compares the two.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import asdict, dataclass, field, fields, replace
    from typing import Any

__all__ = ["asdict", "dataclass", "field", "fields", "replace"]
_MISSING = object()


class _Field:
    """A field: its name, its annotation, and its default or what makes one."""

    name: str
    type: object
    default: object = _MISSING
    factory: "Callable[[], object] | None" = None
    init = True
    repr = True

    def value(self, given: "dict[str, Any]") -> object:
        """Take the value out of the given ones, or return the default."""
        if self.name in given and self.init:
            return given.pop(self.name)
        if self.factory is not None:
            return self.factory()
        if self.default is _MISSING and self.init:
            raise TypeError(f"missing argument: {self.name}")
        return self.default


def _field(
    *, default_factory: "Callable[[], object] | None" = None, init: bool = True, repr: bool = True
) -> "Any":
    field = _Field()
    field.factory, field.init, field.repr = default_factory, init, repr
    return field


def _dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    unsafe_hash: bool = False,
) -> "Callable[[type], type]":
    def make(cls: type) -> type:
        own = [_read_field(cls, name, kind) for name, kind in cls.__annotations__.items()]
        every = (*getattr(cls, "__fields__", ()), *own)
        methods: dict[str, object] = {"__init__": _init, "__repr__": _repr}
        if eq:
            methods |= {"__eq__": _eq, "__hash__": _hash if frozen or unsafe_hash else None}
        if frozen:
            methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
        methods["__fields__"] = every
        methods["__match_args__"] = () if kw_only else tuple(f.name for f in every if f.init)
        return _rebuild(cls, methods, [field.name for field in own], slots)

    return make


def _read_field(cls: type, name: str, kind: object) -> _Field:
    default = vars(cls).get(name, _MISSING)
    field = default if isinstance(default, _Field) else _Field()
    if field is not default:
        field.default = default
    field.name, field.type = name, kind
    return field


def _rebuild(cls: type, methods: "dict[str, object]", names: "list[str]", slots: bool) -> type:
    """Make the class again, since slots can't be added later and defaults are in their way."""
    leave_out = {*names, "__dict__", "__weakref__"}
    body = {name: value for name, value in vars(cls).items() if name not in leave_out}
    body |= {"__qualname__": cls.__qualname__} | ({"__slots__": tuple(names)} if slots else {})
    return type(cls)(cls.__name__, cls.__bases__, {**methods, **body})


def _init(self: "Any", *values: object, **named: object) -> None:
    given = dict(zip(self.__match_args__, values, strict=False))
    if len(given) < len(values) or given.keys() & named.keys():
        raise TypeError(f"{type(self).__name__}: too many arguments")
    given |= named
    for field in self.__fields__:
        if (value := field.value(given)) is not _MISSING:
            object.__setattr__(self, field.name, value)
    if given:
        raise TypeError(f"{type(self).__name__}: unexpected arguments: {', '.join(given)}")
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _contents(value: "Any") -> tuple[object, ...]:
    return tuple(getattr(value, field.name) for field in value.__fields__)


def _repr(self: "Any") -> str:
    shown = (field.name for field in self.__fields__ if field.repr)
    pairs = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({pairs})"


def _eq(self: object, other: object) -> object:
    if type(self) is not type(other):
        return NotImplemented
    return _contents(self) == _contents(other)


def _hash(self: object) -> int:
    return hash(_contents(self))


def _refuse(self: object, name: str, *value: object) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} can't be changed")


def _fields(of: "Any") -> "tuple[_Field, ...]":
    return tuple(of.__fields__)


def _replace(value: "Any", /, **changes: object) -> "Any":
    before = {field.name: getattr(value, field.name) for field in value.__fields__ if field.init}
    return type(value)(**{**before, **changes})


def _asdict(value: "Any") -> "dict[str, Any]":
    return {field.name: _plain(getattr(value, field.name)) for field in value.__fields__}


def _plain(value: object) -> object:
    if hasattr(value, "__fields__"):
        return _asdict(value)
    if isinstance(value, list | tuple):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


if not TYPE_CHECKING:
    asdict, dataclass, field, fields, replace = _asdict, _dataclass, _field, _fields, _replace
