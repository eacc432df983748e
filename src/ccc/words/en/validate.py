"""Messages of `ccc validate` in English."""

WORDS = {
    "validate.usage": """Usage: ccc validate [NAME… | --all] [options]

Tests a provider (default: the current one): fetches the key, reaches the
endpoint, and has the model answer and make a tool call. That takes two small
requests, a fraction of a cent. If supervisor.provider or supervisor.model names
a different reviewer, ccc tests that too.

  --all          test every provider in ccc.json, in parallel
  --timeout S    seconds for each step (default 30)
  --json         print one JSON object
  --no-color     no colours

Exit codes: 0 no failure, 1 a failure""",
    "validate.reviewer": "{name} (reviewer)",
    "validate.step_key": "key",
    "validate.step_endpoint": "endpoint",
    "validate.step_model": "answer",
    "validate.step_tool": "tool call",
    "validate.not_tried": "{name}: not tried: {reason}",
    "validate.untried_login": "it uses your login (try: ccc {name} -p hi)",
    "validate.untried_cloud": "it is a cloud's own endpoint, with that cloud's credentials (try: "
    "ccc {name} -p hi)",
    "validate.fetching": "{name}: key from `{program}` …",
    "validate.both": "give names, or --all",
    "validate.bad_resolve": "the host name could not be resolved ({detail})\n"
    "→ Check the base URL for a typo, and your network or DNS.",
    "validate.bad_refused": "the connection was refused\n"
    "→ Nothing listens there. Check host and port of the base URL; a local server must be running.",
    "validate.bad_unreachable": "the endpoint could not be reached ({detail})\n"
    "→ Check your network, a VPN or a proxy (HTTPS_PROXY).",
    "validate.bad_proxy": "the proxy did not let the request through ({detail})\n"
    "→ Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
    "validate.bad_tls": "the TLS connection failed ({detail})\n"
    "→ For your own certificate, set NODE_EXTRA_CA_CERTS to its CA. For a server without TLS, "
    "use http:// in the base URL.",
    "validate.bad_timeout": "no answer in time\n"
    "→ Try again with more time: --timeout 120. A model that is still loading takes long.",
    "validate.bad_key": "the key was not accepted: {detail}\n"
    "→ Replace it: ccc provider edit {name}. Some providers expect the other variable: "
    "--credential ANTHROPIC_API_KEY.",
    "validate.bad_forbidden": "the provider denied access: {detail}\n"
    "→ The key is valid, but not for this: check plan, region and model. Some plans only allow "
    "coding agents; try: ccc {name} -p hi",
    "validate.bad_balance": "the account has no balance left: {detail}\n→ Top up at the provider.",
    "validate.bad_path": "the path does not exist: {detail}\n"
    "→ claude appends /v1/messages to the base URL: leave /v1 out of it, and look up its path "
    "(often /anthropic).",
    "validate.bad_model": "unknown model: {detail}\n"
    "→ ccc asked for {model}. Set another model: ccc provider edit {name} --model M",
    "validate.model_fix": "{model} is supervisor.model in ccc.json: change it there.",
    "validate.bad_rate": "too many requests, or the quota is used up: {detail}\n"
    "→ Wait a while, or check your plan. Key and endpoint are right.",
    "validate.bad_server": "the provider has an internal error: {detail}\n"
    "→ Try again later; nothing is wrong on your side.",
    "validate.bad_request": "the request was rejected: {detail}\n"
    "→ See the message; the provider's variables (betas, extra headers) may be the cause.",
    "validate.bad_redirect": "the endpoint redirects elsewhere: {detail}\n"
    "→ Use that address as the base URL, without /v1/messages.",
    "validate.bad_error": "the answer is an error: {detail}\n→ See the message.",
    "validate.bad_form": "the answer is not in Anthropic's format: {detail}\n"
    "→ This is a web page or another API. Look up the base URL for Claude Code at the provider.",
    "validate.bad_cut": "the answer was cut off\n"
    "→ Try again; a proxy in between may cut off long answers.",
    "validate.bad_no_tool": "the model made no tool call {detail}\n"
    "→ Without tools Claude Code can't work: choose a model that supports them (ccc provider "
    "edit {name} --model M).",
    "validate.bad_no_key": "there is an endpoint, but no key\n→ Add one: ccc provider edit {name}",
    "validate.bad_address": "the base URL is not a valid address\n"
    "→ Write it as https://host/path: ccc provider edit {name} --base-url URL",
    "validate.bad_bug": "internal error ({detail})\n→ This is a bug in ccc; please report it.",
}
