"""The outcome of a run; its repr is the failure report."""

from dataclasses import dataclass, field
from typing import Any

from harness.scripted import ScriptedModel


@dataclass(frozen=True)
class Outcome:
    """A finished run of ccc or claude."""

    argv: tuple[str, ...]
    code: int
    stdout: str
    stderr: str
    seconds: float
    model: ScriptedModel | None = None
    files: dict[str, str] = field(default_factory=dict)

    @property
    def result(self) -> dict[str, Any]:
        """Return the result object of `--output-format json`."""
        import json

        value: dict[str, Any] = json.loads(self.stdout)
        return value

    def succeeded(self) -> "Outcome":
        """Fail the test with the whole report unless the exit code is 0."""
        assert self.code == 0, self
        return self

    def __repr__(self) -> str:
        parts = [
            f"$ {' '.join(self.argv)}",
            f"exit {self.code} after {self.seconds:.1f} s",
            f"--- stdout\n{self.stdout}" if self.stdout else "--- no stdout",
            f"--- stderr\n{self.stderr}" if self.stderr else "--- no stderr",
        ]
        parts += [f"--- {name}\n{text}" for name, text in self.files.items()]
        if self.model is not None:
            parts.append(f"--- {self.model!r}")
        return "\n" + "\n".join(parts)
