"""Messages of `ccc uninstall` in English."""

WORDS = {
    "uninstall.usage": """Usage: ccc uninstall [--dry-run] [--yes] [--purge]

Removes everything that ccc added to your files, and restores what was there
before.

  --dry-run   only show what would be removed
  --yes       don't ask (required without a terminal)
  --purge     also remove ccc.json with your keys, and all state and logs""",
    "uninstall.undone": "This will be removed:",
    "uninstall.left": "This stays:",
    "uninstall.not_possible": "This can't be removed; fix it and run `{command}` again:",
    "uninstall.hook": "ccc's Stop hook; every other byte stays",
    "uninstall.hook_and_status": "ccc's Stop hook and status line; the rest stays",
    "uninstall.created": "ccc created it, and nothing else is in it",
    "uninstall.removed": "the whole file",
    "uninstall.directory": "if it is empty; ccc created it",
    "uninstall.put_back": "ccc's; yours is restored ({other})",
    "uninstall.yours": "you have changed it",
    "uninstall.given_back": "what `ccc init --remove-keys` removed is restored: {other}",
    "uninstall.copy": "your settings with the key in them, from before `ccc init "
    "--remove-keys`; no longer needed: keep or delete it",
    "uninstall.copy_needed": "the provider and the key that `ccc init --remove-keys` "
    "removed; without them plain claude has no provider. To restore them: {other}",
    "uninstall.config": "the whole file, with your keys",
    "uninstall.state": "state and logs ({files})",
    "uninstall.cases": "your own cases for ccc eval",
    "uninstall.queue": "the tasks of ccc queue; branches and worktrees "
    "(~/.local/state/ccc/queue) stay",
    "uninstall.workers": "a worker of ccc queue is running (pid {pids})\n"
    "→ Stop it first: kill {pids}",
    "uninstall.queue_logs": "the logs of ccc queue",
    "uninstall.ledger": "the whole file, with the lock",
    "uninstall.unreadable": "{other}",
    "uninstall.config_stays": "your configuration with your keys ({how} removes it)",
    "uninstall.state_stays": "state and logs ({how} removes them)",
    "uninstall.running": "Still running: {sessions}, now unsupervised.",
    "uninstall.process": "Still running: {command} (pid {pids}). Stop it: kill {pids}",
    "uninstall.ask_purge": "Remove it, and your configuration and keys as well?",
    "uninstall.nothing": "ccc has nothing in your files.",
    "uninstall.done": "Done.",
    "uninstall.not_all": "Not everything could be removed; run `{command}` again afterwards.",
    "uninstall.package": "The program itself: {command}",
}
