"""What `ccc uninstall` says, in English."""

WORDS = {
    "uninstall.usage": """Usage: ccc uninstall [--dry-run] [--yes] [--purge]

Takes everything of ccc out of your files again, and puts back what was there
before.

  --dry-run   only show what would be undone
  --yes       don't ask (needed where there is no terminal)
  --purge     also remove ccc.json with your keys, and all state and logs""",
    "uninstall.undone": "This is undone:",
    "uninstall.left": "This stays:",
    "uninstall.not_possible": "This can't be undone; correct it and run `ccc uninstall` again:",
    "uninstall.hook": "our Stop hook is taken out, every other byte stays",
    "uninstall.hook_and_status": "our Stop hook and status line are taken out, the rest stays",
    "uninstall.created": "removed; ccc made it, and nothing else is in it",
    "uninstall.removed": "removed",
    "uninstall.directory": "removed where it is empty; ccc made it",
    "uninstall.put_back": "yours is put back ({other})",
    "uninstall.yours": "you have changed it",
    "uninstall.copy": "a copy of your settings from before a change; keep or delete it",
    "uninstall.config": "removed, with your keys",
    "uninstall.state": "state and logs are removed ({other} files)",
    "uninstall.ledger": "removed, with the lock",
    "uninstall.unreadable": "{other}",
    "uninstall.config_stays": "your configuration with your keys (--purge removes it)",
    "uninstall.state_stays": "state and logs (--purge removes them)",
    "uninstall.running": "{count} sessions are running: they go on without a supervisor.",
    "uninstall.ask": "Undo it?",
    "uninstall.ask_purge": "Undo it, and remove your configuration and keys as well?",
    "uninstall.needs_yes": "there is no terminal to ask on: say --yes, or look with --dry-run",
    "uninstall.nothing": "There is nothing of ccc in your files.",
    "uninstall.nothing_done": "Nothing was changed.",
    "uninstall.done": "Done.",
    "uninstall.not_all": "Not everything could be undone; run `ccc uninstall` again afterwards.",
    "uninstall.package": "The program itself: {command}",
}
