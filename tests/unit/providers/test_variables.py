"""A provider's settings are shown without secrets, with the source of each value."""

import json

import pytest

from ccc.config import schema
from ccc.providers import variables

SECRET = "sk-canary-77"


def parsed(provider: dict[str, object], base: dict[str, object] | None = None) -> schema.Config:
    """Return a configuration with one provider."""
    raw = {"settings": {"env": base or {}}, "providers": {"p": {"env": provider}}}
    return schema.parse(json.dumps(raw), "f")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANTHROPIC_AUTH_TOKEN", SECRET),
        ("ANTHROPIC_CUSTOM_HEADERS", f"x: {SECRET}"),
        ("HTTPS_PROXY", f"http://u:{SECRET}@h"),
        ("ANTHROPIC_BASE_URL", f"https://u:{SECRET}@h/x"),
        ("ANTHROPIC_BASE_URL", f"https://h/x?key={SECRET}"),
        ("ANTHROPIC_FOUNDRY_API_KEY", SECRET),
        ("ANTHROPIC_AUTH_TOKEN", {"command": [f"echo {SECRET}", SECRET]}),
        ("HARMLESS", SECRET),
    ],
)
def test_no_secret_is_shown(name: str, value: object) -> None:
    """A secret is hidden by its name or by its look."""
    found = parsed({name: value})
    assert SECRET not in repr(variables.describe(found, "p"))
    assert SECRET not in repr(variables.key(found, "p"))


def test_where_values_come_from() -> None:
    """The source is the file, a command, a variable or the base template."""
    found = parsed(
        {"ANTHROPIC_MODEL": "m", "A_KEY": {"command": ["pass", "x"]}, "B_KEY": {"env": "MINE"}},
        {"API_TIMEOUT_MS": "5", "ANTHROPIC_MODEL": "under"},
    )
    kinds = {v.name: (v.value, v.kind, v.detail) for v in variables.describe(found, "p")}
    assert kinds == {
        "API_TIMEOUT_MS": ("5", "base.file", ""),
        "ANTHROPIC_MODEL": ("m", "file", ""),
        "A_KEY": (variables.HIDDEN, "command", "pass"),
        "B_KEY": (variables.HIDDEN, "variable", "MINE"),
    }


@pytest.mark.parametrize(
    ("env", "kind"),
    [
        ({}, "login"),
        ({"ANTHROPIC_BASE_URL": "https://h"}, "none"),
        ({"ANTHROPIC_BASE_URL": "https://h", "ANTHROPIC_API_KEY": ""}, "none"),
        ({"ANTHROPIC_BASE_URL": "https://h", "ANTHROPIC_API_KEY": "k"}, "file"),
        ({"ANTHROPIC_AUTH_TOKEN": {"env": "K"}}, "variable"),
        ({"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": {"command": ["pass"]}}, "command"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, "cloud"),
        ({"CLAUDE_CODE_USE_FOUNDRY": "1", "ANTHROPIC_FOUNDRY_API_KEY": "k"}, "file"),
    ],
)
def test_where_the_key_comes_from(env: dict[str, object], kind: str) -> None:
    """There is one word for each source of a key."""
    assert variables.key(parsed(env), "p").kind == kind


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://h/x@y", "https://h/x@y"),
        ("https://a@b:c@h/x/y", f"https://{variables.HIDDEN}@h/x/y"),
        ("https://h/x?a=1?b", "https://h/x"),
        ("https://h/x/https://y", "https://h/x/https://y"),
        ("https://h", "https://h"),
    ],
)
def test_urls(url: str, shown: str) -> None:
    """User name, password and query are removed; host and path stay."""
    assert variables.display_value("SOME_URL", url) == shown


def test_a_secret_elsewhere_is_a_mark() -> None:
    """A secret that is kept elsewhere is shown as a mark."""
    found = variables.values(parsed({"A_KEY": {"command": ["pass", "x"]}, "B": "b"}), "p")
    assert found == {"A_KEY": variables.HIDDEN, "B": "b"}


@pytest.mark.parametrize(
    ("env", "shown"),
    [
        ({}, variables.Variable("", "", "login")),
        ({"ANTHROPIC_BASE_URL": "u"}, variables.Variable("", "", "none")),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, variables.Variable("", "", "cloud")),
        ({"SOME_TOKEN": "t"}, variables.Variable("SOME_TOKEN", variables.HIDDEN, "file")),
        ({"SOME_API_KEY": "t"}, variables.Variable("SOME_API_KEY", variables.HIDDEN, "file")),
    ],
)
def test_which_key(env: dict[str, object], shown: variables.Variable) -> None:
    """The key is shown with the variable that holds it, else with the reason for its absence."""
    assert variables.key(parsed(env), "p") == shown
