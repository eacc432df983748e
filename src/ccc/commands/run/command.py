"""`ccc run "task"`: agent, supervisor, agent, … without a person, and an exit code at the end."""

import contextlib
import os
from dataclasses import dataclass, replace
from functools import partial

from ccc import words
from ccc.claude import binary, launch_plan, review_process, transcripts
from ccc.claude.formats import arguments, environment
from ccc.commands import launch
from ccc.commands.run import announcement, ending, options, permissions, progress, state
from ccc.commands.run.keyboard import Keyboard
from ccc.config import ccc_json
from ccc.config.schema import Check
from ccc.errors import CccError
from ccc.providers import models, prices
from ccc.storage import files, sessions
from ccc.storage.journal import Journal
from ccc.supervision import reviewer as judging
from ccc.supervision import run_state
from ccc.supervision.loop import CONTINUE, Ending, run_until_done
from ccc.system import processes, spawn
from ccc.text import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccc.claude.formats.arguments import Unattended
    from ccc.claude.launch_plan import Plan
    from ccc.commands.launch import Launch
    from ccc.commands.run.options import Options, Task
    from ccc.config.schema import Config
    from ccc.storage.paths import Paths
    from ccc.supervision.run_state import RunState
    from ccc.supervision.turn import Turn


def main(line: list[str]) -> int:
    """Run a task, or go on with one that was cut off."""
    environ, where = _environ(), ccc_json.speak()
    given = options.read(line)
    if given is None:
        return 0
    if given.provider is not None and not names.is_provider_name(given.provider):
        raise CccError("provider.unknown", name=given.provider)
    before = _unfinished(where) if given.go_on else None
    provider = given.provider or (before.provider if before else "")
    rest = given.claude or (before.run.arguments if before else ())
    # an option in front: the first word of claude's arguments is no provider
    found = launch.found([provider or "--print", *rest], os.environ)
    return _run(replace(found, environ=environ, is_new=True), given, before)


def instead_of(found: "Launch") -> int:
    """`ccc --supervisor [provider] … -p "task"`: the same loop."""
    environ = _environ()
    output = arguments.unattended(found.reading.rest).output_format
    found = replace(found, environ=environ, supervised=False, is_new=True)
    # a program that reads what claude prints needs nothing else on stdout
    to_open = output not in ("json", "stream-json")
    return _run(found, options.Options(output=output, open=to_open, verbose=True), None)


@dataclass(frozen=True, slots=True)
class Before:
    """A run that was cut off, with the name of its state."""

    session: str
    provider: str
    pid: int
    run: "RunState"
    last_sign: float


def _environ() -> dict[str, str]:
    """Ours, as a session of its own sees it; the agent works in our turns alone, and those end."""
    environ = {**os.environ, environment.NO_BACKGROUND: "1", environment.NO_SCHEDULE: "1"}
    environ.pop(environment.SESSION, None)
    return environ


def _run(found: "Launch", given: "Options", before: Before | None) -> int:
    shape = arguments.unattended(found.reading.rest)
    if given.task and shape.task:
        raise CccError("run.two_tasks", other=shape.task)
    given = replace(given, task=given.task or shape.task)
    task = options.task(given, needed=before is None)
    if before is not None:
        found = replace(found, session=before.session, is_new=False)
    limits = {**(before.run.limits if before else {}), **given.limits}
    allow = _allowed(before, given)
    limits |= {"allow": allow} if allow else {}
    asks = not given.json and not given.quiet and not given.output
    config = permissions.first_choice(found.config, found.paths) if asks else found.config
    found = replace(found, config=_limited(config, limits))
    level = permissions.level_of(found, shape.rest)
    agent = permissions.permitted(found, level, allow)
    own_file = found.paths.session_settings(found.session, os.getpid())
    with contextlib.ExitStack() as at_end:
        at_end.callback(_remove, own_file)
        settings_file = launch.install(agent, _env(agent), permissions.path(found, level))
        judging.instructions(os.getcwd(), found.paths)
        if before is None:
            run = _new(found, shape, task, limits)
            state.begin(found.paths, found.session, run)
        else:
            state.take_over(found.paths, before.session, before.pid)
            run = replace(_resumed(before, task.message, given.allow), limits=limits)
        launch.begin(found)
        launch.warn(found)
        going, ended = _looped(found, shape, given, run, settings_file, level)
    return ending.told(found, shape, given, going, ended)


def _remove(file: str) -> None:
    """Remove the run's own settings file; one that stays does no harm."""
    with contextlib.suppress(CccError):
        files.remove(file)


def _allowed(before: Before | None, given: "Options") -> list[str]:
    """The rules of the command line, with those of a run that goes on."""
    known = before.run.limits.get("allow") if before else None
    earlier = [str(rule) for rule in known] if isinstance(known, list | tuple) else []
    return list(dict.fromkeys([*earlier, *given.allow]))


def _new(
    found: "Launch", shape: "Unattended", task: "Task", limits: "Mapping[str, object]"
) -> "RunState":
    return run_state.RunState(
        task=task.text,
        cwd=os.getcwd(),
        session_id="" if shape.chooses_session else _session(found),
        requests=(task.message,),
        arguments=(*_settings(found), *shape.keepable),
        limits=limits,
        message=task.message,
    )


def _session(found: "Launch") -> str:
    """The session for claude, which takes a UUID that no session has."""
    name = found.session
    is_free = names.is_uuid(name) and not transcripts.find(found.paths.claude_dir, name)
    return name if is_free else names.uuid(os.urandom(16))


def _settings(found: "Launch") -> tuple[str, ...]:
    """A --settings of the user's, where it is a file: JSON may hold a secret."""
    given = found.reading.settings
    return () if given is None or "{" in given else ("--settings", os.path.abspath(given))


def _resumed(before: Before, more: str, allow: "Sequence[str]") -> "RunState":
    """The run as it goes on: the time up to its last sign of life counts."""
    run = before.run
    lost = 0.0 if run.outcome else max(0.0, before.last_sign - run.saved_at)
    run = replace(run, elapsed_seconds=run.elapsed_seconds + lost)
    if not more and allow:
        message = words.say("permit.granted", rules=", ".join(allow))
        return replace(run, phase=run_state.AGENT, message=message, denied=(), denied_before=())
    if not more and run.outcome == "needs_user":
        # nothing new to judge: whoever answers without a word wants the agent to go on
        return replace(run, phase=run_state.AGENT, message=CONTINUE)
    if not more:
        return run
    return replace(run, requests=(*run.requests, more), phase=run_state.AGENT, message=more)


def _looped(
    found: "Launch",
    shape: "Unattended",
    given: "Options",
    run: "RunState",
    settings_file: str,
    level: str,
) -> tuple[progress.Running, Ending]:
    env = _env(found)
    going = progress.Running(
        where=found.paths,
        session=found.session,
        config=found.config,
        environ=found.environ,
        journal=Journal(found.paths, found.session),
        first=run,
        effort=shape.effort,
        waits=given.wait,
        quiet=given.quiet,
        streams=given.output == "stream-json",
        partial="--include-partial-messages" in shape.rest,
        level=level,
        plan=partial(_plan, found, shape, settings_file),
        tariff=prices.tariff(found.config, found.provider, env),
        model=models.expected(env, _model(found, shape)),
    )
    going.journal.trim()
    keyboard = Keyboard(going.type, going.screen.typed, going.screen.pause)
    ended = Ending("interrupted")
    try:
        try:
            going.hear()
            announcement.announce(found, going, given)
            step = going.first_step()
            going.screen.begin()
            keyboard.begin(echo=not going.screen.is_live)
            ended = _until_done(step, going, given)
        finally:
            going.deafen()
    except (review_process.Interrupted, KeyboardInterrupt):
        going.deafen()
    finally:
        _clear_up(going, keyboard, ended)
    return going, ended


def _model(found: "Launch", shape: "Unattended") -> str:
    """The model that the command line chooses, or nothing."""
    given = arguments.values_of("--model", (*found.always.rest, *shape.rest))
    return given[-1] if given else ""


def _clear_up(going: progress.Running, keyboard: Keyboard, ended: Ending) -> None:
    for step in (
        going.screen.end,
        keyboard.end,
        going.agent.close,
        spawn.end_all,
        lambda: going.finish(ended.outcome),
    ):
        try:
            step()
        except Exception as error:  # what follows is to be done all the same
            going.journal.log("run not cleared up", cause=f"{type(error).__name__}: {error}")


def _until_done(step: "str | Turn", going: progress.Running, given: "Options") -> Ending:
    """The loop; a run that has had all its reviews needs a higher limit to go on."""
    count, most = going.tasks.load().count, going.config.supervisor.max_iterations
    if given.go_on and isinstance(step, str) and count >= most:
        return Ending("iterations")
    return run_until_done(step, going.agent, going.judge, going)


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
    return launch_plan.agent(
        found.claude, found.always, rest, _env(found), os.getcwd(), settings_file, choice, budget
    )


def _env(found: "Launch") -> dict[str, str]:
    limit = found.config.supervisor.max_iterations
    env = environment.for_agent(found.environ, found.folded.env, limit)
    own = {environment.LAUNCHER: str(os.getpid())}
    return binary.without_updates(found.claude) | env | own


def _limited(config: "Config", limits: "Mapping[str, object]") -> "Config":
    """The configuration with the limits and checks of the command line."""
    own = dict(limits)
    more = own.pop("checks", ())
    commands = [str(each) for each in more] if isinstance(more, list | tuple) else []
    checks = (*config.supervisor.checks, *map(Check, commands))
    known = {name: value for name, value in own.items() if name in options.LIMITS}
    return replace(config, supervisor=replace(config.supervisor, checks=checks, **known))  # type: ignore[arg-type]


def _unfinished(where: "Paths") -> Before:
    """The last run of this directory that is not finished, and that nobody is at."""
    latest: Before | None = None
    busy = 0
    for session, known in sessions.all_of(where):
        run = run_state.parse(known.run)
        if run is None or run.cwd != os.getcwd() or run.is_finished:
            continue
        if latest is not None and run.saved_at <= latest.run.saved_at:
            continue
        if processes.is_alive(known.pid, "ccc"):
            busy = known.pid
        else:
            latest = Before(
                session, known.provider, known.pid, run, state.last_sign(where, session)
            )
    if latest is None and busy:
        raise CccError("run.under_way", directory=os.getcwd(), pid=busy)
    if latest is None:
        raise CccError("run.nothing_to_continue", directory=os.getcwd())
    return latest
