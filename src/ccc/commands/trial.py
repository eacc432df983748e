"""The supervisor phase of an unattended run: a turn of the agent, judged as the hook does it."""

import functools
from dataclasses import replace

from ccc import renderer, telling, words
from ccc.claude import stream, transcripts
from ccc.commands import judging, permitting, recording, stop, tampering
from ccc.commands.evidence import Evidence
from ccc.commands.recording import Recorder
from ccc.domain import event as events
from ccc.domain import outcome as outcomes
from ccc.domain import verdict
from ccc.domain.policy import Decision
from ccc.errors import CccError
from ccc.project import place
from ccc.project.tree import Tree
from ccc.renderer import CCC, REVIEWER
from ccc.supervisor.on_stop import on_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ccc.commands.running import Running
    from ccc.domain.config import Config
    from ccc.domain.receipt import Receipt
    from ccc.domain.review import Review
    from ccc.domain.run import Run
    from ccc.domain.task import Task
    from ccc.domain.turn import Turn


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
    config = _in_time(going)
    limits = config.supervisor
    conversation = stop.conversation_of(event)
    found = place.find(going.run.cwd, conversation.cwd, known.enabled_at, known.start_head)
    project = Tree(found.directory, without=(going.where.state_dir,))
    court = judging.Court(
        going.where,
        going.session,
        known,
        config,
        event,
        # our feedback arrives as messages of the user's; only these are the person's own
        replace(conversation, requests=going.run.requests),
        going.run.cwd,
        found,
        project,
        going.journal,
        "",
        going.environ,
        lambda text: _says(going, text),
        functools.partial(_calls, going, stream.Tools()),
    )
    recorder = Recorder(
        going.journal,
        limits,
        event,
        going.tasks.keep,
        recording.about(known, limits, conversation, known.prompt_id, going.run.requests),
        functools.partial(project.size, known.start_head),
        functools.partial(_show, going),
        "run.stop_",
    )
    recorder.notes += stop.described(found, going.run.cwd)
    recorder.rules = tampering.rules(going.where, going.config, going.run.cwd)
    recorder.notes += tampering.changed(known.rules, recorder.rules, going.where, going.journal)
    evidence = Evidence(
        going.where,
        going.session,
        config,
        going.run.cwd,
        project,
        lambda command, before: _checking(going, recorder, command, before),
        lambda receipt: _checked(going, receipt),
    )
    now = known.task_started + going.elapsed
    denials = going.run.denials
    denials = replace(denials, said=permitting.describe(denials.calls) if denials.calls else "")
    with recorder.noting_interruptions():
        decision = on_stop(
            *(event, True, known.task_started, now, limits, going.tasks, evidence, court, recorder),
            denials,
            conversation.choices,
        )
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
    note = permitting.note_for_agent(calls, going.level)
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


def _as_before(task: "Task", run: "Run") -> "Task":
    """The task as it was before the stop."""
    return replace(task, feedback=task.feedback[: run.feedbacks], feedback_key="", count=run.count)


def _with_typed(going: "Running", decision: Decision) -> Decision:
    """What was typed meanwhile is the next message where the run would end for its lack."""
    is_answerable = decision.allowed and outcomes.of(decision.outcome).answerable
    if is_answerable and (text := going.agent.take_unsaid()):
        going.screen.tell(words.say("run.goes_on"))
        return Decision(False, "not_completed", text)
    return decision


def _checking(
    going: "Running", recorder: Recorder, command: str, before: "Sequence[Receipt]"
) -> None:
    going.doing = words.say("run.doing_check", command=command)
    recorder.checking(command, before)


def _checked(going: "Running", receipt: "Receipt") -> None:
    going.doing = words.say("run.doing_review")
    going.was_cut = receipt.exit_code is None
    going.screen.check(receipt)


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
        review.seconds, review.tokens, telling.money(review.cost_usd, review.cost_source)
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
