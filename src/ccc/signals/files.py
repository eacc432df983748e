"""What kind of file a path names: a test, a gate, a snapshot, a document or code."""

import re

_TEST = re.compile(
    r"(^|/)(tests?|spec|specs|__tests__|testdata)/"
    r"|(^|/)test_[^/]+\.py$|_test\.(py|go|rb|exs|dart|cc|cpp)$"
    r"|\.(test|spec)\.[cm]?[jt]sx?$|(^|/)[^/]*Tests?\.(java|kt|cs|swift|php)$"
    r"|\.bats$|(^|/)(test[-_][^/]+|[^/]+[-_]test|tests?)\.(sh|js|ts|lua)$"
)
_SNAPSHOT = re.compile(r"(^|/)(__snapshots__|snapshots?|goldens?)/|\.(snap|ambr|golden|approved)\b")
_DOCUMENT = re.compile(r"\.(md|rst|txt|adoc)$|(^|/)(LICENSE|CHANGELOG|NOTICE|AUTHORS)$")
_GATE = re.compile(
    r"(^|/)(\.github/workflows/|\.circleci/|\.gitlab-ci|\.travis|azure-pipelines|Jenkinsfile"
    r"|\.pre-commit-config|\.husky/|conftest\.py$|pytest\.ini$|tox\.ini$|noxfile\.py$|setup\.cfg$"
    r"|\.coveragerc$|\.?codecov\.ya?ml$|\.?ruff\.toml$|mypy\.ini$|\.flake8$|\.pylintrc$|pyrightconfig"
    r"|\.eslintrc|eslint\.config\.|\.eslintignore$|\.prettierignore$|biome\.json|tsconfig[^/]*\.json$"
    r"|(jest|vitest|vite|karma|playwright)\.config\.|\.mocharc|\.nycrc|\.c8rc|\.golangci"
    r"|clippy\.toml$|phpunit\.xml|\.rubocop)"
)
_CONFIGURATION = re.compile(
    r"\.(ini|cfg|toml|ya?ml|json|conf|mk)$|(^|/)(tools|scripts?|bin)/|(^|/)([Mm]akefile|justfile)$"
)
_GENERATED = re.compile(r"(^|/)[\w.-]*(-lock\.(json|ya?ml)|\.lock|go\.sum|\.min\.(js|css))$")
_EDITOR = re.compile(r"(^|/)\.(vscode|idea|zed|devcontainer)/")


def is_test(path: str) -> bool:
    """Whether the file contains tests."""
    may_be = "est" in path or "spec" in path or path.endswith(".bats")  # fast, for many files
    return may_be and bool(_TEST.search(path)) and not is_snapshot(path)


def is_snapshot(path: str) -> bool:
    """Whether the file holds recorded expectations."""
    return bool(_SNAPSHOT.search(path))


def is_document(path: str) -> bool:
    """Whether the file is for readers."""
    return bool(_DOCUMENT.search(path))


def is_gate(path: str) -> bool:
    """Whether the whole file decides what passes: CI, linters, test configuration."""
    return bool(_GATE.search(path))


def may_gate(path: str) -> bool:
    """Whether parts of the file may decide what passes, as in any configuration or script."""
    if is_test(path) or is_snapshot(path) or is_document(path):
        return is_gate(path)
    if _EDITOR.search(path) or _GENERATED.search(path):
        return False
    return is_gate(path) or bool(_CONFIGURATION.search(path))


def is_code(path: str) -> bool:
    """Whether the file is part of the program."""
    is_other = is_test(path) or is_snapshot(path) or is_document(path) or is_gate(path)
    return not is_other and not _GENERATED.search(path)


def name(path: str) -> str:
    """Return the last part of the path."""
    return path.rpartition("/")[2]
