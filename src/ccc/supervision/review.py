"""What a review came to."""

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.supervision.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Review:
    """A verdict, or the cause why there is none, and what it took."""

    verdict: "Verdict | None" = None
    failure: str = ""
    cost_usd: float = 0.0
    cost_source: str = ""
    seconds: float = 0.0
    tokens: "Mapping[str, int]" = field(default_factory=dict)
    tree: str = ""
    """What the working tree was like before the review."""
    is_over_budget: bool = False
    """The money was spent before there was a verdict."""
    changed_tree: bool = False
