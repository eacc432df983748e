"""The modules of ccc, without the small projects that `ccc eval` judges."""

from pathlib import Path

import ccc

PACKAGE = Path(ccc.__file__).parent
CASES = PACKAGE / "evaluation" / "cases"


def modules() -> list[Path]:
    """Return every module of the package."""
    return sorted(path for path in PACKAGE.rglob("*.py") if CASES not in path.parents)
