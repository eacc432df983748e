"""Build claude's command line, with its environment and directory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ccc.claude.formats.arguments import Reading

_STREAMS = ("--input-format", "stream-json", "--output-format", "stream-json")


@dataclass(frozen=True, slots=True)
class Plan:
    """The arguments for `execve`, and the working directory."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claude:
    """A claude that can be started for a user, for an agent or for a review."""

    program: str
    env: Mapping[str, str]
    cwd: str
    settings_file: str

    def launch(self, base: Reading, given: Reading, new_session: str) -> Plan:
        """Plan a launch: `claude_args`, ccc's options, then the user's arguments unchanged.

        ccc's options end a multi-value option in `claude_args`. `new_session` is empty if the id
        was inherited, because it may already be in use.
        """
        if given.subcommand:
            return self._plan(*given.rest)
        is_new = new_session and not (given.chooses_session or base.chooses_session)
        session = ("--session-id", new_session) if is_new else ()
        return self._plan(*base.rest, "--settings", self.settings_file, *session, *given.rest)

    def agent(
        self, base: Reading, given: Sequence[str], session: Sequence[str], budget: float | None
    ) -> Plan:
        """Plan an unattended agent. `session` holds the arguments that choose the session.

        `budget` is what this process may spend, in dollars. The user's own option overrides it.
        """
        argv = ["--print", "--verbose", "--include-partial-messages", *_STREAMS]
        argv += ["--max-budget-usd", f"{budget:.6f}"] if budget is not None else []
        return self._plan(*argv, *base.rest, "--settings", self.settings_file, *session, *given)

    def review(
        self,
        *,
        fork_of: str = "",
        shaping: Sequence[str] = (),
        model: str = "",
        effort: str = "",
        schema: str = "",
    ) -> Plan:
        """Plan a review in a fork or a fresh session, neither of which is saved."""
        argv = ["--print", "--verbose", *_STREAMS, "--no-session-persistence"]
        argv += ["--settings", self.settings_file, "--permission-mode", "dontAsk"]
        argv += ["--resume", fork_of, "--fork-session", *shaping] if fork_of else []
        for option, value in (("--model", model), ("--effort", effort), ("--json-schema", schema)):
            argv += [option, value] if value else []
        return self._plan(*argv)

    def _plan(self, *arguments: str) -> Plan:
        return Plan((self.program, *arguments), self.env, self.cwd)
