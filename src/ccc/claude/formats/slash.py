"""The slash commands /supervisor and /supervisoroff."""

import re
import shlex

NAMES = {"supervisor": "on", "supervisoroff": "off"}
THIS_SESSION = "--this-session"
"""Selects the session that runs the command; without it, the user must name one."""

_DESCRIPTIONS = {
    "on": {"en": "Enable supervisor mode", "zh": "开启监督（完成之前不停止）"},
    "off": {"en": "Disable supervisor mode", "zh": "关闭监督"},
}
# besides letters and digits
_PLAIN = frozenset("_./+@%:,~-")
_EARLIER = {"on": "启用 Supervisor 模式（完成之前不停止）", "off": "关闭 Supervisor 模式"}
_HINTS = {"on": {"en": "[task]", "zh": "[任务]"}, "off": {}}


def text(name: str, ccc: str, language: str = "en") -> str:
    """Return the command file's text. Claude runs a command only if it is alone on its line."""
    switch = NAMES[name]
    command = f"supervisor-mode {switch} {THIS_SESSION}"
    program, pattern = _program(ccc)
    hint = _HINTS[switch].get(language, "")
    return (
        "---\n"
        f"description: {_DESCRIPTIONS[switch][language]}\n"
        + (f'argument-hint: "{hint}"\n' if hint else "")
        # otherwise claude offers it to the model as a skill
        + "disable-model-invocation: true\n"
        f"allowed-tools: Bash({pattern} {command})\n"
        "---\n"
        f"!`{program} {command}`\n"
        "\n"
        "$ARGUMENTS\n"
    )


def _program(ccc: str) -> tuple[str, str]:
    """Return ccc's path for the shell, and for the rule that lets claude run it.

    The rule applies for the whole turn, so it allows only this one switch: the agent must not be
    able to turn supervision off with it. Claude compares it with the command's text, but only for
    plain paths and paths with spaces. Any other path needs a wider rule.
    """
    special = {character for character in ccc if not character.isalnum()}
    if special <= _PLAIN:
        return ccc, ccc
    if special <= {*_PLAIN, " "}:
        return f'"{ccc}"', f'"{ccc}"'
    return shlex.quote(ccc), "*/ccc*"


def is_ours(name: str, content: str) -> bool:
    """Return whether ccc wrote the file, even with another path, language or earlier format."""
    switch = NAMES[name]
    known = (*_DESCRIPTIONS[switch].values(), _EARLIER[switch])
    described = "|".join(map(re.escape, known))
    hinted = "|".join(map(re.escape, _HINTS[switch].values()))
    program = r"""("[^"\n]*ccc"|'[^\n]*ccc'|[^\s"']*ccc|\*/ccc\*)"""
    command = f"{switch}( {THIS_SESSION})?"
    ours = (
        rf"---\ndescription: ({described})\n"
        rf'(argument-hint: "({hinted})"\n)?(disable-model-invocation: true\n)?'
        rf"allowed-tools: Bash\({program} supervisor-mode(:\*| \*| {command})\)\n---\n"
        rf"!`{program} supervisor-mode {command}`\n\n\$ARGUMENTS\n?"
    )
    ancestor = (
        rf"---\ndescription: {_DESCRIPTIONS[switch]['en']}\n---\n"
        rf"\$ARGUMENTS!`ccc supervisor-mode {switch}`\n?"
    )
    return bool(re.fullmatch(f"{ours}|{ancestor}", content))
