"""Keys are made unreadable, in whatever form a provider or a tool gives them back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.domain.redaction import HIDDEN, keys_of, redacted

CANARY = "sk-canary-0123456789"
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANTHROPIC_AUTH_TOKEN", CANARY),
        ("ANTHROPIC_API_KEY", CANARY),
        ("CLAUDE_CODE_OAUTH_TOKEN", CANARY),
        ("AWS_BEARER_TOKEN_BEDROCK", CANARY),
        ("GITHUB_TOKEN", CANARY),
        ("MY_APIKEY", CANARY),
        ("DB_PASSWORD_2", CANARY),
        ("NPM_AUTH", CANARY),
        ("HTTPS_PROXY", f"http://me:{CANARY}@proxy:8080"),
        ("ANTHROPIC_CUSTOM_HEADERS", f"x-one: 1\nx-api-key: {CANARY}"),
        ("ANTHROPIC_CUSTOM_HEADERS", f"Proxy-Authorization: Bearer {CANARY}"),
    ],
)
def test_keys(name: str, value: str) -> None:
    """A key is known by the name of its variable or header; a password by its place."""
    assert redacted(f"no such key: {CANARY}!", keys_of({name: value})) == f"no such key: {HIDDEN}!"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLAUDE_CODE_ATTRIBUTION_HEADER", "0"),
        ("SOME_AUTH", "disabled"),
        ("SSH_AUTH_SOCK", "/tmp/ssh-0123456789/agent"),
        ("ANTHROPIC_BASE_URL", "https://api.example.org/anthropic"),
        ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "1000000000000"),
        ("ANTHROPIC_CUSTOM_HEADERS", "x-tenant: application/json"),
        ("HOME", "/home/somebody-with-a-long-name"),
        ("PWD", "/home/somebody/project"),
        ("GIT_AUTHOR_NAME", "Jonathan Doe"),
        ("KEYBOARD_LAYOUT", "programmer-dvorak"),
        ("PASSWORD_STORE_DIR", "secrets/of/mine"),
        ("XAUTHORITY", "/run/user/1000/xauth"),
    ],
)
def test_no_keys(name: str, value: str) -> None:
    """Words that stand in every record are none."""
    assert keys_of({name: value}) == ()


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("MY_KEY", "0123456789", "0123456789"),
        ("MY-TOKEN-2", CANARY, CANARY),
        ("ANTHROPIC_CUSTOM_HEADERS", "x-api-key: one:two-three", "one:two-three"),
        ("ANTHROPIC_CUSTOM_HEADERS", "x-auth-token: Bearer one two-three", "one two-three"),
        ("HTTPS_PROXY", "http://me:pass:word:more@proxy:1", "pass:word:more"),
        ("HTTPS_PROXY", "http://me:pass@word@more@proxy:1", "pass@word@more"),
        ("HTTPS_PROXY", "http://me:pass://word-more@proxy:1", "pass://word-more"),
    ],
)
def test_the_whole_of_it(name: str, value: str, secret: str) -> None:
    """Colons, spaces and signs in a key are part of it; ten characters are enough."""
    assert redacted(f"<{secret}>", keys_of({name: value})) == f"<{HIDDEN}>"
    assert keys_of({"MY_KEY": "012345678"}) == ()


@pytest.mark.parametrize("ascii_only", [True, False])
def test_in_json(ascii_only: bool) -> None:
    """No character is left of a key that JSON has to escape."""
    key = '"ä-0123456789-\n"'
    line = json.dumps(f"<{key}>", ensure_ascii=ascii_only)
    assert redacted(line, [key]) == f'"<{HIDDEN}>"'


@given(st.text(), st.text(_ASCII + "\näß/中", min_size=8), st.text())
def test_nothing_is_left(before: str, key: str, after: str) -> None:
    """Neither in a text nor in a line of JSON, whatever the key is made of."""
    key = f"k-{key}"  # one of nothing but zeros could be part of an escape
    text = before + key + after
    assert key not in redacted(text, [key])
    for ascii_only in (True, False):
        line = redacted(json.dumps({"said": text}, ensure_ascii=ascii_only), [key])
        assert key not in json.loads(line)["said"]
