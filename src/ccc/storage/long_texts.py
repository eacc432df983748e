"""Long texts of a state: each is in a file named by its content, so that the state stays small.

The state has the beginning of the text, which is enough for those who only show it.
"""

import hashlib
from collections.abc import Callable

from ccc.text import names

LONGEST = 8_000
"""The maximum length of a text inside a state."""
_BEGIN = 2_000
_NAME = "long_text"


def split(value: object, texts: dict[str, str]) -> object:
    """Return the value with the long texts replaced, which are added to `texts` by their names."""
    match value:
        case str() if len(value) > LONGEST and names.is_argument(value):
            name = hashlib.sha256(value.encode()).hexdigest()[:16]
            texts[name] = value
            return {"begin": f"{value[:_BEGIN]}…", _NAME: name}
        case dict():
            return {key: split(each, texts) for key, each in value.items()}
        case list() | tuple():
            return [split(each, texts) for each in value]
    return value


def join(value: object, read: Callable[[str], str]) -> object:
    """Return the value with the long texts in it, which `read` returns by their names."""
    match value:
        case {"long_text": str(name)}:
            return read(name)
        case dict():
            return {key: join(each, read) for key, each in value.items()}
        case list():
            return [join(each, read) for each in value]
    return value
