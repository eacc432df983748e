"""The command line of `ccc run`, and where its task comes from."""

import argparse
import os
import select
import stat
import sys
from dataclasses import dataclass, field

from ccc import words
from ccc.commands.parsing import Parser, within
from ccc.domain import permission
from ccc.errors import CccError
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PIPE_SECONDS = 3.0
_LONGEST_TASK = 4_000_000
LIMITS = ("max_iterations", "max_minutes", "max_cost_usd")


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for."""

    task: str = ""
    file: str = ""
    provider: str | None = None
    limits: "Mapping[str, object]" = field(default_factory=dict)
    json: bool = False
    """Our own report."""
    output: str = ""
    """As `claude -p` prints: json or stream-json, else text."""
    quiet: bool = False
    resume: bool = True
    go_on: bool = False
    wait: bool = False
    allow: tuple[str, ...] = ()
    """What the agent may do besides, in the form of claude's rules."""
    claude: tuple[str, ...] = ()


def read(line: list[str]) -> Options | None:
    """The options before `--`, what stands behind it being claude's; None where help was asked."""
    at = line.index("--") if "--" in line else len(line)
    parser = Parser("run", unknown="run.unknown")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--provider")
    parser.add_argument("--file", default="")
    parser.add_argument("--max-iterations", type=_reviews)
    parser.add_argument("--max-minutes", type=_amount)
    parser.add_argument("--max-cost-usd", type=_amount)
    parser.add_argument("--check", action="append")
    parser.add_argument("--allow", action="append", type=_rule, default=[])
    for name in ("--json", "--quiet", "--no-resume", "--continue", "--wait"):
        parser.add_argument(name, action="store_true", dest=name.strip("-").replace("-", "_"))
    parsed = parser.said(line[:at])
    if parsed is None:
        return None
    said = vars(parsed)
    limits = {name: said[name] for name in LIMITS if said[name] is not None}
    if said["check"]:
        limits["checks"] = said["check"]
    return Options(
        task=" ".join(said["words"]).strip(),
        file=said["file"],
        provider=said["provider"],
        limits=limits,
        json=said["json"],
        quiet=said["quiet"],
        resume=not said["no_resume"],
        go_on=said["continue"],
        wait=said["wait"],
        allow=tuple(said["allow"]),
        claude=tuple(line[at + 1 :]),
    )


def _reviews(text: str) -> int:
    return int(within(text, 1, 100, int))


def _rule(text: str) -> str:
    """A permission rule."""
    if not permission.is_rule(text.strip()):
        raise argparse.ArgumentTypeError(words.say("run.not_rule", rule=text))
    return text.strip()


def _amount(text: str) -> float:
    """A limit; 0 is none."""
    return within(text, 0, 100_000, float)


def task(given: Options, needed: bool = True) -> str:
    """The task: what was said, then a file, then what is piped in; else it is asked for."""
    parts = [] if given.task == "-" else [given.task]
    if given.file and given.file != "-":
        text = files.read(os.path.abspath(given.file))
        if text is None:
            raise CccError("run.no_file", file=given.file)
        parts.append(text)
    is_missing = needed and not "".join(parts).strip()
    is_needed = is_missing or "-" in (given.task, given.file)
    if sys.stdin is not None and sys.stdin.isatty():
        if is_needed:
            if sys.stderr is not None:
                sys.stderr.write(words.say("run.ask"))
                sys.stderr.flush()
            parts.append(sys.stdin.readline())
    elif sys.stdin is not None and (is_needed or _has_input()):
        parts.append(sys.stdin.buffer.read(_LONGEST_TASK + 1).decode("utf-8", "replace"))
    found = "\n\n".join(part.strip() for part in parts if part.strip())
    if len(found) > _LONGEST_TASK:
        raise CccError("run.long_task", hint="run.long_task_hint", most=_LONGEST_TASK // 1_000_000)
    if needed and not found:
        raise CccError("run.no_task", hint="usage.see", command="run")
    return found


def _has_input() -> bool:
    """Whether something is piped in beside a task; who just left a pipe open says nothing soon."""
    try:
        kind = os.fstat(0).st_mode
        if stat.S_ISREG(kind):
            return True
        return stat.S_ISFIFO(kind) and bool(select.select([0], [], [], _PIPE_SECONDS)[0])
    except (OSError, ValueError):
        return False
