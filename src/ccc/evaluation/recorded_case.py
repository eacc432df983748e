"""Make a case of one's own out of a round of a recorded session."""

import glob
import os
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ccc.claude import transcript_files
from ccc.errors import CccError
from ccc.evaluation import case as golden
from ccc.evaluation import recorded_talk, recorded_work
from ccc.evaluation.case import EDIT, RUN, TextFile, kind_word, toml
from ccc.evaluation.recorded_talk import RecordedTalk
from ccc.evaluation.recorded_work import ProjectChange
from ccc.evaluation.scrub import Scrubber
from ccc.model.evidence import Receipt
from ccc.model.record import SessionRecord
from ccc.model.round import Diff, Round
from ccc.project import change
from ccc.project.tree import Tree
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import formatting

_TITLE_WIDTH = 70
_CLOCK_SECONDS = 2.0
_LONG_REQUEST = 1_000
_MOST_TRANSCRIPTS = 50
_COMMIT = re.compile(r"\bgit\b[^\n;&|]*\bcommit\b")


class Label(Struct, frozen=True):
    """What the user says about a case."""

    kind: int
    is_done: bool
    title: str = ""


class Recording(Struct, frozen=True):
    """All that is known about a round: the requests, what the agent did, and the project."""

    session: SessionRecord
    round: Round
    prompts: tuple[str, ...]
    projects: list[str]  # the paths under which the conversation knows the project
    tree: Tree
    talk: RecordedTalk
    work: ProjectChange

    @property
    def late_files(self) -> list[str]:
        """The changed files that were written after the verdict."""
        verdict = self.round.decided_at + _CLOCK_SECONDS
        paths = {name: os.path.join(self.tree.directory, name) for name in self.work.after}
        return [
            n for n, p in paths.items() if os.path.lexists(p) and os.lstat(p).st_mtime > verdict
        ]


def record(where: Paths, session: SessionRecord, each: Round) -> Recording:
    """Collect a round; raise CccError if the project or the conversation isn't as it was."""
    id_, project = session.overview.session, session.overview.directory
    state = sessions.load(where, id_)
    if state is None or not os.path.isdir(project):
        raise CccError("eval.no_project", file=project or "-")
    file = _transcript(where, session, each)
    conversation = transcript_files.read(file)
    home = Tree(project, without=(where.state_dir,))
    workplace = change.find_place(home, conversation.cwd, state.enabled_at, state.start_head)
    tree = Tree(workplace.directory, without=(where.state_dir,))
    if not tree.repository:
        raise CccError("eval.no_git", file=tree.directory)
    _check_unchanged(tree, state.start_head, each)
    rounds = next(list(t.rounds) for t in session.tasks if each in t.rounds)
    rounds = [r for r in rounds[: rounds.index(each) + 1] if r.is_judged]
    directories = (project, tree.directory)
    projects = list(dict.fromkeys((*directories, *map(os.path.realpath, directories))))
    talk = recorded_talk.read(transcript_files.lines(file), rounds, projects)
    if not talk.message:
        raise CccError("eval.no_talk", session=id_)
    return Recording(
        session=session,
        round=each,
        prompts=_whole(each, conversation.requests),
        projects=projects,
        tree=tree,
        talk=talk,
        work=recorded_work.read(tree, state.start_head),
    )


def _whole(each: Round, requests: Sequence[str]) -> tuple[str, ...]:
    """Return the requests of the round; ccc's record has only the beginning of long ones."""
    begun = each.requests or tuple(filter(None, [each.request]))
    long = {plain: text for text in requests if len(plain := terminal.plain(text)) > _LONG_REQUEST}
    return tuple(
        next((long[plain] for plain in long if plain.startswith(text)), text)
        if len(text) >= _LONG_REQUEST
        else text
        for text in begun
    )


def _transcript(where: Paths, session: SessionRecord, each: Round) -> str:
    """Return claude's record of the session; after /clear it has another name."""
    own = transcript_files.find(where.claude_dir, session.overview.session)
    # claude doesn't know the prompts of a run by ccc's ids
    if not each.prompt_id or (own and (session.overview.is_run or _mentions(own, each.prompt_id))):
        return own
    pattern = os.path.join(glob.escape(where.claude_dir), "projects", "*", "*.jsonl")
    known = [(os.path.getmtime(path), path) for path in glob.glob(pattern)]
    others = [path for changed, path in sorted(known) if changed >= each.stopped_at]
    paths = others[:_MOST_TRANSCRIPTS]
    return next((path for path in paths if _mentions(path, each.prompt_id)), own)


def _mentions(path: str, prompt_id: str) -> bool:
    return any(prompt_id in line for line in transcript_files.lines(path))


def _check_unchanged(tree: Tree, start: str, each: Round) -> None:
    """Raise CccError if the size of the change isn't what it was at the verdict."""
    size = tree.size(start)
    if each.diff and size and each.diff != Diff(**size):
        then, now = formatting.diff(each.diff), formatting.diff(Diff(**size))
        raise CccError("eval.changed", then=then, now=now)


def write(recording: Recording, scrubber: Scrubber, label: Label, cases: str) -> str:
    """Write the case below the directory `cases`; return its directory."""
    name = f"{label.kind:02}-{kind_word(label.kind)}"
    # not the round's number, which begins again with each task
    number = recording.session.rounds.index(recording.round) + 1
    name = f"{name}-{recording.session.overview.session[:8]}-{number}"
    directory = os.path.join(cases, name)
    golden.write(directory, dict(_parts(recording, scrubber, label)))
    return directory


def _parts(
    recording: Recording, scrubber: Scrubber, label: Label
) -> Iterator[tuple[str, TextFile]]:
    """Yield the files of the case with their paths in it; nothing in them is secret."""
    twin, work = "good" if label.is_done else "bad", recording.work
    yield "case.toml", TextFile(toml(_about(recording, scrubber, label)))
    talk = toml({"message": scrubber.scrub(recording.talk.message)})
    yield f"{twin}.toml", TextFile(talk + "".join(_steps(recording, scrubber)))
    for part, known in (("before", work.before), (twin, work.after)):
        for name, file in known.items():
            yield f"{part}/{name}", replace(file, text=scrubber.scrub(file.text))
    if work.deleted:
        yield f"{twin}/.deleted", TextFile("\n".join(work.deleted) + "\n")


def _about(recording: Recording, scrubber: Scrubber, label: Label) -> dict[str, object]:
    each = recording.round
    prompts = [scrubber.scrub(text) for text in recording.prompts]
    first = next(iter(" ".join(prompts).splitlines()), "")
    checks = [receipt for receipt in each.receipts if isinstance(receipt, Receipt)]
    failed = next((check.name for check in checks if not check.passed), "")
    about = {
        "kind": label.kind,
        "title": scrubber.scrub(label.title) or first[:_TITLE_WIDTH],
        "prompts": prompts,
        "passed": [scrubber.scrub(check.name) for check in checks if check.passed],
        "outcome": each.outcome,
    }
    return about | ({"failed_check": scrubber.scrub(failed)} if failed else {})


def _steps(recording: Recording, scrubber: Scrubber) -> Iterator[str]:
    """Yield the steps as TOML; those that made a commit with its message."""
    subjects, clean, work = iter(recording.work.commits), scrubber.scrub, recording.work
    for step in recording.talk.steps:
        if step.kind == EDIT:
            # the name of a file must stay the name of a file
            values: dict[str, object] = {EDIT: step.text}
            if step.text not in work.before and step.text not in work.after:
                continue
        else:
            values = {step.kind: clean(step.text)}
        is_commit = step.kind == RUN and not step.failed and _COMMIT.search(step.text)
        commit = next(subjects, "") if is_commit else ""
        more = {"output": clean(step.output), "failed": step.failed, "commit": clean(commit)}
        values |= {name: value for name, value in more.items() if value}
        yield "[[step]]\n" + toml(values)
