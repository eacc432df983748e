"""Which variables belong to a provider, and how claude's environment is built."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import environment
from ccc.claude.formats.environment import for_claude

USER = {"PATH": "/bin", "HOME": "/home/u", "TERM": "xterm", "EDITOR": "vi"}
KIMI = {
    "ANTHROPIC_BASE_URL": "https://api.moonshot.cn/anthropic",
    "ANTHROPIC_AUTH_TOKEN": "sk-kimi",
    "ANTHROPIC_MODEL": "kimi-k2",
    "KIMI_ONLY": "1",
}
GLM = {
    "ANTHROPIC_BASE_URL": "https://open.bigmodel.cn/api/anthropic",
    "ANTHROPIC_API_KEY": "sk-glm",
    "API_TIMEOUT_MS": "3000000",
}


@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_MODEL",
        "ANTHROPIC_SMALL_FAST_MODEL",
        "ANTHROPIC_DEFAULT_OPUS_MODEL",
        "ANTHROPIC_CUSTOM_HEADERS",
        "ANTHROPIC_BEDROCK_BASE_URL",
        "ANTHROPIC_SOMETHING_NEW",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_VERTEX",
        "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_USE_SOME_NEW_CLOUD",
        "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
        "CLAUDE_CODE_SKIP_VERTEX_AUTH",
        "CLAUDE_CODE_SUBAGENT_MODEL",
        "CLAUDE_CODE_SUBAGENT_MODEL_FORCE",
        "CLAUDE_CODE_WORKFLOW_SUBAGENT_MODEL",
        "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
        "CLAUDE_CODE_EXTRA_BODY",
        "CLAUDE_CODE_API_BASE_URL",
        "CLAUDE_CODE_HOST_SOMETHING",
        "CLAUDE_CODE_3P_SOMETHING",
        "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL",
        "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST",
        "VERTEX_REGION_CLAUDE_3_5_HAIKU",
        "CLOUD_ML_REGION",
        "AWS_BEARER_TOKEN_BEDROCK",
    ],
)
def test_a_providers(name: str) -> None:
    """Variables that select an endpoint, a model or a credential belong to a provider."""
    assert environment.is_providers(name)


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "AWS_PROFILE",
        "AWS_REGION",
        "HTTPS_PROXY",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
        "CLAUDE_CODE_SKIP_PROMPT_HISTORY",
        "CLAUDE_CODE_USE_POWERSHELL_TOOL",
        "CLAUDE_CODE_USE_NATIVE_FILE_SEARCH",
        "CLAUDE_CODE_USE_COWORK_PLUGINS",
        "CLAUDE_CODE_USE_CCR_V2",
        "GITHUB_AUTH",
        "CLAUDE_CODE_ATTRIBUTION_HEADER",
        "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
        "CCC_SUPERVISOR_ID",
        "MY_ANTHROPIC_KEY",
        "anthropic_api_key",
        "",
    ],
)
def test_not_a_providers(name: str) -> None:
    """The user's own variables don't belong to a provider."""
    assert not environment.is_providers(name)


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, True),
        ({"ANTHROPIC_API_KEY": "x"}, True),
        ({"ANTHROPIC_BASE_URL": ""}, True),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}, True),
        ({"ANTHROPIC_BASE_URL": "https://API.Anthropic.com/v1"}, True),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com:443/v1?a=b"}, True),
        ({"ANTHROPIC_BASE_URL": "https://user:pw@api.anthropic.com/"}, True),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com@evil.io/"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil-anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evilanthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://anthropic.com.evil.io"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil.io/api.anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil.io?x=.anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil.io#.anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil.io/https://api.anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil.io\\.anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080"}, False),
        ({"ANTHROPIC_BASE_URL": "http://[::1]:8080"}, False),
        ({"ANTHROPIC_BASE_URL": "https://api.moonshot.cn/anthropic"}, False),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, False),
        ({"CLAUDE_CODE_USE_VERTEX": "True"}, False),
        ({"CLAUDE_CODE_USE_VERTEX": " yes "}, False),
        ({"CLAUDE_CODE_USE_FOUNDRY": "on"}, False),
        ({"CLAUDE_CODE_USE_FOUNDRY": "off"}, True),
        ({"CLAUDE_CODE_USE_BEDROCK": ""}, True),
        ({"CLAUDE_CODE_USE_BEDROCK": "0"}, True),
        ({"CLAUDE_CODE_USE_POWERSHELL_TOOL": "1"}, True),
        (
            {"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_BASE_URL": "https://api.anthropic.com"},
            False,
        ),
    ],
)
def test_is_anthropic(env: dict[str, str], expected: bool) -> None:
    """Only Anthropic's own hosts are Anthropic, whatever the address looks like."""
    assert environment.is_anthropic(env) is expected


@pytest.mark.parametrize(
    ("provider", "managed"),
    [
        ({}, False),
        ({"ANTHROPIC_MODEL": "opus"}, False),
        ({"ANTHROPIC_BASE_URL": "", "ANTHROPIC_API_KEY": ""}, False),
        ({"ANTHROPIC_BASE_URL": "https://x"}, True),
        ({"ANTHROPIC_AUTH_TOKEN": "x"}, True),
        ({"ANTHROPIC_API_KEY": "x"}, True),
        ({"CLAUDE_CODE_OAUTH_TOKEN": "x"}, True),
        ({"CLAUDE_CODE_USE_VERTEX": "1"}, True),
        ({"CLAUDE_CODE_USE_VERTEX": "0"}, False),
        ({"CLAUDE_CODE_USE_NATIVE_FILE_SEARCH": "1"}, False),
    ],
)
def test_managed_only_where_the_provider_brings_its_own(
    provider: dict[str, str], managed: bool
) -> None:
    """The user's login is disabled only by an endpoint or credential of the provider."""
    users = {**USER, environment.MANAGED: "1"}
    env = for_claude(users, provider, 10, "id")
    assert (env.get(environment.MANAGED) == "1") is managed
    assert (environment.MANAGED in env) is managed


@pytest.mark.parametrize(
    ("users", "provider", "value"),
    [
        ({}, {"ANTHROPIC_BASE_URL": "https://x"}, "1"),
        ({}, {}, None),
        ({environment.NO_AGENT_VIEW: "0"}, {"ANTHROPIC_BASE_URL": "https://x"}, "0"),
        ({}, {"ANTHROPIC_BASE_URL": "https://x", environment.NO_AGENT_VIEW: ""}, ""),
    ],
)
def test_no_agent_view(users: dict[str, str], provider: dict[str, str], value: str | None) -> None:
    """A provider with its own access has no agent view, unless the user wants one."""
    assert for_claude({**USER, **users}, provider, 10, "id").get(environment.NO_AGENT_VIEW) == value


def test_foreign_variables_are_gone() -> None:
    """Another provider's variables in the user's shell don't reach claude; the rest do."""
    foreign = {"ANTHROPIC_API_KEY": "sk-shell", "CLAUDE_CODE_USE_BEDROCK": "1"}
    env = for_claude({**USER, **foreign}, KIMI, 10, "id")
    assert not foreign.keys() & env.keys()
    assert USER.items() <= env.items()
    assert KIMI.items() <= env.items()
    assert env["CCC_SUPERVISOR_ID"] == "id"


def test_the_names_that_claude_reads() -> None:
    """claude and later launches know these variables by exactly these names."""
    assert for_claude({}, KIMI, 7, "id") == {
        **KIMI,
        "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": "1",
        "CLAUDE_CODE_DISABLE_AGENT_VIEW": "1",
        "CLAUDE_CODE_AUTO_MODE_MODEL": "kimi-k2",
        "CLAUDE_CODE_ATTRIBUTION_HEADER": "0",
        "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "7",
        "CCC_SUPERVISOR_ID": "id",
        "CCC_PROVIDER_ENV": "ANTHROPIC_AUTH_TOKEN,ANTHROPIC_BASE_URL,ANTHROPIC_MODEL,"
        "CLAUDE_CODE_ATTRIBUTION_HEADER,CLAUDE_CODE_AUTO_MODE_MODEL,"
        "CLAUDE_CODE_DISABLE_AGENT_VIEW,"
        "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST,"
        "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP,KIMI_ONLY",
    }


def test_the_inputs_are_left_alone() -> None:
    """The caller's mappings are not changed."""
    users, provider = dict(USER), dict(KIMI)
    for_claude(users, provider, 10, "id")
    assert (users, provider) == (USER, KIMI)


def test_what_an_earlier_launch_added_is_gone() -> None:
    """The marker of an earlier launch names the variables to remove, even unknown ones."""
    users = {**USER, "ODD": "old", "KEPT": "mine", environment.ADDED: "ODD,EDITOR"}
    env = for_claude(users, GLM, 10, "id")
    assert "ODD" not in env
    assert "EDITOR" not in env
    assert env["KEPT"] == "mine"


def test_the_marker_has_names_and_no_values() -> None:
    """The marker lists exactly the added names, never their values."""
    env = for_claude(USER, KIMI, 10, "id")
    marker = env[environment.ADDED]
    assert set(marker.split(",")) == {
        *KIMI,
        environment.MANAGED,
        environment.NO_AGENT_VIEW,
        "CLAUDE_CODE_AUTO_MODE_MODEL",
        environment.ATTRIBUTION,
        environment.BLOCK_CAP,
    }
    assert "sk-kimi" not in marker
    assert "moonshot" not in marker


@pytest.mark.parametrize(
    ("users", "provider", "expected"),
    [
        ({}, KIMI, "0"),
        ({}, {"CLAUDE_CODE_USE_BEDROCK": "1"}, "0"),
        ({}, {}, None),
        ({}, {"ANTHROPIC_API_KEY": "x"}, None),
        ({}, {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}, None),
        ({environment.ATTRIBUTION: "1"}, KIMI, "1"),
        ({environment.ATTRIBUTION: ""}, KIMI, ""),
        ({}, {**KIMI, environment.ATTRIBUTION: "1"}, "1"),
        ({environment.ATTRIBUTION: "1"}, {**KIMI, environment.ATTRIBUTION: "0"}, "0"),
    ],
)
def test_attribution(users: dict[str, str], provider: dict[str, str], expected: str | None) -> None:
    """The header is disabled for providers other than Anthropic, unless the user set it."""
    env = for_claude({**USER, **users}, provider, 10, "id")
    assert env.get(environment.ATTRIBUTION) == expected


@pytest.mark.parametrize(
    ("limit", "users", "provider", "cap"),
    [
        (10, None, None, "10"),
        (10, "8", None, "10"),
        (10, "50", None, "50"),
        (10, None, "30", "30"),
        (10, "50", "30", "50"),
        (100, "50", "30", "100"),
        (10, "999999999", None, "999999999"),
        (10, "", "many", "10"),
        (10, "-99", "1e9", "10"),
        (10, "٩٩", "9" * 5000, "10"),
    ],
)
def test_claudes_own_cap(limit: int, users: str | None, provider: str | None, cap: str) -> None:
    """claude's cap is never below ccc's limit, nor below what the user asked for."""
    theirs = {} if users is None else {environment.BLOCK_CAP: users}
    its = {} if provider is None else {environment.BLOCK_CAP: provider}
    assert for_claude(theirs, its, limit, "id")[environment.BLOCK_CAP] == cap


# --- switching -------------------------------------------------------------------------


def test_switching_leaves_nothing_behind() -> None:
    """From kimi to glm to Anthropic inside each other, nothing of the earlier ones remains."""
    in_kimi = for_claude(USER, KIMI, 10, "id")
    in_glm = for_claude(in_kimi, GLM, 10, "id")
    in_anthropic = for_claude(in_glm, {}, 10, "id")
    assert in_glm == for_claude(USER, GLM, 10, "id")
    assert in_anthropic == {
        **USER,
        environment.BLOCK_CAP: "10",
        environment.ADDED: environment.BLOCK_CAP,
        environment.SESSION: "id",
    }


NAMES = st.sampled_from(
    [
        *KIMI,
        *GLM,
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_SUBAGENT_MODEL",
        "CLAUDE_CODE_ATTRIBUTION_HEADER",
        "CCC_SUPERVISOR_ID",
        "CCC_PROVIDER_ENV",
        "HTTPS_PROXY",
        "odd name.1",
    ]
) | st.text(st.characters(exclude_characters="=,\0", codec="utf-8"), min_size=1, max_size=4)


def values(whose: str) -> st.SearchStrategy[str]:
    """Return texts that show which provider they belong to."""
    return st.sampled_from([f"https://{whose}.example", f"{whose}-key"])


@given(
    st.dictionaries(NAMES, values("user"), max_size=5),
    st.dictionaries(NAMES, values("first"), max_size=5),
    st.dictionaries(NAMES, values("second"), max_size=5),
)
def test_nothing_of_the_first_provider_reaches_the_second(
    users: dict[str, str], first: dict[str, str], second: dict[str, str]
) -> None:
    """What only the first provider set, name or value, is not in the second's launch."""
    inside = for_claude(users, first, 10, "id")
    env = for_claude(inside, second, 10, "id")
    only_first = first.keys() - users.keys() - second.keys()
    ours = {environment.ADDED, environment.SESSION, environment.BLOCK_CAP, environment.ATTRIBUTION}
    assert not (only_first - ours) & env.keys()
    assert not [value for value in env.values() if "first" in value]
    untouched = {k: v for k, v in users.items() if k not in first and k not in second}
    kept = {k: v for k, v in untouched.items() if not environment.is_providers(k)}
    assert {k: v for k, v in kept.items() if k not in ours}.items() <= env.items()
    assert second.items() - env.items() <= {(k, v) for k, v in second.items() if k in ours}


# --- the reviewer ----------------------------------------------------------------------


def test_the_reviewer_is_no_part_of_the_session() -> None:
    """The reviewer has its provider, and nothing that would make it part of the session."""
    of_the_session = {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_SESSION_ID": "s",
        "CLAUDE_CODE_MESSAGING_TOKEN": "t",
        "CLAUDE_PROJECT_DIR": "/p",
    }
    inside = {**for_claude(USER, KIMI, 10, "id"), **of_the_session}
    env = environment.for_reviewer(inside, GLM)
    assert not {"CCC_SUPERVISOR_ID", "CCC_PROVIDER_ENV", *of_the_session} & env.keys()
    assert {**USER, **GLM}.items() <= env.items()
    assert not (KIMI.keys() - GLM.keys()) & env.keys()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, {}),
        ({"env": None}, {}),
        ({"env": {"A": "1"}}, {}),
        ({"env": {environment.BLOCK_CAP: "10"}}, {}),
        ({"env": {environment.BLOCK_CAP: 50}}, {}),
        ({"env": {environment.BLOCK_CAP: "9"}}, {environment.BLOCK_CAP: "10"}),
        ({"env": {environment.BLOCK_CAP: "few"}}, {environment.BLOCK_CAP: "10"}),
    ],
)
def test_the_users_settings_do_not_lower_our_cap(
    settings: dict[str, object], expected: dict[str, str]
) -> None:
    """A lower cap in the user's settings.json is overridden; a higher one stays."""
    assert environment.block_cap(settings, 10) == expected


# --- what may be in a file --------------------------------------------------------------


def test_the_users_own_provider_variables_are_silenced() -> None:
    """Provider variables in the user's settings.json are emptied unless this provider sets them."""
    users: dict[str, object] = {
        "ANTHROPIC_MODEL": "opus",
        "ANTHROPIC_API_KEY": "sk-user",
        "EDITOR": "vi",
    }
    own = {"ANTHROPIC_MODEL": "k2", "ANTHROPIC_BASE_URL": "https://x", "ANTHROPIC_BETAS": "b"}
    assert environment.blanks(own, users) == {
        "ANTHROPIC_API_KEY": "",
        "CLAUDE_CODE_EXTRA_BODY": "",
    }


def test_a_login_is_guarded_against_every_file() -> None:
    """Without host management, no file can add anything that selects a provider."""
    silenced = environment.blanks({"ANTHROPIC_MODEL": "opus"}, {})
    assert {"ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"} <= set(silenced)
    assert "ANTHROPIC_MODEL" not in silenced
    assert set(silenced.values()) == {""}


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/bin:/usr/bin", "/bin:/usr/bin"),
        (":/bin:.:bin:./x:~/bin:../y::/usr/bin:", "/bin:/usr/bin"),
        ("", ""),
    ],
)
def test_a_path_that_the_project_has_no_part_in(path: str, kept: str) -> None:
    """Only absolute entries remain; without a PATH there is none."""
    assert environment.with_absolute_path({"PATH": path, "A": "b"}) == {"PATH": kept, "A": "b"}
    assert environment.with_absolute_path({"A": "b"}) == {"A": "b"}


def test_a_notification_gets_no_key() -> None:
    """It gets nothing of a provider, a launch or the session, and none of the named keys."""
    users = {
        "HOME": "/h",
        "MY_KEY": "secret",
        "ANTHROPIC_API_KEY": "secret",
        "X_ADDED": "secret",
        environment.ADDED: "X_ADDED,Y",
        environment.SESSION: "s",
        "CLAUDECODE": "1",
    }
    assert environment.for_notification(users, {"MY_KEY"}) == {"HOME": "/h"}
    assert environment.for_notification({"HOME": "/h", "XXXX": "1"}, ()) == {
        "HOME": "/h",
        "XXXX": "1",
    }


def test_an_agent_without_a_person() -> None:
    """It has no supervised session's id, so the hook is silent there, and the cap is ccc's."""
    env = environment.for_agent({"HOME": "/h", "CLAUDECODE": "1"}, {"FOO": "1"}, 7)
    assert environment.SESSION not in env
    assert "CLAUDECODE" not in env
    assert (env["HOME"], env["FOO"], env[environment.BLOCK_CAP]) == ("/h", "1", "7")


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({}, {}),
        ({"env": None}, {}),
        ({"env": {"ANTHROPIC_MODEL": "m"}}, {}),
        (
            {"env": {"ANTHROPIC_BASE_URL": "u", "ANTHROPIC_MODEL": "m", "PATH": "x"}},
            {"ANTHROPIC_BASE_URL": "u", "ANTHROPIC_MODEL": "m"},
        ),
        (
            {"env": {"ANTHROPIC_API_KEY": 7, "ANTHROPIC_MODEL": ["m"]}},
            {"ANTHROPIC_API_KEY": "7"},
        ),
    ],
)
def test_the_provider_in_settings(settings: dict[str, object], found: dict[str, str]) -> None:
    """It returns what a settings file selects, if that is an endpoint or a key at all."""
    assert environment.in_settings(settings) == found


@pytest.mark.parametrize(("cap", "wins"), [("999999999", "999999999"), ("1000000000", "10")])
def test_a_cap_beyond_reason(cap: str, wins: str) -> None:
    """Nine digits are accepted as a number; more are not."""
    env = environment.for_claude({environment.BLOCK_CAP: cap}, {}, 10, "s")
    assert env[environment.BLOCK_CAP] == wins


def test_a_reviewers_cap_is_not_ours() -> None:
    """It has no hook that could block, so its cap is not raised."""
    assert environment.for_reviewer({}, {})[environment.BLOCK_CAP] == "0"
