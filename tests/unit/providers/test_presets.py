"""The presets follow the rules for a provider's variables."""

import ast
import re
from pathlib import Path

import pytest

from ccc.claude.formats.environment import CREDENTIALS
from ccc.config import schema
from ccc.providers import models, presets
from ccc.providers.presets import Preset
from ccc.text import jsontext
from harness import catalogue
from harness.source import modules

ALL = presets.load()
OWN = {"workspace": "w1", "region": "r1", "account": "a1", "gateway": "g1", "model": "m1"} | {
    "project": "p1",
    "resource": "s1",
}


@pytest.fixture(params=ALL.values(), ids=lambda p: p.name)
def preset(request: pytest.FixtureRequest) -> Preset:
    """Each preset."""
    found: Preset = request.param
    return found


def test_there_are_many() -> None:
    """The file contains all the well-known presets."""
    assert len(ALL) >= 35
    assert {"anthropic", "kimi", "kimi-cn", "glm", "deepseek", "openrouter", "ollama"} <= ALL.keys()


def test_a_base_url_has_no_version_at_its_end(preset: Preset) -> None:
    """claude appends /v1/messages to it."""
    url = preset.env.get(models.BASE_URL, "")
    assert not re.search(r"/v1/?$|/messages", url)
    assert not url or url.startswith(("https://", "http://localhost", "http://127.0.0.1"))


def test_values_are_strings(preset: Preset) -> None:
    """claude accepts only strings in `env`."""
    assert all(isinstance(value, str) for value in preset.env.values())


def test_all_tiers_or_none(preset: Preset) -> None:
    """For a missing tier, claude would use its own model name, which the provider lacks."""
    tiers = {models.MODEL, *models.TIERS.values()}
    assert tiers & preset.env.keys() in (set(), tiers)
    assert all(preset.env[tier] for tier in tiers & preset.env.keys())
    assert models.SUBAGENT not in preset.env or tiers <= preset.env.keys()


def test_never_two_credentials(preset: Preset) -> None:
    """No preset contains a key, and only one variable will hold one."""
    assert not any(preset.env.get(name) for name in CREDENTIALS)
    assert preset.credential not in preset.env
    if "ANTHROPIC_BASE_URL" in preset.env:
        assert preset.credential in CREDENTIALS[:2]


def test_source_and_date(preset: Preset) -> None:
    """Model names change, so each preset says where and when it was read."""
    assert len(preset.source) > 8
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", preset.date)


def test_titles_in_both_languages(preset: Preset) -> None:
    """Titles and notes exist in both languages."""
    assert preset.title.keys() == {"en", "zh"}
    assert preset.note.keys() in (set(), {"en", "zh"})


def test_it_becomes_a_provider(preset: Preset) -> None:
    """Its name is allowed, and with the user's values filled in it is a valid configuration."""
    env = presets.fill(preset.env, OWN)
    text = jsontext.dump({"providers": {preset.name: {"env": env}}})
    parsed = schema.parse(text, "f")
    assert dict(parsed.providers[preset.name].env) == env
    assert "{" not in "".join(env.values())


def test_each_need_has_a_question() -> None:
    """What a preset needs can be asked for in both languages."""
    needs = {need for preset in ALL.values() for need in presets.needs(preset.env)}
    assert needs == OWN.keys()
    for language in ("en", "zh"):
        assert {f"provider.need_{need}" for need in needs} <= catalogue(language).keys()


def test_defaults_are_for_needs(preset: Preset) -> None:
    """A default belongs to something that is asked for."""
    assert preset.defaults.keys() <= set(presets.needs(preset.env))


def test_only_the_table_names_a_preset() -> None:
    """Adding or removing a preset takes an entry in presets.json, and no code."""
    nodes = [(path, node) for path in modules() for node in ast.walk(parsed(path))]
    texts = {(path.name, n.value) for path, n in nodes if isinstance(n, ast.Constant)}
    assert {(file, text) for file, text in texts if text in ALL} == set()


def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text("utf-8"))


def test_gateways_that_need_the_other_credential_empty() -> None:
    """These use claude's login unless ANTHROPIC_API_KEY is set and empty."""
    for name in ("openrouter", "vercel", "ollama"):
        assert ALL[name].env["ANTHROPIC_API_KEY"] == ""


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("kimi", ["kimi", "kimi-cn", "kimi-code"]),
        ("DeepSeek", ["deepseek"]),
        ("智谱", ["glm-cn"]),
        ("z.ai", ["glm"]),
        ("nothing like it", []),
    ],
)
def test_matching(typed: str, found: list[str]) -> None:
    """A part of the name or of the title matches, in either language."""
    assert presets.search(ALL, typed) == found


def test_of_url() -> None:
    """An existing provider is recognized by its endpoint."""
    assert presets.name_for_url(ALL, "https://api.kimi.com/coding") == "kimi-code"
    assert presets.name_for_url(ALL, "https://api.deepseek.com/anthropic/") == "deepseek"
    assert presets.name_for_url(ALL, "https://example.com") == ""
    assert presets.name_for_url(ALL, "") == ""


def test_one_model_for_all() -> None:
    """`of_models` sets every tier, and names subagents only on request."""
    env = models.variables("m", haiku="h")
    assert env[models.MODEL] == env["ANTHROPIC_DEFAULT_FABLE_MODEL"] == "m"
    assert env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] == "h"
    assert models.SUBAGENT not in env
    assert models.variables("m", subagent="s")[models.SUBAGENT] == "s"


def test_everything_of_a_preset_is_read() -> None:
    """Each field of presets.json is read, and a missing one has its default."""
    whole = {
        "name": "one",
        "title": {"en": "One"},
        "base_url": "https://one",
        "models": {"main": "m", "haiku": "h", "subagent": "s"},
        "env": {"X": "{region}", "ANTHROPIC_BASE_URL": "https://other"},
        "source": "https://docs",
        "credential": "ANTHROPIC_API_KEY",
        "dummy_key": "local",
        "note": {"en": "a note"},
        "defaults": {"region": "eu"},
    }
    bare = {"name": "two", "title": {}, "source": "s"}
    found = presets.parse({"date": "2026-11-01", "presets": [whole, bare]})
    assert list(found) == ["one", "two"]
    assert found["two"] == presets.Preset("two", {}, {}, "s", "2026-11-01")
    one = found["one"]
    assert one.env == {
        "ANTHROPIC_BASE_URL": "https://other",
        "ANTHROPIC_MODEL": "m",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": "h",
        "ANTHROPIC_DEFAULT_SONNET_MODEL": "m",
        "ANTHROPIC_DEFAULT_OPUS_MODEL": "m",
        "ANTHROPIC_DEFAULT_FABLE_MODEL": "m",
        "CLAUDE_CODE_SUBAGENT_MODEL": "s",
        "X": "{region}",
    }
    assert (one.title, one.source, one.date) == ({"en": "One"}, "https://docs", "2026-11-01")
    assert (one.credential, one.dummy_key) == ("ANTHROPIC_API_KEY", "local")
    assert (one.note, one.defaults) == ({"en": "a note"}, {"region": "eu"})
    assert presets.fill(one.env, {"region": "us"})["X"] == "us"
    del whole["env"]
    address = presets.parse({"date": "", "presets": [whole]})
    assert address["one"].env["ANTHROPIC_BASE_URL"] == "https://one"
    assert presets.name_for_url(address, "https://one/") == "one"
    assert presets.name_for_url({"x": found["two"]}, "https://one") == ""


@pytest.mark.parametrize(
    ("need", "value", "good"),
    [
        ("model", "vendor/model:1", True),
        ("model", "", False),
        ("model", "a b", False),
        ("model", "a\n", False),
        ("region", "eu-west-1", True),
        ("region", "", False),
        ("region", "eu/../x", False),
        ("region", "a b", False),
        ("region", "a@b", False),
        ("region", "a\x07", False),
    ],
)
def test_what_is_the_users_own(need: str, value: str, good: bool) -> None:
    """A model may have nearly any name; a value in an address must not change it."""
    assert presets.accepts(need, value) is good


def test_where_keys_come_from() -> None:
    """Each preset that needs a user's key names the page, unless it is a local server."""
    for name, preset in presets.load().items():
        local = "localhost" in preset.env.get(models.BASE_URL, "")
        needs_key = preset.credential and not preset.dummy_key and not local
        assert bool(preset.key_page) == bool(needs_key), name
        assert not preset.key_page.startswith("http")


def test_the_few_that_come_first() -> None:
    """The first few presets fit a small window, and the rest follows in file order."""
    known = presets.load()
    ordered = list(presets.by_rank(known))
    few = [name for name, preset in known.items() if preset.rank]
    assert sorted(ordered) == sorted(known)
    assert set(ordered[: len(few)]) == set(few)
    assert ordered[:2] == ["kimi", "kimi-cn"]
    assert 5 <= len(few) <= 14
    assert ordered[len(few) :] == [name for name in known if name not in few]
