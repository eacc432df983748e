"""Why a check can't run, found out without running it, and compared with running it."""

import os
import subprocess
from pathlib import Path

import pytest

from ccc.project import check_obstacles

FILES = {
    "Makefile": "all: prepare\n\techo\nlint fmt: all\n\ttrue\n.PHONY: test-all\n",
    "script.sh": "#!/bin/sh\nexit 0\n",
    "plain.sh": "exit 0\n",
    "perl.pl": "#!/no/such/perl\n",
    "sub/package.json": '{"scripts": {"lint": "true"}}',
    "sub/deep/file": "",
    "more/Makefile": "include other.mk\n",
    "pattern/Makefile": "te%: all\n\ttrue\n",
    "built/Makefile": "all:\n",
    "built/hello.sh": "true",
    "folder/Makefile": "all:\n",
    "folder/test/file": "",
    "just/justfile": "set shell := ['sh']\n@lint path='.':\n  true\n",
}
MISSING = {
    "make test": "Makefile has no `test`",
    "make lint test": "Makefile has no `test`",
    "cd sub && make test": "Makefile is missing",
    "cd sub && make": "Makefile is missing",
    "cd nowhere && make test": "there is no directory",
    "cd built && make test && true": "Makefile has no `test`",
    "CI=1 make test": "Makefile has no `test`",
    "no-such-program-of-ccc --all": "there is no program `no-such-program-of-ccc`",
    "./missing.sh": "./missing.sh is missing",
    "./plain.sh": "./plain.sh isn't executable",
    "./perl.pl": "./perl.pl needs /no/such/perl, which is missing",
    "sh missing.sh": "missing.sh is missing",
    "/no/such/program": "/no/such/program is missing",
}
# found in the same way, but the program may be missing here
ELSEWHERE = {
    "cd sub && npm test": "package.json has no `test`",
    "cd sub/deep && npm run test": "package.json has no `test`",
    "npm test": "package.json is missing",
    "cd just && just test": "justfile has no `test`",
    "cargo test": "Cargo.toml is missing",
}
MAY_RUN = (
    *("make", "make lint", "make fmt all", "make -f other.mk test", "make test | cat"),
    *("make all X=1", "cd more && make test", "cd pattern && make test", "cd built && make hello"),
    *("cd folder && make test", "./script.sh", "sh plain.sh", "test -e nothing", "exit 3"),
    *("true && no-such-program-of-ccc", "if true; then false; fi", "PATH=/opt make test", ""),
    *("cd sub && npm run lint", "cd just && just lint", "cd sub/deep && npm run lint", "npm ci"),
    *("(make test)", "make $TARGET", "sh -c 'make test'", "python3 -m nothing", "'"),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project, with programs that may not be on this machine."""
    for name, text in FILES.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "project" / "script.sh").chmod(0o755)
    (tmp_path / "project" / "perl.pl").chmod(0o755)
    for name in ("npm", "just", "cargo"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path / "project"


def find(command: str, tree: Path, commit: str = "") -> str:
    """Return what keeps the command from running."""
    path = f"{os.environ['PATH']}:{tree.parent}"
    return check_obstacles.find(command, str(tree), path, commit)


@pytest.mark.parametrize(("command", "reason"), [*MISSING.items(), *ELSEWHERE.items()])
def test_what_is_missing(tree: Path, command: str, reason: str) -> None:
    """The reason is named, and the command really fails."""
    assert find(command, tree).startswith(reason)
    if command in MISSING:
        assert subprocess.run(["sh", "-c", command], cwd=tree, capture_output=True).returncode


@pytest.mark.parametrize("command", MAY_RUN)
def test_what_may_run(tree: Path, command: str) -> None:
    """Whatever isn't certain may run."""
    assert find(command, tree) == ""


def test_the_files_of_a_commit(tree: Path) -> None:
    """What a commit has counts, not what has become of it."""
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for line in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "x")):
        subprocess.run(["git", *line], cwd=tree, check=True)
    (tree / "Makefile").unlink()
    assert find("make lint", tree) == "Makefile is missing"
    assert find("make lint", tree, "HEAD") == ""
    assert find("make test", tree, "HEAD") == "Makefile has no `test`"
    assert find("cd sub/deep && npm run lint", tree, "HEAD") == ""
