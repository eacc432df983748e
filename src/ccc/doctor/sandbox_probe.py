"""Check whether /supervisor works for an agent in claude's sandbox.

`ccc doctor --try` tries it with the user's sandbox settings, in a scratch home, on the scripted
model.
"""

import json
import os
import time
import uuid
from collections.abc import Iterator

from ccc import words
from ccc.claude import binary, sandbox
from ccc.claude.formats import generated_settings, slash
from ccc.doctor.findings import Finding, UserSetup, bad, ok, warn
from ccc.errors import CccError
from ccc.scripted import ScriptedModel, answer
from ccc.scripted.scratch import PROVIDER, Scratch
from ccc.storage import sessions
from ccc.system import spawn, terminal
from ccc.text import lenient_json

_SECONDS = 30.0
_SHOWN = 200
_COPIED = ("sandbox", "disableAllHooks")
_VERDICT = '{"code": "%code%", "completed": true, "feedback": ""}'


def examine(setup: UserSetup, tries: bool) -> Iterator[Finding]:
    """Check the settings for such an agent, and try it if asked to."""
    sandboxes = [lenient_json.mapping(each.settings, "sandbox") for each in setup.all_settings]
    if not any(each.get("enabled") is True for each in sandboxes):
        if tries:
            yield ok("sandbox.tried", "doctor.try_nothing")
        return
    command = f"{setup.ccc_path or 'ccc'} supervisor-mode"
    switch = f"{command} on {slash.THIS_SESSION}"
    is_out = any(generated_settings.leaves_sandbox({"sandbox": each}, switch) for each in sandboxes)
    message = remedy = "doctor.agent_sandbox_launched"
    if is_out:
        yield ok("sandbox.agent", "doctor.agent_sandbox")
    elif setup.has_config or not tries:
        # after a launch, ccc's hook switches outside the sandbox; a plain claude has no such hook
        report = ok if setup.has_config else warn
        yield report("sandbox.agent", message, remedy, command=f"{command} *")
    if not tries:
        return
    if not sandbox.runs(setup.project):
        yield warn("sandbox.tried", "doctor.try_impossible", "doctor.sandbox_missing")
    elif setup.ccc_path:
        if setup.has_config:
            yield _try(setup, False, "doctor.try_fails", command)
        if is_out or not setup.has_config:
            yield _try(setup, True, "doctor.try_fails" if is_out else remedy, command)


def _try(setup: UserSetup, is_plain: bool, remedy: str, command: str) -> Finding:
    """Switch on and off in a new session; return the result."""
    name, start = "sandbox.tried" + (".plain" if is_plain else ""), time.monotonic()
    where = words.say("doctor.try_plain" if is_plain else "doctor.try_launched")
    try:
        failed, detail = _switch(setup, is_plain)
    except CccError as error:
        failed, detail = "supervisor", str(error)
    if not failed:
        seconds = f"{time.monotonic() - start:.0f}"
        return ok(name, "doctor.try_works", where=where, seconds=seconds)
    params = {"name": failed, "where": where, "detail": detail, "command": f"{command} *"}
    return bad(name, "doctor.try_fails", remedy, **params)


def _switch(setup: UserSetup, is_plain: bool) -> tuple[str, str]:
    """Return the first slash command that fails, with its output; empty if both work."""
    claude = binary.find(setup.environ, setup.ccc_path).path
    place, session = Scratch(setup.environ, "project"), str(uuid.uuid4())
    try:
        with ScriptedModel(lambda _: answer(_VERDICT)) as model:
            place.furnish(claude, model.url, {})
            start = _start(setup, place, is_plain)
            for name, option in (("supervisor", "--session-id"), ("supervisoroff", "--resume")):
                output = _run(place, [*start, "-p", option, session, f"/{name}"])
                known = sessions.load(place.where, session)
                if known is None or known.enabled is not (name == "supervisor"):
                    return name, output
    finally:
        spawn.end_all()
        place.leave()
    return "", ""


def _start(setup: UserSetup, place: Scratch, is_plain: bool) -> list[str]:
    """Copy the sandbox's settings; return the command that starts a session with them."""
    config = json.loads(place.read(place.where.config))
    own = os.path.join(place.project, ".claude")
    os.makedirs(own)
    targets = {
        "user": place.where.settings,
        "project": os.path.join(own, "settings.json"),
        "local": os.path.join(own, "settings.local.json"),
    }
    for source in setup.all_settings:
        wanted = {key: source.settings[key] for key in _COPIED if key in source.settings}
        if source.kind == "base":
            config["settings"] = wanted
        elif source.kind == "provider":
            config["providers"][PROVIDER] |= wanted
        elif source.kind in targets:
            place.write(targets[source.kind], json.dumps(wanted))
    place.write(place.where.config, json.dumps(config))
    if not is_plain:
        return [setup.ccc_path, PROVIDER]
    _run(place, [setup.ccc_path, "install"])
    place.env |= config["providers"][PROVIDER]["env"]
    return [os.path.join(place.root, "bin", "claude")]


def _run(place: Scratch, command: list[str]) -> str:
    """Run the command; return ccc's error in its output, else the last line."""
    with open(place.run_log, "wb") as log:
        code = spawn.run_logged(command, place.project, place.env, log.fileno(), timeout=_SECONDS)
    if code is None:
        return words.say("doctor.try_slow", seconds=int(_SECONDS))
    lines = place.run_said().replace(place.home, "~").splitlines() or [f"exit code {code}"]
    errors = [line.removeprefix("ccc: ") for line in lines if line.startswith("ccc: ")]
    return terminal.cut(terminal.plain((errors or lines[-1:])[0]), _SHOWN)
