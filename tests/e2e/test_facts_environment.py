"""Facts of claude: whether process, settings files or login select the provider."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from facts import Hook, claude, only_request, provider, scripted_project, system_text

from harness import KEY, MODEL, Bench, CccProject
from harness.scripted import Rule, agent_turn, answer, every, said_last, tool, tool_result

# an unmanaged claude passes the key to its hooks and shell, which record it in these files
pytestmark = [pytest.mark.real, pytest.mark.key_in("hook.jsonl", "home/.claude/projects/*")]

UNMANAGED = {"CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": None}
FILES = ["settings.json", "project settings", "--settings"]
OAUTH = "sk-ant-oat01-fake"
LOGIN = {
    "claudeAiOauth": {
        "accessToken": OAUTH,
        "refreshToken": "sk-ant-ort01-fake",
        "expiresAt": 4102444800000,
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
    }
}
NO_CREDENTIAL = {"ANTHROPIC_AUTH_TOKEN": None, "ANTHROPIC_MODEL": None}


def settle(project: CccProject, where: str, settings: Mapping[str, object]) -> tuple[str, ...]:
    """Write the settings to the place and return the arguments that they need."""
    text = json.dumps(settings)
    if where == "--settings":
        return ("--settings", text)
    if where == "settings.json":
        project.write(".claude/settings.json", text)
    else:
        (project.directory / ".claude").mkdir()
        (project.directory / ".claude" / "settings.json").write_text(text)
    return ()


def log_in(project: CccProject) -> None:
    """Give the user a subscription login."""
    project.write(".claude/.credentials.json", json.dumps(LOGIN))


@pytest.mark.parametrize("where", FILES)
def test_fact_provider_managed_by_host_beats_every_settings_file(bench: Bench, where: str) -> None:
    """If managed by the host, base URL, token and model of the process win over any file."""
    project = bench()
    foreign = {"env": provider(project, "foreign"), "model": "foreign-setting"}
    claude(project, "-p", "hi", *settle(project, where, foreign)).succeeded()
    request = only_request(project)
    assert (request.path, request.key, request.model) == ("/v1/messages", KEY, MODEL)
    assert "foreign" not in str(request.headers)


@pytest.mark.parametrize("where", FILES)
def test_fact_unmanaged_every_settings_file_beats_the_process(bench: Bench, where: str) -> None:
    """If unmanaged, base URL, token and model of the file win."""
    project = bench()
    settings = settle(project, where, {"env": provider(project, "foreign")})
    claude(project, "-p", "hi", *settings, env=UNMANAGED).succeeded()
    request = only_request(project)
    actual = (request.path, request.key, request.model)
    assert actual == ("/foreign/v1/messages", "foreign-token", "foreign-model")


@pytest.mark.parametrize("setting", ["API key", "apiKeyHelper", "custom headers"])
@pytest.mark.parametrize("managed", [True, False])
def test_fact_managed_keeps_other_credentials_of_settings_json_out(
    bench: Bench, setting: str, managed: bool
) -> None:
    """Credentials in settings.json are sent only if unmanaged."""
    project = bench()
    settings: dict[str, object] = {
        "API key": {"env": {"ANTHROPIC_API_KEY": "foreign-value"}},
        "apiKeyHelper": {"apiKeyHelper": "echo foreign-value"},
        "custom headers": {"env": {"ANTHROPIC_CUSTOM_HEADERS": "x-foreign: foreign-value"}},
    }[setting]
    project.write(".claude/settings.json", json.dumps(settings))
    claude(project, "-p", "hi", env=None if managed else UNMANAGED).succeeded()
    assert ("foreign-value" in str(only_request(project).headers)) is not managed


def test_fact_settings_json_cant_end_the_management(bench: Bench) -> None:
    """settings.json can't unset the variable that lets the host manage the provider."""
    project = bench()
    env = {"CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": "", **provider(project, "foreign")}
    project.write(".claude/settings.json", json.dumps({"env": env}))
    claude(project, "-p", "hi").succeeded()
    assert only_request(project).model == MODEL


def most_tokens(number: int) -> dict[str, dict[str, str]]:
    """Return settings with a variable that isn't a provider's and that a request shows."""
    return {"env": {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(number)}}


def test_fact_other_variables_of_settings_json_beat_the_process(bench: Bench) -> None:
    """settings.json's env sets variables that select no provider, managed or not."""
    project = bench()
    project.write(".claude/settings.json", json.dumps(most_tokens(2222)))
    claude(project, "-p", "hi", env=most_tokens(1111)["env"]).succeeded()
    assert only_request(project).body["max_tokens"] == 2222


def test_fact_other_variables_of_the_settings_flag_beat_all(bench: Bench) -> None:
    """The env of --settings takes precedence for variables that select no provider."""
    project = bench()
    project.write(".claude/settings.json", json.dumps(most_tokens(2222)))
    flag = ("--settings", json.dumps(most_tokens(3333)))
    claude(project, "-p", "hi", *flag, env=most_tokens(1111)["env"]).succeeded()
    assert only_request(project).body["max_tokens"] == 3333


@pytest.mark.parametrize("cleared", [False, True])
def test_fact_extra_body_of_settings_json_is_sent_unless_silenced(
    bench: Bench, cleared: bool
) -> None:
    """Even if managed, CLAUDE_CODE_EXTRA_BODY applies; an empty string in --settings clears it."""
    project = bench()
    extra = {"CLAUDE_CODE_EXTRA_BODY": json.dumps({"foreign": 1})}
    project.write(".claude/settings.json", json.dumps({"env": extra}))
    flag = {"env": {"CLAUDE_CODE_EXTRA_BODY": ""} if cleared else {}}
    claude(project, "-p", "hi", "--settings", json.dumps(flag)).succeeded()
    assert ("foreign" in only_request(project).body) is not cleared


@dataclass(frozen=True)
class Children:
    """The environments of claude's children: the Bash tool and a Stop hook."""

    bash: Mapping[str, str]
    hook: Mapping[str, str]


CREDENTIALS = {
    "ANTHROPIC_AUTH_TOKEN": KEY,
    "ANTHROPIC_CUSTOM_HEADERS": "x-secret: hidden",
    "AWS_BEARER_TOKEN_BEDROCK": "hidden",
}


@pytest.fixture(scope="module", params=["managed", "unmanaged"])
def children(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[bool, Children]:
    """Run an agent that calls `env` in Bash, with a Stop hook that records its environment."""
    root = tmp_path_factory.mktemp("children")
    rules = (
        Rule(
            every(agent_turn(), said_last("^dump")),
            answer(tool("Bash", command="env", description="Dump")),
        ),
        Rule(agent_turn(), answer("done")),
    )
    managed = request.param == "managed"
    with scripted_project(root, *rules) as project:
        hook = Hook(project)
        project.write(".claude/settings.json", json.dumps(hook.settings()))
        env = {**CREDENTIALS, **({} if managed else UNMANAGED)}
        claude(project, "-p", "dump", "--permission-mode", "bypassPermissions", env=env).succeeded()
        assert project.model is not None
        output = project.model.requests[-1].last_tool_result or ""
        pairs = (line.partition("=") for line in output.splitlines())
        (call,) = hook.calls
        return managed, Children({name: value for name, _, value in pairs}, call.env)


def test_fact_managed_takes_credentials_out_of_bash(children: tuple[bool, Children]) -> None:
    """The Bash tool sees the credentials only if unmanaged."""
    managed, environments = children
    for name in CREDENTIALS:
        assert (name in environments.bash) is not managed, name


def test_fact_managed_takes_credentials_out_of_hooks(children: tuple[bool, Children]) -> None:
    """A hook sees the credentials only if unmanaged."""
    managed, environments = children
    for name in CREDENTIALS:
        assert (name in environments.hook) is not managed, name


def test_fact_base_url_and_model_stay_for_the_children(children: tuple[bool, Children]) -> None:
    """Base URL and model reach the Bash tool and the hooks, managed or not."""
    _, environments = children
    for env in (environments.bash, environments.hook):
        assert env["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
        assert env["ANTHROPIC_MODEL"] == MODEL


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"])
def test_fact_managed_takes_each_kind_of_credential_from_the_process(
    bench: Bench, name: str
) -> None:
    """An API key and an OAuth token work if managed, and hooks don't get them."""
    project = bench()
    hook = Hook(project)
    settings = ("--settings", json.dumps(hook.settings()))
    env = {"ANTHROPIC_AUTH_TOKEN": None, name: OAUTH}
    claude(project, "-p", "hi", *settings, env=env).succeeded()
    assert only_request(project).key == OAUTH
    (call,) = hook.calls
    assert name not in call.env


def test_fact_managed_ignores_the_users_login(bench: Bench) -> None:
    """Managed and without a credential, claude is not logged in and sends no request."""
    project = bench()
    log_in(project)
    outcome = claude(project, "-p", "hi", env=NO_CREDENTIAL)
    assert outcome.code == 1, outcome
    assert "Not logged in" in outcome.stdout
    assert project.model.everything == []


def test_fact_unmanaged_login_goes_to_any_base_url(bench: Bench) -> None:
    """If unmanaged, the login's token is sent to any ANTHROPIC_BASE_URL."""
    project = bench()
    log_in(project)
    claude(project, "-p", "hi", env={**NO_CREDENTIAL, **UNMANAGED}).succeeded()
    assert only_request(project).key == OAUTH


@pytest.mark.parametrize("cleared", [False, True])
@pytest.mark.parametrize("name", ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"])
def test_fact_empty_string_in_the_settings_flag_takes_a_credential_away(
    bench: Bench, name: str, cleared: bool
) -> None:
    """A credential of settings.json hides the login until --settings sets it to an empty string."""
    project = bench()
    log_in(project)
    project.write(".claude/settings.json", json.dumps({"env": {name: "foreign"}}))
    flag = json.dumps({"env": {name: ""} if cleared else {}})
    env = {**NO_CREDENTIAL, **UNMANAGED}
    claude(project, "-p", "hi", "--settings", flag, env=env).succeeded()
    assert only_request(project).key == (OAUTH if cleared else "foreign")


@pytest.mark.parametrize("cleared", [False, True])
def test_fact_empty_string_in_the_settings_flag_takes_a_model_away(
    bench: Bench, cleared: bool
) -> None:
    """A model of settings.json applies until --settings clears it; then claude uses its default."""
    project = bench()
    log_in(project)
    project.write(".claude/settings.json", json.dumps({"env": {"ANTHROPIC_MODEL": "foreign"}}))
    flag = json.dumps({"env": {"ANTHROPIC_MODEL": ""} if cleared else {}})
    env = {**NO_CREDENTIAL, **UNMANAGED}
    claude(project, "-p", "hi", "--settings", flag, env=env).succeeded()
    assert only_request(project).model.startswith("claude-" if cleared else "foreign")


@pytest.mark.parametrize("value", [None, "0"])
def test_fact_attribution_header_is_the_first_system_block_unless_0(
    bench: Bench, value: str | None
) -> None:
    """CLAUDE_CODE_ATTRIBUTION_HEADER=0 removes the billing header from the system prompt."""
    project = bench()
    claude(project, "-p", "hi", env={"CLAUDE_CODE_ATTRIBUTION_HEADER": value}).succeeded()
    first = only_request(project).body["system"][0]["text"]
    assert first.startswith("x-anthropic-billing-header:") is (value is None)
    assert ("x-anthropic-billing-header" in system_text(only_request(project))) is (value is None)


def test_fact_settings_json_with_a_bom_is_read(bench: Bench) -> None:
    """A byte order mark before the settings is no error."""
    project = bench()
    project.write(".claude/settings.json", "\ufeff" + json.dumps(most_tokens(2222)))
    outcome = claude(project, "-p", "hi").succeeded()
    assert only_request(project).body["max_tokens"] == 2222
    assert "did not load" not in outcome.stderr


@pytest.mark.parametrize("text", ["", " \n"])
def test_fact_empty_settings_json_is_accepted(bench: Bench, text: str) -> None:
    """An empty settings.json is no error."""
    project = bench()
    project.write(".claude/settings.json", text)
    outcome = claude(project, "-p", "hi").succeeded()
    assert "did not load" not in outcome.stderr
    assert outcome.stdout == "Hello from the script.\n"


def test_fact_settings_json_with_a_comment_is_not_loaded(bench: Bench) -> None:
    """A comment makes claude ignore the whole file and say so on stderr."""
    project = bench()
    project.write(".claude/settings.json", "// mine\n" + json.dumps(most_tokens(2222)))
    outcome = claude(project, "-p", "hi").succeeded()
    assert only_request(project).body["max_tokens"] != 2222
    assert "did not load" in outcome.stderr
    assert "settings.json: Invalid or malformed JSON" in outcome.stderr


# Their endpoints are paths of the scripted model.
CLOUDS = {
    "bedrock": {
        "CLAUDE_CODE_USE_BEDROCK": "1",
        "CLAUDE_CODE_SKIP_BEDROCK_AUTH": "1",
        "ANTHROPIC_BEDROCK_BASE_URL": "URL/bedrock",
        "AWS_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    },
    "vertex": {
        "CLAUDE_CODE_USE_VERTEX": "1",
        "CLAUDE_CODE_SKIP_VERTEX_AUTH": "1",
        "ANTHROPIC_VERTEX_BASE_URL": "URL/vertex",
        "ANTHROPIC_VERTEX_PROJECT_ID": "project",
        "CLOUD_ML_REGION": "us-east5",
    },
}


def choose_cloud(project: CccProject, cloud: str) -> None:
    """Select the cloud in settings.json."""
    env = {name: value.replace("URL", project.model.url) for name, value in CLOUDS[cloud].items()}
    project.write(".claude/settings.json", json.dumps({"env": env}))


@pytest.mark.parametrize("cloud", CLOUDS)
def test_fact_managed_beats_a_cloud_in_settings_json(bench: Bench, cloud: str) -> None:
    """If managed, Bedrock or Vertex in settings.json's env has no effect."""
    project = bench()
    choose_cloud(project, cloud)
    claude(project, "-p", "hi").succeeded()
    assert [r.path for r in project.model.everything] == ["/v1/messages"]
    assert only_request(project).key == KEY


@pytest.mark.parametrize("cloud", CLOUDS)
def test_fact_unmanaged_cloud_in_settings_json_takes_over(bench: Bench, cloud: str) -> None:
    """If unmanaged, the cloud of settings.json gets the requests."""
    project = bench()
    choose_cloud(project, cloud)
    claude(project, "-p", "hi", env={**UNMANAGED, "CLAUDE_CODE_MAX_RETRIES": "0"})
    paths = [r.path for r in project.model.everything]
    assert paths, project.model
    assert all(path.startswith(f"/{cloud}/") for path in paths)


@pytest.mark.parametrize("cloud", CLOUDS)
def test_fact_empty_string_in_the_settings_flag_switches_a_cloud_off(
    bench: Bench, cloud: str
) -> None:
    """If unmanaged, an empty CLAUDE_CODE_USE_… in --settings disables the cloud."""
    project = bench()
    choose_cloud(project, cloud)
    off = json.dumps({"env": {f"CLAUDE_CODE_USE_{cloud.upper()}": ""}})
    claude(project, "-p", "hi", "--settings", off, env=UNMANAGED).succeeded()
    assert [r.path for r in project.model.everything] == ["/v1/messages"]


def test_fact_only_hooks_have_the_project_directory(bench: Bench) -> None:
    """CLAUDE_PROJECT_DIR distinguishes a hook from the agent's shell; both know claude's pid."""
    project = bench(
        Rule(every(agent_turn(), tool_result()), answer("done")),
        Rule(agent_turn(), answer(tool("Bash", command="env > shell.env", description="Look"))),
    )
    hook = Hook(project)
    command = "---\nallowed-tools: Bash(env:*)\n---\n!`env > slash.env`\n\n$ARGUMENTS\n"
    project.write(".claude/commands/look.md", command)
    settings = json.dumps(hook.settings())
    free = ("--permission-mode", "bypassPermissions")
    claude(project, "-p", *free, "--settings", settings, "/look now").succeeded()
    (call,) = hook.calls
    assert "CLAUDE_PROJECT_DIR" in call.env
    for name in ("shell.env", "slash.env"):
        environment = dict(
            line.split("=", 1)
            for line in (project.directory / name).read_text().splitlines()
            if "=" in line
        )
        assert "CLAUDE_PROJECT_DIR" not in environment
        for same in ("CLAUDE_PID", "CLAUDE_CODE_SESSION_ID"):
            assert environment[same] == call.env[same]
