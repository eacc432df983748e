"""The doctor's look at our own pieces: configuration, hook, commands, prompt, state."""

import os
import time

from ccc import words
from ccc.claude.formats import settings, slash
from ccc.commands.doctor.findings import OK, PROBLEM, WARNING, Case, Finding
from ccc.errors import CccError
from ccc.storage import files, installation, session_files
from ccc.storage.ledger import digest
from ccc.storage.paths import display_path
from ccc.system import capture
from ccc.text import amounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SECONDS = 20.0
_LARGE = 1_000_000_000


def pieces(case: Case) -> "Iterator[Finding]":
    """Everything that is ours, in the order in which it matters."""
    yield from _configuration(case)
    yield from _hook(case)
    yield from _commands(case)
    yield _prompt(case)
    yield from _state(case)
    yield from _leftovers(case)


def repair(case: Case) -> list[CccError]:
    """Fix ccc's own files, and nothing else; return what could not be fixed."""
    trouble: list[CccError] = []
    if case.ourselves:
        with files.Lock(case.paths.locks) as lock:
            work = installation.Installation(lock, case.paths)
            work.ensure(case.ourselves, words.chosen(), words.say("hook.status"))
            work.finish()
        trouble = work.trouble
    for path, mode in _loose(case):
        try:
            os.chmod(path, mode)
        except OSError as error:
            trouble.append(files.unusable("file.unwritable", path, error))
    for file in _of_the_dead(case):
        files.remove(file.path)
    return trouble


def _configuration(case: Case) -> "Iterator[Finding]":
    file = display_path(case.paths.config)
    if case.config_problem:
        error = case.config_problem
        hint = words.say(error.hint, **error.params) if error.hint else ""
        yield Finding("config", PROBLEM, str(error), hint)
    elif case.config is None and case.users and settings.has_hook(case.users.settings):
        yield Finding("config", OK, words.say("doctor.config_not_needed", file=file))
    elif case.config is None:
        missing = words.say("config.missing", file=file)
        yield Finding("config", PROBLEM, missing, words.say("doctor.config_missing_remedy"))
    else:
        said = words.say(
            "doctor.config", file=file, count=len(case.config.providers), provider=case.provider
        )
        yield Finding("config", OK, said)
        for key in case.config.unknown_keys:
            told = words.say("config.unknown_key", file=file, path=key)
            yield Finding(f"config.{key}", WARNING, told, words.say("doctor.unknown_key_remedy"))
    loose = [display_path(path) for path, _ in _loose(case)]
    if loose:
        told = words.say("doctor.modes", files=", ".join(loose[:5]), count=len(loose))
        yield Finding("modes", WARNING, told, words.say("doctor.fix"))
    else:
        yield Finding("modes", OK, words.say("doctor.modes_good"))


def _loose(case: Case) -> "list[tuple[str, int]]":
    """What others than the user could read, with the mode that it should have."""
    paths = case.paths
    found = [(paths.config, 0o600), (paths.state_dir, 0o700), (paths.ledger, 0o600)]
    found += [(file.path, 0o600) for file in session_files.find_files(paths)]
    return [(path, mode) for path, mode in dict(found).items() if _mode(path) & 0o077]


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0


def _set_up(case: Case, remedy: str) -> str:
    """What puts a missing piece there: `ccc init` does it too, where nothing is set up yet."""
    begun = case.config or case.config_problem
    return words.say(remedy if begun else "doctor.config_missing_remedy")


def _hook(case: Case) -> "Iterator[Finding]":
    source, file = case.users, display_path(case.paths.settings)
    if source and source.problem:
        yield Finding("settings", PROBLEM, source.problem, words.say("doctor.settings_remedy"))
        return
    ours = _own_hooks(source.settings if source else {})
    wanted = _identity(settings.hook_entry(settings.hook_command(case.ourselves), "")["hooks"])
    if not ours:
        missing = words.say("doctor.hook_missing", file=file)
        yield Finding("hook", PROBLEM, missing, _set_up(case, "doctor.fix"))
        return
    command = str(ours[0].get("command"))
    if gone := case.missing_program(command):
        told = words.say("doctor.hook_gone", file=file, program=display_path(gone))
        yield Finding("hook", PROBLEM, told, words.say("doctor.fix"))
        return
    if ours == wanted:
        yield Finding("hook", OK, words.say("doctor.hook", file=file))
    else:
        other = words.say("doctor.hook_other", file=file, command=command)
        yield Finding("hook", WARNING, other, words.say("doctor.hook_other_remedy"))
    if case.provider:
        yield _same_hook(case, ours)
    yield _run_hook(case, command)


def _own_hooks(content: object) -> "list[dict[str, object]]":
    return _identity(settings.value_at(content, place) for place in settings.hook_paths(content))


def _identity(hooks: "Any") -> "list[dict[str, object]]":
    """The hooks without their status text: claude runs two that differ in it alone once."""
    return [{key: hook[key] for key in hook if key != "statusMessage"} for hook in hooks]


def _same_hook(case: Case, ours: "list[dict[str, object]]") -> Finding:
    """Claude runs the same hook once; one that differs would run beside it."""
    path = case.paths.agent_settings(case.provider)
    file, name = display_path(path), "hook.provider"
    try:
        text = files.read(path)
        same = text is not None and _own_hooks(settings.read(text)) == ours
    except (CccError, ValueError):
        text, same = "", False
    if text is None:
        return Finding(name, OK, words.say("doctor.hook_not_yet", file=file))
    if same:
        return Finding(name, OK, words.say("doctor.hook_same", file=file))
    again = words.say("doctor.hook_differs_remedy", provider=case.provider)
    return Finding(name, WARNING, words.say("doctor.hook_differs", file=file), again)


def _run_hook(case: Case, command: str) -> Finding:
    """The command as claude runs it, with nothing to supervise."""
    env = {name: value for name, value in case.environ.items() if name != "CCC_SUPERVISOR_ID"}
    begun = time.monotonic()
    printed = capture.output_of(["/bin/sh", "-c", command], case.project, env, _SECONDS)
    took = int((time.monotonic() - begun) * 1000)
    if printed == b"":
        return Finding("hook.runs", OK, words.say("doctor.hook_runs", milliseconds=took))
    why = words.say("doctor.hook_fails" if printed is None else "doctor.hook_talks")
    return Finding("hook.runs", PROBLEM, f"{why}: {command}", words.say("doctor.fix"))


def _commands(case: Case) -> "Iterator[Finding]":
    for command in slash.NAMES:
        path, name = case.paths.slash_command(command), f"command.{command}"
        file = display_path(path)
        try:
            text = files.read(path)
        except CccError as error:
            yield Finding(name, WARNING, str(error), words.say("file.hint"))
            continue
        if text is None:
            missing = words.say("doctor.command_missing", file=file, name=command)
            yield Finding(name, WARNING, missing, _set_up(case, "doctor.fix"))
        elif text in (
            slash.text(command, case.ourselves or "ccc", each) for each in words.LANGUAGES
        ):
            yield Finding(name, OK, words.say("doctor.command", file=file, name=command))
        elif slash.is_ours(command, text):
            old = words.say("doctor.command_old", file=file, name=command)
            yield Finding(name, WARNING, old, words.say("doctor.fix"))
        else:
            told = words.say("slash.foreign", file=file, name=command)
            yield Finding(name, WARNING, told, words.say("slash.hint", name=command))


def _prompt(case: Case) -> Finding:
    """The SUPERVISOR.md that a review in this directory will use."""
    own = os.path.join(case.project, "SUPERVISOR.md")
    for path, whose in ((own, "doctor.prompt_project"), (case.paths.prompt, "doctor.prompt_user")):
        try:
            text = files.read(path)
        except CccError as error:
            return Finding("prompt", PROBLEM, str(error), words.say("file.hint"))
        if text is None or not text.strip():
            continue
        kind = "doctor.prompt_default" if _is_default(case, path, text) else "doctor.prompt_changed"
        told = words.say(whose, file=display_path(path), kind=words.say(kind))
        return Finding("prompt", OK, told)
    missing = words.say("doctor.prompt_missing", file=display_path(case.paths.prompt))
    return Finding("prompt", PROBLEM, missing, _set_up(case, "doctor.prompt_missing_remedy"))


def _is_default(case: Case, path: str, text: str) -> bool:
    known = case.ledger.entry(path).get("sha256")
    defaults = [installation.default_prompt(language) for language in words.LANGUAGES]
    return text in defaults or digest(text) == known


def _state(case: Case) -> "Iterator[Finding]":
    directory = case.paths.state_dir
    shown = display_path(directory)
    if not os.path.lexists(directory):
        yield Finding("state", OK, words.say("doctor.state_not_yet", directory=shown))
        return
    if not os.path.isdir(directory) or not os.access(directory, os.W_OK | os.X_OK):
        bad = words.say("doctor.state_bad", directory=shown)
        yield Finding("state", PROBLEM, bad, words.say("file.hint"))
        return
    size = sum(file.size for file in session_files.find_files(case.paths))
    told = words.say("doctor.state", directory=shown, size=amounts.size(size))
    large = size > _LARGE
    remedy = words.say("doctor.state_large_remedy") if large else ""
    yield Finding("state", WARNING if large else OK, told, remedy)


def _leftovers(case: Case) -> "Iterator[Finding]":
    dead = _of_the_dead(case)
    if dead:
        told = words.say(
            "doctor.leftovers", files=words.count("leftovers", len(dead)), directory=_where(dead)
        )
        yield Finding("leftovers", WARNING, told, words.say("doctor.fix"))
    else:
        yield Finding("leftovers", OK, words.say("doctor.no_leftovers"))
    corrupt = [file for file in session_files.find_files(case.paths) if file.is_corrupt]
    if corrupt:
        told = words.say("doctor.corrupt", count=len(corrupt), directory=_where(corrupt))
        yield Finding("corrupt", WARNING, told, words.say("doctor.corrupt_remedy"))


def _of_the_dead(case: Case) -> "list[session_files.File]":
    """Files of processes that have ended, wherever we write."""
    paths = case.paths
    places_ = [paths.config_dir, paths.claude_dir, *paths.locks]
    places_ += [os.path.dirname(paths.slash_command("any"))]
    found = {file.path: file for file in session_files.find_files(paths)}
    found |= {file.path: file for file in session_files.find_temporary(places_)}
    return session_files.of_dead_processes(found.values(), case.alive)


def _where(found: "list[session_files.File]") -> str:
    return ", ".join(sorted({display_path(os.path.dirname(file.path)) for file in found}))
