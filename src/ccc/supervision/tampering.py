"""What would change supervision itself, by the agent or the project: void, kept out, or told."""

import os
from dataclasses import replace

from ccc import words
from ccc.claude import host
from ccc.claude.formats import environment, settings
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage import files, installation
from ccc.system import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ccc.config.schema import Config
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths
    from ccc.storage.state import State
    from ccc.supervision.session_state import Tasks

    Found = Sequence[tuple[str, Mapping[str, object]]]

_FILES = ("settings.local.json", "settings.json")
_NOT_TYPED = "-"


def asked_in(session: str, supervised: int, around: int) -> str:
    """Where a switch-off from below the supervised claude was asked for; else nothing.

    That is the session whose transcript tells whether the user typed it. A claude below the
    supervised one, which the agent may have told to, has no such transcript.
    """
    here, pid = os.environ.get("CLAUDE_CODE_SESSION_ID") or session, host.pid_in(os.environ)
    if _is_below(supervised):
        return here if not pid or host.is_same(pid, supervised) else _NOT_TYPED
    return here if _is_below(around) else ""


def _is_below(claude: int) -> bool:
    """Whether we were started by that claude, or by the `ccc run` of that id."""
    alive = processes.is_alive(claude, "claude", "ccc")
    return alive and claude in processes.ancestors(os.getpid(), claude)


def undo_switch_off(tasks: "Tasks", asked: str, transcript: str, enabled_at: float) -> bool:
    """Settle a switch-off from below the supervised claude: void where the user did not type it.

    It stands in the transcript of the session in which it was typed, which /clear may have ended.
    Where there is no transcript at all the user is believed.
    """
    # not at the top: a launch would pay for it
    from ccc.claude import transcripts
    from ccc.sessions.record import moment

    path = transcripts.find(tasks.where.claude_dir, asked) or transcript
    said = transcripts.read(path)
    typed = said.last_switch == "off" and (moment(said.switched_at) or 1e12) >= enabled_at
    void = asked == _NOT_TYPED or (not typed and os.path.exists(path))
    if void:
        tasks.journal.log("supervisor-mode off is void", reason="not by the user")
    tasks.update(lambda before: replace(before, enabled=void, off_from_below=""))
    return void


def restore_path(where: "Paths", known: "State") -> None:
    """Look for programs where the user would: a project's settings may have set another PATH.

    On Linux we have the one of the launch by now, elsewhere the state has it. What the user's own
    settings say counts more, as in claude.
    """
    from ccc.claude import settings_files  # not at the top: a launch would pay for it

    if not host.tells_start(os.environ) and known.pid == host.pid_in(os.environ) and known.path:
        os.environ["PATH"] = known.path
    for source in reversed(settings_files.of_claude(where, os.getcwd())):
        if source.kind in ("user", "managed") and (path := source.env.get("PATH")):
            os.environ["PATH"] = path


def sets_path(*directories: str) -> bool:
    """Whether a settings file of the project's says where claude looks for programs."""
    return any("PATH" in env for each in directories for _, env in _envs(files_of(each)))


def settings_paths(project: str) -> list[str]:
    """Where a project's settings are."""
    return [os.path.join(project, ".claude", name) for name in _FILES]


def files_of(project: str) -> "Found":
    """The settings files of the project's; claude passes over one that is broken."""
    found = []
    for path in settings_paths(project):
        try:
            found.append((path, settings.read(files.read(path) or "")))
        except (CccError, ValueError):
            continue
    return found


def kept(
    found: "Found", child: "Mapping[str, str]", users: "Mapping[str, object]"
) -> dict[str, str]:
    """What a file of the project sets of supervision's, with the values that it must have.

    Measured: `env` of a project's settings reaches our hook, and `env` of --settings wins over it.
    """
    names = {name for _, env in _envs(found) for name in env}
    own = users.get("env")
    given = {**child, **({k: str(v) for k, v in own.items()} if isinstance(own, dict) else {})}
    given[environment.BLOCK_CAP] = child.get(environment.BLOCK_CAP, "")
    return {name: given.get(name, "") for name in environment.GUARDED if name in names}


def trouble(found: "Found") -> "Iterator[CccError]":
    """What the person should know of it."""
    for file, env in _envs(found):
        ours = [name for name in environment.GUARDED if name in env]
        if ours:
            yield CccError("warn.project_env", file=file, names=", ".join(ours))
        if loading := sorted(name for name in env if name.startswith(environment.LOADING)):
            yield CccError("warn.project_programs", file=file, names=", ".join(loading))


def rivals(found: "Found", own: str, is_new: "Callable[[str], bool]") -> "Iterator[CccError]":
    """Stop hooks of the project's, told where they are new: their word may count more than ours.

    Measured: one that answers `{"continue": false}` ends the turn, whatever another sends back.
    """
    own = os.path.realpath(own)
    for file, content in found:
        # in the home directory it is the user's own
        hooks = [] if os.path.realpath(file) == own else list(settings.other_stop_hooks(content))
        # not the hooks themselves: what stands in a command may be secret
        if hooks and is_new(f"stop hooks {file} {_checksum(repr(hooks))}"):
            yield CccError("warn.project_stops", file=file)


def rules(paths: "Paths", config: "Config", project: str) -> str:
    """A text that changes with what supervision goes by: checks, limits, instructions."""
    try:
        text = ccc_json.instructions(paths, project)
    except CccError as error:
        text = str(error)
    if text in map(installation.default_prompt, words.LANGUAGES):
        text = ""  # our own, which follows the language of whoever launched last
    checks = ccc_json.checks_of(config, project)
    said = (replace(config.supervisor, notify=""), checks, text)
    return _checksum(repr(said))


def changed(before: str, now: str, paths: "Paths", journal: "Journal") -> "Iterator[str]":
    """What the person is told where that text is another one than at the launch or last stop."""
    if before not in ("", now):
        journal.log("the rules of supervision have changed")
        yield words.say("stop.rules", file=paths.config)


def _envs(found: "Found") -> "Iterator[tuple[str, Mapping[str, object]]]":
    """The `env` of each settings file."""
    for path, content in found:
        env = content.get("env")
        if isinstance(env, dict):
            yield path, env


def _checksum(text: str) -> str:
    """A number that another text hardly has; hashlib takes longer to import than a launch may."""
    body = text.encode("utf-8", "surrogatepass")
    return f"{int.from_bytes(body, 'big') % 1_000_000_000_000_000_003:x}"
