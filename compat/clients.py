"""The versions of claude to test, fetched from npm into a directory outside the tree."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.util import find_spec
from pathlib import Path

from ccc.claude import capabilities

PACKAGE = "@anthropic-ai/claude-code"
OLDER = ("2.1.304", "2.1.300", "2.1.280", "2.1.250", "2.1.225", capabilities.OLDEST)
"""Beside the newest version and the one in claude-agent-sdk."""
_SECONDS = 900


def cache() -> Path:
    """Return the directory of the clients: COMPAT_CLIENTS, or one in the user's cache."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ccc-compat"
    return Path(os.environ.get("COMPAT_CLIENTS") or usual).absolute()


def newest() -> str:
    """Return the newest version on npm."""
    return str(json.loads(_npm("view", PACKAGE, "version", "--json")))


def bundled() -> tuple[str, Path]:
    """Return the version and the path of the claude in claude-agent-sdk."""
    spec = find_spec("claude_agent_sdk")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "_bundled" / "claude"
    printed = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    return printed.stdout.split()[0], path


def fetch(version: str) -> Path:
    """Return the path of a claude of that version; its directory has the version's name."""
    claude = cache() / version / "claude"
    own, path = bundled()
    if not claude.exists() and version == own:
        claude.parent.mkdir(parents=True, exist_ok=True)
        claude.symlink_to(path)
    elif not claude.exists():
        _download(version, claude)
    return claude


def _download(version: str, claude: Path) -> None:
    print(f"fetching {version}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as directory:
        packed = _npm("pack", "--silent", f"{PACKAGE}-{_platform()}@{version}", cwd=directory)
        with tarfile.open(Path(directory, packed.split()[-1])) as archive:
            archive.extract("package/claude", directory, filter="data")
        claude.parent.mkdir(parents=True, exist_ok=True)
        partial = claude.with_suffix(".partial")
        shutil.move(Path(directory, "package", "claude"), partial)
    partial.chmod(0o755)
    partial.rename(claude)


def _platform() -> str:
    system = {"Linux": "linux", "Darwin": "darwin"}[platform.system()]
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
    return f"{system}-{machine[platform.machine().lower()]}"


def _npm(*arguments: str, cwd: str = "/") -> str:
    """Run npm with the user's configuration and return its output."""
    command = ["npm", *arguments]
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=True, timeout=_SECONDS
    )
    return done.stdout.strip()
