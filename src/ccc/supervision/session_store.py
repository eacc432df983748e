"""A session while it is supervised: its state, and the claude and conversation that it is in.

A session is one conversation of claude, and its id is the conversation's: it changes with /clear,
/branch and /resume, and a launch with --continue doesn't know it. The state of the launch says in
which conversation its claude is.
"""

import os
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ccc import words
from ccc.claude import binary, host, known_claudes
from ccc.claude.capabilities import Answers
from ccc.claude.formats import arguments, environment
from ccc.config import ccc_json
from ccc.config.schema import Config, Supervisor
from ccc.errors import CccError
from ccc.model.state import Corrupt, State, Stop, Task
from ccc.project import git
from ccc.providers import layers
from ccc.storage import installation, sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths, own_program
from ccc.system import processes
from ccc.text.names import checksum, is_session_id

_OF_LAUNCH = ("provider", "claude", "pid", "arguments", "settings", "cwd", "path", "limit", "rules")


class SessionStore(Struct):
    """The state of one session, on disk."""

    where: Paths
    session: str
    journal: Journal
    problem: str = ""

    def load(self) -> State:
        """Read the state without writing; a corrupt one, set aside later, counts as empty."""
        try:
            return sessions.read(self.where, self.session) or State(self.session)
        except Corrupt:
            return State(self.session)

    def claim(self, prompt_id: str) -> State | None:
        """Claim the stop; return the state before it, or None if another hook is judging it.

        With two installations of ccc, a session has two hooks: the one from its launch, and the
        one that the other ccc has since added to settings.json.
        """
        was = State(self.session)

        def claim(before: State) -> State:
            nonlocal was
            was = before
            is_free = before.enabled and not _is_judged(before, prompt_id)
            mine = Stop(pid=os.getpid(), prompt_id=prompt_id)
            return replace(before, stop=mine) if is_free else before

        self.update(claim)
        return None if _is_judged(was, prompt_id) else was

    def change(self, edit: Callable[[Task], Task]) -> Task:
        """Change the task under the lock and return it."""
        return self.update(lambda before: replace(before, task=edit(before.task))).task

    def note(self, edit: Callable[[Task], Task]) -> None:
        """Change the task; a failure is only recorded, since the verdict has been paid for."""
        self._try(lambda before: replace(before, task=edit(before.task)))

    def keep(self, **changes: object) -> None:
        """Store information for display; a failure must not affect the stop."""
        self._try(lambda before: replace(before, **changes))

    def is_off(self) -> bool:
        """Whether supervision has been switched off; False if the state can't be read."""
        try:
            now = self.load()
        except CccError:
            return False
        return not (now.enabled or now.off_from_below)

    def _try(self, edit: Callable[[State], State]) -> None:
        try:
            self.update(edit)
        except CccError as error:
            self.journal.problem = self.journal.problem or str(error)

    def update(self, edit: Callable[[State], State]) -> State:
        """Change the state under the lock and return it."""
        return sessions.change(self.where, self.session, edit, self._on_corrupt)

    def _on_corrupt(self, aside: str) -> None:
        self.problem = words.say("state.corrupt_off", file=aside)
        self.journal.log("state corrupt", file=aside)


class SupervisedSession(Struct, frozen=True):
    """A session whose stop is judged: its state before the stop, and the rules that apply."""

    store: SessionStore
    state: State
    config: Config
    project: str
    environ: Mapping[str, str]
    settings_file: str = ""

    @property
    def limits(self) -> Supervisor:
        """The rules of supervision."""
        return self.config.supervisor

    @property
    def where(self) -> Paths:
        """The paths of ccc's files."""
        return self.store.where

    @property
    def program(self) -> str:
        """The claude of the session, which also reviews it; raises CccError if there is none."""
        return self.state.claude or binary.find(self.environ, own_program()).path

    def client(self, version: str) -> Answers:
        """Return what is known about the session's claude, which has that version."""
        try:
            return known_claudes.find_current(self.where, self.program, version)
        except CccError:
            return Answers()  # the review reports that there is no claude


def checksum_of_rules(paths: Paths, config: Config, project: str) -> str:
    """Return a checksum of the rules of supervision: checks, limits, instructions."""
    try:
        text = ccc_json.instructions(paths, project)
    except CccError as error:
        text = str(error)
    if text in map(installation.default_prompt, words.LANGUAGES):
        text = ""  # ccc's default depends on the language of the last launch
    return checksum(repr((replace(config.supervisor, notify=""), text)))


def _is_judged(state: State, prompt_id: str) -> bool:
    """Whether another hook of the same claude is already judging this stop."""
    pid, around = state.stop.pid, host.pid_in(os.environ)
    return (
        pid not in (0, os.getpid())
        and state.stop.prompt_id == prompt_id
        and around > 0
        and processes.is_alive(pid, "ccc")
        and around in processes.ancestors(pid, around)
    )


def describe(before: State, environ: Mapping[str, str]) -> State:
    """Update the state with what a review must know about the claude that runs this process.

    If it is a different claude, such as a plain `claude --resume`, then what ccc knew about the
    launch (provider, arguments, settings) no longer applies.
    """
    pid = host.pid_in(environ)
    launched = host.was_launched(pid, environ)
    same = host.is_same(pid, before.pid) and (launched or not before.provider)
    if not pid or same:
        return before
    project = environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    reading = arguments.read(host.arguments_of(pid))
    return replace(
        before,
        pid=pid,
        provider=environ.get(environment.PROVIDER, "") if launched else "",
        claude=host.program(pid),
        arguments=reading.shaping,
        settings=layers.storable_settings(reading.settings, project),
        cwd=before.cwd or project,
        start_head=before.start_head or git.read_head(project),
        path="",
    )


def session_of(environ: Mapping[str, str], state_dir: str, current: str = "") -> str:
    """Return the id of the session: claude's conversation, or the name that the user chose.

    `current` is the conversation, if the environment doesn't have it.
    """
    launch, held = _launch(environ, state_dir)
    if not launch or not (current or host.pid_in(environ)):
        return launch or current or environ.get(host.CURRENT, "")
    is_named = held is not None and held.is_named
    return launch if is_named else current or environ.get(host.CURRENT, "") or launch


def enter(environ: Mapping[str, str], state_dir: str) -> str:
    """Return the id of the session, whose state takes over from claude's last conversation.

    If it can't be stored, the last conversation's state stays in charge.
    """
    session, current = session_of(environ, state_dir), environ.get(host.CURRENT, "")
    launch, held = _launch(environ, state_dir)
    last = (held and held.conversation) or launch
    if not held or last == current or not is_session_id(current) or not host.pid_in(environ):
        return session
    try:
        _move(state_dir, (launch, last, session), current)
    except CccError:
        return session if session == launch else last
    return session


def _launch(environ: Mapping[str, str], state_dir: str) -> tuple[str, State | None]:
    """Return the id and the state of the launch that the claude comes from, or nothing."""
    launch = host.own_session(environ)
    # a stop reports that a state can't be read
    return launch, sessions.load(Paths(environ, state_dir), launch) if launch else None


def _move(state_dir: str, names: tuple[str, str, str], current: str) -> None:
    """Note that the launch's claude is in another conversation, which stays supervised or not.

    `names` are the launch, its last conversation, and the session that goes on.
    """
    (launch, last, session), where = names, Paths(os.environ, state_dir)
    left = sessions.load(where, last) or State(last)
    of_launch = {name: getattr(left, name) for name in _OF_LAUNCH}

    def take_over(before: State) -> State:
        start = before.start_head or left.start_head
        entered = describe(replace(before, **of_launch, start_head=start), os.environ)
        after = adopt(before, entered)
        if before.enabled:
            return after
        after = after.switch_on(left.enabled_at) if left.enabled else after
        return replace(after, off_from_below=left.off_from_below)

    def leave(before: State) -> State:
        return replace(before, pid=0) if before.pid == left.pid else before

    if session == current:
        sessions.change(where, session, take_over)
        sessions.change(where, last, leave)
    sessions.change(where, launch, lambda before: replace(before, conversation=current))


def adopt(before: State, described: State) -> State:
    """Return the described state, or the old one if another claude still has the session open."""
    other = described.pid != before.pid and processes.is_alive(before.pid, "claude")
    return before if other else described
