"""The table of commands, whose names no provider can have."""

COMMANDS = {
    "clean": "clean",
    "completion": "completion",
    "demo": "demo",
    "doctor": "doctor",
    "eval": "eval",
    "help": "help",
    "history": "history",
    "init": "init",
    "install": "install",
    "prompt": "prompt",
    "provider": "provider",
    "queue": "queue.command",
    "report": "report",
    "run": "run",
    "show": "show",
    "status": "status",
    "statusline": "statusline",
    "supervisor-mode": "mode",
    "supervisor-hook": "hook.command",
    "uninstall": "uninstall",
    "validate": "validate",
    "watch": "watch",
    "web": "web",
}
INTERNAL = ("supervisor-hook", "statusline")  # commands that only claude runs
