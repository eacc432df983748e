"""The messages at the start and end of a run, and the output of `--json`."""

import json
import os
import signal
import sys
import time
from typing import Any

from msgspec.structs import replace

from ccc import words
from ccc.claude.formats import arguments, permission, usage
from ccc.claude.launch import become_claude, child_environment, log_files
from ccc.config import schema
from ccc.config.schema import Supervisor
from ccc.model import cost
from ccc.model.outcome import INTERRUPTED, OUTCOMES, SUMMARY, exit_code
from ccc.project import checks, git
from ccc.run import permissions
from ccc.run.run import Run
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.supervision.launch_files import install
from ccc.supervision.loop import RunResult
from ccc.supervision.notifications import Notification
from ccc.system import spawn, terminal
from ccc.text import lenient_json
from ccc.ui import formatting

_NO_TOKENS = {"input": 0, "cache_read": 0, "cache_creation": 0, "output": 0}


def announce(run: Run) -> None:
    """Print that supervision is on, the limits and the agent's permissions."""
    launch, options = run.assignment.launch, run.assignment.options
    tell, state, limits = run.screen.tell, run.tasks.load(), launch.config.supervisor
    tell(words.say("supervisor.enabled"))
    if options.verbose:
        tell(words.say("run.logs", **log_files(launch)))
    if options.resume:
        task = terminal.cut(run.store.run.task, 60)
        tell(words.say("run.continued", task=task, **_figures(run)))
    tell(
        words.say(
            "run.about",
            provider=state.provider or launch.config.choose(),
            checks=checks.list_checks(launch.config, run.store.run.cwd),
            bounds=words.say("comma").join(name_limits(limits)),
        )
    )
    for line in permissions.describe_level(launch.config, run.assignment.level):
        tell(line)
    if command := git.trust_command(run.store.run.cwd):
        directory = display_path(run.store.run.cwd)
        _tell(run, words.say("git.not_trusted", directory=directory))
        _tell(run, words.remedy("git.not_trusted", command=command))
    if run.screen.is_live:
        tell(words.say("run.talk"))


def name_limits(rules: Supervisor) -> list[str]:
    """Return the limits that are set, in words."""
    return [words.count(name, n) for name in schema.LIMITS if (n := getattr(rules, name))]


def report(run: Run, result: RunResult) -> int:
    """Report the end of the run, open the session if wanted, and return the exit code."""
    options, code = run.assignment.options, exit_code(result.outcome)
    message = _describe(run, result)
    _notify(run, result.outcome, message)
    if run.journal.problem:
        _tell(run, words.say("stop.not_recorded", problem=run.journal.problem))
    cause, _, remedy = message.partition("\n")
    if options.json:
        _tell(run, cause)
        _print_json(_summary(run, result, code))
        return code
    _print_result(run)
    _tell(run, cause)
    if remedy:
        # keep a command on one line, so that it can be copied
        run.screen.tell(remedy, always=True, wraps=run.cause != "run.denied")
    _tell_more(run, result)
    if code == 0 and options.open and _has_user():
        _tell(run, words.say("run.opening"))
        # the run's limits don't apply to the user's session
        run.tasks.keep(rules="")
        _open_session(run)
    return code


def _tell(run: Run, text: str) -> None:
    run.screen.tell(text, always=True)


def _describe(run: Run, result: RunResult) -> str:
    """Describe why the run ended, and what to do about it."""
    calls, is_denied = permission.denials_of(run.store.run).calls, run.cause == "run.denied"
    message = words.say(
        run.cause or OUTCOMES[result.outcome].message(SUMMARY),
        **_figures(run),
        detail=permissions.name_denied(calls) if is_denied else result.detail,
        checks=formatting.checks_at_limit(result.evidence),
        options=permission.options_for(calls),
        provider=run.store.load().provider,
        ends=time.strftime("%Y-%m-%d %H:%M", time.localtime(run.limit_ends)),
    )
    not_run = run.store.load().task.not_run if result.outcome == "completed" else ()
    return "\n".join([message, *not_run])


def _figures(run: Run) -> dict[str, str]:
    task, elapsed = run.store.load().task, run.store.elapsed
    return {
        "rounds": words.count("max_iterations", task.count),
        "time": formatting.clock(elapsed),
        "seconds": f"{elapsed:.0f}",
        "cost": formatting.money(task.cost.usd, task.cost.source),
    }


def _tell_more(run: Run, result: RunResult) -> None:
    """Print denied calls, figures, unsent messages, how to open the session, and the log."""
    calls = permission.denials_of(run.store.run).calls
    if result.outcome == "needs_user" and calls and run.cause != "run.denied":
        _tell(run, permissions.describe(calls))
    while unsaid := run.agent.next_queued():
        _tell(run, words.say("run.unsaid", text=unsaid))
    if result.outcome != "completed":
        _tell(run, words.say("run.figures", **_figures(run)))
    if command := _resume_command(run):
        _tell(run, words.say("run.session", command=command))
    if run.assignment.options.verbose:
        _tell(run, words.say("run.log", file=run.assignment.launch.paths.invocation_log))


def _resume_command(run: Run) -> str:
    """Return the command that opens the session, with its provider and supervision."""
    provider, agent = run.assignment.launch.provider, run.agent
    return f"ccc {provider} --resume {agent.session}" if agent.transcript else ""


def _print_result(run: Run) -> None:
    """Print what `claude -p` prints at the end; a stream has already been printed."""
    options, text = run.assignment.options, run.store.run.last_message
    is_unseen = options.quiet or not _is_terminal(sys.stdout) or not _is_terminal(sys.stderr)
    if options.output == "json":
        if run.result:
            _print_json(run.result)
    elif text and is_unseen and options.output != "stream-json":
        print(terminal.plain(text), flush=True)


def _print_json(value: object) -> None:
    is_unicode = "utf" in (getattr(sys.stdout, "encoding", "") or "").casefold()
    print(terminal.as_json(value) if is_unicode else json.dumps(value), flush=True)


def _summary(run: Run, result: RunResult, code: int) -> dict[str, Any]:
    launch, saved, task = run.assignment.launch, run.store.run, run.store.load().task
    verdicts = _verdicts(launch.paths.verdicts(launch.session), task.prompt_id)
    reviews_source = cost.join(*(str(each.get("cost_source") or "") for each in verdicts))
    reviews = max(0.0, task.cost_usd - saved.agent_cost_usd)
    return {
        "outcome": result.outcome,
        "detail": result.detail,
        "exit_code": code,
        "api_status": run.api_status,
        "limit_ends": run.limit_ends,
        "session_id": run.agent.session,
        "rounds": task.count,
        "iterations": task.count,  # its name until 0.2
        "resume": _resume_command(run),
        "result": saved.last_message,
        "denied": [
            {"call": str(call), "allow": permission.rules_for(call)}
            for call in permission.denials_of(saved).calls
        ],
        "verdicts": [
            {key: value for key, value in verdict.items() if key not in ("receipts", "prompt_id")}
            for verdict in verdicts
        ],
        "receipts": verdicts[-1].get("receipts", []) if verdicts else [],
        "cost_usd": {
            "agent": saved.agent_cost_usd,
            "reviews": reviews,
            "total": saved.agent_cost_usd + reviews,
        },
        "cost_source": {
            "agent": saved.agent_cost_source,
            "reviews": reviews_source,
            "total": cost.join(saved.agent_cost_source, reviews_source),
        },
        "tokens": {
            "agent": dict(saved.tokens),
            "reviews": usage.add([_NO_TOKENS, *(v.get("tokens", {}) for v in verdicts)]),
        },
        "seconds": round(run.store.elapsed, 3),
        "logs": launch.paths.records(launch.session),
    }


def _verdicts(file: str, prompt_id: str) -> list[dict[str, Any]]:
    """Return the verdicts of this run, without those of an earlier run with the same name."""
    lines = map(lenient_json.parse_object, (files.read(file) or "").split("\n"))
    verdicts = (each for each in lines if each and "iteration" in each)
    return [each for each in verdicts if prompt_id in ("", each.get("prompt_id"))]


def _notify(run: Run, outcome: str, message: str) -> None:
    launch = run.assignment.launch
    wish = launch.config.supervisor.notify
    if not wish or outcome == INTERRUPTED:
        return
    notification = Notification(
        wish, outcome, launch.session, message=terminal.plain(message), project=os.getcwd()
    )
    notification.send(launch.config, launch.paths, launch.environ)


def _open_session(run: Run) -> None:
    """Exec claude in the same session with the same arguments; it asks for permissions."""
    # ignored signals stay ignored after exec
    spawn.handle_end_signals(signal.SIG_DFL)
    given = ["--resume", run.agent.session, *run.assignment.launch.arguments.for_user]
    launch = replace(run.assignment.launch, arguments=arguments.read(given))
    env = child_environment(launch)
    become_claude(launch, env, install(launch, env))


def _has_user() -> bool:
    """Return whether ccc runs in the foreground of a terminal."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(map(_is_terminal, streams)) and terminal.in_foreground(0)


def _is_terminal(stream: object) -> bool:
    return bool(stream is not None and getattr(stream, "isatty", bool)())
