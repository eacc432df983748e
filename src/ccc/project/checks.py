"""A project's checks: detecting them, and running the configured ones as evidence.

When supervision begins, ccc finds out which of them can run: only the others may be left out later.
"""

import os
import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from ccc import words
from ccc.config import ccc_json, projects
from ccc.config.schema import Check, Config
from ccc.errors import CccError
from ccc.model.evidence import Receipt, not_run, receipt
from ccc.model.state import State
from ccc.project import check_obstacles
from ccc.project.tree import Tree
from ccc.storage.paths import Paths
from ccc.system import private_files, spawn, terminal
from ccc.text import lenient_json, redaction

_MAX_SHOWN = 4_000
_BLOCK = 1024 * 1024
_LARGEST_REWRITTEN = 8 * 1024 * 1024
# a rule, not `test := 1` or `test ::= 1`; its targets are on one line
_RULE = re.compile(r"^([^\s:=#][^:=#\n]*?)[ \t]*::?(?![:=])", re.MULTILINE)
_DEFINITION = re.compile(r"^ *define\b.*?^ *endef\b", re.MULTILINE | re.DOTALL)
_RUNNERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
_PYTEST = re.compile(r"^\[tool\.pytest|^\[tool:pytest\]|^\[pytest\]", re.MULTILINE)


def run(
    checks: Sequence[Check],
    tree: Tree,
    env: Mapping[str, str],
    output_file: Callable[[int], str],
    on_start: Callable[[str], None],
) -> Iterator[Receipt]:
    """Run the checks in order and yield their receipts; the caller may stop early."""
    if not checks:
        return  # without starting git
    head, dirty = tree.head(), tree.dirty()
    for number, check in enumerate(checks, 1):
        on_start(check.command)
        file = output_file(number)
        command, directory = check.command, check.directory or tree.directory
        code, seconds, output = _execute(check, directory, env, file)
        result = receipt(
            check.command, code, seconds, head=head, dirty=dirty, output=output, output_file=file
        )
        if directory != tree.directory:
            command = f"cd {shlex.quote(directory)} && {command}"
            result = replace(result, summary=f"{result.summary}, in {directory}")
        yield result if result.passed else replace(result, feedback=_feedback(result, command))


def _feedback(failed: Receipt, command: str) -> str:
    if failed.exit_code is None:
        message = "check.no_end" if failed.output else "check.no_end_silent"
    else:
        message = "check.failed" if failed.output else "check.failed_silent"
    return words.say(
        message,
        command=command,
        code=failed.exit_code,
        seconds=f"{failed.seconds:.0f}",
        output=failed.output,
        file=failed.output_file,
    )


def _execute(
    check: Check, directory: str, env: Mapping[str, str], file: str
) -> tuple[int | None, float, str]:
    """Run the check and return its exit code, its duration and the end of its output."""
    started = time.monotonic()
    output = private_files.open_file(file, os.O_RDWR | os.O_TRUNC)
    try:
        command = ["/bin/sh", "-c", check.command]
        try:
            code = spawn.run_logged(command, directory, env, output, timeout=check.timeout_seconds)
        except OSError as error:
            os.write(output, f"{error.strerror}\n".encode())
            code = None
        seconds = time.monotonic() - started
        _redact(output)
        size = os.fstat(output).st_size
        tail = os.pread(output, _MAX_SHOWN, max(0, size - _MAX_SHOWN)).decode(errors="replace")
    finally:
        os.close(output)
    return code, seconds, redaction.redact(tail, redaction.keys_of(os.environ)).strip()


def _redact(output: int) -> None:
    """Overwrite the user's keys in the output of a check, because a model will see it."""
    keys = [key.encode() for key in redaction.keys_of(os.environ)]
    overlap = max(map(len, keys), default=0)
    at, size = 0, os.fstat(output).st_size
    while keys and at < size:
        block = os.pread(output, _BLOCK + overlap, at)
        for key in keys:
            start = block.find(key)
            while start >= 0:
                os.pwrite(output, b"*" * len(key), at + start)
                start = block.find(key, start + len(key))
        at += _BLOCK
    if size <= _LARGEST_REWRITTEN:
        text = os.pread(output, size, 0).decode("utf-8", "surrogateescape")
        # colours may split a key
        hidden = redaction.redact(text, redaction.keys_of(os.environ))
        if hidden != text:
            os.ftruncate(output, 0)
            os.pwrite(output, hidden.encode("utf-8", "surrogateescape"), 0)


def begin(where: Paths, state: State, project: str) -> State:
    """Return the state with the checks as they are when supervision begins in the project."""
    if not project or not state.begins_supervision:
        return state
    try:
        config = projects.apply(ccc_json.read(where), project)
    except CccError:
        return state  # the first stop reports the error
    return replace(state, projects=config.roots, checks=find_obstacles(config, project))


def find_obstacles(config: Config, directory: str) -> dict[str, str]:
    """Return for each check why it can't run in the session's directory now, or ""."""
    return {
        check.key: _obstacle(check, check.directory or directory)
        for check in config.supervisor.checks
    }


def _obstacle(check: Check, directory: str, commit: str = "") -> str:
    path = os.environ.get("PATH", os.defpath)
    return check_obstacles.find(check.command, directory, path, commit)


def list_checks(config: Config, directory: str) -> str:
    """List the checks that apply, or say how to set them; "" is an unknown directory."""
    parts = []
    for check in config.supervisor.checks:
        name = terminal.cut(check.command, 40)
        reason = _obstacle(check, check.directory or directory) if directory else ""
        parts.append(words.say("mode.cannot_run", command=name, reason=reason) if reason else name)
    detected = detect(directory) if directory and not parts else []
    if detected:
        hint = words.say("mode.detected", command=detected[0])
        return words.say("mode.none_detected", hint=hint)
    return words.say("comma").join(parts) or words.say("mode.no_checks")


def describe_obstacles(found: Mapping[str, str]) -> str:
    """Describe the checks that can't run; "" if there are none."""
    commands = ((name.rpartition("\n")[0], reason) for name, reason in found.items())
    return " ".join(not_run(receipt(name, None, 0.0, obstacle=why) for name, why in commands))


def excuse(check: Check, failed: Receipt, state: State, directory: str) -> Receipt:
    """Return the receipt of a check that failed, with the reason if it could never run.

    If the agent has removed what the check needs, it has failed the check.
    """
    now, known = _obstacle(check, directory), state.checks.get(check.key)
    if now and known is None and state.start_head:
        # a check that has been configured since, or a session that ccc sees for the first time
        known = _obstacle(check, directory, state.start_head)
    return replace(failed, obstacle=now, feedback="") if now and known else failed


def detect(directory: str) -> list[str]:
    """Return commands that probably check the project; a Makefile takes precedence."""
    return _in_makefile(directory) or [
        *_in_package_json(directory),
        *_of_python(directory),
        *(["cargo test"] if _exists(directory, "Cargo.toml") else []),
        *(["go test ./..."] if _exists(directory, "go.mod") else []),
    ]


def _in_makefile(directory: str) -> list[str]:
    text = next((t for name in check_obstacles.MAKEFILES if (t := _text(directory, name))), "")
    rules = _RULE.findall(_DEFINITION.sub("", text))
    targets = {target for rule in rules for target in rule.split()}
    tests = [f"make {name}" for name in ("test", "check") if name in targets][:1]
    return tests + (["make lint"] if "lint" in targets else [])


def _in_package_json(directory: str) -> list[str]:
    package = lenient_json.parse_object(_text(directory, "package.json")) or {}
    scripts = package.get("scripts")
    known = scripts if isinstance(scripts, dict) else {}
    runner = next((r for file, r in _RUNNERS.items() if _exists(directory, file)), "npm")
    # the placeholder that `npm init` writes isn't a test
    tests = "test" in known and "no test specified" not in str(known["test"])
    commands = [f"{runner} run test" if runner == "bun" else f"{runner} test"] if tests else []
    return commands + ([f"{runner} run lint"] if "lint" in known else [])


def _of_python(directory: str) -> list[str]:
    files = ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
    if not any(_PYTEST.search(_text(directory, name)) for name in files):
        try:
            names = os.listdir(os.path.join(directory, "tests"))
        except (OSError, ValueError):
            names = []  # there is none, or its path is no path
        if not any(name.startswith("test_") and name.endswith(".py") for name in names):
            return []
    return ["uv run pytest" if _exists(directory, "uv.lock") else "pytest"]


def _exists(directory: str, name: str) -> bool:
    return os.path.isfile(os.path.join(directory, name))


def _text(directory: str, name: str) -> str:
    return check_obstacles.read_file(os.path.join(directory, name)) or ""
