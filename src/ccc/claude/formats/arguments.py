"""claude's own command line, read just far enough to know what ours must not disturb."""

from dataclasses import dataclass

from ccc.text.names import is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# As `claude --help` lists them, and hidden ones; tests compare the tables with the real client.
SUBCOMMANDS = frozenset(
    "agents attach auth auto-mode bridge daemon doctor gateway import install kill logs mcp plugin "
    "plugins project purge rc remote remote-control respawn rm sandbox self-hosted-runner "
    "setup-token stop sync ultrareview update upgrade".split()
)
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
# What changes the tools or the prompt: a fork needs the same to share the prompt cache.
_SHAPES_PROMPT = frozenset(
    "--add-dir --agent --agents --bare --betas --brief --chrome --disable-slash-commands "
    "--disallowedTools --disallowed-tools --mcp-config --no-chrome --plugin-dir --setting-sources "
    "--strict-mcp-config --tools".split()
)
_NAMES_SESSION = ("--resume", "-r", "--session-id")
_SESSION = _CHOOSES_SESSION | {"--fork-session"}
_SHORT_WITH_VALUE = "ndrw"
_ONLY_TELLS = frozenset(["--version", "-v", "--help", "-h"])
_PRINT = frozenset(["--print", "-p"])
_SAID_BY_US = _PRINT | {"--verbose", "--input-format", "--output-format"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What of the user's arguments matters to us."""

    settings: str | None = None
    rest: tuple[str, ...] = ()
    chooses_session: bool = False
    prints: bool = False
    subcommand: str = ""
    shaping: tuple[str, ...] = ()
    only_tells: bool = False
    names_session: str = ""
    """The id of a session that is begun or resumed by it, where the arguments say it."""


def read(arguments: "Sequence[str]") -> Reading:
    """Find `--settings` (the last counts; taken out of `rest`), a session choice, a subcommand."""
    settings, rest, options, words, subcommands = None, [], set(), [], True
    shaping: list[str] = []
    named = ""
    for option, values, raw in _items(arguments):
        if option == "--settings" and values:
            settings = values[0]
            continue
        rest.extend(raw)
        if option in _NAMES_SESSION and values and is_uuid(values[0]):
            named = values[0]
        if option:
            options.update(_letters(option))
            if option in _SHAPES_PROMPT and not any("{" in word for word in raw):
                # JSON on the command line may hold a secret, which must not be kept
                shaping.extend(raw)
            # measured: `claude -p mcp` is a prompt, while `claude -pc mcp` is the subcommand
            subcommands = subcommands and option not in _PRINT
        else:
            words.extend(raw[1:] if raw[0] == "--" else raw)
    subcommand = words[0] if subcommands and words and words[0] in SUBCOMMANDS else ""
    return Reading(
        settings=None if subcommand else settings,
        rest=tuple(arguments if subcommand else rest),
        chooses_session=bool(options & _CHOOSES_SESSION),
        prints=bool(options & _PRINT),
        subcommand=subcommand,
        shaping=tuple(shaping),
        only_tells=bool(options & _ONLY_TELLS),
        names_session="" if "--fork-session" in options else named,
    )


NEVER_ASK = ("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions")


@dataclass(frozen=True, slots=True)
class Unattended:
    """The arguments of a `claude -p`, as the unattended loop takes them."""

    task: str = ""
    rest: tuple[str, ...] = ()
    output_format: str = ""
    effort: str = ""
    chooses_session: bool = False

    @property
    def in_a_known_session(self) -> tuple[str, ...]:
        """The same, without what chooses a session."""
        return _joined(raw for option, _, raw in _items(self.rest) if option not in _SESSION)

    @property
    def for_a_person(self) -> tuple[str, ...]:
        """The same for a session that a person goes on with: who is there can be asked."""
        return _joined(
            raw
            for option, values, raw in _items(self.in_a_known_session)
            if option not in NEVER_ASK
            and not (option == "--permission-mode" and values == ["bypassPermissions"])
        )

    @property
    def keepable(self) -> tuple[str, ...]:
        """What may be written down: JSON on the command line may hold a secret."""
        items = _items(self.rest)
        return _joined(raw for _, _, raw in items if not any("{" in word for word in raw))


def unattended(arguments: "Sequence[str]") -> Unattended:
    """Take the prompt out, and what the loop says itself: how claude prints and reads."""
    task, output, effort, rest = "", "", "", []
    chooses = False
    for option, values, raw in _items(arguments):
        if not option:
            words = raw[1:] if raw[0] == "--" else raw
            task = task or " ".join(words)
            continue
        if option == "--output-format":
            output = "".join(values)
        if option == "--effort":
            effort = "".join(values)
        chooses = chooses or option in _CHOOSES_SESSION
        if option not in _SAID_BY_US:
            rest.extend(raw)
    return Unattended(task, tuple(rest), output, effort, chooses)


def values_of(option: str, arguments: "Sequence[str]") -> list[str]:
    """What an option was given, over all the times that it was."""
    return [value for name, values, _ in _items(arguments) if name == option for value in values]


def _joined(raws: "Iterable[list[str]]") -> tuple[str, ...]:
    return tuple(word for raw in raws for word in raw)


def _items(given: "Sequence[str]") -> "Iterator[tuple[str, list[str], list[str]]]":
    """Each option with its values, or each plain word, with the raw arguments it came from."""
    arguments, at = list(given), 0
    while at < len(arguments):
        word, start = arguments[at], at
        at += 1
        if word == "--":
            yield "", [], arguments[start:]
            return
        if not _is_option(word):
            yield "", [], [word]
            continue
        option, equals, value = word.partition("=")
        if equals and word.startswith("--"):
            yield option, [value], [word]
            continue
        if word in ONE_VALUE:
            at += 1
        elif word in MANY_VALUES:
            at += 1
            while at < len(arguments) and not _is_option(arguments[at]):
                at += 1
        elif word in MAYBE_VALUE and at < len(arguments) and not _is_option(arguments[at]):
            at += 1
        yield word, arguments[start + 1 : at], arguments[start:at]


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _letters(option: str) -> list[str]:
    """The options in a bundle of short ones: `-pc` is `-p -c`."""
    if option.startswith("--"):
        return [option]
    letters = []
    for letter in option[1:]:
        letters.append(f"-{letter}")
        if letter in _SHORT_WITH_VALUE:
            break
    return letters
