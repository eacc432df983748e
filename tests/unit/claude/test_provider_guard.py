"""Keep settings files from overriding the provider."""

import pytest

from ccc.claude.capabilities import Answers
from ccc.claude.provider_guard import overriding_env
from ccc.errors import CccError
from ccc.providers.layers import Layers

URL = "ANTHROPIC_BASE_URL"
KIMI = Layers({}, {URL: "http://kimi"}, frozenset([URL]))
OTHER = [("/f", {"env": {URL: "http://other"}})]
OLD = Answers("2.1.81", ["provider_wins"])


def test_an_old_claude() -> None:
    """The files of the user and the project are overridden."""
    assert overriding_env(OLD, KIMI, OTHER, ()) == {URL: "http://kimi"}


def test_nothing_to_override() -> None:
    """Neither for a claude that protects the provider, nor for the user's own account."""
    for client in (None, Answers("2.1.83")):
        assert overriding_env(client, KIMI, OTHER, OTHER) == {}
    assert overriding_env(OLD, Layers({}, {}, frozenset()), OTHER, OTHER) == {}


def test_the_administrators_file() -> None:
    """Nothing overrides it, so that it must not differ."""
    assert overriding_env(OLD, KIMI, (), [("/m", {"env": {URL: "http://kimi"}})]) == {}
    with pytest.raises(CccError) as raised:
        overriding_env(OLD, KIMI, (), [("/m", {"env": {"ANTHROPIC_API_KEY": "x"}})])
    assert "/m: ANTHROPIC_API_KEY" in str(raised.value)
