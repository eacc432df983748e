"""The checks that are detected in a project."""

import os
from pathlib import Path

import pytest

from ccc.project import checks as project_checks

NPM = '{"scripts": {"test": "jest", "lint": "eslint ."}}'
NO_TEST = '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'


@pytest.mark.parametrize(
    ("files", "checks"),
    [
        ({}, []),
        ({"Makefile": "all: test\n\ntest: build\n\tgo test\n"}, ["make test"]),
        ({"Makefile": "test:\n\ttrue\nlint:\n\ttrue\n"}, ["make test", "make lint"]),
        ({"makefile": "check:\n\ttrue\n"}, ["make check"]),
        ({"Makefile": "test:\ncheck:\n"}, ["make test"]),
        ({"Makefile": "test := 1\nlint=2\ntests:\n"}, []),
        ({"Makefile": "test ::= 1\nlint :::= 2\ncheck ?= a:b\n"}, []),
        ({"Makefile": "test lint: x\n\ttrue\n"}, ["make test", "make lint"]),
        ({"Makefile": "build check :: x\n"}, ["make check"]),
        ({"Makefile": "define HELP\ntest: x\nendef\nlint:\n"}, ["make lint"]),
        ({"Makefile": "# test: x\n\ttest: y\nall: test\n"}, []),
        ({"Makefile": "test:\n", "package.json": NPM, "go.mod": ""}, ["make test"]),
        ({"Makefile": "all:\n", "Cargo.toml": ""}, ["cargo test"]),
        ({"package.json": NPM}, ["npm test", "npm run lint"]),
        ({"package.json": NPM, "pnpm-lock.yaml": ""}, ["pnpm test", "pnpm run lint"]),
        ({"package.json": NPM, "bun.lock": ""}, ["bun run test", "bun run lint"]),
        ({"package.json": NO_TEST}, []),
        ({"package.json": "{broken"}, []),
        ({"package.json": '{"scripts": []}'}, []),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ["pytest"]),
        ({"pyproject.toml": "[project]\n"}, []),
        ({"pytest.ini": "[pytest]\n", "uv.lock": ""}, ["uv run pytest"]),
        ({"tests/test_it.py": ""}, ["pytest"]),
        ({"tests/data.txt": ""}, []),
        ({"go.mod": "module m\n"}, ["go test ./..."]),
        ({"package.json": NPM, "Cargo.toml": ""}, ["npm test", "npm run lint", "cargo test"]),
    ],
)
def test_find(tmp_path: Path, files: dict[str, str], checks: list[str]) -> None:
    """A Makefile decides for the project, else each of its tools."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert project_checks.detect(str(tmp_path)) == checks


@pytest.mark.parametrize("name", ["Makefile", "package.json", "pyproject.toml"])
def test_a_pipe(tmp_path: Path, name: str) -> None:
    """Nothing is read that would never end."""
    os.mkfifo(tmp_path / name)
    (tmp_path / "go.mod").touch()
    assert project_checks.detect(str(tmp_path)) == ["go test ./..."]


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    """A missing directory has no checks."""
    assert project_checks.detect(str(tmp_path / "nowhere")) == []
