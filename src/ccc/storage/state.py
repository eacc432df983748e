"""A session's state: `supervisor-{id}.json`, changed under the lock, unknown fields kept."""

import os
from dataclasses import dataclass, field, fields, replace

from ccc.errors import CccError
from ccc.storage import files, journal
from ccc.supervision.task import Task
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ccc.storage.paths import Paths

VERSION = 1


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a session; `other` holds fields of a newer or older ccc."""

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
    """A --settings of the user's: the file, or the JSON where it surely holds no secret."""
    start_head: str = ""
    rules: str = ""
    """A checksum of what supervision went by, at the launch or the last stop."""
    too_large: tuple[str, ...] = ()
    """The directories that were not compared as a whole, as the user was told."""
    prompt_id: str = ""
    task_started: float = 0.0
    cost_usd: float = 0.0
    cost_source: str = ""
    """Where the figure comes from: `ccc.json`, `genai-prices` or claude's estimate."""
    feedback: tuple[str, ...] = ()
    feedback_key: str = ""
    tree: str = ""
    path: str = ""
    """The PATH of the launch."""
    cwd: str = ""
    """The project's directory."""
    model: str = ""
    """The agent's model, as of its last stop."""
    request: str = ""
    """What the current task began with."""
    requests: tuple[str, ...] = ()
    """All that was asked in it so far, from its beginning."""
    finished: str = ""
    """The last prompt whose work was completed: what is asked after it is another task."""
    limit: int = 0
    """How often a task may be reviewed."""
    outcome: str = ""
    """What the last stop came to."""
    decided_at: float = 0.0
    enabled_at: float = 0.0
    """When supervision was last switched on."""
    off_from_below: str = ""
    """The session in which a process below the supervised claude switched it off.

    Whether the user did that is settled at the next stop, by that session's transcript.
    """
    follows: str = ""
    """The session whose state supervises this one while both are in the same claude."""
    stop: "Mapping[str, object]" = field(default_factory=dict)
    """The stop that is under way: phase, check, since, pid, receipts; else empty."""
    run: "Mapping[str, object]" = field(default_factory=dict)
    """How far an unattended run has got; empty for any other session."""
    other: "Mapping[str, object]" = field(default_factory=dict)

    @property
    def task(self) -> Task:
        """How far supervision has got with the current prompt."""
        return Task(
            prompt_id=self.prompt_id,
            count=self.count,
            started=self.task_started,
            cost_usd=self.cost_usd,
            cost_source=self.cost_source,
            feedback=self.feedback,
            feedback_key=self.feedback_key,
            tree=self.tree,
        )

    def with_task(self, task: Task) -> "State":
        """The state with the task as it is now."""
        return replace(
            self,
            prompt_id=task.prompt_id,
            count=task.count,
            task_started=task.started,
            cost_usd=task.cost_usd,
            cost_source=task.cost_source,
            feedback=task.feedback,
            feedback_key=task.feedback_key,
            tree=task.tree,
        )

    def switched_on(self, now: float) -> "State":
        """The state with supervision on; if it was off, what came before is another task."""
        known, was_on = self, self.enabled or self.off_from_below
        if not was_on and self.outcome:
            known = replace(self.with_task(Task()), outcome="", decided_at=0.0)
        if not was_on:
            known = replace(known, request="", requests=())
        return replace(known, enabled=True, enabled_at=now, off_from_below="")


class Corrupt(ValueError):
    """A state file that can't be read as a state."""


def parse(text: str, session: str) -> State:
    """The state in the text; an old one without `enabled` is disabled, its other fields kept."""
    try:
        raw = jsontext.parse(text)
    except jsontext.JsonError:
        raise Corrupt(session) from None
    if not isinstance(raw, dict):
        raise Corrupt(session)
    known = {name: _fitting(raw.pop(name), kind) for name, kind in _KINDS.items() if name in raw}
    return replace(State(session, other=raw), **known)  # type: ignore[arg-type]


_KINDS = {each.name: each.type for each in fields(State) if each.name != "other"}


def _fitting(value: object, kind: object) -> object:
    """The value, where it is of its kind; a state that is not must not be half believed."""
    match value:
        case str() | bool() | int() if type(value) is kind:
            return value
        case int() | float() if kind is float and type(value) is not bool and abs(value) < 1e300:
            return float(value)
        case list() if kind == tuple[str, ...] and all(isinstance(item, str) for item in value):
            return tuple(value)
        case dict() if kind == "Mapping[str, object]":
            return value
    raise Corrupt(kind)


def dump(state: State) -> str:
    """The state as it stands in its file."""
    known = {name: getattr(state, name) for name in _KINDS if name != "run" or state.run}
    return jsontext.dump({**known, **state.other, "version": VERSION})


def change(
    where: "Paths",
    session: str,
    edit: "Callable[[State], State]",
    on_corrupt: "Callable[[str], None]" = lambda aside: None,
) -> State:
    """Change the session's state, which is made where it is missing.

    A corrupt file is set aside under another name, which `on_corrupt` is told, and
    supervision begins switched off.
    """
    latest, path = State(session), where.state(session)

    def rewrite(text: str | None) -> str:
        nonlocal latest
        now = journal.stamp()
        try:
            before = parse(text, session) if text is not None else State(session, created_at=now)
        except Corrupt:
            set_aside()
            before = State(session, created_at=now)
        latest = replace(edit(before), updated_at=now)
        return dump(latest)

    def set_aside() -> None:
        on_corrupt(files.set_aside(path, ".corrupt"))

    with files.Lock((where.state_dir,)) as lock:
        if os.path.islink(path):
            set_aside()  # what it leads to is no state of ours
        try:
            lock.update(path, rewrite, durable=False, ours=True)
        except CccError as error:
            if error.message != "file.not_utf8":
                raise
            set_aside()
            lock.update(path, rewrite, durable=False, ours=True)
    return latest
