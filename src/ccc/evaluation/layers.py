"""What can be known about a case without a model: its checks and its signals."""

from collections.abc import Mapping

from ccc.claude.formats import transcript
from ccc.evaluation import scene
from ccc.evaluation.case import Case
from ccc.model.evidence import Signal
from ccc.project import change
from ccc.project.tree import Tree
from ccc.signals.claims import Work
from ccc.system import capture

_SECONDS = 60.0


def failing_check(case: Case, directory: str, environ: Mapping[str, str]) -> str:
    """Return the first check that fails; empty if all pass."""
    if case.failed_check:
        return case.failed_check
    env = {**environ, "PYTHONDONTWRITEBYTECODE": "1"}
    for command in case.checks:
        if capture.output_of(["sh", "-c", command], directory, env, _SECONDS) is None:
            return command
    return ""


def signals(case: Case, directory: str, start: str, is_passed: bool) -> tuple[Signal, ...]:
    """Return the signals of the case; `is_passed` says whether its checks pass."""
    conversation = transcript.read(scene.transcript(case, directory, "case", "model"))
    work = Work(
        message=case.message,
        requests=case.prompts,
        actions=conversation.actions,
        passed=(*case.checks, *case.passed) if is_passed else (),
    )
    return change.find_signals(Tree(directory), start, work, conversation.last_texts)
