"""A review: a fork of the session, or a fresh one on another model, asked for a verdict."""

import os
import shutil
import stat
import tempfile
import time
from dataclasses import dataclass, replace

from ccc.claude import review_process
from ccc.claude.client import ErrorLog, Listener, Output
from ccc.claude.formats import stream
from ccc.project import leftovers
from ccc.providers import usage
from ccc.providers.usage import Meter
from ccc.supervision import review_request
from ccc.supervision import verdict as verdicts
from ccc.supervision.verdict import Review
from ccc.system import private_files
from ccc.text import redaction

# A socket's path has 107 bytes at most; claude's sandbox makes
# <this>/ccc-review-12345678/claude-http-0123456789abcdef.sock
_PREFIX = "ccc-review-"
_LONGEST_TEMPORARY = 50

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from ccc.claude.launch_plan import Plan
    from ccc.project.tree import Tree
    from ccc.providers.prices import Prices
    from ccc.providers.usage import Used
    from ccc.supervision.evidence import Evidence
    from ccc.supervision.review_request import Brief
    from ccc.supervision.task import Task


@dataclass(slots=True)
class _Watch:
    """The project before and after a review."""

    tree: "Tree"
    added: "Sequence[str]" = ()
    before: str = ""
    around: str = ""
    places: frozenset[str] | None = None

    def begin(self) -> None:
        """Remember what the project is like."""
        self.before, self.places = self.tree.fingerprint(), leftovers.find(self.tree)
        self.around = self.tree.surroundings(self.added)

    def tidy(self) -> None:
        """Remove what the sandbox left."""
        if self.places is not None:
            leftovers.remove(self.tree, self.places)

    def changed(self) -> bool:
        """Whether the project is not what it was."""
        if not self.before:
            return False
        now = (self.tree.fingerprint(), self.tree.surroundings(self.added))
        return now != (self.before, self.around)


@dataclass(frozen=True, slots=True)
class ReviewSession:
    """What a review needs; `plan` and `brief` lack only the workspace, made for each review."""

    plan: "Plan"
    brief: "Brief"
    tree: "Tree"
    added: "Sequence[str]"
    """Directories beyond it that the agent may write to, as far as they are compared."""
    place: str
    """Where the workspace is made."""
    sandbox_has_gaps: bool
    """Settings of the user's let some commands run outside of claude's sandbox."""
    timeout: float
    max_cost_usd: float
    """What the task may cost; 0 for any amount."""
    price_of: "Callable[[str], Prices | None]"
    used_before: "Mapping[str, Used]"
    """What the session had used: claude's accounting of a fork begins there."""
    errors: str
    """The file that gets the reviewer's stderr."""
    default_feedback: str
    no_verdict: str
    too_slow: str
    on_raw: "Callable[[str], None]"
    on_text: "Callable[[str], None]"
    on_message: "Callable[[dict[str, Any]], None]"
    on_malformed: "Callable[[str], None]"

    def review(self, task: "Task", evidence: "Sequence[Evidence]") -> Review:
        """Judge the work in a throw-away workspace; the tree is compared before and after."""
        begun = time.monotonic()
        watch = _Watch(self.tree, self.added)
        keys = redaction.keys_of(self.plan.env)
        meter = Meter(self.price_of)

        def on_message(message: "dict[str, Any]") -> None:
            meter.see(message)
            self.on_message(message)

        listener = Listener(self.on_raw, self.on_text, on_message, self.on_malformed)
        output = Output(listener, keys)
        failure = ""

        def is_spent() -> bool:
            return bool(self.max_cost_usd) and task.cost_usd + meter.usd >= self.max_cost_usd

        try:
            self._ask(task, evidence, output, watch, is_spent)
        except TimeoutError:
            failure = self.too_slow
        except (review_process.Failed, OSError) as error:
            failure = str(error)
        finally:
            watch.tidy()
        review = self._concluded(output.answers, redaction.redacted(failure, keys))
        return replace(
            review,
            is_over_budget=not review.verdict and is_spent(),
            **self._cost(output.results, meter),
            seconds=time.monotonic() - begun,
            tree=watch.before,
            changed_tree=watch.changed(),
        )

    def _ask(
        self,
        task: "Task",
        evidence: "Sequence[Evidence]",
        output: Output,
        watch: "_Watch",
        is_spent: "Callable[[], bool]",
    ) -> None:
        _remove_stale(self.place)
        root = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=self.place)
        # in the sandbox claude's own directory below TMPDIR is the only one that can be written
        workspace = os.path.join(root, f"claude-{os.getuid()}")
        errors = ErrorLog(self.errors)
        try:
            os.chmod(root, 0o700)
            private_files.make_directory(workspace)
            brief = replace(
                self.brief, evidence=evidence, earlier=task.feedback, workspace=workspace
            )
            request = review_request.request(brief)
            temporary = {"TMPDIR": root, "CLAUDE_CODE_TMPDIR": root}
            review_process.ReviewProcess(
                plan=replace(self.plan, env={**self.plan.env, **temporary}),
                next_question=lambda results: self._question(results, request),
                output=output,
                errors=errors,
                timeout=self.timeout,
                # what it has found by then it says when it is asked for its verdict
                on_call=lambda tool, arguments: (
                    review_process.OUT_OF_BUDGET
                    if is_spent()
                    else review_process.answer_to_call(
                        tool, arguments, workspace, self.sandbox_has_gaps
                    )
                ),
                on_boot=watch.begin,
            ).run()
        except review_process.Failed as error:
            cause = ": ".join(filter(None, [str(error), errors.tail()]))
            raise review_process.Failed(cause) from None
        finally:
            errors.redact(output.secrets)
            _remove(root)

    def _question(self, results: "list[stream.Result]", request: str) -> str:
        """The review request; where the answer holds no verdict one more question; then nothing."""
        if not results:
            return request
        unclear = len(results) == 1 and not results[0].error and self._verdict(results) is None
        return review_request.follow_up(self.brief.code) if unclear else ""

    def _verdict(self, results: "list[stream.Result]") -> verdicts.Verdict | None:
        """The verdict of the last turn; an error is never one."""
        if not results or results[-1].error:
            return None
        last, code = results[-1], self.brief.code
        mark = verdicts.COMPLETED_MARK in self.brief.instructions
        return verdicts.from_value(last.structured, code) or verdicts.find(
            last.text, code, mark=mark
        )

    def _concluded(self, results: "list[stream.Result]", failure: str) -> Review:
        verdict = self._verdict(results)
        if verdict and not verdict.completed and not verdict.feedback:
            verdict = replace(verdict, feedback=self.default_feedback)
        last = results[-1] if results else stream.Result()
        if verdict is None:
            failure = failure or last.error or self.no_verdict
        return Review(
            verdict=verdict,
            failure="" if verdict else failure,
            tokens=usage.add(result.tokens for result in results),
        )

    def _cost(self, results: "list[stream.Result]", meter: Meter) -> "dict[str, Any]":
        """What the review has cost, and where that comes from."""
        cost = meter.bill(stream.used(results, self.used_before))
        return {"cost_usd": cost.usd, "cost_source": cost.source}


def temporary(read_only: "Iterable[str]") -> str:
    """Where the workspace is made: the user's place, or another one where that would not do.

    The sandbox's sockets must fit into the name, and it must not be where nothing can be written.
    """
    usual = os.path.realpath(tempfile.gettempdir())
    closed = [each for each in read_only if each]
    for place in (usual, *map(os.path.realpath, ("/tmp", "/var/tmp"))):
        inside = any(is_below(place, each) for each in closed)
        fits = len(os.fsencode(place)) <= _LONGEST_TEMPORARY and not inside
        if fits and os.access(place, os.W_OK):
            return place
    return "/tmp" if os.access("/tmp", os.W_OK) else usual


def is_below(path: str, place: str) -> bool:
    """Whether the path is the place, or lies in it."""
    path, top = os.path.realpath(path), os.path.realpath(place).rstrip("/")
    return path == top or path.startswith(top + "/")


def _remove(root: str) -> None:
    """Remove a workspace, with the directories in it that may not be read or written."""
    if os.path.islink(root):
        return  # nothing of ours is behind it
    _open(root)
    for place, names, _ in os.walk(root):
        for name in names:
            # before the walk goes into it
            _open(os.path.join(place, name))
    shutil.rmtree(root, ignore_errors=True)


def _open(directory: str) -> None:
    """Take the right to everything in a directory, where it is one."""
    try:
        if not os.path.islink(directory):
            os.chmod(directory, 0o700)
    except OSError:
        pass  # another's


def _remove_stale(place: str) -> None:
    """Remove the workspaces of reviews that were killed before they could."""
    for name in os.listdir(place):
        pid = name.removeprefix(_PREFIX).partition("-")[0]
        if not name.startswith(_PREFIX) or not pid.isdigit() or os.path.exists(f"/proc/{pid}"):
            continue
        path = os.path.join(place, name)
        try:
            found = os.lstat(path)
            if found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode):
                continue  # anybody can put something of that name there
            os.kill(int(pid), 0)
        except ProcessLookupError:
            _remove(path)
        except (OSError, OverflowError):
            continue
