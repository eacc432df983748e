"""Messages of `ccc help` in English."""

WORDS = {
    "help.usage": """ccc {version}: Claude Code with any provider, and a supervisor for its work

Usage:
  ccc [provider] [claude arguments…]
  ccc --supervisor [provider] [claude arguments…]
  ccc run [options] "task" [-- claude arguments…]
  ccc <command> [options]

The first word decides; everything after a provider is passed to claude.
More about a command: ccc help <command>

Setup:
  demo               see it work: no account, no key
  init               set up language, provider, key and status line
  install            supervision for any claude session, no provider needed
  provider           list, add, edit, show, use or remove providers
  validate           test a provider: key, endpoint, model, a tool call
  prompt             write the default SUPERVISOR.md
  completion         print a completion script for bash, zsh or fish

Sessions:
  --supervisor       start claude with supervision on
  run                work on a task unattended until it is done
  queue              many tasks: worktrees, branches, limits, one budget
  supervisor-mode    turn supervision of this session on or off
  supervisor-hook    the Stop hook that claude runs; not for direct use

Inspection:
  status             one line per session
  watch              the review as it runs, in a second terminal
  web                a page that shows what happens
  history            the supervised sessions and their outcomes
  show               one session in detail
  report             the same as one HTML page
  statusline         a line for Claude Code's status line

Maintenance:
  eval               measure what catches work that isn't done
  doctor             check everything that ccc needs, and suggest fixes
  clean              remove state and logs of old sessions
  uninstall          remove ccc from your files
  help, --help, -h   print this help, or a command's
  --version, -V      print the version

In a session:
  /supervisor <task>    turn supervision on and give the task
  /supervisoroff        turn it off

Environment:
  CCC_CONFIG_DIR     where ccc.json is (else CLAUDE_CONFIG_DIR, else ~/.claude)
  CCC_WORK_DIR       state and logs go to its ccc/ (default: next to ccc.json)
  CCC_CLAUDE         the claude to run if none is on PATH
  CCC_LANG           zh or en
  CCC_SUPERVISOR_ID  the session's id (default: a new one)
  CCC_QUEUE_URL      a Postgres database: one queue for several machines
  CCC_SELFTEST       off: don't test an unknown claude in the background
  CCC_DEBUG          1 prints a traceback for internal errors
  NO_COLOR           no colours
""",
    "help.config": "Configuration: {file} ({how})",
    "help.config_good": "readable",
    "help.config_missing": "not created yet",
    "help.config_bad": "not usable: {problem}",
    "help.providers": "Providers (* is the current one):",
    "help.provider": "{name} is a provider: `ccc {name}` starts claude on it, with everything "
    "after it.\n`ccc {name} --help` is claude's own help. What it sets: ccc provider show {name}",
    "help.unknown": "there is no command {word}",
    "help.nearest": "Did you mean: ccc help {near}",
    "help.all": "All commands: ccc help",
}
