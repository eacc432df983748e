"""The options of a run, and the source of its task."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from ccc import words
from ccc.errors import CccError
from ccc.storage import files
from ccc.system import stdin


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run."""

    task: str = ""
    file: str = ""
    provider: str | None = None
    limits: Mapping[str, object] = field(default_factory=dict)
    json: bool = False  # print ccc's own report
    output: str = ""  # print like `claude -p`: json or stream-json, else text
    quiet: bool = False
    open: bool = False  # open the session at the end, on a terminal
    verbose: bool = False
    resume: bool = False
    question: str = ""  # the question that is answered; by default, the current one
    wait: bool = False
    no_wait: bool = False  # end at a rate limit instead of trying again
    allow: tuple[str, ...] = ()  # additional permissions for the agent, as claude's rules
    claude: tuple[str, ...] = ()


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
    stdin.check_task_size(len(task.encode(errors="replace")) + len(piped.encode()))
    if needed and not task:
        raise CccError("run.no_task", hint="usage.see", command="run")
    return task, words.say("run.material", task=task, material=piped) if piped else task


def _read_stdin(is_needed: bool) -> str:
    """Read the piped text, or what the user types if it is needed."""
    if sys.stdin is None:
        return ""
    if not sys.stdin.isatty():
        if not is_needed and not stdin.has_text():
            return ""
        return stdin.read_task()
    if not is_needed:
        return ""
    if sys.stderr is not None:
        sys.stderr.write(words.say("run.ask"))
        sys.stderr.flush()
    return sys.stdin.readline()
