"""`ccc [provider] [claude args…]`: switch to the provider and exec claude."""

import os
import sys
from typing import NoReturn

from ccc import cli, words
from ccc.claude.formats import arguments
from ccc.claude.formats.obstacles import HOOKS, RECORD
from ccc.claude.launch import (
    Launch,
    become_claude,
    child_environment,
    learn_about_claude,
    log_files,
    prepare,
    warn,
)
from ccc.errors import CccError
from ccc.run import options
from ccc.supervision import launch_files
from ccc.system import terminal


def main(line: list[str]) -> int:
    """Launch claude in place of this process, or run what it prints until it is complete."""
    launch = _prepare_or_offer_setup(line)
    found = options.find_run(launch) if launch.prints else None
    if not found:
        _become_claude(launch)
    # it takes 80 ms, a fifth of the time that `claude -p hi` takes
    from ccc.run import unattended

    return unattended.execute(*found)


def _become_claude(launch: Launch) -> NoReturn:
    task = launch.arguments.task if launch.has_session else ""
    env, asked = child_environment(launch), task.split(None, 1)[:1] == [arguments.SUPERVISOR]
    if launch.supervised and launch.has_session:
        launch_files.refuse(launch, env, HOOKS, RECORD)
    if asked or (launch.supervised and launch.has_session):
        launch_files.refuse_claude(launch, "stop_hook")
    settings_file = launch_files.install(launch, env)
    was_on = launch.has_session and launch_files.save_state(launch)
    if launch.has_session:
        _announce(launch, was_on)
        launch_files.warn(launch, env, was_on, asked)
    warn(launch)
    learn_about_claude(launch)
    become_claude(launch, env, settings_file)


def _prepare_or_offer_setup(line: list[str]) -> Launch:
    try:
        return prepare(line, dict(os.environ))
    except CccError as error:
        if line or error.hint != "config.set_up":
            raise
        from ccc.ui import prompts  # argparse takes 8 ms of a launch's 60

        if not prompts.is_interactive():
            raise
        if prompts.yes(words.say("config.ask_init"), True):
            sys.exit(cli.run(["init"]))
        terminal.tell(words.say("config.set_up"))
        sys.exit(1)


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
        from ccc.supervision import switch  # 10 ms of imports that other launches don't need

        terminal.tell(switch.describe_rules(launch.config, os.getcwd(), launch.provider))
