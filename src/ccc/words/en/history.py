"""What `ccc history` says, in English."""

WORDS = {
    "history.usage": """Usage: ccc history [-n N] [--json]

The supervised sessions, the newest first: when, where, on which provider, the
outcome, how many rounds, the cost (reviews, and the agent of ccc run) and the
task.

  -n N        show at most N sessions (20)
  --json      one JSON object
  --no-color""",
    "history.least": "-n must be at least 1",
    "history.none": 'No session was supervised yet. Start one: ccc run "your task", or type '
    "/supervisor your task in a claude session.",
    "history.more": "{n} more: ccc history -n {all}",
    "history.when": "WHEN",
    "history.task": "TASK",
}
