"""claude's command line, parsed the way claude parses it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import arguments
from ccc.claude.formats.arguments import read


@pytest.mark.parametrize(
    ("line", "settings", "rest"),
    [
        ("", None, ""),
        ("hi", None, "hi"),
        ("--settings x", "x", ""),
        ("--settings=x", "x", ""),
        ("--settings=", "", ""),
        ("--settings=a=b", "a=b", ""),
        ("-p hi --settings x --verbose", "x", "-p hi --verbose"),
        ("--settings x --settings y", "y", ""),
        ("--settings=x hi --settings y there", "y", "hi there"),
        ("--settings --verbose", "--verbose", ""),
        ("-- --settings x", None, "-- --settings x"),
        ("hi -- --settings=x", None, "hi -- --settings=x"),
        # the value of another option, whatever it looks like
        ("--append-system-prompt --settings x", None, "--append-system-prompt --settings x"),
        ("--allowedTools --settings x", None, "--allowedTools --settings x"),
        ("--allowedTools Bash --settings x", "x", "--allowedTools Bash"),
        ("--resume --settings x", "x", "--resume"),
        ("--settings-file x", None, "--settings-file x"),
        ("-settings x", None, "-settings x"),
        # nothing after it: claude will report it
        ("hi --settings", None, "hi --settings"),
        # a subcommand gets everything unchanged
        ("--settings x mcp list", None, "--settings x mcp list"),
        ("mcp list --settings=x", None, "mcp list --settings=x"),
    ],
)
def test_settings(line: str, settings: str | None, rest: str) -> None:
    """The user's --settings is found and removed; what only looks like it stays."""
    found = read(line.split())
    assert found.settings == settings
    assert found.rest == tuple(rest.split())


@pytest.mark.parametrize(
    ("line", "chooses"),
    [
        ("", False),
        ("hi", False),
        ("-p", False),
        ("--resume", True),
        ("--resume id", True),
        ("--resume=id", True),
        ("-r", True),
        ("-r id", True),
        ("-rid", True),
        ("--continue", True),
        ("-c", True),
        ("-pc", True),
        ("-cp", True),
        ("--session-id x", True),
        ("--session-id=x", True),
        ("--from-pr 12", True),
        ("--teleport", True),
        ("--bg", True),
        ("--fork-session -c", True),
        ("--system-prompt -c", False),
        ("-n -c", False),
        ("-nc", False),
        ("-dc", False),
        ("-- -c", False),
        ("continue resume", False),
        ("--continues", False),
    ],
)
def test_session(line: str, chooses: bool) -> None:
    """A session that the user chose is recognized; an option's value or a prompt is no choice."""
    assert read(line.split()).chooses_session is chooses


@pytest.mark.parametrize(
    ("line", "prints"),
    [
        ("-p hi", True),
        ("--print", True),
        ("hi -p", True),
        ("-pc", True),
        ("-cp", True),
        ("hi", False),
        ("--append-system-prompt -p", False),
        ("-- -p", False),
        ("-dp", False),
    ],
)
def test_prints(line: str, prints: bool) -> None:
    """Print mode is recognized, alone or bundled."""
    assert read(line.split()).prints is prints


@pytest.mark.parametrize(
    ("line", "subcommand"),
    [
        ("mcp list", "mcp"),
        ("doctor", "doctor"),
        ("plugin install x", "plugin"),
        ("setup-token", "setup-token"),
        ("--verbose mcp list", "mcp"),
        ("--model opus mcp list", "mcp"),
        ("--model=opus mcp list", "mcp"),
        ("-n name mcp list", "mcp"),
        ("--debug=x mcp list", "mcp"),
        ("--settings x mcp list", "mcp"),
        ("-- mcp list", "mcp"),
        ("-w - mcp list", "mcp"),
        ("mcp add x -- npx -p y", "mcp"),
        ("", ""),
        ("hi", ""),
        ("hi mcp", ""),
        ("fix mcp list", ""),
        ("- mcp", ""),
        ("-- -- mcp", ""),
        # consumed by an option that may or must have a value
        ("--model mcp", ""),
        ("--debug mcp list", ""),
        ("-r mcp", ""),
        ("--resume mcp", ""),
        ("-d mcp list", ""),
        ("--allowedTools Bash mcp list", ""),
        ("--allowedTools Bash - mcp list", ""),
        ("--allowedTools=Bash mcp list", "mcp"),
        ("--allowedTools Bash --verbose mcp list", "mcp"),
        # in print mode claude has no subcommands: the word is a prompt, wherever the flag is
        ("-p mcp", ""),
        ("--print update", ""),
        ("stop -p", ""),
        ("-p --verbose mcp", ""),
        ("--verbose -p --settings x mcp list", ""),
        # but bundled, or as another option's value, the flag does not count
        ("-pc mcp list", "mcp"),
        ("--system-prompt -p mcp list", "mcp"),
    ],
)
def test_subcommand(line: str, subcommand: str) -> None:
    """A word is a subcommand exactly if claude itself treats it as one."""
    assert read(line.split()).subcommand == subcommand


@pytest.mark.parametrize(
    ("line", "shaping"),
    [
        ("-p hi --model opus", ""),
        ("--add-dir a b -p hi", "--add-dir a b"),
        ("--agent=x --verbose --strict-mcp-config", "--agent=x --strict-mcp-config"),
        ("--mcp-config a.json --tools Bash,Read", "--mcp-config a.json --tools Bash,Read"),
        ('--mcp-config {"key":"secret"} --bare', "--bare"),
        ('--agents={"a":{}}', ""),
        ("-- --bare", ""),
    ],
)
def test_shaping(line: str, shaping: str) -> None:
    """Options that shape the prompt are kept for a fork, except JSON, which may hold a secret."""
    assert read(line.split()).shaping == tuple(shaping.split())


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("--bg task", "--bg"),
        ("--model x --background task", "--background"),
        ("agents", "agents"),
        ("stop x", "stop"),
        ("-p stop", ""),
        ("-p --", ""),
        ("mcp list", ""),
        ("-- --bg", ""),
        ("--append-system-prompt --bg", ""),
    ],
)
def test_background(line: str, word: str) -> None:
    """The options and subcommands of claude's background service are recognized."""
    assert read(line.split()).background == word


def test_a_prompt_is_one_word() -> None:
    """A prompt that starts like a subcommand or contains a flag is still a prompt."""
    assert read(["mcp list is slow, why?"]) == arguments.Reading(rest=("mcp list is slow, why?",))
    assert read(["-p", "--settings is ignored"]).settings is None
    assert read(["--append-system-prompt", "--resume the work", "hi"]).chooses_session is False


WORDS = st.sampled_from(
    [
        *arguments.ONE_VALUE,
        *arguments.MANY_VALUES,
        *arguments.MAYBE_VALUE,
        "-p",
        "-pc",
        "-",
        "--",
        "--x=y",
        "--settingsfile",
        "mcp",
        "hi",
        "",
    ]
).filter(lambda word: word != "--settings") | st.text(max_size=5)


@given(st.lists(WORDS, max_size=8))
def test_without_settings_nothing_is_touched(line: list[str]) -> None:
    """Without --settings, the arguments go to claude unchanged."""
    found = read(line)
    assert found.rest == tuple(line)
    assert found.settings is None


@given(st.lists(WORDS.filter(lambda w: w != "--"), max_size=6), st.booleans(), st.text(max_size=5))
def test_settings_in_front_are_found(line: list[str], equals: bool, value: str) -> None:
    """--settings before any line is found, and the rest of the line stays."""
    given_ = [f"--settings={value}"] if equals else ["--settings", value]
    found = read([*given_, *line])
    if found.subcommand:
        assert found.rest == (*given_, *line)
    else:
        assert (found.settings, found.rest) == (value, tuple(line))


@given(st.lists(WORDS | st.just("--settings"), max_size=8), st.lists(st.text(max_size=5)))
def test_nothing_behind_two_dashes_is_read(line: list[str], behind: list[str]) -> None:
    """What follows `--` stays there, and is never an option."""
    found = read([*line, "x", "--", *behind])
    assert found.rest[len(found.rest) - len(behind) :] == tuple(behind)
    plain: dict[str, Any] = {"settings": found.settings, "prints": found.prints}
    without = read([*line, "x", "--"])
    assert plain == {"settings": without.settings, "prints": without.prints}
    assert found.chooses_session == without.chooses_session


def test_no_option_is_in_two_lists() -> None:
    """Each option takes its values in one way."""
    lists = (arguments.ONE_VALUE, arguments.MANY_VALUES, arguments.MAYBE_VALUE)
    assert sum(map(len, lists)) == len(frozenset().union(*lists))
