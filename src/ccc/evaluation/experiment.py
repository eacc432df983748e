"""An experiment: all cases, several at a time, each result stored as soon as it is known."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct, field, structs, to_builtins

from ccc.claude.formats import transcript
from ccc.evaluation import scene, trial
from ccc.evaluation.case import GoldenCase
from ccc.evaluation.score import CaseResult
from ccc.evaluation.trial import Judge
from ccc.storage import files
from ccc.system import capture, private_files

_REVIEW_SECONDS, _CHECK_SECONDS = 3_700.0, 60.0


class Experiment(Struct, frozen=True):
    """What to measure, and how."""

    cases: Sequence[GoldenCase]
    judge: Judge | None = None  # None if no model is asked
    epochs: int = 1
    jobs: int = 1
    file: str = ""  # where the results are stored; empty if they are not
    reviewer: str = ""  # who reviews, as it is stored with each result
    earlier: Mapping[tuple[str, int], CaseResult] = field(default_factory=dict)
    """The verdicts of an interrupted run, by case and epoch."""

    @property
    def wanted(self) -> list[tuple[GoldenCase, int]]:
        """The cases with their epochs."""
        return [(case, epoch + 1) for epoch in range(self.epochs) for case in self.cases]

    @property
    def left(self) -> list[tuple[GoldenCase, int]]:
        """Those that have no verdict yet."""
        return [(c, epoch) for c, epoch in self.wanted if (c.name, epoch) not in self.earlier]

    def run(self) -> Iterator[CaseResult]:
        """Yield each result that is missing as soon as it is known."""
        pool = ThreadPoolExecutor(self.jobs)
        with TemporaryDirectory(prefix="ccc-eval-", ignore_cleanup_errors=True) as root:
            try:
                running = [pool.submit(self._measure, *each, root=root) for each in self.left]
                for each in as_completed(running):
                    yield each.result()
            finally:
                # what is running is paid for, so it is finished and stored
                pool.shutdown(wait=True, cancel_futures=True)

    def _judge(self, case: GoldenCase, epoch: int, place: str) -> CaseResult:
        """Judge a case as a stop would: checks, signals, and then the reviewer."""
        project = os.path.join(place, os.path.basename(case.directory))
        start = scene.build_tree(case, project)
        failed = _failing_check(case, project)
        if self.judge and not failed:
            review = _judge_in_child(case, self.judge, project, start)
            return structs.replace(review, epoch=epoch, reviewer=self.reviewer)
        conversation = transcript.read(scene.transcript(case, project, "case", "model"))
        found = trial.find_signals(case, conversation, project, start, passes=not failed)
        signals = tuple(each.name for each in found)
        result = CaseResult(case.name, case.kind, case.is_done, epoch, failed, signals)
        if self.judge is None:
            return result
        return structs.replace(result, completed=False, reviewer=self.reviewer)

    def _measure(self, case: GoldenCase, epoch: int, root: str) -> CaseResult:
        with TemporaryDirectory(dir=root, ignore_cleanup_errors=True) as place:
            result = self._judge(case, epoch, place)
        if self.file:
            line = msgspec.json.encode(result) + b"\n"
            os.makedirs(os.path.dirname(self.file), mode=0o700, exist_ok=True)
            file = private_files.open_file(self.file, os.O_WRONLY | os.O_APPEND)
            with open(file, "ab", buffering=0) as stream:
                stream.write(line)  # in one piece: other threads append, too
        return result


def load(file: str) -> list[CaseResult]:
    """Return the last result of each case in a file; a line that was cut off is skipped."""
    results: dict[tuple[str, int], CaseResult] = {}
    for line in (files.read_or_none(file) or "").split("\n"):
        try:
            result = msgspec.json.decode(line, type=CaseResult)
            results[result.case, result.epoch] = result
        except msgspec.DecodeError:
            pass
    return list(results.values())


def _judge_in_child(case: GoldenCase, who: Judge, project: str, start: str) -> CaseResult:
    """Review in a process of its own, because a review handles signals."""
    where = {"directory": case.directory, "twin": case.twin, "project": project, "start": start}
    job = {**where, "judge": to_builtins(who)}
    command = [sys.executable, "-P", "-m", "ccc.evaluation.trial", json.dumps(job)]
    output = capture.output_of(command, os.getcwd(), os.environ, _REVIEW_SECONDS)
    try:
        return msgspec.json.decode(output or b"", type=CaseResult)
    except msgspec.DecodeError:
        cause = "the review ended unexpectedly"
        return CaseResult(case.name, case.kind, case.is_done, failure=cause)


def _failing_check(case: GoldenCase, directory: str) -> str:
    """Return the first check that fails, or ""."""
    if case.failed_check:
        return case.failed_check
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    for command in case.checks:
        if capture.output_of(["sh", "-c", command], directory, env, _CHECK_SECONDS) is None:
            return command
    return ""
