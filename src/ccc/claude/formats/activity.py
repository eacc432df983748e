"""What the agent did in a conversation: its commands and edits, and who chose plan mode."""

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude.formats import transcript_entry
from ccc.claude.formats.transcript_entry import Entry
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
_PLAN = "plan"


class Action(Struct, frozen=True):
    """A command that the agent ran, or a file that it edited."""

    kind: str
    target: str  # the command, or the file's path
    failed: bool | None = False  # None if there is no result


class Activity(Struct):
    """Collects the actions from the blocks of a conversation, each by the id of its call."""

    actions: dict[str, Action] = field(default_factory=dict)

    def read(self, block: Mapping[str, object]) -> None:
        """Read a block of a message; only tool calls and their results matter."""
        if block.get("type") == "tool_use":
            kind, key = TOOLS.get(lenient_json.text(block, "name"), ("", ""))
            if kind:
                if len(self.actions) >= _MOST:  # the last ones matter
                    del self.actions[next(iter(self.actions))]
                target = lenient_json.text(block, "input", key)[:_LONGEST]
                self.actions[lenient_json.text(block, "id")] = Action(kind, target, None)
        elif known := self.actions.get(call := lenient_json.text(block, "tool_use_id")):
            self.actions[call] = replace(known, failed=block.get("is_error") is True)


class PlanMode(Struct):
    """Who chose plan mode, the user or the agent, up to the last entry.

    Measured: a typed prompt has its mode, a slash command has none. `permission-mode` entries are
    out of order with the others, so one that says "plan" counts from the next prompt on. If the
    user leaves plan mode before a slash command, an attachment after the command says so.
    """

    by_agent: bool = False
    """Whether the agent has called EnterPlanMode, and the mode hasn't changed since."""
    by_user: bool = False
    mode: str = ""
    calls: set[str] = field(default_factory=set)

    def read(self, entry: Entry, is_prompt: bool) -> None:
        """Read the mode of an entry, which may be a prompt of the user's."""
        is_exit = transcript_entry.attachment_type(entry) == "plan_mode_exit"
        mode = "other" if is_exit else lenient_json.text(entry, "permissionMode")
        self.mode = mode or self.mode
        if mode not in ("", _PLAN):
            self.by_agent = self.by_user = False
        if is_prompt:
            self.by_user = self.mode == _PLAN

    def read_block(self, block: Mapping[str, object]) -> None:
        """Read a tool call, or the result of one."""
        if block.get("type") == "tool_use":
            self._read_call(block)
        # not at the call, which may wait for other calls in the same message
        elif lenient_json.text(block, "tool_use_id") in self.calls:
            self.by_agent = self.by_agent or not self.by_user

    def _read_call(self, block: Mapping[str, object]) -> None:
        if block.get("name") == "EnterPlanMode":
            self.calls.add(lenient_json.text(block, "id"))
        elif block.get("name") == "ExitPlanMode":
            self.by_user = False
