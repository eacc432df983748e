"""Keys are redacted, in whatever form a provider or a tool returns them."""

import itertools
import json
import re
import struct
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.text import controls
from ccc.text.redaction import (
    HIDDEN,
    Pieces,
    Redactor,
    is_no_name,
    keys_of,
    looks_like_a_key,
    redact,
)

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
    """A key is recognized by the name of its variable or header; a password by its position."""
    assert redact(f"no such key: {CANARY}!", keys_of({name: value})) == f"no such key: {HIDDEN}!"


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
    """Words that occur in every record are no keys."""
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
    """Colons, spaces and symbols in a key are part of it; ten characters are enough."""
    assert redact(f"<{secret}>", keys_of({name: value})) == f"<{HIDDEN}>"
    assert keys_of({"MY_KEY": "012345678"}) == ()


@pytest.mark.parametrize("ascii_only", [True, False])
def test_in_json(ascii_only: bool) -> None:
    """No character remains of a key that JSON has to escape."""
    key = '"ä-0123456789-\n"'
    line = json.dumps(f"<{key}>", ensure_ascii=ascii_only)
    assert redact(line, [key]) == f'"<{HIDDEN}>"'


@pytest.mark.parametrize("safe", ["", "/", "!'()*"])
def test_in_a_url(safe: str) -> None:
    """A key is recognized with the escapes of a URL."""
    key = "sk+ab/cd==é!(0123456789)~"
    quoted = quote(key, safe=safe)
    assert redact(f"?key={quoted}&x=1", [key]) == f"?key={HIDDEN}&x=1"
    lower = re.sub("%..", lambda escape: escape[0].lower(), quoted)
    assert redact(f"?key={lower}&x=1", [key]) == f"?key={HIDDEN}&x=1"


@given(st.text(_ASCII + "äß/中😀", min_size=8), st.lists(st.booleans(), min_size=1))
def test_needless_escapes(key: str, escaped: list[bool]) -> None:
    """Nothing remains of a key in JSON, whichever of its characters are escaped."""
    key = f"k-{key}"
    spelled = "".join(
        "".join(f"\\u{unit:04X}" for unit in struct.unpack(f">{len(raw) // 2}H", raw))
        if is_escaped
        else json.dumps(char, ensure_ascii=False)[1:-1]
        for char, is_escaped in zip(key, itertools.cycle(escaped), strict=False)
        for raw in [char.encode("utf-16-be")]
    )
    assert json.loads(f'"{spelled}"') == key
    line = Redactor([key]).redact_json(f'{{"said": "<{spelled}>"}}')
    assert key not in json.loads(line)["said"]


@given(st.text(), st.text(_ASCII + "\näß/中", min_size=8), st.text())
def test_nothing_is_left(before: str, key: str, after: str) -> None:
    """Nothing remains in a text or a line of JSON, whatever the key contains."""
    key = f"k-{key}"  # a key of only zeros could be part of an escape
    text = before + key + after
    assert key not in redact(text, [key])
    for ascii_only in (True, False):
        line = redact(json.dumps({"said": text}, ensure_ascii=ascii_only), [key])
        assert key not in json.loads(line)["said"]


@pytest.mark.parametrize(
    "text",
    [
        "sk-12345678",
        "sk-ant-api03-abcdef",
        "0f3e5a7b9c1d4e6f8a0b2c4d.Xy12Zw34",
        "eyJhbGciOiJIUzI1NiJ9.e30.x",
        "my key is sk-12345678",
        "AKIA0123456789ABCDEFGH",
    ],
)
def test_what_looks_like_a_key(text: str) -> None:
    """The keys of known providers are recognized, wherever they are pasted."""
    assert looks_like_a_key(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "kimi", "kimi-k2.7-code", "my-provider-2026", "glm-5.3[1m]", "make test"),
        "qwen-coding-plan-international-2",
        "01234567-89ab-cdef-0123-456789abcdef",
        "internationalization",
        "https://api.moonshot.ai/anthropic",
        *("task-gateway-2026", "risk-v2", "desk-kimi-production", "sk-SK"),
    ],
)
def test_what_does_not(text: str) -> None:
    """Names, ids and addresses are no keys."""
    assert not looks_like_a_key(text)


@given(st.lists(st.integers(0, 60), max_size=12), st.sampled_from(["", "s", "sk-", CANARY[:-1]]))
def test_in_pieces(cuts: list[int], end: str) -> None:
    """However a text is split, no part of a secret is shown, and nothing else is lost."""
    text = f"I used {CANARY} for it, and {CANARY}{CANARY} as well: s, sk, {end}"
    places = sorted({0, len(text), *(cut * len(text) // 60 for cut in cuts)})
    pieces = Pieces(Redactor([CANARY]))
    shown = [pieces.feed(text[a:b]) for a, b in itertools.pairwise(places)]
    assert "".join(shown) + pieces.rest() == redact(text, [CANARY])
    assert CANARY not in "".join(shown)
    assert all(CANARY[:-1] not in part for part in shown)


@pytest.mark.parametrize(
    ("text", "is_key"),
    [
        *(("kimi", False), ("task-gw", False), ("qwen-coding-plan-international-2", False)),
        ("01234567-89ab-cdef-0123-456789abcdef", True),
        ("01234567-89AB-CDEF-0123-456789ABCDEF", True),
        *(("0" * 20, True), ("a" * 20, True), ("a" * 19, False), ("a" * 32, True)),
        ("sk-12345678", True),
    ],
)
def test_where_a_name_is_asked_for(text: str, is_key: bool) -> None:
    """Where a name is expected, an id or a long unbroken word counts as a key."""
    assert is_no_name(text) == is_key


COLOURED = "\x1b[01;31m\x1b[Ksk-\x1b[m\x1b[Kcanary-0123456789"
"""As `grep --color=always sk-` prints it."""


UNSEEN = (
    *("\x1b[31m", "\x1b[m\x1b[K", "\x9b1m", "\x1bM", "\x1b]8;;http://x\x07", "\x1b]x\ny\x1b\\"),
    *("\x1bPx\x1b\\", "\x1b_x\x1b\\", "\x9dx\x9c", f"\x1b]{'x' * 3_000}\x07"),
    # some others begin a sequence that ends with a letter of the key, which then isn't seen whole
    *map(chr, (*range(9), *range(0xB, 0x1B), *range(0x1C, 0x20), *range(0x7F, 0x90), 0x99)),
    *map(chr, (0xAD, 0x180E, 0x2028, 0x2029)),
    *map(chr, (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF)),
    *("\ufff9", "\U000e0041"),
)


@pytest.mark.parametrize(
    "unseen", UNSEEN, ids=lambda text: text[:20].encode("unicode_escape").decode()
)
@pytest.mark.parametrize("as_ascii", [True, False])
def test_what_nobody_sees(unseen: str, as_ascii: bool) -> None:
    """A key is found with colours or invisible characters in it, also in JSON."""
    split = f"before {CANARY[:5]}{unseen}{CANARY[5:]} after"
    assert redact(split, [CANARY]) == f"before {HIDDEN} after"
    path = "C:\\reports\\u001b\\b \x1b["
    line = json.dumps({"said": split, "path": path, "n": [1, "a\n\tb"]}, ensure_ascii=as_ascii)
    for text in (line, f"{line}\n{line}"):
        for each in Redactor([CANARY]).redact_json(text).split("\n"):
            parsed = json.loads(each)
            assert parsed == {"said": f"before {HIDDEN} after", "path": path, "n": [1, "a\n\tb"]}


def test_colours() -> None:
    """A key that a tool has coloured is found; without a key, colours stay."""
    assert redact(COLOURED, [CANARY]) == HIDDEN
    text = "\x1b[32mpassed\x1b[0m\r\n \\r \\u001b[0m"
    assert redact(text, [CANARY]) == text


WILD = st.text(st.sampled_from("\\\x1b[]mur0 1bx\x07\x9d\u200b\r\n\"',{"), max_size=40)


@given(WILD, WILD, st.booleans())
def test_wild_control_characters(text: str, other: str, as_ascii: bool) -> None:
    """JSON stays JSON, whatever is in it beside a key."""
    split = f"{text}{CANARY[:5]}\u200b{CANARY[5:]}{other}"
    line = json.dumps({"said": split, other: [text]}, ensure_ascii=as_ascii)
    parsed = json.loads(Redactor([CANARY]).redact_json(line))
    assert len(parsed) == len(json.loads(line))
    assert not any(CANARY in controls.plain(str(each)) for each in parsed.values())


def test_many_beginnings() -> None:
    """A text full of beginnings of control sequences takes no longer than another one."""
    text = "\x9d" * 300_000
    start = time.process_time()
    assert redact(text + CANARY, [CANARY]).endswith(HIDDEN)
    Redactor([CANARY]).redact_json(json.dumps({"a": text}))
    assert time.process_time() - start < 5
