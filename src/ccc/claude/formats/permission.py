"""What an unattended agent may do, as rules that claude reads, and what a denied call leads to."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ccc.config.schema import LEVELS
from ccc.text import json_path, shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.supervision.policy import Decision

SANDBOX, EDIT, ALL = LEVELS
BYPASS = "bypassPermissions"

# the argument that says most about a call, the first that is there
_ARGUMENTS = ("command", "file_path", "notebook_path", "url", "query", "path", "description")
_EDITORS = ("Edit", "MultiEdit", "NotebookEdit", "Write")
# a question or a plan waits for a user, and no rule answers it
_NO_PERMISSION = ("AskUserQuestion", "ExitPlanMode")
_SUBCOMMAND = re.compile(r"[a-z][\w:-]*")
_RULE = re.compile(r"[A-Za-z][\w-]*(\(.+\))?|mcp__[\w-]+__\*", re.DOTALL)
_SECOND_RULE = re.compile(r"(?<!\\)\)[\s,]+([A-Z]\w*\(|mcp__)")
_HOST = re.compile(r"https?://(?:[^/@]*@)?([\w.-]+)")
# of these, but of nothing that may run, delete or reach anything, ccc offers more than the call
_INSTALLERS = ("bun", "cargo", "go", "npm", "pip", "pip3", "pnpm", "poetry", "uv", "yarn")
_INSTALLS = ("add", "ci", "fetch", "get", "i", "install", "sync")
# a rule for the whole holds for a compound command with a pipe inside, too
_COMPOUND = re.compile(r"\s*(for|while|until|if|case|\{)\s|[\s\S]*<<")
ANYTHING = "-- --permission-mode bypassPermissions"
"""The option that allows what no rule does."""


@dataclass(frozen=True, slots=True)
class Call:
    """A denied call: the tool, and the argument that says most."""

    tool: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.tool}({self.what})" if self.what else self.tool


def parse_denials(listed: object) -> tuple[Call, ...]:
    """The calls in `permission_denials` of claude's result, each once."""
    calls = (
        Call(str(denial.get("tool_name")), _argument(json_path.mapping(denial, "tool_input")))
        for denial in json_path.mappings(listed)
    )
    return tuple(dict.fromkeys(call for call in calls if call.tool not in _NO_PERMISSION))


def _argument(arguments: Mapping[str, object]) -> str:
    values = (arguments.get(name) for name in _ARGUMENTS)
    return next((value.strip() for value in values if isinstance(value, str)), "")


def parse(text: str) -> Call:
    """The call that was written with `str`."""
    tool, bracket, rest = text.partition("(")
    return Call(tool, rest.removesuffix(")") if bracket else "")


def for_agent(
    level: str, has_sandbox: bool, checks: Iterable[str], allow: Sequence[str]
) -> dict[str, object]:
    """Claude's settings for the agent of a run.

    In the sandbox every command is allowed, but leaving it needs a rule of its own: claude takes
    `Bash(*)` for none. The checks run outside, as ccc runs them outside, too.
    """
    own = (rule for check in checks for rule in _rules_for_check(check))
    rules = list(dict.fromkeys([*own, *allow]))
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
    """The rules that would have allowed the call; none if claude has no rule for it."""
    if call.tool == "Bash":
        return _rules_for_command(call.what) if call.what else ["Bash"]
    if call.tool in (*_EDITORS, "Read") and call.what.startswith("/"):
        tool = "Edit" if call.tool in _EDITORS else "Read"
        return [f"{tool}(/{_escape(call.what)})"]
    if call.tool == "WebFetch" and (host := _HOST.match(call.what)):
        return [f"WebFetch(domain:{host[1]})"]
    return [call.tool]


def options_for(calls: Iterable[Call]) -> str:
    """The options of `ccc run` that allow the calls."""
    rules = [rules_for(call) for call in calls]
    if not all(rules):
        return ANYTHING
    unique = dict.fromkeys(rule for some in rules for rule in some)
    return " ".join(f"--allow {shlex.quote(rule)}" for rule in unique)


@dataclass(frozen=True, slots=True)
class Denials:
    """The calls denied in the turn that ended, and in the one before it."""

    now: tuple[Call, ...] = ()
    before: tuple[Call, ...] = ()
    said: str = ""
    """What the user is told about them."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((*self.now, *self.before)))

    @property
    def is_repeated(self) -> bool:
        """Whether the agent needed again what it had been denied."""
        needed = {need for call in self.before for need in _needs(call)}
        return any(need in needed for call in self.now for need in _needs(call))


def apply_denials(decision: "Decision", denials: Denials) -> "Decision":
    """The decision, unless the agent can't continue because a permission is missing.

    One denial that the agent may work around is no reason to end: it takes the same one again, or
    a run that is stuck.
    """
    is_stuck = decision.outcome == "stuck" and bool(denials.calls)
    is_repeated = decision.outcome == "not_completed" and denials.is_repeated
    if is_stuck or is_repeated:
        return replace(decision, allowed=True, outcome="needs_user", feedback=denials.said)
    return decision


def is_rule(text: str) -> bool:
    """Whether the text has the form of a rule: a tool, or a tool with something in brackets."""
    return _RULE.fullmatch(text) is not None and not _SECOND_RULE.search(text)


def level_of(chosen: str, mode: str, users: Mapping[str, object]) -> str:
    """The level in force: by the arguments, by ccc.json, by the mode in the user's settings."""
    if mode == BYPASS:
        return ALL
    own_mode = json_path.text(users, "permissions", "defaultMode")
    return chosen or (ALL if own_mode == BYPASS else SANDBOX)


def _rules_for_check(check: str) -> list[str]:
    """The rules for a check and for its parts, which agents like to run alone.

    One with a `*` gets none: to claude that means any text.
    """
    texts = dict.fromkeys([check.strip(), *shell.parts(check)])
    return [_rule(text) for text in texts if text and "*" not in text]


def _rules_for_command(command: str) -> list[str]:
    """The rules for what claude asks about in a command, and for files elsewhere.

    Measured: claude asks for each command of a pipeline, and for everything else as a whole.
    """
    is_pipeline = not _COMPOUND.match(command)
    parts = (shell.parts(command, shell.PIPE) if is_pipeline else []) or [command]
    # a rule for the whole has its `cd` in it
    files = [file for file in shell.files(command) if file.program != "cd" or len(parts) > 1]
    elsewhere = [file for file in files if re.match(r"~|/(?!dev/)|\.\.", file.path)]
    if shell.is_unnamable(command) or any(map(_is_unclear, elsewhere)):
        return []
    paths = (file.path if file.path.startswith("~") else f"/{file.path}" for file in elsewhere)
    rules = [f"{f.tool}({_escape(path)})" for f, path in zip(elsewhere, paths, strict=True)]
    return list(dict.fromkeys([*map(_rule_or_pattern, parts), *rules]))


def _is_unclear(file: shell.File) -> bool:
    """Whether claude asks more about the path than a rule can say."""
    is_home = file.path.startswith("~") and not file.program
    is_glob = file.tool == "Edit" and re.search(r"[*?\[]", file.path)
    return file.path.startswith("..") or is_home or bool(is_glob)


def _rule_or_pattern(command: str) -> str:
    """The rule for a command: exactly it, or any installation of that kind."""
    words = command.split()
    is_simple = len(shell.parts(command)) == 1 and "$(" not in command and "`" not in command
    program = words[0].rpartition("/")[2]
    if is_simple and program in _INSTALLERS and " ".join(words[1:2]) in _INSTALLS:
        return _rule(f"{words[0]} {words[1]} *")
    if "*" not in command:
        return _rule(command)
    # measured: an escaped star is a star only in a rule that has a wildcard, too
    literal = _escape(command).replace("*", "\\*")
    return f"Bash({literal}*)"


def _needs(call: Call) -> list[str]:
    """What the call needs, roughly: the same program with other arguments is the same need."""
    if call.tool != "Bash":
        return rules_for(call)
    return [_program(part) for part in shell.parts(call.what)] or [call.what]


def _program(command: str) -> str:
    """The program and its subcommand."""
    words = command.split()
    is_sub = len(words) > 1 and _SUBCOMMAND.fullmatch(words[1])
    return " ".join(words[: 2 if is_sub else 1])


def _rule(command: str) -> str:
    return f"Bash({_escape(command)})"


def _escape(text: str) -> str:
    """The text as a rule has it, which ends with a bracket."""
    return re.sub(r"[\\()]", r"\\\g<0>", text)


def _command(rule: str) -> str:
    """The command of a Bash rule for a list of commands, where a star is a wildcard."""
    match = re.fullmatch(r"Bash\((.+)\)", rule, re.DOTALL)
    if not match or match[1] == "*" or "\\*" in match[1]:
        return ""
    return re.sub(r"\\([\\()])", r"\1", match[1])
