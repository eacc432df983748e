"""ccc.json: what is accepted, and its values."""

import json
from typing import Any

import pytest
from config_texts import FILE, parse, refused, said, with_env
from hypothesis import given
from hypothesis import strategies as st

from ccc.config import projects, schema
from ccc.config.layer import Layer, Secret, Value, parse_layer
from ccc.config.schema import Config

KIMI: dict[str, Any] = {"providers": {"kimi": {}}}


def test_everything_at_once() -> None:
    """Each key of the file ends up in its field, with `env` apart from the other settings."""
    found = parse(
        {
            "settings": {"model": "opus", "env": {"BASE": "1"}, "permissions": {"deny": ["x"]}},
            "providers": {
                "kimi": {"env": {"KEY": "k"}, "model": "k2"},
                "glm": {},
            },
            "current_provider": "glm",
            "claude_args": ["--verbose", ""],
            "supervisor": {
                "max_iterations": 7,
                "timeout_seconds": 60,
                "max_minutes": 1.5,
                "max_cost_usd": 2,
                "checks": ["make test", {"command": "make lint", "timeout_seconds": 9}],
                "provider": "kimi",
                "model": "k2",
                "structured_output": True,
                "sandbox": "require",
            },
            "projects": {"/a b": {"checks": ["true"], "provider": "glm"}, "/c": {}},
            "language": "en",
        }
    )
    assert found == Config(
        base=Layer({"BASE": "1"}, {"model": "opus", "permissions": {"deny": ["x"]}}),
        providers={"kimi": Layer({"KEY": "k"}, {"model": "k2"}), "glm": Layer()},
        current_provider="glm",
        claude_args=("--verbose", ""),
        supervisor=schema.Supervisor(
            max_iterations=7,
            timeout_seconds=60.0,
            max_minutes=1.5,
            max_cost_usd=2.0,
            checks=(schema.Check("make test"), schema.Check("make lint", 9.0)),
            provider="kimi",
            model="k2",
            structured_output=True,
            sandbox="require",
        ),
        projects={
            "/a b": schema.Project((schema.Check("true"),), "glm"),
            "/c": schema.Project(),
        },
        language="en",
    )


def test_the_smallest() -> None:
    """One provider is enough; the rest has defaults."""
    assert parse(KIMI) == Config(base=Layer(), providers={"kimi": Layer()})
    assert parse(KIMI).supervisor.max_iterations == 10


def test_a_layer_alone() -> None:
    """A Claude Code settings file is read into the same layer."""
    text = '{"env": {"A": 3e6, "B": {"env": "C"}}, "model": "opus"}'
    assert parse_layer(text, FILE) == Layer(
        {"A": "3e6", "B": Secret(f"{FILE}: env.B", variable="C")}, {"model": "opus"}
    )


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ('"plain"', "plain"),
        ('""', ""),
        ('"$HOME `x` %s {y}"', "$HOME `x` %s {y}"),
        ('"\\u4e2d"', "中"),
        ('"\\ud7ff\\ue000\\ud83d\\ude00"', "\ud7ff\ue000😀"),
        ("1", "1"),
        ("-7", "-7"),
        ("3000000", "3000000"),
        ("12345678901234567890", "12345678901234567890"),
        ("3e6", "3e6"),
        ("3E+06", "3E+06"),
        ("1.10", "1.10"),
        ("-0.0", "-0.0"),
        ("1e999", "1e999"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("null", None),
        (
            '{"command": ["pass", "show", "kimi"]}',
            Secret(f"{FILE}: providers.kimi.env.A", command=("pass", "show", "kimi")),
        ),
        ('{"command": ["pass"]}', Secret(f"{FILE}: providers.kimi.env.A", command=("pass",))),
        ('{"env": "KIMI_KEY"}', Secret(f"{FILE}: providers.kimi.env.A", variable="KIMI_KEY")),
    ],
)
def test_env_values(raw: str, value: Value) -> None:
    """A variable has the text in the file, or says where its secret is kept."""
    assert with_env(raw).providers["kimi"].env == {"A": value}


@pytest.mark.parametrize(
    "name", ["kimi", "K2", "月之暗面", "glm-4.6", "a_b", "7", "ñ", "x" * 64, "helper", "supervisor"]
)
def test_provider_names(name: str) -> None:
    """Provider names have letters of any script, digits, and `._-` inside."""
    assert list(parse({"providers": {name: {}}}).providers) == [name]


def test_providers_keep_their_order() -> None:
    """Providers keep the order of the file."""
    assert list(parse({"providers": {"z": {}, "a": {}, "m": {}}}).providers) == ["z", "a", "m"]


@pytest.mark.parametrize(
    ("value", "language"),
    [
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("ZH_hans", "zh"),
        ("en", "en"),
        ("en_US", "en"),
        ("en_US.UTF-8", "en"),
        ("", ""),
    ],
)
def test_language_forms(value: str, language: str) -> None:
    """A language may include its country."""
    assert parse({**KIMI, "language": value}).language == language


@pytest.mark.parametrize("limit", [1, 10, 100])
def test_limits(limit: int) -> None:
    """The bounds themselves are accepted."""
    found = parse({**KIMI, "supervisor": {"max_iterations": limit}})
    assert found.supervisor.max_iterations == limit


def test_unknown_keys_are_listed() -> None:
    """Unknown keys are listed, and none is lost among a provider's settings."""
    found = parse(
        {
            "curent_provider": "x",
            "providers": {"kimi": {"anything": 1}},
            "supervisor": {"colour": "red"},
            "$schema": "y",
        }
    )
    assert found.unknown_keys == ("curent_provider", "$schema", "supervisor.colour")
    assert found.providers["kimi"].settings == {"anything": 1}


@pytest.mark.parametrize(
    ("current", "asked", "chosen"),
    [
        ("", "", "kimi"),
        ("glm", "", "glm"),
        ("gone", "", "kimi"),
        ("glm", "kimi", "kimi"),
        ("gone", "glm", "glm"),
    ],
)
def test_choose(current: str, asked: str, chosen: str) -> None:
    """The named provider is used, else the current one if it still exists, else the first."""
    found = parse({"providers": {"kimi": {}, "glm": {}}, "current_provider": current})
    assert found.choose(asked) == chosen


PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.sampled_from(["env", "checks", "command"]), inside, max_size=3)
    ),
    max_leaves=6,
)
LIMITS = st.dictionaries(st.sampled_from(schema.Supervisor.__slots__), PARTS, max_size=3)
FILES: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"providers": st.just({"kimi": {}}) | st.dictionaries(st.text(max_size=3), PARTS) | PARTS},
    optional={
        "settings": PARTS,
        "supervisor": LIMITS | PARTS,
        "projects": st.dictionaries(st.text(max_size=3), PARTS, max_size=2) | PARTS,
        "current_provider": PARTS,
        "claude_args": PARTS,
        "language": PARTS,
    },
)


@given(FILES | PARTS)
def test_any_file_is_a_config_or_an_error_for_people(value: object) -> None:
    """Any file is a configuration or a readable error."""
    text = json.dumps(value)
    error = refused(text)
    if error:
        assert said(error, "en")
    elif (config := parse(text)).providers:
        assert config.choose() in config.providers


@pytest.mark.parametrize(
    ("raw", "notify"),
    [
        *(
            ("", ""),
            ("bell", "bell"),
            (" say done ", "say done"),
            (["say", "done"], ("say", "done")),
        ),
        *(("slack:https://hooks.example/a/b",) * 2, ("ntfy:http://127.0.0.1:8080/topic",) * 2),
        *(("webhook:http://localhost?a=b",) * 2, ("webhook:http://[::1]:80/x",) * 2),
        *(("webhook: https://h",) * 2, ("curl https://h",) * 2),
    ],
)
def test_notify(raw: object, notify: object) -> None:
    """`notify` is a word, a shell command, a command as a list, or a request."""
    found = parse({"providers": {"p": {}}, "supervisor": {"notify": raw}})
    assert found.supervisor.notify == notify


def test_a_check_that_is_given_twice() -> None:
    """A check runs once, however often it is listed."""
    own = {"/p": {"checks": ["make test", "make lint"]}}
    found = parse(
        {"providers": {"p": {}}, "supervisor": {"checks": ["make test"]}, "projects": own}
    )
    commands = [check.command for check in projects.apply(found, "/p").supervisor.checks]
    assert commands == ["make test", "make lint"]


def test_directories_of_projects() -> None:
    """Project directories start at the root or at the home directory."""
    good = {"/p": {"checks": ["make"]}, "~/q": {"checks": []}}
    found = parse({"providers": {"p": {}}, "projects": {**good, "/r": {"odd": 1}}})
    assert list(found.projects) == ["/p", "~/q", "/r"]
    assert found.unknown_keys == ('projects."/r".odd',)
