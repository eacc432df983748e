"""What claude's stream says about a limit: when it tries again, and when the limit ends."""

from dataclasses import dataclass

from ccc.claude.formats.stream import Message
from ccc.text import lenient_json


@dataclass(frozen=True, slots=True)
class Retry:
    """A retry by claude itself after an error."""

    seconds: float = 0.0
    attempt: int = 0
    most: int = 0
    cause: str = ""

    @property
    def is_last(self) -> bool:
        """Return whether claude would give up here if it weren't patient, so that ccc waits."""
        is_long = self.seconds > 60 or self.attempt > self.most
        return is_long and self.cause in ("429", "529")

    @property
    def is_providers(self) -> bool:
        """Return whether the provider asked for this pause: claude's own ones double from 0.6 s."""
        return self.seconds > 0.625 * 2.0 ** max(0, min(self.attempt - 1, 20))


def parse(raw: Message) -> Retry | None:
    """Parse the retry that claude announces for the agent or an awaited sub-agent, else None."""
    if (raw.get("type"), raw.get("subtype")) != ("system", "api_retry"):
        raw = lenient_json.mapping(raw, "subagent_retry")
    if not raw:
        return None
    delay, attempt, most = (raw.get(k) for k in ("retry_delay_ms", "attempt", "max_retries"))
    return Retry(
        seconds=delay / 1000 if isinstance(delay, int | float) and 0 <= delay < 1e9 else 0.0,
        attempt=attempt if isinstance(attempt, int) else 0,
        most=most if isinstance(most, int) else 0,
        cause=str(raw.get("error_status") or raw.get("error") or raw.get("error_category") or ""),
    )


def limit_end(raw: Message) -> float:
    """Return when the usage limit that was reached ends; 0 if the message doesn't say."""
    info = lenient_json.mapping(raw, "rate_limit_info")
    end = info.get("resetsAt") if info.get("status") == "rejected" else None
    return float(end) if isinstance(end, int | float) and 0 < end < 1e11 else 0.0
