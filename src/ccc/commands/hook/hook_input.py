"""What a client writes to a hook's stdin: one JSON object."""

import os
from select import select

from ccc.text import lenient_json

MAX_EVENT = 16 * 1024 * 1024
_CHUNK = 1 << 16


def read_event(seconds: float | None = None) -> bytes:
    """Read the hook's input: one JSON object, or a byte more than claude ever sends.

    Some clients leave stdin open. `seconds` is how long to wait for one that writes nothing.
    """
    data = bytearray()
    while len(data) <= MAX_EVENT and select([0], [], [], seconds)[0]:
        chunk = os.read(0, _CHUNK)
        data += chunk
        if not chunk:
            break
        # a whole object is usually at the end of what a client has written at once
        is_end = len(chunk) < _CHUNK and chunk.rstrip().endswith(b"}")
        if is_end and lenient_json.parse_object(data.decode("utf-8", "replace")) is not None:
            break
    return bytes(data)
