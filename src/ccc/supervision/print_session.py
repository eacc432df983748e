"""A supervised `claude -p`: how it ended, as an exit code and a line on stderr.

With text or json output, claude shows nothing of what the Stop hook says.
"""

import sys
import time

from ccc import words
from ccc.claude.formats import arguments
from ccc.claude.formats.command_line import Plan
from ccc.claude.launch import Launch
from ccc.model.outcome import CUT_OFF, INTERRUPTED, NOT_JUDGED, OUTCOMES, exit_code
from ccc.model.state import State
from ccc.sessions import tail
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.system import foreground, terminal
from ccc.text import lenient_json
from ccc.ui import formatting

_MAX_DETAIL = 300
_RECORD_BYTES = 256 * 1024


def is_expected(launch: Launch, was_on: bool) -> bool:
    """Whether claude prints, and its session is supervised or may turn out to be.

    A program that sends messages (stream-json) gets the hook's messages in the stream.
    """
    given = launch.arguments
    if not (given.prints or launch.base_arguments.prints) or not launch.has_session:
        return False
    if arguments.streams_input(given.rest):
        return False
    prompt = arguments.unattended(given.rest).task
    is_unknown = not prompt or (given.chooses_session and not given.session_id)
    return was_on or is_unknown or arguments.asks_supervision(prompt)


def run(launch: Launch, plan: Plan, was_on: bool) -> int:
    """Run claude, tell the user if the work wasn't completed, and return the exit code.

    An exit code of claude's that isn't 0 has precedence.
    """
    since = time.time()
    program = foreground.Program(plan)
    code = program.wait()
    if code:
        return code
    prompt = arguments.unattended(launch.arguments.rest).task
    is_task = arguments.asks_supervision(prompt) and len(prompt.split()) > 1
    # another slash command may end without a turn
    is_due = is_task or (was_on and not prompt.startswith("/") and prompt != "")
    state = _find_state(launch.paths, launch.session)
    if program.is_interrupted and not (state and state.decided_at >= since):
        # measured: claude -p exits with 0, after a message without a line feed
        return _tell_interrupted(launch.session) if is_due else 0
    return _conclude(launch.paths, state, since, is_due)


def _find_state(where: Paths, launch: str) -> State | None:
    """Return the state of the conversation that the launch's claude was in."""
    own = sessions.load(where, launch)
    moved = own and own.conversation and not own.is_named
    return sessions.load(where, own.conversation) if own and moved else own


def _conclude(where: Paths, state: State | None, since: float, is_due: bool) -> int:
    """Tell how the session ended, and return the exit code; `is_due`: a stop had to be judged."""
    if state is None:
        return _end(words.say("print.no_state", file=where.state_dir)) if is_due else 0
    if not state.enabled:
        return _end(words.say("print.not_on")) if is_due else 0
    # a killed hook leaves the stop in the state
    is_cut_off = bool(state.stop.phase)
    if state.decided_at < since and not is_cut_off:
        return _end(words.say("print.no_stop")) if is_due else 0
    outcome = OUTCOMES[CUT_OFF if is_cut_off else state.outcome]
    if outcome.mark == OUTCOMES["completed"].mark:
        return 0
    session = state.session_id
    reason = "" if is_cut_off else _last_reason(where, session)
    label = formatting.outcome(outcome.name)
    label = words.say("print.because", label=label, reason=reason) if reason else label
    return _end(words.say("print.ended", label=label, session=session), outcome.exit_code)


def _tell_interrupted(session: str) -> int:
    message = words.say("print.ended", label=words.say("look.interrupted"), session=session)
    is_on_terminal = terminal.columns(sys.stderr) is not None
    return _end("\n" * is_on_terminal + message, exit_code(INTERRUPTED))


def _end(message: str, code: int | None = None) -> int:
    """Tell the user, and return the exit code; no run ends like a session without one."""
    terminal.tell(message)
    return exit_code(NOT_JUDGED) if code is None else code


def _last_reason(where: Paths, session: str) -> str:
    """Return the first line of why the review failed, or of its feedback."""
    lines = tail.last_lines(where.verdicts(session), _RECORD_BYTES)
    records = (lenient_json.parse_object(line.encode()) or {} for line in reversed(lines))
    record = next((each for each in records if "iteration" in each), None)
    text = lenient_json.text(record, "failure") or lenient_json.text(record, "feedback")
    first = next(iter(terminal.plain(text).splitlines()), "")
    return first[:_MAX_DETAIL].rstrip(".。")
