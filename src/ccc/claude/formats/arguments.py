"""The parts of claude's command line that ccc must recognize to pass it through unchanged."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ccc.text.names import is_uuid

Item = tuple[str, list[str], list[str]]

# from `claude --help`, plus the hidden ones; tests compare the tables with the real client
SUBCOMMANDS = frozenset(
    "agents attach auth auto-mode bridge daemon doctor gateway import install kill logs mcp plugin "
    "plugins project purge rc remote remote-control respawn rm sandbox self-hosted-runner "
    "setup-token stop sync ultrareview update upgrade".split()
)
_OF_BACKGROUND = frozenset("agents attach daemon kill logs respawn rm stop".split())
ONE_VALUE = frozenset(
    "--advisor --agent --agent-color --agent-id --agent-name --agent-type --agents "
    "--append-subagent-system-prompt --append-subagent-system-prompt-file --append-system-prompt "
    "--append-system-prompt-file --autocompact --debug-file --effort --environment "
    "--fallback-model --fast-mode --inherit-permission-mode --input-format --json-schema "
    "--managed-settings --max-budget-usd --max-thinking-tokens --max-turns --model --name -n "
    "--on-branch --output-format --parent-session-id --permission-mode --permission-prompt-tool "
    "--permission-prompts --plan-mode-instructions --plugin-dir --plugin-dir-no-mcp --plugin-url "
    "--pool --prefill --proactivity --project-config-root --ref "
    "--remote-control-session-name-prefix --resume-session-at --rewind-files --sdk-url "
    "--session-id --setting-sources --settings --system-prompt --system-prompt-file "
    "--system-prompt-snapshot --task-budget --team-name --teammate-mode --thinking "
    "--thinking-display --workload".split()
)
MANY_VALUES = frozenset(
    "--add-dir --allowedTools --allowed-tools --betas --channels "
    "--dangerously-load-development-channels --disallowedTools --disallowed-tools --file "
    "--mcp-config --tools".split()
)
MAYBE_VALUE = frozenset(
    "--cloud --debug -d --from-pr --prompt-suggestions --rc --remote --remote-control --resume -r "
    "--teleport --worktree -w".split()
)
_CHOOSES_SESSION = frozenset(
    "--resume -r --continue -c --session-id --from-pr --teleport --cloud --remote --desktop".split()
)
# these change the tools or the prompt; a fork needs the same ones to share the prompt cache
_SHAPES_PROMPT = frozenset(
    "--add-dir --agent --agents --bare --betas --brief --chrome --disable-slash-commands "
    "--disallowedTools --disallowed-tools --mcp-config --no-chrome --plugin-dir --setting-sources "
    "--strict-mcp-config --tools".split()
)
_BACKGROUND = frozenset(["--bg", "--background"])
_NAMES_SESSION = ("--resume", "-r", "--session-id")
_SHORT_WITH_VALUE = "ndrw"
_SHOWS_INFO = frozenset(["--version", "-v", "--help", "-h"])
_PRINT = frozenset(["--print", "-p"])
_SET_BY_CCC = _PRINT | {"--verbose", "--input-format", "--output-format"}
SUPERVISOR, SUPERVISOR_OFF = "/supervisor", "/supervisoroff"
NEVER_ASK = ("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions")


class Reading(Struct, frozen=True):
    """What ccc needs to know about the user's arguments."""

    settings: str | None = None  # the last `--settings`
    rest: tuple[str, ...] = ()  # the arguments without `--settings`
    chooses_session: bool = False
    prints: bool = False
    subcommand: str = ""
    shaping: tuple[str, ...] = ()  # the arguments that a fork needs to share the prompt cache
    shows_info: bool = False
    session_id: str = ""  # the id of the session that the arguments start or resume
    background: str = ""  # the option or subcommand that uses claude's background service

    @property
    def task(self) -> str:
        """The prompt."""
        prompts = (" ".join(_words(raw)) for option, _, raw in _items(self.rest) if not option)
        return next(filter(None, prompts), "")

    @property
    def for_agent(self) -> tuple[str, ...]:
        """The arguments without the prompt, and without what an unattended run sets itself."""
        return _filter(self.rest, lambda option, v, raw: option != "" and option not in _SET_BY_CCC)

    @property
    def for_user(self) -> tuple[str, ...]:
        """The agent's arguments for a user, who can answer permission prompts."""

        def asks(option: str, values: list[str], raw: list[str]) -> bool:
            is_bypass = option == "--permission-mode" and values == ["bypassPermissions"]
            return option not in NEVER_ASK and not is_bypass

        return _filter(without_session(self.for_agent), asks)

    @property
    def storable(self) -> tuple[str, ...]:
        """The agent's arguments without JSON, which may hold a secret."""
        return _filter(self.for_agent, lambda option, values, raw: not _has_json(raw))

    def last_value(self, option: str) -> str:
        """Return the value of an option that takes one; empty without it."""
        return (values_of(option, self.rest) or [""])[-1]


def read(arguments: Sequence[str]) -> Reading:
    """Parse the user's arguments: settings, session, subcommand."""
    items = list(_items(arguments))
    options = {letter for option, _, _ in items for letter in _letters(option)}
    settings = values_of("--settings", arguments)
    named = [v[0] for option, v, _ in items if option in _NAMES_SESSION and v and is_uuid(v[0])]
    words = [word for option, _, raw in items if not option for word in _words(raw)]
    # measured: `claude -p mcp` is a prompt, while `claude -pc mcp` is the subcommand
    may_be_subcommand = not any(option in _PRINT for option, _, _ in items)
    subcommand = words[0] if may_be_subcommand and words and words[0] in SUBCOMMANDS else ""
    rest = _filter(arguments, lambda option, values, raw: option != "--settings" or not values)
    background = subcommand if subcommand in _OF_BACKGROUND else "".join(options & _BACKGROUND)
    return Reading(
        settings=settings[-1] if settings and not subcommand else None,
        rest=tuple(arguments) if subcommand else rest,
        # measured: claude warns about a --session-id beside --bg
        chooses_session=bool(options & (_CHOOSES_SESSION | _BACKGROUND)),
        prints=bool(options & _PRINT),
        subcommand=subcommand,
        shaping=_filter(arguments, lambda o, _, raw: o in _SHAPES_PROMPT and not _has_json(raw)),
        shows_info=bool(options & _SHOWS_INFO),
        session_id=named[-1] if named and "--fork-session" not in options else "",
        background=background,
    )


def without_session(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments without those that choose a session."""
    chooses = _CHOOSES_SESSION | {"--fork-session"}
    return _filter(arguments, lambda option, values, raw: option not in chooses)


def continues_last(arguments: Sequence[str]) -> bool:
    """Return whether claude continues the directory's last session."""
    options = {letter for option, _, _ in _items(arguments) for letter in _letters(option)}
    return bool(options & {"--continue", "-c"}) and "--fork-session" not in options


def values_of(option: str, arguments: Sequence[str]) -> list[str]:
    """Return the values of all occurrences of an option."""
    return [value for name, values, _ in _items(arguments) if name == option for value in values]


def _filter(
    arguments: Sequence[str], keep: Callable[[str, list[str], list[str]], bool]
) -> tuple[str, ...]:
    return tuple(word for item in _items(arguments) if keep(*item) for word in item[2])


def _has_json(words: list[str]) -> bool:
    return any("{" in word for word in words)


def _words(raw: list[str]) -> list[str]:
    return raw[1:] if raw[0] == "--" else raw


def _items(arguments: Sequence[str]) -> Iterator[Item]:
    """Yield each option with its values, or each plain word, with its raw arguments."""
    at = 0
    while at < len(arguments):
        word, start = arguments[at], at
        at += 1
        if word == "--":
            yield "", [], list(arguments[start:])
            return
        option, equals, value = word.partition("=")
        if not _is_option(word):
            yield "", [], [word]
        elif equals and word.startswith("--"):
            yield option, [value], [word]
        else:
            has_value = at < len(arguments) and not _is_option(arguments[at])
            if word in ONE_VALUE | MANY_VALUES or (word in MAYBE_VALUE and has_value):
                at += 1
            while word in MANY_VALUES and at < len(arguments) and not _is_option(arguments[at]):
                at += 1
            yield word, list(arguments[start + 1 : at]), list(arguments[start:at])


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _letters(option: str) -> list[str]:
    """Split a bundle of short options: `-pc` is `-p -c`."""
    if option.startswith("--"):
        return [option]
    letters = []
    for letter in option[1:]:
        letters.append(f"-{letter}")
        if letter in _SHORT_WITH_VALUE:
            break
    return letters
