"""The end of a supervised `claude -p`, in English."""

WORDS = {
    "print.because": "{label}: {reason}",
    "print.ended": "[SUPERVISOR] {label}. Details: ccc show {session}",
    "print.not_on": "[SUPERVISOR] not judged: claude did not run /supervisor, so supervision "
    "was never on",
    "print.no_state": "[SUPERVISOR] not judged: the session's state in {file} is gone",
    "print.no_stop": "[SUPERVISOR] not judged: claude ended without running ccc's Stop hook",
}
