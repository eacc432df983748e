"""Shows a run's events on the screen: the agent's stream, the checks, the review."""

import time
from collections.abc import Callable
from typing import Any

from rich.text import Text

from ccc import words
from ccc.claude.formats import stream, usage_limit
from ccc.claude.formats.usage_limit import Retry
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence, Receipt
from ccc.run.screen import Screen
from ccc.storage.journal import Journal
from ccc.supervision import verdict
from ccc.supervision.policy import Decision
from ccc.supervision.recorder import Audience
from ccc.supervision.verdict import Review
from ccc.ui import formatting, run_lines
from ccc.ui.run_lines import AGENT, REVIEWER, Renderer

# messages which show that claude continues after an error
_WORK = ("stream_event", "assistant", "user", "result")
# measured: claude reports an error without an HTTP status (connection refused) as "unknown"
_CAUSES = {
    "unknown": "run.cause_no_connection",
    "429": "run.cause_429",
    "529": "run.cause_529",
    "": "run.cause_unknown",
}


class Feed:
    """Shows each event of a run, and keeps track of the current activity."""

    def __init__(self, screen: Screen, journal: Journal, is_printed: Callable[[str], bool]) -> None:
        self.activity = ""
        self.was_check_cut = False
        """Whether the last check was cut off."""
        self._screen = screen
        self._journal = journal
        self._is_printed = is_printed
        self._tools = {AGENT: stream.OpenCalls(), REVIEWER: stream.OpenCalls()}
        self._retry: Retry | None = None
        """The retry that claude waits for, until `_retry_at`."""
        self._retry_at = 0.0

    def describe(self) -> str:
        """Describe the current activity: claude waiting for a retry, or the phase of the run."""
        left = self._retry_at - time.monotonic()
        return describe_retry(self._retry, left) or self.activity

    def record_line(self, line: str) -> None:
        """Record a line of the agent's stream, and print it if the user asked for the stream."""
        self._journal.agent(line)
        if self._is_printed(line):
            self._screen.print(line)

    def record_malformed(self, line: str) -> None:
        """Record a line of the agent's stream that can't be parsed."""
        self._journal.log("agent line malformed", line=line[:200])

    def show_agent(self, message: dict[str, Any]) -> None:
        """Show a message from the agent's stream."""
        if stream.begins(message):
            self._screen.end_message()
        if retry := usage_limit.parse_retry(message):
            self._retry, self._retry_at = retry, time.monotonic() + retry.seconds
            if not self._screen.is_live and not retry.is_last:
                self._screen.tell(f"[ccc] {self.describe()}")
        elif message.get("type") in _WORK:
            self._retry = None
        self._show_tools(AGENT, message)

    def audience(self, note_cost: Callable[[Cost], None]) -> Audience:
        """Return the audience for judging a stop; `note_cost` gets what the review has cost."""

        def on_message(message: dict[str, Any], cost: Cost) -> None:
            note_cost(cost)
            self._show_tools(REVIEWER, message)

        return Audience(
            is_run=True,
            show=self._show_round,
            # the verdict is shown separately
            on_text=lambda text: self._screen.show(
                Renderer.say, REVIEWER, verdict.without(text).strip()
            ),
            on_message=on_message,
            on_check=self._show_check,
            on_evidence=self._show_evidence,
        )

    def show_decision(self, decision: Decision, review: Review | None) -> None:
        """Show the decision of the reviewer, or of a check before the review."""
        if decision.outcome not in ("completed", "not_completed"):
            return
        if review is None:
            self._screen.show(Renderer.sent_back_by_check)
            return
        cost = formatting.money(review.cost.usd, review.cost.source)
        facts = run_lines.facts(review.seconds, review.tokens, cost)
        self._screen.show(Renderer.verdict, decision.outcome, decision.feedback, facts)

    def _show_tools(self, who: str, message: dict[str, Any]) -> None:
        for name, given in stream.calls(message):
            self._screen.show(Renderer.call, who, name, given)
        for name, text, failed in self._tools[who].results(message):
            self._screen.show(Renderer.result, who, name, text, failed=failed)

    def _show_round(self, title: str) -> None:
        # the agent's own cost can end a run before its first round
        if self._journal.round:
            self._screen.show(lambda lines: [Text(), lines.heading(title)])

    def _show_check(self, command: str) -> None:
        self.activity = words.say("usage.about", what=words.say("run.who_check"), value=command)

    def _show_evidence(self, evidence: Evidence) -> None:
        self.activity = words.say("run.doing_review")
        self.was_check_cut = isinstance(evidence, Receipt) and evidence.exit_code is None
        self._screen.show(Renderer.check, evidence)


def describe_retry(retry: Retry | None, left: float) -> str:
    """Describe the error and when claude retries; "" if it isn't waiting."""
    if retry is None:
        return ""
    cause = words.say(_CAUSES.get(retry.cause, "run.cause"), status=retry.cause)
    name = "run.retry" if left > 0 else "run.retry_now"
    numbers = {"attempt": retry.attempt, "most": retry.most}
    return words.say(name, cause=cause, seconds=f"{left:.0f}", **numbers)
