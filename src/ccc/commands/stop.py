"""A supervised stop: claude's event in, one JSON answer out; it never breaks the session."""

import functools
import json
import os
import signal
import sys
import time
from dataclasses import dataclass, replace

from ccc import telling, terminal, words
from ccc.claude import process, reviewer, transcripts
from ccc.cli import COMMANDS
from ccc.commands import guarding, judging, notifying, recording
from ccc.commands.evidence import Evidence
from ccc.commands.recording import Recorder
from ccc.commands.tasks import Tasks
from ccc.domain import environment
from ccc.domain import event as events
from ccc.domain.notice import ENDINGS, Notice
from ccc.errors import CccError
from ccc.project.tree import Tree
from ccc.storage import configuration, paths, state
from ccc.storage.journal import Journal, seconds_of
from ccc.supervisor.on_stop import on_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ccc.domain.config import Config
    from ccc.domain.policy import Decision
    from ccc.domain.transcript import Conversation
    from ccc.storage.paths import Paths

_TRANSCRIPT_SECONDS = 2.0
_LONGEST_FEEDBACK = 9_000
_LONGEST_INPUT = 16 * 1024 * 1024
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def supervise(session: str, state_dir: str, settings_file: str) -> "NoReturn":
    """Decide the stop, answer claude and end with 0, always."""
    try:
        answer_to = _take_stdout()
        for number in _SIGNALS:
            signal.signal(number, _interrupt)
        process.open_lifeline()
        process.adopt_orphans()
        where = replace(paths.find(os.environ), state_dir=state_dir)
        answer = _answered(where, session, settings_file)
        if answer.body:
            _write(answer_to, json.dumps(answer.body, ensure_ascii=False))
        if answer.config and answer.notice:
            notifying.run_command(answer.notice, answer.config, where)
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
    notice: Notice | None = None

    def ending(self, config: "Config", outcome: str, session: str, cwd: str) -> "Answer":
        """The same with a notification, where one is wished for and the task has ended."""
        if not config.supervisor.notify or outcome not in ENDINGS:
            return self
        message = str(self.body["systemMessage"])
        notice = Notice(config.supervisor.notify, outcome, session, message, cwd)
        # a hook has no terminal: claude sends it
        more = {"terminalSequence": notice.sequence} if notice.sequence else {}
        return Answer({**self.body, **more}, config, notice)


def _answered(where: "Paths", session: str, settings_file: str) -> Answer:
    journal = Journal(where, session)
    try:
        journal.trim()
        return _decided(where, session, settings_file, journal)
    except (reviewer.Interrupted, KeyboardInterrupt):
        process.end_all()
        journal.log("supervisor-hook interrupted")
        Tasks(where, session, journal).keep(stop={})
        return Answer({})
    except BaseException as error:
        process.end_all()
        return _failed(error, where, session, journal)


def _interrupt(number: int, frame: object) -> None:
    for repeated in _SIGNALS:
        # nothing may disturb the clearing up
        signal.signal(repeated, signal.SIG_IGN)
    raise reviewer.Interrupted


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
    told = words.say("stop.not_judged", detail=cause, log=where.invocation_log)
    answer = Answer({"systemMessage": terminal.plain(told)})
    try:
        config = configuration.load(where, COMMANDS)
    except CccError:
        return answer
    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    return answer.ending(config, "not_judged", session, project) if config else answer


def _decided(where: "Paths", session: str, settings_file: str, journal: Journal) -> Answer:
    words.use(os.environ)
    config = configuration.load(where, COMMANDS)
    if config is None:
        raise CccError("config.missing", file=where.config)
    words.use(os.environ, config.language)
    event = events.parse(_input().decode("utf-8", "replace"))
    tasks = Tasks(where, session, journal)
    if not os.path.lexists(where.state(session)) and _is_missing_only(where.state_dir):
        raise CccError("state.gone", file=where.state(session))
    known = tasks.load()
    in_doubt = known.unconfirmed or known.meddled or bool(tasks.problem)
    if not known.enabled and not in_doubt:
        return Answer({})
    conversation = conversation_of(event)
    notes = _noticed(known, where.state(session))
    if in_doubt:
        begun_on = "on" if os.environ.get(environment.SUPERVISED) else ""
        meddled, asked = known.meddled, conversation.last_switch or begun_on
        known = tasks.settle(asked)
        if not known.enabled:
            told = words.say("stop.meddled_off", file=where.state(session))
            message = tasks.problem or (told if meddled and asked != "off" else "")
            return Answer({"systemMessage": message} if message else {})
        if tasks.problem:
            notes.append(words.say("state.corrupt_on", file=tasks.aside))
    rules = guarding.rules(where, config, _project(event))
    notes += guarding.changed(known.rules, rules, where, journal)
    tree = Tree(_project(event))
    asked = conversation.asked.get(event.prompt_id, "") or known.request
    about = recording.about(known, config.supervisor, conversation, asked)
    size = functools.partial(tree.size, known.start_head)
    recorder = Recorder(journal, config.supervisor, event, tasks.keep, about, size)
    recorder.notes += notes
    evidence = Evidence(where, session, config, tree, recorder.checking)
    court = judging.Court(
        where,
        session,
        known,
        config,
        event,
        conversation,
        evidence.project,
        journal,
        settings_file,
        os.environ,
    )
    begun = seconds_of(conversation.prompts.get(event.prompt_id, ""))
    decision = on_stop(
        event,
        event.prompt_id in conversation.prompts or not conversation.prompts,
        begun if begun is not None else time.time(),
        time.time(),
        config.supervisor,
        tasks,
        evidence,
        court,
        recorder,
    )
    now = tasks.load()
    if not decision.allowed and not (now.enabled or now.unconfirmed or now.meddled):
        return Answer({"systemMessage": words.say("stop.switched_off")})
    if now.rules != rules:
        # only now is it sure to be told
        tasks.keep(rules=rules)
    answer = Answer(_answer(decision, recorder, where, session))
    outcome = decision.why.removeprefix("stop.") if decision.allowed else ""
    return answer.ending(config, outcome, session, evidence.project.directory)


def _is_missing_only(directory: str) -> bool:
    """Whether a file in it is simply gone: what is no directory at all is told as that."""
    return os.path.isdir(directory) or not os.path.lexists(directory)


def _noticed(known: state.State, file: str) -> list[str]:
    """What happened to supervision since the last stop, and that was not the user."""
    found = []
    if known.unconfirmed:
        found.append(words.say("stop.not_by_you"))
    if known.meddled:
        found.append(words.say("stop.meddled", file=file))
    if known.stop:
        # whoever ends a review in order finishes its record
        phase = known.stop.get("phase")
        phase = telling.phase(phase) if phase in ("checking", "reviewing") else "?"
        found.append(words.say("stop.cut_off", phase=phase))
    return found


def _input() -> bytes:
    """The hook's input, as long as it is of a size that claude would give."""
    data = sys.stdin.buffer.read(_LONGEST_INPUT + 1)
    if len(data) > _LONGEST_INPUT:
        raise events.NotAnEvent(f"more than {_LONGEST_INPUT} bytes")
    return data


def _project(event: "events.Stop") -> str:
    """The session's project, wherever the agent has changed to."""
    return os.environ.get("CLAUDE_PROJECT_DIR") or event.cwd or os.getcwd()


def _answer(
    decision: "Decision", recorder: Recorder, where: "Paths", session: str
) -> dict[str, object]:
    """What claude is told: a block with the feedback, or just a message for the person."""
    message = recorder.message(decision, where.invocation_log)
    if decision.allowed:
        return {"systemMessage": message}
    reason = terminal.plain(decision.feedback)
    if len(reason) > _LONGEST_FEEDBACK:
        # claude cuts text fields at 10,000 characters, wherever that falls
        whole = where.feedback(session, recorder.iteration)
        try:
            judging.keep(whole, reason)
        except OSError:
            whole = where.verdicts(session)
        reason = reason[:_LONGEST_FEEDBACK] + "\n\n" + words.say("stop.cut", file=whole)
    return {"decision": "block", "reason": reason, "systemMessage": message}


def conversation_of(event: "events.Stop") -> "Conversation":
    """The transcript, waited for until it holds the agent's last message."""
    until = time.monotonic() + _TRANSCRIPT_SECONDS
    while True:
        conversation = transcripts.read(event.transcript_path)
        if conversation.holds(event.last_assistant_message) or time.monotonic() > until:
            return conversation
        time.sleep(0.05)
