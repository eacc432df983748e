"""Options and variables of claude's that take away what supervision needs.

Measured on 2.1.325, and held by tests on the real client: `e2e/test_facts_obstacles.py`.
"""

from collections.abc import Mapping, Sequence

from ccc.claude.formats.arguments import values_of

HOOKS, COMMAND, RECORD = "hooks", "command", "record"
"""What is lost: hooks, so no stop is judged; the slash command, so /supervisor is plain text; the
record of the session, so no reviewer can be forked from it."""

OPTIONS = {
    "--bare": HOOKS,
    "--safe-mode": HOOKS,
    "--restricted": COMMAND,
    "--disable-slash-commands": COMMAND,
    "--no-session-persistence": RECORD,
}
VARIABLES = {
    "CLAUDE_CODE_SIMPLE": HOOKS,
    "CLAUDE_CODE_SAFE_MODE": HOOKS,
    "CLAUDE_CODE_RESTRICTED": COMMAND,
    "CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG": COMMAND,
    "CLAUDE_CODE_SKIP_PROMPT_HISTORY": RECORD,
}
_YES = ("1", "true", "yes", "on")
_SHELL = "Bash"


def find(arguments: Sequence[str], env: Mapping[str, str]) -> dict[str, str]:
    """Return the options and variables in use that are obstacles, and what each takes away."""
    enabled = {name for name in VARIABLES if env.get(name, "").strip().casefold() in _YES}
    known = {**OPTIONS, **VARIABLES}
    found = {word: known[word] for word in known if word in arguments or word in enabled}
    return found | dict.fromkeys(_hiding_command(arguments), COMMAND)


def _hiding_command(arguments: Sequence[str]) -> list[str]:
    """Return the options whose values hide ccc's command file, or the shell that it needs."""
    hiding = []
    sources = values_of("--setting-sources", arguments)
    if sources and "user" not in _words(sources[-1:]):
        hiding.append("--setting-sources")
    tools = values_of("--tools", arguments)
    if tools and not {_SHELL, "default"} & _words(tools):
        hiding.append("--tools")
    for option in ("--disallowedTools", "--disallowed-tools"):
        if _SHELL in _words(values_of(option, arguments)):
            hiding.append(option)
    return hiding


def _words(values: Sequence[str]) -> set[str]:
    return {word for value in values for word in value.replace(",", " ").split()}
