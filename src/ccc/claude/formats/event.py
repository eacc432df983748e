"""What claude tells its Stop hook."""

from dataclasses import dataclass

from ccc.text import json_path, jsontext
from ccc.text.names import is_argument


@dataclass(frozen=True, slots=True)
class Background:
    """What still runs in the background, in the user's words."""

    name: str
    id: str = ""
    is_agent: bool = False
    """A sub-agent, whose end wakes the agent; anything else may run for ever."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Who chose what postpones a review."""

    agent_plans: bool = False
    """The agent itself has entered plan mode since the user's last prompt."""
    in_background: frozenset[str] = frozenset()
    """The ids of the commands that the user has sent into the background."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of the agent."""

    session_id: str = ""
    transcript_path: str = ""
    cwd: str = ""
    prompt_id: str = ""
    permission_mode: str = ""
    effort: str = ""
    stop_hook_active: bool = False
    last_assistant_message: str = ""
    background_tasks: tuple[Background, ...] = ()
    is_out_of_budget: bool = False
    """Claude ended an unattended agent when the budget was spent; no hook hears about that."""


class NotAnEvent(ValueError):
    """Input that is no Stop event."""


def parse(text: str) -> Stop:
    """The event in the hook's input; what is missing or has another type counts as empty."""
    try:
        raw = jsontext.parse(text)
    except jsontext.JsonError as error:
        raise NotAnEvent(str(error)) from None
    if not isinstance(raw, dict):
        raise NotAnEvent("no object")
    return Stop(
        session_id=_argument(raw, "session_id"),
        transcript_path=_argument(raw, "transcript_path"),
        cwd=_argument(raw, "cwd"),
        prompt_id=json_path.text(raw, "prompt_id"),
        permission_mode=json_path.text(raw, "permission_mode"),
        effort=_argument(raw, "effort", "level"),
        stop_hook_active=raw.get("stop_hook_active") is True,
        last_assistant_message=json_path.text(raw, "last_assistant_message"),
        background_tasks=tuple(
            Background(
                str(task.get("description") or task.get("command") or task.get("id") or "?"),
                json_path.text(task, "id"),
                task.get("type") == "subagent",
            )
            for task in json_path.mappings(raw, "background_tasks")
            if task.get("status") == "running"
        ),
    )


def _argument(raw: object, *path: str) -> str:
    """A text that can become a path or an argument."""
    value = json_path.text(raw, *path)
    return value if is_argument(value) else ""
