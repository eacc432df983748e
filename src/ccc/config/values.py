"""Reading one file's value, so that each error can name the file and the key's path."""

from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Reader:
    """The checks of single values; `path` is the key's, for the error."""

    def __init__(self, file: str) -> None:
        self.file = file

    def mapping(self, raw: object, path: str) -> "Mapping[str, object]":
        """An object."""
        if not isinstance(raw, dict):
            raise self.wrong("config.not_object", path)
        return raw

    def string(self, raw: object, path: str) -> str:
        """A string."""
        if not isinstance(raw, str) or not passable(raw):
            raise self.wrong("config.not_string", path)
        return raw

    def strings(self, raw: object, path: str, wrong: str = "config.not_strings") -> tuple[str, ...]:
        """A list of strings."""
        if not isinstance(raw, list) or not all_strings(raw):
            raise self.wrong(wrong, path)
        return tuple(raw)

    def whole(self, raw: object, path: str, least: int, most: int) -> int:
        """A whole number between two bounds."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            raise self.wrong("config.not_whole", path, least=least, most=most)
        return raw

    def number(self, raw: object, path: str, least: float, most: float) -> float:
        """A number between two bounds."""
        if isinstance(raw, bool) or not isinstance(raw, int | float) or not least <= raw <= most:
            raise self.wrong("config.not_number", path, least=least, most=most)
        return float(raw)

    def truth(self, raw: object, path: str) -> bool:
        """True or false."""
        if not isinstance(raw, bool):
            raise self.wrong("config.not_truth", path)
        return raw

    def one_of(self, raw: object, path: str, choices: tuple[str, ...]) -> str:
        """One of the words."""
        if not isinstance(raw, str) or raw not in choices:
            raise self.wrong("config.not_one_of", path, choices=", ".join(choices))
        return raw

    def wrong(self, reason: str, path: str, **params: object) -> CccError:
        """The error for the value at the path."""
        error = CccError(
            "config.wrong", hint=f"{reason}.hint", file=self.file, path=path or ".", reason=reason
        )
        error.params.update(params)
        return error


def all_strings(values: list[object]) -> bool:
    """Whether the values are strings that a process can be given."""
    return all(isinstance(v, str) and passable(v) for v in values)


def passable(text: str) -> bool:
    """Whether a process can be given the text: no NUL, no half of a surrogate pair."""
    return not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text)
