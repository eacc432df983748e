"""Messages of `ccc status` in English."""

WORDS = {
    "status.usage": """Usage: ccc status [--all] [--json]

Shows one line per session, newest first: open sessions, and those supervised in
the last day, with their tasks. COST is that of the reviews; for a ccc run it is
the total, agent and reviews. A narrow terminal shows fewer columns. If the
current directory has its own provider, ccc shows that first.

  --all     include sessions that were supervised earlier
  --json    print one JSON object: sessions, and how many more there are
  --no-color""",
    "status.bound": "Provider of this directory: {name}",
    "status.none": "No session is open, and none was supervised in the last day.",
}
