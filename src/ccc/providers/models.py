"""The variables that name a provider's endpoint and its models."""

from collections.abc import Mapping

BASE_URL = "ANTHROPIC_BASE_URL"
MODEL = "ANTHROPIC_MODEL"
SUBAGENT = "CLAUDE_CODE_SUBAGENT_MODEL"
TIERS = {
    "haiku": "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "sonnet": "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "opus": "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "fable": "ANTHROPIC_DEFAULT_FABLE_MODEL",
}
LONG_CONTEXT = "[1m]"  # Claude's suffix for a model with a long context
# Measured on 2.1.325: the model that claude requests if nothing names one
_DEFAULT = "claude-opus-5-5"


def variables(main: str, subagent: str = "", **tiers: str) -> dict[str, str]:
    """Return the model variables. For a missing tier, claude would request its own model."""
    env = {MODEL: main, **{variable: tiers.get(tier, main) for tier, variable in TIERS.items()}}
    return {**env, SUBAGENT: subagent} if subagent else env


def is_name(value: str) -> bool:
    """Return whether a model can have this name: no spaces, no invisible characters."""
    return bool(value) and " " not in value and value.isprintable()


def billed_name(model: str) -> str:
    """Return the name that providers bill a model under, without claude's long-context suffix."""
    return model.partition("[")[0].strip().casefold()


def expected_model(env: Mapping[str, str], given: str) -> str:
    """Return the model that an agent will request, if it is known before the start."""
    model = given or env.get(MODEL, "")
    return env.get(TIERS.get(billed_name(model), ""), "") or model


def requested_model(env: Mapping[str, str], setting: str = "") -> str:
    """Return the model that claude would request. `setting` is `model` in its settings."""
    named = env.get(MODEL) or setting
    opus = env.get(TIERS["opus"], "")
    if not named and opus:
        # measured on 2.1.325: claude uses the long context of a third-party opus by default
        return opus.removesuffix(LONG_CONTEXT) + LONG_CONTEXT
    named = named or "opus"
    word = named.removesuffix(LONG_CONTEXT)
    if word in ("default", "best", "opusplan"):
        word = "opus"
    if word not in TIERS:
        return named
    tiers = (word, "opus", "sonnet", "haiku")
    return next((env[TIERS[tier]] for tier in tiers if env.get(TIERS[tier])), _DEFAULT)
