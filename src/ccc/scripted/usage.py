"""Count tokens the way a provider with a prompt cache bills them."""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from ccc.scripted.request import Request, content_blocks

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Usage:
    """The token usage of one request."""

    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0

    @property
    def prompt(self) -> int:
        """All prompt tokens, cached or not."""
        return self.input_tokens + self.cache_creation_input_tokens + self.cache_read_input_tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest part of a prompt that the cache distinguishes, such as a tool or a block."""

    prefix: bytes  # a digest of the prompt up to and including it
    tokens: int
    breakpoint: bool


def units(body: Mapping[str, Any]) -> tuple[Unit, ...]:
    """Return the prompt in the order in which a provider caches it: tools, system, messages."""
    prompt: list[Unit] = []
    prefix = b""
    for place, block in _blocks(body):
        bare, marked = _split_breakpoint(block)
        text = _canonical(bare)
        prefix = hashlib.blake2b(prefix + place.encode() + b"\0" + text, digest_size=16).digest()
        prompt.append(Unit(prefix, _tokens(text), marked))
    if prompt and body.get("cache_control"):
        # On the request itself, it applies to the last block.
        prompt[-1] = replace(prompt[-1], breakpoint=True)
    return tuple(prompt)


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """Return the number of all prompt tokens of a request."""
    return sum(unit.tokens for unit in units(body))


def output_tokens(content: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of tokens in a reply's content blocks."""
    return sum(_tokens(_canonical(block)) for block in content)


def bill(prompt: Sequence[Unit], known: AbstractSet[bytes]) -> Usage:
    """Split a prompt's tokens by the prefixes that the cache holds.

    The longest known prefix is read from the cache. The rest is written up to the last
    breakpoint and is plain input after it.
    """
    written = max((n for n, unit in enumerate(prompt, 1) if unit.breakpoint), default=0)
    shared = sum(1 for _ in takewhile(lambda unit: unit.prefix in known, prompt))
    parts = prompt[max(shared, written) :], prompt[shared:written], prompt[:shared]
    return Usage(*(sum(unit.tokens for unit in part) for part in parts))


def shared_prefix(first: Request, second: Request) -> float:
    """Return the share of the first's prompt tokens that the second repeats from the start.

    With another model it is 0.
    """
    if first.model != second.model:
        return 0.0
    usage = bill(units(first.body), {unit.prefix for unit in units(second.body)})
    return usage.cache_read_input_tokens / usage.prompt if usage.prompt else 0.0


class PromptCache:
    """The prompts that a provider has cached, per model."""

    def __init__(self) -> None:
        self._known: dict[str, set[bytes]] = {}
        self._lock = threading.Lock()

    def bill(self, body: Mapping[str, Any], output_tokens: int = 0) -> Usage:
        """Return the usage of a request and cache its prompt."""
        prompt = units(body)
        with self._lock:
            known = self._known.setdefault(str(body.get("model", "")), set())
            usage = bill(prompt, known)
            known.update(unit.prefix for unit in prompt)
        return replace(usage, output_tokens=output_tokens)


def _blocks(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each block of the prompt with its location."""
    for place in ("tools", "system"):
        yield from ((place, block) for block in content_blocks(body.get(place)))
    for message in content_blocks(body.get("messages")):
        if isinstance(message, Mapping):
            for block in content_blocks(message.get("content")):
                yield f"messages {message.get('role')}", block


def _split_breakpoint(block: Any) -> tuple[Any, bool]:
    """Split off the breakpoints that the API allows, which never includes a tool's input."""
    if not isinstance(block, Mapping):
        return block, False
    marked = bool(block.get("cache_control"))
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    if bare.get("type") == "tool_result":
        inner = [_split_breakpoint(part) for part in content_blocks(bare.get("content"))]
        bare["content"] = [part for part, _ in inner]
        marked = marked or any(mark for _, mark in inner)
    return bare, marked


def _canonical(value: Any) -> bytes:
    words = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    # A lone surrogate is legal in JSON but could not be encoded otherwise.
    return words.encode("utf-8", "surrogatepass")


def _tokens(words: bytes) -> int:
    return max(1, len(words) // _BYTES_PER_TOKEN)
