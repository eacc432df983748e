"""Switch a session's supervision on or off, for the user or for claude's slash commands."""

import os
import time

from msgspec.structs import replace

from ccc import words
from ccc.claude import host, settings_files, transcript_files
from ccc.claude.formats import environment, slash
from ccc.claude.formats.transcript import parse_time
from ccc.config import ccc_json, projects
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.model.state import State
from ccc.project import checks
from ccc.providers import variables
from ccc.storage import files, sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths, own_program
from ccc.supervision import session_store
from ccc.supervision.session_store import SessionStore
from ccc.system import processes
from ccc.text import lenient_json, names

# claude's sandbox sets it for the commands that it runs
_SANDBOX_VARIABLE = "SANDBOX_RUNTIME"

_NOT_TYPED = "-"  # in place of a session: a nested claude switched off


class Switch:
    """Switches one session: the one that ccc runs in, or the one in CCC_SUPERVISOR_ID."""

    def __init__(self, paths: Paths, is_inside: bool) -> None:
        self._paths = paths
        self._is_inside = is_inside
        variable = os.environ.get(environment.SESSION, "")
        # ccc may also run in the claude launched with that name, without the option
        launched = variable and variable == host.own_session(os.environ)
        is_own = is_inside or (launched and host.was_launched(host.pid_in(os.environ), os.environ))
        self.name = session_store.enter(os.environ, paths.state_dir) if is_own else variable
        if not self.name:
            raise CccError("mode.no_session")
        if not names.is_session_id(self.name):
            raise CccError("session.name", variable=environment.SESSION)
        self.is_new = not is_inside and sessions.load(paths, self.name) is None

    @property
    def mode(self) -> str:
        """`on` if the session is supervised, else `off`."""
        state = sessions.load(self._paths, self.name)
        return "on" if state and state.enabled else "off"

    def turn_by_command(self, word: str) -> None:
        """Switch as the slash command does, which the agent's sandbox may keep from writing."""
        try:
            self.turn(word)
        except CccError as error:
            if error.message != "file.unwritable" or not self._is_inside:
                raise
            if _SANDBOX_VARIABLE in os.environ:
                command = f"{own_program()} supervisor-mode *"
                error.hint, error.params["command"] = "mode.sandboxed", command
            # the launch's hook, which can write, may already have switched
            if self.mode != word:
                raise

    def turn(self, word: str, request: str = "") -> None:
        """Switch the session on, for what the user requests with it, or off."""
        if word == "on":
            _refuse_without_hooks(self._paths, _project(), bool(host.own_session(os.environ)))
        is_inside = self._is_inside or self.name == os.environ.get(host.CURRENT)
        _turn(self._paths, self.name, word, is_inside=is_inside, request=request)

    def rules(self) -> str:
        """Describe the rules for the supervised session: checks, reviewer, limit."""
        state = sessions.load(self._paths, self.name)
        try:
            config = projects.apply(ccc_json.read(self._paths), _project())
        except CccError as error:
            return str(error)
        return describe_rules(config, _project(), state.provider if state else "")

    def describe_new(self) -> str:
        """Say that no session has this id yet, and suggest a similar one."""
        ids, name = sessions.ids(self._paths), self.name
        near = [each for each in ids if each != name and each.startswith(name)]
        text = words.say("mode.new_session", session=name)
        return f"{text} {words.say('mode.nearest', session=near[0])}" if len(near) == 1 else text


def describe_rules(config: Config, project: str, provider: str) -> str:
    """Describe the rules of supervision in a project: checks, reviewer, limit."""
    return words.say(
        "mode.rules",
        checks=checks.list_checks(config, project),
        reviewer=variables.reviewer_model(config, provider) or words.say("mode.same_model"),
        rounds=words.count("max_iterations", config.supervisor.max_iterations),
    )


def turn_other(paths: Paths, session: str, word: str) -> None:
    """Switch a session that this process doesn't belong to."""
    state = sessions.load(paths, session)
    if state is None:
        raise CccError("look.unknown", hint="look.none", beginning=session)
    if word == "on":
        _refuse_without_hooks(paths, state.cwd or "/", bool(state.pid and state.provider))
    _turn(paths, session, word, is_inside=False)


def _turn(paths: Paths, name: str, word: str, is_inside: bool, request: str = "") -> None:
    # a session that doesn't exist yet has no directory
    known = sessions.load(paths, name)
    project = _project() if is_inside else known.cwd if known else ""

    def change(before: State) -> State:
        state = session_store.describe(before, os.environ) if is_inside else before
        after = session_store.adopt(before, state)
        if word == "on":
            after = checks.begin(paths, after, project).switch_on(time.time())
            return replace(after, earlier_request=request or after.earlier_request)
        from_below = ""
        if before.enabled or before.off_from_below:
            from_below = switch_off_session(name, before.pid, state.pid)
        return replace(after, enabled=False, off_from_below=from_below)

    after = sessions.change(paths, name, change, sessions.tell_corrupt)
    journal = Journal(paths, name, after.task.count)
    journal.log(f"supervisor-mode {word}", from_below=bool(after.off_from_below))


def _refuse_without_hooks(paths: Paths, project: str, is_launched: bool) -> None:
    """Raise CccError if a settings file disables all of claude's hooks.

    In a session launched by ccc, the project's files can't: ccc's settings override them.
    """
    weak = ("local", "project") if is_launched else ()
    for each in settings_files.of_claude(paths, project):
        if each.kind not in weak and each.settings.get("disableAllHooks") is True:
            raise CccError("mode.hooks_off", file=each.file)


def _project() -> str:
    return os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()


def answer_prompt(event: bytes) -> dict[str, object]:
    """Return the hook's answer when the user types `/supervisor` or `/supervisoroff`.

    The hook itself switches, because the slash command can't write if the agent is sandboxed. After
    `/supervisor` alone, it ends the prompt, which needs no turn of the model. `/supervisoroff` must
    reach the transcript, which proves that the user typed it.
    """
    paths = ccc_json.set_language()
    prompt = lenient_json.parse_object(event.decode("utf-8", "replace")) or {}
    name = str(prompt.get("command_name") or "")
    if not _is_own_command(paths, name):
        return {}
    word, arguments = slash.NAMES[name], str(prompt.get("command_args") or "").strip()
    continues = bool(arguments) or word == "off"
    try:
        session = Switch(paths, True)
        session.turn(word, arguments)
        rules = session.rules() if word == "on" else ""
        text = words.say("mode.confirmed", rules=rules) if rules else words.say("mode.off")
        if not continues:
            text += f" {words.say('mode.ask_task')}"
    except CccError as error:
        if continues:
            return {}  # the slash command fails too, and reports the error
        text = f"{error}\n{error.remedy}"
    return {"systemMessage": text} if continues else {"continue": False, "stopReason": text}


def _is_own_command(paths: Paths, name: str) -> bool:
    """Whether ccc wrote the slash command's file; the user may have one with the same name."""
    if name not in slash.NAMES:
        return False
    try:
        return slash.is_ours(name, files.read(paths.slash_command(name)) or "")
    except CccError:
        return False


def switch_off_session(session: str, supervised: int, around: int) -> str:
    """Return the session in which a descendant of the supervised claude switches off, else "".

    The session's transcript shows whether the user typed it. A nested claude, which the agent may
    have started, has no such transcript.
    """
    here, pid = os.environ.get("CLAUDE_CODE_SESSION_ID") or session, host.pid_in(os.environ)
    if _is_below(supervised):
        return here if not pid or host.is_same(pid, supervised) else _NOT_TYPED
    return here if _is_below(around) else ""


def _is_below(claude: int) -> bool:
    """Whether this process descends from the claude, or the `ccc run`, with that process id."""
    alive = processes.is_alive(claude, "claude", "ccc")
    return alive and claude in processes.ancestors(os.getpid(), claude)


def undo_switch_off(tasks: SessionStore, state: State, transcript: str) -> bool:
    """Undo a switch-off by a descendant of the supervised claude, unless the user typed it.

    The transcript of the session where the user typed it shows it; /clear may have ended that
    session. Without a transcript, ccc assumes that the user typed it.
    """
    session = state.off_from_below
    if not session:
        return False
    path = transcript_files.find(tasks.where.claude_dir, session) or transcript
    conversation = transcript_files.read(path)
    is_recent = (parse_time(conversation.switched_at) or 1e12) >= state.enabled_at
    is_typed = conversation.last_switch == "off" and is_recent
    is_void = session == _NOT_TYPED or (not is_typed and os.path.exists(path))
    if is_void:
        tasks.journal.log("supervisor-mode off is void", reason="not by the user")
    tasks.update(lambda before: replace(before, enabled=is_void, off_from_below=""))
    return is_void
