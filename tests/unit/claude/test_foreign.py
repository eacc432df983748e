"""Which provider variables of other settings files can be overridden."""

import pytest

from ccc.claude.formats.foreign import neutralize

ENV = {
    "ANTHROPIC_BASE_URL": "https://api.example.com/anthropic",
    "ANTHROPIC_AUTH_TOKEN": "sk-own",
    "ANTHROPIC_MODEL": "m",
}
PLAIN = frozenset(ENV)


@pytest.mark.parametrize(
    ("other", "neutral", "refused"),
    [
        ({"ANTHROPIC_BASE_URL": "http://x"}, {"ANTHROPIC_BASE_URL": ENV["ANTHROPIC_BASE_URL"]}, []),
        ({"ANTHROPIC_MODEL": "x"}, {"ANTHROPIC_MODEL": "m"}, []),
        ({"ANTHROPIC_API_KEY": "sk-x"}, {"ANTHROPIC_API_KEY": ""}, []),
        ({"CLAUDE_CODE_USE_BEDROCK": 1}, {"CLAUDE_CODE_USE_BEDROCK": ""}, []),
        ({"ANTHROPIC_AUTH_TOKEN": "sk-x"}, {}, ["ANTHROPIC_AUTH_TOKEN"]),
        # the same value, an empty one that the provider hasn't, and other variables
        ({"ANTHROPIC_AUTH_TOKEN": "sk-own"}, {}, []),
        ({"ANTHROPIC_API_KEY": ""}, {}, []),
        ({"EDITOR": "vi", "API_TIMEOUT_MS": "1"}, {}, []),
    ],
)
def test_another_file(
    other: dict[str, object], neutral: dict[str, str], refused: list[str]
) -> None:
    """What isn't secret is overridden, what the provider lacks is blanked, a key is refused."""
    found = neutralize(ENV, PLAIN, [("f", {"env": other}), ("g", {}), ("h", {"env": []})])
    assert found == (neutral, {"f": refused} if refused else {})


@pytest.mark.parametrize("url", ["https://user:pw@host", "https://host/sk-abcdefgh1234"])
def test_an_address_with_a_secret(url: str) -> None:
    """An address with a secret, or one that doesn't stand in a file, doesn't go into a file."""
    env, name = {**ENV, "ANTHROPIC_BASE_URL": url}, "ANTHROPIC_BASE_URL"
    files = [("f", {"env": {name: "http://x"}})]
    assert neutralize(env, PLAIN, files) == ({}, {"f": [name]})
    assert neutralize(ENV, PLAIN - {name}, files) == ({}, {"f": [name]})
