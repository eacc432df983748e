"""What `ccc install` says, in English."""

WORDS = {
    "install.usage": """Usage: ccc install

Adds supervision to Claude Code: a Stop hook in ~/.claude/settings.json and the
commands /supervisor and /supervisoroff. They work in every session, also in
one that was not started with ccc (plain claude, VS Code, the Agent SDK). The
reviewer runs on the session's own account or provider. SUPERVISOR.md holds its
instructions. `ccc uninstall` removes all of it. To use another provider, run
`ccc init` instead.""",
    "install.hook": "Stop hook in {file}",
    "install.commands": "slash commands: {files}",
    "install.prompt": "the reviewer's instructions: {file}",
    "install.next": "Start claude and type: /supervisor <task>\n"
    "A session that is already open has to be restarted. To remove it all: ccc uninstall",
}
