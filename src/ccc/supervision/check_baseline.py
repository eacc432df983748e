"""Which checks could run when supervision began: only the others may be left out later."""

import os
from collections.abc import Mapping
from dataclasses import replace

from ccc import words
from ccc.config import ccc_json, projects
from ccc.config.schema import Check, Config
from ccc.errors import CccError
from ccc.model.evidence import Receipt, not_run, receipt
from ccc.model.state import State
from ccc.project import check_obstacles, checks
from ccc.storage.paths import Paths
from ccc.system import terminal


def begin(where: Paths, state: State, project: str) -> State:
    """Return the state with the checks as they are when supervision begins in the project."""
    if not project or not state.begins_supervision:
        return state
    try:
        config = projects.apply(ccc_json.read(where), project)
    except CccError:
        return state  # the first stop reports the error
    return replace(state, projects=config.roots, checks=find(config, project))


def find(config: Config, directory: str) -> dict[str, str]:
    """Return for each check why it can't run in the session's directory now, or ""."""
    return {
        check.key: _obstacle(check, check.directory or directory)
        for check in config.supervisor.checks
    }


def _obstacle(check: Check, directory: str, commit: str = "") -> str:
    path = os.environ.get("PATH", os.defpath)
    return check_obstacles.find(check.command, directory, path, commit)


def list_checks(config: Config, directory: str) -> str:
    """List the checks that apply, or say how to set them; "" is an unknown directory."""
    parts = []
    for check in config.supervisor.checks:
        name = terminal.cut(check.command, 40)
        reason = _obstacle(check, check.directory or directory) if directory else ""
        parts.append(words.say("mode.cannot_run", command=name, reason=reason) if reason else name)
    detected = checks.detect(directory) if directory and not parts else []
    if detected:
        hint = words.say("mode.detected", command=detected[0])
        return words.say("mode.none_detected", hint=hint)
    return words.say("comma").join(parts) or words.say("mode.no_checks")


def describe(found: Mapping[str, str]) -> str:
    """Describe the checks that can't run; "" if there are none."""
    commands = ((name.rpartition("\n")[0], reason) for name, reason in found.items())
    return " ".join(not_run(receipt(name, None, 0.0, obstacle=why) for name, why in commands))


def excuse(check: Check, failed: Receipt, state: State, directory: str) -> Receipt:
    """Return the receipt of a check that failed, with the reason if it could never run.

    If the agent has removed what the check needs, it has failed the check.
    """
    now, known = _obstacle(check, directory), state.checks.get(check.key)
    if now and known is None and state.start_head:
        # a check that has been configured since, or a session that ccc sees for the first time
        known = _obstacle(check, directory, state.start_head)
    return replace(failed, obstacle=now, feedback="") if now and known else failed
