"""Messages of `ccc statusline` in English."""

WORDS = {
    "statusline.usage": """Usage: ccc statusline

Prints a line for Claude Code's status line: whether this session is supervised,
and what the supervisor is doing. Claude passes the session as JSON on stdin.
Install it with ccc init --statusline, or in ~/.claude/settings.json:

  "statusLine": {{
    "type": "command", "command": "ccc statusline", "refreshInterval": 2
  }}

It prints nothing in a session that ccc did not start.""",
    "statusline.off": "supervisor off",
    "statusline.on": "supervisor on",
    "statusline.waiting": "another ccc holds the lock",
    "statusline.checking": "supervisor checking",
    "statusline.reviewing": "supervisor reviewing",
}
