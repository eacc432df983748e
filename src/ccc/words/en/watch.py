"""Messages of `ccc watch` in English."""

WORDS = {
    "watch.usage": """Usage: ccc watch [SESSION] [--plain]

Shows the sessions of this machine live, and the round in progress of one of
them: checks, what the reviewer says and does, verdicts. SESSION is the start of
an id; the default is the session under review, or the newest.
Keys: ↑ ↓ (or k j) choose a session and scroll the list, 1-9 choose one of those
listed, PgUp and PgDn scroll its log, q quits.
The same in a browser: ccc web

  --plain     print one line per event, for programs; the default in a pipe
  --no-color""",
    "watch.none": "No session is open, and none was supervised in the last day. This page "
    "will show the next one.",
    "watch.keys": "↑↓ 1-9 choose · PgUp PgDn scroll · q quit",
    "watch.above": "↑ {n} more",
    "watch.below": "↓ {n} more",
    "watch.older": "older ones: ccc history",
    "watch.on": "supervision turned on",
    "watch.off": "supervision turned off",
    "watch.stop": "round {count}: the agent has stopped",
    "watch.check": "checking: {command}",
    "watch.review": "round {count}: reviewing",
    "watch.ended": "the session has ended",
}
