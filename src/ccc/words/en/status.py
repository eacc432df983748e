"""What `ccc status` says, in English."""

WORDS = {
    "status.usage": """Usage: ccc status [--all] [--json]

One line per session, the newest first: those that are running or have changed
within a day.

  --all     every session there is a record of
  --json    one JSON object: sessions, and how many more there are
  --no-color""",
    "status.none": "No session is running, and none has changed within a day.",
    "status.more": "{n} more: ccc status --all",
}
