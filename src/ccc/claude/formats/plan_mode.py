"""Who chose plan mode: the user or the agent, as the entries of a conversation show."""

from dataclasses import dataclass, field

from ccc.sessions import glance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PLAN = "plan"


@dataclass(slots=True)
class PlanMode:
    """Plan mode up to the last entry that was read.

    Measured: a typed prompt has its mode, a slash command has none. `permission-mode` entries are
    not in the order of the others, so one that says "plan" counts from the next prompt on. Where
    the user leaves plan mode before a slash command, an attachment after the command says so.
    """

    by_agent: bool = False
    """The agent has called EnterPlanMode, and the mode hasn't been another one since."""
    _by_user: bool = False
    _mode: str = ""
    _calls: set[str] = field(default_factory=set)

    def read(self, entry: "Mapping[str, object]", is_prompt: bool) -> None:
        """Take the next entry, which may be a prompt of the user's."""
        mode = "other" if _is_exit(entry) else glance.text(entry.get("permissionMode"))
        self._mode = mode or self._mode
        if mode not in ("", _PLAN):
            self.by_agent = self._by_user = False
        if is_prompt:
            self._by_user = self._mode == _PLAN
        for block in _blocks(entry):
            self._call(glance.text(block.get("name")), glance.text(block.get("id")))
            # not at the call: it may wait for others of the same message
            if glance.text(block.get("tool_use_id")) in self._calls:
                self.by_agent = self.by_agent or not self._by_user

    def _call(self, tool: str, call: str) -> None:
        if tool == "EnterPlanMode":
            self._calls.add(call)
        if tool == "ExitPlanMode":
            self._by_user = False


def _is_exit(entry: "Mapping[str, object]") -> bool:
    attachment = entry.get("attachment")
    return isinstance(attachment, dict) and attachment.get("type") == "plan_mode_exit"


def _blocks(entry: "Mapping[str, object]") -> "Iterator[Mapping[str, object]]":
    """The calls and results of an entry."""
    message = entry.get("message") if entry.get("type") in ("user", "assistant") else None
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result"):
            yield block
