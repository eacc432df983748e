"""What prevents supervision of a launch: options, variables, or a claude that lacks something."""

from collections.abc import Mapping

from ccc import words
from ccc.claude import clients
from ccc.claude.capabilities import Answers
from ccc.claude.formats import environment, obstacles
from ccc.claude.formats.obstacles import COMMAND, HOOKS, RECORD
from ccc.claude.launch import Launch
from ccc.config.schema import Supervisor
from ccc.errors import CccError
from ccc.system import terminal


def refuse(launch: Launch, env: Mapping[str, str], *losses: str) -> None:
    """Refuse a supervised launch with an option or a variable that makes supervision impossible."""
    for each in obstacles.find(_all_arguments(launch), env):
        if each.loses in losses:
            reason, word = f"obstacle.{each.loses}", each.word
            raise CccError("obstacle.refused", word=word, reason=reason)


def refuse_claude(launch: Launch, *needed: str) -> None:
    """Refuse a supervised launch of a claude that lacks something that it needs."""
    if launch.client and (problem := _obstacle_of_launch(launch, *needed)):
        raise problem


def refuse_weak_claude(launch: Launch) -> None:
    """Refuse a claude that would send the provider's key to an endpoint in a settings file."""
    client = launch.client
    if client and client.lacks("provider_wins") and environment.has_access(launch.layers.env):
        raise clients.lack_error(client, "provider_wins", clients.AGAIN)


def warn(launch: Launch, env: Mapping[str, str], was_on: bool, asked: bool) -> None:
    """Warn if a supervised session won't be judged, or if /supervisor won't work."""
    losses = (HOOKS, RECORD, COMMAND) if asked else (HOOKS, RECORD) if was_on else ()
    for each in obstacles.find(_all_arguments(launch), env) if losses else ():
        if each.loses in losses:
            reason = f"obstacle.{each.loses}"
            terminal.tell(words.say("obstacle.warning", word=each.word, reason=reason))


def _all_arguments(launch: Launch) -> tuple[str, ...]:
    return (*launch.base_arguments.rest, *launch.arguments.rest)


def review_obstacle(client: Answers | None, limits: Supervisor, is_fork: bool) -> CccError | None:
    """Return the reason why this claude can't review, if there is one."""
    if client is None:
        return None
    for name in ("read_only", *(["fork"] if is_fork else [])):
        if client.lacks(name):
            return clients.lack_error(client, name, clients.AGAIN)
    if client.lacks("reviewer_bash") and limits.sandbox == "require":
        return clients.lack_error(client, "reviewer_bash_required", clients.AGAIN)
    return None


def _obstacle_of_launch(launch: Launch, *needed: str) -> CccError | None:
    """Return the reason why an unattended or supervised launch makes no sense, if there is one."""
    client, limits = launch.client, launch.config.supervisor
    if client is None:
        return None
    if problem := review_obstacle(client, limits, is_fork=not (limits.model or limits.provider)):
        return problem
    missing = filter(client.lacks, needed)
    return next((clients.lack_error(client, name, clients.AGAIN) for name in missing), None)
