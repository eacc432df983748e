"""Which variables may be secret, and which may be in a settings file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import environment
from ccc.text import redaction


@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_MODEL",
        "ANTHROPIC_DEFAULT_OPUS_MODEL",
        "ANTHROPIC_SMALL_FAST_MODEL",
        "API_TIMEOUT_MS",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
        "CLAUDE_CODE_SUBAGENT_MODEL",
        "MAX_THINKING_TOKENS",
        "DISABLE_TELEMETRY",
        "BASH_DEFAULT_TIMEOUT_MS",
        "MCP_TIMEOUT",
        "MCP_TOOL_TIMEOUT",
        "ENABLE_TOOL_SEARCH",
    ],
)
def test_harmless(name: str) -> None:
    """Models, limits and switches may be in a settings file."""
    assert redaction.is_harmless(name, "value")


@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_CUSTOM_HEADERS",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_EXTRA_BODY",
        "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
        "CLAUDE_CODE_PASSPHRASE",
        "CLAUDE_CODE_Proxy_Password",
        "CLAUDE_CODE_api_key",
        "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
        "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
        "AWS_BEARER_TOKEN_BEDROCK",
        "CLAUDE_CODE_SOME_HEADERS",
        "CLAUDE_CODE_SOME_HELPER",
        "HTTPS_PROXY",
        "OTHER_MODEL",
        "UNKNOWN",
        "GITHUB_TOKEN",
        "",
    ],
)
def test_not_harmless(name: str) -> None:
    """A name that may hold a credential, or that is unknown, stays out of files."""
    assert not redaction.is_harmless(name, "value")


def test_a_login_in_an_address_is_not_harmless() -> None:
    """A value that contains a login stays out, whatever its name."""
    assert not redaction.is_harmless("CLAUDE_CODE_URL", "https://user:pw@host")


CREDENTIAL = st.sampled_from(
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE", "AUTH", "CREDENTIAL", "COOKIE", "BEARER"]
)


PART = st.text(st.sampled_from("ABXYZ_"), max_size=4)


PREFIX = st.sampled_from(["CLAUDE_CODE_", "DISABLE_", "ENABLE_", "MAX_", "BASH_", "ANTHROPIC_", ""])


@given(PREFIX, PART, CREDENTIAL, st.booleans(), st.sampled_from(["", "_MODEL", "_FILE", "_X"]))
def test_no_name_of_a_credential_is_harmless(
    prefix: str, part: str, word: str, lower: bool, end: str
) -> None:
    """No prefix or suffix makes a credential's name harmless, in any case."""
    name = prefix + part + (word.lower() if lower else word) + end
    assert not redaction.is_harmless(name, "value")


def test_a_secret_is_in_no_file() -> None:
    """A value that was not plain text in the configuration is in no file, harmless or not."""
    env = {"ANTHROPIC_MODEL": "from a command", "API_TIMEOUT_MS": "5", "ANTHROPIC_API_KEY": "k"}
    assert environment.for_file(env, {"API_TIMEOUT_MS", "ANTHROPIC_API_KEY"}, env) == {
        "API_TIMEOUT_MS": "5"
    }


@pytest.mark.parametrize(
    ("name", "value", "stands"),
    [
        ("MY_VAR", "x", True),
        ("MY_VAR", "sk-ant-api03-x", False),
        ("MY_KEY", "x", False),
        ("HTTPS_PROXY", "http://proxy", False),
        ("ANTHROPIC_BASE_URL", "x", False),
    ],
)
def test_what_another_file_contests(name: str, value: str, stands: bool) -> None:
    """A variable that another settings file also sets is in ccc's, unless it may be secret."""
    assert (name in environment.for_file({name: value}, {name}, {name})) is stands
    assert name not in environment.for_file({name: value}, {name}, set())


@pytest.mark.parametrize(
    ("settings", "tells"),
    [
        ({"model": "opus", "permissions": {"allow": ["Bash(ls:*)"]}}, False),
        ({"apiKeyHelper": "echo k"}, True),
        ({"apiKeys": ["a", "b"]}, True),
        ({"hooks": {"Stop": [{"hooks": [{"command": "curl -H sk-12345678"}]}]}}, True),
        ({"statusLine": {"command": "https_proxy=http://u:p@h x"}}, True),
    ],
)
def test_settings_that_may_tell(settings: dict[str, object], tells: bool) -> None:
    """A --settings that may contain a secret anywhere is not kept in the state."""
    assert redaction.may_contain_secret(settings) is tells


@pytest.mark.parametrize(
    ("name", "value", "telling"),
    [
        ("CLAUDE_CODE_X", "me:pw@host", True),
        ("CLAUDE_CODE_X", "http://host", True),
        ("CLAUDE_CODE_X", "sk-12345678", True),
        ("CLAUDE_CODE_X", "1", False),
        ("MAX_TOKENS", "1", False),
        ("MAX_TOKENS_TOKEN", "1", True),
        ("to_ken_TOKEN", "1", True),
    ],
)
def test_telling(name: str, value: str, telling: bool) -> None:
    """A secret is recognized by its name or its look; a number of tokens is none."""
    assert redaction.may_be_secret(name, value) is telling
