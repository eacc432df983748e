"""Counted nouns in English: singular and plural."""

WORDS = {
    "count.asking": "{n} needs your input | {n} need your input",
    "count.calls": "{n} tool call | {n} tool calls",
    "count.cases": "{n} case | {n} cases",
    "count.checks": "{n} check | {n} checks",
    "count.commits": "{n} commit | {n} commits",
    "count.files": "{n} file | {n} files",
    "count.leftovers": "{n} leftover file of a session that was killed | "
    "{n} leftover files of sessions that were killed",
    "count.reviews": "{n} review | {n} reviews",
    "count.sessions": "{n} session | {n} sessions",
    "count.times": "{n} time | {n} times",
    "count.workers": "{n} worker | {n} workers",
}
