"""The slash commands /supervisor and /supervisoroff as claude really runs them."""

import re

NAMES = {"supervisor": "on", "supervisoroff": "off"}

_DESCRIPTIONS = {"on": "Enable supervisor mode", "off": "Disable supervisor mode"}


def text(name: str, ccc: str) -> str:
    """The command file; the command stands alone on its line, or claude would not run it."""
    switch = NAMES[name]
    program = f'"{ccc}"' if any(c.isspace() for c in ccc) else ccc
    return (
        "---\n"
        f"description: {_DESCRIPTIONS[switch]}\n"
        f"allowed-tools: Bash({program} supervisor-mode:*)\n"
        "---\n"
        f"!`{program} supervisor-mode {switch}`\n"
        "\n"
        "$ARGUMENTS\n"
    )


def is_ours(name: str, content: str) -> bool:
    """Whether the file is one that a ccc wrote: with another path, or in the ancestor's form."""
    switch = NAMES[name]
    program = r'("[^"\n]*ccc"|[^\s"]*ccc)'
    ours = (
        rf"---\ndescription: {_DESCRIPTIONS[switch]}\n"
        rf"allowed-tools: Bash\({program} supervisor-mode:\*\)\n---\n"
        rf"!`{program} supervisor-mode {switch}`\n\n\$ARGUMENTS\n?"
    )
    ancestor = (
        rf"---\ndescription: {_DESCRIPTIONS[switch]}\n---\n"
        rf"\$ARGUMENTS!`ccc supervisor-mode {switch}`\n?"
    )
    return bool(re.fullmatch(f"{ours}|{ancestor}", content))
