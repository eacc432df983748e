"""Counted things in English: one, and any other number."""

WORDS = {
    "count.calls": "{n} tool call | {n} tool calls",
    "count.checks": "{n} check | {n} checks",
    "count.days": "{n} day | {n} days",
    "count.files": "{n} file | {n} files",
    "count.minutes": "{n} minute | {n} minutes",
    "count.providers": "{n} provider | {n} providers",
    "count.reviews": "{n} review | {n} reviews",
    "count.rounds": "{n} round | {n} rounds",
    "count.sessions": "{n} session | {n} sessions",
    "count.states": "{n} state | {n} states",
    "count.times": "{n} time | {n} times",
}
