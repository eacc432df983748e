"""Messages of `ccc show` in English."""

WORDS = {
    "show.usage": """Usage: ccc show [SESSION] [--full] [--json]
       ccc show [SESSION] --wrong|--right [--round N]

Shows one supervised session: the task, each round with its verdict, checks,
feedback and cost, and what the reviewer ran, saw and said. SESSION is the start
of an id; the default is the latest supervised session of this directory, or the
latest of all if it has none.

  --full      show everything: all tool calls of the reviewer with their output,
              the output of the checks, and where the logs are
  --json      print one JSON object
  --wrong     mark the last verdict as wrong, and print the command that makes a
              case for `ccc eval` of it
  --right     take the mark back
  --round N   mark the verdict of round N instead of the last
  --no-color""",
    "show.wrong": "wrong",
    "show.marked_wrong": "Marked as wrong: session {session}, {round}.",
    "show.marked_right": "Marked as right: session {session}, {round}.",
    "show.make_case": "To measure reviewers with it, make a case of it (KIND: ccc help eval):",
    "show.round_of_mark": "--round needs --wrong or --right",
    "show.no_verdict": "session {session} has no verdict yet",
    "show.no_round": "session {session} has no verdict in round {n}\n"
    "→ Rounds with a verdict: {known}",
    "show.not_marked": "the mark was not recorded: {problem}",
    "show.resume": "Resume with",
    "show.model": "Model",
    "show.supervisor": "Supervision",
    "show.reviews_cost": "Reviews",
    "show.no_reviews": "none: the checks decided",
    "show.reviewers": "Reviewer",
    "show.agent_cost": "Agent cost",
    "show.prices": "Prices",
    "show.no_request": "(the task is not on record)",
    "show.no_rounds": "No rounds yet: the agent has not stopped since supervision was turned on.",
    "show.round": "Round {n}",
    "show.after_round": "After round {n}",
    "show.before_rounds": "Before the first round",
    "show.no_changes": "no changes",
    "show.cached": "{n} cached",
    "show.no_model": "no model asked",
    "show.reviewer": "Reviewer: {calls}",
    "show.changed_tree": "the project changed during the review",
    "show.state": "state",
    "show.hook": "hook log",
    "show.agent": "agent output",
    "show.reviews": "reviewer output",
    "show.verdicts": "verdicts",
    "show.errors": "reviewer errors",
}
