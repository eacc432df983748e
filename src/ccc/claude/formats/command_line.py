"""Build claude's command line, with its environment and directory."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ccc.claude.formats.arguments import Reading

_STREAMS = ("--input-format", "stream-json", "--output-format", "stream-json")


class Plan(Struct, frozen=True):
    """How to start a claude: its program and arguments, its environment and its directory."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str


def launch(settings_file: str, base: Reading, given: Reading, new_session: str) -> tuple[str, ...]:
    """Return the arguments of a launch: `claude_args`, ccc's own, then the user's unchanged.

    ccc's options end a multi-value option in `claude_args`. `new_session` is empty if the id was
    inherited, because it may already be in use.
    """
    if given.subcommand:
        return given.rest
    is_new = new_session and not (given.chooses_session or base.chooses_session)
    session = ("--session-id", new_session) if is_new else ()
    return (*base.rest, "--settings", settings_file, *session, *given.rest)


def agent(
    settings_file: str,
    base: Reading,
    given: Sequence[str],
    session: Sequence[str],
    budget: float | None,
) -> tuple[str, ...]:
    """Return the arguments of an unattended agent. `session` holds those that choose the session.

    `budget` is what this process may spend, in dollars. The user's own option overrides it.
    """
    argv = ["--print", "--verbose", "--include-partial-messages", *_STREAMS]
    argv += ["--max-budget-usd", f"{budget:.6f}"] if budget is not None else []
    return (*argv, *base.rest, "--settings", settings_file, *session, *given)


def review(
    settings_file: str,
    *,
    fork_of: str = "",
    shaping: Sequence[str] = (),
    model: str = "",
    effort: str = "",
    schema: str = "",
) -> tuple[str, ...]:
    """Return the arguments of a review in a fork or a fresh session, neither of which is saved."""
    argv = ["--print", "--verbose", *_STREAMS, "--no-session-persistence"]
    argv += ["--settings", settings_file, "--permission-mode", "dontAsk"]
    argv += ["--resume", fork_of, "--fork-session", *shaping] if fork_of else []
    for option, value in (("--model", model), ("--effort", effort), ("--json-schema", schema)):
        argv += [option, value] if value else []
    return tuple(argv)
