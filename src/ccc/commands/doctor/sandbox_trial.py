"""The doctor's look at an agent in claude's sandbox: whether /supervisor switches there.

`ccc doctor --try` really does it: the user's own sandbox settings, in a scratch home, on the
scripted model.
"""

import json
import os
import time
import uuid

from ccc import words
from ccc.claude import binary, sandbox
from ccc.claude.formats import session_settings, slash
from ccc.commands.doctor import environment
from ccc.commands.doctor.findings import OK, PROBLEM, WARNING, Case, Finding
from ccc.errors import CccError
from ccc.storage import sessions
from ccc.system import spawn, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.demo.scratch import Scratch

_SECONDS = 30.0
_SHOWN = 200
_COPIED = ("sandbox", "disableAllHooks")
_VERDICT = '{"code": "%code%", "completed": true, "feedback": ""}'


def findings(case: Case, is_tried: bool) -> "Iterator[Finding]":
    """What the settings say of such an agent, and what came of trying it."""
    read = [*case.settings, *environment.configured(case)]
    found = [own for source in read if isinstance(own := source.settings.get("sandbox"), dict)]
    if not any(own.get("enabled") is True for own in found):
        if is_tried:
            yield Finding("sandbox.tried", OK, words.say("doctor.try_nothing"))
        return
    command = f"{case.ourselves or 'ccc'} supervisor-mode"
    switch = f"{command} on {slash.THIS_SESSION}"
    is_out = any(session_settings.leaves_sandbox({"sandbox": own}, switch) for own in found)
    remedy = words.say("doctor.agent_sandbox_remedy", command=f"{command} *")
    if is_out:
        yield Finding("sandbox.agent", OK, words.say("doctor.agent_sandbox"))
    elif case.config or not is_tried:
        # in a launch our hook switches, outside of the sandbox; a plain claude has no such hook
        told = words.say("doctor.agent_sandbox_launched")
        yield Finding("sandbox.agent", OK if case.config else WARNING, told, remedy)
    if is_tried and not sandbox.runs(case.project):
        told = words.say("doctor.try_impossible")
        yield Finding("sandbox.tried", WARNING, told, words.say("doctor.sandbox_remedy"))
    elif is_tried and case.ourselves:
        ways = [False] if case.config else []
        for is_plain in [*ways, True] if is_out or not case.config else ways:
            yield _tried(case, is_plain, remedy if is_plain and not is_out else "")


def _tried(case: Case, is_plain: bool, remedy: str) -> Finding:
    """Switch on and off in a session of its own; what came of it."""
    name, begun = "sandbox.tried" + (".plain" if is_plain else ""), time.monotonic()
    where = words.say("doctor.try_plain" if is_plain else "doctor.try_launched")
    try:
        failed, detail = _switched(case, is_plain)
    except CccError as error:
        failed, detail = "supervisor", str(error)
    took = f"{time.monotonic() - begun:.0f}"
    if not failed:
        return Finding(name, OK, words.say("doctor.try_works", where=where, seconds=took))
    told = words.say("doctor.try_fails", name=failed, where=where, detail=detail)
    return Finding(name, PROBLEM, told, remedy or words.say("doctor.try_remedy"))


def _switched(case: Case, is_plain: bool) -> tuple[str, str]:
    """The first slash command that does not switch, with what was said; nothing where both do."""
    from ccc.demo.scratch import Scratch
    from ccc.scripted import Rule, Scenario, ScriptedModel, answer, anything

    claude = binary.find(case.environ, case.ourselves)
    place, session = Scratch(case.environ, keep=False), str(uuid.uuid4())
    try:
        with ScriptedModel(Scenario([Rule(anything(), lambda _: answer(_VERDICT))])) as model:
            place.furnish(claude, model.url)
            start = _start(case, place, is_plain)
            for name, option in (("supervisor", "--session-id"), ("supervisoroff", "--resume")):
                said = _said(place, [*start, "-p", option, session, f"/{name}"])
                known = sessions.load(place.where, session)
                if known is None or known.enabled is not (name == "supervisor"):
                    return name, said
    finally:
        spawn.end_all()
        place.leave()
    return "", ""


def _start(case: Case, place: "Scratch", is_plain: bool) -> list[str]:
    """Put the settings of the sandbox there; what starts a session with them."""
    from ccc.demo.scratch import PROVIDER

    config = json.loads(place.read(place.where.config))
    own = os.path.join(place.project, ".claude")
    os.makedirs(own)
    targets = {
        "user": place.where.settings,
        "project": os.path.join(own, "settings.json"),
        "local": os.path.join(own, "settings.local.json"),
    }
    for source in [*case.settings, *environment.configured(case)]:
        wanted = {key: source.settings[key] for key in _COPIED if key in source.settings}
        if source.kind == "base":
            config["settings"] = wanted
        elif source.kind == "provider":
            config["providers"][PROVIDER] |= wanted
        elif source.kind in targets:
            place.write(targets[source.kind], json.dumps(wanted))
    place.write(place.where.config, json.dumps(config))
    if not is_plain:
        return [case.ourselves, PROVIDER]
    _said(place, [case.ourselves, "install"])
    place.env |= config["providers"][PROVIDER]["env"]
    return [os.path.join(place.root, "bin", "claude")]


def _said(place: "Scratch", command: list[str]) -> str:
    """What the command says: its error of ccc's, else its last line."""
    with open(place.run_log, "wb") as log:
        code = spawn.run_logged(command, place.project, place.env, log.fileno(), _SECONDS)
    if code is None:
        return words.say("doctor.try_slow", seconds=int(_SECONDS))
    lines = place.run_said().replace(place.home, "~").splitlines() or [f"exit code {code}"]
    ours = [line.removeprefix("ccc: ") for line in lines if line.startswith("ccc: ")]
    return terminal.cut(terminal.plain((ours or lines[-1:])[0]), _SHOWN)
