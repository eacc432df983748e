"""`ccc uninstall`: take everything of ours out of the user's files, and nothing else."""

import os
import sys

from ccc import failure, words
from ccc.errors import CccError
from ccc.storage import files, removal, session_files, sessions
from ccc.storage.paths import display_path
from ccc.system import processes, terminal
from ccc.ui import prompts
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccc.storage.paths import Paths
    from ccc.storage.removal import Step

_PACKAGE = "ccc-supervisor"
_LAST = "uninstall.ledger"


def main(line: list[str]) -> int:
    """Show what will be undone, ask, and undo it."""
    paths, said = build_parser().begin(line)
    planned = removal.steps(paths, said.purge)
    if not planned:
        print(words.say("uninstall.nothing"))
        _goodbye()
        return 0
    _show(planned, paths, said.purge)
    if said.dry_run:
        return 1 if any(step.failed for step in planned) else 0
    question = words.say("uninstall.ask_purge" if said.purge else "uninstall.ask")
    if not prompts.agreed(said, "uninstall", question):
        print(words.say("uninstall.nothing_done"))
        return 1
    return _done(paths, said.purge)


def build_parser() -> Parser:
    """The options of `ccc uninstall`."""
    parser = Parser("uninstall")
    parser.add_flags("--yes", "--dry-run", "--purge")
    return parser


def _show(planned: "Sequence[Step]", paths: "Paths", purge: bool) -> None:
    """What will be undone, what stays, and what can't be undone."""
    undone = [step for step in planned if step.act]
    left = [_line(step) for step in planned if not step.act and not step.failed]
    if not purge:
        if os.path.lexists(paths.config):
            left.append(_kept("uninstall.config_stays", paths.config, "rm"))
        if session_files.find_files(paths):
            left.append(_kept("uninstall.state_stays", paths.state_dir, "rm -r"))
    _list("uninstall.undone", [_line(step) for step in undone])
    _list("uninstall.left", left)
    _list("uninstall.not_possible", [_line(step) for step in planned if step.failed])
    if running := _running(paths):
        print(words.say("uninstall.running", sessions=words.count("sessions", running)))
    sys.stdout.flush()


def _list(title: str, lines: "Sequence[str]") -> None:
    if lines:
        print(words.say(title, command=_command()))
    for line in lines:
        print(terminal.plain(f"  {line}"))


def _line(step: "Step") -> str:
    count = words.count("files", int(step.other)) if step.other.isdecimal() else ""
    told = words.say(step.what, other=display_path(step.other), files=count)
    return f"{display_path(step.path)}: {told}"


def _kept(message: str, path: str, remove: str) -> str:
    """What stays, and what removes it; after `make uninstall` there is no ccc to do that."""
    shown = display_path(path)
    how = f"{remove} {shown}" if "CCC_UNINSTALLER" in os.environ else "--purge"
    return f"{shown}: {words.say(message, how=how)}"


def _running(paths: "Paths") -> int:
    """How many sessions are running now."""
    alive = processes.sessions_alive()
    return sum(known.pid in alive for _, known in sessions.load_all(paths))


def _done(paths: "Paths", purge: bool) -> int:
    """Undo it, as it is now that we have the lock; what fails is told, and the ledger stays."""
    failed = False
    state = {paths.state_dir} if os.path.isdir(paths.state_dir) else set()
    with files.Lock(sorted({*paths.locks, *state})) as lock:
        for step in removal.steps(paths, purge):
            failed = failed or step.failed
            if step.act is None or (failed and step.what == _LAST):
                continue
            try:
                step.act(lock)
            except CccError as error:
                failure.tell(error)
                failed = True
    print(words.say("uninstall.not_all" if failed else "uninstall.done", command=_command()))
    if not failed:
        _goodbye()
    return 1 if failed else 0


def _command() -> str:
    """What the person ran, and has to run again where not everything can be removed."""
    return "make uninstall" if "CCC_UNINSTALLER" in os.environ else "ccc uninstall"


def _goodbye() -> None:
    """How the program itself is removed; `make uninstall` does that right afterwards."""
    if "CCC_UNINSTALLER" not in os.environ:
        print(words.say("uninstall.package", command=_package_command()))


def _package_command() -> str:
    """What removes the package, by where it was installed."""
    prefix = sys.prefix.replace(os.sep, "/")
    if "/pipx/" in prefix:
        return f"pipx uninstall {_PACKAGE}"
    if "/uv/tools/" in prefix:
        return f"uv tool uninstall {_PACKAGE}"
    if os.path.basename(prefix) == _PACKAGE and os.path.islink(sys.argv[0]):
        # made by `make install`
        return f"rm -r {display_path(sys.prefix)} {display_path(sys.argv[0])}"
    return f"{display_path(sys.executable)} -m pip uninstall {_PACKAGE}"
