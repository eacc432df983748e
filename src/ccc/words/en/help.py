"""What `ccc help` says, in English."""

WORDS = {
    "help.usage": """ccc {version}: Claude Code with any provider, and a supervisor for its work

Usage:
  ccc [provider] [claude arguments…]
  ccc --supervisor [provider] [claude arguments…]
  ccc run [options] "task" [-- claude arguments…]
  ccc <command> [options]

The first word decides; everything after a provider is passed to claude.
How a command is used: ccc help <command>

Set-up:
  demo               see it work: no account, no key
  init               set up language, provider, key and status line
  install            supervision for any claude session, no provider needed
  provider           list, add, edit, show, use or remove providers
  validate           really try a provider: key, endpoint, model, a tool call
  prompt             write the default SUPERVISOR.md
  completion         print a completion script for bash, zsh or fish

Sessions:
  --supervisor       start claude with supervision switched on
  run                work on a task without a person, until it is done
  supervisor-mode    switch the supervision of this session: on, off, status
  supervisor-hook    what claude runs at every stop; not for people

Looking:
  status             one line per session
  watch              the review as it runs, in a second terminal
  history            the supervised sessions and their outcomes
  show               everything on record of one session
  report             the same as one HTML page
  statusline         a line for Claude Code's status line

Care:
  doctor             look at everything that ccc needs, and say what to do
  clean              remove the state and the logs of old sessions
  uninstall          remove ccc from your files
  help, --help, -h   print this help, or a command's
  --version, -V      print the version

In a session:
  /supervisor <task>    switch supervision on, and give the task
  /supervisoroff        switch it off

Environment:
  CCC_CONFIG_DIR     where ccc.json is (else CLAUDE_CONFIG_DIR, else ~/.claude)
  CCC_WORK_DIR       state and logs, in its ccc directory (else beside ccc.json)
  CCC_CLAUDE         the claude to run where none is on PATH
  CCC_LANG           zh or en
  CCC_SUPERVISOR_ID  the session's id; a new one where it is not set
  CCC_DEBUG          1: print a traceback with an internal error
  NO_COLOR           no colours
""",
    "help.config": "Configuration: {file} ({how})",
    "help.config_good": "readable",
    "help.config_missing": "not there yet",
    "help.config_bad": "not usable: {problem}",
    "help.providers": "Providers (* is the current one):",
    "help.provider": "{name} is a provider: `ccc {name}` starts claude on it, with everything "
    "after it.\n`ccc {name} --help` is claude's own help. What it sets: ccc provider show {name}",
    "help.unknown": "there is no command {word}",
    "help.nearest": "Did you mean: ccc help {near}",
    "help.all": "All commands: ccc help",
}
