"""Keys made unreadable in what is written down or shown: a provider's error may quote them."""

from ccc.domain import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HIDDEN = "••••••••"
# shorter values (`1`, `true`, `disabled`) are no keys, and words of every text
_SHORTEST_KEY = 10
_SHORTEST = 4


def redacted(text: str, secrets: "Iterable[str]") -> str:
    """The text with each secret in it made unreadable."""
    found = {form for secret in secrets for form in (secret, _in_json(secret))}
    for secret in sorted((s for s in found if len(s) >= _SHORTEST), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def keys_of(env: "Mapping[str, str]") -> tuple[str, ...]:
    """What of an environment must never be seen: rather too much than too little."""
    found = {key for name, value in env.items() for key in _keys(name, value)}
    return tuple(sorted(key for key in found if len(key) >= _SHORTEST_KEY))


def _keys(name: str, value: str) -> "Iterator[str]":
    if name == "ANTHROPIC_CUSTOM_HEADERS":
        for line in value.splitlines():
            header, _, content = line.partition(":")
            if environment.is_telling(header, ""):
                yield content.strip()
                yield content.strip().partition(" ")[2]
    elif "://" in value:
        # a proxy's password
        yield value.partition("://")[2].rpartition("@")[0].partition(":")[2]
    elif environment.is_telling(name, "") and not value.startswith("/"):
        # SSH_AUTH_SOCK and XAUTHORITY are paths
        yield value


def _in_json(text: str) -> str:
    """The text as it stands inside a JSON string."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
