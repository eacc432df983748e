"""Messages that several commands share, and those of a stop, in English."""

WORDS = {
    "bug": "ccc: internal error ({kind}). This is a bug: set CCC_DEBUG=1 to see where, and "
    "please report it.",
    "comma": ", ",
    "clause": ", ",
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
    "command.instead": 'unknown command "{word}". Use: {instead}',
    "command.neither": '"{word}" is neither a command nor a provider',
    "command.lists": "Commands: {commands}\nProviders: {known}",
    "usage.not_both": "{what} can't be used with {value}",
    "usage.takes_none": "{what} takes no value",
    "usage.about": "{what}: {value}",
    "usage.range": "expected a number from {least} to {most}",
    "ask.yes_or_no": "Please answer y or n.",
    "ask.needs_yes": "not a terminal: confirm with --yes",
    "ask.wrong": "{problem}.",
    "ask.empty": "Type an answer, or press Ctrl-C to quit.",
    "ask.unchanged": "Nothing was changed.",
    "ask.key": "That looks like a key, so ccc discarded it. It asks for the key separately, "
    "without showing it.",
    # files
    "file.unreadable": "cannot read {file}: {reason_text}",
    "file.unwritable": "cannot write {file}: {reason_text}",
    "file.full": "cannot write any more: {reason_text}",
    "file.written": "wrote {file}",
    "file.was_linked": "{file} was a hard link. Only this name has the change; the file's "
    "other name keeps the old text.",
    "file.hint": "Check the owner, the permissions and the free disk space.",
    "file.not_directory": "{file} is in the way: it is not a directory",
    "file.not_utf8": "{file} is not UTF-8 text (byte {at})\n"
    "→ The file was not changed. Save it as UTF-8.",
    "file.busy": "another program keeps changing {file}\n"
    "→ Nothing was written. Try again in a moment.",
    "file.not_json": "{file}, line {line}, column {column}: {reason}",
    "home.unknown": "no home directory: can't locate {path}\n"
    "→ Set HOME, or CCC_CONFIG_DIR and CLAUDE_CONFIG_DIR.",
    "cwd.gone": "the current directory has been deleted\n"
    "→ Change to an existing directory, for example: cd ~",
    "lock.waiting": "waiting for another ccc{process}, which holds {file}",
    "lock.busy": "another ccc{process} has held {file} for {seconds} s\n"
    "→ Wait for it, or end it if it hangs or was suspended.",
    # JSON
    "json.invalid": "invalid JSON\n→ The file was not changed. Fix the error and try again.",
    "json.unfinished": "unexpected end of the file\n"
    "→ The file was not changed. A bracket or a quote is not closed.",
    "json.empty": "the file is empty\n→ The file was not changed. It needs at least {{}}.",
    "json.bom": "the file begins with a byte order mark (BOM)\n"
    "→ The file was not changed. Save it as UTF-8 without BOM.",
    "json.comment": "JSON has no comments\n→ The file was not changed. Remove the comment.",
    "json.trailing_comma": "trailing comma\n→ The file was not changed. Remove the comma.",
    "json.too_deep": "nested too deeply\n→ The file was not changed.",
    "json.constant": "NaN and Infinity are not JSON\n"
    "→ The file was not changed. Write a number or a string.",
    # ccc.json
    "config.missing": "there is no configuration yet: {file}",
    "config.set_up": "Set it up: ccc init\n"
    "Try the demo first, without an account or a key: ccc demo",
    "config.ask_init": "ccc has no provider yet. Set one up now?",
    "config.no_providers": "{file}: `providers` has no provider",
    "config.wrong": "{file}: {path}: {reason}",
    "config.not_object": "must be an object {{…}}\n→ Put the value of {path} in curly braces.",
    "config.not_string": "must be a string\n→ Put the value of {path} in double quotes.",
    "config.not_strings": 'must be a list of strings\n→ For example ["--verbose"].',
    "config.not_whole": "must be a whole number from {least} to {most}\n"
    "→ Without quotes or a fraction.",
    "config.not_prices": "must have input and output, and may have others of {names}: US dollars "
    "per million tokens (web_search: per thousand searches)\n"
    '→ For example {{"input": 0.6, "output": 2.5, "cache_read": 0.1}}, or one such object per '
    'model: {{"kimi-k2.7-code": {{…}}}}.',
    "config.base_prices": "prices belong to a provider\n→ Move it into providers.<name>.prices.",
    "config.not_number": "must be a number from {least} to {most}\n→ Without quotes and units.",
    "config.not_truth": "must be true or false\n→ Without quotes.",
    "config.not_one_of": "must be one of {choices}\n→ In double quotes.",
    "config.not_rules": "must be a list of permission rules\n"
    '→ For example ["Bash(npm install *)"].',
    "config.not_rule": "must be a permission rule of Claude Code\n"
    '→ For example "Bash(npm install *)" or "WebFetch(domain:example.com)".',
    "config.not_checks": 'must be commands: strings, or {{"command": "make test", '
    '"timeout_seconds": 300}}\n'
    '→ For example ["make test"].',
    "config.not_notify": 'must be "bell", "osc9", a command (a string or a list of strings), or a '
    "URL of Apprise\n"
    '→ For example "bell", ["notify-send", "ccc"], or "ntfys://ntfy.example/topic".',
    "config.notify_url": "{kind}: needs an https:// URL (http:// only for 127.0.0.1 or localhost)\n"
    '→ For example "{kind}:https://hooks.example/abc". A user name and a password in the URL '
    "are not supported.",
    "extra.missing": "{what} needs packages that are not installed ({name})\n"
    "→ Install them: pipx install --force 'ccc-supervisor[{extra}]'\n"
    "or: uv tool install 'ccc-supervisor[{extra}]', pip install 'ccc-supervisor[{extra}]'; in a "
    "checkout: make install",
    "config.no_provider": "there is no provider {name}\n"
    "→ Name one of `providers`, or remove the key.",
    "config.hooks": "is not in the format that Claude Code expects\n"
    '→ `hooks.Stop` is a list of groups: [{{"hooks": [{{"type": "command", "command": "…"}}]}}]',
    "config.misplaced": "this belongs in `env`\n"
    "→ Move it to {inside}; it must not be in a settings file.",
    "config.directory": "must be an absolute path\n→ Start it with / or ~.",
    "config.language": 'unsupported language {value}\n→ Write "zh" or "en".',
    "config.unknown_key": "{file}: unknown key {path} (kept, but ignored)\n"
    "→ Check the spelling, or remove it.",
    "env.name": "{name!r} is not a valid variable name\n→ Use letters, digits and _.",
    "env.variable": "this is not a valid variable name\n"
    '→ For example {{"env": "KIMI_KEY"}}. The key itself is a plain string.',
    "env.value": 'must be a string, a number, null, {{"command": ["program", "argument"]}} or {{'
    '"env": "VARIABLE"}}\n'
    '→ Put the value of {path} in double quotes; a command is a list of words: ["pass", "show", '
    '"kimi"].',
    # secrets
    "secret.command_failed": "{path}: `{program}` printed no key ({cause})",
    "secret.empty": "{path}: `{program}` printed no usable key\n"
    "→ Run the key's command from ccc.json by hand: its first line must be the key.",
    "secret.variable_missing": "{path}: the variable {variable} is not set\n"
    "→ Set it: export {variable}=…",
    # claude
    "claude.missing": "claude was not found\n"
    "→ Install Claude Code (npm install -g @anthropic-ai/claude-code), or set CCC_CLAUDE to its "
    "path.",
    "claude.named_missing": "claude was not found, and CCC_CLAUDE={file} is not a program",
    "claude.too_old": "{file} is claude {version}; ccc needs {oldest} or later\n"
    "→ Update it (`claude update`, or npm install -g @anthropic-ai/claude-code).",
    "claude.passed_over": "{file} is claude {version}; ccc needs {oldest} or later, so it uses "
    "{used}.",
    "claude.not_started": "cannot start {file}: {reason_text}",
    "claude.loop": "{file} leads back to ccc\n"
    "→ A wrapper named claude calls ccc. Remove it from PATH, or make it call the real claude.",
    "processes.unknown": "can't list the processes: `ps` does not work here\n"
    "→ Install ps (the package procps), and try again.",
    "program.unknown": "cannot tell where ccc is installed ({file})\n"
    "→ Start it by its installed name: ccc",
    "session.name": "{variable} is not a plain name\n"
    "→ Use only letters, digits, `.`, `_` and `-`. Unset it to get a new one.",
    # settings.json and ccc's entries
    "settings.shape": "{file}: {path} is not in the format that Claude Code expects\n"
    "→ The file was not changed. Fix the error and try again.",
    "settings.missing": "there is no settings file {file}\n"
    "→ --settings takes a file or a JSON object.",
    "settings.set_aside": "your file had the name of one of ccc's; it is now {file}",
    "slash.foreign": "{file} is not ccc's and was not changed: /{name} runs your command\n"
    "→ Rename or delete it to get ccc's /{name}.",
    # supervisor
    "supervisor.enabled": "Supervisor mode enabled",
    "supervisor.resumed": "[SUPERVISOR] this session is supervised: every stop is "
    "reviewed. /supervisoroff turns it off.",
    "supervisor.replaced": "CCC_SUPERVISOR=1 has no effect any more: use /supervisor in the "
    "session, or ccc --supervisor.",
    "supervisor.logs": "{heading}\n"
    "  state directory: {state_dir}\n"
    "  hook log: {hook_log}\n"
    "  supervisor output:\n    {output_log}",
    "supervisor.log_files": "[SUPERVISOR] log files:",
    "supervisor.log_heading": "[Supervisor Mode] 日志文件: (log files)",
    "warn.hooks_off": "`disableAllHooks` is set in your settings: the supervisor's Stop hook "
    "will not run.",
    "warn.project_env": "{file} sets {names}. In this session ccc keeps its own values, "
    "so that the project can't redirect supervision.",
    "warn.project_stops": "{file} has its own Stop hooks. They run alongside ccc's, and any "
    "of them can end a supervised turn despite the reviewer. To list them: ccc doctor "
    "(shown once).",
    "warn.project_programs": "{file} sets {names}: every program of this session, including "
    "ccc's Stop hook, loads code that the project chooses.",
    "warn.exit_code": "[SUPERVISOR] claude's exit code tells nothing about the outcome of a "
    "supervised session: see ccc status",
    "warn.no_credential": "ccc: provider {provider} has an ANTHROPIC_BASE_URL but no "
    "ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY; claude will say that you are not logged in "
    "(an apiKeyHelper is not used for a provider).",
    "warn.two_credentials": "ccc: provider {provider} sets {names}; only one should have a value.",
    # supervisor-mode
    "mode.usage": """Usage: ccc supervisor-mode [on|off|status] [--this-session]

Turns supervision on or off for the session that CCC_SUPERVISOR_ID names.
The default is on.

  on               review every stop of the session
  off              allow every stop without a review
  status           print on or off
  --this-session   use the claude session around the command; /supervisor and
                   /supervisoroff run this""",
    "mode.on": "[SUPERVISOR] on",
    "mode.off": "[SUPERVISOR] off",
    "mode.confirmed": "[SUPERVISOR] on. {rules}",
    "mode.rules": "Checks: {checks}. Reviewer: {reviewer}. At most {rounds}.",
    "mode.no_checks": "none",
    "mode.none_detected": "none ({hint})",
    "mode.detected": "this project has `{command}`: ccc init makes it a check",
    "mode.cannot_run": "{command} (can't run: {reason})",
    "mode.same_model": "the session's own model",
    "mode.ask_task": "Now type the task.",
    "mode.new_session": "There is no session {session} yet. This applies to a new session "
    "with that id.",
    "mode.nearest": "Did you mean {session}?",
    "mode.no_session": "CCC_SUPERVISOR_ID is not set: there is no session to switch\n"
    "→ In a claude session type /supervisor or /supervisoroff, or add --this-session. "
    "Elsewhere, name the session: CCC_SUPERVISOR_ID=… ccc supervisor-mode on",
    "mode.sandboxed": "Claude's sandbox prevents the command from writing there. Start "
    "claude with ccc, or exclude the command from the sandbox in "
    '~/.claude/settings.json: "sandbox": {{"excludedCommands": ["{command}"]}}',
    "mode.unknown": "supervisor-mode takes on, off or status, not {word}",
    "mode.hooks_off": "{file} sets `disableAllHooks`: no stop would be supervised\n"
    "→ Remove it from that file and restart the session.",
    "record.full": "{file} has reached {size}; ccc does not keep further output",
    "state.corrupt": "the session's state could not be read and was set aside: {file}",
    "state.corrupt_off": "[SUPERVISOR] the session's state could not be read and was set aside "
    "({file}). Supervision is off; /supervisor turns it on again.",
    # a supervised stop, in claude's terminal
    "stop.completed": "[SUPERVISOR] completed, stop allowed (round {iteration}/{limit}, "
    "{seconds} s, {cost})",
    "stop.still_completed": "[SUPERVISOR] completed; another Stop hook continues "
    "(no change since the verdict, so no new review)",
    "stop.not_completed": "[SUPERVISOR] not completed (round {iteration}/{limit}): the agent "
    "continues with the feedback ({seconds} s, {cost})",
    "stop.needs_user": "[SUPERVISOR] needs your input, stop allowed: {feedback}",
    "stop.stuck": "[SUPERVISOR] stuck, stop allowed: the same feedback again, and nothing "
    "has changed since. The feedback: {feedback}",
    "stop.plan": "[SUPERVISOR] plan mode: stop allowed without a review",
    "stop.wakeup": "scheduled for {time}: {prompt}",
    "stop.not_waited": "[SUPERVISOR] judged although this is still active: {names}",
    "stop.background": "[SUPERVISOR] still active ({detail}){checks}: stop allowed without a "
    "review",
    "stop.not_judged": "[SUPERVISOR] could not be judged, stop allowed: {detail}\n"
    "Log: {log}. /supervisoroff turns supervision off.",
    "stop.asks": "[SUPERVISOR] claude waits for you: {detail}",
    "stop.failed_turn": "[SUPERVISOR] the turn ended with an API error, so nothing was reviewed: "
    "{detail}",
    "stop.no_event": "the hook's input is not a stop event of claude",
    "stop.place": "Judged where the agent works: {directory}",
    "stop.other_places": "Not judged: other changes in {directories}",
    "stop.switched_off": "[SUPERVISOR] turned off in the meantime, stop allowed",
    "stop.not_by_you": "[SUPERVISOR] supervision was turned off from inside the session, but "
    "not by you. It is on again.",
    "stop.rules": "[SUPERVISOR] checks, limits or SUPERVISOR.md changed since the launch or "
    "the last stop ({file}). If that wasn't you, check what changed.",
    "stop.cut_off": "[SUPERVISOR] the previous review was killed from outside ({phase}).",
    "stop.tree_changed": "[SUPERVISOR] the project changed during the review.",
    "stop.tree_kept": "[SUPERVISOR] its tracked files as they were: git diff {commit}",
    "stop.too_large": "[SUPERVISOR] too many files to compare all of them: a change in "
    "{directories} may go unnoticed.",
    "stop.not_recorded": "[SUPERVISOR] not everything could be recorded: {problem}",
    "stop.cut": "[The feedback was truncated. Read all of it in {file}]",
    "check.failed": "The check `{command}` fails with exit code {code}. Make it pass. The end of "
    "its output (all of it is in {file}):\n\n{output}",
    "check.no_end": "The check `{command}` did not finish within {seconds} s, or could not "
    "be started. The end of its output (all of it is in {file}):\n"
    "\n"
    "{output}",
    "check.failed_silent": "The check `{command}` fails with exit code {code} and prints nothing. "
    "Make it pass.",
    "check.no_end_silent": "The check `{command}` did not finish within {seconds} s, or "
    "could not be started. It printed nothing.",
    "check.not_run": "The check `{command}` could not run: {reason}",
    "check.cannot_run": "could not run: {reason}",
    "check.no_directory": "there is no directory {directory}",
    "check.no_program": "there is no program `{name}`",
    "check.no_file": "{file} is missing",
    "check.not_executable": "{file} isn't executable",
    "check.no_interpreter": "{file} needs {name}, which is missing",
    "check.no_target": "{file} has no `{name}`",
    "review.too_slow": "the reviewer took longer than {seconds} s (supervisor.timeout_seconds)",
    "review.no_verdict": "the reviewer gave no verdict, even when asked again",
    "review.no_feedback": "The review found that the work is not complete, but did not say what is "
    "missing. Go through the user's request once more, point by point: do what is not done, verify "
    "each point by running it, and show the evidence.",
    # the same stop, on stderr and in the log
    "hook.usage": """Usage: ccc supervisor-hook [--settings FILE] [--state-dir DIR]

The Stop hook that claude runs at every stop, with the event as JSON on stdin.
It is silent in a session that is not supervised; otherwise it runs the checks
and the review, and answers. ccc adds it to ~/.claude/settings.json; you don't
need to run it.""",
    "hook.status": "Supervisor: checking",
    # fixed lines on stderr in every language, each with its translation
    "cost.total": "{cost} total",
    "time.seconds": "{n} s",
    "cost.reviews": "{cost} reviews",
    "cost.of_task": "{cost} reviews of this task",
    "hook.begun": "========== [SUPERVISOR HOOK] 开始执行 (begins) ==========\n"
    "session_id: {session}, iteration: {iteration}/{limit}",
    "hook.reviewing": "[SUPERVISOR] 正在审查工作... (reviewing the work)\n"
    "请在新窗口查看日志文件了解详情 (open the log file in another window for the details): {file}",
    "hook.not_completed": "[SUPERVISOR] 任务未完成 (not completed)\n{feedback}\n"
    "Agent 将根据反馈继续工作 (the agent goes on with the feedback)",
    "hook.completed": "[SUPERVISOR] 任务已完成 (completed)\n允许停止 (stop allowed)",
    "review.provider_gone": "the provider {name} is no longer in {file}",
    "review.model": "(The model {model} is supervisor.model in {file}: change it there.)",
    "review.no_session": "claude did not say which session has stopped",
    "review.no_sandbox": 'supervisor.sandbox is "require", but the sandbox can\'t run here (it '
    "needs bubblewrap and socat)",
    "review.no_prompt": "there is no SUPERVISOR.md, neither in the project nor at {file}; create "
    "one with: ccc prompt init",
    "git.not_trusted": "{directory} belongs to another user, so git doesn't read it\n"
    "→ If you trust it: {command}",
}
