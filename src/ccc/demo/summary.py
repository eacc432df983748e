"""Summarize the result of the story from the records, and check that it is the expected one."""

from ccc import words
from ccc.claude import transcript_files
from ccc.providers import usage
from ccc.sessions import record, tail
from ccc.sessions.record import Round
from ccc.storage import files, sessions
from ccc.storage.paths import Paths
from ccc.text import json_path
from ccc.text.values import dataclass

BY_CHECK, BY_REVIEWER, ALLOWED = "check ✗", "reviewer ✗", "reviewer ✓"
EXPECTED = (BY_CHECK, BY_REVIEWER, ALLOWED)
_MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Summary:
    """The rounds of the session and their cost."""

    rounds: tuple[Round, ...] = ()
    agent_usd: float = 0.0
    has_sandbox: bool = False

    @property
    def course(self) -> tuple[str, ...]:
        """Return the outcome of each stop."""
        return tuple(map(_kind, self.rounds))

    @property
    def cached_share(self) -> float:
        """Return the cached share of the reviews' prompt tokens."""
        return usage.cached_share(usage.add(each.tokens for each in self.rounds)) or 0.0

    def rows(self, logs: str) -> list[tuple[str, str]]:
        """Return the lines of the summary."""
        reviews = [each for each in self.rounds if each.tokens]
        seconds = sum(each.seconds for each in reviews)
        reviews_usd = sum(each.cost_usd for each in reviews)
        reviewed = "demo.sum_reviews_are" if self.has_sandbox else "demo.sum_reviews_bare"
        rows = {
            "demo.sum_stops": words.say(
                "demo.sum_stops_are",
                all=len(self.rounds),
                by_check=self.course.count(BY_CHECK),
                by_reviewer=self.course.count(BY_REVIEWER),
                allowed=self.course.count(ALLOWED),
            ),
            "demo.sum_reviews": words.say(reviewed, count=len(reviews), seconds=f"{seconds:.1f}"),
            "demo.sum_cost": words.say(
                "demo.sum_cost_is", agent=f"{self.agent_usd:.4f}", reviews=f"{reviews_usd:.4f}"
            ),
            "demo.sum_cached": words.say("demo.sum_cached_is", share=f"{self.cached_share:.0%}"),
            "demo.sum_logs": words.say("demo.sum_logs_are", directory=logs)
            if logs
            else words.say("demo.sum_logs_gone"),
        }
        return [(words.say(name), value) for name, value in rows.items()]


def summarize(where: Paths, provider: str) -> Summary:
    """Return the summary of the only session."""
    session = next(iter(sessions.ids(where)), "")
    if not session:
        return Summary()
    rounds = record.rounds(tail.last_lines(where.verdicts(session), _MOST_BYTES))
    conversation = transcript_files.read(transcript_files.find(where.claude_dir, session))
    settings = json_path.parse_object(files.read(where.reviewer_settings(provider)) or "") or {}
    return Summary(rounds, usage.estimate(conversation.used), bool(settings.get("sandbox")))


def _kind(each: Round) -> str:
    """Return the outcome of a stop, as recorded if the story has no such outcome."""
    if each.tokens and each.outcome == "not_completed":
        return BY_REVIEWER
    if each.tokens and each.outcome == "completed" and each.allowed:
        return ALLOWED
    if any(not receipt.passed for receipt in each.receipts) and not (each.tokens or each.allowed):
        return BY_CHECK
    return " ".join(filter(None, (each.outcome, each.failure)))
