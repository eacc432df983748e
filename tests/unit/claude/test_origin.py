"""Where a variable comes from: the order that claude has, as the facts measured it."""

import pytest

from ccc.claude.formats.origin import Source, displayable, trace


def sources(**env: dict[str, str]) -> tuple[list[Source], list[Source]]:
    """All the places, in their order, with these variables."""
    files = ("managed", "ours", "local", "project", "user")
    started = ("provider", "base", "added", "process")
    return (
        [Source(kind, kind, env.get(kind, {})) for kind in files],
        [Source(kind, kind, env.get(kind, {})) for kind in started],
    )


@pytest.mark.parametrize(
    ("name", "managed", "places", "winner", "good"),
    [
        # a settings file wins over the process, ours over the user's
        ("API_TIMEOUT_MS", True, "provider ours user", "ours", True),
        ("FOO", True, "provider user", "user", False),
        ("FOO", True, "provider project process", "project", False),
        ("FOO", True, "user process", "user", True),
        ("FOO", True, "managed ours", "managed", True),
        ("FOO", True, "managed provider", "managed", False),
        ("FOO", True, "provider base process", "provider", True),
        ("DISABLE_X", True, "process", "process", True),
        # under the host's management the process wins for a provider's own
        ("ANTHROPIC_MODEL", True, "provider user local managed", "provider", True),
        ("ANTHROPIC_MODEL", True, "base process", "base", True),
        ("ANTHROPIC_MODEL", True, "user", "nobody", True),
        ("ANTHROPIC_AUTH_TOKEN", True, "process", "nobody", True),
        # a login has no management
        ("ANTHROPIC_MODEL", False, "provider user", "user", False),
        ("ANTHROPIC_BASE_URL", False, "ours local", "ours", True),
        # and what it does not guard
        ("ANTHROPIC_BETAS", True, "provider user", "user", False),
        ("CLAUDE_CODE_USE_BEDROCK", True, "project", "project", False),
        ("CLAUDE_CODE_USE_BEDROCK", True, "ours user", "ours", True),
    ],
)
def test_who_wins(name: str, managed: bool, places: str, winner: str, good: bool) -> None:
    """The winner, what it wins over, and whether ccc.json still has its way."""
    env = {place: {name: place} for place in places.split()}
    (found,) = trace(*sources(**env), managed)
    assert (found.source.kind, found.as_configured) == (winner, good)
    others = set(places.split()) - {winner} - ({"provider", "base"} if winner == "ours" else set())
    assert {source.kind for source in found.beaten} == others


def test_the_same_value_is_no_contest() -> None:
    """A file that says what ccc.json says disturbs nobody."""
    (found,) = trace(*sources(user={"FOO": "1"}, provider={"FOO": "1"}), True)
    assert found.as_configured


def test_only_what_matters_is_listed() -> None:
    """Of the process only what claude takes for itself; of files everything."""
    found = trace(
        *sources(
            process={"PATH": "x", "HOME": "y", "https_proxy": "z", "CLAUDE_CODE_X": "1"},
            user={"MINE": "1"},
        ),
        True,
    )
    assert [each.name for each in found] == ["CLAUDE_CODE_X", "MINE", "https_proxy"]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("ANTHROPIC_AUTH_TOKEN", "sk-1", ""),
        ("ANTHROPIC_API_KEY", "plain", ""),
        ("MINE", "anything", ""),
        ("HTTPS_PROXY", "http://me:pw@proxy", ""),
        ("API_TIMEOUT_MS", "3000", "3000"),
        ("API_TIMEOUT_MS", "sk-30000000", ""),
        ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "1", "1"),
        ("CLAUDE_CODE_OAUTH_TOKEN", "1", ""),
        ("ANTHROPIC_MODEL", "kimi-k2", "kimi-k2"),
        ("ANTHROPIC_BASE_URL", "https://me:sk-1@api.example.org:8/sk-2?sk-3#sk-4", ""),
        ("ANTHROPIC_BASE_URL", "https://api.example.org?key=sk-3", ""),
        ("ANTHROPIC_BASE_URL", "https://api.example.org\\sk-2", ""),
        ("ANTHROPIC_BASE_URL", "sk-nonsense", ""),
        ("X", None, ""),
    ],
)
def test_what_is_shown(name: str, value: str | None, expected: str) -> None:
    """Nothing that could be a secret; of an address the host."""
    told = displayable(name, value)
    assert "sk-" not in told
    assert "pw" not in told
    if name == "ANTHROPIC_BASE_URL" and value and "://" in value:
        assert told.startswith("https://api.example.org")
    else:
        assert told == expected


def test_the_value_that_wins() -> None:
    """It is told with its source; where nobody sets it, it is nothing."""
    (found,) = trace(*sources(user={"FOO": "1"}, provider={"FOO": "2"}), True)
    assert (found.value, found.source.file) == ("1", "user")
    (nobody,) = trace(*sources(user={"ANTHROPIC_MODEL": "m"}), True)
    assert (nobody.value, nobody.source.file, nobody.source.env) == (
        "",
        "",
        {"ANTHROPIC_MODEL": ""},
    )


def test_our_file_says_again_what_the_configuration_says() -> None:
    """Neither of the two beats the other, whichever wins."""
    for managed in (True, False):
        (found,) = trace(
            *sources(ours={"ANTHROPIC_MODEL": "m"}, provider={"ANTHROPIC_MODEL": "m"}), managed
        )
        assert found.beaten == ()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://u:p@host/path", "https://host"),
        ("https://host\\path@x", "https://host"),
        ("https://host?key=1", "https://host"),
        ("https://host#key", "https://host"),
        ("host", ""),
    ],
)
def test_of_an_address_the_host(address: str, expected: str) -> None:
    """Nothing of it but scheme and host is surely no secret."""
    assert displayable("ANTHROPIC_BASE_URL", address) == expected
