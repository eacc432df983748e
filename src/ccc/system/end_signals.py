"""Handle the signals that end ccc."""

import signal
from collections.abc import Callable

from ccc.system import spawn


def handle(
    handler: Callable[[int, object], None] | signal.Handlers, also_ignored: bool = True
) -> None:
    """Set the handler for the signals that end ccc.

    Signals that the shell made ccc ignore (nohup, a background job) may stay ignored.
    """
    for number in spawn.END_SIGNALS:
        if also_ignored or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def clean_up_after(error: type[BaseException]) -> None:
    """Raise the error at the first signal, so that ccc can end all its descendants."""

    def interrupt(number: int, frame: object) -> None:
        # don't let a signal interrupt the cleanup
        handle(signal.SIG_IGN)
        raise error

    handle(interrupt)
    spawn.adopt_orphans()
