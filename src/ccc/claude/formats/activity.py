"""What the agent did in a conversation: the commands that it ran and the files that it edited."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ccc.text import lenient_json

RUN, EDIT = "run", "edit"
TOOLS = {
    "Bash": (RUN, "command"),
    "Edit": (EDIT, "file_path"),
    "MultiEdit": (EDIT, "file_path"),
    "NotebookEdit": (EDIT, "notebook_path"),
    "Write": (EDIT, "file_path"),
}
"""What each tool does, and the name of its argument for the command or the path."""
_MOST = 10_000
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Action:
    """A command that the agent ran, or a file that it edited."""

    kind: str
    target: str  # the command, or the file's path
    failed: bool | None = False  # None if there is no result


@dataclass(slots=True)
class Activity:
    """Collects the actions from the blocks of a conversation."""

    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    failed: dict[str, bool] = field(default_factory=dict)

    def read(self, block: Mapping[str, object]) -> None:
        """Read a block of a message; only tool calls and their results matter."""
        if block.get("type") == "tool_use":
            kind, key = TOOLS.get(lenient_json.text(block, "name"), ("", ""))
            if kind:
                if len(self.calls) >= _MOST:  # the last ones matter
                    self.failed.pop(first := next(iter(self.calls)), None)
                    del self.calls[first]
                target = lenient_json.text(block, "input", key)[:_LONGEST]
                self.calls[lenient_json.text(block, "id")] = kind, target
        elif (call := lenient_json.text(block, "tool_use_id")) in self.calls:
            self.failed[call] = block.get("is_error") is True

    def actions(self) -> tuple[Action, ...]:
        """Return the actions in order."""
        return tuple(
            Action(kind, target, self.failed.get(call))
            for call, (kind, target) in self.calls.items()
        )
