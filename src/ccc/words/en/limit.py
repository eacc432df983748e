"""All messages about the limits of a task in English."""

WORDS = {
    "limit.count.max_iterations": "{n} round | {n} rounds",
    "limit.option.max_iterations": "limit of rounds (default: as in ccc.json, else 10)",
    "limit.look.iterations": "round limit",
    "limit.stop.iterations": "[SUPERVISOR] limit of {rounds} for this prompt reached{checks}. "
    "Stop allowed without a review. Your next prompt starts a new count.",
    "limit.run.iterations": "[ccc] limit of {rounds} reached{checks}\n"
    "Continue with: ccc run --continue --max-iterations N",
    "limit.count.max_minutes": "{n} minute | {n} minutes",
    "limit.option.max_minutes": "time limit over all continuations; 0: no limit",
    "limit.look.minutes": "time limit",
    "limit.stop.minutes": "[SUPERVISOR] limit of {detail} minutes reached. Stop allowed without a "
    "review.",
    "limit.run.minutes": "[ccc] out of time after {seconds} s\n"
    "Continue with: ccc run --continue --max-minutes N",
    "limit.count.max_cost_usd": "${n} | ${n}",
    "limit.option.max_cost_usd": "cost limit, agent and reviews together; 0: no limit",
    "limit.look.cost": "cost limit",
    "limit.stop.cost": "[SUPERVISOR] limit of ${detail} for reviews reached{checks}. Stop allowed "
    "without a review.",
    "limit.run.cost": "[ccc] out of budget at {cost}{checks}\n"
    "Continue with: ccc run --continue --max-cost-usd N",
}
