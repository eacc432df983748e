"""Findings outside ccc's files: claude, the sandbox, other settings and hooks."""

import itertools
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping

import ccc
from ccc import words
from ccc.claude import binary, capabilities, known_claudes, model_hooks, sandbox, settings_files
from ccc.claude.capabilities import CAPABILITIES, REFUSE, Answers
from ccc.claude.formats import environment, generated_settings, settings, variable_origin
from ccc.claude.formats.variable_origin import Origin, Source
from ccc.claude.settings_files import SettingsFile
from ccc.config.layer import Secret, Value
from ccc.doctor.findings import PROBLEM, WARNING, Finding, UserSetup, bad, from_error, ok, warn
from ccc.errors import CccError
from ccc.providers import layers
from ccc.providers import variables as providers_variables
from ccc.storage.paths import display_path
from ccc.system import capture
from ccc.text import lenient_json

_BASH = "reviewer_bash"
_COMPLETE = "client.complete"
_SECONDS = 20.0
_ADDED = (
    *(environment.MANAGED, environment.ATTRIBUTION, environment.BLOCK_CAP),
    environment.CLASSIFIER,
)


def programs(setup: UserSetup) -> Iterator[Finding]:
    """Check ccc itself, and the claude that it would run."""
    report = ok if setup.ccc_path else bad
    yield report(
        "ccc",
        "doctor.ccc",
        "" if setup.ccc_path else "program.unknown",
        version=ccc.__version__,
        file=display_path(setup.ccc_path or sys.argv[0]),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
    )
    on_path = shutil.which("ccc", path=setup.environ.get("PATH", ""))
    if on_path and os.path.realpath(on_path) != os.path.realpath(setup.ccc_path):
        yield warn("ccc.path", "doctor.other_ccc", file=display_path(on_path))
    yield _claude(setup)


def _claude(setup: UserSetup) -> Finding:
    try:
        found = binary.find(setup.environ, setup.ccc_path)
    except CccError as error:
        return from_error("claude", PROBLEM, error)
    file = display_path(found.path)
    printed = capture.output_of([found.path, "--version"], setup.project, setup.environ, _SECONDS)
    if printed is None:
        return bad("claude", "doctor.claude_fails", "claude.missing", file=file)
    version = printed.decode(errors="replace").strip().partition("\n")[0]
    how = words.say("doctor.bundled") if found.rule == "bundled" else found.rule
    if found.too_old[0]:
        old, oldest = found.too_old, capabilities.OLDEST
        params = {"file": display_path(old[0]), "version": old[1], "oldest": oldest}
        return warn("claude", "claude.passed_over", "claude.too_old", used=version, **params)
    return ok("claude", "doctor.claude", version=version, file=file, rule=how)


def _known_answers(setup: UserSetup) -> Answers:
    try:
        return known_claudes.find(setup.paths, binary.find(setup.environ, setup.ccc_path).path)
    except CccError:
        return Answers()  # the finding about the program says so


def client(setup: UserSetup) -> Iterator[Finding]:
    """Yield what claude lacks, without running it."""
    known = _known_answers(setup)
    if not known.version:
        yield ok("client", "client.unknown", "client.unknown")
    elif not known.missing:
        message, hint = ("client.part", "client.part") if known.unknown else (_COMPLETE, "")
        yield ok("client", message, hint, client=known.version)
    else:
        yield from _lacking(known, setup.config.supervisor.sandbox)


def _lacking(known: Answers, sandbox: str) -> Iterator[Finding]:
    """Yield what is missing, the worst last, with the remedy that all have in common."""
    missing = [name for name in CAPABILITIES if known.lacks(name)]
    if sandbox == "off":
        missing = [name for name in missing if name != _BASH]
    required = {_BASH} if sandbox == "require" else set()
    refused = {name for name in missing if CAPABILITIES[name] == REFUSE} | required
    missing.sort(key=lambda name: name in refused)
    for name in missing:
        what = known_claudes.describe(known, f"{name}_required" if name in required else name)
        remedy = known_claudes.advise(known) if name == missing[-1] else ""
        yield Finding(f"client.{name}", PROBLEM if name in refused else WARNING, what, remedy)


def reviewer_sandbox(setup: UserSetup) -> Iterator[Finding]:
    """Check whether claude's sandbox can keep a reviewer from writing."""
    setting = setup.config.supervisor.sandbox
    report = bad if setting == "require" else warn
    if setting == "off":
        yield ok("sandbox", "doctor.sandbox_off")
    elif _known_answers(setup).lacks(_BASH):
        return  # the findings about claude say so
    elif sandbox.runs(setup.project):
        yield ok("sandbox", "doctor.sandbox")
    elif missing := ", ".join(sandbox.missing()):
        yield report("sandbox", "doctor.sandbox_missing", programs=missing)
    else:
        yield report("sandbox", "doctor.sandbox_fails")


def hooks(setup: UserSetup) -> Iterator[Finding]:
    """Check whether hooks run at all, and whether there are other Stop hooks."""
    for source in setup.all_settings:
        if source.problem and source.kind != "user":
            remedy = words.say("doctor.settings_remedy")
            yield Finding(f"settings.{source.kind}", WARNING, source.problem, remedy)
        yield from _hooks_off(source)
    name, others = "other_hooks", 0
    sources = [*setup.all_settings, *_plugins(setup)]
    for source in sources:
        if programs := _other_programs(source):
            file, others = display_path(source.file), others + 1
            yield warn(name, "doctor.other_hooks", file=file, programs=programs)
    if unread := _unread(setup):
        yield warn(name, "doctor.hooks_unread", "doctor.settings_remedy", files=unread)
    elif not others:
        yield ok(name, "doctor.no_other_hooks")
    yield from _hidden_key(setup, sources)


def _plugins(setup: UserSetup) -> Iterator[SettingsFile]:
    enabled: dict[str, object] = {}
    for source in reversed(setup.settings):
        enabled |= lenient_json.mapping(source.settings, "enabledPlugins")
    return settings_files.of_plugins(setup.paths, enabled)


def _hidden_key(setup: UserSetup, sources: list[SettingsFile]) -> Iterator[Finding]:
    """Report hooks that ask a model, for which claude hides the provider's key."""
    if setup.config.share_key_with_hooks and binary.share_key_script():
        return
    if not environment.has_access(layers.without_secrets(setup.config, setup.provider).env):
        return  # they have the user's login
    asking = [display_path(each.file) for each in sources if model_hooks.asks_model(each)]
    if asking:
        yield warn(
            "hidden_key", "doctor.hidden_key", files=", ".join(asking), provider=setup.provider
        )


def _hooks_off(source: SettingsFile) -> Iterator[Finding]:
    # a launch's settings override the project's
    weak = source.kind in ("local", "project")
    report, message = (warn, "doctor.hooks_off_here") if weak else (bad, "doctor.hooks_off")
    for key in ("disableAllHooks", "allowManagedHooksOnly"):
        if source.settings.get(key) and (key == "disableAllHooks" or source.kind == "managed"):
            file, remedy = display_path(source.file), "doctor.hooks_off"
            yield report("hooks_off", message, remedy, key=key, file=file)


def _unread(setup: UserSetup) -> str:
    return ", ".join(display_path(source.file) for source in setup.settings if source.problem)


def _other_programs(source: SettingsFile) -> str:
    """Return the programs of other Stop hooks, without arguments, which may be secret."""
    programs = []
    for hook in settings.other_stop_hooks(source.settings):
        command = hook.get("command")
        line = command.split() if isinstance(command, str) else []
        # `TOKEN=… program`
        line = list(itertools.dropwhile(lambda word: "=" in word, line))
        programs.append(os.path.basename(line[0]) if line else str(hook.get("type")))
    return ", ".join(programs)


def status_line(setup: UserSetup) -> Iterator[Finding]:
    """Check whether claude's status line shows the supervision."""
    own, remedy = setup.users.get("statusLine"), "doctor.no_statusline"
    if not settings.is_our_status_line(own):
        yield ok("statusline", "doctor.no_statusline", remedy)
    elif gone := setup.missing_program(lenient_json.text(own, "command")):
        program = display_path(gone)
        yield warn("statusline", "doctor.statusline_gone", remedy, program=program)
    else:
        yield ok("statusline", "doctor.statusline")


def permission_mode(setup: UserSetup) -> Iterator[Finding]:
    """Tell which permission mode an interactive session starts in, if ccc decides it."""
    merged = layers.without_secrets(setup.config, setup.provider)
    others = [generated_settings.permission_mode(source.settings) for source in setup.settings]
    if any(others):
        return
    if generated_settings.with_manual_mode(merged.settings, merged.env, {}) != merged.settings:
        remedy, provider = "doctor.manual_mode", setup.provider
        yield ok("permission_mode", "doctor.manual_mode", remedy, provider=provider)


def origins(setup: UserSetup) -> list[Origin]:
    """Return where each of claude's variables comes from."""
    if not setup.has_config:
        return []
    config, environ, paths = setup.config, setup.environ, setup.paths
    merged = layers.without_secrets(config, setup.provider)
    limit = config.supervisor.max_iterations
    own = {**merged.file_env(setup.users), **environment.block_cap(setup.users, limit)}
    others = [Source(each.kind, each.file, each.env) for each in setup.settings]
    files = [
        *(each for each in others if each.kind == "managed"),
        Source(variable_origin.OURS, paths.agent_settings(setup.provider), own),
        *(each for each in others if each.kind != "managed"),
    ]
    started = environment.for_claude(environ, merged.env, limit, "")
    added = {
        name: started[name]
        for name in _ADDED
        if name in started and name not in merged.env and environ.get(name) != started[name]
    }
    provider = config.providers[setup.provider].env
    base = {name: v for name, v in config.base.env.items() if provider.get(name, "") is not None}
    process = [
        Source(variable_origin.PROVIDER, paths.config, _known_values(provider)),
        Source(variable_origin.BASE, paths.config, _known_values(base)),
        Source(variable_origin.ADDED, "", added),
        Source(variable_origin.PROCESS, "", environ),
    ]
    return variable_origin.trace(files, process, environment.MANAGED in added)


def _known_values(env: Mapping[str, Value]) -> dict[str, str | None]:
    """Return the variables, with None for a secret that isn't in the file."""
    return {
        name: None if isinstance(value, Secret) else value
        for name, value in env.items()
        if value is not None
    }


def unset_keys(setup: UserSetup) -> Iterator[Finding]:
    """Find keys that come from unset variables."""
    for value in providers_variables.merge(setup.config, setup.provider).values():
        if isinstance(value, Secret) and value.variable and not setup.environ.get(value.variable):
            params = {"path": value.where, "variable": value.variable}
            yield bad(f"key.{value.variable}", "secret.variable_missing", **params)


def variables(setup: UserSetup) -> Iterator[Finding]:
    """Find variables that differ from ccc.json."""
    every = origins(setup)
    lost = [each for each in every if not each.as_configured]
    for each in lost:
        params = {"name": each.name, "file": display_path(each.source.file)}
        yield warn(f"variable.{each.name}", "doctor.contested", **params)
    if every and (unread := _unread(setup)):
        remedy = "doctor.settings_remedy"
        yield warn("variables", "doctor.variables_unread", remedy, files=unread)
    elif every and not lost:
        yield ok("variables", "doctor.variables_good")
