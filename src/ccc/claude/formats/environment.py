"""Environment variables: which belong to a provider, which are harmless in a file."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

CREDENTIALS = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
MANAGED = "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST"
ATTRIBUTION = "CLAUDE_CODE_ATTRIBUTION_HEADER"
BLOCK_CAP = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
SESSION = "CCC_SUPERVISOR_ID"
LAUNCHER = "CCC_LAUNCHER_PID"
"""The process that a launch became; the agent of a `ccc run` has that run here, and no id."""
PROVIDER = "CCC_PROVIDER"
"""The name of the provider that the launch chose."""
ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT"
NO_BACKGROUND = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"
"""Set for an unattended agent and its reviewer alike: it shapes the tools, hence the cache."""
NO_SCHEDULE = "CLAUDE_CODE_DISABLE_CRON"
"""The same. Measured: it takes CronCreate away, and what ScheduleWakeup arranges never begins."""
PATIENT = {
    "CLAUDE_CODE_RETRY_WATCHDOG": "1",
    "CLAUDE_CODE_RETRY_WATCHDOG_SCOPE": "capacity",
}
"""Measured: with it claude announces a retry-after of an hour, else it gives up without a word."""
OURS = "CCC_PROVIDER_ENV"
"""Names (never values) of what a launch added, so that the next one can take them out."""

OF_SUPERVISION = (
    *(SESSION, LAUNCHER, PROVIDER, OURS),
    *("CCC_CLAUDE", "CCC_CONFIG_DIR", "CCC_WORK_DIR"),
)
"""What our hook goes by: a project's settings must not set it."""
OF_THE_LAUNCH = (*OF_SUPERVISION, "PATH")
"""The same, and where our hook looks for programs."""
GUARDED = (*OF_SUPERVISION, BLOCK_CAP, "CLAUDE_CODE_SHELL_PREFIX")
"""The same, and what decides whether and how often the hook is run."""
LOADING = ("PYTHONPATH", "PYTHONHOME", "LD_", "DYLD_", "BASH_ENV")
"""Names that begin so choose what code a program loads, our hook too."""

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
)
# Measured: these get in from a settings file even under the host's management.
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
_HARMLESS_PREFIXES = ("CLAUDE_CODE_", "DISABLE_", "ENABLE_", "MAX_", "BASH_DEFAULT_", "BASH_MAX_")
_HARMLESS_NAMES = ("API_TIMEOUT_MS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT")
_TELLING = (
    *("KEY", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "AUTH", "BEARER"),
    *("HEADER", "COOKIE", "BODY", "HELPER"),
)


def belongs_to_a_provider(name: str) -> bool:
    """Whether the variable selects an endpoint, a model or a credential."""
    return (
        name.startswith(_PROVIDER_PREFIXES)
        or name in _PROVIDER_NAMES
        or is_cloud(name)
        or (name.startswith("CLAUDE_CODE_SKIP_") and name.endswith("_AUTH"))
    )


def is_guarded(name: str) -> bool:
    """Whether claude under the host's management keeps a settings file from setting it."""
    return belongs_to_a_provider(name) and name not in _UNGUARDED and not is_cloud(name)


def is_harmless(name: str, value: str) -> bool:
    """Whether the variable may stand in a settings file: known, and surely no secret."""
    model = name.startswith("ANTHROPIC_") and name.endswith("_MODEL")
    known = model or name.startswith(_HARMLESS_PREFIXES) or name in _HARMLESS_NAMES
    return known and not is_telling(name, value)


def is_telling(name: str, value: str) -> bool:
    """Whether the variable may hold a secret, by its name or by its look."""
    upper = name.upper()
    by_name = any(word in upper for word in _TELLING) or "TOKEN" in upper.replace("TOKENS", "")
    return by_name or "@" in value or "://" in value or has_key(value)


def has_key(text: str) -> bool:
    """Whether a key that begins with `sk-` is in the text; the `sk-` of task-gw begins none."""
    import re

    return "sk-" in text and bool(re.search(r"(?<![A-Za-z0-9])sk-[\w-]{8,}", text))


def may_tell(value: object, name: str = "") -> bool:
    """Whether a secret may be anywhere in the value, as `apiKeyHelper` of settings or in `env`."""
    if isinstance(value, dict):
        return any(may_tell(inner, key) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return any(may_tell(inner, name) for inner in value)
    return is_telling(name, str(value))


def for_file(
    env: "Mapping[str, str]", plain: "Collection[str]", contested: "Collection[str]"
) -> dict[str, str]:
    """What of the env stands in a settings file, where it wins over the user's other files.

    That is what is known to be harmless, and of the rest what another file contests.
    """
    return {
        name: value
        for name, value in env.items()
        if name in plain
        and (
            is_harmless(name, value)
            or (
                name in contested
                and not belongs_to_a_provider(name)
                and not is_telling(name, value)
            )
        )
    }


def silenced(env: "Mapping[str, str]", users: "Mapping[str, object]") -> dict[str, str]:
    """Provider variables that a settings file of the user's or the project's could set.

    Under the host's management claude keeps most of them out itself; a login it does not guard.
    """
    always = _UNGUARDED if brings_its_own(env) else (*_UNGUARDED, *_SELECTING)
    found = (name for name in users if belongs_to_a_provider(name))
    return {name: "" for name in (*always, *found) if name not in env}


def is_anthropic(env: "Mapping[str, str]") -> bool:
    """Whether requests go to Anthropic's own API."""
    if on_a_cloud(env):
        return False
    host = env.get("ANTHROPIC_BASE_URL", "").partition("://")[2]
    for mark in "/\\?#":
        host = host.partition(mark)[0]
    host = host.rpartition("@")[2].partition(":")[0].casefold()
    return not env.get("ANTHROPIC_BASE_URL") or host.endswith(".anthropic.com")


def brings_its_own(env: "Mapping[str, str]") -> bool:
    """Whether the provider has an endpoint or credential, so that the user's login must not go.

    Measured: under the host's management claude ignores the user's login, and without it
    the login's token goes to whatever ANTHROPIC_BASE_URL says.
    """
    return bool(
        env.get("ANTHROPIC_BASE_URL")
        or any(env.get(name) for name in CREDENTIALS)
        or on_a_cloud(env)
    )


def in_settings(settings: "Mapping[str, object]") -> dict[str, str]:
    """The provider that a settings file of claude's selects; nothing where it selects none."""
    env = settings.get("env")
    held = env if isinstance(env, dict) else {}
    found = {
        name: str(value)
        for name, value in held.items()
        if belongs_to_a_provider(name) and isinstance(value, str | int | float)
    }
    return found if brings_its_own(found) else {}


def for_claude(
    users: "Mapping[str, str]", provider: "Mapping[str, str]", max_iterations: int, session: str
) -> dict[str, str]:
    """The child's environment: the user's without foreign provider variables, and ours."""
    earlier = set(users.get(OURS, "").split(","))
    env = {
        name: value
        for name, value in users.items()
        if not belongs_to_a_provider(name) and name not in earlier and name != OURS
    }
    ours = dict(provider)
    if brings_its_own(provider):
        ours[MANAGED] = "1"
    if not is_anthropic(provider) and ATTRIBUTION not in env and ATTRIBUTION not in provider:
        # with it the agent's and the reviewer's first system block differ, and no cache is shared
        ours[ATTRIBUTION] = "0"
    caps = (env.get(BLOCK_CAP, ""), provider.get(BLOCK_CAP, ""))
    ours[BLOCK_CAP] = str(max(max_iterations, *map(_number, caps)))
    return {**env, **ours, OURS: ",".join(sorted(ours)), SESSION: session}


def with_own_path(env: "Mapping[str, str]") -> dict[str, str]:
    """The same with a PATH of absolute entries: any other lets the project choose the program."""
    path = env.get("PATH")
    kept = [entry for entry in (path or "").split(":") if entry.startswith("/")]
    return {**env, "PATH": ":".join(kept)} if path is not None else dict(env)


def is_cloud(name: str) -> bool:
    """Whether the variable switches to a cloud's service."""
    return name.startswith(_CLOUD) and name not in _NO_CLOUD


def on_a_cloud(env: "Mapping[str, str]") -> bool:
    """Whether a cloud's switch is on, by the words that claude takes for yes."""
    return any(is_cloud(name) and env[name].strip().casefold() in _YES for name in env)


_OF_THE_SESSION = (
    *("AI_AGENT", "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID"),
    *("CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_PID"),
    *("CLAUDE_EFFORT", ENTRYPOINT, "CLAUDE_CODE_SESSION_ATTENDED"),
    *("CLAUDE_PROJECT_DIR", "CLAUDE_CODE_EXECPATH", "CLAUDE_ENV_FILE", "CLAUDE_JOB_DIR"),
    *(LAUNCHER, PROVIDER),
)


def for_agent(
    users: "Mapping[str, str]", provider: "Mapping[str, str]", max_iterations: int
) -> dict[str, str]:
    """The environment of an unattended agent, which the run itself judges."""
    env = for_claude(users, provider, max_iterations, "")
    for name in (SESSION, *_OF_THE_SESSION):
        env.pop(name, None)
    return env


def for_notice(users: "Mapping[str, str]", keys: "Collection[str]") -> dict[str, str]:
    """The environment of a notification: no provider, no key, nothing of the session's."""
    ours = {*users.get(OURS, "").split(","), OURS, SESSION, *_OF_THE_SESSION, *keys}
    env = {
        name: value
        for name, value in users.items()
        if name not in ours and not belongs_to_a_provider(name)
    }
    return with_own_path(env)


def for_checks(users: "Mapping[str, str]", keys: "Collection[str]") -> dict[str, str]:
    """The environment of a check: the session's, without anything secret of a provider."""
    ours = users.get(OURS, "").split(",")

    def is_secret(name: str, value: str) -> bool:
        of_a_provider = name in ours or belongs_to_a_provider(name)
        return name in keys or (of_a_provider and is_telling(name, value))

    env = {name: value for name, value in users.items() if not is_secret(name, value)}
    env.pop(SESSION, None)
    return env


def for_reviewer(users: "Mapping[str, str]", provider: "Mapping[str, str]") -> dict[str, str]:
    """The reviewer's environment: that of a launch, without what makes it part of the session."""
    env = for_claude(users, provider, 0, "")
    for name in (SESSION, OURS, *_OF_THE_SESSION):
        env.pop(name, None)
    return with_own_path(env)


def for_fork(users: "Mapping[str, str]") -> dict[str, str]:
    """The reviewer's environment where ccc chose no provider: that of the hook, so the session's.

    Measured: claude names what an SDK started by this variable, in the first line of the prompt.
    """
    entry = users.get(ENTRYPOINT, "")
    env = {k: v for k, v in users.items() if k not in (SESSION, OURS, *_OF_THE_SESSION)}
    return with_own_path(env | ({ENTRYPOINT: entry} if entry.startswith("sdk-") else {}))


def block_cap(settings: "Mapping[str, object]", max_iterations: int) -> dict[str, str]:
    """Our cap for a settings file, where the user's own settings have a lower one."""
    env = settings.get("env")
    users = env.get(BLOCK_CAP) if isinstance(env, dict) else None
    if users is None or _number(str(users)) >= max_iterations:
        return {}
    return {BLOCK_CAP: str(max_iterations)}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
