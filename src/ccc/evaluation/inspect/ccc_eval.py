"""The cases of `ccc eval` as a task for Inspect AI; `ccc eval --export inspect` copies this file.

inspect eval ccc_eval.py --model none -T provider=kimi

ccc asks the reviewer, not Inspect, so Inspect needs no model. The directory can be moved; the cases
are in cases/, and cases.json lists them.
"""

import json
import math
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import subprocess

HERE = Path(__file__).resolve().parent
NOT_KNOWN = math.nan  # inspect leaves such a value out of its metrics


@task
def ccc_eval(
    provider: str = "",
    model: str = "",
    prompt: str = "",
    no_model: bool = False,
    ccc: str = "",
) -> Task:
    """Judge each case: by ccc's review, or with no_model by checks and signals only.

    The parameters are those of `ccc eval`; a prompt's path is relative to this directory. `ccc` is
    the program, if it is neither in this environment nor on PATH.
    """
    instructions = str(HERE / prompt) if prompt else ""
    options = {"--provider": provider, "--model": model, "--prompt": instructions}
    # Inspect turns a value such as 4 into a number
    words = [word for name, value in options.items() if value for word in (name, str(value))]
    return Task(
        dataset=MemoryDataset(samples(), name="ccc"),
        solver=judge(program(ccc), ["--no-model"] if no_model else words),
        scorer=layers() if no_model else review(),
    )


def samples() -> list[Sample]:
    """Return the twins of all cases."""
    cases = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))["cases"]
    return [
        Sample(
            id=case["case"],
            input=[
                *(ChatMessageUser(content=text) for text in case["prompts"]),
                ChatMessageAssistant(content=case["message"]),
            ],
            target=answer(case["done"]),
            metadata={name: case[name] for name in ("kind", "language", "title", "done")},
        )
        for case in cases
    ]


def answer(completed: bool | None) -> str:
    """Return a verdict in words."""
    return {True: "complete", False: "not complete", None: "no verdict"}[completed]


def program(name: str) -> str:
    """Return the path of ccc: the one of this environment before others."""
    beside = os.path.join(os.path.dirname(sys.executable), "ccc")
    path = name or (beside if os.path.exists(beside) else shutil.which("ccc"))
    if not path:
        raise FileNotFoundError("ccc is not installed: pip install 'ccc-supervisor[eval]'")
    return path


@solver
def judge(ccc: str, words: list[str]) -> Solver:
    """Let ccc judge the case in a process of its own."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        command = [ccc, "eval", "--yes", "--json", "--jobs", "1", "--cases", str(HERE / "cases")]
        done = await subprocess([*command, "--only", str(state.sample_id), *words])
        # a review without a verdict is a result, too, although ccc fails then
        if not done.stdout:
            raise RuntimeError(done.stderr.strip() or f"ccc ended with {done.returncode}")
        (result,) = json.loads(done.stdout)["cases"]
        state.metadata["result"] = result
        state.output.completion = answer(result["completed"])
        return state

    return solve


def explain(result: dict[str, Any]) -> str:
    """Return what ccc found, for the viewer."""
    lines = {
        "failed check": result["failed_check"],
        "signals": ", ".join(result["signals"]),
        "failure": result["failure"],
    }
    return "\n".join(f"{name}: {text}" for name, text in lines.items() if text)


def rates(name: str, done: bool, wrong: bool = False) -> list[Metric]:
    """Return two metrics: the rate of ones among the cases that are done or aren't, and by kind.

    With `wrong`, it is the rate of zeros.
    """

    def rate(scores: list[SampleScore]) -> float:
        values = [each.score.as_float() for each in scores if about(each)["done"] is done]
        ones = sum(values) / len(values) if values else NOT_KNOWN
        return 1 - ones if wrong else ones

    @metric(name=name)
    def overall() -> Metric:
        return rate

    @metric(name=f"{name}_by_kind")
    def by_kind() -> Metric:
        def compute(scores: list[SampleScore]) -> dict[str, float]:
            kinds: dict[str, list[SampleScore]] = {}
            for each in scores:
                if about(each)["done"] is done:
                    kinds.setdefault(about(each)["kind"], []).append(each)
            return {kind: rate(kinds[kind]) for kind in sorted(kinds)}

        return compute

    return [overall(), by_kind()]


def about(score: SampleScore) -> dict[str, Any]:
    """Return what cases.json says about the case."""
    return score.sample_metadata or {}


@metric
def total() -> Metric:
    """Return the sum; of several epochs, Inspect passes the average."""

    def compute(scores: list[SampleScore]) -> float:
        return sum(each.score.as_float() for each in scores)

    return compute


@scorer(
    metrics={
        "right": [
            *rates("false_pass", done=False, wrong=True),
            *rates("false_block", done=True, wrong=True),
        ],
        "judged": [mean()],
        "cost_usd": [total(), mean()],
        "seconds": [mean()],
        "tool_calls": [mean()],
    }
)
def review() -> Scorer:
    """Score whether the verdict is the truth: 1 or 0."""

    async def score(state: TaskState, target: Target) -> Score:
        result = state.metadata["result"]
        completed = result["completed"]
        reviewed = result["seconds"] > 0
        values = {
            "right": NOT_KNOWN if completed is None else float(completed is result["done"]),
            "judged": float(completed is not None),
            "cost_usd": result["cost_usd"],
            # a case that its own checks send back isn't reviewed
            "seconds": result["seconds"] if reviewed else NOT_KNOWN,
            "tool_calls": result["tool_calls"] if reviewed else NOT_KNOWN,
        }
        return Score(value=values, answer=answer(completed), explanation=explain(result))

    return score


@scorer(
    metrics={
        "checks": rates("caught", done=False),
        "signals": [*rates("caught", done=False), *rates("alarms", done=True)],
    }
)
def layers() -> Scorer:
    """Score whether a check fails and whether a signal is raised: 1 or 0 each."""

    async def score(state: TaskState, target: Target) -> Score:
        result = state.metadata["result"]
        values = {
            "checks": float(bool(result["failed_check"])),
            "signals": float(bool(result["signals"])),
        }
        return Score(value=values, explanation=explain(result))

    return score
