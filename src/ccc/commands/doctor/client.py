"""Findings about what claude lacks, from what is known about it."""

from collections.abc import Iterator

from ccc import words
from ccc.claude import binary, clients
from ccc.claude.capabilities import CAPABILITIES, REFUSE, Answers
from ccc.commands.doctor.findings import PROBLEM, WARNING, Case, Finding, ok
from ccc.errors import CccError

_BASH = "reviewer_bash"
_COMPLETE = "client.complete"


def find(case: Case) -> Answers | None:
    """Return what is known about the claude that ccc would run."""
    try:
        return clients.find(case.paths, binary.find(case.environ, case.ccc_path))
    except CccError:
        return None  # the finding about the program says so


def fails_in_sandbox(case: Case) -> bool:
    """Whether the reviewer's commands are known to fail in claude's sandbox."""
    known = find(case)
    return known is not None and known.lacks(_BASH)


def examine(case: Case) -> Iterator[Finding]:
    """Yield what claude lacks, without running it."""
    known = find(case)
    if known is None:
        yield ok("client", "client.unknown", "client.unknown")
    elif not known.missing:
        message, hint = ("client.part", "client.part") if known.unknown else (_COMPLETE, "")
        yield ok("client", message, hint, client=known.version)
    else:
        yield from _lacking(known, case.config.supervisor.sandbox if case.config else "auto")


def _lacking(known: Answers, sandbox: str) -> Iterator[Finding]:
    """Yield what is missing, the worst last, with the remedy that all have in common."""
    missing = [name for name in CAPABILITIES if known.lacks(name) and _matters(name, sandbox)]
    required = {_BASH} if sandbox == "require" else set()
    refused = {name for name in missing if CAPABILITIES[name].without == REFUSE} | required
    missing.sort(key=lambda name: name in refused)
    message, params = clients.advice(known)
    for name in missing:
        key = f"client.{name}_required" if name in required else f"client.{name}"
        what = words.say("client.lacks", client=known.version, what=words.say(key))
        remedy = words.say(message, **params) if name == missing[-1] else ""
        yield Finding(f"client.{name}", PROBLEM if name in refused else WARNING, what, remedy)


def _matters(name: str, sandbox: str) -> bool:
    return name != _BASH or sandbox != "off"
