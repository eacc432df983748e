"""Golden files: the complete output of a command, in both languages.

`CCC_GOLDEN=write make test` rewrites them. Review the diff afterwards.
"""

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path

DIRECTORY = Path(__file__).parent.parent / "golden"
# read before a test can change the environment
_WRITE = os.environ.get("CCC_GOLDEN") == "write"
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def check_golden(name: str, printed: str, replaced: Mapping[str, str] | None = None) -> None:
    """Compare the output with `tests/golden/<name>`.

    `replaced` maps a regular expression to a placeholder for text that differs between runs.
    """
    text = _COLOUR.sub("", printed)
    for pattern, placeholder in (replaced or {}).items():
        text = re.sub(pattern, placeholder, text)
    text = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    file = DIRECTORY / name
    if _WRITE:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    expected = file.read_text("utf-8") if file.exists() else ""
    differences = difflib.unified_diff(expected.splitlines(), text.splitlines(), name, "printed")
    assert text == expected, "\n".join(differences)
