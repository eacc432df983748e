"""Prepare an unattended run of agent and reviewer, run it, and return its exit code."""

import contextlib
import os
import signal
import uuid
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ccc import words
from ccc.claude import transcript_files
from ccc.claude.formats import environment
from ccc.claude.formats.obstacles import RECORD
from ccc.claude.launch import Launch, learn_about_claude, warn
from ccc.claude.review_process import Interrupted
from ccc.config import projects, schema
from ccc.config.schema import Check
from ccc.errors import CccError
from ccc.model.state import AGENT, REVIEW, RunState, State
from ccc.project import checks
from ccc.run import permissions, saved_run, summary
from ccc.run.assignment import Assignment
from ccc.run.keyboard import Keyboard
from ccc.run.options import Options, read_task
from ccc.run.run import Run
from ccc.storage import files
from ccc.supervision import review_setup
from ccc.supervision.launch_files import install, refuse, refuse_claude, save_state
from ccc.supervision.loop import CONTINUE, RunResult, run_until_done
from ccc.system import spawn
from ccc.text import names


def execute(launch: Launch, options: Options, saved: State | None = None) -> int:
    """Run a task, or continue a saved run."""
    if options.task and launch.arguments.task:
        raise CccError("run.two_tasks", other=launch.arguments.task)
    options = replace(options, task=options.task or launch.arguments.task)
    task, message = read_task(options, needed=saved is None)
    launch = replace(launch, environ=_environ(), supervised=False, is_new=saved is None)
    if saved:
        known = {**saved.projects, **launch.config.roots}
        config = projects.apply(launch.config, os.getcwd(), known=known)
        launch = replace(launch, session=saved.session_id, config=config)
    if not options.json and not options.quiet and not options.output:
        launch = replace(launch, config=permissions.first_choice(launch.config, launch.paths))
    last = saved.run if saved else None
    limits = _limits(options, last)
    launch = _with_limits(launch, limits)
    refuse_claude(launch, "streamed_input")
    level = permissions.level_of(launch)
    assignment = Assignment(launch, options, level)
    refuse(launch, assignment.env, RECORD)
    with contextlib.ExitStack() as at_end:
        at_end.callback(_remove, launch.paths.session_settings(launch.session, os.getpid()))
        permitted = permissions.with_permissions(launch, level, _strings(limits, "allow"))
        path = permissions.path(launch, level)
        settings_file = install(permitted, assignment.env, path)
        review_setup.instructions(os.getcwd(), launch.paths)
        if saved and last:
            state = replace(_resume(last, message, options.allow), limits=limits)
            saved_run.take_over(launch.paths, saved, options.question)
        else:
            state = replace(_new(launch, task, message), limits=limits)
            saved_run.begin(launch.paths, launch.session, state)
        save_state(launch)
        warn(launch)
        learn_about_claude(launch)
        run = Run(replace(assignment, settings_file=settings_file), state)
        result = _drive(run)
    return summary.report(run, result)


def _environ() -> dict[str, str]:
    """Return the environment for a new session in which nothing runs after a turn."""
    environ = {**os.environ, environment.NO_BACKGROUND: "1", environment.NO_SCHEDULE: "1"}
    environ.pop(environment.SESSION, None)
    return environ


def _remove(file: str) -> None:
    # a leftover settings file is harmless
    with contextlib.suppress(CccError):
        files.remove(file)


def _limits(options: Options, last: RunState | None) -> dict[str, object]:
    """Merge the command line's limits and rules into those of the continued run."""
    before = last.limits if last else {}
    allow = list(dict.fromkeys([*_strings(before, "allow"), *options.allow]))
    return {**before, **options.limits, **({"allow": allow} if allow else {})}


def _strings(limits: Mapping[str, object], name: str) -> list[str]:
    value = limits.get(name)
    return [str(each) for each in value] if isinstance(value, list | tuple) else []


def _with_limits(launch: Launch, limits: Mapping[str, object]) -> Launch:
    """Add the limits and checks of the command line to the launch's configuration."""
    rules = launch.config.supervisor
    checks = (*rules.checks, *map(Check, _strings(limits, "checks")))
    own = {name: limits[name] for name in schema.LIMITS if name in limits}
    rules = replace(rules, checks=checks, **own)
    return replace(launch, config=replace(launch.config, supervisor=rules))


def _new(launch: Launch, task: str, message: str) -> RunState:
    given = launch.arguments.settings
    # JSON may contain a secret, which must not be stored
    is_file = given is not None and "{" not in given
    settings = ("--settings", os.path.abspath(given)) if is_file and given else ()
    return RunState(
        task=task,
        cwd=os.getcwd(),
        session_id="" if launch.arguments.chooses_session else _claude_session(launch),
        requests=(message,),
        arguments=(*settings, *launch.arguments.storable),
        message=message,
    )


def _claude_session(launch: Launch) -> str:
    """Return an unused UUID for claude's session."""
    name = launch.session
    is_free = names.is_uuid(name) and not transcript_files.find(launch.paths.claude_dir, name)
    return name if is_free else str(uuid.uuid4())


def _resume(run: RunState, message: str, allow: Sequence[str]) -> RunState:
    """Return the saved run to continue."""
    if message:
        requests = (*run.requests, message)
        return replace(run, requests=requests, phase=AGENT, message=message)
    if allow:
        message = words.say("permit.granted", rules=", ".join(allow))
        return replace(run, phase=AGENT, message=message, denied=(), denied_before=())
    if run.outcome == "needs_user" and run.phase == REVIEW:
        # the agent continues, because there is nothing new to judge
        return replace(run, phase=AGENT, message=CONTINUE)
    return run


def _drive(run: Run) -> RunResult:
    """Run the loop to its end, and clean up."""
    run.journal.trim()
    keyboard = Keyboard(run.say, run.screen.show_typed, run.screen.pause)
    result = RunResult("interrupted")

    def on_signal(number: int, frame: object) -> None:
        # a second Ctrl-C, or any other signal, ends the run
        if number != signal.SIGINT or not run.interrupt():
            _ignore_signals()
            raise Interrupted

    try:
        try:
            spawn.handle_end_signals(on_signal, also_ignored=False)
            summary.announce(run)
            step = run.first_step()
            run.screen.begin()
            keyboard.begin(echo=not run.screen.is_live)
            is_used_up = run.tasks.load().task.count >= run.limits.max_iterations
            if run.assignment.options.resume and isinstance(step, str) and is_used_up:
                result = RunResult("iterations")
            elif obstacles := _find_obstacles(run):
                result = RunResult("needs_user", obstacles)
            else:
                result = run_until_done(step, run.agent, run.judge, run)
        finally:
            _ignore_signals()
    except (Interrupted, KeyboardInterrupt):
        _ignore_signals()
    finally:
        _clean_up(run, keyboard, result)
    return result


def _find_obstacles(run: Run) -> str:
    """Return why checks can't run before a model is paid; a continued run leaves them out."""
    if run.assignment.options.resume:
        return ""
    found = checks.find_obstacles(run.assignment.launch.config, run.store.run.cwd)
    run.tasks.keep(checks=found)
    obstacles = checks.describe_obstacles(found)
    run.cause = "run.checks_not_run" if obstacles else ""
    return obstacles


def _ignore_signals() -> None:
    # don't let a signal interrupt the cleanup
    spawn.handle_end_signals(signal.SIG_IGN)


def _clean_up(run: Run, keyboard: Keyboard, result: RunResult) -> None:
    for step in (
        run.screen.end,
        keyboard.end,
        run.agent.close,
        spawn.end_all,
        lambda: run.finish(result.outcome),
    ):
        try:
            step()
        except Exception as error:  # the remaining steps must run anyway
            run.journal.log("run not cleared up", cause=f"{type(error).__name__}: {error}")
