"""ccc.json: what is rejected. An error names file and key, and shows no secret."""

import json
from pathlib import Path

import pytest
from config_texts import EN, FILE, RESERVED, ZH, env_text, parse, refused, said
from hypothesis import given
from hypothesis import strategies as st

from ccc.config import ccc_json
from ccc.config.layer import parse_layer
from ccc.config.schema import REQUESTS
from ccc.errors import CccError
from ccc.storage.paths import Paths

WRONG = [
    ("[]", ".", "config.not_object"),
    ('"x"', ".", "config.not_object"),
    ('{"providers": []}', "providers", "config.not_object"),
    ('{"providers": {"kimi": "x"}}', "providers.kimi", "config.not_object"),
    ('{"providers": {"kimi": {"env": []}}}', "providers.kimi.env", "config.not_object"),
    ('{"settings": 1, "providers": {"kimi": {}}}', "settings", "config.not_object"),
    ('{"settings": {"env": "x"}, "providers": {"kimi": {}}}', "settings.env", "config.not_object"),
    (
        '{"settings": {"env": {"A": []}}, "providers": {"kimi": {}}}',
        "settings.env.A",
        "env.value",
    ),
    ('{"providers": {"kimi": {}}, "current_provider": 1}', "current_provider", "config.not_string"),
    ('{"providers": {"kimi": {}}, "claude_args": "-p"}', "claude_args", "config.not_strings"),
    ('{"providers": {"kimi": {}}, "claude_args": [1]}', "claude_args", "config.not_strings"),
    (
        '{"providers": {"kimi": {}}, "claude_args": ["\\u0000"]}',
        "claude_args",
        "config.not_strings",
    ),
    (
        '{"providers": {"kimi": {}}, "claude_args": ["\\ud83d"]}',
        "claude_args",
        "config.not_strings",
    ),
    ('{"providers": {"kimi": {}}, "supervisor": []}', "supervisor", "config.not_object"),
    ('{"providers": {"kimi": {}}, "language": "fr"}', "language", "config.language"),
    ('{"providers": {"kimi": {}}, "language": "-"}', "language", "config.language"),
    ('{"providers": {"kimi": {}}, "language": null}', "language", "config.not_string"),
    *(
        (
            '{"providers": {"kimi": {}}, "supervisor": {"max_iterations": N}}'.replace("N", limit),
            "supervisor.max_iterations",
            "config.not_whole",
        )
        for limit in ("0", "-1", "101", "5.0", '"5"', "true", "null")
    ),
    *(
        (json.dumps({"providers": {"kimi": {}}, "run": value}), path, reason)
        for value, path, reason in (
            ([], "run", "config.not_object"),
            ({"permissions": "root"}, "run.permissions", "config.not_one_of"),
            ({"permissions": ""}, "run.permissions", "config.not_one_of"),
            ({"permissions": True}, "run.permissions", "config.not_one_of"),
            ({"allow": "Bash"}, "run.allow", "config.not_rules"),
            ({"allow": ["Bash", "npm install"]}, "run.allow[1]", "config.not_rule"),
        )
    ),
    *(
        (
            json.dumps({"providers": {"kimi": {}}, "supervisor": {key: value}}),
            f"supervisor.{key}{inside}",
            reason,
        )
        for key, value, inside, reason in (
            ("timeout_seconds", 9, "", "config.not_number"),
            ("timeout_seconds", 3601, "", "config.not_number"),
            ("timeout_seconds", True, "", "config.not_number"),
            ("max_minutes", -1, "", "config.not_number"),
            ("max_minutes", "5", "", "config.not_number"),
            ("max_cost_usd", None, "", "config.not_number"),
            ("provider", "glm", "", "config.no_provider"),
            ("provider", 1, "", "config.not_string"),
            ("model", ["x"], "", "config.not_string"),
            ("model", "a\0b", "", "config.not_string"),
            ("structured_output", "true", "", "config.not_truth"),
            ("sandbox", "on", "", "config.not_one_of"),
            ("sandbox", True, "", "config.not_one_of"),
            ("strict_signals", "stub", "", "config.not_strings"),
            ("strict_signals", ["stub", "todo"], "[1]", "config.not_one_of"),
            ("checks", "make", "", "config.not_checks"),
            ("checks", ["true", " "], "[1]", "config.not_checks"),
            ("checks", ["a\0b"], "[0]", "config.not_checks"),
            ("checks", [["make", "test"]], "[0]", "config.not_checks"),
            ("checks", [{"command": ""}], "[0]", "config.not_checks"),
            ("checks", [{"command": "a\0b"}], "[0]", "config.not_checks"),
            ("checks", [{"command": "a", "cwd": "/"}], "[0]", "config.not_checks"),
            (
                "checks",
                [{"command": "a", "timeout_seconds": 0}],
                "[0].timeout_seconds",
                "config.not_number",
            ),
        )
    ),
    ('{"providers": {"kimi": {}}, "projects": []}', "projects", "config.not_object"),
    ('{"providers": {"kimi": {}}, "projects": {"/a": 1}}', 'projects."/a"', "config.not_object"),
    (
        '{"providers": {"kimi": {}}, "projects": {"/a": {"provider": "glm"}}}',
        'projects."/a".provider',
        "config.no_provider",
    ),
    (
        '{"providers": {"kimi": {}}, "projects": {"/a": {"provider": 1}}}',
        'projects."/a".provider',
        "config.not_string",
    ),
    (
        '{"providers": {"kimi": {}}, "projects": {"/a": {"checks": [0]}}}',
        'projects."/a".checks[0]',
        "config.not_checks",
    ),
    *(
        (json.dumps({"providers": {name: {}}}), f"providers.{name}", "provider.name")
        for name in ("", "../x", "a/b", "a b", ".x", "-x", "_x", "a\n", "a\0", "x" * 65, "é~", "..")
    ),
    *(
        (json.dumps({"providers": {name: {}}}), f"providers.{name}", "provider.reserved")
        for name in RESERVED
    ),
    *(
        (json.dumps({"providers": {name: {}}}), f"providers.{name}", "provider.suffix")
        for name in ("kimi-supervisor", "KIMI-Supervisor")
    ),
    ('{"providers": {"kimi": {}, "Kimi": {}}}', "providers.Kimi", "provider.twice"),
    ('{"providers": {"straße": {}, "STRASSE": {}}}', "providers.STRASSE", "provider.twice"),
    *(
        (env_text(raw), "providers.kimi.env.A", "env.value")
        for raw in (
            "true",
            "false",
            "[]",
            '["x"]',
            "{}",
            '{"command": "pass show"}',
            '{"command": []}',
            '{"command": [1]}',
            '{"command": ["pass", null]}',
            '{"command": ["a\\u0000b"]}',
            '{"command": ["pass"], "env": "B"}',
            '{"command": ["pass"], "timeout": 1}',
            '{"env": 1}',
            '{"env": ["B"]}',
            '{"other": "B"}',
            '"a\\u0000b"',
            '"\\udfff"',
            '"a\\ud800"',  # half of a surrogate pair, which can't be passed to a process
        )
    ),
    *(
        (
            json.dumps({"providers": {"kimi": {"env": {name: "v"}}}}),
            "providers.kimi.env",
            "env.name",
        )
        for name in ("", "A=B", "A\0", "A,B", "\ud83d")
    ),
]


@pytest.mark.parametrize(("text", "path", "reason"), WRONG)
def test_an_error_names_file_and_key(text: str, path: str, reason: str) -> None:
    """The error has the file, the key's path and a fix, in both languages."""
    with pytest.raises(CccError) as caught:
        parse(text)
    error = caught.value
    assert (error.message, error.params["reason"], error.params["path"]) == (
        "config.wrong",
        reason,
        path,
    )
    assert "\n→ " in EN[error.hint]
    assert "\n→ " in ZH[error.hint]
    assert all(f"{FILE}{colon}{path}{colon}" in said(error, lang) for lang, colon in COLONS)
    assert said(error, "en") != said(error, "zh")


COLONS = (("en", ": "), ("zh", "："))


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"),
    [
        ('{\n  "providers": {},\n}', "json.trailing_comma", 2, 18),
        ('{\n  // mine\n  "providers": {}\n}', "json.comment", 2, 3),
        ("\ufeff{}", "json.bom", 1, 1),
        ('{"providers": {', "json.unfinished", 1, 16),
        ('{"a": NaN}', "json.constant", 1, 7),
        ("{} {}", "json.invalid", 1, 4),
        ("", "json.empty", 1, 1),
        ("[" * 100_000, "json.too_deep", 1, 1),
    ],
)
def test_text_that_is_not_json(text: str, reason: str, line: int, column: int) -> None:
    """The error has file, line, column, reason and a fix, in both languages."""
    with pytest.raises(CccError) as caught:
        parse(text)
    error = caught.value
    assert error.hint == ("config.set_up" if reason == "json.empty" else reason)
    problems = [each[reason].partition("\n→ ")[0] for each in (EN, ZH)]
    assert f"{FILE}, line {line}, column {column}: {problems[0]}" in said(error, "en")
    assert f"{FILE} 第 {line} 行第 {column} 列：{problems[1]}" in said(error, "zh")


@pytest.mark.parametrize(
    "provider",
    ['{"ANTHROPIC_AUTH_TOKEN": "sk-1"}', '{"Env": {"A": "sk-1"}}', '{"MY_KEY": "sk-1"}'],
)
def test_a_variable_outside_of_env_is_refused(provider: str) -> None:
    """A variable outside of `env` is rejected, since a key could end up in a settings file."""
    error = refused(f'{{"providers": {{"kimi": {provider}}}}}')
    assert error
    assert error.params["reason"] == "config.misplaced"
    assert error.params["path"].startswith("providers.kimi.")
    assert error.params["inside"] == "providers.kimi.env"
    assert "sk-1" not in said(error, "en") + said(error, "zh")


def test_a_key_in_place_of_a_variable_is_not_shown() -> None:
    """A key in place of a variable's name is not shown."""
    error = refused('{"providers": {"kimi": {"env": {"A": {"env": "sk-1"}}}}}')
    assert error
    assert "sk-1" not in said(error, "en") + said(error, "zh")


@pytest.mark.parametrize("text", ["", " \n", "\ufeff{}", '{"hooks": null}'])
def test_a_layer_is_read_as_claude_reads_it(text: str) -> None:
    """What claude accepts in a --settings file is no error here either."""
    assert parse_layer(text, FILE).env == {}


def test_a_truth_in_a_layers_env() -> None:
    """claude accepts true and false in `env` of a settings file."""
    assert parse_layer('{"env": {"A": true}}', FILE).env == {"A": "true"}


def test_a_key_in_a_name_is_not_shown() -> None:
    """Only the name of NAME=key is shown."""
    error = refused('{"providers": {"kimi": {"env": {"TOKEN=sk-1": ""}}}}')
    assert error
    assert "'TOKEN'" in said(error, "en")
    assert "sk-1" not in said(error, "en")


@pytest.mark.parametrize("value", [{}, {"providers": {}}])
def test_no_provider_at_all(value: object, tmp_path: Path) -> None:
    """A launch without a provider is an error that says how to set one up."""
    where = Paths({"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path)})
    Path(where.config).write_text(json.dumps(value))
    with pytest.raises(CccError) as caught:
        ccc_json.load(where)
    assert where.config in said(caught.value, "en")
    assert "ccc init" in said(caught.value, "zh")


CANARY = "sk-canary-5f1c"
WILD = st.recursive(
    st.sampled_from([CANARY, f"{CANARY}\0", [CANARY], {"command": CANARY}, True, 1, None])
    | st.just({"command": [CANARY, 1]})
    | st.just({CANARY: CANARY}),
    lambda inside: (
        st.lists(inside, max_size=2)
        | st.dictionaries(st.sampled_from(["command", "env", "x"]), inside, max_size=2)
    ),
    max_leaves=4,
)
ENVS = st.dictionaries(st.sampled_from(["A", "B", "", f"KEY={CANARY}", "A\0"]), WILD, max_size=3)


@given(
    ENVS | WILD,
    ENVS | WILD,
    st.sampled_from(["kimi", "../x", "help"]),
    st.sampled_from(["", ",", " // c"]),
)
def test_no_value_of_env_is_in_an_error(base: object, env: object, name: str, junk: str) -> None:
    """No error about a file shows a value of `env`."""
    text = json.dumps({"settings": {"env": base}, "providers": {name: {"env": env}}})
    error = refused(text[:-1] + junk + "}")
    if error:
        for language in ("en", "zh"):
            assert CANARY not in said(error, language)
        assert CANARY not in repr(error.params)
        assert CANARY not in repr(error)


@pytest.mark.parametrize("raw", [[], [""], [" ", "x"], ["x", 1], "a\0b", 7, None, {"a": "b"}])
def test_no_notify(raw: object) -> None:
    """An invalid `notify` is an error with its location."""
    text = json.dumps({"providers": {"p": {}}, "supervisor": {"notify": raw}})
    test_an_error_names_file_and_key(text, "supervisor.notify", "config.not_notify")


@pytest.mark.parametrize(
    "url",
    [
        *("", "hooks.example/secret", "http://hooks.example/secret", "ftp://hooks.example/secret"),
        *("https://", "https:///secret", "https://h:x/secret", "https://h:99999/secret"),
        *(
            "https://user:secret@h/",
            "https://h/sec ret",
            "https://h\\@x/secret",
            "https://ü/secret",
        ),
        *("http://127.evil.example/secret", "http://127.0.0.1.evil.example/secret"),
        *("http://localhost.evil.example/secret", "http://localhost@evil.example/secret"),
        *("http://127.0.0.1\\.evil.example/secret", "http://[::1].evil.example/secret"),
    ],
)
@pytest.mark.parametrize("kind", REQUESTS)
def test_no_url_to_notify(kind: str, url: str) -> None:
    """A URL that others could read is an error, which doesn't show it."""
    text = json.dumps({"providers": {"p": {}}, "supervisor": {"notify": f"{kind}:{url}"}})
    test_an_error_names_file_and_key(text, "supervisor.notify", "config.notify_url")
    error = refused(text)
    assert error is not None
    assert "secret" not in said(error, "en")


@pytest.mark.parametrize(
    ("path", "settings"),
    [("providers.p.hooks", {"hooks": []}), ("providers.p.hooks.Stop[0]", {"hooks": {"Stop": [1]}})],
)
def test_hooks_of_another_shape(path: str, settings: object) -> None:
    """Hooks of another shape are rejected, because claude would ignore the whole file."""
    text = json.dumps({"providers": {"p": settings}})
    test_an_error_names_file_and_key(text, path, "config.hooks")


def test_a_broken_layer_is_named() -> None:
    """The error names the file with the broken layer."""
    with pytest.raises(CccError) as caught:
        parse_layer("{", "/h/settings.json")
    assert "/h/settings.json" in said(caught.value, "en")


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [("timeout_seconds", 10, 3600), ("max_minutes", 0, 100_000), ("max_cost_usd", 0, 100_000)],
)
def test_between_limits(key: str, least: int, most: int) -> None:
    """The ends of each range are accepted; the error for a value beyond them names both."""
    for value in (least, most):
        found = parse({"providers": {"p": {}}, "supervisor": {key: value}})
        assert getattr(found.supervisor, key) == value
    for value in (least - 1, most + 1):
        error = refused(json.dumps({"providers": {"p": {}}, "supervisor": {key: value}}))
        assert error is not None
        assert (error.params["least"], error.params["most"]) == (least, most)


def test_a_relative_directory_of_a_project() -> None:
    """A relative directory is rejected, because it would depend on the working directory."""
    text = json.dumps({"providers": {"p": {}}, "projects": {"p": {}}})
    test_an_error_names_file_and_key(text, 'projects."p"', "config.directory")
