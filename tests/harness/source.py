"""The modules of ccc, without the projects and the Inspect task that `ccc eval` only copies."""

from pathlib import Path

import ccc

PACKAGE = Path(ccc.__file__).parent
COPIED = {PACKAGE / "evaluation" / name for name in ("cases", "inspect")}


def modules() -> list[Path]:
    """Return every module of the package."""
    return sorted(path for path in PACKAGE.rglob("*.py") if not COPIED & {*path.parents})


def copied() -> list[Path]:
    """Return the files that are copied and never imported."""
    files = (path for place in COPIED for path in place.rglob("*") if path.is_file())
    return sorted(path for path in files if "__pycache__" not in path.parts)
