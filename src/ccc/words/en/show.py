"""What `ccc show` says, in English."""

WORDS = {
    "show.usage": """Usage: ccc show [SESSION] [--json]

Everything on record of one session: what was asked, each round with its
verdict, feedback, checks, cost and cached share, and where the logs are.
SESSION is the beginning of an id; without one it is the session that changed
last.

  --json      one JSON object
  --no-color""",
    "show.session": "Session",
    "show.project": "Project",
    "show.provider": "Provider",
    "show.supervisor": "Supervisor",
    "show.outcome": "Outcome",
    "show.rounds": "Rounds",
    "show.reviewed": "{rounds} (asked a model {reviews} times, {cost}, {cached} cached)",
    "show.judge": "Judge",
    "show.agent_cost": "Agent",
    "show.prices": "Prices",
    "show.time": "Time",
    "show.no_request": "(the request is not on record)",
    "show.round": "Round {n}",
    "show.seconds": "{n} s",
    "show.cached": "{n} cached",
    "show.no_model": "no model asked",
    "show.diff": "{files} files +{added} −{removed}",
    "show.diff_of_one": "{files} file +{added} −{removed}",
    "show.changed_tree": "the project changed during the review",
    "show.exit": "exit {n}",
    "show.no_exit": "did not end",
    "show.state": "state",
    "show.hook": "hook log",
    "show.agent": "agent output",
    "show.reviews": "supervisor output",
    "show.verdicts": "verdicts",
    "show.errors": "supervisor errors",
}
