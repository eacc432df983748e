"""A stop that is to be judged: what is known of it, and who is shown what meanwhile."""

from dataclasses import dataclass

from ccc.claude.formats.permission import Denials
from ccc.system import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from ccc.claude.formats.event import Stop
    from ccc.claude.formats.transcript import Conversation
    from ccc.config.schema import Config, Supervisor
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths
    from ccc.storage.state import State
    from ccc.supervision.receipt import Receipt
    from ccc.supervision.session_state import Tasks


_NO_DENIALS = Denials()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A stop, its session and the rules that hold for it."""

    where: "Paths"
    session: str
    state: "State"
    config: "Config"
    project: str
    event: "Stop"
    conversation: "Conversation"
    requests: "Sequence[str]"
    """What the user asked for in this task."""
    began: str
    """The prompt with which the task began."""
    started: float
    now: float
    journal: "Journal"
    tasks: "Tasks"
    environ: "Mapping[str, str]"
    of_the_user: bool = True
    """Whether the prompt before the stop was the user's."""
    denials: Denials = _NO_DENIALS
    settings_file: str = ""
    notes: tuple[str, ...] = ()
    """What the user should know besides."""

    @property
    def limits(self) -> "Supervisor":
        """The rules of supervision."""
        return self.config.supervisor


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is shown what while a stop is judged; the hook's is stderr."""

    voice: str = "hook."
    """What the names of the recorder's messages begin with."""
    show: "Callable[[str, str], None]" = lambda name, text: terminal.tell(text)
    """Shows a message, whose name says what it is about."""
    says: "Callable[[str], None]" = terminal.tell
    """Shows what the reviewer says."""
    on_message: "Callable[[dict[str, Any]], None]" = lambda message: None
    """Gets each line of the reviewer's stream."""
    on_check: "Callable[[str], None]" = lambda command: None
    on_receipt: "Callable[[Receipt], None]" = lambda receipt: None
