"""The checks that a project has by itself: its Makefile, its scripts, its test runner."""

import os
import re

from ccc.text import jsontext

# a rule, and no `test := 1`, `test ::= 1`; its targets are words of one line
_RULE = re.compile(r"^([^\s:=#][^:=#\n]*?)[ \t]*::?(?![:=])", re.MULTILINE)
_DEFINITION = re.compile(r"^ *define\b.*?^ *endef\b", re.MULTILINE | re.DOTALL)
_RUNNERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
_PYTEST = re.compile(r"^\[tool\.pytest|^\[tool:pytest\]|^\[pytest\]", re.MULTILINE)
_LARGEST = 1_000_000


def find(directory: str) -> list[str]:
    """The commands that check the project in the directory; a Makefile speaks for all of it."""
    return _of_make(directory) or [
        *_of_node(directory),
        *_of_python(directory),
        *(["cargo test"] if _is_there(directory, "Cargo.toml") else []),
        *(["go test ./..."] if _is_there(directory, "go.mod") else []),
    ]


def _of_make(directory: str) -> list[str]:
    names = ("GNUmakefile", "makefile", "Makefile")
    text = next((text for name in names if (text := _text(directory, name))), "")
    rules = _RULE.findall(_DEFINITION.sub("", text))
    targets = {target for rule in rules for target in rule.split()}
    tests = [f"make {name}" for name in ("test", "check") if name in targets][:1]
    return tests + (["make lint"] if "lint" in targets else [])


def _of_node(directory: str) -> list[str]:
    package = jsontext.object_in(_text(directory, "package.json")) or {}
    scripts = package.get("scripts")
    known = scripts if isinstance(scripts, dict) else {}
    runner = next((r for file, r in _RUNNERS.items() if _is_there(directory, file)), "npm")
    # what `npm init` writes is no test
    tests = "test" in known and "no test specified" not in str(known["test"])
    found = [f"{runner} run test" if runner == "bun" else f"{runner} test"] if tests else []
    return found + ([f"{runner} run lint"] if "lint" in known else [])


def _of_python(directory: str) -> list[str]:
    files = ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
    configured = any(_PYTEST.search(_text(directory, name)) for name in files)
    if not configured and not _has_tests(os.path.join(directory, "tests")):
        return []
    return ["uv run pytest" if _is_there(directory, "uv.lock") else "pytest"]


def _has_tests(directory: str) -> bool:
    try:
        names = os.listdir(directory)
    except OSError:
        return False
    return any(name.startswith("test_") and name.endswith(".py") for name in names)


def _is_there(directory: str, name: str) -> bool:
    return os.path.isfile(os.path.join(directory, name))


def _text(directory: str, name: str) -> str:
    """The text of a file of the project; empty where it can't be had, as that of a pipe."""
    if not _is_there(directory, name):
        return ""
    try:
        with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST)
    except OSError:
        return ""
