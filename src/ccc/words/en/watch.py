"""What `ccc watch` says, in English."""

WORDS = {
    "watch.usage": """Usage: ccc watch [SESSION] [--plain]

The sessions of this machine, live, and for one of them the round in progress:
checks, what the reviewer says and does, verdicts. Without SESSION (the
beginning of an id) it is the one that is being reviewed, else the newest.
Keys: ↑ ↓ or a number choose, PgUp and PgDn scroll, q quits.

  --plain     one line per event, for programs; always so in a pipe
  --no-color""",
    "watch.none": "No session is open, and none was supervised within a day. This page will "
    "show the next one.",
    "watch.keys": "↑↓ 1-9 choose · PgUp PgDn scroll · q quit",
    "watch.on": "supervision switched on",
    "watch.off": "supervision switched off",
    "watch.stop": "round {count}: the agent has stopped",
    "watch.check": "checking: {command}",
    "watch.review": "round {count}: reviewing",
    "watch.ended": "the session has ended",
}
