"""A turn that an API error ended, on a claude whose result doesn't name the user's message."""

import json

from ccc.claude.output import Output, OutputListener


def test_the_result_of_a_failed_turn_answers_the_message_that_began_it() -> None:
    """Without that, a review would wait for its timeout."""
    ignore = OutputListener(*(lambda *_: None for _ in range(4)))
    output = Output(ignore, ())
    output.unanswered.add("m1")
    failed = {"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 403"}
    queued = {"type": "command_lifecycle", "command_uuid": "m1", "state": "queued"}
    for line in (queued, failed):
        output.read(json.dumps(line), line)
    assert output.unanswered == {"m1"}  # a scheduled job's turn
    started = {**queued, "state": "started"}
    for line in (started, failed):
        output.read(json.dumps(line), line)
    assert output.unanswered == set()
    assert [result.error for result in output.answers] == ["API Error: 403"]
