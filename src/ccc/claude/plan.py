"""A launch as a value: what will be executed, with which arguments, environment and directory."""

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.claude.arguments import Reading


@dataclass(frozen=True, slots=True)
class Plan:
    """What `execve` gets."""

    argv: tuple[str, ...]
    env: "Mapping[str, str]"
    cwd: str


def launch(
    binary: str,
    reading: "Reading",
    env: "Mapping[str, str]",
    cwd: str,
    settings_file: str,
    new_session: str,
) -> Plan:
    """Become claude: our flags first, then the user's arguments as they are.

    `new_session` is empty where the id was inherited: it may be in use already.
    """
    ours: list[str] = []
    if not reading.subcommand:
        ours += ["--settings", settings_file]
        if new_session and not reading.chooses_session:
            ours += ["--session-id", new_session]
    return Plan((binary, *ours, *reading.rest), env, cwd)
