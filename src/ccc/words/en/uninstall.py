"""What `ccc uninstall` says, in English."""

WORDS = {
    "uninstall.usage": """Usage: ccc uninstall [--dry-run] [--yes] [--purge]

Removes everything that ccc added to your files, and puts back what was there
before.

  --dry-run   only show what would be removed
  --yes       don't ask (needed where there is no terminal)
  --purge     also remove ccc.json with your keys, and all state and logs""",
    "uninstall.undone": "This will be removed:",
    "uninstall.left": "This stays:",
    "uninstall.not_possible": "This can't be removed; correct it and run `{command}` again:",
    "uninstall.hook": "our Stop hook; every other byte stays",
    "uninstall.hook_and_status": "our Stop hook and status line; the rest stays",
    "uninstall.created": "ccc made it, and nothing else is in it",
    "uninstall.removed": "the whole file",
    "uninstall.directory": "if it is empty; ccc made it",
    "uninstall.put_back": "ours; yours is put back ({other})",
    "uninstall.yours": "you have changed it",
    "uninstall.given_back": "what `ccc init --remove-keys` took out is put back: {other}",
    "uninstall.copy": "your settings with the key in them, as they were before `ccc init "
    "--remove-keys`; not needed any more: keep or delete it",
    "uninstall.copy_needed": "the provider and the key that `ccc init --remove-keys` took out; "
    "without them plain claude has no provider. To have them back: {other}",
    "uninstall.config": "the whole file, with your keys",
    "uninstall.state": "state and logs ({files})",
    "uninstall.ledger": "the whole file, with the lock",
    "uninstall.unreadable": "{other}",
    "uninstall.config_stays": "your configuration with your keys (--purge removes it)",
    "uninstall.state_stays": "state and logs (--purge removes them)",
    "uninstall.running": "Still running: {sessions}, from now on without a supervisor.",
    "uninstall.ask": "Remove it?",
    "uninstall.ask_purge": "Remove it, and your configuration and keys as well?",
    "uninstall.nothing": "There is nothing of ccc in your files.",
    "uninstall.nothing_done": "Nothing was changed.",
    "uninstall.done": "Done.",
    "uninstall.not_all": "Not everything could be removed; run `{command}` again afterwards.",
    "uninstall.package": "The program itself: {command}",
}
