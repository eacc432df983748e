"""The settings that ccc gives the agent and the reviewer, and what they let claude write."""

import re
from collections.abc import Mapping, Sequence

from ccc.claude.formats import environment, settings, slash
from ccc.text import jsontext, lenient_json

# Scoped rules keep the tool list and so the prompt cache; bare tool names would change it.
_CHANGING_GIT = (
    *("add", "checkout", "cherry-pick", "clean", "commit", "merge", "mv", "pull", "push"),
    *("rebase", "reset", "restore", "revert", "rm", "stash", "switch"),
)
# claude also applies an Edit rule to Write and to what Bash visibly writes
DENIED = ["Edit(./**)", "Edit(~/**)", *(f"Bash(git {verb}:*)" for verb in _CHANGING_GIT)]
_ALLOWED = ["Bash", "Read", "Glob", "Grep"]
_MODE = "dontAsk"
MANUAL = "default"  # Claude's name for manual mode, which asks the user
_QUESTIONS = "permission_prompt|worker_permission_prompt|agent_needs_input|elicitation.*dialog"
"""Claude's notifications about a question; others tell that it is idle, or of a login."""
_EDIT_RULE = r"(?s)(?:Edit|MultiEdit|NotebookEdit|Write)\((.+)\)"
_WILDCARD = r"/?[^/]*[*?\[{]"


def for_agent(
    own: Mapping[str, object], env: Mapping[str, str], command: str, status: str, records: str
) -> dict[str, object]:
    """Return the settings for the agent's claude: the user's own, the harmless env and ccc's hooks.

    The agent must not edit the records that it is judged by. A second hook announces that a session
    is still supervised, because claude clears what the launch printed. Others confirm /supervisor
    in the terminal, and record a turn that an API error ended and what claude asks the user.
    """
    announce = {"type": "command", "command": f"{command} --announce"}
    confirm = {"type": "command", "command": f"{command} --confirm"}
    # measured: with -p, claude ends this hook by SIGTERM at once, and for good after 1.4 s
    failed = {"type": "command", "command": f"trap '' TERM HUP; exec {command} --failed"}
    typed = {"matcher": "|".join(slash.NAMES), "hooks": [confirm]}
    asks = {"hooks": [{"type": "command", "command": f"{command} --asks"}]}
    ours: dict[str, object] = {
        "permissions": {"deny": [_deny_below(records)]},
        "hooks": {
            "SessionStart": [{"hooks": [announce]}],
            "StopFailure": [{"hooks": [failed]}],
            "UserPromptExpansion": [typed],
            "PermissionRequest": [asks],
            "Notification": [{"matcher": _QUESTIONS, **asks}],
        },
    }
    text = jsontext.dump(_with_env(settings.merge(own, ours), env))
    return settings.read(settings.with_hook(text, command, status))


def with_manual_mode(
    own: Mapping[str, object], env: Mapping[str, str], users: Mapping[str, object]
) -> Mapping[str, object]:
    """Add manual mode to the settings for another maker's endpoint, unless the user chose a mode.

    Interactive sessions start in auto mode. Measured on another endpoint: a dialog that waits for a
    key, and up to ten requests of 146,000 characters for a command that the agent wants to run.
    """
    has_chosen = permission_mode(own) or permission_mode(users) or env.get(environment.CLASSIFIER)
    if has_chosen or not environment.is_gateway(env):
        return own
    return settings.merge(own, {"permissions": {"defaultMode": MANUAL}})


def permission_mode(content: Mapping[str, object]) -> str:
    """Return the permission mode that the settings start a session in, or ""."""
    return lenient_json.text(content, "permissions", "defaultMode")


def for_reviewer(
    own: Mapping[str, object],
    env: Mapping[str, str],
    sandbox: bool = True,
    beyond: Sequence[str] = (),
) -> dict[str, object]:
    """Return the settings for the reviewer's claude: the user's own without hooks, made read-only.

    `beyond` lists directories outside the project that the agent may change: the rest of a
    repository, or those from `--add-dir`. The user's allow rules are dropped, and only the network
    part of the user's sandbox is kept.
    """
    content = {key: value for key, value in own.items() if key != "hooks"}
    users = lenient_json.mapping(content, "permissions")
    network = lenient_json.mapping(content, "sandbox")
    read_only: dict[str, object] = {
        "disableAllHooks": True,
        "permissions": {
            **({"ask": users["ask"]} if "ask" in users else {}),
            "allow": _ALLOWED,
            "deny": [*lenient_json.items(users, "deny"), *DENIED, *map(_deny_below, beyond)],
            "defaultMode": _MODE,
        },
    }
    if sandbox:
        read_only["sandbox"] = {
            **({"network": network["network"]} if "network" in network else {}),
            "enabled": True,
            "allowUnsandboxedCommands": False,
        }
    return {**_with_env(content, env), **read_only}


def _with_env(own: Mapping[str, object], env: Mapping[str, str]) -> dict[str, object]:
    return {**({"env": dict(env)} if env else {}), **own}


def _deny_below(directory: str) -> str:
    """Return the rule that forbids changes inside an absolute directory."""
    return f"Edit(/{directory}/**)"


def is_ours(text: str) -> bool:
    """Return whether a settings file looks like one that some version of ccc wrote."""
    try:
        content = settings.read(text)
    except ValueError:
        return False
    permissions = lenient_json.mapping(content, "permissions")
    denied = lenient_json.items(permissions, "deny")
    is_strict = permissions.get("defaultMode") == _MODE and DENIED[0] in denied
    is_reviewers = is_strict and content.get("disableAllHooks") is True
    return is_reviewers or settings.has_hook(content)


def writable_places(content: Mapping[str, object]) -> list[str]:
    """Return the places outside the project that the settings let claude write to.

    Measured: claude's sandbox also lets a command write wherever an `Edit` rule allows it.
    """
    allowed = lenient_json.texts(content, "permissions", "allow")
    rules = [re.fullmatch(_EDIT_RULE, rule.strip()) for rule in allowed]
    patterns = lenient_json.texts(content, "sandbox", "filesystem", "allowWrite")
    patterns += [rule[1] for rule in rules if rule]
    places = lenient_json.texts(content, "permissions", "additionalDirectories")
    return [path for path in (*places, *map(_fixed_part, patterns)) if path]


def _fixed_part(pattern: str) -> str:
    """Return the path before a pattern's first wildcard. A leading `//` marks an absolute path."""
    wildcard = re.search(_WILDCARD, pattern)
    top = pattern[: wildcard.start()] if wildcard else pattern
    return f"/{top.lstrip('/')}" if pattern.startswith("//") else top


def leaves_sandbox(content: Mapping[str, object], command: str = "") -> bool:
    """Return whether the settings let the command (or else any) run outside the sandbox."""
    rules = lenient_json.texts(content, "sandbox", "excludedCommands")
    if not command:
        return any(rules)
    patterns = (re.escape(rule.replace(":*", " *")).replace(r"\*", ".*") for rule in rules)
    return any(re.fullmatch(pattern, command, re.DOTALL) for pattern in patterns)
