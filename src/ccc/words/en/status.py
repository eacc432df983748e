"""Messages of `ccc status` in English."""

WORDS = {
    "status.usage": """Usage: ccc status [--all] [--json]

Shows one line per session, newest first: open sessions, and those supervised in
the last day. COST is the cost of the reviews, and of the agent in a ccc run. If
the current directory has its own provider, ccc shows that first.

  --all     include sessions that were supervised earlier
  --json    print one JSON object: sessions, and how many more there are
  --no-color""",
    "status.bound": "Provider of this directory: {name}",
    "status.none": "No session is open, and none was supervised in the last day.",
    "status.more": "{n} more: ccc status --all",
}
