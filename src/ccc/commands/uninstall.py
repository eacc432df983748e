"""`ccc uninstall`: remove what ccc added to the user's files, and nothing else."""

import os
import sys
from collections.abc import Sequence

from ccc import failure, words
from ccc.claude import host
from ccc.errors import CccError
from ccc.storage import removal, session_files, sessions
from ccc.storage.paths import Paths, display_path
from ccc.storage.removal import RemovalStep
from ccc.system import processes, terminal
from ccc.ui import prompts
from ccc.ui.arguments import Parser

_WORKER = "queue work"
_PACKAGE = "ccc-supervisor"
_MAKE = "CCC_UNINSTALLER"
"""The variable that `make uninstall` sets; it removes the program afterwards."""


def main(line: list[str]) -> int:
    """Show what will be removed, ask for confirmation, and remove it."""
    paths, options = build_parser().begin(line)
    plan = removal.steps(paths, options.purge)
    if not plan:
        print(words.say("uninstall.nothing"))
        _tell_package()
        return 0
    _show(plan, paths, options.purge)
    running = _find_running(paths)
    for command, pids in running.items():
        print(words.say("uninstall.process", command=f"ccc {command}", pids=" ".join(pids)))
    sys.stdout.flush()
    if options.dry_run:
        return 1 if any(step.failed for step in plan) else 0
    if options.purge and (workers := " ".join(running.get(_WORKER, ()))):
        raise CccError("uninstall.workers", pids=workers)
    question = words.say("uninstall.ask_purge" if options.purge else "clean.ask")
    if not prompts.confirm(options, "uninstall", question):
        print(words.say("ask.unchanged"))
        return 1
    is_done = removal.run(paths, options.purge, failure.tell)
    print(words.say("uninstall.done" if is_done else "uninstall.not_all", command=_command()))
    if is_done:
        _tell_package()
    return 0 if is_done else 1


def build_parser() -> Parser:
    """Build the parser for `ccc uninstall`."""
    parser = Parser("uninstall")
    parser.add_flags("--yes", "--dry-run", "--purge")
    return parser


def _find_running(paths: Paths) -> dict[str, list[str]]:
    """Return the pids of ccc's own processes that go on with this state, by their commands."""
    running: dict[str, list[str]] = {}
    for command in (_WORKER, "web"):
        for pid in processes.find_running("ccc", *command.split()):
            started = host.environ_of(pid).items()
            environ = {os.fsdecode(name): os.fsdecode(value) for name, value in started}
            is_same_home = environ.get("HOME") == os.environ.get("HOME")
            # as far as the system tells
            if not environ or (is_same_home and Paths(environ).state_dir == paths.state_dir):
                running.setdefault(command, []).append(str(pid))
    return running


def _show(plan: Sequence[RemovalStep], paths: Paths, purge: bool) -> None:
    left = [_line(step) for step in plan if not step.act and not step.failed]
    if not purge and os.path.lexists(paths.config):
        left.append(_stays("uninstall.config_stays", paths.config, "rm"))
    if not purge and session_files.find_files(paths):
        left.append(_stays("uninstall.state_stays", paths.state_dir, "rm -r"))
    _list("uninstall.undone", [_line(step) for step in plan if step.act])
    _list("uninstall.left", left)
    _list("uninstall.not_possible", [_line(step) for step in plan if step.failed])
    alive = processes.sessions_alive()
    states = [sessions.load(paths, session) for session in sessions.ids(paths)]
    if running := sum(state is not None and state.pid in alive for state in states):
        print(words.say("uninstall.running", sessions=words.count("sessions", running)))


def _list(title: str, lines: Sequence[str]) -> None:
    if lines:
        print(words.say(title, command=_command()))
    for line in lines:
        print(terminal.plain(f"  {line}"))


def _line(step: RemovalStep) -> str:
    count = words.count("files", int(step.other)) if step.other.isdecimal() else ""
    text = words.say(step.what, other=display_path(step.other), files=count)
    return f"{display_path(step.path)}: {text}"


def _stays(message: str, path: str, remove: str) -> str:
    """Describe what stays and how to remove it, without ccc after `make uninstall`."""
    file = display_path(path)
    how = f"{remove} {file}" if _MAKE in os.environ else "--purge"
    return f"{file}: {words.say(message, how=how)}"


def _command() -> str:
    return "make uninstall" if _MAKE in os.environ else "ccc uninstall"


def _tell_package() -> None:
    if _MAKE not in os.environ:
        print(words.say("uninstall.package", command=_package_command()))


def _package_command() -> str:
    prefix = sys.prefix.replace(os.sep, "/")
    if "/pipx/" in prefix:
        return f"pipx uninstall {_PACKAGE}"
    if "/uv/tools/" in prefix:
        return f"uv tool uninstall {_PACKAGE}"
    if os.path.basename(prefix) == _PACKAGE and os.path.islink(sys.argv[0]):
        # created by `make install`
        return f"rm -r {display_path(sys.prefix)} {display_path(sys.argv[0])}"
    return f"{display_path(sys.executable)} -m pip uninstall {_PACKAGE}"
