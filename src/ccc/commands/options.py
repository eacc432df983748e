"""The command line of `ccc run`, and where its task comes from."""

import os
import sys
from dataclasses import dataclass, field

from ccc import words
from ccc.commands.parsing import Parser
from ccc.errors import CccError
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LIMITS = ("max_iterations", "max_minutes", "max_cost_usd")


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for."""

    task: str = ""
    file: str = ""
    provider: str = ""
    limits: "Mapping[str, object]" = field(default_factory=dict)
    json: bool = False
    quiet: bool = False
    resume: bool = True
    go_on: bool = False
    wait: bool = False
    help: bool = False
    claude: tuple[str, ...] = ()


def read(line: list[str]) -> Options:
    """The options before `--`; what stands behind it is claude's."""
    at = line.index("--") if "--" in line else len(line)
    parser = Parser("run")
    parser.add_argument("words", nargs="*")
    for name in ("--provider", "--file"):
        parser.add_argument(name, default="")
    parser.add_argument("--max-iterations", type=_whole)
    parser.add_argument("--max-minutes", type=_amount)
    parser.add_argument("--max-cost-usd", type=_amount)
    parser.add_argument("--check", action="append")
    for name in ("--json", "--quiet", "--no-resume", "--continue", "--wait"):
        parser.add_argument(name, action="store_true", dest=name.strip("-").replace("-", "_"))
    said = vars(parser.parse_intermixed_args(line[:at]))
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
        help=said["help"],
        claude=tuple(line[at + 1 :]),
    )


def _whole(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1000:
        raise ValueError(text)
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 < number <= 100_000:
        raise ValueError(text)
    return number


def task(given: Options) -> str:
    """The task: said, in a file, on stdin, or asked for on a terminal."""
    found = given.task
    if not found and given.file:
        text = files.read(os.path.abspath(given.file))
        if text is None:
            raise CccError("run.no_file", file=given.file)
        found = text
    elif not found and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(words.say("run.ask"))
        sys.stderr.flush()
        found = sys.stdin.readline()
    elif not found and sys.stdin is not None:
        found = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not found.strip():
        raise CccError("run.no_task", hint="run.usage")
    return found.strip()
