"""Messages of `ccc install` in English."""

WORDS = {
    "install.usage": """Usage: ccc install

Adds supervision to Claude Code: a Stop hook in ~/.claude/settings.json and the
commands /supervisor and /supervisoroff. They work in every session, including
those that ccc did not start (plain claude, VS Code, the Agent SDK). The
reviewer runs on the session's own account or provider. SUPERVISOR.md holds its
instructions. `ccc uninstall` removes all of it. To use another provider, run
`ccc init` instead.""",
    "install.done": "{directory} now has the Stop hook (settings.json), the commands\n"
    "  /supervisor and /supervisoroff, and the reviewer's SUPERVISOR.md.",
    "install.unchanged": "Nothing to do: {directory} already has the Stop hook, /supervisor,\n"
    "  /supervisoroff and SUPERVISOR.md.",
    "install.next": "Start claude (open sessions don't have them yet) and type: /supervisor <task>",
    "install.next_again": "Start {program} and type: /supervisor <task>",
    "install.next_no_claude": "There is no claude on your PATH. Install Claude Code (npm install "
    "-g\n  @anthropic-ai/claude-code) and start claude, or run ccc init and start ccc.\n"
    "  Then type: /supervisor <task>",
}
