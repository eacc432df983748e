"""What `ccc help` says, in English."""

WORDS = {
    "help.usage": """ccc {version}: Claude Code with any provider, and a supervisor for its work

Usage:
  ccc [provider] [claude arguments…]
  ccc --supervisor [provider] [claude arguments…]
  ccc run [options] "task" [-- claude arguments…]
  ccc <command>

The first word decides; everything behind it goes to claude as it is.

Commands:
  supervisor-mode [on|off|status]  switch the supervision of this session
  run "task"                       work without a person until it is done (run --help)
  prompt init [--project]          write the default SUPERVISOR.md
  --supervisor                     start with supervision switched on
  --version, -V                    print the version
  --help, -h                       print this help

In a session:
  /supervisor <task>               switch supervision on, and give the task
  /supervisoroff                   switch it off

Environment:
  CCC_CONFIG_DIR       where ccc.json is (else CLAUDE_CONFIG_DIR, else ~/.claude)
  CCC_WORK_DIR         state and logs go to its ccc directory (else beside ccc.json)
  CCC_CLAUDE           the claude to run where none is on PATH
  CCC_LANG             zh or en
  CCC_SUPERVISOR_ID    the session's id; made anew where it is not set
  CCC_DEBUG            1: print a traceback with an internal error
""",
    "help.config": "Configuration: {file} ({how})",
    "help.config_good": "readable",
    "help.config_missing": "not there yet",
    "help.config_bad": "not usable: {problem}",
    "help.providers": "Providers (* is the current one):",
}
