"""`ccc run "task"`: agent, supervisor, agent, … without a person, and an exit code at the end."""

import json
import os
import sys
import time
from dataclasses import dataclass, replace

from ccc import terminal, words
from ccc.claude import arguments, plan, process, reviewer
from ccc.commands import judging, keeping, launch, options, running
from ccc.commands.keyboard import Keyboard
from ccc.commands.summing import summary
from ccc.domain import ending, environment, names
from ccc.domain import run as runs
from ccc.domain.config import Check
from ccc.errors import CccError
from ccc.storage import paths as places
from ccc.storage import sessions
from ccc.storage.journal import Journal
from ccc.supervisor.loop import Ending, run_until_done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.claude.arguments import Unattended
    from ccc.claude.plan import Plan
    from ccc.commands.launch import Launch
    from ccc.commands.options import Options
    from ccc.domain.config import Config
    from ccc.domain.run import Run
    from ccc.storage.paths import Paths


def main(line: list[str]) -> int:
    """Run a task, or go on with one that was cut off."""
    environ = _environ()
    words.use(environ)
    given = options.read(line)
    if given.help:
        print(words.say("run.usage"))
        return 0
    where = places.find(environ)
    before = _unfinished(where) if given.go_on else None
    if given.go_on and before is None:
        raise CccError("run.nothing_to_continue", directory=os.getcwd())
    provider = given.provider or (before.provider if before else "")
    rest = given.claude or (before.run.arguments if before else ())
    found = launch.found([*([provider] if provider else []), *rest], environ)
    return _run(found, given, before)


def instead_of(found: "Launch") -> int:
    """`ccc --supervisor [provider] … -p "task"`: the same loop."""
    environ = _environ()
    as_json = arguments.unattended(found.reading.rest).output_format == "json"
    session = names.uuid(os.urandom(16))
    found = replace(found, environ=environ, supervised=False, session=session, is_new=True)
    return _run(found, options.Options(json=as_json), None)


@dataclass(frozen=True, slots=True)
class Before:
    """A run that was cut off, with the name of its state."""

    session: str
    provider: str
    run: "Run"


def _environ() -> dict[str, str]:
    """Ours, as a session of its own sees it; turns must end, so nothing runs in the background."""
    environ = {**os.environ, environment.NO_BACKGROUND: "1"}
    environ.pop(environment.SESSION, None)
    return environ


def _run(found: "Launch", given: "Options", before: Before | None) -> int:
    shape = arguments.unattended(found.reading.rest)
    task = given.task or shape.task
    if before is None:
        task = options.task(replace(given, task=task))
    if before is not None:
        found = replace(found, session=before.session, is_new=False)
    limits = {**(before.run.limits if before else {}), **given.limits}
    found = replace(found, config=_limited(found.config, limits))
    settings_file = launch.install(found)
    judging.instructions(os.getcwd(), found.paths)
    launch.begin(found)
    launch.warn(found)
    run = before.run if before else _new(found, shape, task, limits)
    if before is None:
        keeping.begin(found.paths, found.session, run)
    else:
        process.end_session(run.session_id)
        run = replace(_resumed(run, found, task), limits=limits)
        keeping.take_over(found.paths, found.session)
    return _looped(found, shape, given, run, settings_file)


def _new(found: "Launch", shape: "Unattended", task: str, limits: "Mapping[str, object]") -> "Run":
    return runs.Run(
        task=task,
        cwd=os.getcwd(),
        session_id="" if shape.chooses_session else found.session,
        requests=(task,),
        arguments=(*_settings(found), *shape.keepable),
        limits=limits,
        message=task,
    )


def _settings(found: "Launch") -> tuple[str, ...]:
    """A --settings of the user's, where it is a file: JSON may hold a secret."""
    given = found.reading.settings
    return () if given is None or "{" in given else ("--settings", os.path.abspath(given))


def _resumed(run: "Run", found: "Launch", more: str) -> "Run":
    """The run as it goes on: the time up to its last sign of life counts."""
    try:
        last = os.stat(found.paths.agent_output(found.session)).st_mtime
    except OSError:
        last = run.saved_at
    lost = 0.0 if run.outcome else max(0.0, last - run.saved_at)
    run = replace(run, elapsed_seconds=run.elapsed_seconds + lost)
    if not more:
        return run
    return replace(run, requests=(*run.requests, more), phase=runs.AGENT, message=more)


def _looped(
    found: "Launch", shape: "Unattended", given: "Options", run: "Run", settings_file: str
) -> int:
    going = running.Running(
        where=found.paths,
        session=found.session,
        config=found.config,
        environ=found.environ,
        journal=Journal(found.paths, found.session),
        first=run,
        effort=shape.effort,
        waits=given.wait,
        quiet=given.quiet,
        plan=lambda session, known, budget: _plan(
            found, shape, settings_file, session, known, budget
        ),
    )
    _announce(found, going)
    going.hear()
    going.screen.begin()
    keyboard = Keyboard(going.type, going.screen.typed)
    keyboard.begin(echo=not going.screen.is_live)
    ended = Ending("interrupted")
    try:
        ended = run_until_done(going.first_step(), going.agent, going.judge, going)
    except (reviewer.Interrupted, KeyboardInterrupt):
        pass
    finally:
        going.agent.close()
        process.end_all()
        going.finish(ended.outcome)
        going.screen.end()
        keyboard.end()
    return _told(found, given, going, ended)


def _told(found: "Launch", given: "Options", going: running.Running, ended: Ending) -> int:
    """The summary, as text or as JSON; on a terminal a completed session is the person's."""
    code = ending.exit_code(ended.outcome)
    report = summary(going, ended, code)
    if going.journal.problem:
        going.screen.tell_anyway(words.say("stop.not_recorded", problem=going.journal.problem))
    if given.json:
        print(json.dumps(report, ensure_ascii=False))
        return code
    if going.run.last_message and (given.quiet or not _is_terminal(sys.stdout)):
        print(terminal.plain(going.run.last_message))
    going.screen.tell_anyway(
        words.say(
            f"run.{ended.outcome}",
            detail=ended.detail,
            iterations=report["iterations"],
            cost=f"{going.tasks.load().cost_usd:.4f}",
            seconds=f"{going.elapsed:.0f}",
            session=going.agent.session,
            log=found.paths.invocation_log,
        )
    )
    if going.limit_ends:
        ends = time.strftime("%Y-%m-%d %H:%M", time.localtime(going.limit_ends))
        going.screen.tell_anyway(words.say("run.limit_ends", time=ends))
    while unsaid := going.agent.take_unsaid():
        going.screen.tell_anyway(words.say("run.unsaid", text=unsaid))
    if code == 0 and given.resume and all(map(_is_terminal, (sys.stdin, sys.stdout, sys.stderr))):
        _become(found, going.agent.session)
    return code


def _become(found: "Launch", session: str) -> None:
    """The person goes on in the same session."""
    reading = arguments.read(["--resume", session])
    found = replace(found, reading=reading)
    env = launch.environment_of(found)
    settings_file = launch.install(found)
    process.become(
        plan.launch(found.claude, found.always, reading, env, os.getcwd(), settings_file, "")
    )


def _plan(
    found: "Launch",
    shape: "Unattended",
    settings_file: str,
    session: str,
    known: bool,
    budget: float | None,
) -> "Plan":
    choice: tuple[str, ...] = ("--session-id", session) if session else ()
    rest = shape.rest
    if known:
        choice, rest = ("--resume", session), shape.in_a_known_session
    env = environment.for_agent(
        found.environ, found.folded.env, found.config.supervisor.max_iterations
    )
    return plan.agent(
        found.claude, found.always, rest, env, os.getcwd(), settings_file, choice, budget
    )


def _limited(config: "Config", limits: "Mapping[str, object]") -> "Config":
    """The configuration with the limits and checks of the command line."""
    own = dict(limits)
    more = own.pop("checks", ())
    commands = [str(each) for each in more] if isinstance(more, list | tuple) else []
    checks = (*config.supervisor.checks, *map(Check, commands))
    known = {name: value for name, value in own.items() if name in options.LIMITS}
    return replace(config, supervisor=replace(config.supervisor, checks=checks, **known))  # type: ignore[arg-type]


def _unfinished(where: "Paths") -> Before | None:
    """The last run of this directory that is not finished, and that nobody is at."""
    latest: Before | None = None
    for session, known in sessions.all_of(where):
        run = runs.parse(known.run)
        if run is None or run.cwd != os.getcwd() or run.is_finished:
            continue
        if latest is not None and run.saved_at <= latest.run.saved_at:
            continue
        if not process.is_running(known.pid, "ccc"):
            latest = Before(session, known.provider, run)
    return latest


def _is_terminal(stream: object) -> bool:
    return bool(stream is not None and getattr(stream, "isatty", bool)())


def _announce(found: "Launch", going: running.Running) -> None:
    going.screen.tell(words.say("supervisor.enabled"))
    going.screen.tell(
        words.say(
            "run.logs",
            state_dir=found.paths.state_dir,
            hook_log=found.paths.invocation_log,
            output_log=found.paths.review_output(found.session),
            agent_log=found.paths.agent_output(found.session),
        )
    )
