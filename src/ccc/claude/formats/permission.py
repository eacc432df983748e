"""What an unattended agent may do, as rules that claude reads, and what a denied call leads to."""

import re
import shlex
from dataclasses import dataclass, replace

from ccc.config.schema import LEVELS
from ccc.text import shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ccc.supervision.policy import Decision

SANDBOX, EDIT, ALL = LEVELS
BYPASS = "bypassPermissions"

# the argument that says most of a call, by the names that claude's tools give it
_TELLING = ("command", "file_path", "notebook_path", "url", "query", "path", "description")
_EDITORS = ("Edit", "MultiEdit", "NotebookEdit", "Write")
# a question or a plan waits for a person, and no rule answers it
_NO_PERMISSION = ("AskUserQuestion", "ExitPlanMode")
_SUBCOMMAND = re.compile(r"[a-z][\w:-]*")
_RULE = re.compile(r"[A-Za-z][\w-]*(\(.+\))?|mcp__[\w-]+__\*", re.DOTALL)
_SECOND_RULE = re.compile(r"(?<!\\)\)[\s,]+([A-Z]\w*\(|mcp__)")
_HOST = re.compile(r"https?://(?:[^/@]*@)?([\w.-]+)")
# of these, and of nothing that may run, delete or reach anything, more than the call is offered
_INSTALLERS = ("bun", "cargo", "go", "npm", "pip", "pip3", "pnpm", "poetry", "uv", "yarn")
_INSTALLS = ("add", "ci", "fetch", "get", "i", "install", "sync")
# a rule for the whole holds where a compound command has a pipe inside, too
_COMPOUND = re.compile(r"\s*(for|while|until|if|case|\{)\s|[\s\S]*<<")
ANYTHING = "-- --permission-mode bypassPermissions"
"""The option that allows what no rule does."""


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
    """The rules that would have allowed the call; none where claude has no rule for such a one."""
    if call.tool == "Bash":
        return _for_command(call.what) if call.what else ["Bash"]
    if call.tool in _EDITORS and call.what.startswith("/"):
        return [f"Edit(/{_escaped(call.what)})"]
    if call.tool == "Read" and call.what.startswith("/"):
        return [f"Read(/{_escaped(call.what)})"]
    if call.tool == "WebFetch" and (host := _HOST.match(call.what)):
        return [f"WebFetch(domain:{host[1]})"]
    return [call.tool]


def options_for(calls: "Iterable[Call]") -> str:
    """The options of `ccc run` that allow the calls."""
    rules = [rules_for(call) for call in calls]
    if not all(rules):
        return ANYTHING
    each = dict.fromkeys(rule for some in rules for rule in some)
    return " ".join(f"--allow {shlex.quote(rule)}" for rule in each)


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
        needed = {need for call in self.before for need in _needs(call)}
        return any(need in needed for call in self.now for need in _needs(call))


def settled(decision: "Decision", denials: Denials) -> "Decision":
    """The decision, unless it is a missing permission that keeps the agent from getting on.

    One denial that the agent may work around is no reason to end: it takes the same one again, or
    a run that is stuck.
    """
    is_stuck = decision.outcome == "stuck" and bool(denials.calls)
    is_repeated = decision.outcome == "not_completed" and denials.repeated
    if is_stuck or is_repeated:
        return replace(decision, allowed=True, outcome="needs_user", feedback=denials.said)
    return decision


def is_rule(text: str) -> bool:
    """Whether the text has the form of a rule: a tool, or a tool with something in brackets."""
    return _RULE.fullmatch(text) is not None and not _SECOND_RULE.search(text)


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
    """The rules for a check: as it stands, and for its parts, which an agent likes to run alone.

    One with a `*` gets none: claude would take it for any text.
    """
    texts = dict.fromkeys([check.strip(), *shell.parts(check)])
    return [_rule(text) for text in texts if text and "*" not in text]


def _for_command(command: str) -> list[str]:
    """The rules for a command: for what claude wants approved, and for files elsewhere.

    Measured: claude asks for each command of a pipeline, and for everything else as a whole.
    """
    is_pipeline = not _COMPOUND.match(command)
    parts = (shell.parts(command, shell.PIPE) if is_pipeline else []) or [command]
    # a rule for the whole has its `cd` in it
    files = [each for each in shell.files(command) if each.program != "cd" or len(parts) > 1]
    elsewhere = [each for each in files if re.match(r"~|/(?!dev/)|\.\.", each.path)]
    if shell.is_unnamable(command) or any(map(_is_unclear, elsewhere)):
        return []
    rules = [f"{each.tool}({_root(each.path)})" for each in elsewhere]
    return list(dict.fromkeys([*map(_offer, parts), *rules]))


def _is_unclear(file: shell.File) -> bool:
    """Whether claude wants to know more of the path than a rule can say."""
    is_home = file.path.startswith("~") and not file.program
    is_glob = file.tool == "Edit" and re.search(r"[*?\[]", file.path)
    return file.path.startswith("..") or is_home or bool(is_glob)


def _root(path: str) -> str:
    """An absolute path as a rule has it."""
    return _escaped(path if path.startswith("~") else f"/{path}")


def _offer(command: str) -> str:
    """The rule for a command: exactly it, or any installation of that kind."""
    words = command.split()
    is_simple = len(shell.parts(command)) == 1 and "$(" not in command and "`" not in command
    program = words[0].rpartition("/")[2]
    if is_simple and program in _INSTALLERS and " ".join(words[1:2]) in _INSTALLS:
        return _rule(f"{words[0]} {words[1]} *")
    if "*" not in command:
        return _rule(command)
    # measured: an escaped star is a star only in a rule that has a wildcard, too
    literal = _escaped(command).replace("*", "\\*")
    return f"Bash({literal}*)"


def _needs(call: Call) -> list[str]:
    """What the call needs, roughly: the same program with other arguments is the same need."""
    if call.tool != "Bash":
        return rules_for(call)
    return [_pattern(part) for part in shell.parts(call.what)] or [call.what]


def _pattern(command: str) -> str:
    """The program and its subcommand."""
    words = command.split()
    is_sub = len(words) > 1 and _SUBCOMMAND.fullmatch(words[1])
    return " ".join(words[: 2 if is_sub else 1])


def _rule(command: str) -> str:
    return f"Bash({_escaped(command)})"


def _escaped(text: str) -> str:
    """The text as it stands in a rule, which is closed by a bracket."""
    return re.sub(r"[\\()]", r"\\\g<0>", text)


def _command(rule: str) -> str:
    """The command of a Bash rule, as a list of commands has it; a star there is a wildcard."""
    found = re.fullmatch(r"Bash\((.+)\)", rule, re.DOTALL)
    if not found or found[1] == "*" or "\\*" in found[1]:
        return ""
    return re.sub(r"\\([\\()])", r"\1", found[1])
