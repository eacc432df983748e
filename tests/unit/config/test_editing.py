"""Changes of ccc.json touch only what they are for."""

import json

import pytest

from ccc.config import editing

TEXT = """{
    "note" : "mine",
    "providers": {
        "kimi": {"env": {"A": "1",  "B": "2"}, "model": "x"},
        "glm":  {}
    },
    "current_provider": "kimi", "unknown": [1,2]
}
"""


def test_a_new_provider() -> None:
    """A new provider is the last one, and every byte before and after it is unchanged."""
    after = editing.with_provider(TEXT, "new", {"ANTHROPIC_AUTH_TOKEN": {"env": "K"}})
    assert json.loads(after)["providers"]["new"] == {"env": {"ANTHROPIC_AUTH_TOKEN": {"env": "K"}}}
    head, tail = TEXT.split('"glm":  {}')
    assert after.startswith(head + '"glm":  {}')
    assert after.endswith(tail)


def test_into_nothing() -> None:
    """An empty document gets the missing objects."""
    assert json.loads(editing.with_provider("{}\n", "a", {})) == {"providers": {"a": {}}}


def test_variables() -> None:
    """One is set, one is removed, a missing one stays missing; the rest is unchanged."""
    after = editing.with_env(TEXT, "kimi", {"A": "9", "B": None, "C": None, "D": "4"})
    assert json.loads(after)["providers"]["kimi"] == {"env": {"A": "9", "D": "4"}, "model": "x"}
    assert '"note" : "mine"' in after
    assert '"unknown": [1,2]' in after


def test_variables_of_a_provider_without_any() -> None:
    """A missing `env` is created."""
    after = editing.with_env(TEXT, "glm", {"A": "1"})
    assert json.loads(after)["providers"]["glm"] == {"env": {"A": "1"}}


@pytest.mark.parametrize(("name", "left"), [("kimi", None), ("glm", "kimi")])
def test_removal(name: str, left: str | None) -> None:
    """A provider is removed, and also as the current one."""
    after = json.loads(editing.without_provider(TEXT, name))
    assert name not in after["providers"]
    assert after.get("current_provider") == left
    assert after["unknown"] == [1, 2]


@pytest.mark.parametrize(
    "text",
    ["[]", "{}", '{"providers": 1}', '{"providers": {"p": 1}}', '{"providers": {"p": {"env": 1}}}'],
)
def test_no_variables(text: str) -> None:
    """A text of another shape has no variables."""
    assert editing.env_of(text, "p") == {}
