"""The agent's steps, read from claude's record of a session."""

import json

from ccc.evaluation import recorded_talk
from ccc.evaluation.case import FEEDBACK, RUN, CaseStep
from ccc.model.round import Round


def test_only_what_the_agent_was_sent_is_feedback() -> None:
    """A yes with words, or a question to the user, was no feedback for the agent."""
    moment = "1970-01-01T00:00:{:02}.000Z"
    use = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "make"}}
    lines = [
        json.dumps({"type": kind, "timestamp": moment.format(at), "message": {"content": content}})
        for at, kind, content in ((5, "user", "go on"), (40, "assistant", [use]))
    ]
    rounds = [
        Round(1, stopped_at=10.0, outcome="not_completed", feedback="test it"),
        Round(2, stopped_at=20.0, outcome="completed", allowed=True, feedback="well tested"),
        Round(3, stopped_at=30.0, outcome="needs_user", allowed=True, feedback="which colour?"),
        Round(4, stopped_at=50.0, outcome="completed", allowed=True),
    ]
    found = recorded_talk.read(lines, rounds, ("/p",)).steps
    assert found == (CaseStep(FEEDBACK, "test it"), CaseStep(RUN, "make"))
