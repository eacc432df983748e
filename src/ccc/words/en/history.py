"""Messages of `ccc history` in English."""

WORDS = {
    "history.usage": """Usage: ccc history [-n N] [--json]

Lists the supervised sessions, newest first, with project, provider, outcome,
rounds, cost and task. The cost is that of the reviews; for a ccc run it is the
total, agent and reviews.

  -n N        show at most N sessions (default 20)
  --json      print one JSON object
  --no-color""",
    "history.least": "-n must be at least 1",
    "history.when": "WHEN",
}
