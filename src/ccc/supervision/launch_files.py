"""What a launch refuses and writes.

It refuses options, variables and a claude that make supervision impossible. It writes ccc's entries
in the user's files, claude's settings and the state.
"""

import os
import time
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from ccc import failure, words
from ccc.claude import known_claudes, settings_files
from ccc.claude.formats import environment, generated_settings, obstacles, settings
from ccc.claude.formats.obstacles import COMMAND, HOOKS, RECORD
from ccc.claude.launch import Launch
from ccc.errors import CccError
from ccc.model.state import State
from ccc.project import git
from ccc.providers.layers import Layers
from ccc.storage import files, sessions
from ccc.storage.installation import Installation, users_settings
from ccc.supervision import session_store
from ccc.system import terminal
from ccc.text import jsontext


def refuse(launch: Launch, env: Mapping[str, str], *losses: str) -> None:
    """Refuse a supervised launch with an option or a variable that makes supervision impossible."""
    for word, loss in _obstacles(launch, env, losses):
        raise CccError("obstacle.refused", word=word, reason=f"obstacle.{loss}")


def refuse_claude(launch: Launch, needed: str) -> None:
    """Refuse an unattended or supervised launch of a claude that lacks something that it needs."""
    client, limits = launch.client, launch.config.supervisor
    is_fork = not (limits.model or limits.provider)
    known_claudes.refuse_reviewer(client, limits, is_fork)
    known_claudes.refuse_without(client, needed)


def warn(launch: Launch, env: Mapping[str, str], was_on: bool, asked: bool) -> None:
    """Warn if a supervised session won't be judged, or if /supervisor won't work."""
    losses = (HOOKS, RECORD, COMMAND) if asked else (HOOKS, RECORD) if was_on else ()
    for word, loss in _obstacles(launch, env, losses):
        terminal.tell(words.say("obstacle.warning", word=word, reason=f"obstacle.{loss}"))


def _obstacles(
    launch: Launch, env: Mapping[str, str], losses: Collection[str]
) -> list[tuple[str, str]]:
    arguments = (*launch.base_arguments.rest, *launch.arguments.rest)
    found = obstacles.find(arguments, env).items()
    return [(word, loss) for word, loss in found if loss in losses]


def install(launch: Launch, child: Mapping[str, str], path: str = "") -> str:
    """Update the user's files, and return the settings file for claude in this environment.

    If `path` is given, the project's settings can't override that PATH.
    """
    known_claudes.refuse_weak(launch.client, launch.layers.env)
    where, config, provider = launch.paths, launch.config, launch.provider
    with files.Lock(where.locks) as lock:
        work = Installation(lock, where)
        users = users_settings(where)
        project = settings_files.project_settings(where, os.getcwd())
        work.ensure(launch.program)
        result = where.agent_settings(provider)
        work.settings_file(result, _agent_settings(launch, launch.base_layers, users, {}))
        sandbox = config.supervisor.sandbox != "off"
        env = launch.base_layers.file_env(users)
        work.reviewer_settings(provider, launch.base_layers.settings, env, sandbox)
        modes = (generated_settings.permission_mode(each.settings) for each in project)
        chosen = list(filter(None, modes))
        guarded = settings_files.guarded_env(project, child, users) | (
            {"PATH": path} if path else {}
        )
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
        work.trouble += settings_files.env_warnings(project)
        work.trouble += settings_files.stop_hook_warnings(project, work.ledger.tell_once)
        work.finish()
    for problem in work.trouble:
        failure.tell(problem)
    return result


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
                from ccc.project import checks  # 5 ms, as in commands/launch

                before = replace(before, checks=checks.find_obstacles(launch.config, os.getcwd()))
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
            rules=session_store.checksum_of_rules(launch.paths, launch.config, os.getcwd()),
        )

    try:
        sessions.change(launch.paths, launch.session, update, sessions.tell_corrupt)
    except CccError as error:
        if launch.supervised:
            raise
        failure.tell(error)
    return was_on
