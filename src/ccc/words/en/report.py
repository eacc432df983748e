"""What `ccc report` says, in English."""

WORDS = {
    "report.usage": """Usage: ccc report [SESSION] [-o FILE]

A supervised session as one HTML page that needs nothing else: the task, each
round with its verdict, feedback and checks, what the reviewer ran and saw, the
cost, the cached share and the size of the change. SESSION is the beginning of
an id; without one it is the supervised session of this directory that changed
last, or where there is none the last of all.

  -o FILE     where to write it (ccc-report-<session>.html); - is stdout""",
    "report.written": "{file}\nOnly you can read it. It holds parts of your work: look before you "
    "share it.",
    "report.no_place": "can't write to {file}: it is a directory, or its directory is missing",
    "report.open": "not decided yet",
    "report.duration": "Duration",
    "report.cost": "Cost",
    "report.of_reviews": "of the reviews",
    "report.with_agent": "agent {cost}",
    "report.cached": "From the cache",
    "report.diff": "Changed lines",
    "report.cost_chart": "Cost of each review, USD",
    "report.cached_chart": "From the prompt cache, %",
    "report.diff_chart": "Lines changed since the start",
    "report.rounds": "Rounds",
    "report.none": "No round so far.",
    "report.worked": "the agent worked for {time}",
    "report.by_check": "Sent back with the output of the check; no model was asked.",
    "report.made": "Made by ccc {version} from the records of session {session}.",
}
