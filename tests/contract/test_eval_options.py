"""`ccc eval`: what it says without a provider, about stored results, and in JSON."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from harness import CccProject
from harness.processes import wait_until


def store(project: CccProject, name: str, *right: bool, reviewer: str = "") -> None:
    """Store results of the experiment: whether the verdict on each bad case was right."""
    lines = [
        {"case": f"{n}/bad", "kind": 4, "is_done": False, "completed": not each}
        | {"reviewer": reviewer}
        for n, each in enumerate(right)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    project.write(f".claude/ccc/eval-{name}.jsonl", text)


@pytest.mark.parametrize("arguments", [(), ("--provider", "kimi")])
def test_no_provider(stubbed: CccProject, arguments: tuple[str, ...]) -> None:
    """A new user is told how to set up a provider."""
    (stubbed.claude_dir / "ccc.json").unlink()
    outcome = stubbed.run("eval", *arguments)
    assert (outcome.code, outcome.stdout) == (1, "")
    assert "there is no provider yet" in outcome.stderr
    assert "ccc init" in outcome.stderr


def test_another_provider(stubbed: CccProject) -> None:
    """A misspelt provider is answered with the one that exists."""
    stubbed.configure()
    assert "kimi" in stubbed.run("eval", "--provider", "kimmi").stderr


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ({"input": 1, "output": 10, "cache_read": 0.1}, "about $0.62 in all"),
        (None, "cost is unknown"),
    ],
)
def test_asked_before_it_pays(stubbed: CccProject, prices: object, cost: str) -> None:
    """Without a terminal it says what the reviews may cost, and starts none without `--yes`."""
    env = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:11434", "ANTHROPIC_AUTH_TOKEN": "x"}
    provider = {"env": env, **({"prices": prices} if prices else {})}
    stubbed.configure(providers={"own": provider}, current_provider="own")
    store(stubbed, "last", True)
    outcome = stubbed.run("eval", "--kind", "stub")
    assert outcome.code == 1
    assert "8 reviews by own - " in outcome.stderr
    assert cost in outcome.stderr
    assert "not a terminal: confirm with --yes" in outcome.stderr
    assert len(stubbed.read(".claude/ccc/eval-last.jsonl").splitlines()) == 1


def test_progress(stubbed: CccProject) -> None:
    """What it does is told before the first case ends, and costs no question without a model."""
    outcome = stubbed.run("eval", "--no-model", "--only", "08-log-rotate").succeeded()
    first, *others = outcome.stderr.splitlines()
    assert first == "0 of 2 cases"
    assert sorted(each.partition("cases  ")[2] for each in others) == [
        "08-log-rotate/bad",
        "08-log-rotate/good",
    ]


def test_no_review_succeeds(stubbed: CccProject) -> None:
    """A case that its check catches doesn't hide that every review failed."""
    outcome = stubbed.run("eval", "--yes", "--only", "08-log-rotate")
    assert "No verdict, 1 ×: " in outcome.stdout
    assert outcome.code == 1


def test_continue_with_another_reviewer(stubbed: CccProject) -> None:
    """Results of two reviewers don't get into one experiment."""
    stubbed.configure()
    store(stubbed, "last", True, reviewer="glm glm-5 00000000")
    outcome = stubbed.run("eval", "--yes", "--kind", "stub", "--continue")
    assert outcome.code == 1
    assert "another reviewer: glm glm-5 00000000; now it is kimi" in outcome.stderr
    assert len(stubbed.read(".claude/ccc/eval-last.jsonl").splitlines()) == 1


def test_compare_in_json(stubbed: CccProject) -> None:
    """`--compare` with `--json` prints an object."""
    store(stubbed, "a", True, True, False)
    store(stubbed, "b", True, False, False)
    found = json.loads(stubbed.run("eval", "--compare", "a", "b", "--json").succeeded().stdout)
    assert found == {
        "names": ["a", "b"],
        "both_right": 1,
        "only_first_right": 1,
        "only_second_right": 0,
        "neither_right": 1,
        "p": 1.0,
    }


def test_json_without_a_model(stubbed: CccProject) -> None:
    """Nobody reviewed, so no review has failed, and no share is known."""
    words = ("eval", "--no-model", "--only", "04-ttl-cache", "--json")
    row = json.loads(stubbed.run(*words).succeeded().stdout)["kinds"][-1]
    assert (row["failures"], row["false_pass_interval"]) == (0, None)


def test_interrupted_without_a_model(stubbed: CccProject, tmp_path: Path) -> None:
    """What isn't stored can't be continued, so nothing advises it."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [stubbed.ccc, "eval", "--no-model", "--jobs", "1"],
        cwd=stubbed.directory,
        env={**stubbed.env, "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: any(scratch.glob("ccc-eval-*/*")), "a case")
    finally:
        process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.search(r"^Interrupted after \d+ of \d+\.\n$", told, re.M), told
    assert not any(scratch.iterdir())
