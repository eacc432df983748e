"""`make docs`: generate docs/cli.md and docs/cli.zh-CN.md from the commands' help."""

import os
from pathlib import Path

from ccc import words
from ccc.command_table import COMMANDS
from ccc.ui.arguments import usage

DOCS = Path(__file__).parent
FILES = {"en": "cli.md", "zh": "cli.zh-CN.md"}
HEADS = {
    "en": "# Commands\n\n[中文](cli.zh-CN.md)\n\n"
    "Made by `make docs` from what `ccc help` and `ccc help COMMAND` print.",
    "zh": "# 命令\n\n[English](cli.md)\n\n"
    "由 `make docs` 根据 `ccc help` 和 `ccc help 命令` 的输出生成。",
}


def page(language: str) -> str:
    """Return the reference in a language: the help, then each command in the help's order."""
    words.use({"CCC_LANG": language})
    try:
        overview = words.say("help.usage", version="").replace("ccc ", "ccc", 1)
        order = sorted({*COMMANDS} - {"help"}, key=lambda name: overview.index(f"\n  {name} "))
        parts = [HEADS[language], _block(overview)]
        for command in order:
            parts += [f"## ccc {command}", _block(usage(command))]
    finally:
        words.use(os.environ)
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    return f"```text\n{text.strip()}\n```"


if __name__ == "__main__":
    for language, name in FILES.items():
        (DOCS / name).write_text(page(language), "utf-8")
