"""Tokens by name, as claude counts them: added up, and how much of them was cached."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def added(counts: "Iterable[Mapping[str, int]]") -> dict[str, int]:
    """The sum of all the counts, name by name."""
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total


def cached_share(tokens: "Mapping[str, int]") -> float | None:
    """The share of what was sent that the prompt cache served; None where nothing was sent."""
    sent = [tokens.get(name, 0) for name in ("cache_read", "input", "cache_creation")]
    return sent[0] / sum(sent) if sum(sent) else None
