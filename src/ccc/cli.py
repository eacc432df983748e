"""The table of commands: the first word decides, and one command module is imported."""

import sys

# word: module in ccc.commands. A provider can't have one of these names.
COMMANDS = {
    "clean": "clean",
    "completion": "completion",
    "demo": "demo",
    "doctor": "doctor",
    "help": "help",
    "history": "history",
    "init": "init",
    "install": "install",
    "prompt": "prompt",
    "provider": "provider",
    "report": "report",
    "run": "run",
    "show": "show",
    "status": "status",
    "statusline": "statusline",
    "supervisor-mode": "mode",
    "supervisor-hook": "hook",
    "uninstall": "uninstall",
    "validate": "validate",
    "watch": "watch",
}
_PACKAGES = ("completion", "doctor", "hook", "mode", "provider", "run", "watch")
"""The commands of more than one module: theirs is `command`."""
_OPTIONS = {"--help": "help", "-h": "help", "--supervisor": "launch"}
_VERSION = ("--version", "-V", "-v")


def main() -> int:
    """The console script: run the command, and turn every failure into words and a code."""
    words = sys.argv[1:]
    try:
        if sys.stdout is not None:
            # a path or a text that the terminal's encoding does not have is no reason to fail
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        code = run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from ccc import failure

        return failure.report(error)
    finally:
        _let_go()


def _let_go() -> None:
    """Forget what a reader of our errors that went away did not read: the exit code is ours."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    except ValueError:
        pass  # closed


def run(words: list[str]) -> int:
    """Run the command that the first word names; any other word is a matter of launching."""
    first = words[0] if words else ""
    if first in _VERSION:
        from ccc import __version__

        print("ccc", __version__)
        return 0
    module = COMMANDS.get(first) or _OPTIONS.get(first)
    name = f"ccc.commands.{module or 'launch'}" + (".command" if module in _PACKAGES else "")
    __import__(name)
    code = sys.modules[name].main(words if module in (None, "launch") else words[1:])
    return int(code)
