"""A turn that an API error ended, on a claude whose result doesn't name the user's message."""

import json

from ccc.claude.output import Listener, Output


def test_a_cancelled_message_is_answered_by_the_result_before_it() -> None:
    """Without that, a review would wait for its timeout."""
    ignore = Listener(*(lambda *_: None for _ in range(4)))
    output = Output(ignore, ())
    output.unanswered.add("m1")
    lines = (
        {"type": "command_lifecycle", "command_uuid": "m1", "state": "started"},
        {"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 403"},
    )
    for line in lines:
        output.read(json.dumps(line), line)
    assert output.unanswered == {"m1"}
    assert output.answers == []
    line = {"type": "command_lifecycle", "command_uuid": "m1", "state": "cancelled"}
    output.read(json.dumps(line), line)
    assert output.unanswered == set()
    assert [result.error for result in output.answers] == ["API Error: 403"]
