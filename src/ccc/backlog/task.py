"""A task of the backlog: what is wanted, how far it is, what came of it."""

import re
import unicodedata
from collections.abc import Mapping

from msgspec import Struct, field

WAITING, RUNNING, NEEDS_INPUT = "waiting", "running", "needs_input"
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
STATES = (RUNNING, NEEDS_INPUT, FAILED, WAITING, COMPLETED, CANCELLED)  # in the order of the board
ENDED = (COMPLETED, FAILED, CANCELLED)
MARKS = {COMPLETED: "✓", FAILED: "✗", NEEDS_INPUT: "?", CANCELLED: "–", RUNNING: "▸", WAITING: "·"}
MOST_PRIORITY = 1_000_000
LARGEST_ID = 2**31 - 1
FIRST, LAST = "first", "last"  # where a waiting task can be moved, besides to a priority

_LONGEST_SLUG = 32
_LONGEST_TITLE, _LONGEST_HEADLINE = 200, 72
_URL = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]*://|[^/@\s]+@[^/:\s]+:)")


class QueuedTask(Struct, frozen=True):
    """A task; its id is 0 until it is stored."""

    id: int = 0
    text: str = ""
    repo: str = ""  # the directory or the URL of the repository
    branch: str = ""
    base: str = ""  # the commit or branch to start from; empty for the repository's HEAD
    providers: tuple[str, ...] = ()
    """In the order in which they are tried; empty for the worker's current provider."""
    checks: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()  # additional permissions for the agent
    limits: Mapping[str, int | float] = field(default_factory=dict)
    """The options of `ccc run` that limit it, as `max_cost_usd`."""
    setup: str = ""  # a command that prepares a new worktree
    push: bool = False
    push_url: str = ""
    """Where origin was when it was added; empty if the repository is a URL itself."""
    pull_request: bool = False
    priority: int = 0
    after: tuple[int, ...] = ()  # the tasks that must be completed before this one starts
    state: str = WAITING
    outcome: str = ""  # that of the last `ccc run`, or what prevented one
    detail: str = ""
    message: str = ""  # the user's answer, which the agent gets next
    created_at: float = 0.0
    started_at: float = 0.0
    ended_at: float = 0.0
    run: int = 0  # the number of its current or last run
    runs: int = 0
    worker: str = ""  # the worker that runs it
    host: str = ""  # the machine with its worktree
    provider: str = ""  # that of the current or last run
    worktree: str = ""
    start: str = ""  # the commit from which its branch started
    session: str = ""
    cost_usd: float = 0.0  # the cost of all its runs; of a running one, so far
    cost_source: str = ""
    is_cancelled: bool = False  # whether a running task is to be cancelled
    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0
    is_pushed: bool = False
    pull_request_url: str = ""

    @property
    def title(self) -> str:
        """The task on one line."""
        return " ".join(self.text.split())[:_LONGEST_TITLE]

    @property
    def headline(self) -> str:
        """The first line of the task, short enough for a commit or a pull request."""
        return self.text.strip().partition("\n")[0][:_LONGEST_HEADLINE]

    @property
    def branch_name(self) -> str:
        """The branch with the result."""
        return self.branch or f"ccc/{self.id}-{slug(self.text)}"

    @property
    def is_remote(self) -> bool:
        """Whether the repository has to be cloned."""
        return is_url(self.repo)

    @property
    def stage(self) -> str:
        """What a form about the task names, so that it reaches no later question or run.

        A run ends with its question, so it asks only one.
        """
        return f"{self.run}-{self.state}"

    @property
    def is_ended(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return self.state in ENDED


def is_place(text: str) -> bool:
    """Return whether a waiting task can be moved there: `first`, `last` or a priority."""
    try:
        return text in (FIRST, LAST) or abs(int(text)) <= MOST_PRIORITY
    except ValueError:
        return False


def is_url(repo: str) -> bool:
    """Return whether a repository is given by its URL, also in the form user@host:path."""
    return bool(_URL.match(repo))


def slug(text: str) -> str:
    """Return a few words of the text as a part of a branch's name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    name = ""
    for word in re.findall(r"[a-z0-9]+", plain):
        if name and len(name) + len(word) >= _LONGEST_SLUG:
            break
        name += f"-{word[:_LONGEST_SLUG]}"
    return name.strip("-") or "task"
