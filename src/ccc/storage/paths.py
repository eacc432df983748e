"""The paths of all files; imports nothing slow, because the hook's first stage needs it."""

import os
import sys
from collections.abc import Mapping

from ccc.errors import CccError


def claude_directory(environ: Mapping[str, str]) -> str:
    """Return the directory of claude's settings and commands."""
    return _absolute(environ.get("CLAUDE_CONFIG_DIR") or os.path.join("~", ".claude"))


def config_directory(environ: Mapping[str, str]) -> str:
    """Return the directory of ccc.json."""
    own = environ.get("CCC_CONFIG_DIR")
    return _absolute(own) if own else claude_directory(environ)


def state_directory(environ: Mapping[str, str]) -> str:
    """Return the directory of session states and logs."""
    work = environ.get("CCC_WORK_DIR")
    return os.path.join(_absolute(work) if work else config_directory(environ), "ccc")


def _absolute(path: str) -> str:
    expanded = os.path.expanduser(path)
    if expanded.startswith("~"):
        # the home directory is unknown, and `~` would become a directory of that name
        raise CccError("home.unknown", path=path)
    return os.path.abspath(expanded)


class Paths:
    """The paths of ccc's files, claude's files (`claude_dir`) and session files (`state_dir`)."""

    __slots__ = ("claude_dir", "config_dir", "state_dir")

    def __init__(self, environ: Mapping[str, str], state_dir: str = "") -> None:
        self.config_dir = config_directory(environ)
        self.claude_dir = claude_directory(environ)
        self.state_dir = state_dir or state_directory(environ)

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
        """The ledger of the files that ccc has written."""
        return os.path.join(self.config_dir, "ccc", "ledger.json")

    @property
    def web_key(self) -> str:
        """The key with which `ccc web` signs cookies."""
        return os.path.join(self.state_dir, "web-key")

    @property
    def locks(self) -> tuple[str, ...]:
        """The directories to lock before changing these files, always in the same order."""
        both = {os.path.join(d, "ccc") for d in (self.config_dir, self.claude_dir)}
        return tuple(sorted(both))

    @property
    def invocation_log(self) -> str:
        """The log of the Stop hook."""
        return os.path.join(self.state_dir, "hook-invocation.log")

    @property
    def cases(self) -> str:
        """The directory of the user's own cases for `ccc eval`."""
        return os.path.join(self.state_dir, "cases")

    def agent_settings(self, provider: str) -> str:
        """Return the path of the agent's --settings file."""
        return os.path.join(self.config_dir, f"settings-{provider}.json")

    def reviewer_settings(self, provider: str) -> str:
        """Return the path of the reviewer's --settings file."""
        return os.path.join(self.config_dir, f"settings-{provider}-supervisor.json")

    def session_settings(self, session: str, pid: int) -> str:
        """Return the path of one process's agent settings merged with the user's --settings."""
        return os.path.join(self.state_dir, f"settings-{session}-{pid}.json")

    def review_errors(self, session: str) -> str:
        """Return the path of the reviewer's stderr."""
        return os.path.join(self.state_dir, f"supervisor-{session}-stderr.log")

    def verdicts(self, session: str) -> str:
        """Return the path of a session's verdicts, one per line."""
        return os.path.join(self.state_dir, f"supervisor-{session}-verdicts.jsonl")

    def feedback(self, session: str, number: int) -> str:
        """Return the path of the file for feedback that was too long to send."""
        return os.path.join(self.state_dir, f"supervisor-{session}-feedback-{number}.md")

    def long_text(self, session: str, name: str) -> str:
        """Return the path of a text that is too long for the session's state."""
        return os.path.join(self.state_dir, f"supervisor-{session}-text-{name}.txt")

    def check_output(self, session: str, number: int) -> str:
        """Return the path of a check's latest output."""
        return os.path.join(self.state_dir, f"supervisor-{session}-check-{number}.log")

    def session_reviewer_settings(self, session: str) -> str:
        """Return the path of the reviewer's settings for one session."""
        return os.path.join(self.state_dir, f"settings-{session}-supervisor.json")

    def slash_command(self, name: str) -> str:
        """Return the path of a slash command."""
        return os.path.join(self.claude_dir, "commands", f"{name}.md")

    def state(self, session: str) -> str:
        """Return the path of a session's state."""
        return os.path.join(self.state_dir, f"supervisor-{session}.json")

    def agent_output(self, session: str) -> str:
        """Return the path of an unattended agent's raw output."""
        return os.path.join(self.state_dir, f"supervisor-{session}-agent.jsonl")

    def agent_errors(self, session: str) -> str:
        """Return the path of an unattended agent's stderr."""
        return os.path.join(self.state_dir, f"supervisor-{session}-agent-stderr.log")

    def run_output(self, session: str) -> str:
        """Return the path of what a run in the background has printed."""
        return os.path.join(self.state_dir, f"supervisor-{session}-run.log")

    def review_output(self, session: str) -> str:
        """Return the path of the reviewer's raw output for a session."""
        return os.path.join(self.state_dir, f"supervisor-{session}-output.jsonl")

    def records(self, session: str) -> dict[str, str]:
        """Return the paths of a session's records by kind."""
        return {
            "state": self.state(session),
            "hook": self.invocation_log,
            "agent": self.agent_output(session),
            "reviews": self.review_output(session),
            "verdicts": self.verdicts(session),
        }


def display_path(path: str) -> str:
    """Return the path as shown to users, with ~ for the home directory."""
    home = os.path.expanduser("~").rstrip("/")
    inside = home and (path == home or path.startswith(home + "/"))
    return "~" + path[len(home) :] if inside else path


def own_program(argv0: str) -> str:
    """Return the absolute path of the ccc executable, keeping symlinks so it survives upgrades."""
    beside = os.path.join(os.path.dirname(sys.executable), "ccc")
    for candidate in (os.path.abspath(argv0), os.path.realpath(argv0), beside):
        is_program = os.path.isfile(candidate) and os.access(candidate, os.X_OK)
        if is_program and os.path.basename(candidate) == "ccc":
            return candidate
    raise CccError("program.unknown", file=argv0)
