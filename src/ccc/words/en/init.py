"""Messages of `ccc init` in English."""

WORDS = {
    "init.usage": """Usage: ccc init [PRESET] [options]

Sets up ccc: language, provider and key, status line, and the project's checks.
On a terminal it asks for everything that no option sets, and tries the provider
before it saves anything. You can run it again at any time.

  PRESET                a provider that ccc knows: kimi, glm, … (--preset PRESET
                        is the same; all of them: ccc provider list --presets)
  --language zh|en      ccc's language
  --base-url URL        use your own endpoint instead of a preset:
                        ccc init NAME --base-url URL
  --name NAME           the provider's name (default: the preset's)
  --model, --env, --set, --credential, --key-stdin, --key-command, --key-env
                        as for ccc provider add (ccc provider --help)
  --import              import the provider from Claude Code's settings.json
  --remove-keys         with --import: remove the imported variables from
                        settings.json; ccc keeps a backup
  --statusline          install the status line, even over another one
  --no-statusline       don't install the status line
  --run-permissions sandbox|edit|all
                        what the agent of ccc run may do (default: sandbox)
  --no-validate         save the provider without trying it
  --yes                 don't ask, and don't try the provider""",
    "init.no_terminal": "not a terminal: pass a preset and --yes",
    "init.welcome": "Setting up ccc. Press Ctrl-C at any time to quit without changes.",
    "init.ask_language": "语言 / Language: 1) 中文  2) English",
    "init.one_or_two": "请输入 1 或 2。 / Please answer 1 or 2.",
    "init.pick": "Provider: a number, a name or part of one",
    "init.pick_optional": "Provider: a number, a name or part of one (Enter for none)",
    "init.other": "another provider, with your own base URL",
    "init.no_match": "Nothing matches {typed}. Type a number, a name such as kimi, m or 0.",
    "init.pick_empty": "Type a number or a name, such as 1 or kimi, or press Ctrl-C to quit.",
    "init.more": "more: {count} others",
    "init.ask_name": "Name of the provider",
    "init.no_name": "the provider needs a name: --name NAME",
    "init.there_already": "The provider {name} already exists and was not changed (ccc "
    "provider edit {name}).",
    "init.nothing_to_import": "Nothing to import: Claude Code's settings.json selects no provider.",
    "init.imported_before": "The provider from settings.json already exists: {name}",
    "init.ask_import": "Claude Code's own settings.json selects a provider:\n  {url}\nImport it?",
    "init.ask_remove": "ccc can remove this from settings.json and keep a backup:\n"
    "  {names}\n"
    "Plain `claude` then uses your login. Remove it from settings.json?",
    "init.ask_status_line": "Show supervision in Claude Code's status line?",
    "init.ask_instead": "You already have a status line; `ccc uninstall` restores it.\n"
    "Replace it with ccc's?",
    "init.ask_checks": "{directory} has checks:\n"
    "{checks}\n"
    "Run them at every stop of a supervised session there?",
    "init.validating": "Trying it: key, endpoint, an answer, a tool call (Ctrl-C quits) …",
    "init.ask_key_again": "Type another key?",
    "init.ask_keep": "Save it anyway?",
    "init.declined": "nothing was saved\n"
    "→ Try again: ccc init. To save it untested: ccc init --no-validate",
    "init.taken_out": "removed the imported variables from {file}; backup: {copy}",
    "init.status_line": "status line in {file}",
    "init.pieces": "Stop hook in {file}, /supervisor, /supervisoroff, SUPERVISOR.md",
    "init.next": "Next:\n"
    "  try key, endpoint, model and a tool call:    ccc validate {name}\n"
    "  start claude on it:                          ccc {name}\n"
    "  in the session, don't stop before it's done: /supervisor <task>",
    "init.next_tried": "Next:\n"
    "  start claude on it:                          ccc {name}\n"
    "  in the session, don't stop before it's done: /supervisor <task>\n"
    '  run a task unattended:                       ccc run "your task"',
}
