"""The paths of all files; imports nothing slow, because the hook's first stage needs it."""

import os
import sys
from collections.abc import Callable, Mapping

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


def _of_session(name: str) -> Callable[..., str]:
    """Make a method that returns the path of a session's file, or of one of several."""

    def path(self: "Paths", session: str, part: object = "") -> str:
        return os.path.join(self.state_dir, name.format(session, part))

    return path


class Paths:
    """The paths of ccc's files, claude's files (`claude_dir`) and session files (`state_dir`)."""

    def __init__(self, environ: Mapping[str, str], state_dir: str = "") -> None:
        self.config_dir = config_directory(environ)
        self.claude_dir = claude_directory(environ)
        self.state_dir = state_dir or state_directory(environ)
        self.config = os.path.join(self.config_dir, "ccc.json")
        self.settings = os.path.join(self.claude_dir, "settings.json")
        """The user's own, which every claude reads."""
        self.prompt = os.path.join(self.config_dir, "SUPERVISOR.md")
        """The user's."""
        self.ledger = os.path.join(self.config_dir, "ccc", "ledger.json")
        """The files that ccc has written."""
        self.web_key = os.path.join(self.state_dir, "web-key")
        """The key with which `ccc web` signs cookies."""
        self.invocation_log = os.path.join(self.state_dir, "hook-invocation.log")
        self.cases = os.path.join(self.state_dir, "cases")
        """The user's own, for `ccc eval`."""
        both = {os.path.join(each, "ccc") for each in (self.config_dir, self.claude_dir)}
        self.locks = tuple(sorted(both))
        """The directories to lock before changing these files, always in the same order."""

    state = _of_session("supervisor-{}.json")
    verdicts = _of_session("supervisor-{}-verdicts.jsonl")
    agent_output = _of_session("supervisor-{}-agent.jsonl")  # an unattended agent's raw output
    agent_errors = _of_session("supervisor-{}-agent-stderr.log")
    review_output = _of_session("supervisor-{}-output.jsonl")  # the reviewer's raw output
    review_errors = _of_session("supervisor-{}-stderr.log")
    run_output = _of_session("supervisor-{}-run.log")  # what a run in the background has printed
    session_reviewer_settings = _of_session("settings-{}-supervisor.json")
    feedback = _of_session("supervisor-{}-feedback-{}.md")  # too long to send; by number
    long_text = _of_session("supervisor-{}-text-{}.txt")  # too long for the state; by name
    check_output = _of_session("supervisor-{}-check-{}.log")  # the latest; by number
    session_settings = _of_session("settings-{}-{}.json")
    """The agent's settings merged with the user's --settings; by process."""

    def agent_settings(self, provider: str) -> str:
        """Return the path of the agent's --settings file."""
        return os.path.join(self.config_dir, f"settings-{provider}.json")

    def reviewer_settings(self, provider: str) -> str:
        """Return the path of the reviewer's --settings file."""
        return os.path.join(self.config_dir, f"settings-{provider}-supervisor.json")

    def slash_command(self, name: str) -> str:
        """Return the path of a slash command."""
        return os.path.join(self.claude_dir, "commands", f"{name}.md")

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


def own_program() -> str:
    """Return the absolute path of the ccc executable, keeping symlinks so it survives upgrades."""
    beside = os.path.join(os.path.dirname(sys.executable), "ccc")
    argv0 = sys.argv[0]
    for candidate in (os.path.abspath(argv0), os.path.realpath(argv0), beside):
        is_program = os.path.isfile(candidate) and os.access(candidate, os.X_OK)
        if is_program and os.path.basename(candidate) == "ccc":
            return candidate
    raise CccError("program.unknown", file=argv0)
