"""Answer claude's Stop event with JSON, without ever breaking the session."""

import contextlib
import json
import os
import time
from select import select
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from ccc import failure, words
from ccc.claude import host, known_claudes, review_process, settings_files, transcript_files
from ccc.claude.formats import event as events
from ccc.claude.formats.transcript import Conversation, parse_time
from ccc.config import ccc_json, projects
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.model.outcome import NOT_JUDGED, OUTCOMES
from ccc.model.state import State, Stop
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths, own_program
from ccc.supervision import switch
from ccc.supervision.judge_stop import Dialogue, judge_stop
from ccc.supervision.notifications import Notification
from ccc.supervision.on_stop import Situation
from ccc.supervision.policy import Decision
from ccc.supervision.recorder import Audience, Recorder
from ccc.supervision.session_store import SessionStore, SupervisedSession, adopt, describe
from ccc.system import private_files, spawn, terminal
from ccc.text import lenient_json
from ccc.ui import formatting

Answer = dict[str, object]  # the JSON answer to claude

_MAX_FEEDBACK = 9_000
_MAX_EVENT = 16 * 1024 * 1024
_CHUNK = 1 << 16


def supervise(session: str, state_dir: str, settings_file: str, event: bytes | None) -> NoReturn:
    """Decide the stop, answer claude and always exit with 0; reads the event if it is None."""
    try:
        stdout = _take_stdout()
        spawn.clean_up_after(review_process.Interrupted)
        where = Paths(os.environ, state_dir)
        journal = Journal(where, session)
        tasks = SessionStore(where, session, journal)
        hook = _Hook(where, session, settings_file, journal, tasks)
        answer = hook.answer(event)
        if "CLAUDECODE" not in os.environ:
            # when started by hand, the rest is on stderr
            answer = {k: v for k, v in answer.items() if k in ("decision", "reason")}
        if answer:
            _write(stdout, json.dumps(answer, ensure_ascii=False))
        if hook.notification and hook.config:
            hook.notification.run_command(hook.config, where)
        if hook.supervised:
            judged, ccc = hook.supervised, own_program()
            known_claudes.learn(where, judged.program, ccc, os.environ, config=judged.config)
    finally:
        # don't wait for the thread that may still be importing the SDK
        os._exit(0)


def read_event(seconds: float | None = None) -> bytes:
    """Read the hook's input: one JSON object, or a byte more than claude ever sends.

    Some clients leave stdin open. `seconds` is how long to wait for one that writes nothing.
    """
    data = bytearray()
    while len(data) <= _MAX_EVENT and select([0], [], [], seconds)[0]:
        chunk = os.read(0, _CHUNK)
        data += chunk
        if not chunk:
            break
        # a whole object is usually at the end of what a client has written at once
        is_end = len(chunk) < _CHUNK and chunk.rstrip().endswith(b"}")
        if is_end and lenient_json.parse_object(data.decode("utf-8", "replace")) is not None:
            break
    return bytes(data)


def _take_stdout() -> int:
    """Reserve stdout for the answer: no child may write to it or hold it open."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # if it is closed, the next file to be opened would get its number
            os.open(os.devnull, os.O_RDWR)
    stdout = os.dup(1)
    os.dup2(2, 1)
    return stdout


def _write(file: int, text: str) -> None:
    with contextlib.suppress(OSError), open(file, "wb", closefd=False) as stdout:
        stdout.write(text.encode("utf-8", "replace"))


class _Hook(Struct):
    where: Paths
    session: str
    settings_file: str
    journal: Journal
    tasks: SessionStore
    config: Config | None = None
    notification: Notification | None = None
    supervised: SupervisedSession | None = None

    def answer(self, event: bytes | None) -> Answer:
        """Return the answer to claude; if ccc fails, the stop is allowed."""
        try:
            words.use(os.environ)
            self.config = ccc_json.read(self.where)
            words.use(os.environ, self.config.language)
            self.journal.trim()
            return self._judge(self.config, _parse_event(event))
        except (review_process.Interrupted, KeyboardInterrupt):
            spawn.end_all()
            self.journal.log("supervisor-hook interrupted")
            self.tasks.keep(stop=Stop())
            return {}
        except BaseException as error:
            spawn.end_all()
            return self._fail(error)

    def _judge(self, config: Config, event: events.StopEvent) -> Answer:
        state = self.tasks.claim(event.prompt_id)
        if state is None:
            return {}
        self.journal.round = state.task.count
        if self.tasks.problem:
            return _allow(self.tasks.problem)
        since = max(state.decided_at, state.enabled_at)
        conversation = _without_run(transcript_files.wait_for(event, since), state)
        notes = self._notes(state, event.transcript_path)
        if notes is None:
            return {}
        if host.is_hook(os.environ):
            settings_files.restore_path(self.where, state)
            last_pid, state = state.pid, describe(state, os.environ)
            stored = self.tasks.update(lambda now: adopt(now, describe(now, os.environ)))
            if last_pid and stored.pid != last_pid:
                notes.append(words.say("supervisor.resumed"))
        # not the agent's current directory
        project = os.environ.get("CLAUDE_PROJECT_DIR") or event.cwd or os.getcwd()
        known = state.projects if os.path.realpath(project) == os.path.realpath(state.cwd) else {}
        config = projects.apply(config, project, known=known)
        self.supervised = SupervisedSession(
            self.tasks, state, config, project, environ=os.environ, settings_file=self.settings_file
        )
        decision, recorder = judge_stop(
            self.supervised,
            _situation(event, config, conversation),
            _dialogue(event, conversation, state),
            Audience(),
            repeats_verdicts=True,
        )
        recorder.notes[:0] = notes
        if not decision.allowed and self.tasks.is_off():
            return _allow(words.say("stop.switched_off"))
        answer = self._compose(decision, recorder)
        return self._notify(answer, decision.outcome, project)

    def _notes(self, state: State, transcript: str) -> list[str] | None:
        """Return notes about events since the last stop, or None if supervision is off."""
        notes = []
        if not state.enabled:
            if not switch.undo_switch_off(self.tasks, state, transcript):
                return None
            notes.append(words.say("stop.not_by_you"))
        if phase := state.stop.phase:
            # a review that wasn't killed would have removed the phase
            phase = formatting.phase(phase) if phase in ("checking", "reviewing") else "?"
            notes.append(words.say("stop.cut_off", phase=phase))
        return notes

    def _compose(self, decision: Decision, recorder: Recorder) -> Answer:
        """Return an answer that blocks with feedback, or one with just a message for the user."""
        message = recorder.message(decision)
        for note in recorder.notes:
            terminal.tell(note)
        if decision.allowed:
            return {"systemMessage": message}
        reason = terminal.plain(decision.feedback)
        if len(reason) > _MAX_FEEDBACK:
            # claude cuts text fields after exactly 10,000 characters
            file = self.where.feedback(self.session, recorder.round)
            try:
                private_files.write(file, reason)
            except OSError:
                file = self.where.verdicts(self.session)
            reason = reason[:_MAX_FEEDBACK] + "\n\n" + words.say("stop.cut", file=file)
        return {"decision": "block", "reason": reason, "systemMessage": message}

    def _notify(self, answer: Answer, outcome: str, project: str) -> Answer:
        """Add a notification to the answer if the task has ended and the user wants one."""
        wish = self.config.supervisor.notify if self.config else ""
        if not wish or not OUTCOMES[outcome].ends_task:
            return answer
        message = str(answer["systemMessage"])
        self.notification = Notification(
            wish, outcome, self.session, message=message, project=project
        )
        # a hook has no terminal, so claude sends the sequence
        sequence = self.notification.sequence
        return {**answer, "terminalSequence": sequence} if sequence else answer

    def _fail(self, error: BaseException) -> Answer:
        cause = str(error) if isinstance(error, CccError) else f"{type(error).__name__}: {error}"
        self.journal.log("supervisor-hook failed", cause=cause)
        failure.print_if_debugging()
        if isinstance(error, CccError):
            cause = error.explanation
        self.tasks.keep(stop=Stop(), outcome=NOT_JUDGED, decided_at=time.time())
        message = words.say("stop.not_judged", detail=cause, log=self.where.invocation_log)
        answer = _allow(message)
        project = os.environ.get("CLAUDE_PROJECT_DIR", "")
        return self._notify(answer, NOT_JUDGED, project)


def _situation(event: events.StopEvent, config: Config, conversation: Conversation) -> Situation:
    prompts, now = conversation.prompts, time.time()
    return Situation(
        event=event,
        limits=config.supervisor,
        started=parse_time(prompts.get(event.prompt_id, "")) or now,
        now=now,
        of_the_user=event.prompt_id in prompts or not prompts,
        choices=conversation.choices,
    )


def _dialogue(event: events.StopEvent, conversation: Conversation, state: State) -> Dialogue:
    first, requests = conversation.task(event.prompt_id, state.finished, state.enabled_at)
    since = conversation.requests_since(event.prompt_id, state.enabled_at)
    requests = requests or state.requests or (state.request,)
    return Dialogue(replace(conversation, requests=since), requests, first)


def _allow(message: str) -> Answer:
    terminal.tell(message)
    return {"systemMessage": terminal.plain(message)}


def _parse_event(data: bytes | None) -> events.StopEvent:
    """Parse the hook's input; reject it if it is longer than claude ever sends."""
    data = read_event() if data is None else data
    if len(data) > _MAX_EVENT:
        raise CccError("stop.no_event")
    return events.parse(data.decode("utf-8", "replace"))


def _without_run(conversation: Conversation, state: State) -> Conversation:
    """Remove the feedback of `ccc run` from the conversation; it isn't from the user."""
    run = state.run
    if run is None:
        return conversation
    return conversation.after_run(run.requests, run.saved_at, run.is_finished)
