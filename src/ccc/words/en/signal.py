"""Names of signals, in English."""

WORDS = {
    "signal.tests_deleted": "tests deleted",
    "signal.tests_skipped": "tests skipped",
    "signal.tests_emptied": "an assertion that can't fail",
    "signal.assertions_removed": "assertions removed",
    "signal.expectation_edited": "expected value edited",
    "signal.tolerance_changed": "tolerance changed",
    "signal.snapshot_changed": "snapshot changed",
    "signal.gate_changed": "checks weakened or changed",
    "signal.check_suppressed": "linter or type checker silenced",
    "signal.stub": "stub or TODO left",
    "signal.commented_out": "code commented out",
    "signal.error_swallowed": "error swallowed",
    "signal.expected_constant": "a test's expected result in the program",
    "signal.claim_without_run": "says that tests pass, but ran none",
    "signal.claim_before_edit": "says that tests pass, but edited code since",
    "signal.claim_after_failure": "says that tests pass, but the last run failed",
    "signal.claim_by_selection": "says that tests pass, but ran only some since a failure",
    "signal.claim_without_commit": "says that it committed, but there is no commit",
    "signal.claim_without_change": "says that it changed a file that is unchanged",
    "signal.request_without_trace": "a request that nothing refers to",
}
