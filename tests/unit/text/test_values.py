"""ccc's values behave like those of `dataclasses`: every test runs with both."""

import dataclasses
from typing import Any

import pytest

from ccc.text import values


@pytest.fixture(params=[values, dataclasses], ids=["ccc", "dataclasses"])
def library(request: pytest.FixtureRequest) -> Any:
    """Return ccc's module or the original."""
    return request.param


@pytest.fixture
def point(library: Any) -> Any:
    """A frozen class with a default and a factory."""

    @library.dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        names: "list[str]" = library.field(default_factory=list)

        @property
        def total(self) -> int:
            """The sum."""
            return self.x + self.y

    return Point


def test_arguments(point: Any) -> None:
    """Values come by position or by name, then from defaults; each instance has its own list."""
    value = point(1)
    assert (value.x, value.y, value.names, value.total) == (1, 2, [], 3)
    assert (point(4, y=5).y, point(4, 5, ["n"]).names) == (5, ["n"])
    value.names.append("a")
    assert point(1).names == []
    assert (point.__name__, point.__doc__, point.__module__) == ("Point", "A point.", __name__)


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), ((1, 2, [], 4), {}), ((1,), {"x": 1}), ((1,), {"z": 1})]
)
def test_wrong_arguments(point: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """A missing, surplus, repeated or unknown argument is an error."""
    with pytest.raises(TypeError):
        point(*given, **named)


def test_frozen(point: Any) -> None:
    """A frozen value can't be changed, and a slotted one has no other attributes."""
    value = point(1)
    for change in (lambda: setattr(value, "x", 2), lambda: delattr(value, "x")):
        with pytest.raises(AttributeError):
            change()
    assert value.x == 1
    assert not hasattr(value, "__dict__")


def test_comparison(library: Any, point: Any) -> None:
    """Values of one class are equal by content, and frozen ones with equal hashes."""

    @library.dataclass(frozen=True)
    class Other:
        x: int
        y: int

    assert point(1, 2, ()) == point(1, 2, ())
    assert point(1, 2, ()) != point(1, 3, ())
    assert hash(point(1, 2, ())) == hash(point(1, 2, ()))
    assert Other(1, 2) != (1, 2)
    assert Other(1, 2) != library.replace(Other(1, 2), y=3)


def test_identity(library: Any) -> None:
    """A value that can change has no hash unless it asks for one; without eq, identity counts."""

    @library.dataclass(slots=True)
    class Changing:
        x: int

    @library.dataclass(unsafe_hash=True)
    class Failure(Exception):
        kind: str

    @library.dataclass(frozen=True, eq=False)
    class Unique:
        x: int

    value = Changing(1)
    value.x = 2
    assert value == Changing(2)
    with pytest.raises(TypeError):
        hash(value)
    with pytest.raises(AttributeError):
        value.other = 1
    assert {Failure("a"), Failure("a"), Failure("b")} == {Failure("a"), Failure("b")}
    assert len({Unique(1), Unique(1)}) == 2


def test_text(library: Any, point: Any) -> None:
    """The text shows the class as it is nested, and every field that isn't hidden."""

    @library.dataclass(frozen=True, slots=True)
    class Hiding:
        url: str
        key: str = library.field(repr=False)

    assert repr(point(1)).endswith("point.<locals>.Point(x=1, y=2, names=[])")
    assert repr(Hiding("u", "secret")).endswith("Hiding(url='u')")


def test_replace(library: Any, point: Any) -> None:
    """A copy differs in the named fields; an unknown one is an error."""
    value = point(1, 2, ["a"])
    assert library.replace(value, y=3) == point(1, 3, ["a"])
    assert value.y == 2
    with pytest.raises(TypeError):
        library.replace(value, z=3)


def test_fields(library: Any, point: Any) -> None:
    """The fields have their names and annotations, also of a value, and match by position."""
    wanted = [("x", int), ("y", int), ("names", "list[str]")]
    assert [(each.name, each.type) for each in library.fields(point)] == wanted
    assert [each.name for each in library.fields(point(1))] == ["x", "y", "names"]
    match point(7, 8):
        case point(x, y):
            assert (x, y) == (7, 8)


def test_inheritance(library: Any, point: Any) -> None:
    """The fields of a base class come first."""

    @library.dataclass(frozen=True, slots=True)
    class Named(point):  # type: ignore[misc]
        name: str = ""

    value = Named(1, name="n")
    assert library.replace(value, x=5) == Named(5, 2, [], "n")
    assert (value.total, isinstance(value, point)) == (3, True)
    assert value != point(1)


def test_named_only(library: Any) -> None:
    """With kw_only, values come by name alone, and a field without default may come last."""

    @library.dataclass(frozen=True, slots=True, kw_only=True)
    class Options:
        color: str = "red"
        size: int

    assert (Options(size=1).color, Options(size=1).size) == ("red", 1)
    with pytest.raises(TypeError):
        Options("red", 1)


def test_derived_field(library: Any) -> None:
    """A field without init is no argument; the class computes it afterwards."""

    @library.dataclass(slots=True)
    class Square:
        side: int
        area: int = library.field(init=False)
        marks: "list[int]" = library.field(init=False, default_factory=list)

        def __post_init__(self) -> None:
            self.area = self.side**2

    value = Square(3)
    assert (value.area, value.marks) == (9, [])
    with pytest.raises(TypeError):
        Square(3, area=9)


def test_dictionary(library: Any, point: Any) -> None:
    """Values inside lists, tuples and dictionaries become dictionaries as well."""
    inner = {"x": 1, "y": 2, "names": []}
    value = point([point(1)], (point(1), 5), {"a": point(1)})
    assert library.asdict(value) == {"x": [inner], "y": (inner, 5), "names": {"a": inner}}
