"""What the agent and the reviewer say and do in the sessions of the self-test."""

import os
from collections.abc import Callable, Sequence

from ccc.scripted import CODE, Reply, Request, answer, tool

TASK = "Look at probe.txt."
FILES = {"probe.txt": "probe\n"}
CHECK = "test -e fixed"  # fails at the first stop, and passes at the second one
DECOY, DECOY_HEADER = "decoy-beta", "anthropic-beta"
AGENT_SAID = "I have looked at it."  # what the agent says; a fork has it in its conversation
REVIEWER_SAW = "666\nprobe"  # the output of the reviewer's command
BY_BASH, BY_WRITE = "written-by-bash", "written-by-write"
"""The files that the reviewer tries to write in the project."""
_LOOK = "echo $((600 + 66)); cat probe.txt"
_VERDICT = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
_ENDLESS_SECONDS = 60.0

Replies = Callable[[Request], Reply]


def is_review(request: Request) -> bool:
    """Return whether the reviewer sent it."""
    return bool(request.code)


def is_agents(request: Request) -> bool:
    """Return whether it is a turn of the agent."""
    return request.is_agent_turn and not is_review(request)


def is_sent_back(request: Request) -> bool:
    """Return whether the agent was sent back to work because of the check."""
    prompt = request.turn[0]
    return is_agents(request) and CHECK in prompt and TASK not in prompt


def supervised(project: str, review: Sequence[Reply] = ()) -> Replies:
    """Return the replies in a session with two stops and a review."""
    reviewer = review or [
        answer(tool("Bash", command=_LOOK, description="Look")),
        answer(tool("Bash", command=f"echo x > {os.path.join(project, BY_BASH)}")),
        answer(tool("Write", file_path=os.path.join(project, BY_WRITE), content="x")),
        answer(_VERDICT),
    ]
    first = [answer(tool("Bash", command="env", description="Look")), answer(AGENT_SAID)]
    second = [answer(tool("Bash", command="touch fixed", description="Fix")), answer(AGENT_SAID)]

    def reply(request: Request) -> Reply:
        steps: Sequence[Reply] = second if is_sent_back(request) else first
        steps = reviewer if is_review(request) else steps
        return steps[min(request.turn[1], len(steps) - 1)]

    return _with_asides(reply)


def streamed() -> Replies:
    """Return the replies in a session whose second turn must be interrupted."""
    endless = answer(AGENT_SAID, delay=_ENDLESS_SECONDS)
    return _with_asides(lambda request: endless if is_sent_back(request) else answer(AGENT_SAID))


def interactive() -> Replies:
    """Return the replies in a session with one stop, which is reviewed."""
    return _with_asides(lambda request: answer(_VERDICT if is_review(request) else AGENT_SAID))


def _with_asides(reply: Replies) -> Replies:
    return lambda request: reply(request) if request.is_agent_turn else answer(TASK)
