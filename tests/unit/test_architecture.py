"""The layers hold: imports point downwards, and the fast commands import little."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import ccc

ROOT = Path(ccc.__file__).parent

# What each layer may import of ccc; `commands` may import everything.
ALLOWED = {
    "errors": {"words"},
    "words": {"words"},
    "terminal": set(),
    "private": set(),
    "columns": {"terminal"},
    "display": {"terminal"},
    "telling": {"domain", "terminal", "words"},
    "renderer": {"domain", "terminal", "words"},
    "page": {"domain", "telling", "terminal", "words", "page"},
    "failure": {"errors", "terminal", "words"},
    "cli": {"failure"},
    "domain": {"errors", "domain"},
    "storage": {"errors", "private", "terminal", "domain", "storage"},
    "claude": {"errors", "private", "domain", "claude"},
    "project": {"errors", "private", "domain", "claude", "project"},
    "supervisor": {"errors", "domain", "supervisor"},
    "probe": {"domain", "probe"},
    "scripted": {"scripted"},
    "demo": {
        "errors",
        "words",
        "terminal",
        "display",
        "renderer",
        "domain",
        "storage",
        "claude",
        "scripted",
        "demo",
    },
}
NO_SUBPROCESS = {"claude/process.py", "claude/short.py"}
NO_EFFECTS = {"subprocess", "socket", "shutil", "tempfile", "threading", "time", "os", "pathlib"}

# Modules that each fast command imports over the bare interpreter, ours left out.
BUDGET = {
    ("--version",): set(),
    ("supervisor-hook",): set(),
    ("status",): {"time"},
    ("statusline",): {"time", "fcntl"},
    ("kimi", "-p", "hi"): {
        "json",
        "dataclasses",
        "re",
        "fcntl",
        "shlex",
        "time",
        "errno",
        "signal",
    },
}
NEVER = {
    "genai_prices",
    "pydantic",
    "typing",
    "subprocess",
    "logging",
    "argparse",
    "asyncio",
    "pathlib",
    "tempfile",
    "uuid",
}


def modules() -> list[Path]:
    """Every module of the package."""
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The dotted names that a module imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downwards(path: Path) -> None:
    """A module imports only what its layer may know."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    layer = parts[0]
    if layer in ("commands", "__init__"):
        return
    used = {name.split(".")[1] for name in imports(path) if name.startswith("ccc.")}
    inner = {p.stem for p in ROOT.iterdir()}
    assert used & inner <= ALLOWED[layer], path


@pytest.mark.parametrize("path", sorted((ROOT / "domain").glob("*.py")), ids=lambda p: p.stem)
def test_domain_is_pure(path: Path) -> None:
    """No file, process, clock or environment is within reach of a decision."""
    assert not {name.split(".")[0] for name in imports(path)} & NO_EFFECTS


def test_one_place_starts_processes() -> None:
    """Only two modules use subprocess or exec."""
    users = {
        str(path.relative_to(ROOT))
        for path in modules()
        if "subprocess" in imports(path) or "os.exec" in path.read_text()
    }
    assert users == NO_SUBPROCESS


@pytest.mark.parametrize("words", BUDGET, ids=" ".join)
def test_import_budget(words: tuple[str, ...], tmp_path: Path) -> None:
    """A fast command imports no more than its budget, and none of the heavy modules."""
    loaded_by(words, tmp_path)  # the first launch installs, and may import more
    loaded, bare = loaded_by(words, tmp_path), loaded_by((), tmp_path)
    # Python 3.13's dataclasses bring typing along
    added = {name.split(".")[0] for name in loaded - bare} - _brought_along(BUDGET[words])
    assert not added & NEVER
    direct = added & {*sys.stdlib_module_names}
    assert not {name for name in direct if not name.startswith("_")} - BUDGET[words]


def test_import_budget_of_a_stop_that_is_off(tmp_path: Path) -> None:
    """Also where there is a state to be read, the hook needs no module besides."""
    state = tmp_path / "home" / ".claude" / "ccc" / "supervisor-s.json"
    state.parent.mkdir(parents=True)
    state.write_text('{"session_id": "s", "enabled": false, "count": 0}')
    loaded = loaded_by(("supervisor-hook",), tmp_path, CCC_SUPERVISOR_ID="s")
    added = loaded - loaded_by((), tmp_path)
    assert not {name for name in added & {*sys.stdlib_module_names} if name[0] != "_"}
    assert "ccc.commands.stop" not in added


def _brought_along(names: set[str]) -> set[str]:
    """What the budget's own modules import in turn."""
    lines = [f"import {name}" for name in names]
    code = "; ".join([*lines, "import sys, json", "print(json.dumps(sorted(sys.modules)))"])
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True)
    return {name.split(".")[0] for name in json.loads(done.stdout)}


def loaded_by(words: tuple[str, ...], tmp_path: Path, **env: str) -> set[str]:
    """The modules in memory when the command is done, or when it becomes claude."""
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    config = home / ".claude" / "ccc.json"
    if not config.exists():
        config.write_text('{"providers": {"kimi": {}}}')
    code = (
        "import sys, os\n"
        "def show(*_): os.write(1, repr(sorted(sys.modules)).encode()); os._exit(0)\n"
        "os.execve = show\n"
        f"sys.argv = [{str(Path(sys.executable).parent / 'ccc')!r}, *{list(words)!r}]\n"
    )
    if words:
        code += "from ccc import cli\ncli.main()\n"
    code += "show()\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "en_US.UTF-8", **env},
    )
    found: set[str] = set(ast.literal_eval(done.stdout[done.stdout.index("[") :]))
    return found
