"""`ccc provider` changes the providers in ccc.json without losing a byte or showing a key."""

import json
import re
import stat

import pytest
from setups import MINE, SECRET, UUID, env_of, refused, run

from harness import CccProject


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A project with a hand-written configuration."""
    stubbed.write(".claude/ccc.json", MINE)
    return stubbed


# --- add -------------------------------------------------------------------------------


def test_the_first_provider(stubbed: CccProject) -> None:
    """`add` creates a private ccc.json from the preset of that name, with the key from stdin."""
    (stubbed.claude_dir / "ccc.json").unlink()
    run(stubbed, "add", "deepseek", "--key-stdin", stdin=f"{SECRET}\nmore\n").succeeded()
    env = env_of(stubbed, "deepseek")
    assert env["ANTHROPIC_AUTH_TOKEN"] == SECRET
    assert env["ANTHROPIC_BASE_URL"] == "https://api.deepseek.com/anthropic"
    assert env["ANTHROPIC_DEFAULT_FABLE_MODEL"] == env["ANTHROPIC_MODEL"]
    mode = (stubbed.claude_dir / "ccc.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    stubbed.run("deepseek").succeeded()
    assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == SECRET


def test_every_other_byte_stays(project: CccProject) -> None:
    """A new provider comes after the others, and nothing else changes."""
    words = ("add", "new", "--base-url", "https://n.example/v1/", "--model", "x")
    run(project, *words, "--key-env", "NEW_KEY", "--env", "API_TIMEOUT_MS=9").succeeded()
    after = project.read(".claude/ccc.json")
    head, tail = MINE.split('"official": {}')
    assert after.startswith(head)
    assert after.endswith(tail)
    env = env_of(project, "new")
    assert env["ANTHROPIC_BASE_URL"] == "https://n.example"
    assert env["ANTHROPIC_AUTH_TOKEN"] == {"env": "NEW_KEY"}
    assert env["API_TIMEOUT_MS"] == "9"
    assert [v for k, v in env.items() if k.endswith("_MODEL")] == ["x"] * 5


def test_a_command_for_the_key(project: CccProject) -> None:
    """The key's command is stored as words, under the preset's credential."""
    words = ("add", "agg", "--preset", "aihubmix", "--key-command", "pass show 'my keys/agg'")
    run(project, *words).succeeded()
    command = {"command": ["pass", "show", "my keys/agg"]}
    assert env_of(project, "agg")["ANTHROPIC_API_KEY"] == command


def test_something_of_the_users_own(project: CccProject) -> None:
    """A preset that needs an account says so, and takes it as an option."""
    words = ("add", "cf", "--preset", "cloudflare", "--key-env", "K")
    told = refused(project, *words, "--set", "account=a1")
    assert "Gateway" in told
    assert "--set gateway=" in told
    run(project, *words, "--set", "account=a1", "--set", "gateway=g1").succeeded()
    assert "/v1/a1/g1/anthropic" in str(env_of(project, "cf")["ANTHROPIC_BASE_URL"])
    assert "--model" in refused(project, "add", "ollama")
    run(project, "add", "ollama", "--model", "qwen3-coder").succeeded()
    env = env_of(project, "ollama")
    assert (env["ANTHROPIC_AUTH_TOKEN"], env["ANTHROPIC_API_KEY"]) == ("ollama", "")
    assert env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] == "qwen3-coder"


def test_a_login_needs_no_key(project: CccProject) -> None:
    """The preset of Anthropic's own API sets nothing."""
    run(project, "add", "anthropic").succeeded()
    assert project.json(".claude/ccc.json")["providers"]["anthropic"] == {}


@pytest.mark.parametrize(
    "words",
    [
        ("add", "x", "--key", SECRET),
        ("add", "--key", SECRET, "x"),
        ("add", "x", f"--key={SECRET}"),
        ("add", "x", "--api-key", SECRET),
        ("add", "x", "--token", SECRET),
        ("add", "kimi2", "--preset", "kimi", "--env", f"ANTHROPIC_AUTH_TOKEN={SECRET}"),
        ("add", "x", "--base-url", "https://h", "--env", f"HARMLESS={SECRET}"),
        ("add", "x", "--base-url", "https://h", "--key-command", f"echo {SECRET}"),
        ("add", "x", "--base-url", "https://h", "--key-env", SECRET),
        ("add", "x", "--base-url", f"https://u:{SECRET}@h", "--key-env", "K"),
        ("add", "x", SECRET),
        ("add", "x", f"--unknown={SECRET}"),
        ("edit", "kimi", "--env", f"ANTHROPIC_API_KEY={SECRET}"),
        ("edit", "kimi", "--key", SECRET),
        (SECRET,),
        ("add", SECRET),
        ("add", "0f3e5a7b9c1d4e6f8a0b.Xy12"),
        ("add", UUID),
        ("add", "x", "--preset", UUID),
        ("add", "d" * 32),
    ],
)
def test_a_key_is_never_an_argument(project: CccProject, words: tuple[str, ...]) -> None:
    """A key as an argument is rejected with the ways to provide one, and is not shown."""
    told = refused(project, *words)
    assert "--key-stdin" in told or "without a user name" in told
    assert "Usage:" not in told
    assert UUID not in told


def test_sk_within_a_word(project: CccProject) -> None:
    """A task, a risk or a desk is not mistaken for a key."""
    words = ("task-gateway", "--base-url", "https://h", "--model", "risk-v2-preview")
    key = ("--key-command", "pass show desk-kimi-production")
    run(project, "add", *words, *key, "--env", "API_DESK=desk-kimi-2026").succeeded()
    env = env_of(project, "task-gateway")
    assert env["ANTHROPIC_MODEL"] == "risk-v2-preview"
    assert env["ANTHROPIC_AUTH_TOKEN"] == {"command": ["pass", "show", "desk-kimi-production"]}
    assert "risk-v2-preview" in run(project, "show", "task-gateway").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add", "kimi", "--key-env", "K"), "ccc provider edit kimi"),
        (("add", "run", "--base-url", "http://h", "--key-env", "K"), "is a ccc command"),
        (("add", "init", "--base-url", "http://h", "--key-env", "K"), "is a ccc command"),
        (("add", "KIMI", "--base-url", "http://h", "--key-env", "K"), "only in case"),
        (("add", "a/b", "--base-url", "http://h", "--key-env", "K"), "letters, digits"),
        (("add", "x-supervisor", "--base-url", "http://h", "--key-env", "K"), "-supervisor"),
        (("add", "kimmi", "--preset", "kimmi"), "Did you mean kimi?"),
        (("add", "x"), "--base-url"),
        (("add", "deepseek"), "needs a key"),
        (("add", "deepseek", "--key-stdin"), "no key on stdin"),
        (("add", "x", "--base-url", "h.example", "--key-env", "K"), "http://"),
        (("add", "x", "--base-url", "http://h", "--env", "nonsense"), "NAME=VALUE"),
        (("add",), "missing: NAME"),
        (("add", "a b"), "a b can't be a provider's name"),
        (("add", "doctor"), "doctor can't be a provider's name: doctor is a ccc command"),
        (("add", "x", "--base-url", "http://h/a b", "--key-env", "K"), "or white space"),
        (("add", "x", "--base-url", "http://h", "--model", "a b"), "can't contain white space"),
        (("edit", "kimi", "--model", "a b"), "can't contain white space"),
        (("edit", "kimi", "--preset", "kimi", "--model", "a b"), "can't contain white space"),
        *(
            (
                ("add", "q", "--preset", "cloudflare", "--set", f"account=a{odd}b"),
                "Account id: invalid value",
            )
            for odd in (" ", "/", "?", "#", "\t", "%2f", "\u200b")
        ),
        (("frobnicate",), "frobnicate"),
        (("lst",), 'unknown command "provider lst". Did you mean "provider list"?'),
        (("add", "gml"), "Did you mean glm?"),
        (("add", "x", "--base-ulr", "http://h"), "Did you mean --base-url?"),
        (("edit", "kimmi", "--model", "x"), "Did you mean kimi?"),
        (("remove", "kimmi", "--yes"), "Did you mean kimi?"),
        (("show", "kimmi"), "Did you mean kimi?"),
        (("use", "kimmi"), "Did you mean kimi?"),
        (("remove", "kimi"), "--yes"),
    ],
)
def test_bad_input(project: CccProject, words: tuple[str, ...], told: str) -> None:
    """Bad input is a clear error, and nothing is changed."""
    assert told in refused(project, *words)


def test_a_key_with_odd_characters(project: CccProject) -> None:
    """A key that no header can hold is rejected."""
    assert "not a valid key" in refused(project, "add", "deepseek", "--key-stdin", stdin="a b\n")
    assert "not a valid key" in refused(project, "add", "deepseek", "--key-stdin", stdin="密钥\n")


def test_a_broken_file_is_left_alone(project: CccProject) -> None:
    """A broken file is reported with its location."""
    project.write(".claude/ccc.json", '{"providers": {,}}')
    assert "line 1" in refused(project, "add", "deepseek", "--key-env", "K")


def test_a_provider_with_the_name_of_a_command(project: CccProject) -> None:
    """A provider in an older configuration with a command's name must be renamed."""
    for name in ("provider", "init", "validate"):
        project.write(".claude/ccc.json", json.dumps({"providers": {name: {}}}))
        for words in (("provider", "list"), ("validate",), ("init", "--yes"), ("kimi",)):
            outcome = project.run(*words)
            assert outcome.code == 1, outcome
            assert f"providers.{name}: {name} is a ccc command" in outcome.stderr
            assert "Rename the provider" in outcome.stderr


# --- edit ------------------------------------------------------------------------------


def test_edit(project: CccProject) -> None:
    """Single variables change; the rest of the file doesn't."""
    run(project, "edit", "glm", "--env", "API_TIMEOUT_MS=7", "--unset", "NOT_THERE").succeeded()
    assert project.read(".claude/ccc.json") == MINE.replace(
        '"API_TIMEOUT_MS": 5', '"API_TIMEOUT_MS": "7"'
    )


def test_edit_the_model(project: CccProject) -> None:
    """A new model is set for every tier."""
    run(project, "edit", "kimi", "--model", "new").succeeded()
    env = env_of(project, "kimi")
    assert [v for k, v in env.items() if k.endswith("_MODEL")] == ["new"] * 5


def test_the_window_of_another_model(project: CccProject) -> None:
    """The preset's context window is removed with its model, and reported; the user's own stays."""
    run(project, "add", "kimi-code", "--key-env", "K").succeeded()
    name = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
    assert env_of(project, "kimi-code")[name] == "262144"
    told = run(project, "edit", "kimi-code", "--model", "k3").succeeded().stderr
    assert "because they are for the preset's own model: CLAUDE_CODE_MAX_CONTEXT_TOKENS, " in told
    assert name in told
    assert not [key for key in env_of(project, "kimi-code") if "CONTEXT" in key or "WINDOW" in key]
    own = ("edit", "kimi-code", "--model", "k4", "--env", f"{name}=99")
    assert name not in run(project, *own).succeeded().stderr
    assert env_of(project, "kimi-code")[name] == "99"
    assert name not in run(project, "edit", "kimi-code", "--model", "k5").succeeded().stderr
    assert env_of(project, "kimi-code")[name] == "99"


def test_a_preset_with_another_model(project: CccProject) -> None:
    """A new provider with another model lacks the preset's context window, too."""
    words = ("add", "kc", "--preset", "kimi-code", "--model", "k3", "--key-env", "K")
    told = run(project, *words, "--env", "CLAUDE_CODE_MAX_CONTEXT_TOKENS=7").succeeded().stderr
    assert "own model: CLAUDE_CODE_AUTO_COMPACT_WINDOW\n" in told
    env = env_of(project, "kc")
    assert "CLAUDE_CODE_AUTO_COMPACT_WINDOW" not in env
    assert env["CLAUDE_CODE_MAX_CONTEXT_TOKENS"] == "7"


def test_edit_the_key(project: CccProject) -> None:
    """A new key replaces the old one; in another variable, it removes the old variable."""
    run(project, "edit", "glm", "--key-stdin", stdin=SECRET).succeeded()
    assert env_of(project, "glm")["ANTHROPIC_AUTH_TOKEN"] == SECRET
    words = ("edit", "glm", "--credential", "ANTHROPIC_API_KEY", "--key-env", "GLM")
    run(project, *words).succeeded()
    env = env_of(project, "glm")
    assert env["ANTHROPIC_API_KEY"] == {"env": "GLM"}
    assert "ANTHROPIC_AUTH_TOKEN" not in env


def test_edit_after_a_preset(project: CccProject) -> None:
    """A preset with another key variable removes the old key only if there is a new one."""
    run(project, "edit", "glm", "--credential", "ANTHROPIC_API_KEY", "--key-stdin", stdin=SECRET)
    before = project.read(".claude/ccc.json")
    outcome = run(project, "edit", "glm", "--preset", "openrouter")
    assert outcome.code == 1
    assert "the key is no longer in ANTHROPIC_API_KEY: pass it again" in outcome.stderr
    assert project.read(".claude/ccc.json") == before
    words = ("edit", "glm", "--preset", "openrouter", "--key-stdin")
    run(project, *words, stdin="sk-another-key-123").succeeded()
    env = env_of(project, "glm")
    assert (env["ANTHROPIC_AUTH_TOKEN"], env["ANTHROPIC_API_KEY"]) == ("sk-another-key-123", "")


def test_a_key_makes_the_file_private(project: CccProject) -> None:
    """Writing to a ccc.json that everybody could read makes it private."""
    file = project.claude_dir / "ccc.json"
    file.chmod(0o644)
    run(project, "edit", "glm", "--key-stdin", stdin=SECRET).succeeded()
    assert file.stat().st_mode & 0o777 == 0o600


def test_edit_nothing(project: CccProject) -> None:
    """Without anything to change, the file stays unchanged."""
    outcome = run(project, "edit", "kimi").succeeded()
    assert "Nothing was changed" in outcome.stderr
    assert project.read(".claude/ccc.json") == MINE


# --- use, remove -----------------------------------------------------------------------


def test_use(project: CccProject) -> None:
    """The next `ccc` uses the chosen provider."""
    run(project, "use", "official").succeeded()
    assert project.json(".claude/ccc.json")["current_provider"] == "official"
    assert '"strange": [ 1 ]' in project.read(".claude/ccc.json")


def test_a_provider_of_a_directory(project: CccProject) -> None:
    """`use NAME --here` binds this directory and leaves the current provider alone."""
    run(project, "use", "official").succeeded()
    told = run(project, "use", "glm", "--here").succeeded().stderr
    assert "ccc provider use --none --here" in told
    found = project.json(".claude/ccc.json")
    assert found["projects"] == {str(project.directory): {"provider": "glm"}}
    assert found["current_provider"] == "official"
    listed = run(project, "list").succeeded().stdout
    assert re.search(r"^ *\* *glm ", listed, re.MULTILINE), listed
    assert f'projects."{project.directory}".provider' in " ".join(listed.split())
    assert "In this directory ccc uses glm" in run(project, "use", "kimi").succeeded().stderr
    assert (
        "no longer has its own provider"
        in run(project, "use", "--none", "--here").succeeded().stderr
    )
    assert "projects" not in project.json(".claude/ccc.json")
    assert "Nothing was changed" in run(project, "use", "--none", "--here").succeeded().stderr


@pytest.mark.parametrize("words", [(), ("--none",), ("--here",), ("kimi", "--none", "--here")])
def test_a_use_that_says_nothing(project: CccProject, words: tuple[str, ...]) -> None:
    """`use` with missing or contradictory arguments is an error with the usage."""
    assert "NAME --here" in refused(project, "use", *words)


def test_removing_a_provider_of_a_directory(project: CccProject) -> None:
    """Removing a provider removes its binding but not the directory's other settings."""
    run(project, "use", "glm", "--here").succeeded()
    content = project.json(".claude/ccc.json")
    content["projects"]["/elsewhere"] = {"provider": "glm", "checks": ["true"]}
    project.write(".claude/ccc.json", json.dumps(content))
    told = run(project, "remove", "glm", "--yes").succeeded().stderr
    assert f"{project.directory} no longer has its own provider" in told
    assert project.json(".claude/ccc.json")["projects"] == {"/elsewhere": {"checks": ["true"]}}


def test_remove(project: CccProject) -> None:
    """Removing a provider removes ccc's files for it, but not a user's file with such a name."""
    for name in ("kimi", "official"):
        project.run(name).succeeded()
    yours = project.write(".claude/settings-glm.json", "{}\n")
    outcome = run(project, "remove", "official", "--yes").succeeded()
    assert "now it is kimi" in outcome.stderr
    left = {path.name for path in project.claude_dir.glob("settings-*")}
    assert left == {"settings-kimi.json", "settings-kimi-supervisor.json", "settings-glm.json"}
    config = project.json(".claude/ccc.json")
    assert list(config["providers"]) == ["kimi", "glm"]
    assert "current_provider" not in config
    assert "settings-official" not in project.read(".claude/ccc/ledger.json")
    run(project, "remove", "glm", "--yes").succeeded()
    assert yours.exists()
    outcome = run(project, "remove", "kimi", "--yes").succeeded()
    assert "ccc init" in outcome.stderr
    assert run(project, "list").succeeded().stdout == ""


def test_the_judge_can_not_be_removed(project: CccProject) -> None:
    """A provider that reviews for others can't be removed, and the error names its uses."""
    config = {"providers": {"a": {}, "b": {}}, "supervisor": {"provider": "b"}}
    project.write(".claude/ccc.json", json.dumps(config))
    assert "supervisor.provider" in refused(project, "remove", "b", "--yes")
