"""Run the sessions of the self-test, and collect the answers."""

import time
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ccc.claude.capabilities import CAPABILITIES
from ccc.errors import CccError
from ccc.selftest.sessions import (
    InteractiveSession,
    PrintSession,
    Session,
    StreamedSession,
    UnsandboxedSession,
)
from ccc.system import spawn, terminal

_LOOK_SECONDS = 0.03
_SHOWN = 400

OnAnswer = Callable[[str, bool], None]  # called with each capability, and whether the claude has it


class Report(Struct, frozen=True):
    """The answers about a claude; a capability that isn't in `answers` is unknown."""

    version: str
    answers: Mapping[str, bool]
    seconds: float = 0.0
    is_late: bool = False
    """Whether a session took too long, so that some of its questions have no answer.

    One on a terminal doesn't count: a new dialog of claude's may hold it for good.
    """

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the capabilities that it doesn't have."""
        return tuple(name for name in CAPABILITIES if self.answers.get(name) is False)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the capabilities that could not be tested."""
        return tuple(name for name in CAPABILITIES if name not in self.answers)


def run(
    program: str, claude: str, is_interactive: bool, on_answer: OnAnswer, seconds: float
) -> Report:
    """Test a claude with ccc's own program; raise CccError if no session starts.

    `seconds` is the maximum for each session; they run at the same time.
    """
    begin = time.monotonic()
    kinds = [PrintSession, StreamedSession, *([InteractiveSession] if is_interactive else [])]
    ended: list[Session] = []
    answers: dict[str, bool] = {}

    def hold(*kinds: type[Session]) -> None:
        running = [kind(program, claude, seconds) for kind in kinds]
        ended.extend(running)
        for session in running:
            session.start()
        _watch(running, answers, on_answer)

    try:
        hold(*kinds)
        if answers.get("reviewer_bash") is False and "read_only" not in answers:
            hold(UnsandboxedSession)
        version, printed = ended[0].place.version, ended[0].printed()
    finally:
        for session in ended:
            session.end()
        spawn.end_all()
    if not answers.keys() & PrintSession.asks.keys():
        output = terminal.plain(printed[-_SHOWN:])
        raise CccError("selftest.fails", version=version, output=output)
    is_late = any(each.is_late and not isinstance(each, InteractiveSession) for each in ended)
    return Report(version, answers, time.monotonic() - begin, is_late)


def _watch(running: Sequence[Session], answers: dict[str, bool], on_answer: OnAnswer) -> None:
    """Ask each session its questions until it is over or has answered them."""
    open_sessions = list(running)
    while open_sessions:
        for session in list(open_sessions):
            seen = session.look()
            for name in [each for each in session.asks if each not in answers]:
                answer = session.asks[name](seen)
                if answer is not None:
                    answers[name] = answer
                    on_answer(name, answer)
            is_over = seen.is_over or session.is_late
            if is_over or answers.keys() >= session.asks.keys():
                open_sessions.remove(session)
        time.sleep(_LOOK_SECONDS)
