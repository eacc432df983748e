"""The end of an unattended run: what it came to, and what to do next."""

import json
import os
import signal
import sys
import time
from dataclasses import replace

from ccc import words
from ccc.claude import launch_plan
from ccc.claude.formats import arguments, permission
from ccc.commands import launch
from ccc.commands.run import permissions
from ccc.commands.run.summary import resume_command, summary
from ccc.providers import cost_source
from ccc.supervision.notifications import Notification
from ccc.supervision.outcome import exit_code
from ccc.system import spawn, terminal
from ccc.ui import formatting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.claude.formats.arguments import Unattended
    from ccc.commands.launch import Launch
    from ccc.commands.run.options import Options
    from ccc.commands.run.progress import Running
    from ccc.storage.state import State
    from ccc.supervision.loop import Ending


def told(
    found: "Launch", shape: "Unattended", given: "Options", going: "Running", ended: "Ending"
) -> int:
    """The summary, as text or as JSON; a completed session is opened where that is wanted."""
    code = exit_code(ended.outcome)
    report = summary(found, going, ended, code)
    tell = going.screen.tell_anyway
    message = _describe(going, ended)
    _notify(found, ended.outcome, message)
    if going.journal.problem:
        tell(words.say("stop.not_recorded", problem=going.journal.problem))
    if given.json:
        _print_json(report)
        return code
    _print_result(given, going)
    cause, _, remedy = message.partition("\n")
    tell(cause)
    if remedy:
        tell(remedy, wraps=not going.asks_permission)
    if ended.outcome == "needs_user" and going.run.denials.calls and not going.asks_permission:
        tell(permissions.describe(going.run.denials.calls))
    _tell_more(found, given, going, ended)
    if code == 0 and given.open and _is_the_persons():
        tell(words.say("run.opening"))
        # limits of the run's own are not those of the person's session
        going.tasks.keep(rules="")
        _become(found, shape, going.agent.session)
    return code


def _describe(going: "Running", ended: "Ending") -> str:
    """The cause and the remedy, before anything else."""
    known, calls = going.known(), going.run.denials.calls
    return words.say(
        _name(going, ended),
        detail=permissions.denied(calls) if going.asks_permission else ended.detail,
        rounds=words.count("rounds", known.count),
        checks=formatting.checks_at_limit(ended.evidence),
        options=permission.options_for(calls),
        provider=known.provider,
        time=time.strftime("%Y-%m-%d %H:%M", time.localtime(going.limit_ends)),
        cost=_cost(known),
        seconds=f"{going.elapsed:.0f}",
    )


def _cost(known: "State") -> str:
    source = cost_source.on_record(known.cost_usd, known.cost_source)
    return formatting.money(known.cost_usd, source)


def _name(going: "Running", ended: "Ending") -> str:
    """The message that says most of the ending."""
    if going.asks_permission:
        return "run.denied"
    if ended.outcome == "agent_failed" and going.wrong_key:
        return "run.wrong_key"
    if ended.outcome == "agent_failed" and going.limit_ends:
        return "run.usage_limit"
    return f"run.{ended.outcome}"


def _tell_more(found: "Launch", given: "Options", going: "Running", ended: "Ending") -> None:
    """What it took, what was not said, how to open the session, and with -v the log."""
    tell, known = going.screen.tell_anyway, going.known()
    while unsaid := going.agent.take_unsaid():
        tell(words.say("run.unsaid", text=unsaid))
    if ended.outcome != "completed":
        rounds, seconds = words.count("rounds", known.count), f"{going.elapsed:.0f}"
        tell(words.say("run.figures", rounds=rounds, seconds=seconds, cost=_cost(known)))
    if going.agent.transcript:
        tell(words.say("run.session", command=resume_command(found, going)))
    if given.verbose:
        tell(words.say("run.log", file=found.paths.invocation_log))


def _print_result(given: "Options", going: "Running") -> None:
    """Print what `claude -p` does at its end; a stream has been printed by then."""
    unseen = given.quiet or not _is_terminal(sys.stdout) or not _is_terminal(sys.stderr)
    if given.output == "json":
        if going.result:
            _print_json(going.result)
    elif going.run.last_message and unseen and not going.streams:
        print(terminal.plain(going.run.last_message), flush=True)


def _print_json(value: object) -> None:
    is_unicode = "utf" in (getattr(sys.stdout, "encoding", "") or "").casefold()
    print(terminal.as_json(value) if is_unicode else json.dumps(value), flush=True)


def _notify(found: "Launch", outcome: str, message: str) -> None:
    """Tell the person, unless it was the person who ended it."""
    wish = found.config.supervisor.notify
    if not wish or outcome == "interrupted":
        return
    text = terminal.plain(message)
    notification = Notification(wish, outcome, found.session, text, os.getcwd())
    if notification.sequence:
        notification.ring(found.environ)
    notification.run_command(found.config, found.paths)


def _become(found: "Launch", shape: "Unattended", session: str) -> None:
    """The person goes on in the same session, with the same arguments, and is asked again."""
    # what is ignored stays so through exec
    spawn.handle_end_signals(signal.SIG_DFL)
    reading = arguments.read(["--resume", session, *shape.for_a_person])
    found = replace(found, reading=reading)
    env = launch.environment_of(found)
    settings_file = launch.install(found, env)
    spawn.become(
        launch_plan.launch(found.claude, found.always, reading, env, os.getcwd(), settings_file, "")
    )


def _is_the_persons() -> bool:
    """Whether somebody sits at the terminal, and we are what they look at."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(map(_is_terminal, streams)) and terminal.in_foreground(0)


def _is_terminal(stream: object) -> bool:
    return bool(stream is not None and getattr(stream, "isatty", bool)())
