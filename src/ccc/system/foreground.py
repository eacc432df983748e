"""Run a program in ccc's place on the user's terminal: same group, same files, its exit code."""

import os
import signal
import sys
from typing import NoReturn

from ccc.claude.formats.command_line import Plan
from ccc.system import guard, spawn

_PASSED_ON = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2),
)
_KEYBOARD = (signal.SIGINT, signal.SIGQUIT)
_watched = {*_PASSED_ON, signal.SIGCHLD}


class Program:
    """A program that ccc waits for; it ends even if ccc is killed."""

    def __init__(self, plan: Plan) -> None:
        self.is_interrupted = False
        """Whether the user has pressed Ctrl-C."""
        guard.start()
        # from here on `wait` receives them, also one that arrives before it is called
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _watched)
        try:
            self.pid = os.posix_spawn(
                plan.argv[0],
                plan.argv,
                plan.env,
                setsigmask=before,
                # Python ignores them, and exec would preserve that
                setsigdef=(signal.SIGPIPE, signal.SIGXFSZ),
            )
        except OSError as error:
            raise spawn.not_started(plan, error) from None
        guard.watch([self.pid])

    def wait(self) -> int:
        """Wait for the end, and return the exit code; negative if a signal ended it.

        Ctrl-Z needs nothing: it stops the whole group, and ccc is part of it.
        """
        while True:
            number, is_for_group = _next_signal()
            self.is_interrupted |= number == signal.SIGINT
            if number == signal.SIGCHLD:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    guard.watch([])
                    return os.waitstatus_to_exitcode(status)
            elif not is_for_group:
                os.kill(self.pid, number)


def _next_signal() -> tuple[int, bool]:
    """Return the next signal, and whether the terminal has sent it to the program, too."""
    if sys.platform == "linux":
        received = signal.sigwaitinfo(_watched)
        # positive if the kernel sent it, and not a process
        return received.si_signo, received.si_code > 0
    number = signal.sigwait(_watched)
    return number, number in _KEYBOARD


def exit_like(code: int) -> NoReturn:
    """Exit with the code of a program, or by the signal that ended it."""
    if code < 0:
        if -code != signal.SIGKILL:  # which can have no handler
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    sys.exit(code)
