"""The permission rules for an unattended agent, and the handling of denied calls."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ccc.model.state import RunState
from ccc.text import lenient_json, shell

LEVELS = SANDBOX, EDIT, ALL = "sandbox", "edit", "all"
"""The permission levels of an unattended agent."""
BYPASS = "bypassPermissions"

# the most telling arguments of a call; the first one present is used
_ARGUMENTS = ("command", "file_path", "notebook_path", "url", "query", "path", "description")
_EDITORS = ("Edit", "MultiEdit", "NotebookEdit", "Write")
# questions and plans wait for a user, and no rule can allow them
_NO_PERMISSION = _ASK, _PLAN = "AskUserQuestion", "ExitPlanMode"
_SUBCOMMAND = re.compile(r"[a-z][\w:-]*")
_RULE = re.compile(r"[A-Za-z][\w-]*(\(.+\))?|mcp__[\w-]+__\*", re.DOTALL)
_SECOND_RULE = re.compile(r"(?<!\\)\)[\s,]+([A-Z]\w*\(|mcp__)")
_HOST = re.compile(r"https?://(?:[^/@]*@)?([\w.-]+)")
# ccc offers a pattern only for these, never for commands that may run, delete or reach anything
_INSTALLERS = ("bun", "cargo", "go", "npm", "pip", "pip3", "pnpm", "poetry", "uv", "yarn")
_INSTALLS = ("add", "ci", "fetch", "get", "i", "install", "sync")
# a rule for the whole also applies to a compound command with a pipe inside
_COMPOUND = re.compile(r"\s*(for|while|until|if|case|\{)\s|[\s\S]*<<")
ANYTHING = "-- --permission-mode bypassPermissions"
"""The option that allows calls for which there is no rule."""


class Call(Struct, frozen=True):
    """A denied call: the tool and its most telling argument."""

    tool: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.tool}({self.what})" if self.what else self.tool


def parse_denials(listed: object) -> tuple[Call, ...]:
    """Return the distinct calls in the `permission_denials` of claude's result."""
    calls = (
        Call(str(denial.get("tool_name")), _argument(lenient_json.mapping(denial, "tool_input")))
        for denial in lenient_json.mappings(listed)
    )
    return tuple(dict.fromkeys(call for call in calls if call.tool not in _NO_PERMISSION))


def _argument(arguments: Mapping[str, object]) -> str:
    values = (arguments.get(name) for name in _ARGUMENTS)
    return next((value.strip() for value in values if isinstance(value, str)), "")


def read_question(event: Mapping[str, object]) -> tuple[str, str]:
    """Return what a PermissionRequest asks: `permission`, `question` or `plan`, and the text."""
    tool, given = lenient_json.text(event, "tool_name"), lenient_json.mapping(event, "tool_input")
    if tool == _ASK:
        questions = lenient_json.mappings(given, "questions")
        return "question", " ".join(lenient_json.text(each, "question") for each in questions)
    if tool == _PLAN:
        return "plan", ""
    return "permission", str(Call(tool, _argument(given)))


def parse(text: str) -> Call:
    """Parse a call from its `str` form."""
    tool, bracket, rest = text.partition("(")
    return Call(tool, rest.removesuffix(")") if bracket else "")


def for_agent(
    level: str, has_sandbox: bool, checks: Iterable[str], allow: Sequence[str]
) -> dict[str, object]:
    """Return claude's permission settings for the agent of a run.

    In the sandbox every command is allowed. Running one outside needs a separate rule, because
    claude doesn't count `Bash(*)` as one. Checks run outside, as they do when ccc runs them.
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
            # without a sandbox, the rule above would allow everything everywhere
            "failIfUnavailable": True,
            "excludedCommands": outside,
        },
    }


def rules_for(call: Call) -> list[str]:
    """Return the rules that would have allowed the call, or none if claude has no rule for it."""
    if call.tool == "Bash":
        return _rules_for_command(call.what) if call.what else ["Bash"]
    if call.tool in (*_EDITORS, "Read") and call.what.startswith("/"):
        tool = "Edit" if call.tool in _EDITORS else "Read"
        return [f"{tool}(/{_escape(call.what)})"]
    if call.tool == "WebFetch" and (host := _HOST.match(call.what)):
        return [f"WebFetch(domain:{host[1]})"]
    return [call.tool]


def options_for(calls: Iterable[Call]) -> str:
    """Return the options of `ccc run` that allow the calls."""
    rules = [rules_for(call) for call in calls]
    if not all(rules):
        return ANYTHING
    unique = dict.fromkeys(rule for some in rules for rule in some)
    return " ".join(f"--allow {shlex.quote(rule)}" for rule in unique)


class Denials(Struct, frozen=True):
    """The calls denied in the turn that ended, and in the one before it."""

    now: tuple[Call, ...] = ()
    before: tuple[Call, ...] = ()
    message: str = ""  # the message to the user about them

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return all distinct calls."""
        return tuple(dict.fromkeys((*self.now, *self.before)))

    @property
    def is_repeated(self) -> bool:
        """Return whether the agent was denied the same kind of call again."""
        needed = {need for call in self.before for need in _needs(call)}
        return any(need in needed for call in self.now for need in _needs(call))


def denials_of(run: RunState) -> Denials:
    """Return the calls that were denied in the last two turns of a run."""
    return Denials(tuple(map(parse, run.denied)), tuple(map(parse, run.denied_before)))


def is_rule(text: str) -> bool:
    """Return whether the text has the form of a rule: a tool, perhaps with parentheses."""
    return _RULE.fullmatch(text) is not None and not _SECOND_RULE.search(text)


def level_of(chosen: str, mode: str, users: Mapping[str, object]) -> str:
    """Return the level of the arguments, of ccc.json or of the mode in the user's settings."""
    if mode == BYPASS:
        return ALL
    own_mode = lenient_json.text(users, "permissions", "defaultMode")
    return chosen or (ALL if own_mode == BYPASS else SANDBOX)


def _rules_for_check(check: str) -> list[str]:
    """Return the rules for a check and for its parts, which agents often run separately.

    A command with a `*` gets no rule, because claude treats the star as a wildcard.
    """
    texts = dict.fromkeys([check.strip(), *shell.parts(check)])
    return [_rule(text) for text in texts if text and "*" not in text]


def _rules_for_command(command: str) -> list[str]:
    """Return the rules for the commands that claude asks about, and for files outside the project.

    Measured: claude asks about each command of a pipeline, and about anything else as a whole.
    """
    is_pipeline = not _COMPOUND.match(command)
    parts = (shell.parts(command, shell.PIPE) if is_pipeline else []) or [command]
    # a rule for the whole command includes its `cd`
    files = [file for file in shell.files(command) if file.program != "cd" or len(parts) > 1]
    elsewhere = [file for file in files if re.match(r"~|/(?!dev/)|\.\.", file.path)]
    if shell.is_unnamable(command) or any(map(_is_unclear, elsewhere)):
        return []
    paths = (file.path if file.path.startswith("~") else f"/{file.path}" for file in elsewhere)
    rules = [f"{f.tool}({_escape(path)})" for f, path in zip(elsewhere, paths, strict=True)]
    return list(dict.fromkeys([*map(_rule_or_pattern, parts), *rules]))


def _is_unclear(file: shell.NamedFile) -> bool:
    """Return whether no rule can cover what claude asks about the path."""
    is_home = file.path.startswith("~") and not file.program
    is_glob = file.tool == "Edit" and re.search(r"[*?\[]", file.path)
    return file.path.startswith("..") or is_home or bool(is_glob)


def _rule_or_pattern(command: str) -> str:
    """Return the rule for exactly this command, or for any installation of its kind."""
    words = command.split()
    is_simple = len(shell.parts(command)) == 1 and "$(" not in command and "`" not in command
    program = words[0].rpartition("/")[2]
    if is_simple and program in _INSTALLERS and " ".join(words[1:2]) in _INSTALLS:
        return _rule(f"{words[0]} {words[1]} *")
    if "*" not in command:
        return _rule(command)
    # measured: an escaped star is literal only in a rule that also has a wildcard
    literal = _escape(command).replace("*", "\\*")
    return f"Bash({literal}*)"


def _needs(call: Call) -> list[str]:
    """Return what the call needs, roughly: a program's arguments make no difference."""
    if call.tool != "Bash":
        return rules_for(call)
    return [_program(part) for part in shell.parts(call.what)] or [call.what]


def _program(command: str) -> str:
    """Return the program and its subcommand."""
    words = command.split()
    is_sub = len(words) > 1 and _SUBCOMMAND.fullmatch(words[1])
    return " ".join(words[: 2 if is_sub else 1])


def _rule(command: str) -> str:
    return f"Bash({_escape(command)})"


def _escape(text: str) -> str:
    """Escape the text for a rule, which ends with a parenthesis."""
    return re.sub(r"[\\()]", r"\\\g<0>", text)


def _command(rule: str) -> str:
    """Return the command of a Bash rule for `excludedCommands`, where a star is a wildcard."""
    match = re.fullmatch(r"Bash\((.+)\)", rule, re.DOTALL)
    if not match or match[1] == "*" or "\\*" in match[1]:
        return ""
    return re.sub(r"\\([\\()])", r"\1", match[1])
