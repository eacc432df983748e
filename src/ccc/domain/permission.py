"""What an unattended agent may do, as rules that claude reads, and what a denied call leads to."""

import re
import shlex
from dataclasses import dataclass

from ccc.domain.policy import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SANDBOX, EDIT, ALL = "sandbox", "edit", "all"
LEVELS = (SANDBOX, EDIT, ALL)
BYPASS = "bypassPermissions"

# the argument that says most of a call, by the names that claude's tools give it
_TELLING = ("command", "file_path", "notebook_path", "url", "query", "path", "description")
_EDITORS = ("Edit", "MultiEdit", "NotebookEdit", "Write")
# a question or a plan waits for a person, and no rule answers it
_NO_PERMISSION = ("AskUserQuestion", "ExitPlanMode")
_SUBCOMMAND = re.compile(r"[a-z][\w:-]*")
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]|&(?!\d|>)")
_RULE = re.compile(r"[A-Za-z][\w-]*(\(.+\))?", re.DOTALL)
_HOST = re.compile(r"https?://(?:[^/@]*@)?([\w.-]+)")
_LONGEST_RULE = 300


@dataclass(frozen=True, slots=True)
class Unattended:
    """`run` in ccc.json: what the agent of `ccc run` may do."""

    permissions: str = ""
    """One of `LEVELS`; empty where nobody has chosen yet."""
    allow: tuple[str, ...] = ()
    """Further rules, in claude's own form."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was denied: the tool, and the argument that says most."""

    tool: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.tool}({self.what})" if self.what else self.tool


def denied(listed: object) -> tuple[Call, ...]:
    """The calls in `permission_denials` of claude's result, each once."""
    found = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    calls = (_call(str(each.get("tool_name")), each.get("tool_input")) for each in found)
    return tuple(dict.fromkeys(call for call in calls if call.tool not in _NO_PERMISSION))


def _call(tool: str, given: object) -> Call:
    arguments = given if isinstance(given, dict) else {}
    said = (arguments.get(name) for name in _TELLING)
    return Call(tool, next((text.strip() for text in said if isinstance(text, str)), ""))


def parse(text: str) -> Call:
    """The call that was written with `str`."""
    tool, bracket, rest = text.partition("(")
    return Call(tool, rest.removesuffix(")") if bracket else "")


def for_agent(
    level: str, has_sandbox: bool, checks: "Iterable[str]", allow: "Sequence[str]"
) -> dict[str, object]:
    """Claude's settings for the agent of a run.

    In the sandbox every command is allowed, but leaving it needs a rule of its own: claude takes
    `Bash(*)` for none. The checks run outside, as ccc runs them outside, too.
    """
    rules = [*dict.fromkeys([*(rule for check in checks for rule in _exact(check)), *allow])]
    mode = BYPASS if level == ALL else "acceptEdits"
    if level != SANDBOX or not has_sandbox:
        return {"permissions": {"defaultMode": mode, "allow": rules}}
    outside = [command for command in map(_command, rules) if command]
    return {
        "permissions": {"defaultMode": mode, "allow": ["Bash(*)", *rules]},
        "sandbox": {
            "enabled": True,
            "autoAllowBashIfSandboxed": True,
            # without a sandbox the rule above would allow everything everywhere
            "failIfUnavailable": True,
            "excludedCommands": outside,
        },
    }


def rules_for(call: Call) -> list[str]:
    """The rules that would have allowed the call."""
    if call.tool == "Bash":
        parts = _parts(call.what)
        if not parts or len(parts) > 4 or "\n" in call.what:
            # too much to name part by part
            return [_rule(call.what)] if 0 < len(call.what) <= _LONGEST_RULE else ["Bash"]
        return list(dict.fromkeys(_rule(_pattern(part)) for part in parts))
    if call.tool in _EDITORS and call.what.startswith("/"):
        return [f"Edit(/{_escaped(call.what)})"]
    if call.tool == "Read" and call.what.startswith("/"):
        return [f"Read(/{_escaped(call.what)})"]
    if call.tool == "WebFetch" and (host := _HOST.match(call.what)):
        return [f"WebFetch(domain:{host[1]})"]
    return [call.tool]


def options_for(calls: "Iterable[Call]") -> str:
    """The options of `ccc run` that allow the calls."""
    rules = dict.fromkeys(rule for call in calls for rule in rules_for(call))
    return " ".join(f"--allow {shlex.quote(rule)}" for rule in rules)


@dataclass(frozen=True, slots=True)
class Denials:
    """The calls that were denied in the turn that ended, and in the one before it."""

    now: tuple[Call, ...] = ()
    before: tuple[Call, ...] = ()
    said: str = ""
    """What the person is told of them."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((*self.now, *self.before)))

    @property
    def repeated(self) -> bool:
        """Whether the agent needed again what it had been denied."""
        needed = {rule for call in self.before for rule in rules_for(call)}
        return any(rule in needed for call in self.now for rule in rules_for(call))


def settled(decision: Decision, denials: Denials) -> Decision:
    """The decision, unless it is a missing permission that keeps the agent from getting on.

    One denial that the agent may work around is no reason to end: it takes the same one again, or
    a run that is stuck.
    """
    is_stuck = decision.why == "stop.stuck" and bool(denials.calls)
    is_repeated = decision.why == "stop.not_completed" and denials.repeated
    if is_stuck or is_repeated:
        return Decision(True, "stop.needs_user", denials.said)
    return decision


def is_rule(text: str) -> bool:
    """Whether the text has the form of a rule: a tool, or a tool with something in brackets."""
    return _RULE.fullmatch(text) is not None


def level_of(chosen: str, mode: str, users: "Mapping[str, object]") -> str:
    """The level in force: what the arguments say, what ccc.json says, what the user's mode says."""
    if mode == BYPASS:
        return ALL
    if chosen:
        return chosen
    own = users.get("permissions")
    is_free = isinstance(own, dict) and own.get("defaultMode") == BYPASS
    return ALL if is_free else SANDBOX


def _exact(check: str) -> list[str]:
    """The rules for a check: as it stands, and for its parts, which an agent likes to run alone."""
    return [_rule(text) for text in dict.fromkeys([check.strip(), *_parts(check)]) if text]


def _parts(command: str) -> list[str]:
    """The simple commands of a command line; none where its quotes don't match."""
    parts, start, quote, at = [], 0, "", 0
    while at < len(command):
        character = command[at]
        if character == "\\" and quote != "'":
            at += 2
            continue
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif found := _SEPARATOR.match(command, at):
            if command[max(0, at - 1)] != ">":
                parts.append(command[start:at])
                start = found.end()
            at = found.end()
            continue
        at += 1
    parts.append(command[start:])
    return [] if quote else [text for part in parts if (text := part.strip(" \t()"))]


def _pattern(command: str) -> str:
    """The program and its subcommand, with anything after them."""
    words = command.split()
    if "=" in words[0] or "`" in command or "$(" in command:
        return command
    is_sub = len(words) > 1 and _SUBCOMMAND.fullmatch(words[1])
    return " ".join([*words[: 2 if is_sub else 1], "*"])


def _rule(command: str) -> str:
    return f"Bash({_escaped(command)})"


def _escaped(text: str) -> str:
    """The text as it stands in a rule, which is closed by a bracket."""
    return re.sub(r"[\\()]", r"\\\g<0>", text)


def _command(rule: str) -> str:
    """The command of a Bash rule, as a list of commands has it."""
    found = re.fullmatch(r"Bash\((.+)\)", rule, re.DOTALL)
    return re.sub(r"\\([\\()])", r"\1", found[1]) if found and found[1] != "*" else ""
