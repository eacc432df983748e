"""Messages of `ccc provider` and about providers, in English."""

WORDS = {
    "provider.usage": """Usage: ccc provider <verb> …

  list [--presets]      list the providers in ccc.json, or the presets
  add PRESET|NAME …     add a provider
  edit NAME [options]   change some of its variables
  show [NAME]           show what it sets and from where; secrets hidden
  show --preset PRESET  show what a preset sets, with its source
  use NAME              make it the current one
  use NAME --here       use it in this directory and below; --none --here: undo
  remove NAME [--yes]   remove it

Options of add and edit:
  --preset PRESET       use this preset (default: the one of that name)
  --base-url URL        the endpoint, without /v1
  --model M             one model for every tier; --env sets single ones
  --env NAME=VALUE      set a variable (repeatable); not for keys
  --set NAME=VALUE      a value that the preset needs: account, region, …
  --unset NAME          remove a variable (edit)
  --credential VAR      ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY
ccc asks for the key without showing it, or takes it from:
  --key-stdin           the first line of stdin
  --key-command "CMD"   a command, run at each start: "pass show kimi"
  --key-env VAR         an environment variable
A key is never an argument: arguments appear in the shell's history and in the
process list.""",
    "provider.name": "a provider's name has letters, digits, `.`, `_` and `-`, at most 64\n"
    "→ Rename it.",
    "provider.name_given": "{name} can't be a provider's name: {reason}\n→ Give it another name.",
    "provider.reserved": "{name} is a ccc command\n→ Rename the provider.",
    "provider.suffix": "a provider's name can't end with -supervisor (that file is the reviewer's)"
    "\n→ Rename it.",
    "provider.twice": "differs from {other} only in case\n→ Rename one of them.",
    "provider.unknown": "unknown provider: {name}",
    "provider.gone": "ccc: the current provider {name} is not in ccc.json; using {chosen}",
    "provider.not_set_up": "the provider {name} is not set up yet (ccc has a preset for it)\n"
    "→ Set it up: ccc provider add {name}",
    "provider.nearest": "Did you mean {near}? Known providers: {known}",
    "provider.known": "Known providers: {known}",
    "provider.subcommand": "`{name}` is a command of claude; name the provider to run it "
    "with: ccc {current} {name}\n"
    "Known providers: {known}",
    "provider.none": "there is no provider yet\n"
    "→ Set one up: ccc init, or ccc provider add NAME (ccc provider list --presets)",
    "provider.head_name": "provider",
    "provider.head_url": "base URL",
    "provider.head_model": "model",
    "provider.head_key": "key from",
    "provider.head_preset": "preset",
    "provider.head_title": "what it is",
    "provider.head_needs": "needs",
    "provider.head_variable": "variable",
    "provider.head_value": "value",
    "provider.head_from": "from",
    "provider.from_file": "ccc.json{detail}",
    "provider.from_command": "command: {detail} …",
    "provider.from_variable": "variable {detail}",
    "provider.from_unset": " (not set)",
    "provider.from_base": ", base template",
    "provider.from_login": "your login{detail}",
    "provider.from_cloud": "the cloud's own{detail}",
    "provider.from_none": "none{detail}",
    "provider.presets_age": "As of {date}. Models change often, and your own values always win.\n"
    "What a preset sets, and its source: ccc provider show --preset PRESET\n"
    "Use one: ccc provider add NAME --preset PRESET",
    "provider.preset_source": "Source: {source}, read on {date}",
    "provider.exists": "the provider {name} already exists\n"
    "→ Change it with: ccc provider edit {name}",
    "provider.preset_unknown": "unknown preset: {name}",
    "provider.ask_preset": "There is no preset {name}. Use {near}?",
    "provider.preset_near": "Did you mean {near}? All of them: ccc provider list --presets",
    "provider.preset_list": "Name a preset (ccc provider list --presets) or an endpoint: --preset "
    "PRESET, --base-url URL",
    "provider.no_endpoint": "{name} is not a preset, and --base-url is missing",
    "provider.url_form": "the base URL must begin with http:// or https://, without a user name, a "
    "password or white space\n"
    "→ For example https://api.moonshot.ai/anthropic",
    "provider.need": "the preset {name} requires a value: {what}\n→ Pass it with {flag}…",
    "provider.need_odd": "{what}: invalid value: white space, quotes, brackets and / ? # @ % "
    "\\ are not allowed",
    "provider.model_odd": "a model name can't contain white space",
    "provider.need_workspace": "Workspace id",
    "provider.need_region": "Region",
    "provider.need_account": "Account id",
    "provider.need_gateway": "Gateway name",
    "provider.need_project": "Project id",
    "provider.need_resource": "Resource name",
    "provider.need_model": "Model",
    "provider.ask_url": "Base URL (without /v1)",
    "provider.ask_model": "Model (Enter for none)",
    "provider.ask_key": "Key (not shown; Enter alone to name a command or a variable)",
    "provider.get_key": "Get a key: {url}",
    "provider.key_got": "Key received: {count} characters, ends in …{end}",
    "provider.key_short": "Key received: {count} characters",
    "provider.ask_stdin": "Key (not shown)",
    "provider.ask_source": "Command that prints the key, or $VARIABLE",
    "provider.ask_remove": "Remove {name} from {file}?",
    "provider.key_argument": "a key can't be an argument: it would appear in the shell's "
    "history and in the process list. If it was a real key, replace it at the provider.",
    "provider.key_ways": "Ways to pass a key: the hidden prompt on a terminal, --key-stdin, "
    '--key-command "pass show kimi", --key-env KIMI_KEY',
    "provider.env_form": "--env and --set take NAME=VALUE",
    "provider.env_secret": "{name} may hold a secret, and a secret can't be an argument (not "
    "shown here)",
    "provider.key_command": "this is not a command: it is empty or has an unclosed quote",
    "provider.key_variable": "expected the name of a variable, not the key itself",
    "provider.key_empty": "there is no key on stdin",
    "provider.key_odd": "this is not a valid key: only plain characters, no spaces",
    "provider.no_key": "{name} needs a key",
    "provider.added": "Added {name} to {file}",
    "provider.note": "Note: {note}",
    "provider.try": "Try it: ccc validate {name}   Start: ccc {name}",
    "provider.edited": "Changed {name} in {file}",
    "provider.window": "Not set, because they are for the preset's own model: {names}\n"
    "If yours needs them: --env NAME=VALUE",
    "provider.key_again": "with the preset {preset} the key is no longer in {name}: pass it "
    "again, with --key-stdin, --key-command or --key-env",
    "provider.confirm": "confirm with --yes to remove {name}\n→ ccc provider remove {name} --yes",
    "provider.removed": "Removed {name}",
    "provider.removed_file": "Removed its file {file}",
    "provider.next": "{name} was the current provider; now it is {chosen}",
    "provider.login": "It sets nothing: claude uses your login.",
    "provider.settings": "Other settings: {names}",
    "provider.prices": "Prices in US dollars per million tokens:",
    "provider.head_input": "input",
    "provider.head_output": "output",
    "provider.head_cache_read": "cached",
    "provider.head_cache_write": "cache write",
    "provider.used": "The current provider is now {name}",
    "provider.use_form": "use takes NAME, NAME --here, or --none --here",
    "provider.bound": "In this directory ccc uses {name}: {key}",
    "provider.bound_now": "ccc now uses {name} in {directory} and below, unless you name "
    "another one.\n"
    "Undo: ccc provider use --none --here",
    "provider.unbound": "{directory} no longer has its own provider",
}
