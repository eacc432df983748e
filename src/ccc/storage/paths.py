"""Where everything is."""

import os
import sys
from dataclasses import dataclass

from ccc.errors import CccError
from ccc.storage import directories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Paths:
    """Our directory, claude's (the same unless CCC_CONFIG_DIR says otherwise), the state's."""

    config_dir: str
    claude_dir: str
    state_dir: str

    @property
    def config(self) -> str:
        """ccc.json."""
        return os.path.join(self.config_dir, "ccc.json")

    @property
    def settings(self) -> str:
        """The user's own settings.json, which every claude reads."""
        return os.path.join(self.claude_dir, "settings.json")

    @property
    def prompt(self) -> str:
        """The user's SUPERVISOR.md."""
        return os.path.join(self.config_dir, "SUPERVISOR.md")

    @property
    def ledger(self) -> str:
        """What we own in claude's directory and ours."""
        return os.path.join(self.config_dir, "ccc", "ledger.json")

    @property
    def locks(self) -> tuple[str, ...]:
        """The directories that a change of these files locks, in one order for everybody."""
        both = {os.path.join(d, "ccc") for d in (self.config_dir, self.claude_dir)}
        return tuple(sorted(both))

    @property
    def invocation_log(self) -> str:
        """The log of the Stop hook."""
        return os.path.join(self.state_dir, "hook-invocation.log")

    def agent_settings(self, provider: str) -> str:
        """What the agent's claude gets with --settings."""
        return os.path.join(self.config_dir, f"settings-{provider}.json")

    def reviewer_settings(self, provider: str) -> str:
        """What the reviewer's claude gets with --settings."""
        return os.path.join(self.config_dir, f"settings-{provider}-supervisor.json")

    def session_settings(self, session: str, pid: int) -> str:
        """The agent's settings with a --settings of the user's folded in, for one process."""
        return os.path.join(self.state_dir, f"settings-{session}-{pid}.json")

    def review_errors(self, session: str) -> str:
        """What the reviewer wrote on stderr."""
        return os.path.join(self.state_dir, f"supervisor-{session}-stderr.log")

    def verdicts(self, session: str) -> str:
        """The verdicts of a session, one a line."""
        return os.path.join(self.state_dir, f"supervisor-{session}-verdicts.jsonl")

    def feedback(self, session: str, iteration: int) -> str:
        """A feedback that was too long to be given whole."""
        return os.path.join(self.state_dir, f"supervisor-{session}-feedback-{iteration}.md")

    def check_output(self, session: str, number: int) -> str:
        """What a check printed the last time."""
        return os.path.join(self.state_dir, f"supervisor-{session}-check-{number}.log")

    def session_reviewer_settings(self, session: str) -> str:
        """The reviewer's settings where a session has some of its own."""
        return os.path.join(self.state_dir, f"settings-{session}-supervisor.json")

    def slash_command(self, name: str) -> str:
        """A slash command's file."""
        return os.path.join(self.claude_dir, "commands", f"{name}.md")

    def state(self, session: str) -> str:
        """A session's state."""
        return os.path.join(self.state_dir, f"supervisor-{session}.json")

    def agent_output(self, session: str) -> str:
        """The raw output of an unattended agent."""
        return os.path.join(self.state_dir, f"supervisor-{session}-agent.jsonl")

    def agent_errors(self, session: str) -> str:
        """What an unattended agent wrote on stderr."""
        return os.path.join(self.state_dir, f"supervisor-{session}-agent-stderr.log")

    def review_output(self, session: str) -> str:
        """The reviewer's raw output of a session."""
        return os.path.join(self.state_dir, f"supervisor-{session}-output.jsonl")


def find(environ: "Mapping[str, str]") -> Paths:
    """The directories that the environment names."""
    return Paths(
        directories.of_config(environ),
        directories.of_claude(environ),
        directories.of_state(environ),
    )


def records(where: Paths, session: str) -> dict[str, str]:
    """The files that a session is on record in, by what they are."""
    return {
        "state": where.state(session),
        "hook": where.invocation_log,
        "agent": where.agent_output(session),
        "reviews": where.review_output(session),
        "verdicts": where.verdicts(session),
    }


def shown(path: str) -> str:
    """The path as it is shown: the home is ~, which is shorter and names nobody."""
    home = os.path.expanduser("~").rstrip("/")
    inside = home and (path == home or path.startswith(home + "/"))
    return "~" + path[len(home) :] if inside else path


def own_program(argv0: str) -> str:
    """The absolute path of the ccc program: a link stays a link, so that upgrades keep it."""
    beside = os.path.join(os.path.dirname(sys.executable), "ccc")
    for candidate in (os.path.abspath(argv0), os.path.realpath(argv0), beside):
        if (
            os.path.basename(candidate) == "ccc"
            and os.path.isfile(candidate)
            and os.access(candidate, os.X_OK)
        ):
            return candidate
    raise CccError("program.unknown", hint="program.hint", file=argv0)
