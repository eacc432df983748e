"""The supervisor phase of an unattended run: a turn of the agent, judged as the hook does it."""

import functools
from dataclasses import replace

from ccc import words
from ccc.claude import transcripts
from ccc.claude.formats import event as events
from ccc.claude.formats import stream
from ccc.commands.run import permissions
from ccc.errors import CccError
from ccc.supervision import verdict
from ccc.supervision.evidence import Receipt
from ccc.supervision.judge_stop import Audience, Case, judge_stop
from ccc.supervision.outcome import OUTCOMES
from ccc.supervision.policy import Decision
from ccc.ui import formatting, renderer
from ccc.ui.renderer import CCC, REVIEWER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.commands.run.progress import Running
    from ccc.config.schema import Config
    from ccc.supervision.evidence import Evidence
    from ccc.supervision.run_state import RunState
    from ccc.supervision.task import Task
    from ccc.supervision.turn import Turn
    from ccc.supervision.verdict import Review


def judge(going: "Running", turn: "Turn") -> Decision:
    """Decide what the end of the turn leads to; what keeps us from it is no finding."""
    try:
        return _judged(going, turn)
    except CccError as error:
        return Decision(True, "not_judged", detail=str(error))


def _judged(going: "Running", turn: "Turn") -> Decision:
    going.doing = words.say("run.doing_review")
    known = going.tasks.load()
    event = _event(going, turn, known.prompt_id)
    conversation = transcripts.wait_for(event)
    denials = going.run.denials
    denials = replace(denials, said=permissions.describe(denials.calls) if denials.calls else "")
    case = Case(
        where=going.where,
        session=going.session,
        state=known,
        config=_in_time(going),
        project=going.run.cwd,
        event=replace(event, cwd=conversation.cwd),
        # our feedback arrives as messages of the user's; only these are the user's own
        conversation=replace(conversation, requests=going.run.requests),
        requests=going.run.requests,
        began=known.prompt_id,
        started=known.task_started,
        now=known.task_started + going.elapsed,
        journal=going.journal,
        tasks=going.tasks,
        environ=going.environ,
        denials=denials,
    )
    decision, recorder = judge_stop(case, _audience(going))
    _show_decision(going, decision, recorder.review)
    going.asks_permission = bool(denials.said) and decision.feedback == denials.said
    for note in recorder.notes:
        going.screen.tell_anyway(note)
    return _with_typed(going, _with_denials(going, _or_late(going, decision)))


def _with_denials(going: "Running", decision: Decision) -> Decision:
    """The decision, whose feedback tells the agent why its calls were denied."""
    calls = going.run.denials.now
    if decision.allowed or not calls:
        return decision
    note = permissions.note_for_agent(calls, going.level)
    return replace(decision, feedback=f"{decision.feedback}\n\n{note}")


def _event(going: "Running", turn: "Turn", prompt_id: str) -> events.Stop:
    """The turn as claude would tell its hook of it."""
    session = going.agent.session
    return events.Stop(
        session_id=session,
        transcript_path=transcripts.find(going.where.claude_dir, session),
        cwd=going.run.cwd,
        prompt_id=prompt_id,
        permission_mode=going.agent.permission_mode,
        effort=going.effort,
        stop_hook_active=going.run.count > 0,
        last_assistant_message=turn.text,
        is_out_of_budget=turn.spent,
    )


def _in_time(going: "Running") -> "Config":
    """The configuration with a review and checks that end when the run's time is over."""
    left = going.seconds_left()
    if left is None:
        return going.config
    limits = going.config.supervisor
    checks = tuple(
        replace(check, timeout_seconds=min(check.timeout_seconds, left)) for check in limits.checks
    )
    timeout = min(limits.timeout_seconds, left)
    return replace(going.config, supervisor=replace(limits, timeout_seconds=timeout, checks=checks))


def _or_late(going: "Running", decision: Decision) -> Decision:
    """The decision; a check or review that only the end of the time ended is that end."""
    if going.seconds_left() != 0 or not (decision.outcome == "not_judged" or going.was_cut):
        return decision
    # it is made again where the run goes on, and was no finding
    going.tasks.change(lambda task: _as_before(task, going.run))
    return Decision(True, "minutes")


def _as_before(task: "Task", run: "RunState") -> "Task":
    """The task as it was before the stop."""
    return replace(task, feedback=task.feedback[: run.feedbacks], feedback_key="", count=run.count)


def _with_typed(going: "Running", decision: Decision) -> Decision:
    """What was typed meanwhile is the next message where the run would end for its lack."""
    is_answerable = decision.allowed and OUTCOMES[decision.outcome].answerable
    if is_answerable and (text := going.agent.take_unsaid()):
        going.screen.tell(words.say("run.goes_on"))
        return Decision(False, "not_completed", text)
    return decision


def _audience(going: "Running") -> Audience:
    """The screen of the run."""
    return Audience(
        voice="run.stop_",
        show=functools.partial(_show, going),
        says=lambda text: _says(going, text),
        on_message=functools.partial(_calls, going, stream.Tools()),
        on_check=lambda command: _checking(going, command),
        on_evidence=lambda evidence: _checked(going, evidence),
    )


def _checking(going: "Running", command: str) -> None:
    going.doing = words.say("run.doing_check", command=command)


def _checked(going: "Running", evidence: "Evidence") -> None:
    going.doing = words.say("run.doing_review")
    going.was_cut = isinstance(evidence, Receipt) and evidence.exit_code is None
    going.screen.check(evidence)


def _show(going: "Running", name: str, text: str) -> None:
    """A message of the recorder's; a verdict is shown once it is known whose it is."""
    if name == "begun":
        # the agent's own cost can end a run before its first round
        if going.tasks.load().count:
            going.screen.heading(text)
    elif name not in ("reviewing", "completed", "not_completed"):
        going.screen.say(CCC, text)


def _show_decision(going: "Running", decision: Decision, review: "Review | None") -> None:
    """How the stop was decided: by the reviewer, or by a check before one was asked."""
    if decision.outcome not in ("completed", "not_completed"):
        return
    if review is None:
        going.screen.sent_back_by_check()
        return
    facts = renderer.facts(
        review.seconds, review.tokens, formatting.money(review.cost_usd, review.cost_source)
    )
    going.screen.verdict(decision.feedback, facts)


def _says(going: "Running", text: str) -> None:
    # the verdict is shown by itself
    going.screen.say(REVIEWER, verdict.without(text).strip())


def _calls(going: "Running", tools: stream.Tools, message: "dict[str, Any]") -> None:
    for name, given in stream.calls(message):
        going.screen.call(REVIEWER, name, given)
    for name, text, failed in tools.results(message):
        going.screen.result(REVIEWER, name, text, failed)
