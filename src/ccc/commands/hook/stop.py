"""A supervised stop: claude's event in, one JSON answer out; it never breaks the session."""

import json
import os
import signal
import time
from dataclasses import dataclass, replace

from ccc import words
from ccc.claude import host, review_process, transcripts
from ccc.claude.formats import event as events
from ccc.commands.hook.command import LONGEST_EVENT, read_event
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.sessions.record import moment
from ccc.storage import sessions, state
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision import run_state, tampering
from ccc.supervision.judge_stop import Audience, Case, judge_stop
from ccc.supervision.notifications import Notification
from ccc.supervision.outcome import OUTCOMES
from ccc.supervision.recorder import Recorder
from ccc.supervision.session_state import Tasks, adopt, describe
from ccc.system import private_files, spawn, terminal
from ccc.text import names
from ccc.ui import formatting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ccc.claude.formats.transcript import Conversation
    from ccc.config.schema import Config
    from ccc.supervision.policy import Decision

_LONGEST_FEEDBACK = 9_000


def supervise(session: str, state_dir: str, settings_file: str, event: bytes | None) -> "NoReturn":
    """Decide the stop, answer claude and end with 0, always; the event may have been read."""
    try:
        answer_to = _take_stdout()
        spawn.handle_end_signals(_interrupt)
        spawn.adopt_orphans()
        where = Paths(os.environ, state_dir)
        answer = _answered(where, session, settings_file, event)
        if body := answer.for_claude("CLAUDECODE" in os.environ):
            _write(answer_to, json.dumps(body, ensure_ascii=False))
        if answer.config and answer.notice:
            answer.notice.run_command(answer.config, where)
    finally:
        # the SDK may still be importing in its thread: nobody waits for that
        os._exit(0)


def _take_stdout() -> int:
    """Where the answer goes: nothing else may reach claude, and no child may hold its end open."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # closed: the next file that is opened would get the number
            os.open(os.devnull, os.O_RDWR)
    answer_to = os.dup(1)
    os.dup2(2, 1)
    return answer_to


@dataclass(frozen=True, slots=True)
class Answer:
    """What claude is told, and what the person is told where that ended the task."""

    body: "dict[str, object]"
    config: "Config | None" = None
    notice: Notification | None = None

    def for_claude(self, is_there: bool) -> "dict[str, object]":
        """What stands on stdout: by hand only the decision, stderr having said the rest."""
        shown = ("decision", "reason")
        return {k: v for k, v in self.body.items() if is_there or k in shown}

    def ending(self, config: "Config", outcome: str, session: str, cwd: str) -> "Answer":
        """The same with a notification, where one is wished for and the task has ended."""
        if not config.supervisor.notify or not OUTCOMES[outcome].ends_task:
            return self
        message = str(self.body["systemMessage"])
        notice = Notification(config.supervisor.notify, outcome, session, message, cwd)
        # a hook has no terminal: claude sends it
        more = {"terminalSequence": notice.sequence} if notice.sequence else {}
        return Answer({**self.body, **more}, config, notice)


def _answered(where: "Paths", session: str, settings_file: str, event: bytes | None) -> Answer:
    journal = Journal(where, session)
    try:
        journal.trim()
        return _decided(where, session, settings_file, journal, event)
    except (review_process.Interrupted, KeyboardInterrupt):
        spawn.end_all()
        journal.log("supervisor-hook interrupted")
        Tasks(where, session, journal).keep(stop={})
        return Answer({})
    except BaseException as error:
        spawn.end_all()
        return _failed(error, where, session, journal)


def _interrupt(number: int, frame: object) -> None:
    # nothing may disturb the clearing up
    spawn.handle_end_signals(signal.SIG_IGN)
    raise review_process.Interrupted


def _write(file: int, text: str) -> None:
    data = text.encode("utf-8", "replace")
    try:
        while data:
            data = data[os.write(file, data) :]
    except OSError:
        pass


def _failed(error: BaseException, where: "Paths", session: str, journal: Journal) -> Answer:
    """A failure of ours allows the stop, loudly."""
    cause = str(error) if isinstance(error, CccError) else f"{type(error).__name__}: {error}"
    if isinstance(error, events.NotAnEvent):
        cause = words.say("stop.no_event")
    journal.log("supervisor-hook failed", cause=cause)
    if os.environ.get("CCC_DEBUG"):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, CccError) and error.hint:
        cause += "\n" + words.say(error.hint, **error.params)
    told = words.say("stop.not_judged", detail=cause, log=where.invocation_log)
    terminal.tell(told)
    answer = Answer({"systemMessage": terminal.plain(told)})
    try:
        config = ccc_json.read(where)
    except CccError:
        return answer
    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    return answer.ending(config, "not_judged", session, project)


def _decided(
    where: "Paths", session: str, settings_file: str, journal: Journal, given: bytes | None
) -> Answer:
    words.use(os.environ)
    config = ccc_json.read(where)
    words.use(os.environ, config.language)
    event = _event(given)
    tasks = Tasks(where, session, journal)
    known = tasks.claim(event.prompt_id)
    if known is None:
        return Answer({})
    journal.iteration = known.count
    if tasks.problem:
        return _told(tasks.problem)
    conversation = _without_run(transcripts.wait_for(event), known)
    notes = _notes(known, tasks, event.transcript_path)
    if notes is None:
        return Answer({})
    if host.is_hook(os.environ):
        tampering.restore_path(where, known)
        last, known = known.pid, describe(known, os.environ)
        kept = tasks.update(lambda now: adopt(now, describe(now, os.environ)))
        if last and kept.pid != last:
            notes.append(words.say("supervisor.resumed"))
        _supervise_too(event.session_id, where, session)
    project, prompts, now = _project(event), conversation.prompts, time.time()
    began, asked = conversation.task(event.prompt_id, known.finished, known.enabled_at)
    since = conversation.requests_since(event.prompt_id, known.enabled_at)
    case = Case(
        where=where,
        session=session,
        state=known,
        config=config,
        project=project,
        event=event,
        conversation=replace(conversation, requests=since),
        requests=asked or known.requests or (known.request,),
        began=began,
        started=moment(prompts.get(event.prompt_id, "")) or now,
        now=now,
        journal=journal,
        tasks=tasks,
        environ=os.environ,
        of_the_user=event.prompt_id in prompts or not prompts,
        settings_file=settings_file,
        notes=tuple(notes),
    )
    decision, recorder = judge_stop(case, Audience())
    if not decision.allowed and tasks.is_off():
        return _told(words.say("stop.switched_off"))
    answer = Answer(_answer(decision, recorder, where, session))
    return answer.ending(config, decision.outcome, session, project)


def _without_run(conversation: "Conversation", known: state.State) -> "Conversation":
    """The conversation of a session that `ccc run` began: its feedback is not the user's."""
    run = run_state.parse(known.run)
    if run is None:
        return conversation
    return conversation.after_run(run.requests, run.saved_at, run.is_finished)


def _told(message: str) -> Answer:
    """A stop that is allowed with a word to the person."""
    terminal.tell(message)
    return Answer({"systemMessage": message})


def _notes(known: state.State, tasks: Tasks, transcript: str) -> list[str] | None:
    """What the person should know of the time since the last stop; None where it is off."""
    found = []
    if not known.enabled:
        asked = known.off_from_below
        if not asked or not tampering.undo_switch_off(tasks, asked, transcript, known.enabled_at):
            return None
        found.append(words.say("stop.not_by_you"))
    if phase := known.stop.get("phase"):
        # whoever ends a review in order finishes its record
        phase = formatting.phase(phase) if phase in ("checking", "reviewing") else "?"
        found.append(words.say("stop.cut_off", phase=phase))
    return found


def _supervise_too(session: str, where: "Paths", leader: str) -> None:
    """Let the session that claude has by now, as after /clear, be supervised when it is resumed."""
    if session == leader or not names.is_session_id(session) or sessions.load(where, session):
        return
    try:
        state.change(where, session, lambda old: replace(old, enabled=True, follows=leader))
    except CccError:
        pass  # this stop is decided all the same


def _event(given: bytes | None) -> "events.Stop":
    """The hook's input, as long as it is of a size that claude would give."""
    data = read_event() if given is None else given
    if len(data) > LONGEST_EVENT:
        raise events.NotAnEvent(f"more than {LONGEST_EVENT} bytes")
    return events.parse(data.decode("utf-8", "replace"))


def _project(event: "events.Stop") -> str:
    """The session's project, wherever the agent has changed to."""
    return os.environ.get("CLAUDE_PROJECT_DIR") or event.cwd or os.getcwd()


def _answer(
    decision: "Decision", recorder: Recorder, where: "Paths", session: str
) -> dict[str, object]:
    """What claude is told: a block with the feedback, or just a message for the person."""
    message = recorder.message(decision, where.invocation_log)
    for note in recorder.notes:
        terminal.tell(note)
    if decision.allowed:
        return {"systemMessage": message}
    reason = terminal.plain(decision.feedback)
    if len(reason) > _LONGEST_FEEDBACK:
        # claude cuts text fields at 10,000 characters, wherever that falls
        whole = where.feedback(session, recorder.round)
        try:
            _write_file(whole, reason)
        except OSError:
            whole = where.verdicts(session)
        reason = reason[:_LONGEST_FEEDBACK] + "\n\n" + words.say("stop.cut", file=whole)
    return {"decision": "block", "reason": reason, "systemMessage": message}


def _write_file(path: str, text: str) -> None:
    file = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
    with open(file, "w", encoding="utf-8", errors="replace") as whole:
        whole.write(text)
