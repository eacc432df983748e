"""The table of commands: the first word selects one, and only its module is imported."""

import sys

# word: module in ccc.commands. A provider can't have one of these names.
COMMANDS = {
    "clean": "clean",
    "completion": "completion",
    "demo": "demo",
    "doctor": "doctor.command",
    "help": "help",
    "history": "history",
    "init": "init",
    "install": "install",
    "prompt": "prompt",
    "provider": "provider.command",
    "report": "report",
    "run": "run.command",
    "show": "show",
    "status": "status",
    "statusline": "statusline",
    "supervisor-mode": "mode",
    "supervisor-hook": "hook.command",
    "uninstall": "uninstall",
    "validate": "validate",
    "watch": "watch",
}
INTERNAL = ("supervisor-hook", "statusline")
"""Commands that only claude runs."""
_OPTIONS = {"--help": "help", "-h": "help", "--supervisor": "launch"}
_VERSION = ("--version", "-V", "-v")


def usage_key(command: str) -> str:
    """The key of the message with the command's usage."""
    return COMMANDS[command].partition(".")[0] + ".usage"


def main() -> int:
    """The console script: run the command, and turn each failure into a message and a code."""
    try:
        if sys.stdout is not None:
            # a path or text that the terminal's encoding lacks is no reason to fail
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        code = run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from ccc import failure

        return failure.report(error)
    finally:
        _flush_stderr()


def _flush_stderr() -> None:
    """Discard what a closed reader of stderr didn't read, which would change the exit code."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    except ValueError:
        pass  # closed


def run(words: list[str]) -> int:
    """Run the command that the first word names; any other word starts a launch."""
    first = words[0] if words else ""
    if first in _VERSION:
        from ccc import __version__

        print("ccc", __version__)
        return 0
    module = COMMANDS.get(first) or _OPTIONS.get(first, "launch")
    name = f"ccc.commands.{module}"
    __import__(name)
    code = sys.modules[name].main(words if module == "launch" else words[1:])
    return int(code)
