"""What the person sees of a supervised stop: on stderr, in the log, and in claude's terminal."""

import contextlib
import os
import time
from dataclasses import dataclass, field

from ccc import words
from ccc.claude.review_process import Interrupted
from ccc.supervision import outcome as outcomes
from ccc.supervision import verdict as verdicts
from ccc.supervision.review import Review
from ccc.system import terminal
from ccc.ui import formatting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ccc.project.tree import Tree
    from ccc.storage.journal import Journal
    from ccc.supervision.case import Audience, Case
    from ccc.supervision.policy import Decision
    from ccc.supervision.receipt import Receipt
    from ccc.supervision.task import Task

_SHOWN = 1_500
_KEPT_OUTPUT = 2_000
_KEPT_REQUEST = 2_000


@dataclass(slots=True)
class Recorder:
    """The record of one stop."""

    case: "Case"
    tree: "Tree"
    audience: "Audience"
    iteration: int = 0
    review: Review | None = None
    rules: str = ""
    """A checksum of checks, limits and prompt; kept once the person was told of a change."""
    notes: list[str] = field(default_factory=list)
    _task: "Task | None" = None
    _since: float = 0.0
    _reviewed_since: float = 0.0
    _output_from: int = 0
    """Where the review begins in the file of the reviewer's output."""
    _receipts: "Sequence[Receipt]" = ()

    @property
    def journal(self) -> "Journal":
        """The log and the verdicts of the session."""
        return self.case.journal

    def begun(self, task: "Task") -> None:
        """A supervised stop has begun."""
        self.iteration = self.journal.iteration = task.count
        self._task, self._since = task, time.time()
        about = _about(self.case)
        self.case.tasks.keep(
            limit=self.case.limits.max_iterations,
            request=about["request"],
            requests=about["requests"],
            model=about["agent_model"],
            stop=self._stop("checking"),
        )
        self.journal.log(
            "supervisor-hook invoked",
            max_iterations=self.case.limits.max_iterations,
            prompt_id=task.prompt_id,
            stop_hook_active=self.case.event.stop_hook_active,
        )
        self._tell(
            "begun",
            session=self.case.event.session_id,
            iteration=task.count,
            limit=self.case.limits.max_iterations,
        )

    def checking(self, command: str, before: "Sequence[Receipt]") -> None:
        """A check begins; those before it have these receipts."""
        self._receipts = before
        self.case.tasks.keep(stop=self._stop("checking", check=command))

    def reviewing(self) -> None:
        """The reviewer has been asked."""
        self._reviewed_since = time.time()
        self._output_from = self.journal.output_size()
        self.case.tasks.keep(stop=self._stop("reviewing"))
        self._tell("reviewing", file=self.journal.output_file)

    def decided(
        self,
        task: "Task",
        decision: "Decision",
        receipts: "Sequence[Receipt]",
        review: Review | None,
    ) -> None:
        """The stop is decided."""
        self.review = review
        if review and review.changed_tree:
            self.notes.append(words.say("stop.tree_changed"))
        known = self.case.state.too_large
        if large := sorted(self.tree.too_large.difference(known)):
            self.notes.append(words.say("stop.too_large", directories=", ".join(large)))
        self._tell(decision.outcome, **self._params(decision))
        self.journal.log(
            "supervisor-hook decided",
            allowed=decision.allowed,
            outcome=decision.outcome,
            cost_usd=round(review.cost_usd, 6) if review else 0,
            **({"cost_source": review.cost_source} if review else {}),
            seconds=round(review.seconds, 1) if review else 0,
            **({"detail": decision.detail} if decision.detail else {}),
        )
        if receipts or review or outcomes.of(decision.outcome).is_limit:
            verdict = verdicts.record(review.verdict) if review and review.verdict else {}
            said = verdict or {"completed": None, "feedback": decision.feedback}
            judged = {"outcome": decision.outcome, "allowed": decision.allowed, **said}
            size = self.tree.size(self.case.state.start_head)
            self._write(task, judged, receipts, review or Review(), size)
        ended = {"outcome": decision.outcome, "decided_at": time.time(), "rules": self.rules}
        ended |= {"too_large": (*known, *large)} if large else {}
        finished = {"finished": task.prompt_id} if decision.outcome == "completed" else {}
        self.case.tasks.keep(stop={}, **ended, **finished)

    @contextlib.contextmanager
    def noting_interruptions(self) -> "Iterator[None]":
        """A stop that the person interrupts is on record, as far as it got."""
        try:
            yield
        except (Interrupted, KeyboardInterrupt):
            if self._task is not None:
                self._interrupted(self._task)
            raise

    def _interrupted(self, task: "Task") -> None:
        # claude kills a hook soon after Esc: there is no time to measure the work
        since = self._reviewed_since
        review = Review(seconds=time.time() - since if since else 0.0)
        judged = {
            "outcome": outcomes.INTERRUPTED,
            "allowed": True,
            "completed": None,
            "feedback": "",
        }
        self._write(task, judged, tuple(self._receipts), review, None)
        self.case.tasks.keep(stop={}, outcome=outcomes.INTERRUPTED, decided_at=time.time())

    def _stop(self, phase: str, check: str = "") -> dict[str, object]:
        """What the state says of the stop while it is under way."""
        return {
            "phase": phase,
            "check": check,
            "since": time.time(),
            "begun": self._since,
            "iteration": self.iteration,
            "pid": os.getpid(),
            "prompt_id": self.case.event.prompt_id,
            "receipts": [_receipt(r) for r in self._receipts],
        }

    def _write(
        self,
        task: "Task",
        judged: "Mapping[str, object]",
        receipts: "Sequence[Receipt]",
        review: Review,
        size: "Mapping[str, int] | None",
    ) -> None:
        output = [self._output_from, self.journal.output_size()] if self._reviewed_since else None
        self.journal.verdict(
            {
                "iteration": task.count,
                "prompt_id": task.prompt_id,
                **judged,
                "failure": review.failure,
                "cost_usd": review.cost_usd,
                "cost_source": review.cost_source,
                "tokens": dict(review.tokens),
                "seconds": round(review.seconds, 3),
                "changed_tree": review.changed_tree,
                **_about(self.case),
                "limit": self.case.limits.max_iterations,
                "task_started": task.started,
                "stopped_at": self._since,
                "diff": size,
                "output": output,
                "receipts": [{**_receipt(r), "output": r.output[-_KEPT_OUTPUT:]} for r in receipts],
            }
        )

    def message(self, decision: "Decision", log: str) -> str:
        """What claude's terminal shows the person."""
        params = self._params(decision)
        for name in ("feedback", "detail"):
            params[name] = self._cut(str(params[name]))
        told = words.say(f"stop.{decision.outcome}", **params, log=log)
        if self.journal.problem:
            self.notes.append(words.say("stop.not_recorded", problem=self.journal.problem))
        return terminal.plain("\n".join([told, *self.notes]))

    def _cut(self, text: str) -> str:
        """As much as the terminal shows; the whole is on record."""
        if len(text) <= _SHOWN:
            return text
        return text[:_SHOWN] + "… " + words.say("stop.cut", file=self.journal.verdicts_file)

    def _params(self, decision: "Decision") -> dict[str, object]:
        took = f"{self.review.seconds:.0f}" if self.review else "0"
        review = self.review
        cost = formatting.money(review.cost_usd, review.cost_source) if review else "$0"
        return {
            "iteration": self.iteration,
            "limit": self.case.limits.max_iterations,
            "feedback": decision.feedback,
            "detail": decision.detail,
            "seconds": took,
            "cost": cost,
            "rounds": words.count("rounds", self.case.limits.max_iterations),
            "checks": formatting.checks_at_limit(decision.receipts),
        }

    def _tell(self, message: str, **params: object) -> None:
        text = words.say(self.audience.voice + message, **params)
        self.audience.show(message, text)
        self.journal.note(terminal.plain(text))


def _about(case: "Case") -> "dict[str, Any]":
    """What the records say of a stop beside its result."""
    plain = [terminal.plain(request)[:_KEPT_REQUEST] for request in case.requests]
    model = case.conversation.model
    return {
        "request": plain[0] if plain else "",
        "requests": plain,
        "task": case.began,
        "agent_model": model,
        "provider": case.limits.provider or case.state.provider,
        "model": case.limits.model or model,
    }


def _receipt(receipt: "Receipt") -> dict[str, object]:
    return {
        "command": receipt.command,
        "exit_code": receipt.exit_code,
        "seconds": round(receipt.seconds, 3),
        "head": receipt.head,
        "dirty": receipt.dirty,
        "output_file": receipt.output_file,
    }
