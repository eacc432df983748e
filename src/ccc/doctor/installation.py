"""Findings in ccc's own files: configuration, hook, commands, prompt, state."""

import os
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from ccc import words
from ccc.claude.formats import settings, slash
from ccc.config.schema import split_request
from ccc.doctor.findings import PROBLEM, WARNING, Finding, UserSetup, bad, from_error, ok, warn
from ccc.errors import CccError
from ccc.storage import files, installation, session_files
from ccc.storage.ledger import Ledger, digest
from ccc.storage.paths import display_path
from ccc.storage.session_files import File
from ccc.system import capture
from ccc.text import amounts

_SECONDS = 20.0
_LARGE = 1_000_000_000
_FIX = "doctor.fix"


def examine(setup: UserSetup) -> Iterator[Finding]:
    """Check everything that ccc installs, in order of importance."""
    for examination in (_config, _modes, _hook, _commands, _prompt, _state, _leftovers):
        yield from examination(setup)


def repair(setup: UserSetup) -> list[CccError]:
    """Fix ccc's own files, and nothing else; return the problems that couldn't be fixed."""
    trouble: list[CccError] = []
    if setup.ccc_path:
        with files.Lock(setup.paths.locks) as lock:
            work = installation.Installation(lock, setup.paths)
            work.ensure(setup.ccc_path)
            work.finish()
        trouble = work.trouble
    for path in _readable_by_others(setup):
        try:
            files.make_private(path)
        except CccError as error:
            trouble.append(error)
    for file in _dead_files(setup):
        files.remove(file.path)
    return trouble


def _config(setup: UserSetup) -> Iterator[Finding]:
    file, config = display_path(setup.paths.config), setup.config
    if setup.config_problem:
        yield from_error("config", PROBLEM, setup.config_problem)
    elif setup.has_config:
        count = len(config.providers)
        yield ok("config", "doctor.config", file=file, count=count, provider=setup.provider)
        for key in config.unknown_keys:
            yield warn(f"config.{key}", "config.unknown_key", file=file, path=key)
        notify = config.supervisor.notify
        if isinstance(notify, str) and split_request(notify)[0] and not find_spec("apprise"):
            what = {"what": f"{file}: supervisor.notify", "name": "apprise", "extra": "notify"}
            yield warn("config.supervisor.notify", "extra.missing", **what)
    elif settings.has_hook(setup.users):
        yield ok("config", "doctor.config_not_needed", file=file)
    else:
        remedy = "doctor.config_missing_remedy"
        yield bad("config", "config.missing", remedy, file=file)


def _modes(setup: UserSetup) -> Iterator[Finding]:
    if readable := [display_path(path) for path in _readable_by_others(setup)]:
        params = {"files": ", ".join(readable[:5]), "count": len(readable)}
        yield warn("modes", "doctor.modes", _FIX, **params)
    else:
        yield ok("modes", "doctor.modes_good")


def _readable_by_others(setup: UserSetup) -> list[str]:
    own = [setup.paths.config, setup.paths.state_dir, setup.paths.ledger]
    own += [file.path for file in session_files.find_files(setup.paths)]
    return [path for path in dict.fromkeys(own) if _mode(path) & 0o077]


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0


def _remedy(setup: UserSetup, remedy: str = _FIX) -> str:
    """Return the remedy for a missing piece, which is `ccc init` if nothing is set up yet."""
    return remedy if setup.has_config or setup.config_problem else "doctor.config_missing_remedy"


def _hook(setup: UserSetup) -> Iterator[Finding]:
    file = display_path(setup.paths.settings)
    if problem := next((s.problem for s in setup.settings if s.kind == "user"), ""):
        yield Finding("settings", PROBLEM, problem, words.say("doctor.settings_remedy"))
        return
    own = _own_hooks(setup.users)
    if not own:
        yield bad("hook", "doctor.hook_missing", _remedy(setup), file=file)
        return
    command = str(own[0].get("command"))
    if gone := display_path(setup.missing_program(command)):
        yield bad("hook", "doctor.hook_gone", _FIX, file=file, program=gone)
        return
    if own == _identity(settings.hook_entry(settings.hook_command(setup.ccc_path), "")["hooks"]):
        yield ok("hook", "doctor.hook", file=file)
    else:
        yield warn("hook", "doctor.hook_other", file=file, command=command)
    if setup.provider:
        yield _provider_hook(setup, own)
    yield _run_hook(setup, command)


def _own_hooks(content: object) -> list[dict[str, object]]:
    return _identity(settings.value_at(content, path) for path in settings.hook_paths(content))


def _identity(hooks: Any) -> list[dict[str, object]]:
    """Return the hooks without their status text, which claude ignores when deduplicating."""
    return [{key: hook[key] for key in hook if key != "statusMessage"} for hook in hooks]


def _provider_hook(setup: UserSetup, own: list[dict[str, object]]) -> Finding:
    """Check that both hooks are identical: claude would run two different ones."""
    path, name = setup.paths.agent_settings(setup.provider), "hook.provider"
    file = display_path(path)
    try:
        text = files.read(path)
        differs = text is not None and _own_hooks(settings.read(text)) != own
    except (CccError, ValueError):
        text, differs = "", True
    if differs:
        return warn(name, "doctor.hook_differs", file=file, provider=setup.provider)
    return ok(name, "doctor.hook_not_yet" if text is None else "doctor.hook_same", file=file)


def _run_hook(setup: UserSetup, command: str) -> Finding:
    """Run the hook's command as claude does, with nothing to supervise."""
    env = {name: value for name, value in setup.environ.items() if name != "CCC_SUPERVISOR_ID"}
    start = time.monotonic()
    printed = capture.output_of(["/bin/sh", "-c", command], setup.project, env, _SECONDS)
    milliseconds = int((time.monotonic() - start) * 1000)
    if printed == b"":
        return ok("hook.runs", "doctor.hook_runs", milliseconds=milliseconds)
    reason = words.say("doctor.hook_fails" if printed is None else "doctor.hook_talks")
    return Finding("hook.runs", PROBLEM, f"{reason}: {command}", words.say(_FIX))


def _commands(setup: UserSetup) -> Iterator[Finding]:
    for command in slash.NAMES:
        path, name = setup.paths.slash_command(command), f"command.{command}"
        params = {"file": display_path(path), "name": command}
        try:
            text = files.read(path)
        except CccError as error:
            yield from_error(name, WARNING, error)
            continue
        current = [slash.text(command, setup.ccc_path or "ccc", each) for each in words.LANGUAGES]
        if text is None:
            yield warn(name, "doctor.command_missing", _remedy(setup), **params)
        elif text in current:
            yield ok(name, "doctor.command", **params)
        elif slash.is_ours(command, text):
            yield warn(name, "doctor.command_old", _FIX, **params)
        else:
            yield warn(name, "slash.foreign", **params)


def _prompt(setup: UserSetup) -> Iterator[Finding]:
    """Check the SUPERVISOR.md that a review in this directory will use."""
    own = os.path.join(setup.project, "SUPERVISOR.md")
    places = {own: "doctor.prompt_project", setup.paths.prompt: "doctor.prompt_user"}
    for path, message in places.items():
        try:
            text = files.read(path)
        except CccError as error:
            yield from_error("prompt", PROBLEM, error)
            return
        if text and text.strip():
            is_default = _is_default(setup, path, text)
            kind = words.say("doctor.prompt_default" if is_default else "doctor.prompt_changed")
            yield ok("prompt", message, file=display_path(path), kind=kind)
            return
    file, missing = display_path(setup.paths.prompt), "doctor.prompt_missing"
    yield bad("prompt", missing, _remedy(setup, missing), file=file)


def _is_default(setup: UserSetup, path: str, text: str) -> bool:
    known = Ledger(setup.paths.ledger).entry(path).sha256
    defaults = [installation.default_prompt(language) for language in words.LANGUAGES]
    return text in defaults or digest(text) == known


def _state(setup: UserSetup) -> Iterator[Finding]:
    path = setup.paths.state_dir
    directory = display_path(path)
    if not os.path.lexists(path):
        yield ok("state", "doctor.state_not_yet", directory=directory)
    elif not os.path.isdir(path) or not os.access(path, os.W_OK | os.X_OK):
        yield bad("state", "doctor.state_bad", "file.hint", directory=directory)
    else:
        size = sum(file.size for file in session_files.find_files(setup.paths))
        report = warn if size > _LARGE else ok
        yield report("state", "doctor.state", directory=directory, size=amounts.size(size))


def _leftovers(setup: UserSetup) -> Iterator[Finding]:
    if dead := _dead_files(setup):
        params = {"files": words.count("leftovers", len(dead)), "directory": _directories(dead)}
        yield warn("leftovers", "doctor.leftovers", _FIX, **params)
    else:
        yield ok("leftovers", "doctor.no_leftovers")
    if corrupt := [file for file in session_files.find_files(setup.paths) if file.is_corrupt]:
        directory = _directories(corrupt)
        yield warn("corrupt", "doctor.corrupt", count=len(corrupt), directory=directory)


def _dead_files(setup: UserSetup) -> list[File]:
    """Return the files of dead processes in all of ccc's directories."""
    paths = setup.paths
    directories = [paths.config_dir, paths.claude_dir, *paths.locks]
    directories += [os.path.dirname(paths.slash_command("any"))]
    leftovers = {file.path: file for file in session_files.find_files(paths)}
    leftovers |= {file.path: file for file in session_files.find_temporary(directories)}
    return session_files.of_dead_processes(leftovers.values(), setup.alive)


def _directories(files: list[File]) -> str:
    return ", ".join(sorted({display_path(os.path.dirname(file.path)) for file in files}))
