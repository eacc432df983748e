"""Messages of `ccc doctor` in English."""

WORDS = {
    "doctor.usage": """Usage: ccc doctor [PROVIDER] [--fix] [--try] [--all] [--json]
       ccc doctor --deep [--interactive] [--json]

Checks everything that ccc needs and suggests a fix for each problem. It prints
no secrets, so you can paste the output into a bug report.

  PROVIDER   check the variables of this provider (default: the current one)
  --fix      repair ccc's own files: the hook, the slash commands,
             SUPERVISOR.md, modes, leftovers
  --try      if claude's sandbox is on for the agent: turn supervision on and
             off there, in a scratch home with a scripted model (seconds)
  --all      show where every variable comes from, not only those that are set
             in two places
  --json     print one JSON object
  --deep     test what the installed claude can do, in a scratch home with a
             scripted model (a few seconds, no key), and remember the answers
  --interactive
             with --deep: also test a session on a terminal

Exit codes: 0 no problem, 1 a problem""",
    "doctor.interactive_alone": "--interactive needs --deep",
    "doctor.ccc": "ccc {version} ({file}), Python {python}, {system}",
    "doctor.other_ccc": "`ccc` on PATH is another one: {file}\n"
    "→ Uninstall one of the two, or fix PATH.",
    "doctor.claude": "claude {version}: {file} ({rule})",
    "doctor.bundled": "bundled",
    "doctor.claude_fails": "{file} --version fails",
    "doctor.config": "{file}: providers: {count}, current: {provider}",
    "doctor.config_not_needed": "no {file}: sessions are supervised on the account they run on",
    "doctor.config_missing_remedy": "Run: ccc init (or, without a provider: ccc install)",
    "doctor.modes": "other users can read private files ({count}): {files}",
    "doctor.modes_good": "ccc.json, state and logs are private",
    "doctor.fix": "Run: ccc doctor --fix",
    "doctor.settings_remedy": "Fix the error; ccc and claude can't use the file as it is.",
    "doctor.hook": "Stop hook in {file}",
    "doctor.hook_missing": "ccc's Stop hook is missing in {file}: nothing is supervised",
    "doctor.hook_other": "the Stop hook in {file} belongs to another ccc: {command}\n"
    "→ Run: ccc doctor --fix (each ccc that starts claude installs its own hook)",
    "doctor.hook_gone": "the Stop hook in {file} runs a ccc that no longer exists: "
    "{program}. Plain claude is not supervised",
    "doctor.hook_same": "the same hook in {file}",
    "doctor.hook_not_yet": "{file} will be written at the first launch",
    "doctor.hook_differs": "the hook in {file} differs: both would run\n"
    "→ The next `ccc {provider}` rewrites it.",
    "doctor.hook_runs": "the hook runs ({milliseconds} ms)",
    "doctor.hook_fails": "the hook does not run",
    "doctor.hook_talks": "the hook prints output when it should be silent",
    "doctor.command": "/{name}: {file}",
    "doctor.command_missing": "/{name} is missing: {file}",
    "doctor.command_old": "/{name} belongs to another ccc: {file}",
    "doctor.prompt_project": "SUPERVISOR.md of this project: {file} ({kind})",
    "doctor.prompt_user": "SUPERVISOR.md: {file} ({kind})",
    "doctor.prompt_default": "the default",
    "doctor.prompt_changed": "your own",
    "doctor.prompt_missing": "there is no SUPERVISOR.md here or at {file}: no stop can be judged\n"
    "→ Run: ccc prompt init",
    "doctor.state": "state and logs: {directory}, {size}\n→ Run: ccc clean",
    "doctor.state_not_yet": "state and logs: {directory} will be created at the first launch",
    "doctor.state_bad": "can't write to {directory}",
    "doctor.leftovers": "{files} in {directory}",
    "doctor.no_leftovers": "no leftover files",
    "doctor.corrupt": "unreadable states set aside in {directory}: {count}\n"
    "→ Delete them after you have looked at them; `ccc clean` removes them later.",
    "doctor.hooks_off": "`{key}` is set in {file}: no stop is supervised\n"
    "→ Remove `{key}` from {file}.",
    "doctor.hooks_off_here": "`{key}` is set in {file}: here only sessions started by ccc are "
    "supervised",
    "doctor.other_hooks": "other Stop hooks in {file}: {programs}\n"
    "→ They run alongside ccc's; any of them can send the agent back.",
    "doctor.hooks_unread": "did not check for other Stop hooks: can't read {files}",
    "doctor.no_other_hooks": "no other Stop hook (a /goal inside a session is one too, but "
    "not visible here)",
    "doctor.hidden_key": "hooks in {files} seem to ask a model, but claude hides the key of "
    "{provider} from hooks, so they probably do nothing\n"
    '→ To share it with all hooks and shells, the agent\'s too, set "share_key_with_hooks": '
    "true in ccc.json. Otherwise, remove these hooks.",
    "doctor.manual_mode": "sessions on {provider} start in manual mode: claude's auto mode would "
    "ask the provider about commands, in requests of 146,000 characters\n"
    '→ To choose another mode, set "permissions": {{"defaultMode": "acceptEdits"}} (or "auto") '
    "in settings.json, or for {provider} in ccc.json.",
    "doctor.sandbox": "claude's sandbox runs: the reviewer can't write",
    "doctor.sandbox_off": "supervisor.sandbox is off: a program that the reviewer starts can write "
    "to the project. ccc tells you if it changed",
    "doctor.sandbox_missing": "claude's sandbox needs {programs}: without it, a program that the "
    "reviewer starts can write to the project. ccc tells you if it changed\n"
    "→ Install them, on Debian: apt install bubblewrap socat",
    "doctor.sandbox_fails": "claude's sandbox can't run here (no namespaces): a program that the "
    "reviewer starts can write to the project. ccc tells you if it changed\n"
    '→ Allow user namespaces, or accept it with `"sandbox": "off"` in supervisor.',
    "doctor.agent_sandbox": "claude's sandbox is on for the agent, and /supervisor runs outside it",
    "doctor.agent_sandbox_launched": "claude's sandbox is on for the agent: /supervisor and "
    "/supervisoroff work in sessions that ccc starts, not in plain claude\n"
    '→ For plain claude, add to settings.json: "sandbox": {{"excludedCommands": ["{command}"]}}',
    "doctor.try_nothing": "nothing to try: claude's sandbox is not on for the agent",
    "doctor.try_impossible": "not tried: claude's sandbox can't run here",
    "doctor.try_launched": "a session that ccc starts",
    "doctor.try_plain": "plain claude",
    "doctor.try_works": "tried in {where}: /supervisor and /supervisoroff work in claude's "
    "sandbox ({seconds} s)",
    "doctor.try_fails": "tried in {where}: /{name} fails in claude's sandbox: {detail}\n"
    "→ Turn it on or off from another terminal: CCC_SUPERVISOR_ID=<session> ccc supervisor-mode "
    "on (or off)",
    "doctor.try_slow": "did not finish within {seconds} s",
    "doctor.statusline": "the status line shows supervision",
    "doctor.statusline_gone": "the status line runs a ccc that no longer exists: {program}",
    "doctor.no_statusline": "the status line does not show supervision\n"
    "→ To add it: ccc init --statusline",
    "doctor.contested": "{name} in {file} overrides ccc.json\n→ Remove {name} from {file}.",
    "doctor.variables_good": "every variable has its value from ccc.json",
    "doctor.variables_unread": "did not compare the variables with ccc.json: can't read {files}",
    "doctor.variable": "{name} = {value}, from {place}",
    "doctor.variable_out": "{name} is removed (set in {others})",
    "doctor.variable_over": "{name} = {value}, from {place}, overrides {others}",
    "doctor.from_process": "environment",
    "doctor.from_provider": "ccc.json, the provider",
    "doctor.from_base": "ccc.json, settings",
    "doctor.value_hidden": "(hidden)",
    "doctor.value_empty": "(empty)",
    "doctor.value_none": "(removed)",
    "doctor.value_elsewhere": "(not in the file)",
    "doctor.fixed": "{what} (fixed)",
    "doctor.well": "No problems found.",
    "doctor.next": "Next: start {program}, then type /supervisor <task>",
    "doctor.sum": "Problems: {problems}, warnings: {warnings}.",
}
