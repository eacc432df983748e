"""Checks of single values in a file: an error names the file and the path of the key."""

from ccc.errors import CccError
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeGuard


class Reader:
    """Reads the values of one file; `path` is the path of the key."""

    def __init__(self, file: str) -> None:
        self.file = file

    def mapping(self, raw: object, path: str) -> "Mapping[str, object]":
        """An object."""
        if not isinstance(raw, dict):
            raise self.wrong("config.not_object", path)
        return raw

    def string(self, raw: object, path: str) -> str:
        """A string."""
        if not is_argument(raw):
            raise self.wrong("config.not_string", path)
        return raw

    def strings(self, raw: object, path: str, wrong: str = "config.not_strings") -> tuple[str, ...]:
        """A list of strings."""
        if not isinstance(raw, list) or not all(map(is_argument, raw)):
            raise self.wrong(wrong, path)
        return tuple(raw)

    def integer(self, raw: object, path: str, least: int, most: int) -> int:
        """An integer between two bounds."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            raise self.wrong("config.not_whole", path, least=least, most=most)
        return raw

    def number(self, raw: object, path: str, least: float, most: float) -> float:
        """A number between two bounds."""
        if isinstance(raw, bool) or not isinstance(raw, int | float) or not least <= raw <= most:
            raise self.wrong("config.not_number", path, least=least, most=most)
        return float(raw)

    def boolean(self, raw: object, path: str) -> bool:
        """True or false."""
        if not isinstance(raw, bool):
            raise self.wrong("config.not_truth", path)
        return raw

    def choice(self, raw: object, path: str, *choices: str) -> str:
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


def is_argument(raw: object) -> "TypeGuard[str]":
    """Whether it is a string that a process can get: no NUL, no half of a surrogate pair."""
    return isinstance(raw, str) and not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in raw)


def parse_json(text: str, file: str) -> object:
    """The value in the text of `file`; an error says what to do about it."""
    try:
        return jsontext.parse(text)
    except jsontext.JsonError as error:
        empty = error.reason == "json.empty"
        raise error.in_file(file, "config.set_up" if empty else f"{error.reason}.hint") from None
