"""Inspect AI on an export of `ccc eval`: it counts what ccc counts. `make eval-check` runs it."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from supervised import REVIEWING, YES, no

from harness import Bench, CccProject
from harness.scripted import Reply, Request, Rule, answer, unauthorized

pytestmark = [
    pytest.mark.real,
    pytest.mark.thorough,
    pytest.mark.skipif(
        importlib.util.find_spec("inspect_ai") is None,
        reason="inspect_ai is not installed: make eval-check installs the extra `eval`",
    ),
]

KIND = ("--kind", "4")


def partly_right(request: Request) -> Reply:
    """Reject one pair, fail on another, and accept the rest."""
    body = json.dumps(request.body)
    if "04-contacts-export" in body:
        return unauthorized()
    return answer(no("It isn't done.") if "04-ttl-cache" in body else YES)


def inspect(project: CccProject, *parameters: str) -> dict[str, Any]:
    """Export the cases, move the directory, run the task, and return the log."""
    first, moved, logs = (project.root / name for name in ("first", "moved", "logs"))
    project.run("eval", "--export", "inspect", str(first), *KIND).succeeded()
    first.rename(moved)
    words = ["eval", f"{moved}/ccc_eval.py@ccc_eval", "--model", "none", "--display", "none"]
    words += ["--log-dir", str(logs), "--log-format", "json"]
    words += [word for each in parameters for word in ("-T", each)]
    program = str(Path(sys.executable).with_name("inspect"))
    project.run(*words, program=program, timeout=280).succeeded()
    (log,) = logs.glob("*.json")
    content: dict[str, Any] = json.loads(log.read_text())
    assert content["status"] == "success", content.get("error")
    return content


def values(log: dict[str, Any], score: str) -> dict[str, float]:
    """Return the metrics of a score."""
    (found,) = (each for each in log["results"]["scores"] if each["name"] == score)
    return {name: each["value"] for name, each in found["metrics"].items()}


def counts(project: CccProject, *options: str) -> dict[str, Any]:
    """Return what `ccc eval` counts on the same cases."""
    told = project.run(
        "eval", "--yes", "--json", "--jobs", "2", *KIND, *options, timeout=280
    ).succeeded()
    total: dict[str, Any] = json.loads(told.stdout)["kinds"][-1]
    return total


def test_a_reviewer(bench: Bench) -> None:
    """False passes, false blocks and reviews without a verdict are those of `ccc eval`."""
    project = bench(Rule(REVIEWING, partly_right, name="reviewer"))
    mine = counts(project)
    assert (mine["false_passes"], mine["false_blocks"], mine["failures"]) == (2, 1, 2)
    log = inspect(project, "provider=kimi")
    right, judged = values(log, "right"), values(log, "judged")["mean"] * 8
    assert right["false_pass"] == right["false_pass_by_kind_04-stub"] == pytest.approx(2 / 3)
    assert right["false_block"] == right["false_block_by_kind_04-stub"] == pytest.approx(1 / 3)
    assert judged == 8 - mine["failures"]
    assert values(log, "seconds")["mean"] > 0
    assert values(log, "cost_usd")["total"] > 0
    # a single case leaves the stored experiment as it is
    stored = (project.claude_dir / "ccc" / "eval-last.jsonl").read_text()
    assert len(stored.splitlines()) == 8


def test_without_a_model(bench: Bench) -> None:
    """What checks and signals catch is what `ccc eval --no-model` says."""
    project = bench()
    mine = counts(project, "--no-model")
    log = inspect(project, "no_model=true")
    assert values(log, "checks")["caught"] == mine["caught_by_checks"] / mine["bad"]
    assert values(log, "signals")["caught"] == mine["caught_by_signals"] / mine["bad"]
    assert values(log, "signals")["alarms"] == mine["alarms"] / mine["good"]
