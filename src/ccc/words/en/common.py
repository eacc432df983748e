"""What more than one command says, and what is said at a stop, in English."""

WORDS = {
    "bug": "ccc: internal error ({kind}). This is a bug: set CCC_DEBUG=1 to see where, and "
    "please report it.",
    "comma": ", ",
    "usage.wrong": "{problem}",
    "usage.see": "See: ccc {command} --help",
    "usage.name": "NAME",
    "usage.unknown": "unknown: {what}",
    "usage.missing": "missing: {what}",
    "usage.no_value": "{what} needs a value",
    "usage.nearest": "{problem}. Did you mean {near}?",
    "usage.not_number": '{what}: expected a number, got "{value}"',
    "usage.not_choice": '{what}: expected one of {choices}, got "{value}"',
    "command.unknown": 'unknown command "{word}". Did you mean "{near}"?',
    "command.neither": '"{word}" is neither a command nor a provider',
    "command.lists": "Commands: {commands}\nProviders: {known}",
    "usage.not_both": "{what} and {value} exclude each other",
    "usage.takes_none": "{what} takes no value",
    "usage.about": "{what}: {value}",
    "usage.range": "expected a number from {least} to {most}",
    "ask.yes_or_no": "Please answer y or n.",
    "ask.needs_yes": "not a terminal: confirm with --yes, or look first with --dry-run",
    "ask.wrong": "{problem}.",
    "ask.empty": "Please type an answer, or press Ctrl-C to leave.",
    "ask.key": "That looks like a key. It was not used and not kept. A key has a question of its "
    "own, where it is not shown.",
    # files
    "file.unreadable": "cannot read {file}: {reason_text}",
    "file.unwritable": "cannot write {file}: {reason_text}",
    "file.written": "wrote {file}",
    "file.was_linked": "{file} was a hard link. The change is under this name alone; "
    "the file's other name keeps the old text.",
    "file.hint": "Check the owner, the permissions and the free space there.",
    "file.not_directory": "{file} is in the way: it is not a directory",
    "file.not_utf8": "{file} is not UTF-8 text (byte {at})",
    "file.left_alone": "The file was left as it is. Save it as UTF-8.",
    "file.busy": "{file} keeps being changed by another program",
    "file.busy_hint": "Nothing was written. Try again in a moment.",
    "file.not_json": "{file}, line {line}, column {column}: {reason}",
    "home.unknown": "there is no home directory: {path} can't be found",
    "home.hint": "Set HOME, or CCC_CONFIG_DIR and CLAUDE_CONFIG_DIR.",
    "cwd.gone": "the current directory has been deleted",
    "cwd.hint": "Change to one that is there, for example: cd ~",
    "lock.waiting": "waiting for another ccc{process}, which holds {file}",
    "lock.busy": "another ccc{process} has held {file} for {seconds} s",
    "lock.hint": "Wait for it, or end it if it hangs or was suspended.",
    # JSON
    "json.invalid": "this is not JSON",
    "json.invalid.hint": "The file was left as it is. Correct that place.",
    "json.unfinished": "the text ends too early",
    "json.unfinished.hint": "The file was left as it is. A bracket or a quote is not closed.",
    "json.empty": "the file is empty",
    "json.empty.hint": "The file was left as it is. Write at least {{}} into it.",
    "json.bom": "the file begins with a byte order mark (BOM)",
    "json.bom.hint": "The file was left as it is. Save it as UTF-8 without BOM.",
    "json.comment": "JSON has no comments",
    "json.comment.hint": "The file was left as it is. Remove the comment.",
    "json.trailing_comma": "trailing comma",
    "json.trailing_comma.hint": "The file was left as it is. Remove the comma.",
    "json.too_deep": "nested too deeply",
    "json.too_deep.hint": "The file was left as it is.",
    "json.constant": "NaN and Infinity are not JSON",
    "json.constant.hint": "The file was left as it is. Write a number or a string.",
    # ccc.json
    "config.missing": "there is no configuration yet: {file}",
    "config.set_up": "Set it up: ccc init\nLook first, without an account or a key: ccc demo",
    "config.ask_init": "ccc has no provider yet. Set one up now?",
    "config.no_providers": "{file}: `providers` has no provider",
    "config.wrong": "{file}: {path}: {reason}",
    "config.not_object": "must be an object {{…}}",
    "config.not_object.hint": "Put the value of {path} into curly brackets.",
    "config.not_string": "must be a string",
    "config.not_string.hint": "Put the value of {path} into double quotes.",
    "config.not_strings": "must be a list of strings",
    "config.not_strings.hint": 'For example ["--verbose"].',
    "config.not_whole": "must be a whole number from {least} to {most}",
    "config.not_whole.hint": "Without quotes and without a fraction.",
    "config.not_prices": "must have input and output, and may have others of {names}: "
    "US dollars per million tokens (web_search: per thousand searches)",
    "config.not_prices.hint": 'For example {{"input": 0.6, "output": 2.5, "cache_read": 0.1}}, '
    'or one such object per model: {{"kimi-k2.7-code": {{…}}}}.',
    "config.base_prices": "prices belong to a provider",
    "config.base_prices.hint": "Move it into providers.<name>.prices.",
    "config.not_number": "must be a number from {least} to {most}",
    "config.not_number.hint": "Without quotes.",
    "config.not_truth": "must be true or false",
    "config.not_truth.hint": "Without quotes.",
    "config.not_one_of": "must be one of {choices}",
    "config.not_one_of.hint": "In double quotes.",
    "config.not_rules": "must be a list of permission rules",
    "config.not_rules.hint": 'For example ["Bash(npm install *)"].',
    "config.not_rule": "must be a permission rule of Claude Code",
    "config.not_rule.hint": 'For example "Bash(npm install *)" or "WebFetch(domain:example.com)".',
    "config.not_checks": "must be commands: strings, or "
    '{{"command": "make test", "timeout_seconds": 300}}',
    "config.not_checks.hint": 'For example ["make test"].',
    "config.not_notify": 'must be "bell", "osc9", or a command: a string or a list of strings',
    "config.not_notify.hint": 'For example "bell", or ["notify-send", "ccc"].',
    "config.no_provider": "there is no provider {name}",
    "config.no_provider.hint": "Name one of `providers`, or remove the key.",
    "config.hooks": "does not have the form that Claude Code reads",
    "config.hooks.hint": "`hooks.Stop` is a list of groups: "
    '[{{"hooks": [{{"type": "command", "command": "…"}}]}}]',
    "config.misplaced": "this belongs into `env`",
    "config.misplaced.hint": "Move it into {inside}: a settings file is no place for it.",
    "config.directory": "must be an absolute path",
    "config.directory.hint": "Begin it with / or ~.",
    "config.language": "{value} is not a language that ccc speaks",
    "config.language.hint": 'Write "zh" or "en".',
    "config.unknown_key": "{file}: unknown key {path} (kept, not used)",
    "env.name": "{name!r} can't be the name of a variable",
    "env.name.hint": "Use letters, digits and _.",
    "env.variable": "this is not the name of a variable",
    "env.variable.hint": 'For example {{"env": "KIMI_KEY"}}. The key itself is a plain string.',
    "env.value": "must be a string, a number, null, "
    '{{"command": ["program", "argument"]}} or {{"env": "VARIABLE"}}',
    "env.value.hint": "Put the value of {path} into double quotes; a command is a list of words: "
    '["pass", "show", "kimi"].',
    # secrets
    "secret.command_failed": "{path}: `{program}` gave no key ({cause})",
    "secret.empty": "{path}: `{program}` printed nothing usable",
    "secret.hint": "Run that key's command in ccc.json by hand: its first line must be the key.",
    "secret.variable_missing": "{path}: the variable {variable} is not set",
    "secret.variable_hint": "Set it: export {variable}=…",
    # claude
    "claude.missing": "claude was not found",
    "claude.named_missing": "claude was not found, and CCC_CLAUDE={file} is not a program",
    "claude.not_started": "cannot start {file}: {reason_text}",
    "claude.install": "Install Claude Code (npm install -g @anthropic-ai/claude-code), "
    "or set CCC_CLAUDE to its path.",
    "claude.loop": "{file} leads back to ccc",
    "claude.loop_hint": "A wrapper named claude calls ccc. Remove it from PATH, or let it call "
    "the real claude.",
    "processes.unknown": "it can't be found out which processes there are: `ps` does not work here",
    "processes.hint": "Install ps (the package procps), and try again.",
    "program.unknown": "cannot tell where ccc is installed ({file})",
    "program.hint": "Start it by its installed name: ccc",
    "session.name": "{variable} is not a plain name",
    "session.hint": "Letters, digits, `.`, `_` and `-` only. Unset it to get a new one.",
    # settings.json and our pieces
    "settings.shape": "{file}: {path} does not have the form that Claude Code reads",
    "settings.hint": "The file was left as it is. Correct that place, then try again.",
    "settings.missing": "there is no settings file {file}",
    "settings.missing_hint": "--settings takes a file or a JSON object.",
    "settings.set_aside": "a file of yours was in the place of one of ccc's; it is now {file}",
    "slash.foreign": "{file} is not ccc's and was left as it is: /{name} runs yours",
    "slash.hint": "Rename or delete it to get the /{name} of ccc.",
    # supervisor
    "supervisor.enabled": "Supervisor mode enabled",
    "supervisor.resumed": "[Supervisor Mode] this session is supervised: every stop is reviewed. "
    "/supervisoroff switches it off.",
    "supervisor.replaced": "CCC_SUPERVISOR=1 switches nothing on any more: use /supervisor in the "
    "session, or ccc --supervisor.",
    "supervisor.logs": "[Supervisor Mode] 日志文件: (log files)\n"
    "  state directory: {state_dir}\n"
    "  hook log: {hook_log}\n"
    "  supervisor output: {output_log}",
    "warn.hooks_off": "`disableAllHooks` is set in your settings: the supervisor's Stop hook "
    "will not run.",
    "warn.project_env": "{file} sets {names}. In this session ccc keeps its own values, "
    "so that the project can't redirect supervision.",
    "warn.project_stops": "{file} has Stop hooks of its own. They run beside ccc's, and one of "
    "them can end a supervised turn in spite of the reviewer. To see them: ccc doctor (said once).",
    "warn.project_programs": "{file} sets {names}: the project chooses code that every program "
    "of this session loads, ccc's Stop hook among them.",
    "warn.no_credential": "ccc: provider {provider} has an ANTHROPIC_BASE_URL but no "
    "ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY; claude will say that you are not logged in "
    "(an apiKeyHelper is not used for a provider).",
    "warn.two_credentials": "ccc: provider {provider} sets {names}; only one should have a value.",
    # supervisor-mode
    "mode.usage": """Usage: ccc supervisor-mode [on|off|status] [--this-session]

Switches the supervision of a session on or off: of the one that
CCC_SUPERVISOR_ID names. Without a word it means on.

  on               review every stop of the session
  off              let it stop as it likes
  status           print on or off
  --this-session   the claude session around the command; what /supervisor and
                   /supervisoroff run, in any claude""",
    "mode.on": "[Supervisor Mode] on",
    "mode.off": "[Supervisor Mode] off",
    "mode.confirmed": "Supervision is on. {rules}",
    "mode.rules": "Checks: {checks}. Reviewer: {reviewer}. At most {rounds}.",
    "mode.no_checks": "none",
    "mode.same_model": "the session's own model",
    "mode.ask_task": "Now type the task.",
    "mode.new_session": "There is no session {session} yet: this counts for a new one with "
    "that id.",
    "mode.nearest": "Did you mean {session}?",
    "mode.no_session": "CCC_SUPERVISOR_ID is not set: there is no session to switch",
    "mode.no_session_hint": "In a claude session type /supervisor or /supervisoroff, or add "
    "--this-session. From elsewhere name the session: CCC_SUPERVISOR_ID=… ccc supervisor-mode on",
    "mode.sandboxed": "Claude's sandbox keeps the command from writing there. Start claude with "
    "ccc, or let the sandbox leave it out, in ~/.claude/settings.json: "
    '"sandbox": {{"excludedCommands": ["{command}"]}}',
    "mode.unknown": "supervisor-mode takes on, off or status, not {word}",
    "mode.hooks_off": "{file} sets `disableAllHooks`: no stop would be supervised",
    "mode.hooks_off_hint": "Remove it from that file and start the session again.",
    "mode.nothing_changed": "Nothing was changed.",
    "record.full": "{file} has reached {size}; what comes after that is not kept",
    "state.corrupt": "the session's state could not be read and was set aside: {file}",
    "state.corrupt_off": "[SUPERVISOR] the session's state could not be read and was set aside "
    "({file}). Supervision is off; /supervisor turns it on again.",
    # a supervised stop, in claude's terminal
    "stop.completed": "[SUPERVISOR] completed, stop allowed (round {iteration}/{limit}, "
    "{seconds} s, {cost})",
    "stop.not_completed": "[SUPERVISOR] not completed (round {iteration}/{limit}): the agent "
    "continues with the feedback ({seconds} s, {cost})",
    "stop.needs_user": "[SUPERVISOR] needs your input, stop allowed: {feedback}",
    "stop.stuck": "[SUPERVISOR] stuck, stop allowed: the same feedback again, and nothing was "
    "changed since. The feedback: {feedback}",
    "stop.plan": "[SUPERVISOR] plan mode: stop allowed without a review",
    "stop.background": "[SUPERVISOR] still running in the background ({detail}){checks}: stop "
    "allowed without a review",
    "stop.iterations": "[SUPERVISOR] limit of {rounds} for this prompt reached{checks}. "
    "Stop allowed without a review. Your next prompt starts a new count.",
    "stop.minutes": "[SUPERVISOR] limit of {detail} minutes reached. Stop allowed without a "
    "review.",
    "stop.cost": "[SUPERVISOR] limit of ${detail} for reviews reached{checks}. Stop allowed "
    "without a review.",
    "stop.not_judged": "[SUPERVISOR] could not be judged, stop allowed: {detail}\n"
    "Log: {log}. /supervisoroff turns supervision off.",
    "stop.no_event": "the hook's input is not what claude gives at a stop",
    "stop.place": "Judged where the agent works: {directory}",
    "stop.other_places": "Not judged: there are changes in {directories}, too",
    "stop.switched_off": "[SUPERVISOR] switched off in the meantime, stop allowed",
    "stop.not_by_you": "[SUPERVISOR] supervision was switched off from inside the session, "
    "and not by you: it is on again.",
    "stop.rules": "[SUPERVISOR] checks, limits or SUPERVISOR.md changed since the launch or the "
    "last stop ({file}). If that was not you, have a look.",
    "stop.cut_off": "[SUPERVISOR] the review before this one was ended from outside ({phase}).",
    "stop.tree_changed": "[SUPERVISOR] the project changed while it was reviewed.",
    "stop.not_recorded": "[SUPERVISOR] not everything could be recorded: {problem}",
    "stop.cut": "[The feedback is longer. Read the whole of it in {file}]",
    "check.failed": "The check `{command}` fails with exit code {code}. Make it pass. The end of "
    "its output (all of it is in {file}):\n\n{output}",
    "check.no_end": "The check `{command}` did not end after {seconds} s, or could not be started. "
    "The end of its output (all of it is in {file}):\n\n{output}",
    "check.failed_silent": "The check `{command}` fails with exit code {code} and prints nothing. "
    "Make it pass.",
    "check.no_end_silent": "The check `{command}` did not end after {seconds} s, or could not be "
    "started. It printed nothing.",
    "review.too_slow": "the reviewer took longer than {seconds} s (supervisor.timeout_seconds)",
    "review.no_verdict": "the reviewer gave no verdict, even when asked once more",
    "review.no_feedback": "The review found that the work is not complete, but did not say what is "
    "missing. Go through the user's request once more, point by point: do what is not done, verify "
    "each point by running it, and show the evidence.",
    # the same stop, on stderr and in the log
    "hook.usage": """Usage: ccc supervisor-hook [--settings FILE] [--state-dir DIR]

What claude runs at every stop (a Stop hook), with the stop as JSON on stdin:
silent in a session that is not supervised, else it checks, reviews and answers.
ccc adds it to ~/.claude/settings.json; nobody needs to run it.""",
    "hook.status": "Supervisor: checking",
    # the lines that stderr has in every language, each with its translation
    "hook.begun": "========== [SUPERVISOR HOOK] 开始执行 (begins) ==========\n"
    "session_id: {session}, iteration: {iteration}/{limit}",
    "hook.reviewing": "[SUPERVISOR] 正在审查工作... (reviewing the work)\n"
    "请在新窗口查看日志文件了解详情 (open the log file in another window for the details): {file}",
    "hook.not_completed": "[SUPERVISOR] 任务未完成 (not completed)\n{feedback}\n"
    "Agent 将根据反馈继续工作 (the agent goes on with the feedback)",
    "hook.completed": "[SUPERVISOR] 任务已完成 (completed)\n允许停止 (stop allowed)",
    "hook.needs_user": "[SUPERVISOR] needs the user's input\n{feedback}\n允许停止 (stop allowed)",
    "hook.stuck": "[SUPERVISOR] stuck\n{feedback}\n允许停止 (stop allowed)",
    "hook.plan": "[SUPERVISOR] plan mode\n允许停止 (stop allowed)",
    "hook.background": "[SUPERVISOR] running in the background: {detail}\n允许停止 (stop allowed)",
    "hook.iterations": "[SUPERVISOR] limit of {rounds} reached{checks}\n允许停止 (stop allowed)",
    "hook.minutes": "[SUPERVISOR] limit of {detail} minutes reached\n允许停止 (stop allowed)",
    "hook.cost": "[SUPERVISOR] limit of ${detail} reached{checks}\n允许停止 (stop allowed)",
    "hook.not_judged": "[SUPERVISOR] could not be judged: {detail}\n允许停止 (stop allowed)",
    "judge.provider_gone": "the provider {name} is not in {file} any more",
    "judge.model": "(The model {model} is supervisor.model in {file}: change it there.)",
    "judge.no_session": "claude did not say which session has stopped",
    "judge.no_sandbox": 'supervisor.sandbox is "require", but the sandbox can\'t run here (it '
    "needs bubblewrap and socat)",
    "judge.no_prompt": "there is no SUPERVISOR.md, neither in the project nor at {file}; create "
    "one with: ccc prompt init",
}
