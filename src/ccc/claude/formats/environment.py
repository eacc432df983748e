"""Environment variables: which select a provider, and which go to which process."""

from collections.abc import Collection, Mapping

from ccc.text import lenient_json
from ccc.text.redaction import is_harmless, may_be_secret

Env = Mapping[str, str]


CREDENTIALS = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
MANAGED = "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST"
NO_AGENT_VIEW = "CLAUDE_CODE_DISABLE_AGENT_VIEW"
"""Without agent view claude starts no background service, and moves no session to it."""
ATTRIBUTION = "CLAUDE_CODE_ATTRIBUTION_HEADER"
BLOCK_CAP = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
PREFIX = "CLAUDE_CODE_SHELL_PREFIX"
CLASSIFIER = "CLAUDE_CODE_AUTO_MODE_MODEL"
"""The model that judges the agent's commands in claude's auto mode."""
SESSION = "CCC_SUPERVISOR_ID"
LAUNCHER = "CCC_LAUNCHER_PID"
"""The pid of the launch. The agent of a `ccc run` has that run's pid here, and no session id."""
PROVIDER = "CCC_PROVIDER"
REPOSITORY = "CCC_QUEUE_REPOSITORY"
"""The directory of the repository for which the queue has made the worktree of a run."""
# set for an unattended agent and its reviewer alike: they affect the tools and so the cache
NO_BACKGROUND = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"
# measured: it removes CronCreate, and wakeups set by ScheduleWakeup never fire
NO_SCHEDULE = "CLAUDE_CODE_DISABLE_CRON"
# measured: with these, claude announces a retry-after of more than a minute, and waits; without,
# it gives up silently
PATIENT = {"CLAUDE_CODE_RETRY_WATCHDOG": "1", "CLAUDE_CODE_RETRY_WATCHDOG_SCOPE": "capacity"}
_ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT"
# the names (never values) of the variables a launch added, so that the next one can remove them
ADDED = "CCC_PROVIDER_ENV"

_SUPERVISION = (
    *(SESSION, LAUNCHER, PROVIDER, ADDED),
    *("CCC_CLAUDE", "CCC_CONFIG_DIR", "CCC_WORK_DIR", "CCC_SELFTEST"),
)
OF_LAUNCH = (*_SUPERVISION, "PATH")
"""The variables that ccc's hook relies on. A project's settings must not set them."""
GUARDED = (*_SUPERVISION, BLOCK_CAP, PREFIX)
"""The variables that decide whether, how and how often the hook runs."""
LOADING = ("PYTHONPATH", "PYTHONHOME", "LD_", "DYLD_", "BASH_ENV")
"""Prefixes of the variables that make a program, including ccc's hook, load code."""

_PROVIDER_PREFIXES = (
    *("ANTHROPIC_", "CLAUDE_CODE_HOST_", "CLAUDE_CODE_OAUTH_", "CLAUDE_CODE_3P_"),
    "VERTEX_REGION_CLAUDE_",
)
_PROVIDER_NAMES = (
    *(*CREDENTIALS, MANAGED, "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL"),
    *("AWS_BEARER_TOKEN_BEDROCK", "CLOUD_ML_REGION", "CLAUDE_CODE_API_BASE_URL"),
    *("CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR", "CLAUDE_CODE_GATEWAY_TOKEN"),
    *("CLAUDE_CODE_SESSION_ACCESS_TOKEN", "CLAUDE_CODE_EXTRA_BODY", "CLAUDE_CODE_SUBAGENT_MODEL"),
    *("CLAUDE_CODE_SUBAGENT_MODEL_FORCE", "CLAUDE_CODE_WORKFLOW_SUBAGENT_MODEL"),
    *("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
    *(CLASSIFIER, "CLAUDE_CODE_BG_CLASSIFIER_MODEL"),
)
# measured: a settings file can set these even if the host manages the provider
_UNGUARDED = ("ANTHROPIC_BETAS", "CLAUDE_CODE_EXTRA_BODY")
_SELECTING = (
    *("ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_MODEL"),
    *("ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL"),
    *("ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL"),
    *("ANTHROPIC_DEFAULT_FABLE_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL", "CLAUDE_CODE_USE_BEDROCK"),
    *("CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"),
)
_CLOUD = "CLAUDE_CODE_USE_"
_NO_CLOUD = (
    *("CLAUDE_CODE_USE_CCR_V2", "CLAUDE_CODE_USE_COWORK_PLUGINS"),
    *("CLAUDE_CODE_USE_NATIVE_FILE_SEARCH", "CLAUDE_CODE_USE_POWERSHELL_TOOL"),
)
_YES = ("1", "true", "yes", "on")
HIDDEN = (
    *(*CREDENTIALS, "ANTHROPIC_CUSTOM_HEADERS", "AWS_BEARER_TOKEN_BEDROCK"),
    *("ANTHROPIC_FOUNDRY_API_KEY", "ANTHROPIC_FOUNDRY_AUTH_TOKEN", "ANTHROPIC_AWS_API_KEY"),
)
"""The variables that claude removes from hooks and shells if the host manages the provider."""
SHARED = "CCC_SHARED_"  # before the name of a hidden variable: a copy that reaches hooks and shells
_OF_SESSION = (
    *(SESSION, LAUNCHER, PROVIDER, REPOSITORY, _ENTRYPOINT, "AI_AGENT", "CLAUDECODE", "CLAUDE_PID"),
    *("CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SESSION_ATTENDED"),
    *("CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_EFFORT"),
    *("CLAUDE_PROJECT_DIR", "CLAUDE_CODE_EXECPATH", "CLAUDE_ENV_FILE", "CLAUDE_JOB_DIR"),
)


def is_providers(name: str) -> bool:
    """Return whether the variable selects an endpoint, a model or a credential."""
    return (
        name.startswith(_PROVIDER_PREFIXES)
        or name in _PROVIDER_NAMES
        or is_cloud(name)
        or (name.startswith("CLAUDE_CODE_SKIP_") and name.endswith("_AUTH"))
    )


def is_guarded(name: str) -> bool:
    """Return whether claude ignores it in settings files when the host manages the provider."""
    return is_providers(name) and name not in _UNGUARDED and not is_cloud(name)


def is_cloud(name: str) -> bool:
    """Return whether the variable switches to a cloud provider."""
    return name.startswith(_CLOUD) and name not in _NO_CLOUD


def uses_cloud(env: Env) -> bool:
    """Return whether a cloud provider is enabled, with any value that claude accepts as true."""
    return any(is_cloud(name) and env[name].strip().casefold() in _YES for name in env)


def for_file(env: Env, plain: "Collection[str]", contested: "Collection[str]") -> dict[str, str]:
    """Return the part of the env that goes into a settings file to override the user's other files.

    It holds variables known to be harmless, and non-secret ones that other files also set.
    """

    def belongs(name: str, value: str) -> bool:
        is_contested = name in contested and not is_providers(name)
        return is_harmless(name, value) or (is_contested and not may_be_secret(name, value))

    return {name: value for name, value in env.items() if name in plain and belongs(name, value)}


def blanks(env: Env, users: "Mapping[str, object]") -> dict[str, str]:
    """Return empty values for provider variables that one of the user's settings files could set.

    If the host manages the provider, claude ignores most of them itself, but not with a login.
    """
    always = _UNGUARDED if has_access(env) else (*_UNGUARDED, *_SELECTING)
    return {name: "" for name in (*always, *filter(is_providers, users)) if name not in env}


def is_anthropic(env: Env) -> bool:
    """Return whether requests go to Anthropic's own API."""
    address = env.get("ANTHROPIC_BASE_URL", "")
    host = address.partition("://")[2]
    for mark in "/\\?#":
        host = host.partition(mark)[0]
    host = host.rpartition("@")[2].partition(":")[0].casefold()
    return not uses_cloud(env) and (not address or host.endswith(".anthropic.com"))


def is_gateway(env: Env) -> bool:
    """Return whether requests go to an endpoint of another maker."""
    return not is_anthropic(env) and not uses_cloud(env)


def has_access(env: Env) -> bool:
    """Return whether the provider has its own access and must not get the user's login.

    Measured: if the host manages the provider, claude ignores the user's login. Otherwise it sends
    the login's token to whatever ANTHROPIC_BASE_URL says.
    """
    return uses_cloud(env) or any(map(env.get, ("ANTHROPIC_BASE_URL", *CREDENTIALS)))


def in_settings(settings: "Mapping[str, object]") -> dict[str, str]:
    """Return the variables with which claude's settings select a provider, if they do."""
    own = {
        name: str(value)
        for name, value in lenient_json.mapping(settings, "env").items()
        if is_providers(name) and isinstance(value, str | int | float)
    }
    return own if has_access(own) else {}


def for_claude(users: Env, provider: Env, max_rounds: int, session: str) -> dict[str, str]:
    """Return claude's environment: the user's without other providers' variables, plus ccc's."""
    earlier = users.get(ADDED, "").split(",")
    env = {n: v for n, v in _without(users, (*earlier, ADDED)).items() if not is_providers(n)}
    ours = dict(provider)
    if has_access(provider):
        ours[MANAGED] = "1"
        if NO_AGENT_VIEW not in env:
            # measured: claude's background service gets neither the endpoint nor the key
            ours.setdefault(NO_AGENT_VIEW, "1")
    if not is_anthropic(provider) and ATTRIBUTION not in env and ATTRIBUTION not in provider:
        # with it, the first system block differs between agent and reviewer, and no cache is shared
        ours[ATTRIBUTION] = "0"
    # measured: without any of these variables, auto mode asks for claude-sonnet-5
    has_classifier = provider.get(CLASSIFIER) or provider.get("ANTHROPIC_DEFAULT_SONNET_MODEL")
    if is_gateway(provider) and not has_classifier and (model := provider.get("ANTHROPIC_MODEL")):
        ours[CLASSIFIER] = model
    caps = (env.get(BLOCK_CAP, ""), provider.get(BLOCK_CAP, ""))
    ours[BLOCK_CAP] = str(max(max_rounds, *map(_number, caps)))
    return {**env, **ours, ADDED: ",".join(sorted(ours)), SESSION: session}


def share_keys(env: Env, script: str) -> dict[str, str]:
    """Return the environment of a claude whose hooks and shells get the provider's key.

    Measured: claude runs hooks, shells and MCP servers with the prefix, and removes secrets by
    their names. A prefix with options breaks MCP servers, so it is one program. A prefix of the
    user's own stays; then nothing is shared.
    """
    # claude takes what follows the last " -" for options
    is_usable = bool(script) and " -" not in script
    if env.get(PREFIX, script) != script or MANAGED not in env or not is_usable:
        return dict(env)
    copies = {SHARED + name: env[name] for name in HIDDEN if env.get(name)}
    added = ",".join([*filter(None, env.get(ADDED, "").split(",")), *copies])
    return {**env, **copies, PREFIX: script, ADDED: added}


def for_agent(users: Env, provider: Env, max_rounds: int) -> dict[str, str]:
    """Return the environment of an unattended agent, whose stops the run itself reviews."""
    return _without(for_claude(users, provider, max_rounds, ""), _OF_SESSION)


def for_reviewer(users: Env, provider: Env) -> dict[str, str]:
    """Return the reviewer's environment: that of a launch without the session's variables."""
    env = for_claude(users, provider, 0, "")
    return with_absolute_path(_without(env, (ADDED, *_OF_SESSION)))


def for_fork(users: Env) -> dict[str, str]:
    """Return the reviewer's environment if ccc chose no provider: the hook's own.

    Measured: if an SDK started claude, the prompt's first line depends on CLAUDE_CODE_ENTRYPOINT.
    """
    entry = users.get(_ENTRYPOINT, "")
    env = _without(users, (ADDED, *_OF_SESSION))
    return with_absolute_path(env | ({_ENTRYPOINT: entry} if entry.startswith("sdk-") else {}))


def for_notification(users: Env, keys: "Collection[str]") -> dict[str, str]:
    """Return the environment of a notification, without provider, key and session variables."""
    env = _without(users, (*users.get(ADDED, "").split(","), ADDED, *_OF_SESSION, *keys))
    return with_absolute_path({n: v for n, v in env.items() if not is_providers(n)})


def for_checks(users: Env, keys: "Collection[str]") -> dict[str, str]:
    """Return the environment of a check: the session's, without the provider's secrets."""
    added = users.get(ADDED, "").split(",")
    secrets = [
        name
        for name, value in users.items()
        if (name in added or is_providers(name)) and may_be_secret(name, value)
    ]
    return _without(users, (*secrets, *keys, SESSION))


def _without(env: Env, names: "Collection[str]") -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in names}


def with_absolute_path(env: Env) -> dict[str, str]:
    """Drop relative entries from PATH: they would let the project choose the program."""
    path = ":".join(entry for entry in env.get("PATH", "").split(":") if entry.startswith("/"))
    return {**env, "PATH": path} if "PATH" in env else dict(env)


def block_cap(settings: "Mapping[str, object]", max_rounds: int) -> dict[str, str]:
    """Return ccc's cap on blocked stops for a settings file, if the user's cap is lower."""
    own = lenient_json.mapping(settings, "env").get(BLOCK_CAP)
    is_lower = own is not None and _number(str(own)) < max_rounds
    return {BLOCK_CAP: str(max_rounds)} if is_lower else {}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
