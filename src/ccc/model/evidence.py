"""Evidence: facts about the work that ccc establishes itself, before it asks a model."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct, to_builtins

from ccc import words

HIGH, LOW = "high", "low"  # the severities of a signal


class Evidence(Struct, frozen=True):
    """A fact about the work; CONTRIBUTING.md shows how to add a kind."""

    name: str
    passed: bool
    key: str = ""
    """Identifies a failure: the same one on an unchanged tree means that the agent is stuck."""
    summary: str = ""  # one line, for the reviewer
    feedback: str = ""  # the message to the agent about a failure
    seconds: float = 0.0
    output: str = ""  # the end of the output
    obstacle: str = ""
    """Why a check could not run, as it couldn't when the task began; then it shows nothing."""

    @property
    def is_failure(self) -> bool:
        """Whether it sends the agent back."""
        return not self.passed and not self.obstacle

    @property
    def mark(self) -> str:
        """The mark in front of it."""
        return "✓" if self.passed else "✗" if self.is_failure else "!"


class Receipt(Evidence, frozen=True):
    """The result of a check; `name` is the user's command."""

    exit_code: int | None = None  # None if the check timed out or couldn't be started
    output_file: str = ""
    head: str = ""
    dirty: bool = False


class Signal(Evidence, frozen=True):
    """A fact with its place. It doesn't say that anything is wrong, so it passes."""

    severity: str = LOW
    file: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """Where it is: `file:line`, or as much of it as is known."""
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def mark(self) -> str:
        """The mark in front of it."""
        return "!" if self.passed else "✗"


def receipt(
    command: str,
    exit_code: int | None,
    seconds: float,
    head: str = "",
    dirty: bool = False,
    **details: str,
) -> Receipt:
    """Create the receipt of a check from its exit code."""
    code = "no exit" if exit_code is None else f"exit {exit_code}"
    tree = f", HEAD {head[:12]}{', uncommitted changes' if dirty else ''}" if head else ""
    return Receipt(
        name=command,
        passed=exit_code == 0,
        key=f"{command} {exit_code}",
        summary=f"`{command}`: {code}, {seconds:.1f} s{tree}",
        seconds=seconds,
        exit_code=exit_code,
        head=head,
        dirty=dirty,
        **details,
    )


def to_record(evidence: Evidence) -> dict[str, object]:
    """Convert the evidence to its form in a session's records."""
    if not isinstance(evidence, Receipt):
        return {name: value for name, value in to_builtins(evidence).items() if value != ""}
    return {
        "command": evidence.name,
        "exit_code": evidence.exit_code,
        "seconds": round(evidence.seconds, 3),
        "output": evidence.output,
        "output_file": evidence.output_file,
        "head": evidence.head,
        "dirty": evidence.dirty,
        **({"obstacle": evidence.obstacle} if evidence.obstacle else {}),
    }


def from_record(raw: Mapping[str, Any]) -> Evidence:
    """Return the evidence in a record; raise msgspec.ValidationError if it is malformed."""
    if "command" not in raw:
        return msgspec.convert(raw, Signal if "severity" in raw else Evidence)
    given = {"exit_code": None, "seconds": 0.0, **raw, "name": raw["command"], "passed": False}
    read = msgspec.convert(given, Receipt)
    return receipt(
        read.name,
        read.exit_code,
        read.seconds,
        head=read.head,
        dirty=read.dirty,
        output=read.output,
        output_file=read.output_file,
        obstacle=read.obstacle,
    )


def not_run(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Return a sentence about each check that could not run."""
    return tuple(
        words.say("check.not_run", command=each.name, reason=each.obstacle)
        for each in evidence
        if each.obstacle
    )
