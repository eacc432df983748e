"""An experiment: all cases, several at a time, each result stored as soon as it is known."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, fields, replace

from ccc.evaluation import layers, scene
from ccc.evaluation.case import Case
from ccc.evaluation.score import Result
from ccc.evaluation.trial import Judge
from ccc.system import capture, private_files
from ccc.text import lenient_json

_REVIEW_SECONDS = 3_700.0


@dataclass(frozen=True, slots=True)
class Experiment:
    """What to measure, and how."""

    cases: Sequence[Case]
    judge: Judge | None = None
    """None if no model is asked."""
    epochs: int = 1
    jobs: int = 1
    file: str = ""
    """Where the results are stored; empty if they are not."""
    reviewer: str = ""
    """Who reviews, as it is stored with each result."""
    earlier: Mapping[tuple[str, int], Result] = field(default_factory=dict)
    """The verdicts of an interrupted run, by case and epoch."""

    @property
    def wanted(self) -> list[tuple[Case, int]]:
        """The cases with their epochs."""
        return [(case, epoch + 1) for epoch in range(self.epochs) for case in self.cases]

    @property
    def left(self) -> list[tuple[Case, int]]:
        """Those that have no verdict yet."""
        return [(c, epoch) for c, epoch in self.wanted if (c.name, epoch) not in self.earlier]

    def run(self, environ: Mapping[str, str]) -> Iterator[Result]:
        """Yield each result that is missing as soon as it is known."""
        root = tempfile.mkdtemp(prefix="ccc-eval-")
        pool = ThreadPoolExecutor(self.jobs)
        try:
            running = [
                pool.submit(self._measure, case, epoch, root, environ=environ)
                for case, epoch in self.left
            ]
            for each in as_completed(running):
                yield each.result()
        finally:
            # what is running is paid for, so it is finished and stored
            pool.shutdown(wait=True, cancel_futures=True)
            shutil.rmtree(root, ignore_errors=True)

    def _measure(self, case: Case, epoch: int, root: str, environ: Mapping[str, str]) -> Result:
        result = self._judge(case, epoch, root, environ)
        self._store(result)
        return result

    def _judge(self, case: Case, epoch: int, root: str, environ: Mapping[str, str]) -> Result:
        """Judge a case as a stop would: checks, signals, and then the reviewer."""
        place = tempfile.mkdtemp(dir=root)
        try:
            project = os.path.join(place, os.path.basename(case.directory))
            start = scene.build_tree(case, project, environ)
            failed = layers.failing_check(case, project, environ)
            if self.judge and not failed:
                review = _judge_in_child(case, self.judge, project, start, environ=environ)
                return replace(review, epoch=epoch, reviewer=self.reviewer)
            found = layers.signals(case, project, start, is_passed=not failed)
            signals = tuple(each.name for each in found)
            result = Result(case.name, case.kind, case.is_done, epoch, failed, signals)
            if self.judge is None:
                return result
            return replace(result, completed=False, reviewer=self.reviewer)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _store(self, result: Result) -> None:
        if self.file:
            line = json.dumps(asdict(result), ensure_ascii=False) + "\n"
            os.makedirs(os.path.dirname(self.file), mode=0o700, exist_ok=True)
            file = private_files.open_file(self.file, os.O_WRONLY | os.O_APPEND)
            with open(file, "ab", buffering=0) as stream:
                stream.write(line.encode())  # in one piece: other threads append, too


def load(file: str) -> list[Result]:
    """Return the last result of each case in a file; a line that was cut off is skipped."""
    names = {each.name for each in fields(Result)}
    results: dict[tuple[str, int], Result] = {}
    try:
        with open(file, encoding="utf-8") as stream:
            for line in stream:
                raw = lenient_json.parse_object(line) if line.endswith("\n") else None
                if raw and raw.keys() <= names:
                    raw["signals"] = tuple(raw.get("signals") or ())
                    result = Result(**raw)
                    results[result.case, result.epoch] = result
    except FileNotFoundError:
        pass
    return list(results.values())


def _judge_in_child(
    case: Case, who: Judge, project: str, start: str, environ: Mapping[str, str]
) -> Result:
    """Review in a process of its own, because a review handles signals."""
    where = {"directory": case.directory, "twin": case.twin, "project": project, "start": start}
    job = {**where, "judge": asdict(who)}
    command = [sys.executable, "-P", "-m", "ccc.evaluation.worker", json.dumps(job)]
    output = capture.output_of(command, os.getcwd(), environ, _REVIEW_SECONDS)
    raw = lenient_json.parse_object((output or b"").decode(errors="replace"))
    if raw is None:
        return Result(case.name, case.kind, case.is_done, failure="the review ended unexpectedly")
    return Result(**{**raw, "signals": tuple(raw["signals"])})
