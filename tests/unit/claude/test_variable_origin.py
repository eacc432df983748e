"""Where a variable comes from, in claude's measured order of precedence."""

import pytest

from ccc.claude.formats.variable_origin import Source, displayable, trace


def sources(**env: dict[str, str]) -> tuple[list[Source], list[Source]]:
    """Return all sources in order, with these variables."""
    files = ("managed", "ours", "local", "project", "user")
    started = ("provider", "base", "added", "process")
    return (
        [Source(kind, kind, env.get(kind, {})) for kind in files],
        [Source(kind, kind, env.get(kind, {})) for kind in started],
    )


@pytest.mark.parametrize(
    ("name", "managed", "places", "winner", "good"),
    [
        # a settings file wins over the process, ccc's over the user's
        ("API_TIMEOUT_MS", True, "provider ours user", "ours", True),
        ("FOO", True, "provider user", "user", False),
        ("FOO", True, "provider project process", "project", False),
        ("FOO", True, "user process", "user", True),
        ("FOO", True, "managed ours", "managed", True),
        ("FOO", True, "managed provider", "managed", False),
        ("FOO", True, "provider base process", "provider", True),
        ("DISABLE_X", True, "process", "process", True),
        # under host management, the process wins for the provider's own variables
        ("ANTHROPIC_MODEL", True, "provider user local managed", "provider", True),
        ("ANTHROPIC_MODEL", True, "base process", "base", True),
        ("ANTHROPIC_MODEL", True, "user", "nobody", True),
        ("ANTHROPIC_AUTH_TOKEN", True, "process", "nobody", True),
        # a login has no management
        ("ANTHROPIC_MODEL", False, "provider user", "user", False),
        ("ANTHROPIC_BASE_URL", False, "ours local", "ours", True),
        # management doesn't guard these variables
        ("ANTHROPIC_BETAS", True, "provider user", "user", False),
        ("CLAUDE_CODE_USE_BEDROCK", True, "project", "project", False),
        ("CLAUDE_CODE_USE_BEDROCK", True, "ours user", "ours", True),
    ],
)
def test_who_wins(name: str, managed: bool, places: str, winner: str, good: bool) -> None:
    """It returns the winner, what it overrides, and whether ccc.json still applies."""
    env = {place: {name: place} for place in places.split()}
    (found,) = trace(*sources(**env), managed)
    assert (found.source.kind, found.as_configured) == (winner, good)
    others = set(places.split()) - {winner} - ({"provider", "base"} if winner == "ours" else set())
    assert {source.kind for source in found.beaten} == others


def test_the_same_value_is_no_contest() -> None:
    """A file with the same value as ccc.json is no conflict."""
    (found,) = trace(*sources(user={"FOO": "1"}, provider={"FOO": "1"}), True)
    assert found.as_configured


def test_only_what_matters_is_listed() -> None:
    """From the process only variables that claude uses are listed; from files all are."""
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
    """Nothing that could be a secret is shown, and only the host of an address."""
    told = displayable(name, value)
    assert "sk-" not in told
    assert "pw" not in told
    if name == "ANTHROPIC_BASE_URL" and value and "://" in value:
        assert told.startswith("https://api.example.org")
    else:
        assert told == expected


def test_the_value_that_wins() -> None:
    """The winning value comes with its source, or is empty if nothing sets it."""
    (found,) = trace(*sources(user={"FOO": "1"}, provider={"FOO": "2"}), True)
    assert (found.value, found.source.file) == ("1", "user")
    (nobody,) = trace(*sources(user={"ANTHROPIC_MODEL": "m"}), True)
    assert (nobody.value, nobody.source.file, nobody.source.env) == (
        "",
        "",
        {"ANTHROPIC_MODEL": ""},
    )


def test_our_file_says_again_what_the_configuration_says() -> None:
    """Neither of the two overrides the other, whichever wins."""
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
    """Only the scheme and host of an address are shown, because the rest may be secret."""
    assert displayable("ANTHROPIC_BASE_URL", address) == expected
