"""What `ccc status` says, in English."""

WORDS = {
    "status.usage": """Usage: ccc status [--all] [--json]

One line per session, the newest first: those that are open, and those that
were supervised within a day. COST is the cost of the reviews, and of the agent
in a ccc run. Where the current directory has a provider of its own, that is
shown first.

  --all     also those that were supervised earlier
  --json    one JSON object: sessions, and how many more there are
  --no-color""",
    "status.bound": "Provider of this directory: {name}",
    "status.none": "No session is open, and none was supervised within a day.",
    "status.more": "{n} more: ccc status --all",
}
