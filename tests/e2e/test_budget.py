"""Real prices with the real client: the cost, the end of a budget, the source of a price.

The expected figures are computed here from the scripted usage, without ccc's own arithmetic.
"""

import json
import os
import signal
import subprocess
from decimal import Decimal
from typing import Any

import genai_prices
import pytest
from supervised import (
    ASKED,
    DONE,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    bash,
    no,
    requests,
    supervise,
)

from harness import MODEL, Bench, CccProject, Outcome
from harness.processes import wait_until
from harness.scripted import Rule, Usage, answer, billed, every, said_last, slow, tool, tool_result

pytestmark = pytest.mark.real

PRICE_LIST = f"genai-prices {genai_prices.__version__}"
ESTIMATE = "claude's estimate"
LARGE = Usage(
    input_tokens=1_000,
    cache_creation_input_tokens=3_000,
    cache_read_input_tokens=60_000,
    output_tokens=1_500,
)
# Moonshot's list price of kimi-k2.7-code in dollars per million; writing the cache costs input
KIMI = {"input": "0.95", "output": "4", "cache_read": "0.19"}
EACH = float(
    4_000 * Decimal(KIMI["input"]) / 10**6
    + 60_000 * Decimal(KIMI["cache_read"]) / 10**6
    + 1_500 * Decimal(KIMI["output"]) / 10**6
)
"""The cost of a request with that usage: $0.0212."""


def run(project: CccProject, *words: str) -> Outcome:
    """Run `ccc run` with an agent that may do everything."""
    return project.run("run", *words, "--", *FREELY)


def report(outcome: Outcome) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    (line,) = outcome.stdout.splitlines()
    value: dict[str, Any] = json.loads(line)
    return value


def endless_work(usage: Usage = LARGE) -> Rule:
    """Return an agent that never ends, with this usage per request."""
    more = answer("More.", bash("echo more; sleep 0.2"))
    return Rule(WORKING, billed(more, usage), times=60)


def test_a_budget_ends_at_the_price_of_the_model(bench: Bench) -> None:
    """$0.10 on a Kimi model is spent at Kimi's price, after the request that exceeds it."""
    project = bench(endless_work())
    outcome = run(project, "--max-cost-usd", "0.1", "--json", "do it")
    result = report(outcome)
    assert (outcome.code, result["outcome"]) == (22, "cost"), outcome
    # four cost $0.0848, the fifth exceeds the budget; claude itself counts $0.10 after the second
    assert len(requests(project, WORKING)) == 5
    assert result["cost_usd"]["agent"] == pytest.approx(5 * EACH)
    assert result["cost_source"] == {"agent": PRICE_LIST, "reviews": "", "total": PRICE_LIST}
    assert result["tokens"]["agent"]["cache_read"] == 5 * 60_000
    assert "out of budget at $0.1" in outcome.stderr
    assert "round 0" not in outcome.stderr


def test_more_than_claude_would_count(bench: Bench) -> None:
    """With a price above claude's own, the budget ends before claude would end it."""
    project = bench(endless_work())
    dear = {"input": 50, "output": 50, "cache_read": 1, "cache_write": 60}
    project.configure(providers={"kimi": {**project.provider(), "prices": dear}})
    outcome = run(project, "--max-cost-usd", "0.5", "--json", "do it")
    result = report(outcome)
    each = (1_000 * 50 + 1_500 * 50 + 60_000 * 1 + 3_000 * 60) / 1e6
    assert len(requests(project, WORKING)) == 2
    assert result["cost_usd"]["agent"] == pytest.approx(2 * each)
    assert result["cost_source"]["agent"] == "ccc.json"
    # the prices are ccc's own: no settings file of claude has them
    files = project.claude_dir.glob("settings*.json")
    assert [path for path in files if "prices" in json.loads(path.read_text())] == []


def test_a_model_without_a_price(bench: Bench) -> None:
    """Without a known price, claude's own estimate applies, and it is marked as an estimate."""
    project = bench(Rule(ASKED, answer(YES)), Rule(WORKING, billed(answer(DONE), LARGE)))
    project.configure(providers={"kimi": project.provider(ANTHROPIC_MODEL="nobodys-model")})
    outcome = run(project, "--max-cost-usd", "5", "do it").succeeded()
    assert "~$0." in outcome.stderr
    output = project.run("show").succeeded().stdout
    assert "claude's estimate (~)" in output
    assert "~$0." in output
    values = json.loads(project.run("show", "--json").succeeded().stdout)
    assert values["cost_source"] == dict.fromkeys(("agent", "reviews", "total"), ESTIMATE)
    assert values["rounds"][0]["cost_source"] == ESTIMATE


def test_sub_agents_are_counted_at_their_own_price(bench: Bench) -> None:
    """The tokens of a sub-agent on another model count at that model's price."""
    small = Usage(input_tokens=10_000, output_tokens=2_000)
    helper = tool(
        "Agent", description="look", prompt="go and look", subagent_type="general-purpose"
    )
    project = bench(
        Rule(ASKED, billed(answer(YES), LARGE)),
        Rule(every(WORKING, said_last("go and look")), [billed(answer("I looked."), small)]),
        Rule(every(WORKING, tool_result()), billed(answer(DONE), LARGE)),
        Rule(WORKING, billed(answer(helper), LARGE)),
    )
    project.configure(providers={"kimi": project.provider(CLAUDE_CODE_SUBAGENT_MODEL="kimi-k2.5")})
    result = report(run(project, "--json", "do it").succeeded())
    models = {request.model for request in requests(project, WORKING)}
    assert models == {MODEL, "kimi-k2.5"}
    helper_cost = (10_000 * 0.6 + 2_000 * 3) / 1e6
    own = sum(request.model == MODEL for request in requests(project, WORKING))
    assert result["cost_usd"]["agent"] == pytest.approx(own * EACH + helper_cost)
    assert result["cost_usd"]["reviews"] == pytest.approx(EACH)
    assert result["cost_source"]["total"] == PRICE_LIST


def test_a_supervised_session(bench: Bench) -> None:
    """Message, state, status line and report show the real price of the hook's reviews."""
    project = bench(
        Rule(ASKED, billed(answer(YES), LARGE)),
        Rule(WORKING, answer(DONE)),
    )
    session = supervise(project, "do it")
    record = session.record
    assert record.state["cost_usd"] == pytest.approx(EACH)
    assert record.state["cost_source"] == PRICE_LIST
    assert record.verdicts[0]["cost_source"] == PRICE_LIST
    status = project.run("statusline", stdin=json.dumps({"session_id": record.session}))
    assert f"${EACH:.4f}" in status.succeeded().stdout
    output = project.run("show").succeeded().stdout
    assert f"${EACH:.4f}" in output
    assert "~" not in output.replace("~/", "")
    assert PRICE_LIST in output
    page = project.directory / "report.html"
    project.run("report", "--output", str(page)).succeeded()
    assert PRICE_LIST in page.read_text()


def test_a_provider_that_counts_nothing(bench: Bench) -> None:
    """ccc reports once that a budget can't be enforced."""
    free = billed(answer(DONE), Usage())
    project = bench(Rule(ASKED, [answer(no("more")), answer(YES)]), Rule(WORKING, free))
    outcome = run(project, "--max-cost-usd", "0.1", "do it").succeeded()
    assert outcome.stderr.count("the budget can't end the run") == 1
    assert "budget" not in run(bench(Rule(ASKED, answer(YES)), Rule(WORKING, free)), "do it").stderr


def test_a_budget_holds_over_a_kill(bench: Bench) -> None:
    """After kill -9 in a turn, the cost of its requests counts when the run continues."""
    project = bench(endless_work())
    process = subprocess.Popen(
        [project.ccc, "run", "--max-cost-usd", "0.1", "do it", "--", *FREELY],
        cwd=project.directory,
        env=project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: len(requests(project, WORKING)) >= 4, "four requests", 60)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    outcome = run(project, "--continue", "--json")
    result = report(outcome)
    count = len(requests(project, WORKING))
    assert (outcome.code, result["outcome"]) == (22, "cost"), outcome
    # five exceed the budget; the kill may have interrupted one before its usage was known
    assert 5 <= count <= 7
    assert result["cost_usd"]["agent"] == pytest.approx(count * EACH, abs=2 * EACH)
    assert result["cost_usd"]["agent"] >= 0.1


def test_a_budget_holds_over_a_kill_in_a_review(bench: Bench) -> None:
    """After kill -9 in a review, the tokens that its requests have read count as spent.

    claude reports a reviewer's output tokens only at the end of a turn.
    """
    looking = billed(answer("I look.", bash("sleep 0.2")), LARGE)
    project = bench(
        Rule(REVIEWING, [*[looking] * 4, slow(answer(YES), 60)], times=5),
        Rule(WORKING, answer(DONE)),
    )
    process = subprocess.Popen(
        [project.ccc, "run", "--max-cost-usd", "0.06", "do it", "--", *FREELY],
        cwd=project.directory,
        env=project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: len(requests(project, REVIEWING)) >= 5, "five requests", 60)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    outcome = run(project, "--continue", "--json")
    result = report(outcome)
    assert (outcome.code, result["outcome"]) == (22, "cost"), outcome
    assert result["cost_usd"]["total"] >= 0.06


@pytest.mark.parametrize("text", [YES, "Let me see."])
def test_a_budget_ends_a_review(bench: Bench, text: str) -> None:
    """A reviewer that never ends is asked for its verdict when the budget is spent."""
    looking = billed(answer("I look.", bash("echo more")), LARGE)
    project = bench(
        Rule(every(REVIEWING, said_last("Do not review again")), billed(answer(text), LARGE)),
        Rule(REVIEWING, looking, times=60),
        Rule(WORKING, answer(DONE)),
    )
    outcome = run(project, "--max-cost-usd", "0.1", "--json", "do it")
    result = report(outcome)
    expected = (0, "completed") if text == YES else (22, "cost")
    assert (outcome.code, result["outcome"]) == expected, outcome
    # claude reports a request's input at once ($0.0152) and the rest at the end of the turn
    assert 5 <= len(requests(project, REVIEWING)) <= 8
