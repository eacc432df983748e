"""`ccc provider`: the providers in ccc.json, changed without losing a byte or showing a key."""

import json
import re
import stat

import genai_prices
import pytest

from harness import KEY, CccProject, Outcome, check_golden

SECRET = "sk-canary-0123456789"
UUID = "0c1b2a39-48d7-4e6f-8a5b-4c3d2e1f0a9b"
MINE = """{
   "note": "mine",
   "providers": {
      "kimi": {"env": {"ANTHROPIC_BASE_URL": "https://k.example/a", "ANTHROPIC_MODEL": "m"}},
      "glm":  {"env": {"ANTHROPIC_AUTH_TOKEN": {"command": ["pass", "show", "glm"]},
                       "ANTHROPIC_BASE_URL": "https://g.example", "API_TIMEOUT_MS": 5}},
      "official": {}
   }, "language": "en", "strange": [ 1 ]
}
"""


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A project with a configuration that a person has written."""
    stubbed.write(".claude/ccc.json", MINE)
    return stubbed


def run(project: CccProject, *words: str, stdin: str = "", **env: str) -> Outcome:
    """`ccc provider …`; a key is nowhere in what it prints."""
    outcome = project.run("provider", *words, stdin=stdin, env=env)
    assert SECRET not in outcome.stdout + outcome.stderr
    assert KEY not in outcome.stdout + outcome.stderr
    return outcome


def env_of(project: CccProject, name: str) -> dict[str, object]:
    """The variables of a provider in ccc.json."""
    found: dict[str, object] = project.json(".claude/ccc.json")["providers"][name]["env"]
    return found


def refused(project: CccProject, *words: str, stdin: str = "") -> str:
    """What an error says; nothing was changed by it."""
    path = project.claude_dir / "ccc.json"
    before = path.read_text() if path.exists() else None
    outcome = run(project, *words, stdin=stdin)
    assert outcome.code == 1, outcome
    assert (path.read_text() if path.exists() else None) == before
    return outcome.stderr


# --- add -------------------------------------------------------------------------------


def test_the_first_provider(stubbed: CccProject) -> None:
    """`add` begins ccc.json, private, after the preset of that name, with the key from stdin."""
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
    """A new provider stands behind the others, and nothing else is different."""
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
    """It is kept as words, and the preset's credential takes it."""
    words = ("add", "agg", "--preset", "aihubmix", "--key-command", "pass show 'my keys/agg'")
    run(project, *words).succeeded()
    command = {"command": ["pass", "show", "my keys/agg"]}
    assert env_of(project, "agg")["ANTHROPIC_API_KEY"] == command


def test_something_of_the_users_own(project: CccProject) -> None:
    """A preset that needs an account says so, and takes it by option."""
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
    """It is refused, with the ways to give one, and not shown."""
    told = refused(project, *words)
    assert "--key-stdin" in told or "without a user name" in told
    assert "Usage:" not in told
    assert UUID not in told


def test_sk_within_a_word(project: CccProject) -> None:
    """A task, a risk or a desk is no key."""
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
        (("add", "gml"), 'unknown preset "gml". Did you mean "glm"?'),
        (("add", "x", "--base-ulr", "http://h"), "Did you mean --base-url?"),
        (("edit", "kimmi", "--model", "x"), "Did you mean kimi?"),
        (("remove", "kimmi", "--yes"), "Did you mean kimi?"),
        (("show", "kimmi"), "Did you mean kimi?"),
        (("use", "kimmi"), "Did you mean kimi?"),
        (("remove", "kimi"), "--yes"),
    ],
)
def test_bad_input(project: CccProject, words: tuple[str, ...], told: str) -> None:
    """A clear error, and nothing is changed."""
    assert told in refused(project, *words)


def test_a_key_with_odd_characters(project: CccProject) -> None:
    """What no header can hold is refused."""
    assert "not a valid key" in refused(project, "add", "deepseek", "--key-stdin", stdin="a b\n")
    assert "not a valid key" in refused(project, "add", "deepseek", "--key-stdin", stdin="密钥\n")


def test_a_broken_file_is_left_alone(project: CccProject) -> None:
    """It is told where the mistake is."""
    project.write(".claude/ccc.json", '{"providers": {,}}')
    assert "line 1" in refused(project, "add", "deepseek", "--key-env", "K")


def test_a_provider_with_the_name_of_a_command(project: CccProject) -> None:
    """An older configuration may have one: the error says to rename it."""
    for name in ("provider", "init", "validate"):
        project.write(".claude/ccc.json", json.dumps({"providers": {name: {}}}))
        for words in (("provider", "list"), ("validate",), ("init", "--yes"), ("kimi",)):
            outcome = project.run(*words)
            assert outcome.code == 1, outcome
            assert f"providers.{name}: {name} is a ccc command" in outcome.stderr
            assert "Rename the provider" in outcome.stderr


# --- edit ------------------------------------------------------------------------------


def test_edit(project: CccProject) -> None:
    """Single variables change; the rest of the file does not."""
    run(project, "edit", "glm", "--env", "API_TIMEOUT_MS=7", "--unset", "NOT_THERE").succeeded()
    assert project.read(".claude/ccc.json") == MINE.replace(
        '"API_TIMEOUT_MS": 5', '"API_TIMEOUT_MS": "7"'
    )


def test_edit_the_model(project: CccProject) -> None:
    """Every tier gets it."""
    run(project, "edit", "kimi", "--model", "new").succeeded()
    env = env_of(project, "kimi")
    assert [v for k, v in env.items() if k.endswith("_MODEL")] == ["new"] * 5


def test_the_window_of_another_model(project: CccProject) -> None:
    """The preset's context window goes with its model, and that is said; one's own stays."""
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
    """The same for a new provider."""
    words = ("add", "kc", "--preset", "kimi-code", "--model", "k3", "--key-env", "K")
    told = run(project, *words, "--env", "CLAUDE_CODE_MAX_CONTEXT_TOKENS=7").succeeded().stderr
    assert "own model: CLAUDE_CODE_AUTO_COMPACT_WINDOW\n" in told
    env = env_of(project, "kc")
    assert "CLAUDE_CODE_AUTO_COMPACT_WINDOW" not in env
    assert env["CLAUDE_CODE_MAX_CONTEXT_TOKENS"] == "7"


def test_edit_the_key(project: CccProject) -> None:
    """The new one takes the place of the old one; another variable takes the old one away."""
    run(project, "edit", "glm", "--key-stdin", stdin=SECRET).succeeded()
    assert env_of(project, "glm")["ANTHROPIC_AUTH_TOKEN"] == SECRET
    words = ("edit", "glm", "--credential", "ANTHROPIC_API_KEY", "--key-env", "GLM")
    run(project, *words).succeeded()
    env = env_of(project, "glm")
    assert env["ANTHROPIC_API_KEY"] == {"env": "GLM"}
    assert "ANTHROPIC_AUTH_TOKEN" not in env


def test_edit_after_a_preset(project: CccProject) -> None:
    """A preset that has its key elsewhere takes the old one away only for a new one."""
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
    """A ccc.json that everybody could read is the owner's alone once ccc has written to it."""
    file = project.claude_dir / "ccc.json"
    file.chmod(0o644)
    run(project, "edit", "glm", "--key-stdin", stdin=SECRET).succeeded()
    assert file.stat().st_mode & 0o777 == 0o600


def test_edit_nothing(project: CccProject) -> None:
    """Without anything to change the file stays as it is."""
    outcome = run(project, "edit", "kimi").succeeded()
    assert "Nothing was changed" in outcome.stderr
    assert project.read(".claude/ccc.json") == MINE


# --- use, remove -----------------------------------------------------------------------


def test_use(project: CccProject) -> None:
    """The next `ccc` takes it."""
    run(project, "use", "official").succeeded()
    assert project.json(".claude/ccc.json")["current_provider"] == "official"
    assert '"strange": [ 1 ]' in project.read(".claude/ccc.json")


def test_a_provider_of_a_directory(project: CccProject) -> None:
    """`use NAME --here` binds this directory; the current provider is another matter."""
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
    """A directory can't be guessed, nor a provider."""
    assert "NAME --here" in refused(project, "use", *words)


def test_removing_a_provider_of_a_directory(project: CccProject) -> None:
    """Its binding goes with it, other things of the directory stay, and it is told."""
    run(project, "use", "glm", "--here").succeeded()
    content = project.json(".claude/ccc.json")
    content["projects"]["/elsewhere"] = {"provider": "glm", "checks": ["true"]}
    project.write(".claude/ccc.json", json.dumps(content))
    told = run(project, "remove", "glm", "--yes").succeeded().stderr
    assert f"{project.directory} no longer has its own provider" in told
    assert project.json(".claude/ccc.json")["projects"] == {"/elsewhere": {"checks": ["true"]}}


def test_remove(project: CccProject) -> None:
    """The provider goes with our files for it; a file of the person's by such a name stays."""
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
    """A provider that reviews for others is named where it is used."""
    config = {"providers": {"a": {}, "b": {}}, "supervisor": {"provider": "b"}}
    project.write(".claude/ccc.json", json.dumps(config))
    assert "supervisor.provider" in refused(project, "remove", "b", "--yes")


# --- what it prints --------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("list", ("list",)),
        ("show", ("show", "glm")),
        ("presets", ("list", "--presets")),
        ("preset", ("show", "--preset", "kimi-code")),
        ("help", ("--help",)),
    ],
)
def test_what_it_prints(
    project: CccProject, name: str, words: tuple[str, ...], language: str
) -> None:
    """Tables without any secret."""
    project.run("provider", "add", "own", "--preset", "kimi-code", "--key-stdin", stdin=SECRET)
    project.run("provider", "use", "glm")
    outcome = run(project, *words, CCC_LANG=language).succeeded()
    check_golden(f"provider-{name}.{language}.txt", outcome.stdout)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_its_models_cost(project: CccProject, language: str) -> None:
    """The price of each model, where it comes from, and where none is known."""
    env = {
        "ANTHROPIC_BASE_URL": "https://api.moonshot.ai/anthropic",
        "ANTHROPIC_MODEL": "kimi-k3[1m]",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": "nobodys-model",
        "ANTHROPIC_DEFAULT_OPUS_MODEL": "own-model",
    }
    own = {"own-model": {"input": 0.5, "output": 2, "cache_read": 0.05}}
    config = {"providers": {"kimi": {"env": env, "prices": own}}}
    project.write(".claude/ccc.json", json.dumps(config))
    shown = run(project, "show", "kimi", CCC_LANG=language).succeeded().stdout
    estimate = {"en": "claude's estimate (~)", "zh": "claude 的估算（~）"}[language]
    rows = [re.split(r" {2,}", line.strip()) for line in shown.splitlines()]
    assert [
        "kimi-k3",
        "$3",
        "$15",
        "$0.3",
        "$3",
        f"genai-prices {genai_prices.__version__}",
    ] in rows
    assert ["nobodys-model", "–", "–", "–", "–", estimate] in rows
    assert ["own-model", "$0.5", "$2", "$0.05", "$0.5", "ccc.json"] in rows
    assert max(map(len, shown.splitlines())) <= 80
    # it is no setting of claude's
    assert {"en": "Other settings", "zh": "其他设置"}[language] not in shown


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_change_says(project: CccProject, language: str) -> None:
    """Each verb in a line or two."""
    env = {"CCC_LANG": language}
    said = [
        project.run("provider", *words, stdin=SECRET, env=env).stderr
        for words in (
            ("add", "kc", "--preset", "kimi-code", "--key-stdin"),
            ("edit", "kc", "--model", "k3[1m]"),
            ("use", "kc"),
            ("remove", "kc", "--yes"),
            ("add", "x", "--key", SECRET),
            ("add", "x"),
            ("show", "kimmi"),
        )
    ]
    home = {str(project.home): "~"}
    check_golden(f"provider-changes.{language}.txt", "\n".join(said), home)


# --- in a terminal ---------------------------------------------------------------------


@pytest.mark.tmux
def test_the_key_is_asked_for_unseen(project: CccProject, tmux: None) -> None:
    """What is typed is in ccc.json and not on the screen."""
    with project.interactive("provider", "add", "deepseek") as terminal:
        terminal.wait_for("Key .not shown")
        terminal.type_blindly(SECRET)
        terminal.wait_for(r"\[exit 0\]")
        shown = terminal.screen(history=True)
    assert SECRET not in shown
    assert SECRET[3:10] not in shown
    assert env_of(project, "deepseek")["ANTHROPIC_AUTH_TOKEN"] == SECRET


@pytest.mark.tmux
def test_a_variable_in_place_of_the_key(project: CccProject, tmux: None) -> None:
    """Enter alone leads to the other ways; what a preset needs is asked for first."""
    with project.interactive("provider", "add", "lite", "--preset", "litellm") as terminal:
        terminal.wait_for("Model:")
        terminal.enter("my-model")
        terminal.wait_for("Key .not shown")
        terminal.press("Enter")
        terminal.wait_for("or .VARIABLE:")
        terminal.enter("$LITE_KEY")
        terminal.wait_for(r"\[exit 0\]")
    assert env_of(project, "lite")["ANTHROPIC_AUTH_TOKEN"] == {"env": "LITE_KEY"}
    assert env_of(project, "lite")["ANTHROPIC_MODEL"] == "my-model"


@pytest.mark.tmux
def test_the_list_on_a_narrow_terminal(project: CccProject, tmux: None) -> None:
    """Of a long row the address is broken, not the model."""
    run(project, "add", "openrouter", "--key-env", "OPENROUTER_API_KEY").succeeded()
    model = str(env_of(project, "openrouter")["ANTHROPIC_MODEL"])
    with project.interactive("provider", "list", env={"COLUMNS": "80"}) as terminal:
        shown = terminal.wait_for(r"\[exit 0\]")
    assert model in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.tmux
def test_a_variable_at_the_hidden_question(project: CccProject, tmux: None) -> None:
    """`$NAME` is the variable, never a key of that text."""
    with project.interactive("provider", "add", "deepseek") as terminal:
        terminal.wait_for("Key .not shown")
        terminal.type_blindly("$DEEP_KEY")
        terminal.wait_for(r"\[exit 0\]")
    assert env_of(project, "deepseek")["ANTHROPIC_AUTH_TOKEN"] == {"env": "DEEP_KEY"}


@pytest.mark.tmux
def test_mistakes_at_the_questions(project: CccProject, tmux: None) -> None:
    """The question at which a mistake was made is asked again, with what is wrong."""
    with project.interactive("provider", "add", "cf", "--preset", "cloudflare") as terminal:
        terminal.wait_for("Account id:")
        terminal.enter("a/b")
        terminal.wait_for("invalid value")
        terminal.enter("abc")
        terminal.wait_for("Gateway name")
        terminal.enter("gate")
        terminal.wait_for("Key .not shown")
        terminal.press("Enter")
        terminal.wait_for("or .VARIABLE:")
        terminal.enter("sk-12345678")
        shown = terminal.wait_for(r"looks like a key(.|\n)*or .VARIABLE:")
        assert "shell's history" not in shown
        terminal.enter("pass show cf")
        shown = terminal.wait_for(r"\[exit 0\]")
        assert shown.count("Key (not shown") == 1
    assert env_of(project, "cf")["ANTHROPIC_API_KEY"] == {"command": ["pass", "show", "cf"]}


@pytest.mark.tmux
@pytest.mark.parametrize("key", ["C-c", "C-d"])
def test_leaving_a_question(project: CccProject, tmux: None, key: str) -> None:
    """Ctrl-C and Ctrl-D leave everything as it was."""
    with project.interactive("provider", "add", "deepseek") as terminal:
        terminal.wait_for("Key .not shown")
        terminal.press(key)
        shown = terminal.wait_for(r"\[exit 130\]")
    assert "Traceback" not in shown
    assert project.read(".claude/ccc.json") == MINE


@pytest.mark.tmux
def test_removing_asks(project: CccProject, tmux: None) -> None:
    """No is the default; yes removes."""
    with project.interactive("provider", "remove", "glm") as terminal:
        terminal.wait_for(r"Remove glm .*\[y/N\]")
        terminal.press("Enter")
        terminal.wait_for(r"Nothing was changed.*\s+\[exit 0\]")
    assert project.read(".claude/ccc.json") == MINE
    with project.interactive("provider", "remove", "glm") as terminal:
        terminal.wait_for(r"Remove glm .*\[y/N\]")
        terminal.enter("y")
        terminal.wait_for(r"Removed glm\s+\[exit 0\]")
    assert "glm" not in project.json(".claude/ccc.json")["providers"]
