"""Facts of claude: its command line, and whether ccc's tables match it."""

import json
import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from facts import claude, only_request, scripted_project

from ccc.claude.formats.arguments import MANY_VALUES, MAYBE_VALUE, ONE_VALUE, SUBCOMMANDS
from harness import Bench, CccProject, Outcome

pytestmark = pytest.mark.real

JSON = ("--output-format", "json")


def test_fact_session_id_flag_fixes_the_id(bench: Bench) -> None:
    """--session-id sets the id of a new session."""
    session_id = str(uuid.uuid4())
    outcome = claude(bench(), "-p", "hi", "--session-id", session_id, *JSON).succeeded()
    assert outcome.result["session_id"] == session_id


def test_fact_session_id_must_be_a_uuid(bench: Bench) -> None:
    """An id that isn't a UUID is an error."""
    outcome = claude(bench(), "-p", "hi", "--session-id", "mine")
    assert outcome.code == 1
    assert "Must be a valid UUID" in outcome.stderr


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[CccProject, str]:
    """Return a project with a session; its model has stopped."""
    id = str(uuid.uuid4())
    with scripted_project(tmp_path_factory.mktemp("session")) as project:
        claude(project, "-p", "hi", "--session-id", id).succeeded()
    return project, id


def test_fact_session_id_can_be_used_once(session: tuple[CccProject, str]) -> None:
    """An id that already has a session is refused."""
    project, id = session
    outcome = claude(project, "-p", "hi", "--session-id", id)
    assert outcome.code == 1
    assert "already in use" in outcome.stderr


@pytest.mark.parametrize("option", ["--resume", "--continue"])
def test_fact_session_id_conflicts_with(session: tuple[CccProject, str], option: str) -> None:
    """--session-id together with a chosen session is an error unless the session is forked."""
    project, id = session
    choice = [option, id] if option == "--resume" else [option]
    outcome = claude(project, "-p", "hi", *choice, "--session-id", str(uuid.uuid4()))
    assert outcome.code == 1
    # 2.1.327 has other words for it
    assert re.search("--session-id .*--continue or --resume .*--fork-session", outcome.stderr)


def test_fact_resume_keeps_the_id_and_fork_session_changes_it(bench: Bench) -> None:
    """A resumed session keeps its id; a fork has the given id or a new one."""
    project = bench()
    first, new_id = str(uuid.uuid4()), str(uuid.uuid4())
    claude(project, "-p", "hi", "--session-id", first).succeeded()

    def resume(*more: str) -> object:
        return claude(project, "-p", "hi", *JSON, "--resume", first, *more).result["session_id"]

    assert resume() == first
    assert resume("--fork-session", "--session-id", new_id) == new_id
    assert resume("--fork-session") not in (first, new_id)


def test_fact_only_the_last_settings_flag_counts(bench: Bench) -> None:
    """Of two --settings, the first is ignored."""
    project = bench()
    first = json.dumps({"env": {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "1111"}})
    last = json.dumps({"env": {"BASH_MAX_TIMEOUT_MS": "60000"}})
    claude(project, "-p", "hi", "--settings", first, "--settings", last).succeeded()
    assert only_request(project).body["max_tokens"] != 1111


@pytest.mark.parametrize("joined", [False, True])
def test_fact_settings_flag_takes_a_separate_or_joined_value(bench: Bench, joined: bool) -> None:
    """`--settings X` and `--settings=X` are equivalent."""
    project = bench()
    value = json.dumps({"env": {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "1111"}})
    flag = [f"--settings={value}"] if joined else ["--settings", value]
    claude(project, "-p", "hi", *flag).succeeded()
    assert only_request(project).body["max_tokens"] == 1111


def test_fact_options_are_not_abbreviated(bench: Bench) -> None:
    """An abbreviated option is an error, so options have only the names that help lists."""
    outcome = claude(bench(), "-p", "hi", "--sett", "{}")
    assert outcome.code == 1
    assert "unknown option" in outcome.stderr


@dataclass(frozen=True)
class Help:
    """The options of `claude --help` with the form of their values, and its commands."""

    options: dict[str, str]
    commands: frozenset[str]


_OPTION = re.compile(
    r"^  (?P<names>-[\w-]+(?:, -[\w-]+)*)(?: (?P<value><[^>]+>|\[[^]]+\]))?(?:  |$)", re.MULTILINE
)
_COMMAND = re.compile(r"^  (?P<names>[a-z][\w-]*(?:\|[a-z][\w-]*)*)(?: |$)", re.MULTILINE)


@pytest.fixture(scope="module")
def claude_help(tmp_path_factory: pytest.TempPathFactory) -> Help:
    """Return the parsed help of the real claude."""
    with scripted_project(tmp_path_factory.mktemp("help")) as project:
        text = claude(project, "--help").succeeded().stdout
    options, _, commands = text.partition("\nCommands:\n")
    help_ = Help(
        {
            name: match["value"] or ""
            for match in _OPTION.finditer(options)
            for name in match["names"].split(", ")
        },
        frozenset(n for match in _COMMAND.finditer(commands) for n in match["names"].split("|")),
    )
    # every line that starts an option is parsed, and the expected ones are among them
    assert len(_OPTION.findall(options)) == len(re.findall(r"^  -", options, re.MULTILINE))
    assert {"--settings", "-p", "--print", "--resume", "-r"} <= set(help_.options)
    assert {"mcp", "plugin", "plugins", "update", "upgrade"} <= help_.commands
    return help_


def table_form(name: str) -> str:
    """Return the form of an option's value in ccc's tables."""
    tables = {"one": ONE_VALUE, "many": MANY_VALUES, "maybe": MAYBE_VALUE}
    return " and ".join(kind for kind, table in tables.items() if name in table) or "none"


def form(value: str) -> str:
    """Return the form of `<value>`, `<values...>` or `[value]` in the help."""
    if not value:
        return "none"
    if value.startswith("["):
        return "maybe"
    return "many" if value.endswith("...>") else "one"


def test_fact_the_tables_classify_every_listed_option(claude_help: Help) -> None:
    """ONE_VALUE, MANY_VALUES and MAYBE_VALUE agree with claude's help on each option."""
    expected = {name: form(value) for name, value in claude_help.options.items()}
    actual = {name: table_form(name) for name in claude_help.options}
    assert actual == expected


def test_fact_the_table_has_every_listed_subcommand(claude_help: Help) -> None:
    """SUBCOMMANDS has each command of claude's help, with its aliases."""
    assert claude_help.commands - SUBCOMMANDS == set()


def each(project: CccProject, *argvs: tuple[str, ...]) -> list[Outcome]:
    """Run several short commands, two at a time, and return their outcomes."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda argv: claude(project, *argv), argvs))


def test_fact_unlisted_options_take_a_value(bench: Bench, claude_help: Help) -> None:
    """Options in ccc's tables that help doesn't list exist and require a value."""
    hidden = sorted((ONE_VALUE | MANY_VALUES) - set(claude_help.options))
    outcomes = each(bench(), *((name,) for name in hidden))
    for name, outcome in zip(hidden, outcomes, strict=True):
        missing = re.search(r"option '.*?(<[^>]+>)' argument missing", outcome.stderr)
        assert missing, outcome
        assert table_form(name) == form(missing[1]), name


def test_fact_unlisted_subcommands_exist(bench: Bench, claude_help: Help) -> None:
    """Commands in ccc's table that help doesn't list have their own help."""
    hidden = sorted(SUBCOMMANDS - claude_help.commands)
    outcomes = each(bench(), *((name, "--help") for name in hidden))
    prompts = [
        name
        for name, outcome in zip(hidden, outcomes, strict=True)
        if "Usage: claude [options] [command] [prompt]" in outcome.stdout
    ]
    assert prompts == [], "claude takes these words as a prompt"


def test_fact_word_after_the_prompt_is_no_subcommand(bench: Bench) -> None:
    """Only the first plain word can be a subcommand."""
    project = bench()
    claude(project, "-p", "hi", "doctor").succeeded()
    assert only_request(project).last_text == "hi"


def test_fact_settings_flag_before_a_subcommand_breaks_some(bench: Bench) -> None:
    """After --settings, remote-control is an error, and attach isn't a subcommand."""
    project = bench()
    control = ("--settings", "{}", "remote-control", "--help")
    attach = ("--settings", "{}", "attach", "--help")
    remote, attached = each(project, control, attach)
    assert remote.code == 1
    assert "`--settings` before `remote-control`" in remote.stderr + remote.stdout
    assert "Usage: claude [options] [command] [prompt]" in attached.stdout
