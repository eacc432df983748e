"""Which variables and texts may be secret, judging by their names and values."""

import re

_HARMLESS_PREFIXES = ("CLAUDE_CODE_", "DISABLE_", "ENABLE_", "MAX_", "BASH_DEFAULT_", "BASH_MAX_")
_HARMLESS_NAMES = ("API_TIMEOUT_MS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT")
_SECRET_WORDS = (
    *("KEY", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "AUTH", "BEARER"),
    *("HEADER", "COOKIE", "BODY", "HELPER"),
)


def is_harmless(name: str, value: str) -> bool:
    """Return whether it may go into a settings file: known, and certainly not a secret."""
    is_model = name.startswith("ANTHROPIC_") and name.endswith("_MODEL")
    is_known = is_model or name.startswith(_HARMLESS_PREFIXES) or name in _HARMLESS_NAMES
    return is_known and not may_be_secret(name, value)


def may_be_secret(name: str, value: str) -> bool:
    """Return whether the variable may hold a secret, judging by its name or its value."""
    upper = name.upper()
    by_name = any(word in upper for word in _SECRET_WORDS) or "TOKEN" in upper.replace("TOKENS", "")
    return by_name or "@" in value or "://" in value or has_key(value)


def has_key(text: str) -> bool:
    """Return whether it contains a key that starts with `sk-`; the `sk-` in task-gw isn't one."""
    if "sk-" not in text:
        return False
    return bool(re.search(r"(?<![A-Za-z0-9])sk-[\w-]{8,}", text))


def may_contain_secret(value: object, name: str = "") -> bool:
    """Return whether the settings may contain a secret, such as in `apiKeyHelper` or `env`."""
    if isinstance(value, dict):
        return any(may_contain_secret(inner, key) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return any(may_contain_secret(inner, name) for inner in value)
    return may_be_secret(name, str(value))
