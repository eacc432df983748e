"""What `ccc watch` says, in English."""

WORDS = {
    "watch.usage": """Usage: ccc watch [SESSION] [--plain]

The sessions of this machine as they go, and for one of them the review while
it runs: checks, what the reviewer says and does, verdicts. Without SESSION
(the beginning of an id) it is the one that is being reviewed, else the newest.
Keys: ↑ ↓ or a number choose, q quits.

  --plain     one line per event, for programs; so it is in a pipe anyway
  --no-color""",
    "watch.none": "No session is running, and none has changed within a day. This page will show "
    "the next one.",
    "watch.keys": "↑↓ 1-9 choose · q quit",
    "watch.on": "supervision switched on",
    "watch.off": "supervision switched off",
    "watch.stop": "the agent has stopped, round {count}",
    "watch.check": "checking: {command}",
    "watch.review": "reviewing, round {count}",
    "watch.ended": "the session has ended",
}
