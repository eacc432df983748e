"""The reviewer: a claude that gives a verdict, in its own workspace."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ccc import words
from ccc.claude import known_claudes, review_process
from ccc.claude.formats import stream, usage
from ccc.claude.output import ErrorLog, Output, OutputListener
from ccc.errors import CccError
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence
from ccc.model.state import Task
from ccc.providers.prices import Meter
from ccc.supervision import review_request, verdict, workspace
from ccc.supervision.recorder import Audience
from ccc.supervision.review_request import Brief
from ccc.supervision.review_setup import Preparation, Setup
from ccc.supervision.session_store import SupervisedSession
from ccc.supervision.verdict import Review
from ccc.system import private_files
from ccc.text import redaction

_FREE = Cost()


class Reviewer(Struct, frozen=True):
    """Reviews the work of one stop."""

    preparation: Preparation
    audience: Audience
    find_signals: Callable[[Sequence[Evidence]], Sequence[Evidence]]
    """Returns the signals to give to the reviewer, besides the evidence."""
    note: Callable[[str], None]  # adds a note for the user

    @property
    def session(self) -> SupervisedSession:
        """The session whose work is reviewed."""
        return self.preparation.session

    def review(self, task: Task, evidence: Sequence[Evidence]) -> Review:
        """Judge the work; a failure results in a review without a verdict."""
        preparation = self.preparation
        try:
            is_sandboxed = preparation.uses_sandbox()
            review = self._attempt(task, evidence, is_sandboxed)
            if is_sandboxed and review.sandbox_failure:
                review = self._after_failure(task, evidence, review)
        except CccError as error:
            return Review(failure=str(error))
        if preparation.client.version:
            for note in known_claudes.notes_on_review(
                self.session.where,
                self.session.program,
                preparation.client,
                uses_sandbox=self.session.limits.sandbox == "auto",
                first_request=review.first_request,
                cached_tokens=preparation.conversation.cached_tokens,
            ):
                self.note(note)
        return review

    def _after_failure(self, task: Task, evidence: Sequence[Evidence], blind: Review) -> Review:
        """Repeat a review whose commands all failed, without claude's sandbox if that is allowed.

        What the reviewer says without having seen anything is no verdict.
        """
        failure = words.say("client.blind", detail=blind.sandbox_failure)
        if self.session.limits.sandbox == "require" or blind.is_over_budget:
            return replace(blind, verdict=None, failure=failure)
        self.session.store.keep(sandbox_fails=True)
        review = self._attempt(task, evidence, is_sandboxed=False, before=blind.cost)
        self.note(words.say("client.blind_retry"))
        return replace(
            review,
            cost=blind.cost + review.cost,
            seconds=blind.seconds + review.seconds,
            tokens=usage.add([blind.tokens, review.tokens]),
            first_request=blind.first_request,
        )

    def _attempt(
        self, task: Task, evidence: Sequence[Evidence], is_sandboxed: bool, before: Cost = _FREE
    ) -> Review:
        """Hold one review, of which an earlier attempt has cost something `before`."""
        setup = self.preparation.set_up(is_sandboxed)
        brief = replace(setup.brief, earlier=task.feedback)
        started, most = time.monotonic(), self.session.limits.max_cost_usd
        meter, tree = Meter(setup.price), self.preparation.tree
        comparison = workspace.Comparison(tree, setup.added)
        watch = review_process.Watch()
        output = self._output(meter, before, watch, redaction.keys_of(setup.plan.env))

        def is_spent() -> bool:
            return bool(most) and task.cost_usd + (before + meter.so_far()).usd >= most

        def finish_brief() -> Brief:
            comparison.begin(is_sandboxed)
            return replace(brief, evidence=(*evidence, *self.find_signals(evidence)))

        try:
            failure = self._ask(setup, output, finish_brief, is_spent)
        finally:
            comparison.remove_leftovers()
        review = self._conclude(brief, output, failure)
        # must come before bill(), which resets the meter
        is_over_budget = not review.verdict and is_spent()
        if (is_changed := comparison.differs()) and comparison.kept:
            self.note(words.say("stop.tree_kept", commit=comparison.kept))
        return replace(
            review,
            is_over_budget=is_over_budget,
            cost=meter.bill(stream.usage_of(output.results, setup.used_before)),
            seconds=time.monotonic() - started,
            tree=comparison.fingerprint,
            changed_tree=is_changed,
            covers_all=not setup.added,
            first_request=watch.first_request if brief.diff is None else {},
            sandbox_failure=watch.sandbox_failure,
        )

    def _output(
        self, meter: Meter, before: Cost, watch: review_process.Watch, keys: Sequence[str]
    ) -> Output:
        journal, audience = self.session.store.journal, self.audience

        def on_message(message: dict[str, Any]) -> None:
            meter.see(message)
            watch.see(message)
            audience.on_message(message, before + meter.so_far())

        def on_malformed(line: str) -> None:
            journal.log("reviewer line malformed", line=line[:200])

        return Output(OutputListener(journal.raw, audience.on_text, on_message, on_malformed), keys)

    def _ask(
        self,
        setup: Setup,
        output: Output,
        finish_brief: Callable[[], Brief],
        is_spent: Callable[[], bool],
    ) -> str:
        """Hold the conversation; return the reason if it fails, else ""."""

        def next_question(results: list[stream.Result]) -> str:
            if not results:  # claude boots
                brief = replace(finish_brief(), workspace=directory)
                for name, text in review_request.long_requests(brief).items():
                    private_files.write(name, text)
                return review_request.request(brief)
            unclear = len(results) == 1 and not results[0].error
            is_missing = unclear and _verdict(setup.brief, results) is None
            return review_request.follow_up(setup.brief.code) if is_missing else ""

        def on_call(tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
            if is_spent():
                # asked for the verdict next, the reviewer reports its findings so far
                return review_process.OUT_OF_BUDGET
            has_gaps = setup.sandbox_has_gaps
            return review_process.answer_to_call(tool, arguments, directory, has_gaps)

        session, timeout = self.session, self.session.limits.timeout_seconds
        errors = ErrorLog(session.where.review_errors(session.store.session))
        try:
            with workspace.in_new(setup.place) as directory:
                own = dict.fromkeys(("TMPDIR", "CLAUDE_CODE_TMPDIR"), os.path.dirname(directory))
                plan = replace(setup.plan, env={**setup.plan.env, **own})
                review_process.ask(
                    plan, next_question, output, errors, timeout=timeout, on_call=on_call
                )
        except TimeoutError:
            return words.say("review.too_slow", seconds=f"{timeout:g}")
        except review_process.Failed as error:
            return ": ".join(filter(None, [str(error), errors.tail()]))
        except OSError as error:
            return str(error)
        finally:
            errors.redact(output.secrets)
        return ""

    def _conclude(self, brief: Brief, output: Output, failure: str) -> Review:
        results, model = output.answers, self.session.limits.model
        tokens = usage.add(result.tokens for result in results)
        conclusion = _verdict(brief, results)
        if conclusion:
            if not conclusion.completed and not conclusion.feedback:
                conclusion = replace(conclusion, feedback=words.say("review.no_feedback"))
            return Review(conclusion, tokens=tokens)
        error = results[-1].error if results else ""
        failure = redaction.redact(failure, output.secrets) or error
        failure = failure or words.say("review.no_verdict")
        if model and "--model" in failure:
            # claude's advice only fits a model chosen on its command line
            advice = words.say("review.model", model=model, file=self.session.where.config)
            failure = f"{failure} {advice}"
        return Review(failure=failure, tokens=tokens)


def _verdict(brief: Brief, results: list[stream.Result]) -> verdict.Verdict | None:
    """Return the verdict of the last turn, or None if it has none or failed."""
    if not results or results[-1].error:
        return None
    last, mark = results[-1], verdict.COMPLETED_MARK in brief.instructions
    structured = verdict.from_value(last.structured, brief.code)
    return structured or verdict.find(last.text, brief.code, mark=mark)
