"""The result of the story, from the records, and whether it is the expected one."""

from dataclasses import dataclass

from ccc import words
from ccc.claude import transcripts
from ccc.demo.following import Lines, Stop
from ccc.providers import usage
from ccc.storage import files, sessions
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths

BY_CHECK, BY_SUPERVISOR, ALLOWED = "check ✗", "reviewer ✗", "reviewer ✓"
AS_TOLD = (BY_CHECK, BY_SUPERVISOR, ALLOWED)


@dataclass(frozen=True, slots=True)
class Summary:
    """The decided stops of the session, and the cost."""

    stops: tuple[Stop, ...] = ()
    agent_usd: float = 0.0
    has_sandbox: bool = False

    @property
    def course(self) -> tuple[str, ...]:
        """Return the outcome of each stop."""
        return tuple(map(_kind, self.stops))

    @property
    def reviews(self) -> tuple[Stop, ...]:
        """Return the stops with a review."""
        return tuple(stop for stop in self.stops if stop.is_reviewed)

    @property
    def cached_share(self) -> float:
        """Return the cached share of the reviews' prompt tokens."""
        return cached_share(*self.reviews)

    def rows(self, logs: str) -> list[tuple[str, str]]:
        """Return the lines of the summary."""
        seconds = sum(stop.record.get("seconds", 0.0) for stop in self.reviews)
        reviews_usd = sum(stop.record.get("cost_usd", 0.0) for stop in self.reviews)
        reviewed = "demo.sum_reviews_are" if self.has_sandbox else "demo.sum_reviews_bare"
        rows = {
            "demo.sum_stops": words.say(
                "demo.sum_stops_are",
                all=len(self.stops),
                by_check=self.course.count(BY_CHECK),
                by_supervisor=self.course.count(BY_SUPERVISOR),
                allowed=self.course.count(ALLOWED),
            ),
            "demo.sum_reviews": words.say(
                reviewed, count=len(self.reviews), seconds=f"{seconds:.1f}"
            ),
            "demo.sum_cost": words.say(
                "demo.sum_cost_is", agent=f"{self.agent_usd:.4f}", reviews=f"{reviews_usd:.4f}"
            ),
            "demo.sum_cached": words.say("demo.sum_cached_is", share=f"{self.cached_share:.0%}"),
            "demo.sum_logs": words.say("demo.sum_logs_are", directory=logs)
            if logs
            else words.say("demo.sum_logs_gone"),
        }
        return [(words.say(name), value) for name, value in rows.items()]


def of(where: "Paths", provider: str) -> Summary:
    """Return the summary of the only session."""
    session = next(iter(sessions.ids(where)), "")
    if not session:
        return Summary()
    lines = Lines(where.verdicts(session))
    stops = map(Stop, iter(lines.next, None))
    conversation = transcripts.read(transcripts.find(where.claude_dir, session))
    agent_usd = usage.estimate(conversation.used)
    return Summary(tuple(stops), agent_usd, has_sandbox(where, provider))


def has_sandbox(where: "Paths", provider: str) -> bool:
    """Whether the reviewer ran in claude's sandbox."""
    settings = jsontext.object_in(files.read(where.reviewer_settings(provider)) or "") or {}
    return bool(settings.get("sandbox"))


def cached_share(*reviews: Stop) -> float:
    """Return the cached share of these reviews' prompt tokens."""
    tokens = usage.add(review.record.get("tokens") or {} for review in reviews)
    return usage.cached_share(tokens) or 0.0


def _kind(stop: Stop) -> str:
    """Return the outcome of a stop; as in the record if the story has no such outcome."""
    record = stop.record
    if stop.failed_checks and not stop.is_reviewed and not record.get("allowed"):
        return BY_CHECK
    if stop.is_reviewed and record.get("outcome") == "not_completed":
        return BY_SUPERVISOR
    if stop.is_reviewed and record.get("outcome") == "completed" and record.get("allowed"):
        return ALLOWED
    return " ".join(filter(None, (str(record.get("outcome")), record.get("failure"))))
