"""A checksum over a session's state: whoever changes it without ccc is noticed.

It is no secret: it stops the plain edit of a file, not somebody who has read this one.
"""

import json
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "seal"


def of(state: "Mapping[str, object]") -> int:
    """The seal that belongs to these values, however they are written."""
    sealed = {name: value for name, value in state.items() if name != NAME}
    return zlib.crc32(json.dumps(sealed, sort_keys=True).encode())


def is_whole(state: "Mapping[str, object]") -> bool:
    """Whether nobody but ccc changed them; a state of before supervision could be off has none."""
    return "enabled" not in state or state.get(NAME) == of(state)
