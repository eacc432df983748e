"""How claude is started, as a value: its arguments, environment and directory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.claude.formats.arguments import Reading

_STREAMS = ("--input-format", "stream-json", "--output-format", "stream-json")


@dataclass(frozen=True, slots=True)
class Plan:
    """What `execve` gets."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claude:
    """A claude that can be started for different purposes."""

    program: str
    env: Mapping[str, str]
    cwd: str
    settings_file: str

    def launch(self, base: "Reading", given: "Reading", new_session: str) -> Plan:
        """For the user: `claude_args`, ccc's options, then the user's arguments as they are.

        An option with many values in `claude_args` ends at ccc's. `new_session` is empty if the id
        was inherited: it may be in use already.
        """
        if given.subcommand:
            return self._plan(*given.rest)
        is_new = new_session and not (given.chooses_session or base.chooses_session)
        session = ("--session-id", new_session) if is_new else ()
        return self._plan(*base.rest, "--settings", self.settings_file, *session, *given.rest)

    def agent(
        self, base: "Reading", given: Sequence[str], session: Sequence[str], budget: float | None
    ) -> Plan:
        """For work without a user; `session` are the arguments that choose one.

        `budget` is what this process may spend, in dollars; the user's own option wins.
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
        """For a review: a fork that leaves no session, or a fresh session."""
        argv = ["--print", "--verbose", *_STREAMS, "--no-session-persistence"]
        argv += ["--settings", self.settings_file, "--permission-mode", "dontAsk"]
        argv += ["--resume", fork_of, "--fork-session", *shaping] if fork_of else []
        for option, value in (("--model", model), ("--effort", effort), ("--json-schema", schema)):
            argv += [option, value] if value else []
        return self._plan(*argv)

    def _plan(self, *arguments: str) -> Plan:
        return Plan((self.program, *arguments), self.env, self.cwd)
