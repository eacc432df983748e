"""The signals of a stop: what the change and the conversation show without a model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ccc.model.evidence import Evidence, Receipt, Signal
from ccc.project import change
from ccc.project.tree import Tree
from ccc.signals.claims import Work
from ccc.signals.signal import feedback

if TYPE_CHECKING:
    from ccc.supervision.judge_stop import Case


def find(case: "Case", tree: Tree, evidence: Sequence[Evidence]) -> tuple[Signal, ...]:
    """Return the signals; those that `strict_signals` names fail.

    They are a help for the reviewer, so an error in a rule must not cost the verdict.
    """
    try:
        return _find(case, tree, evidence)
    except Exception as error:
        case.journal.log("signals failed", error=f"{type(error).__name__}: {error}")
        return ()


def _find(case: "Case", tree: Tree, evidence: Sequence[Evidence]) -> tuple[Signal, ...]:
    # not at the top: claude boots while the rules are imported
    work = Work(
        message=case.event.last_assistant_message,
        requests=case.requests,
        actions=case.conversation.actions,
        passed=[each.name for each in evidence if isinstance(each, Receipt) and each.passed],
    )
    texts, strict = case.conversation.last_texts, case.limits.strict_signals
    return tuple(
        replace(each, passed=False, feedback=feedback(each)) if each.name in strict else each
        for each in change.find_signals(tree, case.state.start_head, work, texts)
    )
