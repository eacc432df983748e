"""A checksum at the end of a session's state: whoever changes it without ccc is noticed.

It is no secret: it stops the plain edit of a file, not somebody who has read this one. Without
any import, as the hook looks at it at every stop.
"""

NAME = "seal"
_MARK = f',\n  "{NAME}": '
_PRIME = 1_000_000_000_000_000_003


def put_on(text: str) -> str:
    """The text of a JSON object with its seal as the last member."""
    body = text.rstrip().removesuffix("}").rstrip()
    return f"{body}{_MARK}{checksum(as_bytes(body))}\n}}\n"


def is_whole(text: bytes) -> bool:
    """Whether nobody but ccc changed it."""
    body, mark, rest = text.rpartition(_MARK.encode())
    return bool(mark) and rest == b"%d\n}\n" % checksum(body)


def as_bytes(text: str) -> bytes:
    """The text as it is sealed, whatever characters are in it."""
    return text.encode("utf-8", "surrogatepass")


def checksum(body: bytes) -> int:
    """A number that another text hardly has."""
    return int.from_bytes(body, "big") % _PRIME
