"""The checksum of a session's state: a plain edit is noticed."""

import pytest

from ccc.domain import seal

TEXT = '{\n  "enabled": true\n}\n'


def test_the_last_member() -> None:
    """The text stays as it was, with the seal at its end."""
    sealed = seal.put_on(TEXT)
    body, _, rest = sealed.partition(',\n  "seal": ')
    assert body == '{\n  "enabled": true'
    assert rest.endswith("\n}\n")
    assert seal.is_whole(sealed.encode())


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("true", "false"),
        lambda text: text.replace('"seal": ', '"seal": 1'),
        lambda text: text + "\n",
        lambda text: text.replace("\n", ""),
        lambda text: seal.put_on(text).replace("true", "false"),
        lambda text: TEXT,
        lambda text: "",
    ],
)
def test_an_edit(edit: "object") -> None:
    """Whatever was changed, by however little."""
    assert not seal.is_whole(edit(seal.put_on(TEXT)).encode())  # type: ignore[operator]


def test_the_last_seal_counts() -> None:
    """A text that holds one already may be sealed again."""
    assert seal.is_whole(seal.put_on(seal.put_on(TEXT)).encode())


def test_half_a_character() -> None:
    """What no file can hold is sealed like anything else."""
    sealed = seal.put_on('{"a": "\ud800"}')
    assert seal.is_whole(seal.as_bytes(sealed))
