"""What claude tells its Stop hook."""

from dataclasses import dataclass

from ccc.config.values import is_argument
from ccc.sessions import glance
from ccc.text import jsontext


@dataclass(frozen=True, slots=True)
class Background:
    """What still runs in the background, in the person's words."""

    name: str
    id: str = ""
    is_agent: bool = False
    """A sub-agent, whose end wakes the agent; anything else may run for ever."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Who chose what puts a review off."""

    agent_plans: bool = False
    """The agent itself has gone into plan mode since the user's last prompt."""
    put_off: frozenset[str] = frozenset()
    """The commands that the user has sent into the background, by their ids."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of the agent, as the hook's input has it."""

    session_id: str = ""
    transcript_path: str = ""
    cwd: str = ""
    prompt_id: str = ""
    permission_mode: str = ""
    effort: str = ""
    stop_hook_active: bool = False
    last_assistant_message: str = ""
    background_tasks: "tuple[Background, ...]" = ()
    is_out_of_budget: bool = False
    """An unattended agent that claude ended when the money was spent; no hook is told of it."""


class NotAnEvent(ValueError):
    """Input that is no Stop event."""


def parse(text: str) -> Stop:
    """The event in the hook's input; what is missing or of another type counts as not said."""
    try:
        raw = jsontext.parse(text)
    except jsontext.JsonError as error:
        raise NotAnEvent(str(error)) from None
    if not isinstance(raw, dict):
        raise NotAnEvent("no object")

    def usable(name: str) -> str:
        # it becomes a path or an argument
        return value if is_argument(value := glance.text(raw.get(name))) else ""

    return Stop(
        session_id=usable("session_id"),
        transcript_path=usable("transcript_path"),
        cwd=usable("cwd"),
        prompt_id=glance.text(raw.get("prompt_id")),
        permission_mode=glance.text(raw.get("permission_mode")),
        effort=_level(raw.get("effort")),
        stop_hook_active=raw.get("stop_hook_active") is True,
        last_assistant_message=glance.text(raw.get("last_assistant_message")),
        background_tasks=_running(raw.get("background_tasks")),
    )


def _level(effort: object) -> str:
    level = effort.get("level") if isinstance(effort, dict) else ""
    return level if is_argument(level) else ""


def _running(tasks: object) -> tuple[Background, ...]:
    if not isinstance(tasks, list):
        return ()
    return tuple(
        Background(
            str(task.get("description") or task.get("command") or task.get("id") or "?"),
            glance.text(task.get("id")),
            task.get("type") == "subagent",
        )
        for task in tasks
        if isinstance(task, dict) and task.get("status") == "running"
    )
