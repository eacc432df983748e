"""Findings outside ccc's files: claude, the sandbox, other settings and hooks."""

import itertools
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping

import ccc
from ccc import words
from ccc.claude import binary, capabilities, model_hooks, sandbox, settings_files
from ccc.claude.formats import environment, generated_settings, settings, variable_origin
from ccc.claude.formats.variable_origin import Origin
from ccc.claude.settings_files import Source
from ccc.commands.doctor import client
from ccc.commands.doctor.findings import PROBLEM, WARNING, Case, Finding, bad, from_error, ok, warn
from ccc.config.layer import Secret, Value
from ccc.errors import CccError
from ccc.providers import layers
from ccc.storage.paths import display_path
from ccc.system import capture

_SECONDS = 20.0
_ADDED = (
    *(environment.MANAGED, environment.ATTRIBUTION, environment.BLOCK_CAP),
    environment.CLASSIFIER,
)


def programs(case: Case) -> Iterator[Finding]:
    """Check ccc itself, and the claude that it would run."""
    report = ok if case.ccc_path else bad
    yield report(
        "ccc",
        "doctor.ccc",
        "" if case.ccc_path else "program.unknown",
        version=ccc.__version__,
        file=display_path(case.ccc_path or sys.argv[0]),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
    )
    on_path = shutil.which("ccc", path=case.environ.get("PATH", ""))
    if on_path and os.path.realpath(on_path) != os.path.realpath(case.ccc_path):
        yield warn("ccc.path", "doctor.other_ccc", file=display_path(on_path))
    yield _claude(case)


def _claude(case: Case) -> Finding:
    try:
        found = binary.find_by_rule(case.environ, case.ccc_path)
    except CccError as error:
        return from_error("claude", PROBLEM, error)
    file = display_path(found.path)
    printed = capture.output_of([found.path, "--version"], case.project, case.environ, _SECONDS)
    if printed is None:
        return bad("claude", "doctor.claude_fails", "claude.missing", file=file)
    version = printed.decode(errors="replace").strip().partition("\n")[0]
    how = words.say("doctor.bundled") if found.rule == "bundled" else found.rule
    if found.too_old[0]:
        old, oldest = found.too_old, capabilities.OLDEST
        params = {"file": display_path(old[0]), "version": old[1], "oldest": oldest}
        return warn("claude", "claude.passed_over", "claude.too_old", used=version, **params)
    return ok("claude", "doctor.claude", version=version, file=file, rule=how)


def reviewer_sandbox(case: Case) -> Iterator[Finding]:
    """Check whether claude's sandbox can keep a reviewer from writing."""
    setting = case.config.supervisor.sandbox if case.config else "auto"
    report = bad if setting == "require" else warn
    if setting == "off":
        yield ok("sandbox", "doctor.sandbox_off")
    elif client.fails_in_sandbox(case):
        return  # the findings about claude say so
    elif sandbox.runs(case.project):
        yield ok("sandbox", "doctor.sandbox")
    elif missing := ", ".join(sandbox.missing()):
        yield report("sandbox", "doctor.sandbox_missing", programs=missing)
    else:
        yield report("sandbox", "doctor.sandbox_fails")


def hooks(case: Case) -> Iterator[Finding]:
    """Check whether hooks run at all, and whether there are other Stop hooks."""
    for source in case.all_settings:
        if source.problem and source.kind != "user":
            remedy = words.say("doctor.settings_remedy")
            yield Finding(f"settings.{source.kind}", WARNING, source.problem, remedy)
        yield from _hooks_off(source)
    name, others = "other_hooks", 0
    sources = [*case.all_settings, *_plugins(case)]
    for source in sources:
        if programs := _other_programs(source):
            file, others = display_path(source.file), others + 1
            yield warn(name, "doctor.other_hooks", file=file, programs=programs)
    if unread := _unread(case):
        yield warn(name, "doctor.hooks_unread", "doctor.settings_remedy", files=unread)
    elif not others:
        yield ok(name, "doctor.no_other_hooks")
    yield from _hidden_key(case, sources)


def _plugins(case: Case) -> Iterator[Source]:
    """Read the hooks of the enabled plugins."""
    enabled: dict[str, object] = {}
    for source in reversed(case.settings):
        plugins = source.settings.get("enabledPlugins")
        enabled |= plugins if isinstance(plugins, dict) else {}
    return settings_files.of_plugins(case.paths, enabled)


def _hidden_key(case: Case, sources: list[Source]) -> Iterator[Finding]:
    """Report hooks that ask a model, for which claude hides the provider's key."""
    if not case.config:
        return
    if case.config.share_key_with_hooks and binary.share_key_script():
        return
    if not environment.has_access(layers.without_secrets(case.config, case.provider).env):
        return  # they have the user's login
    asking = [display_path(each.file) for each in sources if model_hooks.asks_model(each)]
    if asking:
        yield warn(
            "hidden_key", "doctor.hidden_key", files=", ".join(asking), provider=case.provider
        )


def _hooks_off(source: Source) -> Iterator[Finding]:
    # a launch's settings override the project's
    weak = source.kind in ("local", "project")
    report, message = (warn, "doctor.hooks_off_here") if weak else (bad, "doctor.hooks_off")
    for key in ("disableAllHooks", "allowManagedHooksOnly"):
        if source.settings.get(key) and (key == "disableAllHooks" or source.kind == "managed"):
            file, remedy = display_path(source.file), "doctor.hooks_off"
            yield report("hooks_off", message, remedy, key=key, file=file)


def _unread(case: Case) -> str:
    return ", ".join(display_path(source.file) for source in case.settings if source.problem)


def _other_programs(source: Source) -> str:
    """Return the programs of other Stop hooks, without arguments, which may be secret."""
    programs = []
    for hook in settings.other_stop_hooks(source.settings):
        command = hook.get("command")
        line = command.split() if isinstance(command, str) else []
        # `TOKEN=… program`
        line = list(itertools.dropwhile(lambda word: "=" in word, line))
        programs.append(os.path.basename(line[0]) if line else str(hook.get("type")))
    return ", ".join(programs)


def status_line(case: Case) -> Iterator[Finding]:
    """Check whether claude's status line shows the supervision."""
    own, remedy = case.users.get("statusLine"), "doctor.no_statusline"
    if not isinstance(own, dict) or not settings.is_our_status_line(own):
        yield ok("statusline", "doctor.no_statusline", remedy)
    elif gone := case.missing_program(str(own["command"])):
        program = display_path(gone)
        yield warn("statusline", "doctor.statusline_gone", remedy, program=program)
    else:
        yield ok("statusline", "doctor.statusline")


def permission_mode(case: Case) -> Iterator[Finding]:
    """Tell which permission mode an interactive session starts in, if ccc decides it."""
    if not case.config:
        return
    merged = layers.without_secrets(case.config, case.provider)
    others = [generated_settings.permission_mode(source.settings) for source in case.settings]
    if any(others):
        return
    if generated_settings.with_manual_mode(merged.settings, merged.env, {}) != merged.settings:
        remedy, provider = "doctor.manual_mode", case.provider
        yield ok("permission_mode", "doctor.manual_mode", remedy, provider=provider)


def origins(case: Case) -> list[Origin]:
    """Return where each of claude's variables comes from."""
    if not case.config:
        return []
    config, environ = case.config, case.environ
    merged = layers.without_secrets(config, case.provider)
    limit = config.supervisor.max_iterations
    own: dict[str, str | None] = {
        **merged.file_env(case.users),
        **environment.block_cap(case.users, limit),
    }
    own_file = variable_origin.Source(
        variable_origin.OURS, case.paths.agent_settings(case.provider), own
    )
    others = [variable_origin.Source(s.kind, s.file, s.env) for s in case.settings]
    others.sort(key=lambda source: source.kind != "managed")
    managed = sum(source.kind == "managed" for source in others)
    started = environment.for_claude(environ, merged.env, limit, "")
    added = {
        name: started[name]
        for name in _ADDED
        if name in started and name not in merged.env and environ.get(name) != started[name]
    }
    provider, paths = config.providers[case.provider].env, case.paths
    base = {name: v for name, v in config.base.env.items() if provider.get(name, "") is not None}
    process = [
        variable_origin.Source(variable_origin.PROVIDER, paths.config, _known_values(provider)),
        variable_origin.Source(variable_origin.BASE, paths.config, _known_values(base)),
        variable_origin.Source(variable_origin.ADDED, "", added),
        variable_origin.Source(variable_origin.PROCESS, "", dict(environ)),
    ]
    files = [*others[:managed], own_file, *others[managed:]]
    return variable_origin.trace(files, process, environment.MANAGED in added)


def _known_values(env: Mapping[str, Value]) -> dict[str, str | None]:
    """Return the variables, with None for a secret that isn't in the file."""
    return {
        name: None if isinstance(value, Secret) else value
        for name, value in env.items()
        if value is not None
    }


def unset_keys(case: Case) -> Iterator[Finding]:
    """Find keys that come from unset variables."""
    if not case.config:
        return
    env = {**case.config.base.env, **case.config.providers[case.provider].env}
    for value in env.values():
        if isinstance(value, Secret) and value.variable and not case.environ.get(value.variable):
            params = {"path": value.where, "variable": value.variable}
            yield bad(f"key.{value.variable}", "secret.variable_missing", **params)


def variables(case: Case) -> Iterator[Finding]:
    """Find variables that differ from ccc.json."""
    every = origins(case)
    lost = [each for each in every if not each.as_configured]
    for each in lost:
        params = {"name": each.name, "file": display_path(each.source.file)}
        yield warn(f"variable.{each.name}", "doctor.contested", **params)
    if every and (unread := _unread(case)):
        remedy = "doctor.settings_remedy"
        yield warn("variables", "doctor.variables_unread", remedy, files=unread)
    elif every and not lost:
        yield ok("variables", "doctor.variables_good")
