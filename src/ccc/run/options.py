"""The command line of `ccc run`, and the source of its task."""

import argparse
import os
import select
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial

from ccc import words
from ccc.claude.formats import permission
from ccc.config import schema
from ccc.errors import CccError
from ccc.storage import files
from ccc.ui.arguments import Parser, check_task_size, read_piped, within

_PIPE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run."""

    task: str = ""
    file: str = ""
    provider: str | None = None
    limits: Mapping[str, object] = field(default_factory=dict)
    json: bool = False
    """Print ccc's own report."""
    output: str = ""
    """Print like `claude -p`: json or stream-json, else text."""
    quiet: bool = False
    open: bool = False
    """Open the session at the end, on a terminal."""
    verbose: bool = False
    resume: bool = False
    question: str = ""
    """The question that is answered; by default, the current one."""
    wait: bool = False
    no_wait: bool = False
    """End at a rate limit instead of trying again."""
    allow: tuple[str, ...] = ()
    """Additional permissions for the agent, as claude's rules."""
    claude: tuple[str, ...] = ()


def read(line: list[str]) -> Options | None:
    """Parse the options before `--` and claude's arguments after it; None for `--help`."""
    at = line.index("--") if "--" in line else len(line)
    parser = build_parser()
    parsed = parser.parse(line[:at])
    if parsed is None:
        return None
    given = vars(parsed)
    limits = {name: given[name] for name in schema.LIMITS if given[name] is not None}
    if given["check"]:
        limits["checks"] = given["check"]
    given |= {
        "task": " ".join(given["words"]).strip(),
        "limits": limits,
        "allow": tuple(given["allow"]),
        "claude": tuple(line[at + 1 :]),
    }
    return Options(
        **{each.name: given[each.name] for each in fields(Options) if each.name in given}
    )


def build_parser() -> Parser:
    """Build the parser for `ccc run`."""
    parser = Parser("run", unknown="run.unknown")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--provider")
    parser.add_argument("--file", default="")
    for name, (least, most) in schema.LIMITS.items():
        amount = partial(within, least=least, most=most, kind=schema.limit_type(name))
        parser.add_argument(f"--{name.replace('_', '-')}", type=amount)
    parser.add_argument("--check", action="append")
    parser.add_argument("--allow", action="append", type=_rule, default=[])
    parser.add_flags("--json", "--quiet", "--open", "--wait", "--no-wait")
    parser.add_argument("--continue", action="store_true", dest="resume")
    parser.add_argument("--question", default="", help=argparse.SUPPRESS)
    parser.add_argument("--verbose", "-v", action="store_true")
    return parser


def _rule(text: str) -> str:
    if not permission.is_rule(text.strip()):
        raise argparse.ArgumentTypeError(words.say("run.not_rule", rule=text))
    return text.strip()


def read_task(options: Options, needed: bool = True) -> tuple[str, str]:
    """Return the task, and the message for the agent, which includes text piped in with a task.

    The task is the text on the command line and in the file; without these, it is piped or typed.
    """
    parts = [] if options.task == "-" else [options.task]
    if options.file and options.file != "-":
        text = files.read(os.path.abspath(options.file))
        if text is None:
            raise CccError("run.no_file", file=options.file)
        parts.append(text)
    is_task = (needed and not "".join(parts).strip()) or "-" in (options.task, options.file)
    piped = _read_stdin(is_task).strip()
    # a run continued without a message gets the piped text
    if is_task or not "".join(parts).strip():
        parts.append(piped)
        piped = ""
    task = "\n\n".join(part.strip() for part in parts if part.strip())
    check_task_size(len(task.encode(errors="replace")) + len(piped.encode()))
    if needed and not task:
        raise CccError("run.no_task", hint="usage.see", command="run")
    return task, words.say("run.material", task=task, material=piped) if piped else task


def _read_stdin(is_needed: bool) -> str:
    """Read the piped text, or what the user types if it is needed."""
    if sys.stdin is None:
        return ""
    if not sys.stdin.isatty():
        if not is_needed and not has_input():
            return ""
        return read_piped()
    if not is_needed:
        return ""
    if sys.stderr is not None:
        sys.stderr.write(words.say("run.ask"))
        sys.stderr.flush()
    return sys.stdin.readline()


def has_input() -> bool:
    """Return whether text is piped in; a pipe that was only left open stays silent."""
    try:
        kind = os.fstat(0).st_mode
        if stat.S_ISREG(kind):
            return True
        return stat.S_ISFIFO(kind) and bool(select.select([0], [], [], _PIPE_SECONDS)[0])
    except (OSError, ValueError):
        return False
