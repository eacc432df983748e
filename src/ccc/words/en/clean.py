"""Messages of `ccc clean` in English."""

WORDS = {
    "clean.usage": """Usage: ccc clean [--older-than AGE] [--dry-run] [--yes]

Removes the state and logs of sessions that are not running and have not changed
for a while.

  --older-than AGE   for example 30d (the default), 12h, 2w
  --dry-run          only show what would be removed
  --yes              don't ask (required without a terminal)""",
    "clean.sessions": "Sessions unchanged for {age} ({count}):",
    "clean.headers": "SESSION|PROJECT|AGE|SIZE|TASK",
    "clean.age_m": "{n} min",
    "clean.age_h": "{n} h",
    "clean.age_d": "{n} days",
    "clean.unit": "expected a number with a unit: 45m, 12h, 30d, 2w",
    "clean.running": "Running sessions, not removed: {count}",
    "clean.more": "… and {count} more",
    "clean.others": "Old logs, and files of processes that have ended: {count} ({size})",
    "clean.whole": "Total: {files}, {size}.",
    "clean.ask": "Remove them?",
    "clean.nothing": "Nothing in {directory} is older than {age}.",
    "clean.done": "Removed {files}, {size} freed.",
}
