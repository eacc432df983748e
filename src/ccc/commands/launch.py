"""`ccc [provider] [claude args…]`: switch to the provider and exec claude."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from ccc import failure, words
from ccc.claude import background_test, clients
from ccc.claude.formats import arguments, environment, generated_settings, settings
from ccc.claude.formats.command_line import Claude, Plan
from ccc.claude.formats.obstacles import HOOKS, RECORD
from ccc.claude.launch import Launch, child_environment, prepare
from ccc.errors import CccError
from ccc.model.state import State
from ccc.project import git
from ccc.providers import layers
from ccc.providers.layers import Layers
from ccc.storage import files, sessions
from ccc.storage.installation import Installation, users_settings
from ccc.storage.paths import display_path
from ccc.supervision import (
    check_baseline,
    client_report,
    launch_obstacles,
    print_session,
    switch,
    tampering,
)
from ccc.system import foreground, spawn, terminal
from ccc.text import jsontext
from ccc.ui import prompts


def main(line: list[str]) -> NoReturn:
    """Launch claude in place of this process."""
    launch = _prepare_or_offer_setup(line)
    if launch.supervised and launch.arguments.prints and launch.has_session:
        from ccc.commands.run import command

        sys.exit(command.run_launch(launch))
    task = arguments.unattended(launch.arguments.rest).task if launch.has_session else ""
    env, asked = child_environment(launch), arguments.asks_supervision(task)
    if launch.supervised and launch.has_session:
        launch_obstacles.refuse(launch, env, HOOKS, RECORD)
        launch_obstacles.refuse_claude(launch, "stop_hook")
    elif asked:
        launch_obstacles.refuse_claude(
            launch, "stop_hook", *["slash_command"] * launch.arguments.prints
        )
    settings_file = install(launch, env)
    was_on = launch.has_session and save_state(launch)
    if launch.has_session:
        _announce(launch, was_on)
        launch_obstacles.warn(launch, env, was_on, asked)
    warn(launch)
    learn_about_claude(launch)
    if launch.arguments.prints or launch.base_arguments.prints:
        _print(launch, plan(launch, env, settings_file), was_on)
    become_claude(launch, env, settings_file)


def _print(launch: Launch, plan: Plan, was_on: bool) -> None:
    """Stay as claude's parent if its session may be supervised, to tell how it ended."""
    if print_session.is_expected(launch, was_on):
        foreground.exit_like(print_session.run(launch, plan, was_on))


def learn_about_claude(launch: Launch) -> None:
    """Have claude tested in the background if nothing is known about it."""
    is_on = launch.environ.get("CCC_SELFTEST") not in ("off", "running")
    if is_on and clients.load(launch.paths, launch.claude) is None:
        keys = layers.key_variables(launch.config)
        background_test.start(
            launch.paths, launch.claude, launch.program, environ=launch.environ, keys=keys
        )


def become_claude(launch: Launch, env: Mapping[str, str], settings_file: str) -> NoReturn:
    """Replace this process with claude."""
    spawn.become(plan(launch, env, settings_file))


def plan(launch: Launch, env: Mapping[str, str], settings_file: str) -> Plan:
    """Return claude's command line."""
    claude = Claude(program=launch.claude, env=env, cwd=os.getcwd(), settings_file=settings_file)
    new = launch.session if launch.is_new else ""
    return claude.launch(launch.base_arguments, launch.arguments, new)


def _prepare_or_offer_setup(line: list[str]) -> Launch:
    try:
        return prepare(line, dict(os.environ))
    except CccError as error:
        if line or error.hint != "config.set_up":
            raise
        if not prompts.is_interactive():
            raise
        from ccc.commands import init  # it tries keys, with httpx2 (0.2 s)

        if prompts.yes(words.say("config.ask_init"), True):
            sys.exit(init.main([]))
        terminal.tell(words.say("config.set_up"))
        sys.exit(1)


def install(launch: Launch, child: Mapping[str, str], path: str = "") -> str:
    """Update the user's files, and return the settings file for claude in this environment.

    If `path` is given, the project's settings can't override that PATH.
    """
    launch_obstacles.refuse_weak_claude(launch)
    where, config, provider = launch.paths, launch.config, launch.provider
    with files.Lock(where.locks) as lock:
        work = Installation(lock, where)
        users = users_settings(where)
        project = tampering.project_settings(os.getcwd())
        work.ensure(launch.program, words.current_language(), words.say("hook.status"))
        result = where.agent_settings(provider)
        work.settings_file(result, _agent_settings(launch, launch.base_layers, users, {}))
        sandbox = config.supervisor.sandbox != "off"
        env = launch.base_layers.file_env(users)
        work.reviewer_settings(provider, launch.base_layers.settings, env, sandbox)
        chosen = [*filter(None, (generated_settings.permission_mode(c) for _, c in project))]
        guarded = tampering.guarded_env(project, child, users) | ({"PATH": path} if path else {})
        if guarded or chosen or launch.layers is not launch.base_layers:
            result = where.session_settings(launch.session, os.getpid())
            own = _agent_settings(launch, launch.layers, users, guarded, chosen_modes=chosen)
            lock.write(result, jsontext.dump(own), durable=False, ours=True)
        if config.current_provider != provider and not launch.is_bound:
            work.current_provider(provider)
        for key in config.unknown_keys:
            if work.ledger.tell_once(f"unknown key {key}"):
                work.trouble.append(CccError("config.unknown_key", file=where.config, path=key))
        if launch.supervised and {**users, **launch.layers.settings}.get("disableAllHooks"):
            work.trouble.append(CccError("warn.hooks_off"))
        work.trouble += _client_warnings(launch, work.ledger.tell_once)
        work.trouble += tampering.env_warnings(project)
        work.trouble += tampering.stop_hook_warnings(project, where.settings, work.ledger.tell_once)
        work.finish()
    for problem in work.trouble:
        failure.tell(problem)
    return result


def _client_warnings(launch: Launch, is_new: Callable[[str], bool]) -> Iterable[CccError]:
    if launch.client is None:
        return ()
    return client_report.launch_warnings(launch, is_new)


def _agent_settings(
    launch: Launch,
    merged: Layers,
    users: Mapping[str, object],
    guarded: Mapping[str, str],
    chosen_modes: Sequence[str] = (),
) -> dict[str, object]:
    cap = environment.block_cap(users, launch.config.supervisor.max_iterations)
    env = {**merged.file_env(users), **cap, **guarded}
    # override the project's settings, which could disable supervision, but not the user's
    off = {**users, **merged.settings}.get("disableAllHooks") is True
    content = merged.settings
    if not chosen_modes:
        content = generated_settings.with_manual_mode(content, merged.env, users)
    content = content if off else {**content, "disableAllHooks": False}
    return generated_settings.for_agent(
        content,
        env,
        command=settings.hook_command(launch.program),
        status=words.say("hook.status"),
        records=launch.paths.state_dir,
    )


def save_state(launch: Launch) -> bool:
    """Save what a review needs to know about the launch; return whether supervision was on."""
    was_on, here = False, os.getcwd()

    def update(before: State) -> State:
        nonlocal was_on
        was_on = before.enabled
        if launch.supervised:
            if before.begins_supervision:
                before = replace(before, checks=check_baseline.find(launch.config, os.getcwd()))
            before = before.switch_on(time.time())
        return replace(
            before,
            provider=launch.provider,
            claude=launch.claude,
            pid=os.getpid(),
            conversation="",
            is_named=not launch.is_new,
            arguments=(*launch.base_arguments.shaping, *launch.arguments.shaping),
            settings=launch.kept_settings,
            cwd=here,
            projects={**(before.projects if before.cwd == here else {}), **launch.config.roots},
            path=launch.layers.env.get("PATH") or launch.environ.get("PATH", ""),
            limit=launch.config.supervisor.max_iterations,
            start_head=before.start_head or git.read_head(os.getcwd()),
            rules=tampering.rules_checksum(launch.paths, launch.config, os.getcwd()),
        )

    def tell_corrupt(aside: str) -> None:
        terminal.tell(words.say("state.corrupt", file=aside))

    try:
        sessions.change(launch.paths, launch.session, update, tell_corrupt)
    except CccError as error:
        if launch.supervised:
            raise
        failure.tell(error)
    return was_on


def _announce(launch: Launch, was_on: bool) -> None:
    if not launch.supervised and was_on:
        terminal.tell(words.say("supervisor.resumed"))
        return
    if launch.supervised:
        terminal.tell(words.say("supervisor.enabled"))
    elif launch.environ.get("CCC_SUPERVISOR") == "1":
        terminal.tell(words.say("supervisor.replaced"))
    else:
        return
    # programs look for the fixed heading, which isn't the name that people read
    is_seen = sys.stderr is not None and sys.stderr.isatty()
    heading = words.say("supervisor.log_files" if is_seen else "supervisor.log_heading")
    terminal.tell(words.say("supervisor.logs", heading=heading, **log_files(launch)))
    if launch.supervised:
        terminal.tell(switch.describe_rules(launch.config, os.getcwd(), launch.provider))


def log_files(launch: Launch) -> dict[str, str]:
    """Return the paths of a session's logs, shortened only on a terminal."""
    where, session = launch.paths, launch.session
    logs = {
        "state_dir": where.state_dir,
        "hook_log": where.invocation_log,
        "output_log": where.review_output(session),
        "agent_log": where.agent_output(session),
    }
    if sys.stderr is None or not sys.stderr.isatty():
        return logs
    return {name: display_path(path) for name, path in logs.items()}


def warn(launch: Launch) -> None:
    """Warn about credentials that keep claude from working as expected."""
    env, provider = launch.layers.env, launch.provider
    credentials = [name for name in environment.CREDENTIALS if env.get(name)]
    if env.get("ANTHROPIC_BASE_URL") and not credentials:
        terminal.tell(words.say("warn.no_credential", provider=provider))
    if len(credentials) > 1:
        terminal.tell(
            words.say("warn.two_credentials", provider=provider, names=", ".join(credentials))
        )
