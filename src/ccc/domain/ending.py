"""How an unattended run ends: the outcome, and the exit code that says it."""

CODES = {
    "completed": 0,
    "iterations": 20,
    "stuck": 21,
    "minutes": 22,
    "cost": 22,
    "needs_user": 23,
    "plan": 23,
    "not_judged": 24,
    "agent_failed": 25,
    "interrupted": 130,
}


def exit_code(outcome: str) -> int:
    """The exit code of an outcome."""
    return CODES[outcome]
