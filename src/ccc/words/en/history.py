"""What `ccc history` says, in English."""

WORDS = {
    "history.usage": """Usage: ccc history [-n N] [--json]

The sessions that were supervised, the newest first: when, where, on which
provider, their outcome, how many rounds, what it cost (reviews, and the
agent of ccc run), what they were about.

  -n N        at most so many (20)
  --json      one JSON object
  --no-color""",
    "history.least": "-n must be at least 1",
    "history.none": "Nothing was supervised yet. In a claude session type: /supervisor <task>",
    "history.more": "{n} more: ccc history -n {all}",
    "history.when": "WHEN",
    "history.outcome": "OUTCOME",
    "history.task": "TASK",
}
