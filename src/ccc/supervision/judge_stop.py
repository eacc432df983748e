"""How a stop is judged: place, evidence, reviewer and record, for the hook and for `ccc run`."""

from ccc import words
from ccc.project import place
from ccc.project.tree import Tree
from ccc.supervision import tampering
from ccc.supervision.evidence import Evidence
from ccc.supervision.on_stop import Situation, on_stop
from ccc.supervision.recorder import Recorder
from ccc.supervision.reviewer import Reviewer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.project.place import Place
    from ccc.supervision.case import Audience, Case
    from ccc.supervision.policy import Decision


def judge_stop(case: "Case", audience: "Audience") -> "tuple[Decision, Recorder]":
    """Decide whether the agent may stop; the record of it has the notes for the user."""
    state = case.state
    where_it_works = place.find(case.project, case.event.cwd, state.enabled_at, state.start_head)
    tree = Tree(where_it_works.directory, without=(case.where.state_dir,))
    recorder = Recorder(case, tree, audience)
    recorder.notes += case.notes
    recorder.notes += _notes_on(where_it_works, case.project)
    recorder.rules = tampering.rules(case.where, case.config, case.project)
    recorder.notes += tampering.changed(state.rules, recorder.rules, case.where, case.journal)
    situation = Situation(
        event=case.event,
        limits=case.limits,
        started=case.started,
        now=case.now,
        of_the_user=case.of_the_user,
        denials=case.denials,
        choices=case.conversation.choices,
    )
    with recorder.noting_interruptions():
        decision = on_stop(
            situation,
            case.tasks,
            Evidence(case, tree, recorder.checking, audience),
            Reviewer(case, where_it_works, tree, audience),
            recorder,
        )
    return decision, recorder


def _notes_on(where_it_works: "Place", project: str) -> "Iterator[str]":
    """What the user should know of where the work was judged."""
    if where_it_works.directory != project:
        yield words.say("stop.place", directory=where_it_works.directory)
    if where_it_works.others:
        yield words.say("stop.other_places", directories=", ".join(where_it_works.others))
