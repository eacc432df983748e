"""What a run is asked to do: the options of `ccc run` or of `ccc … -p`, and where the task is."""

import os
import sys
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ccc import words
from ccc.claude.formats import arguments
from ccc.claude.launch import Launch
from ccc.errors import CccError
from ccc.storage import files, sessions
from ccc.system import stdin, terminal


class Options(Struct, frozen=True):
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


def find_run(launch: Launch) -> tuple[Launch, Options] | None:
    """Return the launch and the options of the run that a `-p` of a supervised session is.

    None if claude itself takes the prompt.
    """
    launch = _with_last_session(launch)
    given, output = launch.arguments, launch.arguments.last_value("--output-format")
    is_on = launch.supervised or _is_supervised(launch, launch.session)
    if given.last_value("--input-format") == "stream-json" or not (is_on or _is_known(launch)):
        terminal.tell(words.say("warn.exit_code"))
        return None
    # with --supervisor, the run reads its task itself
    piped = b"" if given.task or launch.supervised else _read_piped()
    prompt = given.task or piped.decode("utf-8", "replace")
    command, *rest = prompt.split(None, 1) or [""]
    asks = command == arguments.SUPERVISOR
    is_switch = command == arguments.SUPERVISOR_OFF or (asks and not rest)
    is_task = bool(prompt) and not is_switch and (asks or is_on)
    if not is_task and not launch.supervised:
        if piped:
            stdin.put_back(piped)
        return None
    options = Options(
        task=" ".join(rest) if asks else prompt,
        output=output,
        # keep stdout clean for a program that reads claude's output
        open=launch.supervised and output not in ("json", "stream-json"),
        verbose=launch.supervised,
    )
    return replace(launch, arguments=replace(given, rest=given.for_agent)), options


def _with_last_session(launch: Launch) -> Launch:
    """Name the session that `--continue` means, if it is supervised."""
    if not arguments.continues_last(launch.arguments.rest):
        return launch
    from ccc.claude import transcript_files  # 5 ms of imports that other launches don't need

    session = transcript_files.find_last(launch.paths.claude_dir, os.getcwd())
    if not _is_supervised(launch, session):
        return launch
    rest = arguments.without_session(launch.arguments.rest)
    reading = replace(launch.arguments, rest=("--resume", session, *rest))
    return replace(launch, session=session, arguments=reading)


def _is_supervised(launch: Launch, session: str) -> bool:
    known = sessions.load(launch.paths, session) if session else None
    return known is not None and known.enabled


def _is_known(launch: Launch) -> bool:
    """Return whether ccc knows which session claude will have."""
    given = launch.arguments
    return bool(
        given.session_id
        or not given.chooses_session
        or {"--fork-session", "--continue", "-c"} & {*given.rest}
    )


def _read_piped() -> bytes:
    is_piped = sys.stdin is not None and not sys.stdin.isatty() and stdin.has_text()
    return sys.stdin.buffer.read() if is_piped else b""
