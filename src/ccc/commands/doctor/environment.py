"""The doctor's look at what is around us: claude, the sandbox, other settings and hooks."""

import itertools
import os
import platform
import shutil
import sys

import ccc
from ccc import words
from ccc.claude import binary, sandbox, settings_files
from ccc.claude.formats import environment, origin, settings
from ccc.commands.doctor.findings import OK, PROBLEM, WARNING, Case, Finding
from ccc.config.layer import Secret
from ccc.errors import CccError
from ccc.providers import layers
from ccc.storage.paths import display_path
from ccc.system import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccc.claude.formats.origin import Origin
    from ccc.claude.settings_files import Source
    from ccc.config.layer import Layer

_SECONDS = 20.0


def programs(case: Case) -> "Iterator[Finding]":
    """ccc itself, and the claude that it would run."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    python = platform.python_version()
    told = words.say(
        "doctor.ccc",
        version=ccc.__version__,
        file=display_path(case.ourselves or sys.argv[0]),
        python=python,
        system=system,
    )
    if case.ourselves:
        yield Finding("ccc", OK, told)
    else:
        yield Finding("ccc", PROBLEM, told, words.say("program.hint"))
    on_path = shutil.which("ccc", path=case.environ.get("PATH", ""))
    if on_path and os.path.realpath(on_path) != os.path.realpath(case.ourselves):
        other = words.say("doctor.other_ccc", file=display_path(on_path))
        yield Finding("ccc.path", WARNING, other, words.say("doctor.other_ccc_remedy"))
    yield _claude(case)


def _claude(case: Case) -> Finding:
    try:
        path, rule = binary.find_by_rule(case.environ, case.ourselves)
    except CccError as error:
        return Finding("claude", PROBLEM, str(error), words.say(error.hint))
    shown = display_path(path)
    printed = capture.output_of([path, "--version"], case.project, case.environ, _SECONDS)
    if printed is None:
        failed = words.say("doctor.claude_fails", file=shown)
        return Finding("claude", PROBLEM, failed, words.say("claude.install"))
    version = printed.decode(errors="replace").strip().partition("\n")[0]
    how = words.say("doctor.bundled") if rule == "bundled" else rule
    return Finding("claude", OK, words.say("doctor.claude", version=version, file=shown, rule=how))


def can_sandbox(case: Case) -> Finding:
    """Whether a reviewer can be kept from writing by claude's sandbox."""
    wish = case.config.supervisor.sandbox if case.config else "auto"
    if wish == "off":
        return Finding("sandbox", OK, words.say("doctor.sandbox_off"))
    if sandbox.runs(case.project):
        return Finding("sandbox", OK, words.say("doctor.sandbox"))
    missing = sandbox.missing()
    told = (
        words.say("doctor.sandbox_missing", programs=", ".join(missing))
        if missing
        else words.say("doctor.sandbox_fails")
    )
    remedy = words.say("doctor.sandbox_remedy" if missing else "doctor.sandbox_fails_remedy")
    return Finding("sandbox", PROBLEM if wish == "require" else WARNING, told, remedy)


def hooks(case: Case) -> "Iterator[Finding]":
    """Whether hooks run at all, and which Stop hooks there are beside ours."""
    read = [*case.settings, *configured(case)]
    for source in read:
        if source.problem and source.kind != "user":
            remedy = words.say("doctor.settings_remedy")
            yield Finding(f"settings.{source.kind}", WARNING, source.problem, remedy)
        for key in ("disableAllHooks", "allowManagedHooksOnly"):
            if source.settings.get(key) and (key[0] == "d" or source.kind == "managed"):
                file = display_path(source.file)
                # what a launch gives to claude wins over the project's files
                weak = source.kind in ("local", "project")
                message = "doctor.hooks_off_here" if weak else "doctor.hooks_off"
                told = words.say(message, key=key, file=file)
                remedy = words.say("doctor.hooks_off_remedy", key=key, file=file)
                yield Finding("hooks_off", WARNING if weak else PROBLEM, told, remedy)
    enabled: dict[str, object] = {}
    for source in reversed(case.settings):
        found = source.settings.get("enabledPlugins")
        enabled |= found if isinstance(found, dict) else {}
    others = [
        (source.file, programs)
        for source in (*read, *settings_files.of_plugins(case.paths, enabled))
        if (programs := _others(source))
    ]
    for file, programs in others:
        told = words.say("doctor.other_hooks", file=display_path(file), programs=programs)
        yield Finding("other_hooks", WARNING, told, words.say("doctor.other_hooks_remedy"))
    if unread := _unread(case):
        told = words.say("doctor.hooks_unread", files=unread)
        yield Finding("other_hooks", WARNING, told, words.say("doctor.settings_remedy"))
    elif not others:
        yield Finding("other_hooks", OK, words.say("doctor.no_other_hooks"))


def _unread(case: Case) -> str:
    """The settings files of which nothing can be said."""
    return ", ".join(display_path(source.file) for source in case.settings if source.problem)


def _others(source: "Source") -> str:
    """The programs of Stop hooks that are not ours; what stands behind may be a secret."""
    found = []
    for hook in settings.other_stop_hooks(source.settings):
        command = hook.get("command")
        words_ = command.split() if isinstance(command, str) else []
        # `TOKEN=… program`: what is set in front may be a secret
        words_ = list(itertools.dropwhile(lambda word: "=" in word, words_))
        found.append(os.path.basename(words_[0]) if words_ else str(hook.get("type")))
    return ", ".join(found)


def configured(case: Case) -> "Iterator[Source]":
    """The settings in ccc.json."""
    if case.config:
        file = case.paths.config
        yield settings_files.Source("base", file, case.config.base.settings)
        yield settings_files.Source("provider", file, case.config.providers[case.provider].settings)


def status_line(case: Case) -> Finding:
    """Whether claude's status line shows the supervision."""
    source = case.users
    ours = source.settings.get("statusLine") if source else None
    if isinstance(ours, dict) and settings.is_our_status_line(ours):
        if gone := case.missing_program(str(ours["command"])):
            told = words.say("doctor.statusline_gone", program=display_path(gone))
            remedy = words.say("doctor.no_statusline_remedy")
            return Finding("statusline", WARNING, told, remedy)
        return Finding("statusline", OK, words.say("doctor.statusline"))
    told, remedy = words.say("doctor.no_statusline"), words.say("doctor.no_statusline_remedy")
    return Finding("statusline", OK, told, remedy)


def variables(case: Case) -> "list[Origin]":
    """Where each variable that claude will see comes from."""
    if not case.config:
        return []
    merged = layers.without_secrets(case.config, case.provider)
    users = case.users.settings if case.users else {}
    limit = case.config.supervisor.max_iterations
    ours: Mapping[str, str | None] = {
        **merged.file_env(users),
        **environment.block_cap(users, limit),
    }
    ours_at = case.paths.agent_settings(case.provider)
    theirs = [origin.Source(s.kind, s.file, s.env) for s in case.settings]
    managed = [source for source in theirs if source.kind == "managed"]
    weaker = [source for source in theirs if source.kind != "managed"]
    files = [*managed, origin.Source(origin.OURS, ours_at, ours), *weaker]
    started = environment.for_claude(case.environ, merged.env, limit, "")
    provider = _known(case.config.providers[case.provider])
    gone = {n for n, v in case.config.providers[case.provider].env.items() if v is None}
    base = {n: v for n, v in _known(case.config.base).items() if n not in gone}
    added = {
        name: value
        for name, value in started.items()
        if name not in merged.env and case.environ.get(name) != value and name in _ADDED
    }
    sources_ = [
        origin.Source(origin.PROVIDER, case.paths.config, provider),
        origin.Source(origin.BASE, case.paths.config, base),
        origin.Source(origin.ADDED, "", added),
        origin.Source(origin.PROCESS, "", dict(case.environ)),
    ]
    return origin.trace(files, sources_, environment.MANAGED in added)


_ADDED = (environment.MANAGED, environment.ATTRIBUTION, environment.BLOCK_CAP)


def _known(layer: "Layer") -> "dict[str, str | None]":
    """Its variables; a secret that is not in the file has a value that is not known."""
    return {
        name: None if isinstance(value, Secret) else value
        for name, value in layer.env.items()
        if value is not None
    }


def unset(case: Case) -> "Iterator[Finding]":
    """Keys that are to come from a variable that is not set."""
    if not case.config:
        return
    env = {**case.config.base.env, **case.config.providers[case.provider].env}
    for value in env.values():
        if isinstance(value, Secret) and value.variable and not case.environ.get(value.variable):
            told = words.say("secret.variable_missing", path=value.where, variable=value.variable)
            remedy = words.say("secret.variable_hint", variable=value.variable)
            yield Finding(f"key.{value.variable}", PROBLEM, told, remedy)


def contested(case: Case, origins: "list[Origin]") -> "Iterator[Finding]":
    """The variables that are not what ccc.json says."""
    lost = [each for each in origins if not each.as_configured]
    for each in lost:
        file = display_path(each.source.file)
        told = words.say("doctor.contested", name=each.name, file=file)
        remedy = words.say("doctor.contested_remedy", name=each.name, file=file)
        yield Finding(f"variable.{each.name}", WARNING, told, remedy)
    if origins and (unread := _unread(case)):
        told = words.say("doctor.variables_unread", files=unread)
        yield Finding("variables", WARNING, told, words.say("doctor.settings_remedy"))
    elif origins and not lost:
        yield Finding("variables", OK, words.say("doctor.variables_good"))
