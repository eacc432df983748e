"""A session's state, as in `supervisor-{id}.json`: read, changed as a value, and written.

In the file, a task's fields are at the top level: `count` has been there since the first version.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ccc.model.cost import Cost, on_record
from ccc.text import jsontext, names

VERSION = 1
LONGEST_TEXT = 8_000
"""The maximum length of a text inside a state; a longer one has a file named by its content."""
_LONGEST_BEGIN = 2_000
AGENT = "agent"
REVIEW = "review"  # the phases of a run


class Task(Struct, frozen=True):
    """The progress of supervision for the current prompt."""

    prompt_id: str = ""
    count: int = 0
    started: float = 0.0
    cost_usd: float = 0.0
    cost_source: str = ""  # the source of the cost: `ccc.json`, `genai-prices` or claude's estimate
    feedback: tuple[str, ...] = ()
    feedback_key: str = ""
    tree: str = ""  # fingerprint of the working tree when the last feedback was given
    completed_work: str = ""  # A hash of the work that the last verdict found complete, or empty
    not_run: tuple[str, ...] = ()  # A sentence about each check that could not run at the last stop
    waits: int = 0  # the stops that were allowed because a scheduled prompt would wake the agent
    waited: tuple[str, ...] = ()
    """The ids of what ran in the background or was scheduled at the last stop that waited."""

    @property
    def cost(self) -> Cost:
        """What the task has cost."""
        return on_record(self.cost_usd, self.cost_source)

    def add_cost(self, more: Cost) -> "Task":
        """Return the task after it has cost more."""
        total = self.cost + more
        return replace(self, cost_usd=total.usd, cost_source=total.source)


class Stop(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stop while it is being decided; empty if there is none."""

    phase: str = ""  # `checking` or `reviewing`
    check: str = ""
    since: float = 0.0
    begun: float = 0.0
    iteration: int = 0
    pid: int = 0
    prompt_id: str = ""
    receipts: tuple[dict[str, Any], ...] = ()  # the evidence so far, in the form of the records


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """What claude last asked the user, answered or not."""

    kind: str = ""
    text: str = ""
    at: float = 0.0


class RunState(Struct, frozen=True):
    """What is needed to continue an unattended run."""

    task: str = ""
    cwd: str = ""
    session_id: str = ""  # Claude's id for the session
    requests: tuple[str, ...] = ()  # what the user asked for, from the task to the last typed line
    arguments: tuple[str, ...] = ()
    limits: Mapping[str, Any] = field(default_factory=dict)
    phase: str = AGENT
    message: str = ""  # the next message to the agent, or the last one
    last_message: str = ""  # the agent's message when it stopped
    permission_mode: str = ""
    count: int = 0  # the rounds before the current one
    feedbacks: int = 0  # the number of feedbacks before the current round
    denied: tuple[str, ...] = ()  # the calls that were denied in the last turn
    denied_before: tuple[str, ...] = ()  # the calls that were denied in the turn before
    outcome: str = ""
    agent_cost_usd: float = 0.0
    agent_cost_source: str = ""
    turn_cost_usd: float = 0.0  # what the turn under way has cost so far; no total includes it yet
    turn_cost_source: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    elapsed_seconds: float = 0.0
    saved_at: float = 0.0

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing to continue."""
        return self.outcome == "completed"


class State(Struct, frozen=True):
    """What ccc knows about a session; `other` holds fields written by another version."""

    session_id: str
    enabled: bool = False
    created_at: str = ""
    updated_at: str = ""
    provider: str = ""
    claude: str = ""
    pid: int = 0
    arguments: tuple[str, ...] = ()
    settings: str = ""
    """The user's --settings: the file, or the JSON if it certainly contains no secret."""
    start_head: str = ""
    rules: str = ""  # A checksum of the supervision rules at launch or at the last stop
    too_large: tuple[str, ...] = ()
    """The directories that ccc could not compare as a whole and has already reported."""
    sandbox_fails: bool = False  # whether the reviewer's commands failed in claude's sandbox
    task: Task = Task()
    projects: Mapping[str, str] = field(default_factory=dict)
    """The projects in ccc.json that applied when the session began, and where."""
    checks: Mapping[str, str] = field(default_factory=dict)
    """Why each check could not run when supervision began; empty if it could, or has run since."""
    path: str = ""  # the PATH at launch
    cwd: str = ""  # the project's directory
    model: str = ""  # the agent's model, as of its last stop
    request: str = ""  # the first request of the current task
    requests: tuple[str, ...] = ()  # all requests of the current task so far
    finished: str = ""
    """The last prompt whose work was completed; a later request starts a new task."""
    limit: int = 0  # the maximum number of rounds per task
    outcome: str = ""  # the outcome of the last stop
    decided_at: float = 0.0
    enabled_at: float = 0.0  # when supervision was last switched on
    was_supervised: bool = False
    """Whether a stop was decided before supervision was last switched on."""
    earlier_request: str = ""
    """The request that supervision was switched on with, or the last one before.

    It is shown until the first stop puts the task on record.
    """
    off_from_below: str = ""
    """The session in which a descendant of the supervised claude switched supervision off.

    The next stop checks in that session's transcript whether the user did it.
    """
    conversation: str = ""
    """The conversation that the launch's claude is in, if it isn't the session itself."""
    is_named: bool = False
    """Whether the user chose the id, so that it is the session's in every conversation."""
    stop: Stop = field(default_factory=Stop)
    asks: Question = field(default_factory=Question)
    run: RunState | None = None  # an unattended run; any other session has none
    other: Mapping[str, object] = field(default_factory=dict)

    @property
    def begins_supervision(self) -> bool:
        """Whether supervision begins if it is switched on; what the agent switched off goes on."""
        return not (self.enabled or self.off_from_below)

    def switch_on(self, now: float) -> "State":
        """Return the state with supervision on, starting a new task if it was off."""
        after = replace(self, enabled=True, enabled_at=now, off_from_below="")
        if not self.begins_supervision:
            return after
        if self.outcome:
            after = replace(after, task=Task(), outcome="", decided_at=0.0, was_supervised=True)
        earlier = self.request or self.earlier_request
        return replace(after, request="", requests=(), earlier_request=earlier)


_TASK = {name: name for name in Task.__struct_fields__} | {"started": "task_started"}
"""The fields of a task, with their names in the file."""
_KNOWN = {*State.__struct_fields__, *_TASK.values(), "version"}


class Corrupt(ValueError):
    """A state file that can't be parsed; the message names the key, if only that is wrong."""


def parse(text: str, session: str, read: Callable[[str], str | None] | None = None) -> State:
    """Parse a state; an old one without `enabled` is disabled but keeps its other fields.

    `read` returns the long texts by their names. Without it, the state has their beginnings.
    """
    try:
        raw = _join(json.loads(text), read)
        if not isinstance(raw, dict):
            raise Corrupt("no object")
        task = {name: raw[key] for name, key in _TASK.items() if key in raw}
        other = {name: value for name, value in raw.items() if name not in _KNOWN}
        known = {"session_id": session, **raw, "task": task, "other": other}
        return msgspec.convert({**known, "run": raw.get("run") or None}, State)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise Corrupt(str(error)) from None


def dump(state: State, texts: dict[str, str]) -> str:
    """Return the text of the state file; the long texts in the state are added to `texts`."""
    raw = msgspec.to_builtins(state)
    task, other = raw.pop("task"), raw.pop("other")
    raw |= {key: task[name] for name, key in _TASK.items()}
    if state.run is None:
        del raw["run"]
    # what people look for comes first
    begin = dict.fromkeys(("session_id", "enabled", "count"))
    return jsontext.dump(_split({**begin, **raw, **other, "version": VERSION}, texts))


def _split(value: object, texts: dict[str, str]) -> object:
    """Return the value with the long texts replaced, which are added to `texts` by their names."""
    match value:
        case str() if len(value) > LONGEST_TEXT and names.is_argument(value):
            name = hashlib.sha256(value.encode()).hexdigest()[:16]
            texts[name] = value
            return {"begin": f"{value[:_LONGEST_BEGIN]}…", "long_text": name}
        case dict():
            return {key: _split(each, texts) for key, each in value.items()}
        case list() | tuple():
            return [_split(each, texts) for each in value]
    return value


def _join(value: object, read: Callable[[str], str | None] | None) -> object:
    """Return the value with the long texts in it, or with their beginnings."""
    match value:
        case {"long_text": str(name), "begin": begin}:
            text = read(name) if read else begin
            if text is None:
                raise Corrupt(f"no text {name}")
            return text
        case dict():
            return {key: _join(each, read) for key, each in value.items()}
        case list():
            return [_join(each, read) for each in value]
    return value
