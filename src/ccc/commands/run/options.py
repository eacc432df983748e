"""The command line of `ccc run`, and where its task comes from."""

import argparse
import os
import select
import stat
import sys
from dataclasses import dataclass, field

from ccc import words
from ccc.claude.formats import permission
from ccc.errors import CccError
from ccc.storage import files
from ccc.ui.arguments import Parser, within

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
    open: bool = False
    """Whether the session is opened at the end, on a terminal."""
    verbose: bool = False
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
    for name in ("--json", "--quiet", "--open", "--continue", "--wait", "--no-resume"):
        parser.add_argument(name, action="store_true", dest=name.strip("-").replace("-", "_"))
    parser.add_argument("--verbose", "-v", action="store_true")
    parsed = parser.said(line[:at])
    if parsed is None:
        return None
    said = vars(parsed)
    if said["no_resume"]:
        parser.error(words.say("run.no_resume"))
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
        open=said["open"],
        verbose=said["verbose"],
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


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done, and the text that was piped in beside it."""

    text: str = ""
    material: str = ""

    @property
    def message(self) -> str:
        """What the agent is told."""
        if not self.material:
            return self.text
        return words.say("run.material", task=self.text, material=self.material)


def task(given: Options, needed: bool = True) -> Task:
    """The task: what was said, then a file; else what is piped in, else it is asked for.

    What is piped in beside a task is material for it.
    """
    parts = [] if given.task == "-" else [given.task]
    if given.file and given.file != "-":
        text = files.read(os.path.abspath(given.file))
        if text is None:
            raise CccError("run.no_file", file=given.file)
        parts.append(text)
    is_task = (needed and not "".join(parts).strip()) or "-" in (given.task, given.file)
    piped = _piped(is_task)
    if is_task:
        parts.append(piped)
    told = "\n\n".join(part.strip() for part in parts if part.strip())
    found = Task(told, "" if is_task or not told else piped.strip())
    if not told and piped.strip():
        # a run that goes on is told what is piped in
        found = Task(piped.strip())
    if len(found.text) + len(found.material) > _LONGEST_TASK:
        raise CccError("run.long_task", hint="run.long_task_hint", most=_LONGEST_TASK // 1_000_000)
    if needed and not found.text:
        raise CccError("run.no_task", hint="usage.see", command="run")
    return found


def _piped(is_needed: bool) -> str:
    """What is piped in, or typed where it is needed."""
    if sys.stdin is None:
        return ""
    if not sys.stdin.isatty():
        if not is_needed and not _has_input():
            return ""
        return sys.stdin.buffer.read(_LONGEST_TASK + 1).decode("utf-8", "replace")
    if not is_needed:
        return ""
    if sys.stderr is not None:
        sys.stderr.write(words.say("run.ask"))
        sys.stderr.flush()
    return sys.stdin.readline()


def _has_input() -> bool:
    """Whether something is piped in beside a task; who just left a pipe open says nothing soon."""
    try:
        kind = os.fstat(0).st_mode
        if stat.S_ISREG(kind):
            return True
        return stat.S_ISFIFO(kind) and bool(select.select([0], [], [], _PIPE_SECONDS)[0])
    except (OSError, ValueError):
        return False
