"""A session's state: `supervisor-{id}.json`, changed under the lock; unknown fields are kept."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace

from ccc.errors import CccError
from ccc.storage import files, journal, long_texts, sessions
from ccc.storage.paths import Paths
from ccc.supervision.task import Task
from ccc.text import jsontext

VERSION = 1


@dataclass(frozen=True, slots=True)
class State:
    """What ccc knows about a session; `other` holds fields written by another version."""

    session_id: str
    enabled: bool = False
    count: int = 0
    created_at: str = ""
    updated_at: str = ""
    provider: str = ""
    claude: str = ""
    pid: int = 0
    arguments: tuple[str, ...] = ()
    settings: str = ""
    """The user's --settings: the file, or the JSON if it certainly contains no secret."""
    start_head: str = ""
    rules: str = ""
    """A checksum of the supervision rules at launch or at the last stop."""
    too_large: tuple[str, ...] = ()
    """The directories that ccc could not compare as a whole and has already reported."""
    sandbox_fails: bool = False
    """Whether the reviewer's commands failed in claude's sandbox."""
    prompt_id: str = ""
    task_started: float = 0.0
    cost_usd: float = 0.0
    cost_source: str = ""
    """The source of the cost: `ccc.json`, `genai-prices` or claude's estimate."""
    feedback: tuple[str, ...] = ()
    feedback_key: str = ""
    tree: str = ""
    completed_work: str = ""
    not_run: tuple[str, ...] = ()
    waits: int = 0
    waited: tuple[str, ...] = ()
    projects: Mapping[str, object] = field(default_factory=dict)
    """The projects in ccc.json that applied when the session began, and where."""
    checks: Mapping[str, object] = field(default_factory=dict)
    """Why each check could not run when supervision began; empty if it could, or has run since."""
    path: str = ""
    """The PATH at launch."""
    cwd: str = ""
    """The project's directory."""
    model: str = ""
    """The agent's model, as of its last stop."""
    request: str = ""
    """The first request of the current task."""
    requests: tuple[str, ...] = ()
    """All requests of the current task so far."""
    finished: str = ""
    """The last prompt whose work was completed; a later request starts a new task."""
    limit: int = 0
    """The maximum number of rounds per task."""
    outcome: str = ""
    """The outcome of the last stop."""
    decided_at: float = 0.0
    enabled_at: float = 0.0
    """When supervision was last switched on."""
    was_supervised: bool = False
    """Whether a stop was decided before supervision was last switched on."""
    earlier_request: str = ""
    """The request before supervision was last switched on, shown until the next is on record."""
    off_from_below: str = ""
    """The session in which a descendant of the supervised claude switched supervision off.

    The next stop checks in that session's transcript whether the user did it.
    """
    conversation: str = ""
    """The conversation that the launch's claude is in, if it isn't the session itself."""
    is_named: bool = False
    """Whether the user chose the id, so that it is the session's in every conversation."""
    stop: Mapping[str, object] = field(default_factory=dict)
    """The current stop (phase, check, since, pid, receipts), or empty."""
    asks: Mapping[str, object] = field(default_factory=dict)
    """What claude last asked the user (kind, text, at), answered or not."""
    run: Mapping[str, object] = field(default_factory=dict)
    """The state of an unattended run, or empty for any other session."""
    other: Mapping[str, object] = field(default_factory=dict)

    @property
    def task(self) -> Task:
        """The progress of supervision on the current prompt."""
        return Task(**{name: getattr(self, field) for name, field in _TASK_FIELDS.items()})

    def with_task(self, task: Task) -> "State":
        """Return the state with the task's current progress."""
        values = {field: getattr(task, name) for name, field in _TASK_FIELDS.items()}
        return replace(self, **values)

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
            after = after.with_task(Task())
            after = replace(after, outcome="", decided_at=0.0, was_supervised=True)
        earlier = self.request or self.earlier_request
        return replace(after, request="", requests=(), earlier_request=earlier)


class Corrupt(ValueError):
    """A state file that can't be parsed."""


def parse(text: str, session: str, where: Paths | None = None) -> State:
    """Parse a state; an old one without `enabled` is disabled but keeps its other fields."""

    def read(name: str) -> str:
        if (found := files.read_or_none(where.long_text(session, name)) if where else None) is None:
            raise Corrupt(session)
        return found

    try:
        raw = long_texts.join(jsontext.parse(text), read)
    except jsontext.JsonError:
        raise Corrupt(session) from None
    if not isinstance(raw, dict):
        raise Corrupt(session)
    known = {name: _value(raw.pop(name), kind) for name, kind in _KINDS.items() if name in raw}
    return replace(State(session, other=raw), **known)  # type: ignore[arg-type]


_KINDS = {each.name: each.type for each in fields(State) if each.name != "other"}
_TASK_FIELDS = {each.name: each.name for each in fields(Task)} | {"started": "task_started"}


def _value(value: object, kind: object) -> object:
    """Return the value if it has the expected type, because a damaged state can't be trusted."""
    match value:
        case str() | bool() | int() if type(value) is kind:
            return value
        case int() | float() if kind is float and type(value) is not bool and abs(value) < 1e300:
            return float(value)
        case list() if kind == tuple[str, ...] and all(isinstance(item, str) for item in value):
            return tuple(value)
        case dict() if kind == Mapping[str, object]:
            return value
    raise Corrupt(kind)


def dump(state: State, texts: dict[str, str]) -> str:
    """Return the text of the state file; the long texts in the state are added to `texts`."""
    known = {name: getattr(state, name) for name in _KINDS if name != "run" or state.run}
    return jsontext.dump(long_texts.split({**known, **state.other, "version": VERSION}, texts))


def change(
    where: Paths,
    session: str,
    edit: Callable[[State], State],
    on_corrupt: Callable[[str], None] = lambda aside: None,
) -> State:
    """Change the session's state, creating it if necessary, and return it.

    A corrupt file is renamed, `on_corrupt` receives its new name, and supervision is off.
    """
    latest, path = State(session), where.state(session)

    def rewrite(text: str | None) -> str:
        nonlocal latest
        now = journal.stamp()
        try:
            before = (
                parse(text, session, where) if text is not None else State(session, created_at=now)
            )
        except Corrupt:
            set_aside()
            before = State(session, created_at=now)
        latest = replace(edit(before), updated_at=now)
        texts: dict[str, str] = {}
        content = dump(latest, texts)
        for name, long in texts.items():
            lock.write(where.long_text(session, name), long, durable=False, ours=True)
        return content

    def set_aside() -> None:
        on_corrupt(files.set_aside(path, ".corrupt"))

    with files.Lock((where.state_dir,)) as lock:
        if os.path.islink(path):
            set_aside()  # ccc creates no symlinks
        try:
            lock.update(path, rewrite, durable=False, ours=True)
        except CccError as error:
            if error.message != "file.not_utf8":
                raise
            set_aside()
            lock.update(path, rewrite, durable=False, ours=True)
        sessions.note_change(lock, where.state_dir, session)
    return latest
