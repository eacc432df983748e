"""The permission mode on another maker's endpoint, and the model that auto mode asks there."""

import pytest

from ccc.claude.formats import environment
from ccc.claude.formats.generated_settings import with_manual_mode

KIMI = {"ANTHROPIC_BASE_URL": "https://api.moonshot.ai/anthropic", "ANTHROPIC_MODEL": "kimi-k2"}
CHOSEN = {"permissions": {"defaultMode": "plan"}}
MANUAL = {"permissions": {"defaultMode": "default"}}


def test_manual_on_another_endpoint() -> None:
    """Without a choice of the user's, sessions there start in manual mode; rules stay."""
    assert with_manual_mode({}, KIMI, {}) == MANUAL
    rules = {"permissions": {"allow": ["Read"]}, "model": "x"}
    mode = {"permissions": {"allow": ["Read"], "defaultMode": "default"}, "model": "x"}
    assert with_manual_mode(rules, KIMI, {"permissions": {"deny": []}}) == mode


@pytest.mark.parametrize(
    ("own", "env", "users"),
    [
        (CHOSEN, KIMI, {}),
        ({}, KIMI, CHOSEN),
        ({}, KIMI | {"CLAUDE_CODE_AUTO_MODE_MODEL": "kimi-fast"}, {}),
        ({}, {}, {}),
        ({}, {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}, {}),
        ({}, {"CLAUDE_CODE_USE_BEDROCK": "1"}, {}),
    ],
)
def test_otherwise_as_claude_decides(
    own: dict[str, object], env: dict[str, str], users: dict[str, object]
) -> None:
    """A mode or a classifier that the user chose counts, and Anthropic's models have one."""
    assert with_manual_mode(own, env, users) == own


@pytest.mark.parametrize(
    ("provider", "classifier"),
    [
        (KIMI, "kimi-k2"),
        (KIMI | {"ANTHROPIC_DEFAULT_SONNET_MODEL": "kimi-s"}, None),
        (KIMI | {"CLAUDE_CODE_AUTO_MODE_MODEL": "kimi-fast"}, "kimi-fast"),
        ({"ANTHROPIC_MODEL": "opus"}, None),
        ({"ANTHROPIC_BASE_URL": "https://api.moonshot.ai/anthropic"}, None),
    ],
)
def test_the_classifier(provider: dict[str, str], classifier: str | None) -> None:
    """Auto mode asks for a model of the provider's, never for one that it may not have."""
    env = environment.for_claude({"CLAUDE_CODE_AUTO_MODE_MODEL": "other"}, provider, 10, "s")
    assert env.get("CLAUDE_CODE_AUTO_MODE_MODEL") == classifier
