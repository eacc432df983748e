"""A launch as a value: what will be executed, with which arguments, environment and directory."""

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.claude.formats.arguments import Reading


@dataclass(frozen=True, slots=True)
class Plan:
    """What `execve` gets."""

    argv: tuple[str, ...]
    env: "Mapping[str, str]"
    cwd: str


def launch(
    binary: str,
    always: "Reading",
    reading: "Reading",
    env: "Mapping[str, str]",
    cwd: str,
    settings_file: str,
    new_session: str,
) -> Plan:
    """Become claude: `claude_args`, our flags, then the user's arguments as they are.

    Ours stand in between, so that an option with many values in `claude_args` ends there.

    `new_session` is empty where the id was inherited: it may be in use already.
    """
    if reading.subcommand:
        return Plan((binary, *reading.rest), env, cwd)
    ours = [*always.rest, "--settings", settings_file]
    if new_session and not (reading.chooses_session or always.chooses_session):
        ours += ["--session-id", new_session]
    return Plan((binary, *ours, *reading.rest), env, cwd)


def agent(
    binary: str,
    always: "Reading",
    given: tuple[str, ...],
    env: "Mapping[str, str]",
    cwd: str,
    settings_file: str,
    session: tuple[str, ...],
    budget: float | None = None,
) -> Plan:
    """A claude that works without a person; `session` are the arguments that choose one.

    `budget` is what this process may spend, in dollars; an option of the user's own wins.
    """
    argv = [binary, "--print", "--verbose", "--include-partial-messages"]
    argv += ["--input-format", "stream-json", "--output-format", "stream-json"]
    argv += ["--max-budget-usd", f"{budget:.6f}"] if budget is not None else []
    argv += [*always.rest, "--settings", settings_file, *session, *given]
    return Plan(tuple(argv), env, cwd)


def review(
    binary: str,
    env: "Mapping[str, str]",
    cwd: str,
    settings_file: str,
    *,
    fork_of: str = "",
    shaping: tuple[str, ...] = (),
    model: str = "",
    effort: str = "",
    schema: str = "",
) -> Plan:
    """A claude that judges: a fork that leaves no session behind, or a fresh session."""
    argv = [binary, "--print", "--verbose"]
    argv += ["--input-format", "stream-json", "--output-format", "stream-json"]
    argv += ["--no-session-persistence", "--settings", settings_file]
    argv += ["--permission-mode", "dontAsk"]
    if fork_of:
        argv += ["--resume", fork_of, "--fork-session", *shaping]
    for option, value in (("--model", model), ("--effort", effort), ("--json-schema", schema)):
        argv += [option, value] if value else []
    return Plan(tuple(argv), env, cwd)
