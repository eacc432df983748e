"""What `ccc init` says, in English."""

WORDS = {
    "init.usage": """Usage: ccc init [PRESET] [options]

Sets up ccc: language, a provider with its key, the status line, the checks of
the project. On a terminal it asks (what an option says is not asked), and tries
the provider before anything is saved. Running it again is harmless.

  PRESET                a provider that ccc knows: kimi, glm, … (--preset PRESET
                        is the same; all of them: ccc provider list --presets)
  --language zh|en      the language of ccc
  --base-url URL        or with an endpoint of your own
  --name NAME           its name (else the preset's)
  --model, --env, --set, --credential, --key-stdin, --key-command, --key-env
                        as for ccc provider add (ccc provider --help)
  --import              take over the provider of Claude Code's settings.json
  --remove-keys         and remove its variables there; a copy is kept
  --statusline          install the status line, over another one too
  --no-statusline       don't
  --run-permissions sandbox|edit|all
                        what the agent of ccc run may do (else: sandbox)
  --no-validate         don't try the provider before it is saved
  --yes                 ask nothing, try nothing""",
    "init.no_terminal": "not a terminal: pass a preset and --yes",
    "init.welcome": "Setting up ccc. Ctrl-C at any time leaves everything as it is.",
    "init.cancelled": "Nothing was changed.",
    "init.ask_language": "语言 / Language: 1) 中文  2) English",
    "init.one_or_two": "请输入 1 或 2。 / Please answer 1 or 2.",
    "init.pick": "Provider: a number, a name or part of one",
    "init.pick_optional": "Provider: a number, a name or part of one (Enter for none)",
    "init.other": "another one, with a base URL of your own",
    "init.no_match": "Nothing fits {typed}. Type a number, a name such as kimi, m or 0.",
    "init.pick_empty": "Please type a number or a name, such as 1 or kimi. Ctrl-C leaves.",
    "init.more": "more: {count} others",
    "init.ask_name": "Name of the provider",
    "init.no_name": "the provider needs a name: --name NAME",
    "init.there_already": "The provider {name} is there already and was left as it is (ccc "
    "provider edit {name}).",
    "init.nothing_to_import": "Nothing to import: Claude Code's settings.json selects no provider.",
    "init.imported_before": "The provider of settings.json is there already: {name}",
    "init.ask_import": "Claude Code's own settings.json selects a provider:\n  {url}\nImport it?",
    "init.ask_remove": "This would be removed from settings.json, of which a copy is kept:\n"
    "  {names}\nPlain `claude` then uses your login. Remove it from settings.json?",
    "init.ask_status_line": "Show the supervisor in Claude Code's status line?",
    "init.ask_instead": "You have a status line of your own, which is kept for `ccc uninstall`.\n"
    "Replace it by that of ccc?",
    "init.ask_checks": "{directory} has checks of its own:\n{checks}\n"
    "Run them at every stop of a supervised session there?",
    "init.ask_check": "{directory} has a check of its own:\n{checks}\n"
    "Run it at every stop of a supervised session there?",
    "init.validating": "Trying it: key, endpoint, an answer, a tool call (Ctrl-C leaves) …",
    "init.ask_key_again": "Type another key?",
    "init.ask_keep": "Save it anyway?",
    "init.declined": "nothing was saved",
    "init.declined_hint": "Try again: ccc init. Without the try: ccc init --no-validate",
    "init.taken_out": "removed the imported variables from {file}; a copy: {copy}",
    "init.status_line": "status line in {file}",
    "init.pieces": "Stop hook in {file}, /supervisor, /supervisoroff, SUPERVISOR.md",
    "init.next": "Next:\n"
    "  try key, endpoint, model and a tool call:    ccc validate {name}\n"
    "  start claude on it:                          ccc {name}\n"
    "  in the session, don't stop before it's done: /supervisor <task>",
    "init.next_tried": "Next:\n"
    "  start claude on it:                          ccc {name}\n"
    "  in the session, don't stop before it's done: /supervisor <task>\n"
    '  have a task done without you:                ccc run "your task"',
}
